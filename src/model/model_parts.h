/* model_parts.h - text that the formats of the model are put together from. */
#ifndef PROFPIPE_MODEL_PARTS_H
#define PROFPIPE_MODEL_PARTS_H

#include "base/buf.h"

/* Appends several texts to TO. */
#define MODEL_PUT(to, ...)                                                                         \
    model_parts_add(to, (const struct str[]){__VA_ARGS__},                                         \
                    sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str))

static inline void model_parts_add(struct buf *to, const struct str *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_add(to, texts[i]);
}

#endif
