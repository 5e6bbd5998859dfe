/* Sums over the whole profile: of the selected cells, of each function, and of search matches. */

/* The begin and end of the time that STATE selects, in nanoseconds; null: all. */
function spanOf({time}) {
  const [from, to] = time.split('-').map(Number);
  return view.profile.streaks?.begin && from < to ? [from, to] : null;
}

/* The cells that STATE selects: of its source, and with its labels. */
function chosenCells(profile, state) {
  const {cells, sets, header} = profile, sourceNames = numberedNames(header.sources.map(source => source.name));
  const wanted = new Set(state.source), hasSource = sourceNames.map(name => !wanted.size || wanted.has(name));
  const hasLabels = sets.map(set => state.label.every(label => set.some(pair => labelText(pair) === label)));
  return i => hasSource[cells.source[i]] && hasLabels[cells.set[i]];
}

function labelText([key, value]) {
  return `${encode(key)}=${encode(value)}`;
}

function numberedNames(names) {
  const counts = new Map();
  return names.map(name => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return numbered(name, counts.get(name));
  });
}

/* Sums of TYPE are integers in units of 10^-digits of its unit; this converts them to its unit. */
const inUnits = (sides, type) => {
  const parts = 10 ** (type?.digits ?? 0);
  for (const sums of parts > 1 ? sides : [])
    for (let i = 0; i < sums.length; i++)
      sums[i] /= parts;
};

/* The sums of the selected cells by side: of each stack, and of each streak; and of all of them
 * (whole), with those of stacks that KEEPS leaves out. */
function sumChosen(profile, type, state, keeps) {
  const {header, cells, streaks, shared} = profile, isChosen = chosenCells(profile, state);
  const sides = header.sources.map(source => source.side ?? 0), of = Array.from({length: header.sides});
  const stacks = of.map(() => new Float64Array(shared.length));
  const list = header.types.length ? zigzags(profile.types[type], header.cells) : [], span = spanOf(state);
  const ordered = streaks && header.types.length ? zigzags(streaks.types[type], header.streaks) : [];
  if (span) {
    list.fill(0);
    ordered.forEach((value, i) => {
      if (streaks.begin[i] >= span[0] && streaks.begin[i] < span[1])
        list[streaks.cell[i]] += value;
    });
  }
  list.forEach((value, i) => {
    if (isChosen(i))
      stacks[sides[cells.source[i]]][cells.stack[i]] += value;
  });
  inUnits(stacks, header.types[type]);
  const below = dropNegative(stacks), whole = stacks.map(sumOfAll);
  if (keeps)
    for (const sums of stacks)
      keeps.forEach((isKept, stack) => { sums[stack] *= isKept; });
  if (!streaks || !header.types.length)
    return {stacks, below, whole};
  const inOrder = of.map(() => new Float64Array(header.streaks + 1)); /* one more for gaps */
  ordered.forEach((value, i) => {
    if (isChosen(streaks.cell[i]) && (!keeps || keeps[cells.stack[streaks.cell[i]]]))
      inOrder[sides[cells.source[streaks.cell[i]]]][i] = value;
  });
  inUnits(inOrder, header.types[type]);
  return {stacks, below, whole, streaksBelow: dropNegative(inOrder), streaks: inOrder};
}

const sumOfAll = values => values.reduce((sum, value) => sum + value, 0);

/* Sets negative values, which occur in differences, to 0: they have no width.  Returns how many
 * there were. */
function dropNegative(sides) {
  let count = 0;
  for (const sums of sides)
    for (let i = 0; i < sums.length; i++)
      if (sums[i] < 0) {
        sums[i] = 0;
        count++;
      }
  return count;
}

/* For each of COUNT groups of frames the sum of the stacks that end in it, and of those that contain
 * it, each counted once.  GROUPOF: the group of each frame. */
function sumGroups({shared, depth, offset, frames}, stackValues, groupOf, count) {
  const self = new Float64Array(count), total = self.slice(), before = self.slice();
  const open = new Uint32Array(count), path = [];
  let sum = 0;
  function close() {
    const group = path.pop();
    if (--open[group] === 0)
      total[group] += sum - before[group];
  }
  for (let i = 0; i < shared.length; i++) {
    while (path.length > shared[i])
      close();
    for (let k = offset[i]; k < offset[i + 1]; k++) {
      const group = groupOf[frames[k]];
      if (open[group]++ === 0)
        before[group] = sum;
      path.push(group);
    }
    sum += stackValues[i];
    if (depth[i] > 0)
      self[path[path.length - 1]] += stackValues[i];
  }
  while (path.length)
    close();
  return {self, total};
}

/* --- search --- */

/* Flags for the frames that TEXT finds: by name or, behind "line:", those of a line of a file. */
function findFrames({names, frameName}, text, flags) {
  if (text.startsWith('line:'))
    return Uint8Array.from(frameName, (_, frame) => 'line:' + framePlace(frame) === text);
  const expression = makeExpression(text, flags), isName = names.map(name => expression.test(name));
  return Uint8Array.from(frameName, name => isName[name]);
}

/* What ISFRAME finds, flags for frames: also flags for stacks that contain one, and for those that
 * end in one. */
function search(profile, isFrame) {
  const {frameName, depth, offset, frames} = profile;
  const places = firstPlaces(profile, isFrame), ends = new Uint8Array(places.length);
  for (let i = 0; i < ends.length; i++)
    if (offset[i + 1] > offset[i])
      ends[i] = isFrame[frames[offset[i + 1] - 1]];
    else if (depth[i] > 0) /* its frames are those of one before it: the rest is hidden */
      ends[i] = isFrame[frameOf(profile, i, depth[i] - 1)];
  const found = new Set(frameName.filter((_, frame) => isFrame[frame])); /* other names are those of labels */
  return {isFrame, places, ends, names: found.size};
}

