/* The view: what the state asks for, made of the profile.  Only what a change concerns is made again. */

/* A chart on the canvas, and the positions between which it is seen. */
class Pane {
  constructor(chart) {
    this.chart = chart;
    this.range = [0, chart.width];
    this.pieces = new Pieces();
  }

  /* Where position X is seen, in pixels. */
  pixel(x) {
    const [low, high] = this.range;
    return (x - low) / (high - low) * view.width;
  }

  position(pixel) {
    const [low, high] = this.range;
    return low + pixel / view.width * (high - low);
  }

  /* The box around piece K at DEPTH, as a value of its own. */
  box(k, depth) {
    const {a, b, isThin} = this.pieces;
    return {pane: this, a: a[k], b: b[k], depth, isThin: isThin[k] === 1};
  }
}

const view = {
  profile: null, first: NOTHING, state: NOTHING, shown: {},
  sums: null, all: [], panes: [], found: null, fault: '', functions: null,
  width: 0, height: 0, hovered: null, selected: null, lit: -1, colours: [], redraws: 0, lastRedraw: 0,
};

const frameName = frame => view.profile.names[view.profile.frameName[frame]];
const frameFile = frame => view.profile.frameFile[frame] ? view.profile.files[view.profile.frameFile[frame] - 1] : '';

/* The place of a frame in the source, as far as it is known. */
function framePlace(frame) {
  const line = view.profile.frameLine[frame];
  return frameFile(frame) + (line ? ':' + line : '');
}

const frameOfBox = box => box.pane.chart.frame(box.a, box.depth);
const nameOfBox = box => box.isThin || box.depth < 0 ? -1 : view.profile.frameName[frameOfBox(box)];
const side = () => view.profile.header.sides === 2 && view.state.by !== 'base' ? 1 : 0;
const typeNumber = () => Math.max(0, typeNames().indexOf(view.state.type || typeNames()[view.profile.header.shown]));
const typeNames = () => numberedNames(view.profile.header.types.map(type => type.type));
const unit = () => view.profile.header.types[typeNumber()]?.unit ?? 'count';

/* What BOX has of a side: its sum, and its share of all. */
function sumOf(box, of = side()) {
  return box.pane.chart.total(box.a, box.b, of);
}

function shareOf(box, of = side()) {
  return view.all[of] ? sumOf(box, of) / view.all[of] : 0;
}

const changeOf = box => shareOf(box, 1) - shareOf(box, 0);

/* --- from the state to what is drawn --- */

function makeCharts({mode, sandwich}) {
  const {profile} = view, name = profile.names.indexOf(sandwich);
  if (mode === 'sandwich' && name >= 0)
    return sandwichCharts(profile, name);
  if (mode === 'time' && view.sums.runs)
    return [view.timeChart ??= timeChart(profile)];
  return [mode === 'callers' ? callersChart(profile) : callsChart(profile)];
}

/* The mode that is drawn: that of the state where the profile can show it. */
function modeDrawn() {
  const {mode, sandwich} = view.state;
  const isPossible = mode === 'time' ? view.sums.runs : mode === 'sandwich' ? view.profile.names.includes(sandwich) : true;
  return isPossible && MODES[mode] ? mode : 'calls';
}

const MODES = {calls: 'Calls', callers: 'Callers (inverted)', sandwich: 'Sandwich', time: 'Order of time'};

/* Whether the outermost frames stand at the bottom.  In a sandwich the callers stand above what is called. */
const isUpright = () => modeDrawn() !== 'sandwich' && view.state.layout !== 'icicle';

function makePanes() {
  view.panes = makeCharts({...view.state, mode: modeDrawn()}).map(chart => {
    chart.weigh(modeDrawn() === 'time' ? view.sums.runs : view.sums.stacks, side());
    chart.marks = null;
    return new Pane(chart);
  });
  view.largestChange = view.profile.header.sides === 2 ? largestChange() : 0;
}

/* The largest change of a box that can be seen before any zooming and is more than noise: it has the full colour. */
function largestChange() {
  let largest = 0;
  for (const pane of view.panes) {
    pane.pieces = layOut(pane.chart, pane.range, 1200);
    pane.pieces.each((k, depth) => {
      const box = pane.box(k, depth);
      if (!box.isThin && !isNoise(frameOfBox(box)))
        largest = Math.max(largest, Math.abs(changeOf(box)));
    });
  }
  return largest;
}

/* Whether profdiff's test takes the change of FRAME's function for noise. */
const isNoise = frame => view.profile.tested?.[frame] === 1;

/* The pane that is zoomed; others show all that they have. */
const zoomedPane = () => view.panes[Number(view.state.pane)] ?? view.panes[0];

function zoom() {
  const {zoom, at} = view.state, pane = zoomedPane(), {x, width} = pane.chart;
  for (const other of view.panes)
    other.range = [0, other.chart.width];
  const [low, high] = at.split('-').map(Number);
  if (zoom) {
    const box = findPath(pane.chart, zoom);
    pane.range = [x[box.a], x[box.b]];
  } else if (high > low) {
    pane.range = [Math.max(0, low) * width, Math.min(1, high) * width];
  }
}

function find() {
  const {search: text, case: isExact} = view.state;
  view.found = null;
  view.fault = '';
  for (const pane of view.panes)
    pane.chart.marks = null;
  if (!text)
    return;
  try {
    view.found = search(view.profile, new RegExp(text, isExact ? '' : 'i'));
  } catch (error) {
    view.fault = error.message;
  }
}

