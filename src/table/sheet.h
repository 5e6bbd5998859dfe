/* sheet.h - a table: text, Markdown or HTML for people; tab- or comma-separated values, JSON or
 * NDJSON for programs.
 *
 * For people values are scaled and have a unit, rows have bars, names come last, and a final line
 * sums up the rows that were cut. For programs columns are those of columns.list, in its order, and
 * numbers are plain, in the unit that the table says. */
#ifndef PROFPIPE_SHEET_H
#define PROFPIPE_SHEET_H

#include "base/out.h"
#include "base/wide.h"
#include "table/columns.h"

#include <stdint.h>

enum sheet_kind {
    /* bytes; the first column of every table, which names the row; any other is for programs
     * only */
    SHEET_TEXT,
    SHEET_VALUE, /* in the table's unit */
    SHEET_SHARE, /* a fraction, shown in percent; NAN: none */
    SHEET_COUNT,
    SHEET_FLAG,
    SHEET_GIVEN, /* ASCII, written as is: the table has made it for its format */
    SHEET_MIXED, /* bytes or JSON; for people too */
};

struct sheet_column {
    enum column_id id;  /* for programs; COLUMN_NONE: they do not get it */
    struct str heading; /* for people */
    enum sheet_kind kind;
    /* bytes: of a family, those of the profile; of COLUMN_FOREIGN, the name; of others the unit, if
     * the table knows it better than columns.list */
    struct str words;
    unsigned levels; /* of nested rows: those that have it, as bits from 1; 0: all */
};

/* What is the same for all rows of a table. Programs get it in each row, or once in JSON. */
struct sheet_fact {
    enum column_id id;
    struct str text; /* bytes, or ASCII that is JSON; p NULL: unknown */
    bool is_json;
};

/* The value of a cell, by the kind of its column. */
struct sheet_cell {
    struct str text;    /* bytes, not text; valid until the next cell is asked for */
    struct wide number; /* value, count or flag */
    double share;
    bool is_none; /* the cell is empty */
    /* TEXT is JSON, not a string; for SHEET_MIXED, and for SHEET_TEXT if the format is JSON
     * (sheet_is_json) */
    bool is_json;
    bool is_blank;   /* with is_none: people see nothing, not the sign of it */
    bool is_heading; /* in the first column: a heading for the rows that follow */
};

/* A part of the value of a row, and its name. */
struct sheet_item {
    struct str name; /* bytes, valid until the next item is asked for */
    struct wide value;
    double share;
};

/* Instead of the number of a column: none. */
#define SHEET_NO_COLUMN SIZE_MAX

/* Columns are numbered from 0. */
struct sheet {
    struct str title; /* for people: what the table is about, in lines */
    struct str note;  /* for people: printed after the table, if n is not 0 */
    const struct sheet_column *columns;
    size_t column_count;
    size_t row_count;
    /* For programs, instead of row_count: whether ROW exists. Rows are asked for in order;
     * earlier ones are not asked for again. NULL: use row_count. */
    bool (*has_row)(const void *from, size_t row);
    /* of values, canonical text; values are in UNIT times 10 to POWER, which is 0 or less */
    struct str unit;
    int power;
    /* for programs, in the order of their ids; with any, the number of rows that are left out is
     * one, too */
    const struct sheet_fact *facts;
    size_t fact_count;
    const enum column_id *families; /* of columns that a profile may bring; ends in COLUMN_NONE */

    /* The cell at ROW and COLUMN. */
    struct sheet_cell (*cell)(const void *from, size_t row, size_t column);
    const void *from;

    /* In HTML what is shown of ROW when it is opened: item I, from 0. False if there is none. NULL:
     * no row can be opened. */
    bool (*inside)(const void *from, size_t row, size_t i, struct sheet_item *item);

    size_t judged;      /* column: rows with a smaller share than the min are cut */
    size_t drawn;       /* column: the share shown as a bar; SHEET_NO_COLUMN: no bars */
    bool draws_changes; /* DRAWN is a change: the colour of a bar tells more from less */
    size_t reported; /* column: the share reported for all cut rows together, or SHEET_NO_COLUMN */

