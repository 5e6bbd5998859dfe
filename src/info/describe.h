/* describe.h - what was gathered of an input, as lists of rows for programs: the input itself, its
 * sources, value types, labels and mappings. Their columns are those of columns.list. */
#ifndef PROFPIPE_DESCRIBE_H
#define PROFPIPE_DESCRIBE_H

#include "info/gather.h"
#include "table/sheet.h"

enum describe_list {
    DESCRIBE_INPUT, /* one row */
    DESCRIBE_SOURCES,
    DESCRIBE_TYPES,
    DESCRIBE_LABELS,
    DESCRIBE_MAPPINGS,
    DESCRIBE_LISTS, /* their number */
};

/* The name of a list, and its columns, which end in COLUMN_NONE. */
struct describe_columns {
    struct str name;
    const enum column_id *ids;
};
extern const struct describe_columns describe_columns[DESCRIBE_LISTS];

struct describe {
    struct gather *gather; /* finished */
    bool is_json;          /* lists within cells are JSON, not one text */
    bool is_human;         /* cells leave out what people do not need */
    struct buf text, item; /* of the last cell */
};

/* The number of rows in LIST. */
size_t describe_count(const struct describe *d, enum describe_list list);

/* The cell of ROW, from 0, in the column ID of LIST; valid until the next call. */
struct sheet_cell describe_cell(struct describe *d, enum describe_list list, size_t row,
                                enum column_id id);

/* How cells of the column ID are written in tables. */
enum sheet_kind describe_kind(enum column_id id);

/* The cores that the CPU time of SOURCE, from 0, kept busy on average; 0: unknown. */
double describe_busy(const struct gather *g, size_t source);

/* What OF says of the sources that were merged into it; NULL if it says nothing, or what cannot be. */
const struct provenance *describe_merged(const struct profile_source *of);

/* Takes the next of the comments of a source off *LINES; false after the last. */
bool describe_next_comment(struct str *lines, struct str *line);

/* Appends the value of LABEL to TO, bytes. */
void describe_add_value(struct buf *to, const struct gather *g, const struct label *label);

/* Frees the texts of D. */
void describe_free(struct describe *d);

#endif
