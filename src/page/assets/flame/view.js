/* The view: computes from the profile what the state asks for.  Only the parts affected by a
 * change are recomputed. */

/* A chart on the canvas, and the range of positions that is visible. */
class Pane {
  constructor(chart) {
    this.chart = chart;
    this.range = [0, chart.width];
    this.pieces = new Pieces();
  }

  /* The coordinate of position X, in pixels. */
  pixel(x) {
    const [low, high] = this.range;
    return (x - low) / (high - low) * view.width;
  }

  position(pixel) {
    const [low, high] = this.range;
    return low + pixel / view.width * (high - low);
  }

  /* The box around piece K at DEPTH, as an object. */
  box(k, depth) {
    const {a, b, isThin} = this.pieces;
    return {pane: this, a: a[k], b: b[k], depth, isThin: isThin[k] === 1};
  }
}

const view = {
  profile: null, first: NOTHING, state: NOTHING, shown: {},
  mode: 'calls', type: 0, sums: null, all: [], panes: [], found: null, fault: '', functions: null,
  width: 0, height: 0, hovered: null, selected: null, lit: -1, colours: [], forms: [], moving: 0,
};

const frameName = frame => view.profile.names[view.profile.frameName[frame]];
const frameFile = frame => view.profile.frameFile[frame] ? view.profile.files[view.profile.frameFile[frame] - 1] : '';

/* What the colour of FRAME depends on besides its name, in PALETTE. */
function kinPlace(palette, frame) {
  const {framePackage, packages} = view.profile;
  return palette !== 'package' ? frameFile(frame) : framePackage[frame] ? packages[framePackage[frame] - 1] : '';
}

/* The name with number NAME in at most COLUMNS columns. */
function shortOf(name, columns) {
  view.forms[name] ??= formsOf(visible(view.profile.names[name]));
  return chooseForm(view.forms[name], columns);
}

/* The place of a frame in the source code, as far as it is known. */
function framePlace(frame) {
  const line = view.profile.frameLine[frame];
  return frameFile(frame) + (line ? ':' + line : '');
}

const frameOfBox = box => box.pane.chart.frame(box.a, box.depth);
const nameOfBox = box => box.isThin || box.depth < 0 ? -1 : view.profile.frameName[frameOfBox(box)];
const side = () => view.profile.header.sides === 2 && view.state.by !== 'base' ? 1 : 0;
const typeNames = () => numberedNames(view.profile.header.types.map(type => type.type));
const unit = () => view.profile.header.types[view.type]?.unit ?? 'count';

/* The sum of BOX on one side, and its share of all. */
function sumOf(box, of = side()) {
  return box.pane.chart.total(box.a, box.b, of);
}

/* The sum of all boxes on one side.  In the order of time negative values are dropped from runs,
 * not from stacks. */
function allOf(of) {
  return view.mode === 'time' ? view.panes[0].chart.total(0, view.panes[0].chart.n, of) : view.all[of];
}

function shareOf(box, of = side()) {
  return allOf(of) ? sumOf(box, of) / allOf(of) : 0;
}

const changeOf = box => shareOf(box, 1) - shareOf(box, 0);

/* --- from the state to the picture --- */

const MODES = {calls: 'Calls', callers: 'Callers (inverted)', sandwich: 'Sandwich', time: 'Order of time'};

/* The charts of each mode; null if the profile has none. */
const CHARTS = {
  calls: profile => [callsChart(profile)],
  callers: profile => [callersChart(profile)],
  sandwich(profile) {
    const name = profile.names.indexOf(view.state.sandwich);
    return name < 0 ? null : sandwichCharts(profile, name);
  },
  time: profile => view.sums.runs ? [view.timeChart ??= timeChart(profile)] : null,
};

/* Whether the outermost frames are at the bottom.  In a sandwich the callers are above the
 * callees. */
const isUpright = () => view.mode !== 'sandwich' && view.state.layout !== 'icicle';

/* Creates the charts of the selected mode, or of the default one if the profile has none. */
function makePanes() {
  const {mode} = view.state;
  let charts = Object.hasOwn(CHARTS, mode) ? CHARTS[mode](view.profile) : null;
  view.mode = charts ? mode : 'calls';
  charts ??= CHARTS.calls(view.profile);
  view.panes = charts.map(chart => {
    chart.weigh(view.mode === 'time' ? view.sums.runs : view.sums.stacks, side());
    return new Pane(chart);
  });
  view.largestChange = view.profile.header.sides === 2 ? largestChange() : 0;
}

/* The largest change of a box that is visible without zooming and more than noise: it gets the
 * full colour. */
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

/* The result of profdiff's test for FRAME.  It was made with all samples, for the type that is
 * shown by default. */
