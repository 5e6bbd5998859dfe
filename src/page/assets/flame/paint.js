/* Painting: two canvases as large as the visible part of the graph, one for boxes, one for
 * highlights. */

const FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace';
const FONT_SIZE = 12, COLUMN = 0.6 * FONT_SIZE, PAD = 4, INK = '#1a1a1a', FOUND = '#4a0072', FOUND_INK = '#fff';
const TRUNK = 0.9; /* of what is visible: a box with as much is no fork */
const FADED = 0.35; /* the opacity of callers of what is zoomed */

/* Colours other than those of functions; in forced-colours mode the system sets all of them. */
function pageColours() {
  if (matchMedia('(forced-colors: active)').matches)
    return {isForced: true, paper: 'Canvas', ink: 'CanvasText', onPaper: 'CanvasText', thin: 'GrayText', frame: 'Highlight',
      inner: 'Canvas', found: 'Highlight', foundInk: 'HighlightText'};
  const onPaper = getComputedStyle(document.documentElement).getPropertyValue('--ink');
  return {isForced: false, ink: INK, onPaper, thin: GREY, frame: INK, inner: FOUND_INK, found: FOUND, foundInk: FOUND_INK};
}

const palette = () => view.state.colors || (view.profile.header.sides === 2 ? 'diff' : 'hot');

/* The colour of a change in thousandths of the largest: pale if noise is not known. */
const changeColour = thousandths => colourOfChange(view.isTested ? thousandths : Math.trunc(thousandths / 2));

/* The colour of piece K at DEPTH, a box of FRAME.  A change has a colour only if profdiff's test
 * did not call it noise. */
function boxColour(pane, k, depth, frame) {
  if (frame === view.profile.header.other)
    return GREY;
  if (palette() === 'diff') {
    const isTold = view.largestChange > 0 && !isNoise(frame);
    return changeColour(isTold ? Math.round(1000 * changeOf(pane.box(k, depth)) / view.largestChange) : 0);
  }
  return view.colours[frame] ??= colourOf(palette(), frameName(frame), kinPlace(palette(), frame));
}

/* Sets the size of CANVAS, by default to the visible part, in device pixels, within the limits of
 * canvases.  TOP is the coordinate of its first row. */
function prepare(canvas, {width, height, top} = view) {
  const context = canvas.getContext('2d'), scale = Math.min(view.scale, 65535 / Math.max(1, width, height));
  const pixels = [width, height].map(size => Math.max(1, Math.round(size * scale)));
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1])
    [canvas.width, canvas.height] = pixels;
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.translate(0, -top);
  return context;
}

/* Calls VISIT(pane, k, depth, left, y, width) for all pieces on visible rows, with coordinates
 * in pixels. */
function eachInSight(visit) {
  const rowAt = pixel => Math.floor(pixel / view.rowHeight), rows = [rowAt(view.top), rowAt(view.top + view.height)];
  for (const pane of view.panes) {
    const ends = rows.map(row => depthAt(pane, row)), {chart, pieces} = pane;
    const from = Math.max(pane.first, Math.min(...ends));
    pieces.each((k, depth) => {
      const left = Math.max(0, pane.pixel(chart.x[pieces.a[k]]));
      const right = Math.min(view.width, pane.pixel(chart.x[pieces.b[k]]));
      visit(pane, k, depth, left, rowOf(pane, depth) * view.rowHeight, right - left);
    }, from, Math.max(...ends));
  }
}

function paint() {
  const began = performance.now(), context = prepare(ui.boxes);
  setFont(context);
  view.drawn = paintPicture(context, pageColours());
  paintPointers();
  view.lastRedraw = performance.now() - began;
}

function setFont(context) {
  context.font = `${FONT_SIZE}px ${FONT}`;
  context.textBaseline = 'middle';
}

/* Paints what is in sight, on a canvas or what does the same (SvgContext); returns the number of
 * pieces. */
function paintPicture(context, colours) {
  let count = 0;
  view.labels = new Map();
  eachInSight((pane, k, depth, left, y, width) => {
    count++;
    context.title?.(tipOf(pane.box(k, depth)));
    if (pane.pieces.isThin[k])
      paintThin(context, colours, pane, k, depth, left, y, width);
    else
      paintBox(context, colours, pane, k, depth, left, y, width);
  });
  for (const pane of view.panes)
    if (pane.first < 0) {
      context.title?.(tipOf(pane.root));
      paintRoot(context, colours, pane);
    }
  if (view.mode === 'sandwich') {
    context.title?.(titleOf(view.panes[1].root));
    paintHeadings(context, colours);
  }
  return count;
}

