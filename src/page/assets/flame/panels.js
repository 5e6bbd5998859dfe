/* Words beside the picture: the line about what is pointed at, the pane of details, the table of functions. */

/* An element with properties, listeners (onEVENT) and children; a text becomes text, never markup. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties))
    if (typeof value === 'function')
      element.addEventListener(key.slice('on'.length), value);
    else if (key in element)
      element[key] = value;
    else
      element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const button = (text, onclick, properties = {}) => make('button', {type: 'button', onclick, ...properties}, text);

/* How much of what is seen BOX is. */
function shareOfZoom(box) {
  const {chart: {x}, range: [low, high]} = box.pane;
  return Math.max(0, Math.min(x[box.b], high) - Math.max(x[box.a], low)) / (high - low);
}

/* What is to be said of BOX, in words: pairs of what and how much. */
function factsOf(box) {
  const {chart} = box.pane, {header} = view.profile, facts = [], both = header.sides === 2;
  if (modeDrawn() !== 'callers' && !(modeDrawn() === 'sandwich' && box.pane === view.panes[0]) && !box.isThin)
    facts.push(['self', scaled(chart.self(box.a, box.b, box.depth, side()), unit())]);
  facts.push(['total', scaled(sumOf(box), unit())]);
  if (both)
    facts.push(['new', percent(shareOf(box, 1))], ['base', percent(shareOf(box, 0))], ['change', points(changeOf(box)) + significance(box)]);
  else
    facts.push(['of all', percent(shareOf(box))]);
  facts.push(['of zoom', percent(shareOfZoom(box))]);
  return facts;
}

function significance(box) {
  const tested = box.isThin ? 0 : view.profile.tested[frameOfBox(box)];
  return ['', ', function: not significant', ', function: significant'][tested];
}

function titleOf(box) {
  return box.isThin ? 'Boxes too thin to be drawn one by one' : visible(frameName(frameOfBox(box)));
}

/* The line below the picture: of what is pointed at, else of what is selected, else of what is zoomed. */
function showStatus() {
  const box = view.hovered ?? view.selected ?? coveringBox(zoomedPane(), !view.state.zoom);
  const words = box.depth < 0 ? ['all', scaled(view.all[side()], unit())] :
    [factsOf(box).map(([what, much]) => `${what} ${much}`).join(' · '), box.isThin ? 'click to zoom' : framePlace(frameOfBox(box))];
  ui.status.replaceChildren(make('b', {}, make('bdi', {}, box.depth < 0 ? visible(view.profile.header.title) : titleOf(box).slice(0, 500))),
    make('span', {}, words.filter(Boolean).join(' · ')));
  showMatches();
}

/* The matched shares, of what is zoomed and of all. */
function showMatches() {
  const {found, fault} = view;
  ui.search.setAttribute('aria-invalid', Boolean(fault));
  if (!found) {
    ui.matched.textContent = fault;
    return;
  }
  const {chart, range} = zoomedPane(), a = chart.itemAt(range[0]), b = chart.n ? chart.itemAt(range[1] * (1 - 1e-12)) + 1 : 0;
  view.matched ??= {};
  const zoomed = sumFound(chart, found, a, b, side()), all = sumFound(chart, found, 0, chart.n, side());
  const size = chart.total(a, b, side());
  Object.assign(view.matched, {zoomed, all, size});
  const shares = (sums, whole) => `total ${percent(sums.total / whole)}, self ${percent(sums.self / whole)}`;
  const isZoomed = range[0] > 0 || range[1] < chart.width;
  ui.matched.textContent = `${found.names} name${found.names === 1 ? '' : 's'}: ${shares(all, view.all[side()])}` +
    (isZoomed && size ? `; of zoom: ${shares(zoomed, size)}` : '');
}

/* Makes BOX the selected one, and tells those who do not see it. */
function select(box) {
  view.selected = box;
  if (box) {
    const top = rowOf(box.pane, box.depth) * view.rowHeight;
    if (top < ui.graph.scrollTop || top + view.rowHeight > ui.graph.scrollTop + view.height)
      ui.graph.scrollTop = top - view.height / 2;
    ui.live.textContent = `${titleOf(box)}, level ${box.depth + 1}, ${factsOf(box).map(fact => fact.join(' ')).join(', ')}`;
  }
  showStatus();
  showPanel();
  repaint();
}

/* --- the panel --- */

const PANELS = {details: ['Details', showDetails], functions: ['Functions', showFunctions], tree: ['Tree', showTree]};

/* Fills the panel that the state asks for; what does not depend on the selection is made again only if ISNEW. */
function showPanel(isNew = true) {
  const {panel} = view.state, wanted = Object.hasOwn(PANELS, panel) ? panel : '';
  ui.panel.hidden = !wanted;
  const isOther = ui.panel.dataset.shows !== wanted;
  ui.panel.dataset.shows = wanted;
  if (wanted && (isNew || isOther || wanted !== 'tree')) {
    ui.panel.setAttribute('aria-label', PANELS[wanted][0]);
    PANELS[wanted][1](isNew || isOther);
  }
}

