/* The expression TEXT, for a search that ends: a browser cannot stop one, and a link may bring any.  So no group is
 * repeated, and few parts are. */
function makeExpression(text, flags) {
  const bare = text.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, 'x');
  if (/\)[*+{]/.test(bare) || (bare.match(/[*+]|\{\d+,\d*\}/g) ?? []).length > 3)
    throw new SyntaxError('not searched here: a repeated group, or over three parts that repeat');
  return new RegExp(text, flags);
}
