'use strict';

/* Lines of source files beside the picture.  Only pages with such lines have this script.  It stands
 * before the other one, which calls it. */

/* Excerpts of files: the first line of each, and the texts of lines that follow each other. */
function readExcerpts(columns, {excerpts, files}) {
  const file = varints(columns.next(), excerpts, files), first = largeVarints(columns.next(), excerpts);
  const texts = strings(columns.next(), columns.next(), excerpts);
  return texts.map((text, i) => ({file: file[i], first: first[i], lines: text.split('\n')}));
}

/* The file that is shown, from 0, and the rows of its lines. */
const listing = {file: -1, rows: new Map()};

const hasLines = frame => view.profile.excerpts.some(({file}) => file + 1 === view.profile.frameFile[frame]);

/* Shows the file of the selected box with its line or, where none is selected, the same as before. */
function showSource(isNew) {
  const {selected, profile: {excerpts, frameFile, frameLine}} = view, before = listing.file;
  const frame = selected && hasFrame(selected) && hasLines(frameOfBox(selected)) ? frameOfBox(selected) : -1;
  listing.file = frame >= 0 ? frameFile[frame] - 1 : before >= 0 ? before : excerpts[0].file;
  if (isNew || listing.file !== before)
    showListing();
  showLine(frame < 0 ? 0 : frameLine[frame]);
}

/* Marks the row of LINE, 0: none, and brings it into sight. */
function showLine(line) {
  for (const [number, row] of listing.rows)
    row.toggleAttribute('aria-current', number === line);
  scrollToLine(line);
}

function scrollToLine(line) {
  const {top, bottom, height} = ui.panel.getBoundingClientRect(), at = listing.rows.get(line)?.getBoundingClientRect();
  if (at && (at.top < top || at.bottom > bottom))
    ui.panel.scrollTop += at.top - top - height / 2;
}

/* The frames of the shown file have the group that is their line; all others have the group 0. */
function groupByLine({frameFile, frameLine}, most) {
  return frameLine.map((line, frame) => frameFile[frame] === listing.file + 1 && line <= most ? line : 0);
}

/* The sums of the lines of the shown file, and of all, for each type with columns: the shown one, and
 * others that have some here. */
function sumLines(most) {
  const {profile, profile: {header}} = view, groups = groupByLine(profile, most);
  const types = columnTypes().map(type => {
    const stacks = sumsOfType(type).stacks[side()];
    return {...header.types[type], all: sumOfAll(stacks), ...sumGroups(profile, stacks, groups, most + 1)};
  });
  return types.filter(({total}, i) => i === 0 || total.some((sum, line) => line && sum));
}

function showListing() {
  const excerpts = view.profile.excerpts.filter(({file}) => file === listing.file);
  const last = excerpts[excerpts.length - 1], types = sumLines(last.first + last.lines.length - 1), body = make('tbody');
  listing.rows.clear();
  for (const {first, lines} of excerpts) {
    if (first > 1)
      body.append(make('tr', {}, make('td', {colSpan: 2 * types.length + 2, className: 'code faint'}, '⋯')));
    body.append(...lines.map((text, i) => lineRow(first + i, text, types)));
  }
  ui.panel.replaceChildren(make('h2', {}, 'Source'), fileChooser(),
    make('table', {className: 'source'}, listingHead(types), body), make('p', {className: 'faint'}, leftOut()));
  const [{self, total}] = types, most = self.some((sum, line) => line && sum) ? self : total;
  scrollToLine(most.reduce((best, sum, line) => line && sum > most[best] ? line : best, 1));
}

/* The files, with their totals of the type that is drawn: the largest first. */
function fileChooser() {
  const {profile, profile: {excerpts, files, frameFile}} = view, all = allOf(side());
  const {total} = sumGroups(profile, view.sums.stacks[side()], frameFile, files.length + 1);
  const shown = [...new Set(excerpts.map(({file}) => file))].sort((p, q) => total[q + 1] - total[p + 1] || p - q);
  const options = shown.map(file => [file, `${percent(total[file + 1] / all)} ${visible(files[file])}`]);
  const {list, label} = chooser('File', options, file => {
    listing.file = Number(file);
    showListing();
    ui.panel.querySelector('select').focus(); /* which is another one */
  });
  list.value = listing.file;
  return label;
}

function listingHead(types) {
  const cell = (text, properties = {}) => make('th', {scope: 'col', ...properties}, text), other = i => i > 0 ? 'other' : '';
  const names = types.map(({type}, i) => cell(visible(type), {colSpan: 2, className: other(i)}));
  const sums = types.flatMap((_, i) => [cell('Self', {className: other(i)}), cell('Total', {className: other(i)})]);
  return make('thead', {}, make('tr', {}, make('td'), ...names, make('td')),
    make('tr', {}, cell('Line'), ...sums, cell('Code', {className: 'code'})));
}

/* The row of LINE with TEXT: it lights its boxes, and a click marks them. */
function lineRow(line, text, types) {
  const {files, frameFile, frameLine} = view.profile, cells = [];
  for (const {self, total, unit, all} of types) {
    const className = cells.length ? 'other' : '', words = sum => sum ? scaled(sum, unit, all) : '';
    const cell = make('td', {className: className + ' total'}, words(total[line]));
    cell.style.backgroundSize = `${all ? 100 * total[line] / all : 0}% 3px`;
    cells.push(make('td', {className}, words(self[line])), cell);
  }
  const mark = () => change({search: `line:${files[listing.file]}:${line}`});
  const isOfLine = frame => frameFile[frame] === listing.file + 1 && frameLine[frame] === line;
  const number = make('td', {}, button(String(line), mark, {'aria-label': `Mark the boxes of line ${line}`}));
  const code = text.split('\t').map(visible).join('\t'), row = make('tr', {}, number, cells, make('td', {className: 'code'}, code));
  listing.rows.set(line, row);
  return lights(row, isOfLine);
}

/* The files that are not in the page. */
function leftOut() {
  const {unread, beyond} = view.profile.header, words = [];
  const count = (n, what) => n && words.push(`${n} file${n === 1 ? '' : 's'} ${what}`);
  count(unread, 'could not be read');
  count(beyond, 'had no room in 1 MiB');
  return words.join(' · ');
}
