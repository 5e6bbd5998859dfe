/* The tree as text, for screen readers and users who prefer it: one item per box, created when
 * its parent is opened, with its sum of each type. */

const ITEMS_MORE = 50;

function showTree() {
  ui.panel.replaceChildren();
  for (const pane of view.panes) {
    const title = pane.chart.step === -1 ? 'Callers' : view.mode === 'sandwich' ? 'Callees' : 'Tree';
    const roots = make('ul', {role: 'tree', 'aria-label': title,
      onkeydown: treeKey, onclick: treeClick, onfocusin: treeFocus});
    addItems(roots, {pane, a: 0, b: pane.chart.n, depth: -1}, 0);
    roots.firstElementChild?.setAttribute('tabindex', 0);
    const {types} = view.profile.header, heads = columnTypes().map(type => sumColumn(visible(types[type].type)));
    const head = make('p', {className: 'label'}, apart([make('span', {className: 'share'}, 'share'), ...heads]));
    ui.panel.append(make('h2', {}, title), head, roots);
  }
}

/* The boxes in BOX, the widest first. */
function childBoxes({pane, a, b, depth}) {
  const found = [], {chart} = pane;
  chart.eachChild(a, b, depth + 1, (start, end, hasBox) => {
    if (hasBox && chart.x[end] > chart.x[start])
      found.push({pane, a: start, b: end, depth: depth + 1});
  });
  return found.sort((p, q) => chart.x[q.b] - chart.x[q.a] - (chart.x[p.b] - chart.x[p.a]));
}

/* Adds items for the children of BOX to LIST, starting at number FROM. */
function addItems(list, box, from) {
  const boxes = childBoxes(box), count = boxes.length;
  boxes.slice(from, from + ITEMS_MORE).forEach((child, i) => list.append(treeItem(child, from + i + 1, count)));
  if (count > from + ITEMS_MORE) {
    const text = `${count - from - ITEMS_MORE} more`;
    const more = make('li', {role: 'treeitem', tabindex: -1, 'aria-level': box.depth + 2}, text);
    more.open = () => {
      more.remove();
      addItems(list, box, from + ITEMS_MORE);
      list.children[from + ITEMS_MORE].focus();
    };
    list.append(more);
  }
}

/* Columns that are words of their own to those who hear them, too. */
const apart = columns => columns.flatMap(column => [column, ' ']);

const sumColumn = text => make('span', {className: 'share sum', title: text}, text);

function treeItem(box, number, count) {
  const name = titleOf(box), facts = factsOf(box).map(fact => fact.join(' '));
  const part = percent(shareOf(box)), share = make('span', {className: 'share'}, part);
  const text = make('bdi', {}, name), {types} = view.profile.header;
  const sums = columnTypes().map(type => sumColumn(scaled(sumByType(box, type), types[type].unit)));
  const texts = [part, ...sums.map(sum => sum.textContent), name];
  const item = make('li', {role: 'treeitem', tabindex: -1, 'aria-level': box.depth + 1, 'aria-setsize': count,
    'aria-posinset': number, 'aria-label': [texts.join(' '), ...facts].join(', ')},
    make('span', {className: 'label'}, apart([share, ...sums]), text));
  text.style.marginLeft = box.depth + 'em';
  item.box = box;
  if (box.pane.chart.reaches(box.a, box.b, box.depth + 1))
    item.setAttribute('aria-expanded', false);
  return item;
}

function openItem(item, isOpen) {
  if (item.open)
    return item.open();
  if (!item.hasAttribute('aria-expanded'))
    return;
  item.setAttribute('aria-expanded', isOpen);
  item.querySelector(':scope > ul')?.remove();
  if (isOpen) {
    const list = make('ul', {role: 'group'});
    addItems(list, item.box, 0);
    item.append(list);
  }
}

/* Only one item is reachable by Tab, the last that had the focus; it is the selected box, and
 * announces itself. */
function treeFocus(event) {
  const item = event.target.closest('[role=treeitem]');
  for (const other of event.currentTarget.querySelectorAll('[tabindex="0"]'))
    other.tabIndex = -1;
  item.tabIndex = 0;
  if (item.box)
    select(item.box, false);
}

function treeClick(event) {
  const item = event.target.closest('[role=treeitem]');
  if (!item)
    return;
  openItem(item, item.getAttribute('aria-expanded') !== 'true');
  item.focus();
}

function treeKey(event) {
  const item = document.activeElement.closest('[role=treeitem]'), tree = event.currentTarget;
  if (!item || event.ctrlKey || event.altKey || event.metaKey)
    return;
  const items = [...tree.querySelectorAll('[role=treeitem]')], at = items.indexOf(item);
  const isOpen = item.getAttribute('aria-expanded') === 'true';
  const go = other => other?.focus();
  const keys = {
    ArrowDown: () => go(items[at + 1]),
    ArrowUp: () => go(items[at - 1]),
    Home: () => go(items[0]),
    End: () => go(items[items.length - 1]),
    ArrowRight: () => isOpen ? go(items[at + 1]) : openItem(item, true),
    ArrowLeft: () => isOpen ? openItem(item, false) : go(item.parentElement.closest('[role=treeitem]')),
    ' ': () => openItem(item, !isOpen),
    Enter: () => item.box ? zoomTo(item.box) : openItem(item, true),
  };
  if (!keys[event.key])
    return;
  keys[event.key]();
  event.preventDefault();
  event.stopPropagation();
}