/* Whether the items [A, B) are all that is visible of PANE and more: a caller of what is zoomed. */
function isOuter({chart: {x}, range: [low, high]}, a, b) {
  return x[a] <= low && x[b] >= high && x[b] - x[a] > (high - low) * (1 + 1e-9);
}

function paintBox(context, colours, pane, k, depth, left, y, width) {
  const {a, b} = pane.pieces, frame = pane.chart.frame(a[k], depth), isFound = view.found?.isFrame[frame];
  const inner = width > 3 ? width - 1 : width; /* a gap between boxes that are wide enough */
  const fill = isFound ? colours.found : colours.isForced ? colours.paper : boxColour(pane, k, depth, frame);
  const isFaded = !isFound && isOuter(pane, a[k], b[k]);
  fillBox(context, colours, fill, left, y, inner, isFaded);
  if (isFound && width > 3) /* in the dark only this line of what is found differs from paper */
    strokeBox(context, colours.isForced ? colours.ink : colours.foundInk, left, y, inner);
  const columns = Math.floor((inner - 2 * PAD) / COLUMN);
  if (columns < SHORTEN_MIN)
    return;
  context.fillStyle = isFound ? colours.foundInk : isFaded ? colours.onPaper : colours.ink;
  const text = labelOf(frame, columns, y);
  if (text)
    writeRow(context, text, left, y);
}

/* The text in a box of FRAME with room for COLUMNS, in the row at Y; none where it would look like that
 * of another function, or line, in the row. */
function labelOf(frame, columns, y) {
  const {frameName} = view.profile, line = lineOf(frame), hasLine = line && columns - line.length >= SHORTEN_MIN;
  const text = hasLine ? shortOf(frameName[frame], columns - line.length) + line : shortOf(frameName[frame], columns);
  const key = `${y} ${text}`, what = line ? frame : frameName[frame], first = view.labels.get(key) ?? what;
  view.labels.set(key, first);
  return first === what ? text : '';
}

function fillBox(context, colours, fill, left, y, width, isFaded) {
  const height = view.rowHeight - 1;
  context.fillStyle = fill;
  context.globalAlpha = isFaded && !colours.isForced ? FADED : 1;
  context.fillRect(left, y, width, height);
  context.globalAlpha = 1;
  if (colours.isForced)
    strokeBox(context, colours.ink, left, y, width);
}

function strokeBox(context, colour, left, y, width) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.strokeRect(left + 0.5, y + 0.5, Math.max(0, width - 1), view.rowHeight - 2);
}

const writeRow = (context, text, left, y) => context.fillText(text, left + PAD, y + view.rowHeight / 2 + 0.5);

/* The row of all: of a lane its thread or source. */
function paintRoot(context, colours, pane) {
  const {chart} = pane, y = rowOf(pane, -1) * view.rowHeight, left = Math.max(0, pane.pixel(0));
  const width = Math.min(view.width, pane.pixel(chart.width)) - left, isFaded = isOuter(pane, 0, chart.n);
  if (!(width > 0))
    return;
  fillBox(context, colours, colours.isForced ? colours.paper : colours.thin, left, y, width, isFaded);
  context.fillStyle = isFaded ? colours.onPaper : colours.ink;
  const text = `${titleOf(pane.root)}: ${scaled(sumOf(pane.root), unit())}`;
  writeRow(context, cut(text, Math.floor((width - 2 * PAD) / COLUMN)), left, y);
}

