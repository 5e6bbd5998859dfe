/* Charts: trees of boxes over a row of items, which are stacks or, in the order of time, streaks of
 * samples.
 *
 * Boxes are not objects.  Each item has a number of frames (depth), and shares a number of them
 * with the item before (shared).  The box at depth D that holds item I starts at the last item
 * up to I that shares at most D frames, and ends before the next such item.  The positions of
 * items (x) are sums of their values, so the width of a box is its sum. */

/* For each of SHARED, the nearest smaller one before it (up) and after it (next). */
function links(shared) {
  const n = shared.length, up = new Int32Array(n), next = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    let j = i - 1;
    while (j >= 0 && shared[j] >= shared[i])
      j = up[j];
    up[i] = j;
  }
  for (let i = n - 1; i >= 0; i--) {
    let j = i + 1;
    while (j < n && shared[j] >= shared[i])
      j = next[j];
    next[i] = j;
  }
  return {up, next};
}

const BLOCK = 64; /* items that are looked at together */

class Chart {
  /* ITEMS: for each item its stack; null where items are the stacks themselves.  VALUED: for each
   * item the index of its value; null where that is the item itself. */
  constructor(profile, items, shared, depth, valued = null) {
    Object.assign(this, {profile, items, shared, depth, valued, n: depth.length, maxDepth: 0});
    for (let i = 0; i < this.n; i++)
      this.maxDepth = Math.max(this.maxDepth, depth[i]);
    this.tall = new Uint32Array(Math.ceil(this.n / BLOCK));
  }

  stack(i) {
    return this.items ? this.items[i] : i;
  }

  /* The frame of item I at DEPTH; the item must be that deep. */
  frame(i, depth) {
    return frameOf(this.profile, this.stack(i), this.place(i, depth));
  }

  /* The index of the frame at DEPTH in the stack of item I, 0 is outermost; and the reverse. */
  place(i, depth) {
    return depth;
  }

  depthOf(i, place) {
    return place;
  }

  start(i, depth) {
    while (this.shared[i] > depth)
      i = this.up[i];
    return i;
  }

  end(i, depth) {
    let j = i + 1;
    while (j < this.n && this.shared[j] > depth)
      j = this.next[j];
    return j;
  }

  /* Makes sure that the boxes at DEPTH in [A, B), a box at the depth before, are known. */
  split(a, b, depth) {}

  /* VALUES: for each side the values of what items are numbered by.  BY: the side that is drawn. */
  weigh(values, by) {
    this.values = values;
    this.sums = values.map(() => new Float64Array(this.n + 1));
    this.x = this.times ?? this.sums[by];
    this.marks = null; /* of what is searched for: see Marks */
    this.sum(0, this.n);
  }

  /* The index of the value of item I. */
  number(i) {
    return this.valued ? this.valued[i] : i;
  }

  value(i, side) {
    return this.values[side][this.number(i)];
  }

  /* Adds up the values of the items in [A, B), starting from the sum before them. */
  sum(a, b) {
    const {sums, values} = this;
    for (let side = 0; side < sums.length; side++)
      for (let i = a, of = sums[side], list = values[side]; i < b; i++)
        of[i + 1] = of[i] + list[this.number(i)];
    for (let block = Math.floor(a / BLOCK); block * BLOCK < b; block++)
      this.tall[block] = this.tallest(block);
    this.marks?.redo(a, b);
  }

  total(a, b, side) {
    return this.sums[side][b] - this.sums[side][a];
  }

  get width() {
    return this.x[this.n];
  }

