/* How names, numbers and functions are shown: texts and colours, the same as in the tools. */

/* NAME with everything made visible, as in visible.c. */
function visible(name) {
  return name
    .replace(/[\0-\x1f\x7f]/g, c => c === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\x80-\x9f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g, '\ufffd');
}

/* --- numbers, scaled as sheet.h does --- */

/* How many base units one UNIT is, as in units.c. */
const NANOSECONDS = {nanoseconds: 1, nanosecond: 1, ns: 1, microseconds: 1e3, microsecond: 1e3, us: 1e3,
  milliseconds: 1e6, millisecond: 1e6, ms: 1e6, seconds: 1e9, second: 1e9, s: 1e9, minutes: 6e10, hours: 3.6e12};
const [KB, MB, GB] = [2 ** 10, 2 ** 20, 2 ** 30];
const BYTES = {bytes: 1, byte: 1, B: 1, b: 1, kilobytes: KB, kilobyte: KB, kB: KB, kb: KB, KB,
  megabytes: MB, megabyte: MB, mb: MB, MB, gigabytes: GB, gigabyte: GB, gb: GB, GB};
const TIMES = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];
const SIZES = [['GB', GB], ['MB', MB], ['kB', KB], ['B', 1]];

/* VALUE in UNIT for humans, at the scale that suits LARGEST, with two decimals. */
function scaled(value, unit, largest = value) {
  const one = NANOSECONDS[unit] ?? BYTES[unit];
  if (!one)
    return exact(value, unit);
  const scales = NANOSECONDS[unit] ? TIMES : SIZES, size = Math.abs(largest * one);
  const [name, scale] = scales.find(([, least]) => least <= size) ?? scales[scales.length - 1];
  return `${grouped(scale > 1 ? decimal(value * one / scale) : String(Math.round(value * one * 100) / 100))} ${name}`;
}

/* N with two decimals, or as many as show its first digit other than 0. */
function decimal(n) {
  return n.toFixed(n === 0 ? 2 : Math.min(18, Math.max(2, Math.ceil(-Math.log10(Math.abs(n))))));
}

/* TEXT, a number, from five digits on in groups of three. */
const grouped = text => text.replace(/^-?\d{5,}/, whole => whole.replace(/\B(?=(\d{3})+$)/g, '\u202f'));

/* VALUE unscaled, to the precision of a double: the last bits of fractions are noise. */
function exact(value, unit) {
  const isRounded = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  const shown = Number.isInteger(value) ? value : Number(value.toPrecision(15));
  return `${isRounded ? 'about ' : ''}${grouped(String(shown))}${unit === 'count' ? '' : ' ' + unit}`;
}

/* SHARE of 1 in percent; small ones keep two digits. */
function percent(share) {
  const n = 100 * share;
  return Number.isFinite(n) ? `${n === 0 || Math.abs(n) >= 0.1 ? n.toFixed(2) : n.toPrecision(2)}\u00a0%` : '';
}

/* CHANGE of a share in points of percent. */
function signed(change) {
  const n = 100 * change;
  return `${n > 0 ? '+' : n < 0 ? '\u2212' : '±'}${Math.abs(n).toFixed(2)}`;
}

const points = change => `${signed(change)} points`;

/* --- colours, computed as in colour.h --- */

const encoder = new TextEncoder();

/* FNV-1a of the bytes of TEXT.  Most text is ASCII, which needs no encoder: pictures hash
 * thousands of names. */
function hash(text) {
  let sum = 2166136261;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0 || code > 127)
      return hashBytes(encoder.encode(text.replaceAll('\0', '\ufffd')));
    sum = Math.imul(sum ^ code, 16777619);
  }
  return sum >>> 0;
}

function hashBytes(bytes) {
  return bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619), 2166136261) >>> 0;
}

function hsl(hue, saturation, lightness) {
  const chroma = (100 - Math.abs(2 * lightness - 100)) * saturation, most = 2 * chroma;
  const least = 200 * lightness - chroma;
  const between = Math.floor(most * (60 - Math.abs(hue % 120 - 60)) / 60);
  /* around the circle each channel is at its maximum for a third, and rises or falls for a sixth
   * each */
  const channel = turn => {
    const sixth = Math.floor((hue + turn) % 360 / 60), part = [most, between, 0, 0, between, most][sixth];
    return Math.floor((255 * (part + least) + 10000) / 20000);
  };
  return rgb(channel(0), channel(240), channel(120));
}

function rgb(red, green, blue) {
  return '#' + (1 << 24 | red << 16 | green << 8 | blue).toString(16).slice(1);
}

/* What the hue of a function depends on, by palette.  PLACE is its file, or for package its package. */
const KIN = {
  package: (name, place) => place,
  r: name => name.startsWith('<') ? '' : name.indexOf('::') > 0 ? name.slice(0, name.indexOf('::')) : name,
  file: (name, place) => place,
  type: (name, place) => /.(_\[[^]\])$/s.exec(name)?.[1] ?? /\.[^./]*$/.exec(place)?.[0] ?? '',
};

function colourOf(palette, name, place) {
  const h = hash(name);
  if (!Object.hasOwn(KIN, palette))
    return hsl(6 + h % 44, 80 + (h >>> 8) % 16, 62 + (h >>> 16) % 9);
  const kin = KIN[palette](name, place), lightness = 67 + (h >>> 16) % 9;
  return kin ? hsl(hash(kin) % 360, 45 + (h >>> 8) % 16, lightness) : hsl(0, 0, lightness);
}

const GREY = '#c8c8c8', LESS = [0x4f, 0x9b, 0xe8], NONE = [0xdc, 0xdc, 0xdc], MORE = [0xf5, 0x8a, 0x1f];

/* The colour of a change in thousandths of the largest. */
function colourOfChange(thousandths) {
  const end = thousandths < 0 ? LESS : MORE, size = Math.min(1000, Math.abs(thousandths));
  return rgb(...end.map((part, i) => Math.floor((NONE[i] * (1000 - size) + part * size + 500) / 1000)));
}
