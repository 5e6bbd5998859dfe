/* The state of the page, as the address has it after "#"; names and paths are readable there. */

const NOTHING = {mode: 'calls', layout: 'flame', sandwich: '', type: '', by: '', source: [], label: [], time: '', focus: '',
  ignore: '', hide: '', zoom: '', at: '', pane: '', search: '', case: '', colors: '', theme: '', panel: ''};

/* TEXT escaped for use where ; , & = have a meaning.  Lone surrogates, which may be typed,
 * cannot be encoded. */
function encode(text) {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replace(/%(3A|2F|40|24)/g, decodeURIComponent);
}

function decodeText(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; /* written by hand, with a % that means itself */
  }
}

/* Numbers equal names: "f", then "f,2". */
function numbered(name, count) {
  return encode(name) + (count > 1 ? ',' + count : '');
}

/* The state in FRAGMENT; FIRST has the defaults. */
function parseFragment(fragment, first) {
  const state = structuredClone(first), seen = new Set();
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const [key, ...rest] = part.split('='), value = rest.join('=');
    if (!Object.hasOwn(NOTHING, key))
      continue;
    if (!Array.isArray(NOTHING[key]))
      state[key] = key === 'zoom' ? value : decodeText(value);
    else if (seen.has(key))
      state[key].push(value);
    else
      state[key] = value ? [value] : [];
    seen.add(key);
  }
  if (state.sandwich)
    state.mode = 'sandwich';
  return state;
}

/* The fragment for STATE: what differs from FIRST. */
function makeFragment(state, first) {
  const parts = [];
  for (const key of Object.keys(NOTHING)) {
    if (String(state[key]) === String(first[key]) || (key === 'mode' && state.sandwich))
      continue;
    const texts = [state[key]].flat();
    for (const text of texts.length ? texts : [''])
      parts.push(`${key}=${key === 'zoom' || Array.isArray(state[key]) ? text : encode(text)}`);
  }
  return parts.join('&');
}

/* The state for VIEW of the header, which uses the same keys. */
function firstState(view = {}) {
  const state = structuredClone(NOTHING);
  for (const [key, value] of Object.entries(view))
    if (Object.hasOwn(NOTHING, key))
      state[key] = Array.isArray(NOTHING[key]) ? [value].flat() : String(value);
  return state;
}

/* --- the path of a box, by names from the outermost on --- */

/* How many children of the box [A, B), up to the one at START, have the same name as that one;
 * it is at DEPTH. */
function countOfName(chart, a, b, start, depth) {
  const {frameName} = chart.profile, name = frameName[chart.frame(start, depth)];
  let count = 0;
  chart.eachChild(a, b, depth, (i, end, hasBox) => {
    count += hasBox && frameName[chart.frame(i, depth)] === name;
    return i === start;
  });
  return count;
}

function pathOf(chart, item, depth) {
  const parts = [], {names, frameName} = chart.profile;
  for (let d = 0, a = 0, b = chart.n; d <= depth; d++) {
    chart.split(a, b, d);
    const start = chart.start(item, d), name = names[frameName[chart.frame(item, d)]];
    parts.push(numbered(name, countOfName(chart, a, b, start, d)));
    [a, b] = [start, chart.end(start, d)];
  }
  return parts.join(';');
}

/* The box at the end of PATH, or the last one on it that exists and has a width. */
function findPath(chart, path) {
  const {names, frameName} = chart.profile;
  let box = {a: 0, b: chart.n, depth: -1};
  for (const part of path ? path.split(';') : []) {
    const [text, number] = part.split(','), name = decodeText(text), depth = box.depth + 1;
    let count = 0, found = null;
    chart.eachChild(box.a, box.b, depth, (a, b, hasBox) => {
      const isNamed = hasBox && names[frameName[chart.frame(a, depth)]] === name;
      if (isNamed && ++count === Number(number ?? 1))
        found = {a, b, depth};
      return found;
    });
    if (!found || chart.x[found.b] <= chart.x[found.a])
      break;
    box = found;
  }
  return box;
}