  /* The item at position X, searched from item FROM on. */
  itemAt(x, from = 0) {
    let step = 1, low = from;
    while (low + step < this.n && this.x[low + step] <= x) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, this.n);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.x[middle] <= x)
        low = middle;
      else
        high = middle;
    }
    return low;
  }

  /* The maximum depth of the visible items of BLOCK. */
  tallest(block) {
    let most = 0;
    for (let i = block * BLOCK; i < Math.min(this.n, (block + 1) * BLOCK); i++)
      if (this.depth[i] > most && this.x[i + 1] > this.x[i])
        most = this.depth[i];
    return most;
  }

  /* Whether a visible item in [A, B) has a frame at DEPTH. */
  reaches(a, b, depth) {
    while (a < b)
      if (a % BLOCK === 0 && a + BLOCK <= b) {
        if (this.tall[a / BLOCK] > depth)
          return true;
        a += BLOCK;
      } else {
        if (this.depth[a] > depth && this.x[a + 1] > this.x[a])
          return true;
        a++;
      }
    return false;
  }

  /* Calls VISIT(start, end, hasBox) for all parts of [A, B), a box at the depth before, until it
   * returns true: the boxes at DEPTH, and the stacks that end before it. */
  eachChild(a, b, depth, visit) {
    this.split(a, b, depth);
    for (let i = a, end; i < b; i = end) {
      const hasBox = this.depth[i] > depth;
      end = hasBox ? this.end(i, depth) : i + 1;
      if (visit(i, end, hasBox))
        return;
    }
  }

  /* The sum of the stacks that end in box [A, B) at DEPTH. */
  self(a, b, depth, side) {
    let sum = 0;
    for (let i = a; i < b; i++)
      if (this.depth[i] === depth + 1)
        sum += this.value(i, side);
    return sum;
  }
}

/* The frame of STACK at the index PLACE. */
function frameOf(profile, stack, place) {
  const {shared, up, offset, frames} = profile;
  while (shared[stack] > place)
    stack = up[stack];
  return frames[offset[stack] + place - shared[stack]];
}

/* How many frames two stacks have in common. */
function sharedBy(profile, a, b) {
  if (a === b)
    return profile.depth[a];
  let first = Math.min(a, b), last = Math.max(a, b);
  while (profile.up[last] > first)
    last = profile.up[last];
  let count = profile.shared[last];
  if (profile.isRefined)
    while (count < profile.depth[a] && count < profile.depth[b] && frameOf(profile, a, count) === frameOf(profile, b, count))
      count++;
  return count;
}

/* All stacks in order: a flame graph. */
function callsChart(profile) {
  return Object.assign(new Chart(profile, null, profile.shared, profile.depth), {up: profile.up, next: profile.next});
}

/* The samples of STREAKS, in the order of time: a flame chart.  Where times are known, gaps are items
 * without frames; they have the value of a streak beyond the last. */
function timeChart(profile, streaks) {
  const {cell, begin, length} = profile.streaks, stacks = [], shared = [], depth = [], valued = [], times = [0];
  let last = 0; /* the depth of the item before */
  const add = (stack, frames, streak, end) => {
    shared.push(Math.min(last, frames) && sharedBy(profile, stacks[stacks.length - 1], stack));
    depth.push(last = frames);
    stacks.push(stack);
    valued.push(streak);
    times.push(end);
  };
  for (const streak of streaks) {
    const stack = profile.cells.stack[cell[streak]];
    if (begin?.[streak] > times[times.length - 1])
      add(stack, 0, cell.length, begin[streak]);
    add(stack, profile.depth[stack], streak, begin?.[streak] + length?.[streak]);
  }
  const chart = new Chart(profile, stacks, shared, depth, valued);
  return Object.assign(chart, links(shared), {times: begin && times});
}

/* Compares texts by their characters, as tools compare bytes of UTF-8: surrogates come last. */
function compareTexts(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i])
    i++;
  const [p, q] = [a, b].map(text => text.charCodeAt(i) || 0);
  return p >= 0xd800 && q >= 0xd800 ? (p < 0xe000) - (q < 0xe000) || p - q : p - q;
}

/* Orders frames by name, file and line, as flame_make.c does. */
function compareFrames({names, files, frameName, frameFile, frameLine}, p, q) {
  const file = frame => frameFile[frame] ? files[frameFile[frame] - 1] : '';
  return compareTexts(names[frameName[p]], names[frameName[q]]) || compareTexts(file(p), file(q)) ||
    frameLine[p] - frameLine[q] || p - q;
}

/* Stacks from one of their frames on, outward or inward.  Sorting all of them would take
 * seconds, so boxes that are wide enough to see are split by their next frames when needed. */
class SplitChart extends Chart {
  /* STACKS: the stacks in it.  ANCHOR: for each stack of the profile the index of its frame at
   * depth 0.  STEP: 1 goes inward, -1 outward. */
  constructor(profile, stacks, anchor, step) {
    const size = stack => step > 0 ? profile.depth[stack] - anchor[stack] : anchor[stack] + 1;
    super(profile, stacks, new Uint32Array(stacks.length), stacks.map(size), stacks);
    Object.assign(this, {anchor, step, size});
    this.up = new Int32Array(this.n).fill(-1);
    this.next = new Uint32Array(this.n).fill(this.n);
    this.ready = new Uint32Array(this.n); /* how many depths are split of what begins here */
    this.slot = new Int32Array(profile.frameName.length + 1).fill(-1); /* of a frame: its group */
  }