/* Shows STATE.  It becomes an entry of the browser's history if ISSTEP: going back undoes it. */
function show(state, isStep) {
  view.state = state;
  const fragment = '#' + makeFragment(state, view.first);
  if (fragment !== (location.hash || '#')) {
    if (isStep)
      location.hash = fragment;
    else
      location.replace(fragment);
  }
  update();
}

const change = (part, isStep = false) => show({...view.state, ...part}, isStep);

function update() {
  const {state, shown} = view, began = performance.now();
  const isNew = (...keys) => keys.some(key => String(state[key]) !== String(shown[key]));
  const hasData = isNew('type', 'source', 'label'), hasCharts = hasData || isNew('mode', 'sandwich', 'by');
  if (hasData) {
    view.sums = sumChosen(view.profile, typeNumber(), state);
    view.all = view.sums.stacks.map(sums => sums.reduce((sum, value) => sum + value, 0));
    view.functions = null;
  }
  if (hasCharts)
    makePanes();
  if (hasCharts || isNew('zoom', 'at', 'pane'))
    zoom();
  if (isNew('search', 'case'))
    find();
  if (isNew('colors'))
    view.colours = [];
  if (hasCharts)
    view.selected = view.hovered = null;
  view.shown = state;
  view.lastUpdate = performance.now() - began;
  applyTheme();
  showControls();
  showPanel(hasCharts);
  layOutPanes(hasCharts || isNew('layout'));
  showStatus();
}

/* The sums of functions, of each side, made when they are first asked for. */
function functionSums() {
  view.functions ??= view.sums.stacks.map(stacks => sumFunctions(view.profile, stacks));
  return view.functions;
}

/* --- zooming --- */

/* Zooms in on BOX, or out to all at depth -1. */
function zoomTo(box) {
  const {pane, a, b, depth, isThin} = box;
  if (depth < 0)
    return change({zoom: '', at: '', pane: ''}, true);
  if (isThin || modeDrawn() === 'time')
    return zoomRange(pane, pane.chart.x[a], pane.chart.x[b]);
  change({zoom: pathOf(pane.chart, a, depth), at: '', pane: paneNumber(pane)}, true);
}

const paneNumber = pane => String(view.panes.indexOf(pane) || '');

function zoomRange(pane, low, high, isStep = true) {
  const width = pane.chart.width, share = x => String(Number((x / width).toPrecision(9)));
  const isAll = low <= 0 && high >= width;
  change({zoom: '', at: isAll ? '' : `${share(low)}-${share(high)}`, pane: isAll ? '' : paneNumber(pane)}, isStep);
}

/* The innermost box that covers all that is seen of PANE, and does so widely if ISWIDER. */
function coveringBox(pane, isWider) {
  const {chart, range: [low, high]} = pane, {x} = chart, slack = (high - low) * 1e-9;
  let box = {pane, a: 0, b: chart.n, depth: -1};
  for (let item = chart.itemAt((low + high) / 2); chart.n > 0;) {
    const depth = box.depth + 1;
    chart.split(box.a, box.b, depth);
    item = chart.itemAt((low + high) / 2);
    if (chart.depth[item] <= depth)
      break;
    const a = chart.start(item, depth), b = chart.end(a, depth), isCover = x[a] <= low + slack && x[b] >= high - slack;
    if (!isCover || (isWider && x[b] - x[a] <= high - low + slack))
      break;
    box = {pane, a, b, depth};
  }
  return box;
}

const zoomOut = () => zoomTo(coveringBox(zoomedPane(), true));

/* --- layout of the panes on the canvas --- */

/* The row of DEPTH in PANE, from the top. */
function rowOf(pane, depth) {
  const rows = view.panes[0].pieces.rows.length;
  if (isUpright())
    return Math.max(rows, Math.floor(view.height / view.rowHeight)) - 1 - depth;
  if (modeDrawn() !== 'sandwich')
    return depth;
  return pane === view.panes[0] ? rows - 1 - depth : Math.max(0, rows - 1) + depth;
}

/* The reverse: the depth of PANE that ROW shows. */
function depthAt(pane, row) {
  const origin = rowOf(pane, 0);
  return rowOf(pane, 1) < origin ? origin - row : row - origin;
}

function rowCount() {
  const counts = view.panes.map(pane => pane.pieces.rows.length);
  return modeDrawn() === 'sandwich' ? Math.max(0, counts[0] - 1) + counts[1] : counts[0];
}

/* The first depth of PANE that is drawn: that of the function of a sandwich is in both. */
const firstDepth = pane => modeDrawn() === 'sandwich' && pane === view.panes[0] ? 1 : 0;

function boxAt(pixelX, pixelY) {
  const row = Math.floor(pixelY / view.rowHeight);
  for (const pane of view.panes) {
    const depth = depthAt(pane, row), {pieces, chart} = pane, x = pane.position(pixelX);
    let found = null;
    if (depth >= firstDepth(pane) && depth < pieces.rows.length)
      pieces.each(k => {
        if (chart.x[pieces.a[k]] <= x && x < chart.x[pieces.b[k]])
          found = pane.box(k, depth);
      }, depth, depth);
    if (found)
      return found;
  }
  return null;
}
