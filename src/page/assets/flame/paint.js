/* Painting: two canvases as large as the visible part of the graph, one for boxes, one for
 * highlights. */

const FONT_SIZE = 12, COLUMN = 0.6 * FONT_SIZE, PAD = 4, INK = '#1a1a1a', FOUND = '#4a0072', FOUND_INK = '#fff';

/* Colours other than those of functions; in forced-colours mode the system sets all of them. */
function pageColours() {
  if (matchMedia('(forced-colors: active)').matches)
    return {isForced: true, paper: 'Canvas', ink: 'CanvasText', thin: 'GrayText', frame: 'Highlight', inner: 'Canvas',
      found: 'Highlight', foundInk: 'HighlightText'};
  return {isForced: false, ink: INK, thin: GREY, frame: INK, inner: FOUND_INK, found: FOUND, foundInk: FOUND_INK};
}

const palette = () => view.state.colors || (view.profile.header.sides === 2 ? 'diff' : 'hot');

/* The colour of piece K at DEPTH, a box of FRAME.  A change has a colour only if profdiff's test
 * did not call it noise. */
function boxColour(pane, k, depth, frame) {
  if (frame === view.profile.header.other)
    return GREY;
  if (palette() === 'diff') {
    const isTold = view.largestChange > 0 && !isNoise(frame);
    return colourOfChange(isTold ? Math.round(1000 * changeOf(pane.box(k, depth)) / view.largestChange) : 0);
  }
  return view.colours[frame] ??= colourOf(palette(), frameName(frame), kinPlace(palette(), frame));
}

/* Sets the size of CANVAS to the visible part, in device pixels, within the limits of canvases. */
function prepare(canvas) {
  const context = canvas.getContext('2d'), scale = Math.min(view.scale, 65535 / Math.max(1, view.width, view.height));
  const width = Math.max(1, Math.round(view.width * scale)), height = Math.max(1, Math.round(view.height * scale));
  if (canvas.width !== width || canvas.height !== height)
    [canvas.width, canvas.height] = [width, height];
  canvas.style.width = view.width + 'px';
  canvas.style.height = view.height + 'px';
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  context.translate(0, -view.top);
  return context;
}

/* Calls VISIT(pane, k, depth, left, y, width) for all pieces on visible rows, with coordinates
 * in pixels. */
function eachInSight(visit) {
  const rowAt = pixel => Math.floor(pixel / view.rowHeight), rows = [rowAt(view.top), rowAt(view.top + view.height)];
  for (const pane of view.panes) {
    const ends = rows.map(row => depthAt(pane, row)), {chart, pieces} = pane;
    const from = Math.max(firstDepth(pane), Math.min(...ends));
    pieces.each((k, depth) => {
      const left = Math.max(0, pane.pixel(chart.x[pieces.a[k]]));
      const right = Math.min(view.width, pane.pixel(chart.x[pieces.b[k]]));
      visit(pane, k, depth, left, rowOf(pane, depth) * view.rowHeight, right - left);
    }, from, Math.max(...ends));
  }
}

function paint() {
  const began = performance.now(), colours = pageColours(), context = prepare(ui.boxes);
  let count = 0;
  context.font = `${FONT_SIZE}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace`;
  context.textBaseline = 'middle';
  eachInSight((pane, k, depth, left, y, width) => {
    count++;
    if (pane.pieces.isThin[k])
      paintThin(context, colours, pane, k, depth, left, y, width);
    else
      paintBox(context, colours, pane, k, depth, left, y, width);
  });
  paintPointers();
  view.drawn = count;
  view.lastRedraw = performance.now() - began;
}

function paintBox(context, colours, pane, k, depth, left, y, width) {
  const frame = pane.chart.frame(pane.pieces.a[k], depth), isFound = view.found?.isFrame[frame];
  /* a gap between boxes that are wide enough */
  const height = view.rowHeight - 1, inner = width > 3 ? width - 1 : width;
  context.fillStyle = isFound ? colours.found : colours.isForced ? colours.paper : boxColour(pane, k, depth, frame);
  context.fillRect(left, y, inner, height);
  if (colours.isForced) {
    context.strokeStyle = colours.ink;
    context.strokeRect(left + 0.5, y + 0.5, Math.max(0, inner - 1), height - 1);
  }
  const columns = Math.floor((inner - 2 * PAD) / COLUMN);
  if (columns < SHORTEN_MIN)
    return;
  context.fillStyle = isFound ? colours.foundInk : colours.ink;
  context.fillText(shortOf(view.profile.frameName[frame], columns), left + PAD, y + height / 2 + 1);
}

