/* The menu of a box, and where menus are in the window. */

/* What can be done with BOX: short text, what it does, and how. */
function actionsOf(box) {
  const actions = [['Zoom', 'make it as wide as the picture', () => zoomTo(box)]];
  if (hasFrame(box)) {
    const name = frameName(frameOfBox(box));
    actions.push(['Sandwich', 'its callers and callees', () => showSandwich(name)],
      ['Search', 'mark its boxes', () => change({search: `^${escapeExpression(name)}$`, case: '1'})],
      ['Focus', 'only stacks with it', () => refine('focus', name)],
      ['Ignore', 'no stacks with it', () => refine('ignore', name)],
      ['Hide', 'its callees move to its callers', () => refine('hide', name)]);
    if (view.profile.excerpts && hasLines(frameOfBox(box)))
      actions.push(['Source', 'its line', () => change({panel: 'source'})]);
  }
  return actions;
}

/* Opens the menu of BOX at X, Y in the window. */
function openBoxMenu(box, x, y) {
  const item = (text, what, act) => button(text, () => {
    closeMenus();
    ui.graph.focus();
    act();
  }, {role: 'menuitem', tabIndex: -1, title: what});
  const items = [...actionsOf(box), ['Details', 'all figures, and texts to copy', () => change({panel: 'details'})]];
  ui.menu.replaceChildren(make('b', {}, make('bdi', {}, titleOf(box).slice(0, 100))), ...items.map(parts => item(...parts)));
  ui.menu.hidden = false;
  placeAt(ui.menu, x, y, y);
  ui.menu.querySelector('button').focus();
}

/* The menu of the selected box, beside it. */
function openSelected() {
  const box = view.selected ?? innerBox(), {left, top} = ui.graph.getBoundingClientRect();
  const x = Math.max(0, box.pane.pixel(box.pane.chart.x[box.a]));
  openBoxMenu(box, left + x, top + (rowOf(box.pane, box.depth) + 1) * view.rowHeight - ui.graph.scrollTop);
}

/* A right click, or the key for menus, which names no place that counts. */
function contextMenu(event) {
  const at = point(event), box = event.button === 2 ? boxAt(at.x, at.y) : view.selected;
  if (!box)
    return;
  event.preventDefault();
  if (event.button !== 2)
    return openSelected();
  select(box);
  openBoxMenu(box, event.clientX, event.clientY);
}

function menuKey(event) {
  const items = [...ui.menu.querySelectorAll('button')], at = items.indexOf(document.activeElement);
  const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key];
  event.stopPropagation();
  if (event.key === 'Escape' || event.key === 'Tab') {
    closeMenus();
    ui.graph.focus();
  } else if (to === undefined) {
    return;
  } else {
    items.at(to % items.length).focus();
  }
  event.preventDefault();
}

/* Places the content of the open MENU below its heading, inside the window; it scrolls if it is
 * longer. */
function placeMenu(menu) {
  const content = menu.lastElementChild, {left, bottom, top} = menu.getBoundingClientRect();
  if (!menu.open)
    return;
  content.style.maxHeight = Math.max(innerHeight - bottom - 8, 120) + 'px';
  placeAt(content, left, bottom + 2, top - 2);
}

/* Closes all menus but one; returns whether any were open. */
function closeMenus(but) {
  const open = [...document.querySelectorAll('.menu[open]')].filter(menu => menu !== but);
  const isBoxOpen = !ui.menu.hidden && but !== ui.menu;
  for (const menu of open)
    menu.open = false;
  ui.menu.hidden ||= isBoxOpen;
  return isBoxOpen || open.length > 0;
}