/* The frames around BOX, from the root of its chart to it, as names. */
function pathNames(box) {
  return Array.from({length: box.depth + 1}, (_, depth) => frameName(box.pane.chart.frame(box.a, depth)));
}

function copier(what, text) {
  return button(`Copy ${what}`, event => {
    const {target} = event, done = said => { target.textContent = said; };
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(() => done(`Copied ${what}`), () => done('Select the text below to copy it'));
  });
}

function showDetails() {
  const box = view.selected;
  if (!box || box.depth < 0)
    return ui.panel.replaceChildren(make('p', {className: 'faint'}, 'Nothing is selected: click a box, or go to one with the arrow keys.'));
  const rows = factsOf(box);
  const pair = ([what, much]) => [make('dt', {}, what), make('dd', {}, much)];
  rows.push(['exactly', exact(sumOf(box), unit())]);
  if (box.isThin)
    return ui.panel.replaceChildren(make('h2', {}, titleOf(box)), make('dl', {}, ...rows.flatMap(pair)), button('Zoom', () => zoomTo(box)));
  const frame = frameOfBox(box), name = frameName(frame), names = pathNames(box), sums = functionSums()[side()];
  if (framePlace(frame))
    rows.unshift(['at', framePlace(frame)]);
  const own = view.profile.frameName[frame], all = view.all[side()];
  rows.push(['function: self', `${scaled(sums.self[own], unit())}, ${percent(sums.self[own] / all)}`],
    ['function: total', `${scaled(sums.total[own], unit())}, ${percent(sums.total[own] / all)}`]);
  const outermostFirst = box.pane.chart.step === -1 ? names.slice().reverse() : names;
  const folded = `${outermostFirst.map(part => part.replace(/[;\n\r]/g, ' ')).join(';')} ${sumOf(box)}`;
  ui.panel.replaceChildren(
    make('h2', {}, make('bdi', {}, visible(name))),
    make('dl', {}, ...rows.flatMap(pair)),
    make('p', {className: 'buttons'}, button('Zoom', () => zoomTo(box)), button('Sandwich', () => showSandwich(name)),
      button('Search', () => change({search: `^${escapeExpression(name)}$`, case: '1'})),
      copier('name', name), copier('path', outermostFirst.join('\n')), copier('folded line', folded)),
    make('h3', {}, 'Path'),
    make('ol', {className: 'path'}, ...outermostFirst.map(part => make('li', {}, make('bdi', {}, visible(part))))),
    make('h3', {}, 'Folded'),
    make('p', {className: 'folded'}, make('bdi', {}, visible(folded))));
}

const escapeExpression = text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const showSandwich = name => change({mode: 'sandwich', sandwich: name, zoom: '', at: '', pane: ''}, true);

/* --- the table of functions --- */

const ROWS_MORE = 100;
const table = {sort: 'self', isUp: false, rows: ROWS_MORE};

/* The columns: what they are called, the number of a function by which they sort, and what is shown of it. */
function tableColumns() {
  const sums = functionSums(), of = side(), share = (what, s, name) => view.all[s] ? sums[s][what][name] / view.all[s] : 0;
  const columns = [];
  for (const what of ['self', 'total']) {
    const title = what[0].toUpperCase() + what.slice(1);
    columns.push([what, title, name => sums[of][what][name], value => scaled(value, unit(), view.all[of])]);
    if (sums.length === 1)
      columns.push([what + '%', '%', name => share(what, 0, name), percent]);
    else
      columns.push([what + '%', 'Points', name => share(what, 1, name) - share(what, 0, name), change => points(change).split(' ')[0]]);
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
  ui.panel.replaceChildren(make('h2', {}, 'Functions'),
    make('table', {}, make('thead', {}, make('tr', {}, ...columns.map(([key, title]) => heading(key, title)), heading('name', 'Function'))),
      make('tbody', {}, ...rows.slice(0, table.rows).map(name => functionRow(name, columns)))));
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
  const cell = make('th', {scope: 'col', className: key === 'name' ? 'name' : ''}, button(title, sort));
  if (isSorted)
    cell.setAttribute('aria-sort', table.isUp ? 'ascending' : 'descending');
  return cell;
}

/* A row: pointing at it lights all boxes of the function; its name leads to its callers and callees. */
function functionRow(name, columns) {
  const text = view.profile.names[name], fragment = makeFragment({...view.state, sandwich: text, zoom: '', at: '', pane: ''}, view.first);
  const light = on => () => {
    view.lit = on ? name : -1;
    repaint();
  };
  return make('tr', {onpointerenter: light(true), onpointerleave: light(false), onfocusin: light(true), onfocusout: light(false)},
    ...columns.map(([, , number, words]) => make('td', {}, words(number(name)))),
    make('td', {className: 'name'}, make('a', {href: '#' + fragment}, make('bdi', {}, visible(text)))));
}
