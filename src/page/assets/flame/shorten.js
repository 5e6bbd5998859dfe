/* Shortens names so that what tells them apart stays: the rule of base/shorten.h. */

const MARK = '…', SHORTEN_MIN = 3, NAME_MAX = 1024;

/* --- columns --- */

const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const TWO_COLUMNS = new RegExp('[\\u1100-\\u115f\\u2e80-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f' +
  '\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]', 'u'); /* about what width.c takes two for */
const columnsOf = c => c < '\u0300' ? 1 : TWO_COLUMNS.test(c) ? 2 : NO_COLUMN.test(c) ? 0 : 1;

/* The start of TEXT that takes at most MAX columns, and how many it takes. */
function startOf(text, max) {
  let width = 0, end = 0;
  for (const c of text) {
    const columns = columnsOf(c);
    if (width + columns > max)
      break;
    width += columns;
    end += c.length;
  }
  return {text: text.slice(0, end), width};
}

const widthOf = text => startOf(text, Infinity).width;

/* TEXT, no name, in at most MAX columns; empty if too little would be left. */
function cut(text, max) {
  if (widthOf(text) <= max)
    return text;
  return max < SHORTEN_MIN ? '' : startOf(text, max - 1).text + MARK;
}

/* The end of TEXT that takes at most MAX columns. */
function endOf(text, max) {
  const rest = Math.max(0, widthOf(text) - max), skipped = startOf(text, rest);
  return text.slice((skipped.width < rest ? startOf(text, rest + 1) : skipped).text.length);
}

/* --- brackets and words --- */

const WORD = String.raw`(?:[\w$]|[^\0-\x7f])`; /* a letter of a name */
const ONE_WORD = new RegExp(WORD), isWord = c => ONE_WORD.test(c ?? '');
const isDigit = c => c >= '0' && c <= '9';
const isSlash = c => c === '/' || c === '\\';
const isOfPath = c => isWord(c) || (c !== undefined && '.@%+~-!='.includes(c));
const followsOperator = (s, i) => s.endsWith('operator', i) && !isWord(s[i - 9]);

/* The place of the bracket that closes the one at I; 0: there is none. */
function closeOf(s, i) {
  const open = s[i], closing = {'(': ')', '[': ']', '{': '}', '<': '>'}[open];
  for (let depth = 0; i < s.length; i++) {
    const isArrow = s[i] === '>' && (s[i - 1] === '-' || s[i - 1] === '=');
    depth += (s[i] === open) - (s[i] === closing && !isArrow);
    if (depth === 0)
      return i;
  }
  return 0;
}

function afterBrackets(s, i) {
  if (!'([{<'.includes(s[i]) || followsOperator(s, i))
    return i;
  return (closeOf(s, i) || i - 1) + 1;
}

/* --- steps --- */

function dropHost(s) {
  const host = /^(?=[^/]*\.)[a-z\d.-]+\//.exec(s)?.[0] ?? '';
  return isOfPath(s[host.length]) ? s.slice(host.length) : s;
}

const VERSION = new RegExp(`^v\\d+(?!${WORD})`);

function dropFolders(s) {
  let to = '', begin = 0;
  for (let i = 0; i < s.length; i++) {
    const isRoot = s[i] === ':' && isSlash(s[i + 1]) && (isSlash(s[i + 2]) || to.length - begin === 1);
    const isEnd = isSlash(s[i]) && (isOfPath(s[i + 1]) || isSlash(s[i + 1])) && !followsOperator(s, i);
    const address = isEnd ? /^.0x[\da-f]*/.exec(s.slice(i))?.[0].length : 0;
    const isVersion = isEnd && VERSION.test(s.slice(i + 1));
    if (address) {
      i += address - 1;
    } else if (isRoot || (isEnd && (!isVersion || to.length === begin))) {
      to = to.slice(0, begin);
    } else {
      to += s[i];
      begin = isOfPath(s[i]) || isEnd ? begin : to.length;
    }
  }
  return to;
}

function afterGenerics(s, i) {
  if (s.startsWith('::<', i)) {
    const close = closeOf(s, i + 2);
    return close && !s.startsWith('impl ', i + 3) && s.startsWith('::', close + 1) ? close + 1 : i;
  }
  const isList = s[i] === '[' && s[i - 1] !== '_' && s[i + 1] !== ']'; /* an annotation, _[k], is none, nor is an array */
  if (!isWord(s[i - 1]) || followsOperator(s, i) || (s[i] !== '<' && !isList))
    return i;
  return (closeOf(s, i) || i - 1) + 1;
}

function dropGenerics(s) {
  let to = '';
  for (let i = 0; i < s.length;) {
    const end = afterGenerics(s, i);
    if (end === i)
      to += s[i++];
    i = Math.max(i, end);
  }
  return to;
}

function beginsArguments(s, i) {
  let symbols = i, digits = i;
  if (s[i] !== '(' || followsOperator(s, i))
    return false;
  while (symbols > 0 && '<>=!+-*/%^&|~,[]()'.includes(s[symbols - 1]))
    symbols--;
  while (digits > 0 && isDigit(s[digits - 1]))
    digits--;
  const isPlace = digits < i && s[digits - 1] === ':';
  return !isPlace && (isWord(s[i - 1]) || s[i - 1] === '>' || s[i - 1] === ']' ||
    (symbols < i && followsOperator(s, symbols)));
}

