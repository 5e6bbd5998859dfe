/* Text beside the picture: the line about the box under the pointer, the panel of details, the
 * table of functions. */

/* Creates an element with properties, listeners (onEVENT) and children; strings become text,
 * never markup.  Pass many children as an array: a call has a limited number of arguments. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties))
    if (typeof value === 'function')
      element.addEventListener(key.slice('on'.length), value);
    else if (key in element)
      element[key] = value;
    else
      element.setAttribute(key, value);
  for (const child of children.flat())
    element.append(child);
  return element;
}

const button = (text, onclick, properties = {}) => make('button', {type: 'button', onclick, ...properties}, text);

/* The share of BOX in the visible part. */
function shareOfZoom(box) {
  const {chart: {x}, range: [low, high]} = box.pane;
  return Math.max(0, Math.min(x[box.b], high) - Math.max(x[box.a], low)) / (high - low);
}

/* The facts about BOX: pairs of name and value. */
function factsOf(box) {
  const {chart} = box.pane, {header} = view.profile, facts = [], both = header.sides === 2;
  if (view.mode !== 'callers' && !(view.mode === 'sandwich' && box.pane === view.panes[0]) && hasFrame(box))
    facts.push(['self', scaled(chart.self(box.a, box.b, box.depth, side()), unit())]);
  facts.push(['total', scaled(sumOf(box), unit())]);
  if (both)
    facts.push(['new', percent(shareOf(box, 1))], ['base', percent(shareOf(box, 0))],
      ['change', points(changeOf(box)) + significance(box)]);
  else
    facts.push(['of all', percent(shareOf(box))]);
  const [low, high] = box.pane.range, isZoomed = high - low < box.pane.whole;
  facts.push([view.mode === 'sandwich' && !isZoomed ? 'of function' : 'of zoom', percent(shareOfZoom(box))]);
  if (view.mode === 'time' && view.pointer && box === view.hovered)
    facts.push(['at', pointerText(box.pane)]);
  return facts;
}

function significance(box) {
  const words = {[UNTESTED]: '', [NOISE]: ', function: not significant', [SIGNIFICANT]: ', function: significant'};
  return words[hasFrame(box) ? testOf(frameOfBox(box)) : UNTESTED];
}

function titleOf(box) {
  if (box.depth < 0)
    return box.pane.chart.title ?? 'all';
  return box.isThin ? 'Boxes too thin to be drawn one by one' : visible(frameName(frameOfBox(box))) + lineOf(frameOfBox(box));
}

/* The line below the picture: about the box under the pointer or, after a key, the selected one,
 * otherwise the zoomed one. */
function showStatus() {
  const box = view.hovered ?? view.selected ?? view.zoomed ?? coveringBox(zoomedPane(), true);
  const words = factsOf(box).map(fact => fact.join(' '));
  if (box.depth >= 0)
    words.push(box.isThin ? 'click to zoom' : framePlace(frameOfBox(box)));
  const text = words.filter(Boolean).join(' · ');
  ui.status.replaceChildren(make('b', {}, make('bdi', {}, titleOf(box).slice(0, 500))), make('span', {}, text));
}

const factsText = box => factsOf(box).map(fact => fact.join(' ')).join(' · ');
const tipOf = box => `${titleOf(box)}: ${factsText(box)}`;

/* The tooltip, beside the pointer and inside the window. */
function showTip() {
  const {hovered: box, pointer} = view;
  ui.tip.hidden = !box || pointers.size > 0;
  if (ui.tip.hidden)
    return;
  ui.tip.replaceChildren(make('b', {}, make('bdi', {}, titleOf(box).slice(0, 300))), make('span', {}, factsText(box)));
  const {left, top} = ui.graph.getBoundingClientRect();
  placeAt(ui.tip, left + pointer.x + 12, top + pointer.y + 16, top + pointer.y - 8);
}

/* Places ELEMENT at X, Y in the window, as far inside as it has to be; where it has no room below
 * Y, above UP. */
function placeAt(element, x, y, up) {
  const {style} = element;
  style.left = style.top = 0; /* for its size not to hang on where it was */
  const {width, height} = element.getBoundingClientRect();
  style.left = Math.max(4, Math.min(x, innerWidth - width - 4)) + 'px';
  style.top = (y + height < innerHeight - 4 ? y : Math.max(4, up - height)) + 'px';
}

/* The sum that the picture is as wide as: of a sandwich that of its function. */
const shownSum = () => view.mode === 'sandwich' ? sumOf(view.panes[0].root) : allOf(side());

/* What of an address has no effect here. */
function showNotice() {
  const text = view.gone.length ? `Of this link: ${view.gone.join('; ')}` : view.refineFaults.join('; ');
  if (ui.notice.textContent !== text)
    ui.notice.textContent = text;
}