function testOf(frame) {
  const {header, tested} = view.profile, {source, label} = view.state;
  return tested && view.type === header.shown && !source.length && !label.length ? tested[frame] : UNTESTED;
}

/* Whether there were enough runs for the test, and it applies to what is shown. */
function isTested() {
  return view.profile.frameName.some((_, frame) => testOf(frame) !== UNTESTED);
}

const isNoise = frame => testOf(frame) === NOISE;

/* The pane that is zoomed; others show everything. */
const zoomedPane = () => view.panes[Number(view.state.pane)] ?? view.panes[0];

function zoom() {
  const {zoom, at} = view.state, pane = zoomedPane(), {x, width} = pane.chart;
  for (const other of view.panes)
    other.range = [0, other.chart.width];
  const [low, high] = /^(.*[^e])-(.*)$/i.exec(at)?.slice(1).map(Number) ?? []; /* a "-" behind an e is of a number */
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

/* Shows STATE.  If ISSTEP adds an entry to the browser's history: going back undoes it. */
function show(state, isStep) {
  clearTimeout(view.moving);
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
    view.type = Math.max(0, state.type ? typeNames().indexOf(state.type) : view.profile.header.shown);
    view.sums = sumChosen(view.profile, view.type, state);
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
  showMatches();
}

/* The sums of functions on each side, computed on first use. */
function functionSums() {
  view.functions ??= view.sums.stacks.map(stacks => sumFunctions(view.profile, stacks));
  return view.functions;
}

/* --- zooming --- */

/* Zooms to BOX, or to all at depth -1. */
function zoomTo(box) {
  const {pane, a, b, depth, isThin} = box;
  if (depth < 0)
    return zoomOutToAll();
  if (isThin || view.mode === 'time')
    return zoomRange(pane, pane.chart.x[a], pane.chart.x[b]);
  change({zoom: pathOf(pane.chart, a, depth), at: '', pane: paneNumber(pane)}, true);
}

const UNZOOMED = {zoom: '', at: '', pane: ''};
const zoomOutToAll = () => change(UNZOOMED, true);
const paneNumber = pane => String(view.panes.indexOf(pane) || '');

function zoomRange(pane, low, high) {
  const {width} = pane.chart, isAll = low <= 0 && high >= width;
  /* with all digits: at high zoom the ends differ only in the last ones */
  change(isAll ? UNZOOMED : {zoom: '', at: `${low / width}-${high / width}`, pane: paneNumber(pane)}, true);
}

/* The innermost box that covers the visible part of PANE, and is wider than that if ISWIDER. */
function coveringBox(pane, isWider) {
  const {chart, range: [low, high]} = pane, {x} = chart, slack = (high - low) * 1e-9;
  let box = {pane, a: 0, b: chart.n, depth: -1};
  while (chart.n > 0) {
    const depth = box.depth + 1;
    chart.split(box.a, box.b, depth);
    const item = chart.itemAt((low + high) / 2);
    if (chart.depth[item] <= depth)
      break;
    const a = chart.start(item, depth), b = chart.end(a, depth);
    const isCover = x[a] <= low + slack && x[b] >= high - slack, isAsWide = x[b] - x[a] <= high - low + slack;
    if (!isCover || (isWider && isAsWide))
      break;
    box = {pane, a, b, depth};
  }
  return box;
}

const zoomOut = () => zoomTo(coveringBox(zoomedPane(), true));

const isSame = (p, q) => p === q || Boolean(p && q && p.pane === q.pane && p.a === q.a && p.depth === q.depth);

/* --- layout of the panes on the canvas --- */

/* The row of DEPTH in PANE, from the top. */
function rowOf(pane, depth) {
  const rows = view.panes[0].pieces.rows.length;
  if (isUpright())
    return Math.max(rows, Math.floor(view.height / view.rowHeight)) - 1 - depth;
  if (view.mode !== 'sandwich')
    return depth;
  return pane === view.panes[0] ? rows - 1 - depth : Math.max(0, rows - 1) + depth;
}

/* The reverse: the depth of PANE in ROW. */
function depthAt(pane, row) {
  const origin = rowOf(pane, 0);
  return rowOf(pane, 1) < origin ? origin - row : row - origin;
}

function rowCount() {
  const counts = view.panes.map(pane => pane.pieces.rows.length);
  return view.mode === 'sandwich' ? Math.max(0, counts[0] - 1) + counts[1] : counts[0];
}

/* The first depth of PANE that is drawn: both panes of a sandwich have the row of its function. */
const firstDepth = pane => view.mode === 'sandwich' && pane === view.panes[0] ? 1 : 0;

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
