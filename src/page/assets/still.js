'use strict';

/* Zooms and searches in a flame graph that is opened by itself.  Nothing is loaded, and no markup
 * is made out of text. */

(() => {
  const svg = document.currentScript.closest('svg'), SVG = 'http://www.w3.org/2000/svg';
  const HTML = 'http://www.w3.org/1999/xhtml', number = (element, name) => Number(element.getAttribute(name));
  const make = (space, name, attributes, parent) => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes))
      element.setAttribute(key, value);
    return parent.appendChild(element);
  };
  const heading = svg.querySelector('.faint'), said = heading.textContent, size = number(heading, 'font-size');
  const PAD = 3, FOUND = '#4a0072', FOUND_INK = '#fff', EDGE = 0.01; /* coordinates are rounded */

  /* The first box is all; the name of others is before their sums, and boxes of several have none. */
  const boxes = [...svg.querySelectorAll('g')].map((group, i) => {
    const rect = group.querySelector('rect'), title = group.querySelector('title').textContent;
    return {group, rect, title, text: group.querySelector('text'), fill: rect.getAttribute('fill'),
      name: i === 0 ? 'all' : title.slice(0, Math.max(0, title.lastIndexOf(' (self '))),
      x: number(rect, 'x'), y: number(rect, 'y'), width: number(rect, 'width'), height: number(rect, 'height')};
  });
  const [all] = boxes;
  const names = new Map(); /* by row and text: the name that has the label */
  let zoomed = all, current = null, found = null;

  /* --- drawing --- */

  /* NAME, with its middle left out where it has no room. */
  function fit(name, width) {
    const columns = Math.floor((width - 2 * PAD) / (0.6 * size));
    if (columns < 3)
      return '';
    const half = Math.ceil((columns - 1) / 2);
    return name.length <= columns ? name : `${name.slice(0, half)}…${name.slice(name.length + 1 + half - columns)}`;
  }

  /* The text in a box; none where it would look like that of another name in the row. */
  function labelOf(box, width) {
    const text = box.name && fit(box.name, width), key = `${box.y} ${text}`;
    if (!names.has(key))
      names.set(key, box.name);
    return names.get(key) === box.name ? text : '';
  }

  function write(box, x, width, isOuter) {
    const label = labelOf(box, width), isFound = found?.has(box);
    if (label && !box.text)
      box.text = make(SVG, 'text', {'font-size': size, y: box.y + box.height + 1 - size * 5 / 12}, box.group);
    if (box.text) {
      box.text.textContent = label;
      box.text.setAttribute('x', x + PAD);
      box.text.setAttribute('class', isOuter ? '' : 'on');
      box.text.style.fill = isFound ? FOUND_INK : '';
    }
    box.rect.setAttribute('fill', isFound ? FOUND : box.fill);
    box.rect.setAttribute('fill-opacity', isOuter && !isFound ? 0.35 : 1);
  }

  function draw() {
    const scale = all.width / zoomed.width, end = zoomed.x + zoomed.width;
    names.clear();
    for (const box of boxes) {
      const from = Math.max(zoomed.x, box.x), to = Math.min(end, box.x + box.width);
      const isIn = to - from > Math.min(EDGE, box.width / 2), x = all.x + (from - zoomed.x) * scale;
      box.group.setAttribute('display', isIn ? 'inline' : 'none');
      if (!isIn)
        continue;
      box.rect.setAttribute('x', x);
      box.rect.setAttribute('width', (to - from) * scale);
      write(box, x, (to - from) * scale, box.width > zoomed.width + EDGE);
    }
    frame();
  }

  function frame() {
    mark.setAttribute('display', current ? 'inline' : 'none');
    if (current)
      for (const name of ['x', 'y', 'width', 'height'])
        mark.setAttribute(name, current.rect.getAttribute(name));
  }

  function zoom(box) {
    zoomed = box;
    draw();
  }

  /* The innermost box around the zoomed one that is wider. */
  function zoomOut() {
    const isAround = box => box.width > zoomed.width + EDGE && box.x <= zoomed.x + EDGE &&
      box.x + box.width >= zoomed.x + zoomed.width - EDGE && box.name;
    zoom(boxes.filter(isAround).reduce((p, q) => q.width < p.width ? q : p, all));
  }

  /* --- search --- */

  function search() {
    let text = said;
    found = null;
    if (input.value)
      try {
        const pattern = makeExpression(input.value, 'i');
        found = new Set(boxes.filter(box => box !== all && box.name && pattern.test(box.name)));
        text = `found: ${(100 * covered() / all.width).toFixed(2)} % of all`;
      } catch (error) {
        text = error.message;
      }
    heading.textContent = text;
    draw();
  }

  /* The width of all that is found: what is in a match counts once. */
  function covered() {
    let sum = 0, end = -1;
    for (const {x, width} of [...found].sort((p, q) => p.x - q.x || q.width - p.width)) {
      sum += Math.max(0, x + width - Math.max(x, end));
      end = Math.max(end, x + width);
    }
    return sum;
  }

  /* --- keys --- */

  /* The widest box in sight that stands in the next row up or down, or beside the current one. */
  function go(up, side) {
    const place = box => [number(box.rect, 'x'), number(box.rect, 'x') + number(box.rect, 'width')];
    current ??= zoomed;
    const [left, right] = place(current), inSight = boxes.filter(box => box.group.getAttribute('display') !== 'none');
    const rows = [...new Set(inSight.map(box => box.y))].sort((p, q) => p - q), y = rows[rows.indexOf(current.y) + up];
    const near = inSight.filter(box => box.y === y && (side ? (place(box)[0] - left) * side > EDGE :
      place(box)[0] < right - EDGE && place(box)[1] > left + EDGE));
    const size = box => side ? -Math.abs(place(box)[0] - left) : place(box)[1] - place(box)[0];
    current = near.reduce((p, q) => size(q) > size(p) ? q : p, near[0]) ?? current;
    heading.textContent = current.title;
    frame();
  }

  const KEYS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

  function key(event) {
    const isSearch = event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey));
    if (isSearch && event.target !== input)
      input.select();
    else if (event.target === input || event.ctrlKey || event.altKey || event.metaKey)
      return;
    else if (KEYS[event.key])
      go(...current ? KEYS[event.key] : [0, 0]);
    else if (event.key === 'Enter' && current?.name)
      zoom(current);
    else if (event.key === 'Escape')
      zoomOut();
    else if (event.key === '0')
      zoom(all);
    else
      return;
    event.preventDefault();
  }

  /* --- what a picture without a script does not have --- */

  const mark = make(SVG, 'rect', {fill: 'none', stroke: '#1558b0', 'stroke-width': 2, 'pointer-events': 'none'}, svg);
  const width = 14 * size, place = {x: all.x + all.width - width, y: size / 2, width, height: 2.4 * size};
  const room = make(SVG, 'foreignObject', place, svg);
  const input = make(HTML, 'input', {type: 'search', placeholder: 'search', 'aria-label': 'Search by an expression'}, room);
  Object.assign(input.style, {font: `${size}px monospace`, width: '100%', boxSizing: 'border-box', colorScheme: 'light'});
  heading.setAttribute('aria-live', 'polite');
  svg.setAttribute('role', 'application');
  svg.setAttribute('tabindex', 0);
  for (const box of boxes) {
    box.group.setAttribute('cursor', 'pointer');
    box.group.addEventListener('click', () => box.name && zoom(current = box));
  }
  input.addEventListener('input', search);
  input.addEventListener('keydown', event => event.key === 'Escape' && svg.focus());
  svg.addEventListener('keydown', key);
})();