function suffixSize(s) {
  let n = /^(?: const)?(?: volatile)?(?: noexcept)?(?: &&)?(?: &)?(?:\[abi:cxx11\])?/.exec(s)[0].length;
  if (s.startsWith(' [', n) && closeOf(s, n + 1))
    n = closeOf(s, n + 1) + 1;
  return n;
}

function returnEnd(s) {
  let end = 0;
  for (let i = 0, after; i < s.length; i = Math.max(after, i + 1)) {
    after = afterBrackets(s, i);
    end = s[i] === ' ' && !followsOperator(s, i) ? i : end;
  }
  return /(?: to| for)$/.test(s.slice(0, end)) ? 0 : end;
}

function dropArguments(s) {
  let to = '', lists = 0;
  for (let i = 0; i < s.length;) {
    const close = beginsArguments(s, i) ? closeOf(s, i) : 0;
    if (!close) {
      to += s[i++];
      continue;
    }
    lists++;
    i = close + 1;
    i += suffixSize(s.slice(i));
    i = /^\[*(?:[BCDFIJSVZ]|L.*;)$/s.test(s.slice(i)) ? s.length : i;
  }
  const end = lists ? returnEnd(to) : 0;
  return end ? to.slice(end + 1) : to;
}

/* --- packages --- */

const MADE_UP = new RegExp(`^(?:[{<]|(?:func|gowrap)?\\d+(?!${WORD})|operator(?!${WORD})|(?:func|gowrap)(?:$|[{<]))`);

function separatorSize(s, i, hasColons) {
  const isBetween = i > 0 && i + 1 < s.length;
  if (hasColons && s.startsWith('::', i))
    return isBetween ? 2 : 0;
  if (!isBetween || (s[i] !== '#' && (hasColons || (s[i] !== '.' && s[i] !== '!'))))
    return 0;
  return s[i - 1] !== '.' && s[i + 1] !== '.' ? 1 : 0;
}

function lookAt(s) {
  const found = {hasColons: false, hasNone: false};
  for (let i = 0, after; i < s.length; i = Math.max(after, i + 1)) {
    after = afterBrackets(s, i);
    if (s.startsWith('::', i) && i > 0) {
      found.hasColons = true;
      after = i + 2;
    } else if (s[i] === ' ' || (s[i] === ':' && !isDigit(s[i + 1])) || (s[i] === ';' && /[^:]/.test(s[i + 1] ?? ':'))) {
      found.hasNone = true;
    }
  }
  return found;
}

/* Where the parts of S that count begin, the last first. */
function partsOf(s) {
  const {hasColons, hasNone} = lookAt(s), begins = [0];
  for (let i = 0, after; i < s.length && !hasNone; i = Math.max(after, i + 1)) {
    const size = separatorSize(s, i, hasColons);
    after = size ? i + size : afterBrackets(s, i);
    if (size && !MADE_UP.test(s.slice(after)))
      begins.unshift(after);
  }
  return begins;
}

const OUTER = new RegExp(`${WORD}*::`, 'g');

function dropPackages(s) {
  const kept = s.slice(partsOf(s)[2] ?? 0), open = kept.indexOf('<'), close = open < 0 ? 0 : closeOf(kept, open);
  return close ? kept.slice(0, open) + kept.slice(open, close).replace(OUTER, '') + kept.slice(close) : kept;
}

function dropPackage(s) {
  const parts = partsOf(s), kept = s.slice(parts.length > 2 ? parts[1] : 0);
  return kept.length < s.length ? kept.replace(/^\(?\*?/, '') : s;
}

/* --- cutting --- */

function functionColumns(s) {
  let begin = partsOf(s)[0];
  if (lookAt(s).hasNone)
    for (let i = 0; i < s.length; i++)
      begin = s[i] === ':' && !isDigit(s[i + 1]) ? i : begin;
  while (begin > 0 && '.:#!'.includes(s[begin - 1]))
    begin--;
  return widthOf(s.slice(begin));
}

function cutMiddle(s, columns, max) {
  const room = max - 1, least = Math.floor(room * 2 / 5);
  const end = endOf(s, columns > least && columns <= Math.floor(room * 3 / 5) ? columns : least);
  return startOf(s, room - widthOf(end)).text + MARK + end;
}

/* The forms of NAME, the longest first: each with its width. */
function formsOf(name) {
  const forms = [{text: name, width: widthOf(name)}];
  if (name.length > NAME_MAX)
    return {forms, rest: name, columns: 0};
  let text = name;
  for (const step of [dropHost, dropFolders, dropGenerics, dropArguments, dropPackages]) {
    text = step(text) || text;
    forms.push({text, width: widthOf(text)});
  }
  const rest = dropPackage(text);
  forms.push({text: MARK + rest, width: widthOf(rest) + 1});
  return {forms, rest, columns: functionColumns(rest)};
}

/* The longest of FORMS that takes at most MAX columns. */
function chooseForm({forms, rest, columns}, max) {
  const form = forms.find(({width}) => width <= max);
  return form ? form.text : max < SHORTEN_MIN ? '' : cutMiddle(rest, columns, max);
}

const shortenName = (name, max) => chooseForm(formsOf(name), max);
