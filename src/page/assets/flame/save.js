/* Saving what the page shows as a picture: all rows, as wide as in the window. */

const SVG = 'http://www.w3.org/2000/svg', SAVED_TOP = 44 /* pixels, for the title and what is shown */, SAVED_MOST = 16000;

/* Does for a picture in SVG what the context of a canvas does for pixels, as far as painting needs
 * it.  Elements are made one by one: no markup is made out of text. */
class SvgContext {
  constructor(width, height) {
    this.root = this.add('svg', {xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': FONT}, null);
    Object.assign(this, {parent: this.root, globalAlpha: 1, lineWidth: 1, fillStyle: '', strokeStyle: ''});
  }

  add(name, attributes, parent = this.parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
      if (key !== 'xmlns')
        element.setAttribute(key, typeof value === 'number' ? Number(value.toFixed(3)) : value);
    parent?.append(element);
    return element;
  }

  /* What follows, up to the next title, is a group of this TITLE. */
  title(title) {
    this.parent = this.add('g', {}, this.root);
    this.add('title', {}).textContent = title;
  }

  fillRect(x, y, width, height) {
    const faded = this.globalAlpha < 1 ? {'fill-opacity': this.globalAlpha} : {};
    this.add('rect', {x, y, width, height, fill: this.fillStyle, ...faded});
  }

  strokeRect(x, y, width, height) {
    this.add('rect', {x, y, width, height, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth});
  }

  /* Not every program knows baselines in the middle. */
  fillText(text, x, y) {
    this.add('text', {x, y: y + FONT_SIZE / 3, 'font-size': FONT_SIZE, fill: this.fillStyle}).textContent = text;
  }

  translate(x, y) {
    this.root = this.add('g', {transform: `translate(${x} ${y})`}, this.root);
  }

  get element() {
    return this.root.closest('svg');
  }
}

/* Paints the page's picture with CONTEXT, all rows of it, below its title. */
function paintSaved(context, height) {
  const colours = pageColours(), style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name), {top, height: inSight} = view;
  context.fillStyle = colour('paper');
  context.fillRect(0, 0, view.width, height);
  const columns = Math.floor((view.width - 2 * PAD) / COLUMN);
  for (const [name, text, y] of [['ink', visible(view.profile.header.title), 14], ['faint', ui.summary.textContent, 32]]) {
    context.fillStyle = colour(name);
    context.fillText(cut(text, columns), PAD, y);
  }
  context.translate(0, SAVED_TOP);
  Object.assign(view, {top: view.blank * view.rowHeight, height: height - SAVED_TOP});
  context.translate(0, -view.top);
  paintPicture(context, colours);
  Object.assign(view, {top, height: inSight});
}

const savedHeight = () => Math.min(SAVED_MOST, (view.rows - view.blank) * view.rowHeight) + SAVED_TOP;

/* Lets the browser save BLOB, named after the profile. */
function download(blob, suffix) {
  const name = view.profile.header.title.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^[-.]+|-+$/g, '').slice(0, 80);
  const href = URL.createObjectURL(blob);
  make('a', {href, download: (name || 'flame') + suffix}).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

function saveSvg() {
  const height = savedHeight(), context = new SvgContext(view.width, height);
  paintSaved(context, height);
  download(new Blob([new XMLSerializer().serializeToString(context.element)], {type: 'image/svg+xml'}), '.svg');
}

function savePng() {
  const height = savedHeight(), canvas = make('canvas'), context = prepare(canvas, {width: view.width, height, top: 0});
  setFont(context);
  paintSaved(context, height);
  canvas.toBlob(blob => download(blob, '.png'));
}
