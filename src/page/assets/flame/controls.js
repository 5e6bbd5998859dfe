/* The page around the picture, and the controls above it. */

const ui = {};

function field(text, control) {
  return make('label', {}, make('span', {}, text), control);
}

/* A selection list: OPTIONS are pairs of a value and its text. */
function chooser(text, options, choose) {
  const items = options.map(([value, words]) => make('option', {value}, words));
  const list = make('select', {onchange: () => choose(list.value)}, items);
  return {list, label: field(text, list)};
}

function menu(text, ...content) {
  return make('details', {className: 'menu', name: 'menu', ontoggle: event => placeMenu(event.target)},
    make('summary', {}, text), make('div', {}, ...content));
}

function makeControls() {
  const {header} = view.profile, names = typeNames();
  const add = (key, ...rest) => (ui[key] = chooser(...rest)).label;
  const tools = [add('mode', 'View', Object.entries(MODES), chooseMode)];
  if (names.length > 1)
    tools.push(add('type', 'Values', names.map((name, i) => [name, typeText(header.types[i])]),
      type => change({type: type === names[header.shown] ? view.first.type : type}, true)));
  if (header.sides === 2)
    tools.push(add('by', 'Width', [['', 'new'], ['base', 'base']], by => change({by, ...UNZOOMED}, true)));
  if (header.sources.length > 1)
    tools.push(ui.sources = menu('Sources', sourceBoxes()));
  if (view.profile.sets.some(set => set.length))
    tools.push(ui.labels = menu('Labels', labelChoosers()));
  tools.push(refineMenu(), ...searchControls());
  if (view.profile.excerpts)
    PANELS.source = ['Source', showSource];
  ui.panels = Object.entries(PANELS).map(([key, [text]]) => button(text, () => togglePanel(key), {'data-panel': key}));
  ui.out = button('Zoom out', zoomOut, {title: 'Zoom out to the caller (Escape)'});
  ui.all = button('Show all', zoomOutToAll, {title: 'Show all (0)'});
  const layouts = [['flame', 'below (flame)'], ['icicle', 'above (icicle)']];
  tools.push(make('span', {className: 'buttons'}, ui.out, ui.all, ...ui.panels),
    menu('Look', add('layout', 'Root', layouts, layout => change({layout})),
      add('colors', 'Colours', paletteNames(), colors => change({colors})), themeButton(),
      button('Save SVG', saveSvg), button('Save PNG', savePng)),
    keyHelp());
  ui.tools.append(...tools);
}

const typeText = ({type, unit}) => `${visible(type)} (${visible(unit)})`;

function paletteNames() {
  const palettes = [['package', 'by package'], ['hot', 'by name'], ['file', 'by file'], ['type', 'by type of file'],
    ['r', 'by R package']];
  return view.profile.header.sides === 2 ? [['diff', 'by change'], ...palettes] : palettes;
}

/* Shows MODE; a sandwich shows the selected function, otherwise the one with the largest self. */
function chooseMode(mode) {
  if (mode !== 'sandwich')
    return change({mode, sandwich: '', ...UNZOOMED}, true);
  if (!view.profile.frameName.length)
    return showControls(); /* there is no function: the list goes back to what is shown */
  const {self} = functionSums()[side()], selected = view.selected ? nameOfBox(view.selected) : -1;
  const largest = self.indexOf(self.reduce((p, q) => Math.max(p, q), 0));
  showSandwich(view.profile.names[selected >= 0 ? selected : largest]);
}

/* --- sources and labels --- */

function sourceBoxes() {
  const {sources, sides} = view.profile.header, names = numberedNames(sources.map(source => source.name));
  const choose = () => {
    const chosen = ui.sourceBoxes.filter(box => box.checked).map(box => box.value);
    change({source: chosen.length === names.length ? [] : chosen.length ? chosen : ['']}, true);
  };
  ui.sourceBoxes = names.map(value => make('input', {type: 'checkbox', value, onchange: choose}));
  return sources.map(({name, type, side}, i) => {
    const kind = sides === 1 ? visible(type) : side ? 'new' : 'base';
    return make('label', {}, ui.sourceBoxes[i], make('bdi', {}, visible(name)), ` (${kind})`);
  });
}

/* A list for each key, with its values. */
function labelChoosers() {
  const values = new Map();
  for (const pair of view.profile.sets.flat())
    values.set(pair[0], (values.get(pair[0]) ?? new Map()).set(labelText(pair), pair[1]));
  const choose = () => change({label: ui.labelLists.map(({list}) => list.value).filter(Boolean)}, true);
  ui.labelLists = [...values].map(([key, texts]) => {
    const options = [...texts].map(([text, value]) => [text, visible(value)]);
    return {...chooser(visible(key), [['', 'any'], ...options], choose), begin: encode(key) + '='};
  });
  return ui.labelLists.map(({label}) => label);
}

/* --- search --- */

