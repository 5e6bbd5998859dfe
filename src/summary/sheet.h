/* sheet.h - a table of what a summary found: for people as text, Markdown or HTML, for programs as tab- or
 * comma-separated values, JSON or NDJSON.
 *
 * People get scaled values with their unit, a bar for each row, names last and, where rows were cut, a line
 * that says what they held.  Programs get the name first and plain numbers: seconds for time, all else in its
 * own unit; nothing but rows. */
#ifndef PROFPIPE_SHEET_H
#define PROFPIPE_SHEET_H

#include "base/out.h"
#include "base/wide.h"

#include <stdint.h>

enum sheet_kind {
    SHEET_TEXT, /* bytes: the first column of every table, its rows' name; others are for programs */
    SHEET_VALUE, /* in the table's unit */
    SHEET_SHARE, /* a share of 1, shown in percent; NAN where there is none */
    SHEET_COUNT,
    SHEET_FLAG,
    SHEET_GIVEN, /* text of ASCII, written as it stands: the table has made it for its format */
    SHEET_MIXED, /* bytes, for people as well, or a value of JSON */
};

struct sheet_column {
    struct str name;    /* for programs */
    struct str heading; /* for people */
    enum sheet_kind kind;
};

/* What its kind says. */
struct sheet_cell {
    struct str text;    /* bytes, not text; valid until the next cell is asked for */
    struct wide number; /* a value, a count, or a flag */
    double share;
    bool is_none; /* there is nothing in it */
    bool
        is_json; /* of SHEET_MIXED: the text is a value of JSON, and no string; of SHEET_TEXT the same, which only
                      * JSON may be asked for (sheet_is_json) */
    bool is_heading; /* of the first column of a listing: the row is about those behind it */
};

/* Stands for the number of a column where there is none. */
#define SHEET_NO_COLUMN SIZE_MAX

/* Columns are told by their number from 0. */
struct sheet {
    struct str title; /* for people: what the table is about, in lines */
    struct str note;  /* likewise: what is said behind it, if n is not 0 */
    const struct sheet_column *columns;
    size_t column_count;
    size_t row_count;
    /* For programs, instead of row_count: whether there is a ROW.  Rows are asked for in turn, and those before are not any
     * more.  NULL: row_count says it. */
    bool (*has_row)(const void *from, size_t row);
    struct str
        unit; /* of values, canonical text: they are in units of 10 to the POWER, 0 at most, of that */
    int power;

    /* The cell of ROW and COLUMN. */
    struct sheet_cell (*cell)(const void *from, size_t row, size_t column);
    const void *from;

    size_t judged; /* column: the share that a row must have at least to be kept */
    size_t drawn;  /* column: the share that its bar shows, or SHEET_NO_COLUMN: rows have no bars */
    bool draws_changes; /* which is a change: a bar's colour says whether there is more or less */
    size_t reported; /* column: the share that is told of the rows that were cut, all together, or
                         * SHEET_NO_COLUMN */

    /* Names of rows are lines of files, one below the other: tabs go to the next of the stops that stand eight columns
     * apart, and a terminal shows all rows, in the colours of their shares, in JUDGED, instead of bars. */
    bool is_listing;
};

enum sheet_format {
    SHEET_FORMAT_TEXT,
    SHEET_FORMAT_TSV,
    SHEET_FORMAT_CSV,
    SHEET_FORMAT_JSON,
    SHEET_FORMAT_NDJSON,
    SHEET_FORMAT_MARKDOWN,
    SHEET_FORMAT_HTML,
    SHEET_FORMAT_COUNT,
};

/* How a table is written. */
struct sheet_request {
    enum sheet_format format;
    size_t max;       /* rows; SIZE_MAX: all, or what a terminal has room for */
    double min_share; /* rows with a smaller one are cut */
};

/* Whether FORMAT is read by people, not by programs. */
bool sheet_is_for_humans(enum sheet_format format);

/* Whether FORMAT is JSON, or JSON in lines: lists need not be joined to one text. */
bool sheet_is_json(enum sheet_format format);

/* Names of the formats, for options. */
extern const char *const sheet_formats[SHEET_FORMAT_COUNT];

/* Writes T to OUT. */
void sheet_write(const struct sheet *t, const struct sheet_request *request, struct out *out);

/* --- for the parts of this --- */

/* What values of a table are divided by for people, and what is then their unit. */
struct sheet_scale {
    struct str unit; /* empty: they count something */
    int64_t times;   /* one value of the table's unit in the smallest unit there is */
    int64_t size;    /* of UNIT, in that */
    int64_t parts;   /* one value of the table's unit is so many; 1: values are whole */
    int digits;      /* behind the point; where SIZE and PARTS are 1 there is none */
};

/* The scale at which LARGEST, a value in units of 10 to the POWER, 0 at most, of UNIT, reads best. */
struct sheet_scale sheet_scale_of(struct str unit, int power, struct wide largest);

/* Appends VALUE at SCALE to TO. */
void sheet_add_scaled(struct buf *to, struct wide value, const struct sheet_scale *scale);

/* Appends VALUE, in units of 10 to the POWER, 0 at most, of UNIT, to TO for a program. */
void sheet_add_plain(struct buf *to, struct wide value, int power, struct str unit);

/* Appends N, or a count, to TO. */
void sheet_add_number(struct buf *to, struct wide n);
static inline void sheet_add_count(struct buf *to, uint64_t n)
{
    sheet_add_number(to, wide_of_unsigned(n));
}

/* Whether request leaves ROW, which is number KEPT of those that it does not, in T. */
bool sheet_keeps(const struct sheet *t, const struct sheet_request *request, size_t row,
                 size_t kept);

/* sheet_text.c: text and Markdown. */
void sheet_write_text(const struct sheet *t, const struct sheet_request *request, struct out *out);
void sheet_write_markdown(const struct sheet *t, const struct sheet_request *request,
                          struct out *out);

/* sheet_html.c: a page whose rows can be sorted. */
void sheet_write_html(const struct sheet *t, const struct sheet_request *request, struct out *out);

#endif
