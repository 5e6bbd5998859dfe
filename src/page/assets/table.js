'use strict';

// Tables whose rows are sorted by a click on a heading, or Enter on it: the largest first, then the smallest, then
// the order that they came in. Names begin with the first. Headings are made buttons here, so that a page whose
// scripts do not run has none that do nothing.

// What a cell is sorted by: a number, text, or nothing (which is always last).
function keyOf(cell) {
  const text = cell.dataset.value ?? cell.textContent;
  const number = Number(text.replaceAll('\u202f', '')); // between groups of digits
  return text === '' || text === '.' ? null : Number.isNaN(number) || cell.classList.contains('name') ? text : number;
}

// Numbers before texts.
function compare(a, b) {
  if (typeof a !== typeof b)
    return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

// The rows in the order of column number `column`; those that are equal keep theirs.
function sorted(rows, column, order) {
  const sign = order === 'ascending' ? 1 : -1;
  const keyed = rows.map((row) => ({row, key: keyOf(row.cells[column])}));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null)
      return (a.key === null) - (b.key === null);
    return sign * compare(a.key, b.key);
  });
  return keyed.map((k) => k.row);
}

// A body that is in the page looks at all its rows again for each that is moved: it goes away as long.
function show(table, rows) {
  const body = table.tBodies[0];
  body.remove();
  for (const row of rows)
    body.append(row);
  table.append(body);
}

function makeSortable(table) {
  const rows = [...table.tBodies[0].rows];
  const headings = [...table.tHead.rows[0].cells];
  const sortBy = (heading) => {
    const orders = heading.className === '' ? ['descending', 'ascending'] : ['ascending', 'descending'];
    const next = orders[orders.indexOf(heading.getAttribute('aria-sort')) + 1];
    for (const other of headings)
      other.removeAttribute('aria-sort');
    if (next !== undefined)
      heading.setAttribute('aria-sort', next);
    show(table, next === undefined ? rows : sorted(rows, heading.cellIndex, next));
  };
  for (const heading of headings.filter((cell) => cell.tagName === 'TH')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    if (button.textContent === '')
      button.setAttribute('aria-label', 'remark');
    button.addEventListener('click', () => sortBy(heading));
    heading.append(button);
  }
}

for (const table of document.querySelectorAll('table.sortable'))
  makeSortable(table);