function searchControls() {
  ui.search = make('input', {type: 'search', placeholder: 'expression', spellcheck: false,
    'aria-describedby': 'matched', oninput: searchSoon, onkeydown: searchKey});
  const named = name => ({title: name, 'aria-label': name});
  ui.case = button('Aa', () => change({case: view.state.case ? '' : '1'}), named('Match case'));
  const last = button('‹', () => nextMatch(-1), named('Previous match (N)'));
  const next = button('›', () => nextMatch(1), named('Next match (n)'));
  return [field('Search', ui.search), make('span', {className: 'buttons'}, ui.case, last, next)];
}

/* Searches when the user stops typing. */
function searchSoon() {
  clearTimeout(ui.typing);
  ui.typing = setTimeout(() => {
    ui.typing = 0;
    change({search: ui.search.value});
  }, 60);
}

function searchKey(event) {
  if (event.key === 'Enter')
    nextMatch(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape')
    ui.graph.focus();
}

/* Selects the next match, from left to right; zooms to boxes that are too thin to see. */
function nextMatch(step) {
  if (!view.found)
    return;
  const boxes = [];
  for (const pane of view.panes) {
    const marks = pane.chart.marks ??= new Marks(pane.chart, view.found), {a, b, isThin} = pane.pieces;
    pane.pieces.each((k, depth) => {
      if (isThin[k] ? marks.any(a[k], b[k], depth) : view.found.isFrame[pane.chart.frame(a[k], depth)])
        boxes.push(pane.box(k, depth));
    }, pane.first);
  }
  boxes.sort((p, q) => p.pane.chart.x[p.a] - q.pane.chart.x[q.a] || p.depth - q.depth);
  const at = boxes.findIndex(box => isSame(box, view.selected));
  const next = boxes[(at < 0 ? (step > 0 ? 0 : boxes.length - 1) : at + step + boxes.length) % boxes.length];
  if (!next)
    return;
  select(next);
  if (next.isThin)
    zoomTo(next);
}

/* --- theme --- */

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const isDark = () => view.state.theme ? view.state.theme === 'dark' : prefersDark.matches;

function themeButton() {
  ui.theme = button('', () => {
    const theme = isDark() ? 'light' : 'dark';
    change({theme: (theme === 'dark') === prefersDark.matches ? '' : theme});
  });
  return ui.theme;
}

function applyTheme() {
  if (view.state.theme)
    document.documentElement.dataset.theme = view.state.theme;
  else
    delete document.documentElement.dataset.theme;
}

/* --- the texts of the controls --- */

function showControls() {
  const {state} = view, {header} = view.profile;
  ui.mode.list.value = view.mode;
  ui.layout.list.value = state.layout === 'icicle' ? 'icicle' : 'flame';
  ui.layout.list.disabled = view.mode === 'sandwich';
  ui.mode.list.querySelector('[value=time]').disabled = !header.streaks;
  if (ui.type)
    ui.type.list.value = typeNames()[view.type];
  if (ui.by)
    ui.by.list.value = state.by;
  const wanted = new Set(state.source);
  ui.sourceBoxes?.forEach(box => { box.checked = !wanted.size || wanted.has(box.value); });
  ui.labelLists?.forEach(({list, begin}) => {
    const wanted = state.label.find(text => text.startsWith(begin)) ?? '';
    if (list.value !== wanted)
      list.value = wanted;
    if (list.selectedIndex < 0)
      list.value = '';
  });
  ui.sources?.classList.toggle('on', state.source.length > 0);
  ui.labels?.classList.toggle('on', state.label.length > 0);
  if (!ui.typing)
    ui.search.value = state.search;
  ui.case.setAttribute('aria-pressed', state.case === '1');
  ui.colors.list.value = palette();
  ui.theme.textContent = isDark() ? 'Light page' : 'Dark page';
  for (const panel of ui.panels)
    panel.setAttribute('aria-pressed', state.panel === panel.dataset.panel);
  ui.out.disabled = ui.all.disabled = !state.zoom && !state.at;
  showRefinements();
  ui.summary.textContent = summary();
  showScale();
}

/* The colours of changes, in points, and whether noise is known. */
function showScale() {
  const isShown = palette() === 'diff' && view.largestChange > 0, most = (100 * view.largestChange).toFixed(2);
  ui.scale.hidden = !isShown;
  ui.banner.hidden = !isShown || view.isTested;
  if (!isShown)
    return;
  const hasTests = view.profile.tested?.some(test => test !== UNTESTED);
  ui.banner.textContent = 'Noise is not known, so colours are pale: ' +
    (hasTests ? 'it is for all samples of the first type.' : 'three runs of each side would tell.');
  const steps = Array.from({length: 9}, (_, i) => make('span', {className: 'step'}));
  steps.forEach((step, i) => { step.style.background = changeColour(250 * i - 1000); });
  ui.scale.replaceChildren(`\u2212${most} `, ...steps, ` +${most} points`);
}

/* What base has beside the new side that is drawn. */
function goneText() {
  const [base, now] = view.sums.stacks, all = view.all[0];
  if (!now || !side() || view.mode === 'sandwich')
    return '';
  const gone = base.reduce((sum, value, stack) => now[stack] ? sum : sum + value, 0);
  return ` of new; ${scaled(all, unit())} of base, ${percent(all ? gone / all : 0)} of it in stacks that are gone`;
}

/* Describes what is drawn, and what is not. */
function summary() {
  const {state, profile: {header}, sums} = view, words = [], type = header.types[view.type];
  if (header.stackless)
    words.push(`${header.stackless} sample${header.stackless === 1 ? '' : 's'} without a stack left out`);
  if (!type)
    return ['This profile has no values that can be added up', ...words].join(' · ');
  const sum = shownSum(), whole = view.mode === 'sandwich' ? allOf(side()) : sums.whole[side()];
  const isPart = view.mode === 'sandwich' || view.keeps;
  words.unshift(`${visible(type.type)}: ${scaled(sum, unit())}` +
    (isPart ? `, ${percent(whole ? sum / whole : 0)} of ${scaled(whole, unit())}` : '') + goneText());
  if (spanOf(state))
    words.push(`from ${spanOf(state).map(time => positionText(time, time)).join(' to ')}`);
  if (view.mode === 'sandwich')
    words.push(`callers and callees of ${visible(state.sandwich).slice(0, 200)}`);
  if (view.keeps)
    words.push(`refined by ${refinementText(state)}`.slice(0, 300));
  if (header.sides === 2)
    words.push(`width: ${side() ? 'new' : 'base'}; blue: less of all, orange: more, grey: ` +
      (view.isTested ? 'not significant' : 'the same'));
  if (header.pruned)
    words.push(`what has less than ${percent(header.pruned)} was cut by profflame, and is part of “(other)”`);
  const below = view.mode === 'time' ? sums.streaksBelow : sums.below, what = view.mode === 'time' ? 'streaks' : 'stacks';
  if (below)
    words.push(`${below} sum${below === 1 ? '' : 's'} of ${what} below 0 left out`);
  if (!(zoomedPane().chart.width > 0))
    words.push('nothing of what is chosen has a width');
  return words.join(' · ');
}

function keyHelp() {
  const keys = [['arrows', 'go to the parent, a child, a neighbour'], ['Enter', 'zoom'], ['Escape', 'zoom out'],
    ['0', 'show all'], ['+ −', 'narrower, wider'], ['m', 'menu of the box'], ['/, Ctrl+F', 'search'],
    ['n N', 'next, previous match'], ['i', 'flame or icicle'], ['c', 'callers'],
    ['s', 'sandwich of the selected function'], ['t', 'order of time'], ['r', 'only the time in sight'], ['d', 'details'],
    ['wheel, drag', 'scroll'], ['Ctrl or ⌘ and wheel, pinch', 'narrower, wider'], ['Shift and wheel, drag', 'move']];
  return menu('Keys', make('dl', {}, ...keys.flatMap(([key, what]) => [make('dt', {}, key), make('dd', {}, what)])));
}

/* --- the page --- */

function makePage() {
  ui.boxes = make('canvas');
  ui.pointers = make('canvas');
  ui.room = make('div', {className: 'room'});
  ui.graph = make('div', {className: 'graph', tabIndex: 0, role: 'application', 'aria-roledescription': 'flame graph',
    'aria-label': 'Flame graph: arrows go to boxes, Enter zooms; the button Tree shows it as text'},
    make('div', {className: 'stage'}, ui.boxes, ui.pointers), ui.room);
  ui.ruler = make('canvas', {className: 'ruler', hidden: true});
  ui.mapBoxes = make('canvas');
  ui.mapFrame = make('div', {className: 'frame'});
  ui.map = make('div', {className: 'map', hidden: true, 'aria-hidden': true}, ui.mapBoxes, ui.mapFrame);
  ui.tip = make('div', {className: 'tip', hidden: true, 'aria-hidden': true});
  ui.menu = make('div', {className: 'popup', hidden: true, role: 'menu', 'aria-label': 'Box', onkeydown: menuKey});
  ui.notice = make('span', {className: 'notice', role: 'status'});
  ui.summary = make('p', {className: 'faint'});
  ui.scale = make('p', {className: 'scale', hidden: true});
  ui.banner = make('p', {className: 'banner', hidden: true});
  ui.tools = make('div', {className: 'tools', role: 'group', 'aria-label': 'View'});
  ui.panel = make('aside', {hidden: true});
  ui.status = make('p', {className: 'status'});
  ui.live = make('p', {className: 'unseen', 'aria-live': 'polite'});
  const title = visible(view.profile.header.title);
  const heading = make('div', {className: 'heading'}, make('h1', {}, make('bdi', {}, title)), ui.summary, ui.scale, ui.banner);
  ui.matched = make('output', {id: 'matched'});
  const header = make('header', {}, heading, ui.tools, make('p', {className: 'results'}, ui.matched, ' ', ui.notice));
  const column = make('div', {className: 'column'}, ui.ruler, ui.graph);
  document.querySelector('main').append(make('div', {id: 'viewer'}, header,
    make('div', {className: 'middle'}, make('div', {className: 'picture'}, column, ui.map), ui.panel),
    ui.status, ui.live, ui.tip, ui.menu));
}