/* Boxes too thin to tell apart are drawn as one grey box; matches in it are marked pixel by
 * pixel. */
function paintThin(context, colours, pane, k, depth, left, y, width) {
  const {chart, pieces: {a, b}} = pane;
  context.fillStyle = colours.thin;
  context.fillRect(left, y, Math.max(width, THINNEST), view.rowHeight - 1);
  if (!view.found)
    return;
  const marks = chart.marks ??= new Marks(chart, view.found), step = pane.position(1) - pane.position(0);
  context.fillStyle = colours.found;
  for (let i = a[k], to; i < b[k]; i = to) {
    to = Math.min(b[k], Math.max(i + 1, chart.itemAt(chart.x[i] + step, i)));
    if (marks.any(i, to, depth))
      context.fillRect(Math.max(0, pane.pixel(chart.x[i])), y, 1, view.rowHeight - 1);
  }
}

/* Highlights: all boxes of one name are lit; the one under the pointer and the selected one have
 * a frame. */
function paintPointers() {
  const context = prepare(ui.pointers), colours = pageColours(), {hovered, selected, rowHeight} = view;
  const name = hovered ? nameOfBox(hovered) : view.lit;
  const isOne = (box, pane, k, depth) => box && box.pane === pane && box.depth === depth &&
    pane.pieces.a[k] <= box.a && box.b <= pane.pieces.b[k];
  const stroke = (colour, left, y, width, height, line) => {
    context.strokeStyle = colour;
    context.lineWidth = line;
    context.strokeRect(left + line / 2, y + line / 2, Math.max(0.5, width - line), height - line);
  };
  /* a dark line and a light one in it: one of them is seen on any box */
  const outline = (left, y, width, line) => {
    stroke(colours.frame, left, y, width - 1, rowHeight - 1, line);
    if (width > 4 * line)
      stroke(colours.inner, left + line, y + line, width - 1 - 2 * line, rowHeight - 1 - 2 * line, 1);
  };
  let lit = 0;
  eachInSight((pane, k, depth, left, y, width) => {
    const isChosen = isOne(selected, pane, k, depth) || isOne(hovered, pane, k, depth);
    const isLit = name >= 0 && !pane.pieces.isThin[k] && 
      view.profile.frameName[pane.chart.frame(pane.pieces.a[k], depth)] === name;
    lit += isLit;
    if (isChosen || isLit)
      outline(left, y, width, isChosen ? 2 : 1.5);
  });
  view.litBoxes = lit;
}

/* --- when to paint --- */

let isPainting = false;

/* Paints once before the next frame, however often it is called. */
function repaint() {
  if (isPainting)
    return;
  isPainting = true;
  requestAnimationFrame(() => {
    isPainting = false;
    paint();
  });
}

/* Print shows all rows of the zoomed part, not only the visible ones; painted before the browser
 * continues. */
function setPrinting(isPrinting) {
  view.isPrinting = isPrinting;
  document.documentElement.classList.toggle('printing', isPrinting);
  layOutPanes(false);
  paint();
}

/* Sets the height of the picture and keeps the same rows visible; if ISNEW, the first ones. */
function setScroll(isNew) {
  const {graph, room} = ui, below = graph.scrollHeight - graph.scrollTop;
  room.style.height = rowCount() * view.rowHeight + 'px';
  if (isUpright())
    graph.scrollTop = graph.scrollHeight - (isNew ? 0 : below);
  else if (isNew)
    graph.scrollTop = view.mode === 'sandwich' ? (rowOf(view.panes[1], 0) + 1) * view.rowHeight - view.height / 2 : 0;
  view.top = graph.scrollTop;
}

/* Computes what is visible, and paints it.  ISNEW: the picture is another one than before. */
function layOutPanes(isNew) {
  const began = performance.now();
  view.width = ui.graph.clientWidth;
  view.height = ui.graph.clientHeight;
  view.scale = Math.max(window.devicePixelRatio || 1, view.isPrinting ? 2 : 0);
  view.rowHeight = matchMedia('(pointer: coarse)').matches ? 24 : 18;
  for (const pane of view.panes)
    pane.pieces = pane.range[1] > pane.range[0] ? layOut(pane.chart, pane.range, view.width) : new Pieces();
  setScroll(isNew);
  view.lastLayout = performance.now() - began;
  repaint();
}