  place(i, depth) {
    return this.anchor[this.items[i]] + this.step * depth;
  }

  depthOf(i, place) {
    return (place - this.anchor[this.items[i]]) * this.step;
  }

  split(a, b, depth) {
    if (a >= b || this.ready[a] > depth)
      return;
    this.ready[a] = depth + 1;
    if (b - a > 1)
      this.arrange(a, b, depth, this.group(a, b, depth));
  }

  /* Sorts the items in [A, B) into groups by their frames at DEPTH, after those without a frame
   * there. */
  group(a, b, depth) {
    const groups = [], slots = new Uint32Array(b - a), items = this.items.slice(a, b);
    for (let i = a; i < b; i++) {
      const hasBox = this.depth[i] > depth, key = hasBox ? this.frame(i, depth) + 1 : 0;
      if (this.slot[key] < 0)
        this.slot[key] = groups.push({key, hasBox, count: 0, start: 0, end: 0}) - 1;
      groups[slots[i - a] = this.slot[key]].count++;
    }
    const sorted = groups.slice().sort((p, q) => p.hasBox - q.hasBox || compareFrames(this.profile, p.key - 1, q.key - 1));
    let at = a;
    for (const group of sorted) {
      this.slot[group.key] = -1;
      group.start = group.end = at;
      at += group.count;
    }
    for (let i = 0; i < items.length; i++)
      this.items[groups[slots[i]].end++] = items[i];
    return sorted;
  }

  /* Makes the GROUPS of the items in [A, B) boxes at DEPTH: items of a group share at least one
   * frame more. */
  arrange(a, b, depth, groups) {
    for (const {start, end, hasBox} of groups)
      for (let at = start; at < end; at++) {
        const isStart = !hasBox || at === start;
        this.depth[at] = this.size(this.items[at]);
        if (at === a)
          continue;
        this.shared[at] = isStart ? depth : depth + 1;
        this.up[at] = isStart ? a : start;
        this.next[at] = isStart ? b : end;
      }
    this.sum(a, b);
  }
}

/* The numbers of the stacks of PROFILE for which ISWANTED is true. */
function chooseStacks(profile, isWanted) {
  const stacks = new Uint32Array(profile.depth.length);
  let count = 0;
  for (let stack = 0; stack < stacks.length; stack++)
    if (isWanted(stack))
      stacks[count++] = stack;
  return stacks.slice(0, count);
}

/* All stacks of a profile of which frames are hidden: stacks that have become equal may be apart. */
function refinedChart(profile) {
  return new SplitChart(profile, profile.depth.map((_, stack) => stack), new Int32Array(profile.depth.length), 1);
}

/* The callers of the functions in which samples ended. */
function callersChart(profile) {
  const stacks = chooseStacks(profile, stack => profile.depth[stack] > 0);
  return new SplitChart(profile, stacks, profile.depth.map(depth => depth - 1), -1);
}

/* The callers and the callees of the function with number NAME: two charts.  Each stack counts
 * once, from the outermost frame of the function. */
function sandwichCharts(profile, name) {
  const isWanted = profile.frameName.map(of => of === name), place = firstPlaces(profile, isWanted);
  const stacks = chooseStacks(profile, stack => place[stack] >= 0);
  return [new SplitChart(profile, stacks, place, -1), new SplitChart(profile, stacks.slice(), place, 1)];
}

/* For each stack the index of its outermost frame in ISWANTED, a flag for each frame; -1: none. */
function firstPlaces(profile, isWanted) {
  const {shared, offset, frames} = profile, places = new Int32Array(shared.length);
  for (let i = 0; i < places.length; i++) {
    const end = offset[i + 1];
    let place = i > 0 && places[i - 1] < shared[i] ? places[i - 1] : -1;
    for (let k = offset[i]; k < end && place < 0; k++)
      if (isWanted[frames[k]])
        place = shared[i] + k - offset[i];
    places[i] = place;
  }
  return places;
}
