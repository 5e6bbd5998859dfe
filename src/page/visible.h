/* visible.h - escapes names for HTML, SVG and Markdown.
 *
 * Names come from untrusted files.  They may contain markup, control characters that XML
 * forbids, bytes that are not UTF-8, and characters that change the direction of the text after
 * them. */
#ifndef PROFPIPE_VISIBLE_H
#define PROFPIPE_VISIBLE_H

#include "base/out.h"

/* Appends BYTES to TO with everything made visible: ASCII control characters become Unicode's
 * control pictures.  U+FFFD replaces each byte that is not UTF-8, each other control character,
 * each character that XML forbids, and each that ends a line or changes the layout. */
void visible_add(struct buf *to, struct str bytes);

/* Writes BYTES, made visible, to OUT as content or as an attribute in double quotes, in HTML or
 * XML. */
void visible_write(struct out *out, struct str bytes);

/* The same for TEXT that is already visible: from visible_add, a part of that, or plain ASCII.
 * Only escapes markup. */
void visible_write_text(struct out *out, struct str text);

/* Writes TEXT to OUT as plain Markdown words: no link, image, address or HTML element, and no
 * line becomes a heading, a list item or a table row.  Control characters other than line feeds
 * must have been removed. */
void visible_write_markdown(struct out *out, struct str text);

#endif