/* In a sandwich: a frame around its function, and what is above and below. */
function paintHeadings(context, colours) {
  const [callers, callees] = view.panes, {rowHeight, width} = view, y = rowOf(callees, 0) * rowHeight;
  const has = pane => pane.pieces.rows.length > 1;
  context.fillStyle = context.strokeStyle = colours.onPaper;
  writeRow(context, has(callers) ? '▲ callers' : 'no callers', 0, y - rowHeight);
  writeRow(context, has(callees) ? '▼ callees' : 'no callees', 0, y + rowHeight);
  context.lineWidth = 2;
  context.strokeRect(1, y, width - 2, rowHeight - 1);
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

/* Highlights: all boxes of one name, or of a row of a panel, are lit; the one under the pointer and the selected one have
 * a frame. */
function paintPointers() {
  const context = prepare(ui.pointers), colours = pageColours(), {hovered, selected, rowHeight} = view;
  const name = hovered ? nameOfBox(hovered) : -1, ofName = frame => view.profile.frameName[frame] === name;
  const isLight = name >= 0 ? ofName : hovered ? null : view.lit;
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
    const isLit = isLight && !pane.pieces.isThin[k] && isLight(pane.chart.frame(pane.pieces.a[k], depth));
    lit += isLit;
    if (isChosen || isLit)
      outline(left, y, width, isChosen ? 2 : 1.5);
  });
  view.litBoxes = lit;
  for (const box of [selected, hovered])
    if (box?.depth < 0) {
      const left = Math.max(0, box.pane.pixel(0)), right = Math.min(view.width, box.pane.pixel(box.pane.chart.width));
      outline(left, rowOf(box.pane, -1) * rowHeight, right - left, 2);
    }
  paintRuler();
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

/* Sets the height of the picture and keeps the same rows visible; if ISNEW, those where it begins. */
function setScroll(isNew) {
  const {graph, room} = ui, height = view.rows * view.rowHeight;
  room.style.height = height + 'px';
  if (isNew)
    graph.scrollTop = firstTop();
  else if (isUpright())
    graph.scrollTop = height - view.below - view.height;
  noteScroll();
}

/* Notes which part of the picture is in sight, and how much is below. */
function noteScroll() {
  const {scrollTop, scrollHeight, clientHeight} = ui.graph;
  view.top = scrollTop;
  view.below = scrollHeight - scrollTop - clientHeight;
}

/* The innermost depth at which one box has almost all that is visible of PANE. */
function trunkDepth(pane) {
  const {chart: {x}, range: [low, high]} = pane;
  let depth = -1;
  for (let box; (box = widest(pane, depth + 1, () => true)) && x[box.b] - x[box.a] >= TRUNK * (high - low);)
    depth++;
  return depth;
}

/* Where a picture is opened: at its outermost boxes or, if they would fill much of the window,
 * where the stacks fork; a sandwich at its function. */
function firstTop() {
  const {rowHeight, height} = view, pane = zoomedPane();
  if (view.mode === 'sandwich')
    return (rowOf(view.panes[1], 0) + 0.5) * rowHeight - height / 2;
  const trunk = view.zoomed?.depth ?? trunkDepth(pane), isLong = (trunk + 2) * rowHeight > height / 3;
  const row = rowOf(pane, isLong ? trunk - 1 : -1);
  return isUpright() ? (row + 1) * rowHeight - height : row * rowHeight;
}

/* Scrolls until the row of BOX is in sight. */
function reveal({pane, depth}) {
  const {graph} = ui, top = rowOf(pane, depth) * view.rowHeight;
  if (top < graph.scrollTop || top + view.rowHeight > graph.scrollTop + view.height)
    graph.scrollTop = top - view.height / 2;
}

const piecesOf = ({chart, range: [low, high]}, width) =>
  high > low && low < chart.width ? layOut(chart, [low, high], width) : new Pieces();

function placePieces() {
  for (const pane of view.panes)
    pane.pieces = piecesOf(pane, view.width);
  placePanes();
}

/* Computes what is visible, and paints it.  ISNEW: the picture is another one than before. */
function layOutPanes(isNew) {
  const began = performance.now();
  ui.ruler.hidden = view.mode !== 'time' || view.isPrinting;
  view.width = ui.graph.clientWidth;
  view.height = ui.graph.clientHeight;
  view.scale = Math.max(window.devicePixelRatio || 1, view.isPrinting ? 2 : 0);
  view.rowHeight = matchMedia('(pointer: coarse)').matches ? 32 : 18;
  placePieces();
  if (showMap()) { /* which takes some of the width */
    view.width = ui.graph.clientWidth;
    placePieces();
  }
  setScroll(isNew);
  paintMap();
  rehover();
  view.lastLayout = performance.now() - began;
  repaint();
}
