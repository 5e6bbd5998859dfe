/* visible.h - names as HTML, SVG and Markdown may show them.
 *
 * Names come from files that anybody has made: they hold markup, control characters that XML forbids, bytes that are
 * no UTF-8, and characters that turn the direction of the text behind them. */
#ifndef PROFPIPE_VISIBLE_H
#define PROFPIPE_VISIBLE_H

#include "base/out.h"

/* Appends BYTES to TO as text in which everything is seen: control characters of ASCII as the pictures that Unicode
 * has of them, and U+FFFD for each byte that is not UTF-8, each other control character, each character that
 * XML forbids, and each that ends a line or lays text out otherwise. */
void visible_add(struct buf *to, struct str bytes);

/* Writes BYTES, made visible, to OUT as content or as an attribute in double quotes, of HTML as of XML. */
void visible_write(struct out *out, struct str bytes);

/* The same of TEXT that visible_add has made, a part of that, or plain ASCII: only markup is spelled otherwise. */
void visible_write_text(struct out *out, struct str text);

/* Writes TEXT to OUT as words of Markdown: no link, picture, address or element of HTML, and no line of it a
 * heading, an item of a list or a row of a table.  Control characters but line feeds must have been taken out. */
void visible_write_markdown(struct out *out, struct str text);

#endif
