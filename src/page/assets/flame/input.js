/* Input: pointers, the wheel and keys on the picture. */

const MOVED = 4; /* pixels: a pointer that went further has dragged, and does not click */

/* Zooms PANE by FACTOR around PIXEL, or moves it by DISTANCE pixels; the address is updated when
 * that has ended. */
function moveRange(pane, pixel, factor, distance = 0) {
  const {whole} = pane, least = whole * 1e-12, around = pane.position(pixel);
  let [low, high] = pane.range.map(x => around + (x - around) * factor);
  const shift = distance * (high - low) / view.width;
  const size = Math.max(least, Math.min(whole, high - low));
  low = Math.max(0, Math.min(whole - size, low + shift));
  setRange(pane, [low, low + size]);
  forget();
  layOutPanes(false);
  showStatus();
  clearTimeout(view.moving);
  view.moving = setTimeout(() => zoomRange(pane, ...pane.range), 250);
}

function paneAt(pixelY) {
  const row = Math.floor(pixelY / view.rowHeight);
  return view.panes.find(pane => depthAt(pane, row) >= pane.first) ?? view.panes[0];
}

/* The place of EVENT on the part of the picture that is in sight. */
function placeOf(event) {
  const {left, top} = ui.graph.getBoundingClientRect();
  return {x: event.clientX - left, y: event.clientY - top};
}

function point(event) {
  const {x, y} = placeOf(event);
  return {x, y: y + ui.graph.scrollTop};
}

/* The pointer is over PLACE in the window, of the picture that is in sight; null: nowhere, or a key
 * was the last input. */
function hover(place) {
  view.pointer = place;
  const had = view.hovered, box = rehover();
  showTip();
  if (!isSame(box, had))
    showStatus();
  if (!isSame(box, had) || view.mode === 'time')
    paintPointers();
}

/* Finds the box under the pointer, which may rest while the picture moves. */
function rehover() {
  const {pointer} = view;
  view.hovered = pointer && boxAt(pointer.x, pointer.y + ui.graph.scrollTop);
  ui.graph.classList.toggle('points', Boolean(view.hovered));
  return view.hovered;
}

const pointers = new Map(); /* those that are down, by id: where they were */
let drag = null, rest = {}; /* where the pointer was last */

function pointerDown(event) {
  if (event.button > 0)
    return;
  ui.graph.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, point(event));
  drag = {from: point(event), hasMoved: pointers.size > 1};
}

