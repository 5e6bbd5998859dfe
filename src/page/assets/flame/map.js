/* The map: a picture that is taller than the window, as a whole, with a frame around what is in
 * sight. */

const MAP = 64; /* pixels wide */

/* Shows the map if the picture is taller than the window; returns whether that has changed. */
function showMap() {
  const isHidden = view.isPrinting || view.rows * view.rowHeight <= view.height + 1, wasHidden = ui.map.hidden;
  ui.map.hidden = isHidden;
  return isHidden !== wasHidden;
}

function paintMap() {
  if (ui.map.hidden)
    return;
  const {rows, height} = view, context = prepare(ui.mapBoxes, {width: MAP, height, top: 0}), colours = pageColours();
  const thinnest = Math.max(1, Math.floor(rows / height)), size = Math.max(0.5, height / rows);
  for (const pane of view.panes) {
    const small = Object.assign(Object.create(pane), {pieces: piecesOf(pane, MAP)}), {a, b, isThin} = small.pieces;
    const scale = MAP / view.width, {x} = pane.chart;
    const fill = (from, to, depth, colour) => {
      const left = Math.max(0, pane.pixel(x[from]) * scale), right = Math.min(MAP, pane.pixel(x[to]) * scale);
      context.fillStyle = colour;
      context.fillRect(left, rowOf(pane, depth) * height / rows, right - left, size);
    };
    if (pane.first < 0)
      fill(0, pane.chart.n, -1, colours.thin);
    small.pieces.each((k, depth) => {
      if (depth % thinnest || depth < pane.first)
        return;
      const frame = isThin[k] ? -1 : pane.chart.frame(a[k], depth), isGrey = frame < 0 || colours.isForced;
      const colour = isGrey ? colours.thin : boxColour(small, k, depth, frame);
      fill(a[k], b[k], depth, view.found?.isFrame[frame] ? colours.found : colour);
    });
  }
  frameMap();
}

/* Moves the frame to what is in sight. */
function frameMap() {
  const {style} = ui.mapFrame, part = view.height / (view.rows * view.rowHeight);
  style.top = view.top * part + 'px';
  style.height = Math.max(4, view.height * part) + 'px';
}

/* Scrolls to where the pointer of EVENT is on the map, while it is down. */
function moveOnMap(event) {
  if (!event.buttons)
    return;
  const part = (event.clientY - ui.map.getBoundingClientRect().top) / view.height;
  ui.graph.scrollTop = part * view.rows * view.rowHeight - view.height / 2;
}

function listenToMap() {
  ui.map.addEventListener('pointerdown', event => {
    ui.map.setPointerCapture(event.pointerId);
    moveOnMap(event);
  });
  ui.map.addEventListener('pointermove', moveOnMap);
  ui.map.addEventListener('wheel', event => { ui.graph.scrollTop += event.deltaY * wheelStep(event); }, {passive: true});
}
