/* Layout: the boxes of a chart that are visible in a range of positions, row by row. */

const THINNEST = 0.5; /* pixels: what is thinner is drawn together as one */

/* The pieces of a chart that are drawn: item ranges [a, b) at a depth, each one box or adjacent
 * thin boxes. */
class Pieces {
  constructor() {
    this.n = 0;
    this.rows = []; /* where the pieces of each depth begin */
    this.a = new Uint32Array(1024);
    this.b = new Uint32Array(1024);
    this.isThin = new Uint8Array(1024);
  }

  add(a, b, isThin) {
    if (this.n === this.a.length)
      for (const name of ['a', 'b', 'isThin']) {
        const grown = new this[name].constructor(2 * this.n);
        grown.set(this[name]);
        this[name] = grown;
      }
    this.a[this.n] = a;
    this.b[this.n] = b;
    this.isThin[this.n++] = isThin;
  }

  /* Adjacent thin boxes become one piece. */
  addThin(a, b) {
    const last = this.n - 1;
    if (last >= this.rows[this.rows.length - 1] && this.isThin[last] && this.b[last] === a)
      this.b[last] = b;
    else
      this.add(a, b, 1);
  }

  /* Calls VISIT(number, depth) for the pieces in the rows from depth FROM to depth TO, or in
   * all. */
  each(visit, from = 0, to = this.rows.length - 1) {
    for (let depth = Math.max(0, from); depth <= Math.min(to, this.rows.length - 1); depth++)
      for (let k = this.rows[depth]; k < (this.rows[depth + 1] ?? this.n); k++)
        visit(k, depth);
  }
}

/* The pieces of CHART between the positions LOW and HIGH on a line of WIDTH pixels. */
function layOut(chart, [low, high], width) {
  const pieces = new Pieces(), thinnest = THINNEST * (high - low) / width, {x, depth} = chart;

  /* The children of box [A, B) at ROW, as far as they are visible. */
  function addChildren(a, b, row) {
    chart.split(a, b, row);
    let i = a;
    if (x[a] < low) {
      i = chart.itemAt(low, a);
      i = depth[i] > row ? Math.max(a, chart.start(i, row)) : i;
    }
    while (i < b && x[i] < high) {
      const hasBox = depth[i] > row, end = hasBox ? chart.end(i, row) : i + 1;
      if (x[end] - x[i] >= thinnest) {
        if (hasBox)
          pieces.add(i, end, 0);
        i = end;
        continue;
      }
      let to = Math.min(b, chart.itemAt(x[i] + thinnest, i));
      if (to < b && depth[to] > row)
        to = chart.start(to, row);
      to = Math.max(to, end);
      if (chart.reaches(i, to, row))
        pieces.addThin(i, to);
      i = to;
    }
  }

  /* The rows above thin boxes, which cannot be told apart. */
  function addThinner(a, b, row) {
    for (let i = a, to; i < b; i = to) {
      to = Math.min(b, Math.max(i + 1, chart.itemAt(x[i] + thinnest, i)));
      if (chart.reaches(i, to, row))
        pieces.addThin(i, to);
    }
  }

  pieces.rows.push(0);
  addChildren(0, chart.n, 0);
  for (let row = 1, first = 0; first < pieces.n; row++) {
    const end = pieces.n;
    pieces.rows.push(end);
    for (let k = first; k < end; k++)
      (pieces.isThin[k] ? addThinner : addChildren)(pieces.a[k], pieces.b[k], row);
    first = end;
  }
  pieces.rows.pop();
  return pieces;
}
