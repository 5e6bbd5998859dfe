/* The order of time: a lane for each thread of each source, and a ruler above them. */

const THREAD_KEYS = ['thread', 'tid', 'thread_id'], LANES_MOST = 64, RULER = 20 /* pixels */, TICK_ROOM = 80;

/* The time of SOURCE, if it is known, in words. */
function dateOf({time}) {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T', ' ').replace(/\..*/, ' UTC');
}

/* The lanes that streaks of samples are in: titles and streaks.  Too many lanes are one. */
function splitLanes({streaks, cells, sets, header: {sources}}) {
  const threads = sets.map(set => set.find(([key]) => THREAD_KEYS.includes(key))?.join(' ') ?? '');
  const lanes = new Map(), laneOf = new Map(); /* by source and thread; by source and set */
  streaks.cell.forEach((cell, streak) => {
    const source = cells.source[cell], set = cells.set[cell], pair = source * sets.length + set;
    if (!laneOf.has(pair)) {
      const key = JSON.stringify([source, threads[set]]);
      if (!lanes.has(key))
        lanes.set(key, {source: sources[source], thread: threads[set], streaks: []});
      laneOf.set(pair, lanes.get(key));
    }
    laneOf.get(pair).streaks.push(streak);
  });
  if (lanes.size > LANES_MOST)
    return [{title: `all: ${lanes.size} threads and sources`, streaks: streaks.cell.map((_, streak) => streak)}];
  const bases = numberedNames(sources.map(source => source.name.replace(/.*[\\/](?=.)/s, ''))).map(decodeText);
  return [...lanes.values()].map(({source, thread, streaks: own}) => {
    const name = lanes.size > 1 && sources.length > 1 ? bases[sources.indexOf(source)] : '', date = dateOf(source);
    const words = [name, thread, date && `from ${date}`].filter(Boolean).join(' · ');
    return {title: visible(words || 'all'), streaks: Uint32Array.from(own)};
  });
}

const laneCharts = profile =>
  splitLanes(profile).map(({title, streaks}) => Object.assign(timeChart(profile, streaks), {title}));

/* --- the ruler --- */

/* The smallest of 1, 2 and 5 times a power of ten that is at least LEAST. */
function stepOf(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map(n => n * power).find(step => step >= least) ?? 10 * power;
}

/* POSITION at the scale that suits LARGEST. */
function positionText(position, largest) {
  return scaled(position, unit(), largest).replace(/(\.\d*?)0+(?= )/, '$1').replace('. ', ' ');
}

/* The position under the pointer, to a hundredth of what a hundred pixels are. */
function pointerText(pane) {
  const [low, high] = pane.range;
  return positionText(pane.position(view.pointer.x), 100 * (high - low) / view.width);
}

function paintRuler() {
  if (ui.ruler.hidden)
    return;
  const context = prepare(ui.ruler, {width: view.width, height: RULER, top: 0}), [pane] = view.panes;
  const {ink, faint, paper} = rulerColours();
  const [low, high] = pane.range, step = stepOf(TICK_ROOM / view.width * (high - low));
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const mark = (x, colour, text) => {
    const room = context.measureText(text).width + 8;
    const left = Math.max(0, Math.min(x, view.width - room));
    if (colour === ink) {
      context.fillStyle = paper;
      context.fillRect(left, 0, room, RULER);
    }
    context.fillStyle = colour;
    context.fillRect(Math.min(x, view.width - 1), 0, 1, RULER);
    context.fillText(text, left + 4, RULER / 2);
  };
  const first = Math.ceil(low / step), count = (high - low) / step;
  for (let i = 0; i <= count && high > low; i++)
    mark(pane.pixel((first + i) * step), faint, positionText((first + i) * step, 10 * step));
  if (view.pointer)
    mark(view.pointer.x, ink, pointerText(pane));
}

function rulerColours() {
  if (matchMedia('(forced-colors: active)').matches)
    return {ink: 'CanvasText', faint: 'GrayText', paper: 'Canvas'};
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(['ink', 'faint', 'paper'].map(name => [name, style.getPropertyValue('--' + name)]));
}