/* The share of matches, in the zoomed part and in all. */
function showMatches() {
  const {found, fault} = view;
  ui.search.setAttribute('aria-invalid', Boolean(fault));
  if (!found) {
    ui.matched.textContent = fault;
    return;
  }
  const panes = view.mode === 'time' ? view.panes : [zoomedPane()], all = {self: 0, total: 0}, zoomed = {self: 0, total: 0};
  let size = 0;
  const add = (sums, {self, total}) => {
    sums.self += self;
    sums.total += total;
  };
  for (const {chart, range: [low, high]} of panes) {
    const a = chart.itemAt(low), b = chart.n ? chart.itemAt(high * (1 - 1e-12)) + 1 : 0;
    const whole = sumFound(chart, found, 0, chart.n, side());
    add(all, whole);
    add(zoomed, b - a < chart.n ? sumFound(chart, found, a, b, side()) : whole);
    size += chart.total(a, b, side());
  }
  view.matched = {zoomed, all, size};
  const shares = (sums, whole) => `total ${percent(sums.total / whole)}, self ${percent(sums.self / whole)}`;
  const {range, whole} = panes[0], isZoomed = range[0] > 0 || range[1] < whole;
  ui.matched.textContent = `${found.names} name${found.names === 1 ? '' : 's'}: ${shares(all, shownSum())}` +
    (isZoomed && size ? `; of zoom: ${shares(zoomed, size)}` : '');
}

/* Selects BOX, and announces it to screen readers if ISTOLD. */
function select(box, isTold = true) {
  view.selected = box;
  hover(null);
  if (box) {
    reveal(box);
    const facts = factsOf(box).map(fact => fact.join(' '));
    if (isTold)
      ui.live.textContent = [titleOf(box), `level ${box.depth + 1}`, ...facts].join(', ');
  }
  showStatus();
  showPanel(false);
  repaint();
}

/* --- the panel --- */

const PANELS = {details: ['Details', showDetails], functions: ['Functions', showFunctions], tree: ['Tree', showTree]};

/* Fills the panel that the state selects; parts that do not depend on the selection are rebuilt
 * only if ISNEW. */
function showPanel(isNew) {
  const {panel} = view.state, wanted = Object.hasOwn(PANELS, panel) ? panel : '';
  ui.panel.hidden = !wanted;
  const isOther = ui.panel.dataset.shows !== wanted;
  ui.panel.dataset.shows = wanted;
  if (wanted && (isNew || isOther || wanted === 'details' || wanted === 'source')) {
    ui.panel.setAttribute('aria-label', PANELS[wanted][0]);
    PANELS[wanted][1](isNew || isOther);
  }
}

/* The names of the frames between BOX and the root of its chart, the outermost first. */
function pathNames(box) {
  const {chart} = box.pane;
  const names = Array.from({length: box.depth + 1}, (_, depth) => frameName(chart.frame(box.a, depth)));
  return chart.step === -1 ? names.reverse() : names;
}

function copier(what, text) {
  return button(`Copy ${what}`, async ({target}) => {
    try {
      await navigator.clipboard.writeText(text);
      target.textContent = `Copied ${what}`;
    } catch {
      target.textContent = 'This browser lets nothing be copied: select the text';
    }
  });
}

/* Details of the selected box or, where none is, of what a link shows: the zoomed one, or the function
 * of a sandwich. */
function showDetails() {
  const box = view.selected ?? view.zoomed ?? (view.mode === 'sandwich' && childBoxes(view.panes[1].root)[0]);
  if (!box) {
    const hint = 'Nothing is selected: click a box, or go to one with the arrow keys.';
    return ui.panel.replaceChildren(make('p', {className: 'faint'}, hint));
  }
  const facts = [...factsOf(box), ['exactly', exact(sumOf(box), unit())]];
  const buttons = actionsOf(box).map(([text, title, act]) => button(text, act, {title})), rest = [];
  if (hasFrame(box)) {
    const name = frameName(frameOfBox(box)), path = pathNames(box), folded = foldedLine(path, sumOf(box));
    facts.push(...functionFacts(frameOfBox(box)));
    buttons.push(copier('name', name), copier('path', path.join('\n')), copier('folded line', folded));
    rest.push(make('h3', {}, 'Path'),
      make('ol', {className: 'path'}, path.map(part => make('li', {}, make('bdi', {}, visible(part))))),
      make('h3', {}, 'Folded'), make('p', {className: 'folded'}, make('bdi', {}, visible(folded))));
  }
  ui.panel.replaceChildren(make('h2', {}, make('bdi', {}, titleOf(box))),
    make('dl', {}, ...facts.flatMap(([what, much]) => [make('dt', {}, what), make('dd', {}, much)])),
    make('p', {className: 'buttons'}, ...buttons), ...rest);
}

/* The place of FRAME's function, and the sums of all its boxes. */
function functionFacts(frame) {
  const sums = functionSums()[side()], name = view.profile.frameName[frame], all = view.all[side()];
  const words = sum => `${scaled(sum, unit())}, ${percent(sum / all)}`, facts = [];
  if (framePlace(frame))
    facts.push(['at', framePlace(frame)]);
  return [...facts, ['function: self', words(sums.self[name])], ['function: total', words(sums.total[name])]];
}