function pointerMove(event) {
  const at = point(event), before = pointers.get(event.pointerId);
  if (!before) {
    const {clientX: x, clientY: y} = event;
    if (x !== rest.x || y !== rest.y) /* else the picture has moved below it */
      hover(placeOf(event));
    rest = {x, y};
    return;
  }
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  const pane = paneAt(drag.from.y);
  if (other) {
    const size = (p, q) => Math.max(20, Math.abs(p.x - q.x));
    moveRange(pane, (at.x + other.x) / 2, size(before, other) / size(at, other));
  } else if (drag.hasMoved || Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > MOVED) {
    drag.hasMoved = true;
    hover(null);
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

/* The pixels of a unit in which EVENT tells how far the wheel was turned: pixels, lines, pages. */
const wheelStep = event => [1, 20, view.height][event.deltaMode];

/* The wheel scrolls, as the browser does by itself; with Ctrl or ⌘ it zooms, and so do two fingers
 * on a touchpad, which browsers pass as Ctrl with small steps; sideways, or with Shift, it moves. */
function wheel(event) {
  const at = point(event), pane = paneAt(at.y), {deltaX, deltaY} = event, step = wheelStep(event);
  const isZoom = event.ctrlKey || event.metaKey, isSideways = event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
  if (!isZoom && !isSideways)
    return;
  event.preventDefault();
  if (isZoom)
    moveRange(pane, at.x, Math.exp(deltaY * step * (Math.abs(deltaY * step) < 30 ? 0.01 : 0.002)));
  else
    moveRange(pane, at.x, 1, (deltaX || deltaY) * step);
}

/* --- keys --- */

/* The piece of PANE at DEPTH for which BELONGS is true, the widest of several. */
function widest(pane, depth, belongs) {
  const {pieces, chart: {x}} = pane;
  let found = null, most = 0;
  if (depth < 0 && pane.first < 0)
    return pane.root;
  if (depth >= pane.first && depth < pieces.rows.length)
    pieces.each(k => {
      const width = x[pieces.b[k]] - x[pieces.a[k]];
      if (width > most && belongs(pieces.a[k], pieces.b[k])) {
        found = pane.box(k, depth);
        most = width;
      }
    }, depth, depth);
  return found;
}

/* The piece next to BOX on its row; of all of a lane, all of the next one. */
function beside({pane, a, depth}, step) {
  const {pieces} = pane;
  let found = depth < 0 ? view.panes[view.panes.indexOf(pane) + step]?.root : null;
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
    const inner = innerBox(), isStart = inner.depth >= 0 && view.mode !== 'sandwich';
    return select(isStart ? inner : widest(view.panes[view.panes.length - 1], 0, () => true));
  }
  const {pane, depth, a, b} = now;
  if (view.mode === 'sandwich' && where === 'out' && depth <= 1 && depth === pane.first)
    return select(acrossSandwich(pane) ?? now);
  const found = {
    out: () => widest(pane, depth - 1, (from, to) => from <= a && a < to),
    in: () => widest(pane, depth + 1, (from, to) => from < b && to > a),
    left: () => beside(now, -1),
    right: () => beside(now, 1),
  }[where]();
  if (found)
    select(found);
}

/* From the callers of a sandwich, PANE, to its function, and from that to the widest caller. */
function acrossSandwich(pane) {
  const [callers, callees] = view.panes;
  return pane === callers ? widest(callees, 0, () => true) : widest(callers, 1, () => true);
}

const scrollPage = pages => { ui.graph.scrollTop += pages * 0.9 * view.height; };
const zoomStep = factor => moveRange(zoomedPane(), view.width / 2, factor);
const toggleMode = mode => chooseMode(view.mode === mode ? 'calls' : mode);
const togglePanel = panel => change({panel: view.state.panel === panel ? '' : panel});

/* Moves up or down on the screen. */
function goUpOrDown(step) {
  const pane = view.selected?.pane ?? view.panes[view.panes.length - 1];
  go(pane.step === step ? 'in' : 'out');
}

const GRAPH_KEYS = {
  ArrowDown: () => goUpOrDown(1),
  ArrowUp: () => goUpOrDown(-1),
  ArrowLeft: () => go('left'),
  ArrowRight: () => go('right'),
  Enter: () => view.selected && zoomTo(view.selected),
  PageDown: () => scrollPage(1),
  PageUp: () => scrollPage(-1),
  Home: () => { ui.graph.scrollTop = 0; },
  End: () => { ui.graph.scrollTop = ui.graph.scrollHeight; },
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
  t: () => view.sums.streaks && toggleMode('time'),
  r: toggleTime,
  d: () => togglePanel('details'),
  m: openSelected,
};

/* Ctrl+F searches here and, where the search has the focus already, in the whole page. */
function findKey(event) {
  const isKey = event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (!isKey || document.activeElement === ui.search)
    return false;
  event.preventDefault();
  ui.search.select();
  return true;
}

function keyDown(event) {
  if (findKey(event) || (event.key === 'Escape' && closeMenus()))
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
  listenToMap();
  listenToRuler();
  graph.addEventListener('wheel', wheel, {passive: false});
  graph.addEventListener('contextmenu', contextMenu);
  graph.addEventListener('scroll', () => {
    noteScroll();
    frameMap();
    hover(view.pointer);
    repaint();
  });
  addEventListener('keydown', keyDown);
  addEventListener('pointerdown', event => closeMenus(event.target.closest('.menu, .popup')));
  addEventListener('resize', () => document.querySelectorAll('.menu').forEach(placeMenu));
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