    /* Rows are nested: LEVEL is that of ROW, from 1 to LEVEL_COUNT; rows of the next level follow
     * those that they belong to. JSON nests them, too; other formats for programs have the rows of
     * the last level alone. MISSING is how many rows below ROW are not in the table. NULL: they are
     * not nested. */
    size_t (*level)(const void *from, size_t row);
    uint64_t (*missing)(const void *from, size_t row);
    size_t level_count;

    /* Rows that are not in the table: how many, called so (NULL: "row"), and the sum of their shares
     * in REPORTED. With IS_CUT these are all that the request leaves out. */
    bool is_cut;
    uint64_t missing_rows;
    const char *missing_name;
    double missing_share;

    /* Names of rows are lines of a file, as it has them. Tab stops are eight columns apart. A
     * terminal shows all rows, coloured by the share in JUDGED instead of bars. */
    bool is_listing;
    bool is_code; /* they are lines of code: tabs stay, and no backslash is doubled */
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

/* How to write a table. */
struct sheet_request {
    enum sheet_format format;
    size_t max;       /* rows; SIZE_MAX: all, or as many as fit a terminal */
    double min_share; /* rows with a smaller share are cut */
    bool is_about;    /* instead of the table, a table of its columns: --columns */
};

/* Whether the table of REQUEST is for people: a description of columns is of those for programs. */
bool sheet_is_human(const struct sheet_request *request);

/* Whether FORMAT is for people, not for programs. */
bool sheet_is_for_humans(enum sheet_format format);

/* Whether FORMAT is JSON or NDJSON: lists need not be joined into one text. */
bool sheet_is_json(enum sheet_format format);

/* Names of formats, for options. */
extern const char *const sheet_formats[SHEET_FORMAT_COUNT];

/* Writes T to OUT. */
void sheet_write(const struct sheet *t, const struct sheet_request *request, struct out *out);

/* --- shared by the parts of this --- */

/* How values of a table are scaled for people, and the resulting unit. */
struct sheet_scale {
    struct str unit; /* empty: a count */
    int64_t times;   /* one value of the table, in the smallest unit */
    int64_t size;    /* one UNIT, in the smallest unit */
    int64_t parts;   /* one value of the table's unit has so many parts; 1: values are whole */
    int digits;      /* after the decimal point; if SIZE and PARTS are 1 there is no point */
};

/* The best scale to show LARGEST, a value in UNIT times 10 to POWER, which is 0 or less. */
struct sheet_scale sheet_scale_of(struct str unit, int power, struct wide largest);

/* Appends VALUE to TO at SCALE, with more decimals if it would look like 0. */
void sheet_add_scaled(struct buf *to, struct wide value, const struct sheet_scale *scale);

/* Appends VALUE, in UNIT times 10 to POWER, at its best scale and with its unit; 0 has none. */
void sheet_add_value(struct buf *to, struct wide value, struct str unit, int power);

/* Appends VALUE times 10 to POWER, which is 0 or less, to TO for a program. */
void sheet_add_plain(struct buf *to, struct wide value, int power);

/* Append N, or a count, to TO for a program. */
void sheet_add_number(struct buf *to, struct wide n);
static inline void sheet_add_count(struct buf *to, uint64_t n)
{
    sheet_add_number(to, wide_of_unsigned(n));
}

/* The same for people: from five digits on in groups of three, with narrow spaces between. */
void sheet_add_grouped(struct buf *to, struct wide n);
static inline void sheet_add_grouped_count(struct buf *to, uint64_t n)
{
    sheet_add_grouped(to, wide_of_unsigned(n));
}

/* Appends the name of COLUMN, bytes, to TO. */
void sheet_add_name(struct buf *to, const struct sheet_column *column);

/* Whether REQUEST keeps ROW of T. KEPT rows have been kept before it. */
bool sheet_keeps(const struct sheet *t, const struct sheet_request *request, size_t row,
                 size_t kept);

/* sheet_data.c: for programs. */
void sheet_write_data(const struct sheet *t, const struct sheet_request *request, struct out *out);

/* sheet_text.c: text and Markdown. */
void sheet_write_text(const struct sheet *t, const struct sheet_request *request, struct out *out);
void sheet_write_markdown(const struct sheet *t, const struct sheet_request *request,
                          struct out *out);

/* sheet_html.c: a page whose rows can be sorted. */
void sheet_write_html(const struct sheet *t, const struct sheet_request *request, struct out *out);

#endif