/* The stack in the spelling of ndjson2folded. */
function foldedLine(path, sum) {
  return `${path.map(name => name.replace(/;/g, ':').replace(/[\0\n\r]/g, ' ')).join(';')} ${sum}`;
}

const escapeExpression = text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const showSandwich = name => change({mode: 'sandwich', sandwich: name, ...UNZOOMED}, true);

/* --- the table of functions --- */

const ROWS_MORE = 100, NAME_COLUMNS = 48;
const table = {sort: 'self', isUp: false, rows: ROWS_MORE};

/* The columns: heading, the number of a function to sort by, and the text. */
function tableColumns() {
  const sums = functionSums(), of = side(), columns = [];
  const share = (what, s, name) => view.all[s] ? sums[s][what][name] / view.all[s] : 0;
  for (const what of ['self', 'total']) {
    const title = what[0].toUpperCase() + what.slice(1);
    columns.push([what, title, name => sums[of][what][name], value => scaled(value, unit(), view.all[of])]);
    if (sums.length === 1)
      columns.push([what + '%', '%', name => share(what, 0, name), percent]);
    else
      columns.push([what + '%', 'Points', name => share(what, 1, name) - share(what, 0, name), signed]);
  }
  return columns;
}

function showFunctions(isNew) {
  if (isNew)
    table.rows = ROWS_MORE;
  const {names} = view.profile, columns = tableColumns();
  const rows = [...names.keys()].filter(name => columns.some(([, , number]) => number(name) !== 0));
  const by = columns.find(([key]) => key === table.sort)?.[2];
  const size = by && table.sort.endsWith('%') && view.profile.header.sides === 2 ? name => Math.abs(by(name)) : by;
  rows.sort(size ? (p, q) => size(q) - size(p) || p - q : (p, q) => names[p] < names[q] ? 1 : -1);
  if (table.isUp)
    rows.reverse();
  const headings = [...columns.map(([key, title]) => heading(key, title)), heading('name', 'Function')];
  const shown = rows.slice(0, table.rows), short = shortRows(shown);
  ui.panel.replaceChildren(make('h2', {}, 'Functions'),
    make('table', {}, make('thead', {}, make('tr', {}, ...headings)),
      make('tbody', {}, ...shown.map(name => functionRow(name, columns, short.get(name))))));
  if (rows.length > table.rows)
    ui.panel.append(button(`${ROWS_MORE} more of ${rows.length - table.rows}`, () => {
      table.rows += ROWS_MORE;
      showFunctions();
    }));
}

function heading(key, title) {
  const isSorted = table.sort === key, sort = () => {
    table.isUp = isSorted && !table.isUp;
    table.sort = key;
    showFunctions();
    ui.panel.querySelector('th[aria-sort] button').focus();
  };
  const label = key.endsWith('%') ? {'aria-label': `${title} of ${key.slice(0, -1)}`} : {};
  const cell = make('th', {scope: 'col', className: key === 'name' ? 'name' : ''}, button(title, sort, label));
  if (isSorted)
    cell.setAttribute('aria-sort', table.isUp ? 'ascending' : 'descending');
  return cell;
}

/* Short names of the functions NAMES, by number; the whole name of those that would look alike. */
function shortRows(names) {
  const counts = new Map(), short = new Map(names.map(name => [name, shortOf(name, NAME_COLUMNS)]));
  for (const text of short.values())
    counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const [name, text] of short)
    if (counts.get(text) > 1)
      short.set(name, visible(view.profile.names[name]));
  return short;
}

/* TEXT, of which SHORT is seen: the whole is found, copied and read aloud (look.css). */
function shortened(text, short) {
  return make('bdi', text === short ? {} : {className: 'short', 'data-short': short, title: text}, text);
}

/* Lights the boxes whose frames ISLIT while ROW is pointed at or has the focus. */
function lights(row, isLit) {
  for (const [event, lit] of [['pointerenter', isLit], ['pointerleave', null], ['focusin', isLit], ['focusout', null]])
    row.addEventListener(event, () => {
      view.lit = lit;
      repaint();
    });
  return row;
}

/* A row lights all boxes of the function; its name links to its callers and callees. */
function functionRow(name, columns, short) {
  const text = view.profile.names[name];
  const fragment = makeFragment({...view.state, sandwich: text, ...UNZOOMED}, view.first);
  const link = make('a', {href: '#' + fragment, onclick: event => {
    event.preventDefault();
    showSandwich(text);
  }}, shortened(visible(text), short));
  return lights(make('tr', {}, ...columns.map(([, , number, words]) => make('td', {}, words(number(name)))),
    make('td', {className: 'name'}, link)), frame => view.profile.frameName[frame] === name);
}
