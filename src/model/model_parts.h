/* model_parts.h - building blocks for the formats of the model. */
#ifndef PROFPIPE_MODEL_PARTS_H
#define PROFPIPE_MODEL_PARTS_H

#include "base/buf.h"
#include "rows/row.h"

/* Appends several texts to TO. */
#define MODEL_PUT(to, ...)                                                                         \
    model_parts_add(to, (const struct str[]){__VA_ARGS__},                                         \
                    sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str))

static inline void model_parts_add(struct buf *to, const struct str *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add(to, texts[i]);
}

/* --- SQL --- */

/* Appends NAME, of a table or a column, as SQL spells it. */
void model_parts_name(struct buf *to, struct str name);

/* Appends, after a column, a reference to the key of TABLE. */
void model_parts_reference(struct buf *to, enum table table);

/* Appends a check that COLUMN, an integer, is in the range of KIND. */
void model_parts_range(struct buf *to, struct str column, const struct schema_kind *kind);

/* Appends the primary key of T, if it has more than one column. */
void model_parts_key(struct buf *to, const struct schema_table *t);

#endif
