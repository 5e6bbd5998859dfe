/* Input: pointers, the wheel and keys on the picture. */

const MOVED = 4; /* pixels: a pointer that went further has dragged, and does not click */

/* Zooms PANE by FACTOR around PIXEL, or moves it by DISTANCE pixels; the address is updated when
 * that has ended. */
function moveRange(pane, pixel, factor, distance = 0) {
  const {width} = pane.chart, least = width * 1e-12, around = pane.position(pixel);
  let [low, high] = pane.range.map(x => around + (x - around) * factor);
  const shift = distance * (high - low) / view.width;
  const size = Math.max(least, Math.min(width, high - low));
  low = Math.max(0, Math.min(width - size, low + shift));
  pane.range = [low, low + size];
  for (const other of view.panes)
    if (other !== pane)
      other.range = [0, other.chart.width];
  layOutPanes(false);
  showStatus();
  clearTimeout(view.moving);
  view.moving = setTimeout(() => zoomRange(pane, ...pane.range), 250);
}

function paneAt(pixelY) {
  const row = Math.floor(pixelY / view.rowHeight);
  return view.panes.find(pane => depthAt(pane, row) >= firstDepth(pane)) ?? view.panes[0];
}

function point(event) {
  const place = ui.graph.getBoundingClientRect();
  return {x: event.clientX - place.left, y: event.clientY - place.top + ui.graph.scrollTop};
}

function hover(box) {
  if (isSame(box, view.hovered))
    return;
  view.hovered = box;
  ui.graph.classList.toggle('points', Boolean(box));
  showStatus();
  paintPointers();
}

const pointers = new Map(); /* those that are down, by id: where they were */
let drag = null;

function pointerDown(event) {
  if (event.button > 0)
    return;
  ui.graph.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, point(event));
  drag = {from: point(event), hasMoved: pointers.size > 1};
}

function pointerMove(event) {
  const at = point(event), before = pointers.get(event.pointerId);
  if (!before)
    return hover(boxAt(at.x, at.y));
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  const pane = paneAt(drag.from.y);
  if (other) {
    const size = (p, q) => Math.max(20, Math.abs(p.x - q.x));
    moveRange(pane, (at.x + other.x) / 2, size(before, other) / size(at, other));
  } else if (drag.hasMoved || Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > MOVED) {
    drag.hasMoved = true;
    if (at.x !== before.x)
      moveRange(pane, at.x, 1, before.x - at.x);
    ui.graph.scrollTop += before.y - at.y;
  }
  pointers.set(event.pointerId, point(event));
}

/* A click zooms and selects.  Touch, which has no hover, selects first. */
function pointerUp(event) {
  if (!pointers.delete(event.pointerId) || drag.hasMoved || event.type === 'pointercancel')
    return;
  const box = boxAt(drag.from.x, drag.from.y), isAgain = isSame(box, view.selected);
  select(box);
  if (box && (event.pointerType !== 'touch' || isAgain))
    zoomTo(box);
}

function wheel(event) {
  event.preventDefault();
  const at = point(event), pane = paneAt(at.y), step = [1, 20, view.height][event.deltaMode]; /* pixels, lines, pages */
  if (event.shiftKey)
    ui.graph.scrollTop += (event.deltaY || event.deltaX) * step;
  else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
    moveRange(pane, at.x, 1, event.deltaX * step);
  else
    moveRange(pane, at.x, Math.exp(event.deltaY * step * (event.ctrlKey ? 0.01 : 0.002)));
}

/* --- keys --- */

/* The piece of PANE at DEPTH for which BELONGS is true, the widest of several. */
function widest(pane, depth, belongs) {
  const {pieces, chart: {x}} = pane;
  let found = null, most = 0;
  if (depth >= firstDepth(pane) && depth < pieces.rows.length)
    pieces.each(k => {
      const width = x[pieces.b[k]] - x[pieces.a[k]];
      if (width > most && belongs(pieces.a[k], pieces.b[k])) {
        found = pane.box(k, depth);
        most = width;
      }
    }, depth, depth);
  return found;
}

/* The piece next to BOX on its row. */
function beside({pane, a, depth}, step) {
  const {pieces} = pane;
  let found = null;
  pieces.each(k => {
    if (step > 0 ? pieces.a[k] > a && !found : pieces.a[k] < a)
      found = pane.box(k, depth);
  }, depth, depth);
  return found;
}

/* Moves to a neighbour of the selected box: OUT to its parent, IN to its widest child, otherwise
 * sideways. */
