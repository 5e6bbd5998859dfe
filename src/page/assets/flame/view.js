/* The view: computes from the profile what the state asks for.  Only the parts affected by a
 * change are recomputed. */

/* A chart on the canvas, the range of positions that is visible, and its rows: that of depth 0
 * (origin), from which depths go up or down (step).  FIRST is the first depth that is drawn; -1 is
 * the row of all.  WHOLE is the last position: that of the longest lane. */
class Pane {
  constructor(chart, whole) {
    Object.assign(this, {chart, whole, range: [0, whole], pieces: new Pieces()});
    Object.assign(this, {origin: 0, step: 1, gap: 0, first: -1});
  }

  /* All of it, as a box. */
  get root() {
    return {pane: this, a: 0, b: this.chart.n, depth: -1, isThin: false};
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
  source: null, profile: null, keeps: null, refineFaults: [], first: NOTHING, state: NOTHING, shown: {},
  mode: 'calls', type: 0, sums: null, all: [], panes: [], found: null, fault: '', functions: null, byType: [],
  width: 0, height: 0, top: 0, below: 0, rowHeight: 0, rows: 0, blank: 0, pointer: null, hovered: null, selected: null, zoomed: null,
  gone: [], lit: null, colours: [], forms: [], moving: 0, span: null,
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

/* The line of FRAME, where each has a box of its own. */
const lineOf = frame => view.profile.header.lines && view.profile.frameLine[frame] ? ':' + view.profile.frameLine[frame] : '';

const frameOfBox = box => box.pane.chart.frame(box.a, box.depth);
const hasFrame = box => box.depth >= 0 && !box.isThin; /* not all, and not several */
const nameOfBox = box => hasFrame(box) ? view.profile.frameName[frameOfBox(box)] : -1;
const side = () => view.profile.header.sides === 2 && view.state.by !== 'base' ? 1 : 0;
const typeNames = () => numberedNames(view.profile.header.types.map(type => type.type));
const unit = () => view.profile.header.types[view.type]?.unit ?? 'count';

/* The sum of BOX on one side, and its share of all. */
function sumOf(box, of = side()) {
  return box.pane.chart.total(box.a, box.b, of);
}

/* The sum of all boxes on one side.  In the order of time negative values are dropped from streaks,
 * not from stacks. */
function allOf(of) {
  return view.mode === 'time' ? view.panes.reduce((sum, pane) => sum + sumOf(pane.root, of), 0) : view.all[of];
}

function shareOf(box, of = side()) {
  return allOf(of) ? sumOf(box, of) / allOf(of) : 0;
}

const changeOf = box => shareOf(box, 1) - shareOf(box, 0);

/* --- from the state to the picture --- */

const MODES = {calls: 'Calls', callers: 'Callers (inverted)', sandwich: 'Sandwich', time: 'Order of time'};

/* The charts of each mode; null if the profile has none. */
const CHARTS = {
  calls: profile => [profile.isRefined ? refinedChart(profile) : callsChart(profile)],
  callers: profile => [callersChart(profile)],
  sandwich(profile) {
    const name = profile.names.indexOf(view.state.sandwich);
    const title = visible(view.state.sandwich);
    return name < 0 ? null : sandwichCharts(profile, name).map(chart => Object.assign(chart, {title}));
  },
  time: profile => view.sums.streaks ? laneCharts(profile) : null,
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
  for (const chart of charts)
    chart.weigh(view.mode === 'time' ? view.sums.streaks : view.sums.stacks, side());
  const hasWidth = charts.filter(chart => chart.width > 0), whole = Math.max(0, ...charts.map(chart => chart.width));
  view.panes = (view.mode === 'time' && hasWidth.length ? hasWidth : charts).map(chart => new Pane(chart, whole));
  view.isTested = view.profile.header.sides === 2 && isTested();
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

/* The pane that is zoomed; others show everything, but lanes the same time. */
const zoomedPane = () => view.panes[Number(view.state.pane)] ?? view.panes[0];

/* Makes RANGE of PANE visible, which is that of the box ZOOMED, or of none. */
function setRange(pane, range, zoomed = null) {
  view.zoomed = zoomed;
  for (const other of view.panes)
    other.range = other === pane || view.mode === 'time' ? range : [0, other.whole];
}

function zoom() {
  const {zoom, at} = view.state, pane = zoomedPane(), {whole, chart: {x}} = pane, path = zoom.split(';');
  let range = [0, whole], zoomed = null;
  const [low, high] = /^(.*[^e])-(.*)$/i.exec(at)?.slice(1).map(Number) ?? []; /* a "-" behind an e is of a number */
  if (zoom) {
    const box = findPath(pane.chart, zoom);
    range = [x[box.a], x[box.b]];
    zoomed = {...box, pane, isThin: false};
    if (box.depth < path.length - 1)
      view.gone.push(`${shortText(path[box.depth + 1])} is not here, or has no width`);
  } else if (high > low) {
    range = [Math.max(0, low) * whole, Math.min(1, high) * whole];
  }
  setRange(pane, range, zoomed);
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
    view.found = search(view.profile, findFrames(view.profile, text, isExact ? '' : 'i'));
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
  const isRefined = isNew(...REFINEMENTS), hasData = isRefined || isNew('type', 'source', 'label', 'time');
  const hasCharts = hasData || isNew('mode', 'sandwich', 'by');
  const isZoomed = hasCharts || isNew('zoom', 'at', 'pane');
  if (isRefined)
    setRefined(refined(view.source, state));
  if (hasData) {
    view.type = Math.max(0, state.type ? typeNames().indexOf(state.type) : view.profile.header.shown);
    view.sums = sumChosen(view.profile, view.type, state, view.keeps);
    view.all = view.sums.stacks.map(sumOfAll);
    view.functions = null;
    view.byType = [];
  }
  if (hasCharts)
    makePanes();
  if (isZoomed) {
    view.gone = goneChoices(state);
    zoom();
  }
  if (isNew('search', 'case'))
    find();
  if (isNew('colors'))
    view.colours = [];
  if (hasCharts)
    view.selected = null;
  if (isZoomed)
    forget();
  view.shown = state;
  view.lastUpdate = performance.now() - began;
  applyTheme();
  showControls();
  showPanel(hasCharts);
  layOutPanes(hasCharts || isNew('layout'));
  if (isZoomed && (state.zoom || state.at))
    reveal(innerBox());
  showNotice();
  showStatus();
  showMatches();
}

function setRefined({profile, keeps, faults}) {
  Object.assign(view, {profile, keeps, refineFaults: faults});
}

/* A part of an address, to be read. */
const shortText = text => visible(decodeText(text)).slice(0, 200);

/* What STATE chooses and the profile does not have, in words: an address may be of another one. */
function goneChoices(state) {
  const {names, sets, header: {sources}} = view.profile, gone = [];
  const sourceNames = numberedNames(sources.map(source => source.name));
  const note = (wanted, has, what) => wanted.filter(text => text && !has(text))
    .forEach(text => gone.push(`there is no ${what} ${shortText(text)}`));
  note([state.type], type => typeNames().includes(type), 'type');
  note(state.source, source => sourceNames.includes(source), 'source');
  note(state.label, label => sets.some(set => set.some(pair => labelText(pair) === label)), 'label');
  note([state.sandwich], name => names.includes(name), 'function');
  if (state.mode !== view.mode && !state.sandwich)
    note([state.mode], () => false, 'view');
  return gone;
}

/* Forgets the selected box if it is out of sight, or was drawn together with others. */
function forget() {
  const box = view.selected;
  if (!box)
    return;
  const {chart: {x}, range: [low, high]} = box.pane;
  if (box.isThin || x[box.b] <= low || x[box.a] >= high)
    view.selected = null;
}

/* The sums of functions on each side, computed on first use. */
function functionSums() {
  const {frameName, names} = view.profile;
  view.functions ??= view.sums.stacks.map(stacks => sumGroups(view.profile, stacks, frameName, names.length));
  return view.functions;
}

const TYPES_MOST = 4; /* that have columns beside each other */

/* The types with a column: the one that is drawn, then others. */
function columnTypes() {
  const all = view.profile.header.types.map((_, type) => type);
  return [...all.slice(view.type, view.type + 1), ...all.filter(type => type !== view.type)].slice(0, TYPES_MOST);
}

/* The sums of TYPE as those of the shown one (view.sums), computed on first use. */
function sumsOfType(type) {
  view.byType[view.type] = view.sums;
  return view.byType[type] ??= sumChosen(view.profile, type, view.state, view.keeps);
}

/* The sum of BOX of TYPE. */
function sumByType({pane: {chart}, a, b}, type) {
  const {stacks, streaks} = sumsOfType(type), values = (view.mode === 'time' ? streaks : stacks)[side()];
  let sum = 0;
  for (let i = a; i < b; i++)
    sum += values[chart.number(i)];
  return sum;
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

/* A wheel that has just turned is not in the state yet. */
function zoomOutToAll() {
  const pane = zoomedPane();
  setRange(pane, [0, pane.whole]);
  change(UNZOOMED, true);
}

const paneNumber = pane => String(view.panes.indexOf(pane) || '');

function zoomRange(pane, low, high) {
  const {whole} = pane, isAll = low <= 0 && high >= whole;
  /* with all digits: at high zoom the ends differ only in the last ones */
  change(isAll ? {...UNZOOMED} : {zoom: '', at: `${low / whole}-${high / whole}`, pane: paneNumber(pane)}, true);
}

/* The innermost box that covers the visible part of PANE, and is wider than that if ISWIDER. */
function coveringBox(pane, isWider) {
  const {chart, range: [low, high]} = pane, {x} = chart, slack = (high - low) * 1e-9;
  let box = pane.root;
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
    box = {pane, a, b, depth, isThin: false};
  }
  return box;
}

/* The zoomed box or, where none is, the innermost one that covers what is visible. */
const innerBox = () => view.zoomed ?? coveringBox(zoomedPane());

const zoomOut = () => zoomTo(coveringBox(zoomedPane(), true));

const isSame = (p, q) => p === q || Boolean(p && q && p.pane === q.pane && p.a === q.a && p.depth === q.depth);

/* --- layout of the panes on the canvas --- */

/* Gives each pane its rows.  A flame stands on the last row of the window, below blank ones.  In a
 * sandwich the function is between its callers and its callees, both with a row for their heading. */
function placePanes() {
  const size = pane => pane.pieces.rows.length;
  if (view.mode === 'sandwich') {
    const [callers, callees] = view.panes, above = Math.max(1, size(callers));
    Object.assign(callers, {origin: above - 1, step: -1, first: 1});
    Object.assign(callees, {origin: above, gap: 1, first: 0});
    view.rows = above + 1 + size(callees);
    view.blank = 0;
    return;
  }
  const step = isUpright() ? -1 : 1, needed = view.panes.reduce((sum, pane) => sum + size(pane) + 1, 0);
  let row = view.blank = step < 0 ? Math.max(0, Math.floor(view.height / view.rowHeight) - needed) : 0;
  for (const pane of view.panes) {
    Object.assign(pane, {origin: step < 0 ? row + size(pane) - 1 : row + 1, step});
    row += size(pane) + 1;
  }
  view.rows = row;
}

/* The row of DEPTH in PANE, from the top. */
const rowOf = (pane, depth) => pane.origin + pane.step * (depth > 0 ? depth + pane.gap : depth);

/* The reverse: the depth of PANE in ROW, or the one before it in a row without. */
function depthAt(pane, row) {
  const rows = (row - pane.origin) * pane.step;
  return rows > 0 ? Math.max(0, rows - pane.gap) : rows;
}

function boxAt(pixelX, pixelY) {
  const row = Math.floor(pixelY / view.rowHeight);
  for (const pane of view.panes) {
    const depth = depthAt(pane, row), {pieces, chart} = pane, x = pane.position(pixelX);
    if (depth < pane.first || rowOf(pane, depth) !== row)
      continue;
    let found = depth < 0 && chart.n > 0 ? pane.root : null;
    if (depth < pieces.rows.length)
      pieces.each(k => {
        if (chart.x[pieces.a[k]] <= x && x < chart.x[pieces.b[k]])
          found = pane.box(k, depth);
      }, depth, depth);
    if (found)
      return found;
  }
  return null;
}
