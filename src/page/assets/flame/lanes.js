/* The order of time: lanes, such as one for each thread, and a ruler above them. */

const LANES_MOST = 64, RULER = 20 /* pixels */, TICK_ROOM = 80;

/* The time of SOURCE, if it is known, in words. */
function dateOf({time}) {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T', ' ').replace(/\..*/, ' UTC');
}

/* The charts of the lanes with the most samples. */
function laneCharts(profile) {
  const {streaks: {begin, length, cell, lane}, cells, header: {lanes, sources}} = profile, own = lanes.map(() => []);
  lane.forEach((at, streak) => {
    if (!begin || length[streak] && view.sums.streaks.some(values => values[streak] > 0))
      own[at].push(streak);
  });
  const order = [...own.keys()].sort((p, q) => own[q].length - own[p].length).slice(0, LANES_MOST);
  return order.sort((p, q) => p - q).map(at => {
    const date = own[at].length ? dateOf(sources[cells.source[cell[own[at][0]]]]) : '';
    return Object.assign(timeChart(profile, own[at]), {title: visible(lanes[at] + (date && ` · from ${date}`))});
  });
}

/* --- the ruler --- */

/* The smallest of 1, 2 and 5 times a power of ten that is at least LEAST. */
function stepOf(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map(n => n * power).find(step => step >= least) ?? 10 * power;
}

const isTimed = () => view.profile.streaks?.begin;

/* POSITION at the scale that suits LARGEST. */
function positionText(position, largest) {
  return scaled(position, isTimed() ? 'ns' : unit(), largest).replace(/(\.\d*?)0+(?= )/, '$1').replace('. ', ' ');
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
  const span = view.span ?? spanOf(view.state);
  if (span) {
    const [left, right] = span.map(time => pane.pixel(time));
    context.fillStyle = FOUND;
    context.fillRect(left, RULER - 4, right - left, 4);
  }
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

/* --- a range of time --- */

/* Selects the time from position P to Q; all of it if they are equal. */
function selectTime(p, q) {
  view.span = null;
  change({time: p === q ? '' : [p, q].map(Math.round).sort((p, q) => p - q).join('-')}, true);
}

/* Selects what is in sight; if a time is selected, all. */
const toggleTime = () => isTimed() && selectTime(...view.state.time || view.mode !== 'time' ? [0, 0] : view.panes[0].range);

/* A pointer that is dragged along the ruler selects; a click selects all. */
function listenToRuler() {
  const {ruler} = ui, at = event => Math.max(0, view.panes[0].position(event.offsetX));
  let from;
  ruler.onpointerdown = event => {
    ruler.setPointerCapture(event.pointerId);
    from = at(event);
  };
  ruler.onpointermove = event => {
    if (event.buttons && isTimed()) {
      view.span = [from, at(event)];
      paintRuler();
    }
  };
  ruler.onpointerup = event => isTimed() && selectTime(from, at(event));
}
