'use strict';

/* Reads the profile: inflates the blocks of text in the page and decodes the columns in them. */

class Unreadable extends Error {}

/* The bytes of TEXT in base64. */
function fromBase64(text) {
  if (Uint8Array.fromBase64)
    return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/* The whole content of STREAM, in one piece. */
async function gather(stream) {
  const reader = stream.getReader(), chunks = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    size += part.value.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/* The inflated bytes of ELEMENTS, one zlib stream cut into pieces.  Each element is removed from
 * the page when it is read: its text is the largest part of the page. */
async function inflate(elements) {
  if (!window.DecompressionStream)
    throw new Unreadable('This browser cannot inflate data: Chromium 80, Firefox 113 and Safari 16.4 can.');
  const {readable, writable} = new DecompressionStream('deflate');
  async function feed() {
    const writer = writable.getWriter();
    for (const element of elements) {
      const text = element.textContent;
      element.remove();
      await writer.write(fromBase64(text));
    }
    await writer.close();
  }
  return (await Promise.all([gather(readable), feed()]))[0];
}

const damaged = () => new Unreadable('The data of this page is damaged: a part of it is missing or has been changed.');

/* Reads bytes in order. */
class Columns {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  varint() {
    let value = 0, scale = 1, byte;
    do {
      if (this.at >= this.bytes.length)
        throw damaged();
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  /* The bytes of the next column. */
  next() {
    const size = this.varint(), from = this.at;
    this.at += size;
    if (this.at > this.bytes.length)
      throw damaged();
    return this.bytes.subarray(from, this.at);
  }
}

/* The COUNT numbers in a column, each below LIMIT, at most 2^32. */
function varints(bytes, count, limit = 2 ** 32) {
  if (count > bytes.length)
    throw damaged();
  const numbers = new Uint32Array(count);
  let at = 0, largest = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++], value = byte & 127;
    for (let scale = 2 ** 7; byte > 127; scale *= 2 ** 7) {
      if (scale > 2 ** 28)
        throw damaged();
      byte = bytes[at++];
      value += (byte & 127) * scale;
    }
    numbers[i] = value;
    if (value > largest)
      largest = value;
  }
  if (at !== bytes.length || (count > 0 && largest >= limit))
    throw damaged();
  return numbers;
}

/* The COUNT numbers in a column, of any size. */
function largeVarints(bytes, count) {
  if (count > bytes.length)
    throw damaged();
  const column = new Columns(bytes), numbers = new Float64Array(count).map(() => column.varint());
  if (column.at !== bytes.length)
    throw damaged();
  return numbers;
}

/* The COUNT signed numbers in a column.  Numbers beyond 2^53 are rounded, like all in
 * JavaScript. */
function zigzags(bytes, count) {
  if (count > bytes.length)
    throw damaged();
  const numbers = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++];
    const isNegative = byte & 1;
    let size = (byte & 127) >> 1;
    for (let scale = 64; byte > 127; scale *= 128) {
      byte = bytes[at++];
      size += (byte & 127) * scale;
    }
    numbers[i] = isNegative ? -size - 1 : size;
  }
  if (at !== bytes.length)
    throw damaged();
  return numbers;
}

/* The COUNT texts in two columns: their lengths in bytes, and the bytes. */
function strings(lengths, bytes, count) {
  const sizes = varints(lengths, count), decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const text = decoder.decode(bytes), isAscii = text.length === bytes.length, found = new Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const end = at + sizes[i];
    found[i] = isAscii ? text.slice(at, end) : decoder.decode(bytes.subarray(at, end));
    at = end;
  }
  if (at !== bytes.length)
    throw damaged();
  return found;
}

/* The sum before each of NUMBERS, and the sum of all at the end. */
function offsets(numbers) {
  const sums = new Uint32Array(numbers.length + 1);
  for (let i = 0; i < numbers.length; i++)
    sums[i + 1] = sums[i] + numbers[i];
  return sums;
}

/* Sets of labels: each a list of [key, value]. */
function labelSets(bytes, count, names) {
  const columns = new Columns(bytes), sets = [];
  const name = () => names[columns.varint()];
  for (let i = 0; i < count; i++)
    sets.push(Array.from({length: columns.varint()}, () => [name(), name()]));
  return sets;
}

/* Stacks, outermost frame first: each shares a number of frames with the one before (shared),
 * and then has its own. */
function readStacks(columns, header) {
  const shared = varints(columns.next(), header.stacks), fresh = varints(columns.next(), header.stacks);
  const offset = offsets(fresh), depth = new Uint32Array(header.stacks);
  for (let i = 0; i < header.stacks; i++) {
    if (shared[i] > (i > 0 ? depth[i - 1] : 0))
      throw damaged();
    depth[i] = shared[i] + fresh[i];
  }
  return {shared, depth, offset, frames: varints(columns.next(), offset[header.stacks], header.frames)};
}

/* Cells are stacks, separated by source and set of labels: the stack, source and set of each
 * cell. */
function readCells(columns, header) {
  const count = header.cells, stack = new Uint32Array(count);
  if (!header.cellular)
    return {stack: stack.map((_, i) => i), source: new Uint32Array(count), set: new Uint32Array(count)};
  const first = offsets(varints(columns.next(), header.stacks));
  if (first[header.stacks] !== count)
    throw damaged();
  for (let i = 0; i < header.stacks; i++)
    stack.fill(i, first[i], first[i + 1]);
  return {stack, source: varints(columns.next(), count, header.sources.length),
          set: varints(columns.next(), count, header.sets)};
}

/* Streaks of equal adjacent samples, if samples have an order: the cell and the lane of each, and when it
 * begins and how long it lasts, if that is known. */
function readStreaks(columns, header) {
  const count = header.streaks, running = sum => zigzags(columns.next(), count).map(step => sum += step);
  const cell = running(0);
  if (cell.some(at => at < 0 || at >= header.cells))
    throw damaged();
  const streaks = {cell, types: header.types.map(() => columns.next().slice()),
    lane: varints(columns.next(), count, header.lanes.length)};
  return header.timed ? {...streaks, begin: running(0), length: largeVarints(columns.next(), count)} : streaks;
}

const UNTESTED = 0, NOISE = 1, SIGNIFICANT = 2; /* what profdiff's test says of a frame: enum flame_test */

/* The profile in BYTES.  The values of a type stay packed until it is shown; they are copied, so
 * that the rest can be freed. */
function decode(bytes) {
  const columns = new Columns(bytes), header = JSON.parse(new TextDecoder().decode(columns.next()));
  if (header.version !== 2)
    throw new Unreadable(`The data of this page has version ${header.version}; its script reads version 2.`);
  const profile = {header};
  profile.names = strings(columns.next(), columns.next(), header.names);
  profile.files = strings(columns.next(), columns.next(), header.files);
  profile.packages = strings(columns.next(), columns.next(), header.packages);
  profile.frameName = varints(columns.next(), header.frames, header.names);
  profile.frameFile = varints(columns.next(), header.frames, header.files + 1);
  profile.frameLine = largeVarints(columns.next(), header.frames);
  profile.framePackage = varints(columns.next(), header.frames, header.packages + 1);
  Object.assign(profile, readStacks(columns, header));
  profile.cells = readCells(columns, header);
  profile.types = header.types.map(() => columns.next().slice());
  profile.sets = header.cellular ? labelSets(columns.next(), header.sets, profile.names) : [[]];
  profile.streaks = header.streaks ? readStreaks(columns, header) : null;
  profile.tested = header.sides === 2 ? columns.next().slice() : null;
  profile.excerpts = header.excerpts ? readExcerpts(columns, header) : null;
  return profile;
}