/* The matches in items [A, B) of CHART: sums of those with a match, and of those that end in
 * one. */
function sumFound(chart, found, a, b, side) {
  let self = 0, total = 0;
  for (let i = a; i < b; i++) {
    const stack = chart.stack(i);
    if (found.places[stack] >= 0)
      total += chart.value(i, side);
    if (found.ends[stack])
      self += chart.value(i, side);
  }
  return {self, total};
}

/* The items of CHART, which are not the stacks in their order, by their stacks. */
function itemsByStack({items: stacks, n, profile}) {
  const next = new Uint32Array(profile.depth.length + 1), items = new Uint32Array(n);
  for (let i = 0; i < n; i++)
    next[stacks[i] + 1]++;
  for (let stack = 1; stack < next.length; stack++)
    next[stack] += next[stack - 1];
  for (let i = 0; i < n; i++)
    items[next[stacks[i]]++] = i;
  return {items, ends: next};
}

/* The places of matches that are too thin to draw: a bit for each block of items and each depth. */
class Marks {
  constructor(chart, found) {
    const blocks = chart.tall.length, most = Math.max(1, Math.floor(2 ** 24 / Math.max(1, blocks)));
    const words = Math.min(most, (chart.maxDepth >> 5) + 1);
    Object.assign(this, {chart, found, words, bits: new Uint32Array(blocks * words)});
    if (chart.items)
      this.fill();
    else
      this.fillStacks();
  }

  /* Where items are the stacks themselves, what matches in a stack is kept as bits by depth, as in blocks. */
  fillStacks() {
    const {chart: {profile, n, x, depth}, found: {isFrame, places}, words, bits} = this, {shared, offset, frames} = profile;
    const open = new Uint32Array(words);
    for (let i = 0, last = 0; i < n; i++) {
      if (places[i] < 0) { /* as in most: neither it nor what it shares has a match */
        open.fill(0, 0, last + 1);
        last = 0;
        continue;
      }
      const kept = shared[i], first = Math.floor(i / BLOCK) * words;
      for (let word = kept >> 5; word <= last; word++)
        open[word] &= word > kept >> 5 ? 0 : ~(-1 << (kept & 31));
      last = Math.min(words - 1, depth[i] >> 5);
      for (let k = offset[i], at = kept; k < offset[i + 1]; k++, at++)
        if (isFrame[frames[k]] && at >> 5 <= last)
          open[at >> 5] |= 1 << (at & 31);
      if (x[i + 1] > x[i])
        for (let word = 0; word <= last; word++)
          bits[first + word] |= open[word];
    }
  }

  /* Walks the stacks in order: in the order of the chart each would have to be searched for. */
  fill() {
    const {chart, found} = this, {isFrame} = found, {shared, offset, frames} = chart.profile, {items, ends} = itemsByStack(chart);
    const places = []; /* of the matches in the stack */
    for (let stack = 0, at = 0; stack < shared.length; stack++) {
      if (found.places[stack] < 0) { /* as most do: neither it nor what it shares has a match */
        places.length = 0;
        at = ends[stack];
        continue;
      }
      while (places.length && places[places.length - 1] >= shared[stack])
        places.pop();
      for (let k = offset[stack]; k < offset[stack + 1]; k++)
        if (isFrame[frames[k]])
          places.push(shared[stack] + k - offset[stack]);
      for (; at < ends[stack]; at++)
        this.mark(items[at], places);
    }
  }

  /* Sets the bits of item I, if visible, for the depths at which its stack has PLACES. */
  mark(i, places) {
    const {chart, words, bits} = this;
    if (chart.x[i + 1] <= chart.x[i])
      return;
    const first = Math.floor(i / BLOCK) * words;
    for (let k = 0; k < places.length; k++) {
      const depth = chart.depthOf(i, places[k]);
      if (depth >= 0 && depth < chart.depth[i] && depth >> 5 < words)
        bits[first + (depth >> 5)] |= 1 << (depth & 31);
    }
  }

  /* Updates the bits of the blocks of [A, B), whose items were reordered. */
  redo(a, b) {
    const {chart, words, bits} = this, first = Math.floor(a / BLOCK), end = Math.ceil(b / BLOCK);
    bits.fill(0, first * words, end * words);
    for (let i = first * BLOCK; i < Math.min(chart.n, end * BLOCK); i++)
      for (let depth = 0; depth < chart.depth[i] && depth >> 5 < words; depth++)
        if (this.isAt(i, depth))
          bits[Math.floor(i / BLOCK) * words + (depth >> 5)] |= 1 << (depth & 31);
  }

  has(block, depth) {
    return this.bits[block * this.words + (depth >> 5)] >>> (depth & 31) & 1;
  }

  isAt(i, depth) {
    const {chart, found} = this;
    return chart.depth[i] > depth && chart.x[i + 1] > chart.x[i] && found.places[chart.stack(i)] >= 0 &&
      found.isFrame[chart.frame(i, depth)];
  }

  /* Whether an item in [A, B) has a match at DEPTH. */
  any(a, b, depth) {
    while (a < b)
      if (a % BLOCK === 0 && a + BLOCK <= b && depth >> 5 < this.words) {
        if (this.has(a / BLOCK, depth))
          return true;
        a += BLOCK;
      } else if (this.isAt(a++, depth)) {
        return true;
      }
    return false;
  }
}