function go(where) {
  const now = view.selected;
  if (!now) {
    const covering = coveringBox(zoomedPane()), pane = view.panes[view.panes.length - 1];
    return select(covering.depth >= 0 ? {...covering, isThin: false} : widest(pane, firstDepth(pane), () => true));
  }
  const {pane, depth, a, b} = now;
  const found = {
    out: () => widest(pane, depth - 1, (from, to) => from <= a && a < to),
    in: () => widest(pane, depth + 1, (from, to) => from < b && to > a),
    left: () => beside(now, -1),
    right: () => beside(now, 1),
  }[where]();
  if (found)
    select(found);
}

/* Closes all menus but one; returns whether any were open. */
function closeMenus(but) {
  const open = [...document.querySelectorAll('.menu[open]')].filter(menu => menu !== but);
  for (const menu of open)
    menu.open = false;
  return open.length > 0;
}

const scrollPage = pages => { ui.graph.scrollTop += pages * 0.9 * view.height; };
const zoomStep = factor => moveRange(zoomedPane(), view.width / 2, factor);
const toggleMode = mode => chooseMode(view.mode === mode ? 'calls' : mode);
const togglePanel = panel => change({panel: view.state.panel === panel ? '' : panel});

/* Moves up or down on the screen. */
function goUpOrDown(step) {
  const pane = view.selected?.pane ?? view.panes[view.panes.length - 1];
  go(rowOf(pane, 1) - rowOf(pane, 0) === step ? 'in' : 'out');
}

const GRAPH_KEYS = {
  ArrowDown: () => goUpOrDown(1),
  ArrowUp: () => goUpOrDown(-1),
  ArrowLeft: () => go('left'),
  ArrowRight: () => go('right'),
  Enter: () => view.selected && zoomTo(view.selected),
  PageDown: () => scrollPage(1),
  PageUp: () => scrollPage(-1),
};

const PAGE_KEYS = {
  Escape: zoomOut,
  0: zoomOutToAll,
  '+': () => zoomStep(0.5),
  '-': () => zoomStep(2),
  '/': () => ui.search.select(),
  n: () => nextMatch(1),
  N: () => nextMatch(-1),
  i: () => change({layout: view.state.layout === 'icicle' ? 'flame' : 'icicle'}),
  c: () => toggleMode('callers'),
  s: () => toggleMode('sandwich'),
  t: () => view.sums.runs && toggleMode('time'),
  d: () => togglePanel('details'),
};

function keyDown(event) {
  if (event.key === 'Escape' && closeMenus())
    return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select, [role=tree]'))
    return;
  const keys = event.target === ui.graph && Object.hasOwn(GRAPH_KEYS, event.key) ? GRAPH_KEYS : PAGE_KEYS;
  if (!Object.hasOwn(keys, event.key))
    return;
  event.preventDefault();
  keys[event.key]();
}

function listen() {
  const {graph} = ui;
  graph.addEventListener('pointerdown', pointerDown);
  graph.addEventListener('pointermove', pointerMove);
  graph.addEventListener('pointerup', pointerUp);
  graph.addEventListener('pointercancel', pointerUp);
  graph.addEventListener('pointerleave', () => hover(null));
  graph.addEventListener('wheel', wheel, {passive: false});
  graph.addEventListener('contextmenu', event => {
    const at = point(event), box = boxAt(at.x, at.y);
    if (box) {
      event.preventDefault();
      select(box);
      change({panel: 'details'});
    }
  });
  graph.addEventListener('scroll', () => {
    view.top = graph.scrollTop;
    repaint();
  });
  addEventListener('keydown', keyDown);
  addEventListener('pointerdown', event => closeMenus(event.target.closest('.menu')));
  addEventListener('hashchange', () => {
    const state = parseFragment(location.hash, view.first);
    if (makeFragment(state, view.first) !== makeFragment(view.state, view.first))
      show(state);
  });
  new ResizeObserver(() => layOutPanes(false)).observe(graph);
  addEventListener('beforeprint', () => setPrinting(true));
  addEventListener('afterprint', () => setPrinting(false));
  matchMedia('print').addEventListener('change', event => setPrinting(event.matches));
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)'])
    matchMedia(query).addEventListener('change', () => {
      showControls();
      layOutPanes(false);
    });
  listenToResolution();
}

/* A media query fires once, when the resolution leaves the one it names: each change needs a new
 * query. */
function listenToResolution() {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', () => {
    layOutPanes(false);
    listenToResolution();
  }, {once: true});
}
