/* sheet_printer.h - shared by tables for people in text, Markdown and HTML: which rows are shown,
 * the scale, and the text of cells. */
#ifndef PROFPIPE_SHEET_PRINTER_H
#define PROFPIPE_SHEET_PRINTER_H

#include "base/shorten.h"
#include "table/sheet.h"

struct sheet_printer {
    const struct sheet *t;
    struct sheet_request request;
    struct out *out;
    struct out_window window; /* of the terminal; all zero: none */
    bool has_color;
    struct sheet_scale scale;
    size_t *widths; /* of all columns shown; of the first only if it is numeric */
    unsigned char *has_text,
        *has_numbers; /* by column, for SHEET_MIXED: a kept cell has text, has a number */
    size_t end;       /* number of columns that fit */
    size_t kept;
    double longest; /* the share of a full bar: the largest */
    uint64_t cut_rows;
    double cut_share;
    struct shorten_list names; /* of the kept rows, if they are shortened */
    struct buf text, clean;
};

/* Opens a printer of T to OUT; reads all rows once. */
struct sheet_printer sheet_printer_of(const struct sheet *t, const struct sheet_request *request,
                                      struct out *out);
void sheet_printer_free(struct sheet_printer *p);

/* Whether column I, above 0, is shown to people among the numbers. Names are shown last, and only
 * the first column of names, column 0. */
bool sheet_printer_shows(const struct sheet_printer *p, size_t i);

/* Whether column I is numeric, and so aligned right. A mixed column is numeric if all its cells
 * are. */
bool sheet_printer_is_numeric(const struct sheet_printer *p, size_t i);

/* Appends BYTES to TO, safe to show; SCRATCH is used in between. Control characters and those
 * that change the direction of text are escaped as in JSON. A backslash is doubled where it
 * would look like such an escape, except in code, which also keeps its tabs: there TO is the
 * line so far. Invalid UTF-8 becomes U+FFFD. */
void sheet_printer_add_name(struct buf *to, struct buf *scratch, struct str bytes, bool is_code);

/* The same for a name in the table of P; valid until the next call. */
struct str sheet_printer_clean(struct sheet_printer *p, struct str bytes);

/* Appends WORDS, canonical text that may have line feeds, to TO, safe for a terminal. */
void sheet_printer_add(struct buf *to, struct str words);

/* The title, safe to show; valid until the next text of P. */
struct str sheet_printer_title(struct sheet_printer *p);

/* The start of TEXT, which is clean already, in at most MAX columns, with a mark if it is cut.
 * Changes TEXT, and is valid as long. */
struct str sheet_printer_cut(struct sheet_printer *p, struct str text, size_t max);

/* Shortens the names of all kept rows to at most MAX columns, made safe with ADD: p->names. */
void sheet_printer_shorten(struct sheet_printer *p, size_t max,
                           void (*add)(struct buf *to, struct str bytes));

/* The text of CELL, of KIND, for all cells but names; valid until the next call. */
struct str sheet_printer_cell(struct sheet_printer *p, enum sheet_kind kind,
                              const struct sheet_cell *cell);

/* The heading of column I; valid until the next call. */
struct str sheet_printer_heading(struct sheet_printer *p, size_t i);

/* Appends to TO what was cut, if anything. */
void sheet_printer_rest(const struct sheet_printer *p, struct buf *to);

#endif
