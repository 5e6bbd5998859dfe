/* sheet_printer.h - what tables for people share, be they text, Markdown or HTML: which rows are shown, at which
 * scale, and the text of their cells. */
#ifndef PROFPIPE_SHEET_PRINTER_H
#define PROFPIPE_SHEET_PRINTER_H

#include "summary/sheet.h"

struct sheet_printer {
    const struct sheet *t;
    struct sheet_request request;
    struct out *out;
    struct out_window window; /* of a terminal; all zero: there is none */
    bool has_color;
    struct sheet_scale scale;
    size_t *widths; /* of all columns; of the first if it is shown as numbers */
    unsigned char *has_text,
        *has_numbers; /* by column, of SHEET_MIXED: some cell that is kept is one */
    size_t end;       /* of the columns that there is room for */
    size_t kept;
    double longest; /* the share that a whole bar shows: that of the row with most */
    uint64_t cut_rows;
    double cut_share;
    struct buf text, clean;
};

/* A printer of T to OUT, which has looked at all rows. */
struct sheet_printer sheet_printer_of(const struct sheet *t, const struct sheet_request *request,
                                      struct out *out);
void sheet_printer_free(struct sheet_printer *p);

/* Whether people see column number I among the numbers: names have the last place, and only the first. */
bool sheet_printer_shows(const struct sheet_printer *p, size_t i);

/* Whether column number I is read as numbers, which stand at the right; of mixed cells all that are there. */
bool sheet_printer_is_numeric(const struct sheet_printer *p, size_t i);

/* BYTES as they may be shown: control characters, and those that turn the
 * direction of text, as JSON spells them, and a backslash doubled where it would read as one
 * of these, but for the tabs and code of a listing, and what is not
 * UTF-8 as U+FFFD; valid until the next call. */
struct str sheet_printer_clean(struct sheet_printer *p, struct str bytes);

/* Appends WORDS, canonical text but for line feeds, to TO as a terminal may have them. */
void sheet_printer_add(struct buf *to, struct str words);

/* The title so; valid until the next text of P. */
struct str sheet_printer_title(struct sheet_printer *p);

/* The start of TEXT, which has been cleaned, that takes no more than MAX columns, with a mark where it is cut; valid
 * as that is, which is changed. */
struct str sheet_printer_cut(struct sheet_printer *p, struct str text, size_t max);

/* The text of CELL, of KIND, but not of names; valid until the next call. */
struct str sheet_printer_cell(struct sheet_printer *p, enum sheet_kind kind,
                              const struct sheet_cell *cell);

/* The heading of column number I; valid until the next call. */
struct str sheet_printer_heading(struct sheet_printer *p, size_t i);

/* Appends to TO what was cut, if anything was. */
void sheet_printer_rest(const struct sheet_printer *p, struct buf *to);

#endif
