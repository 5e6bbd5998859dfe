/* stack.h - the stack in a row of version 1.0: a list of {"location_id":N}, innermost first, as
 * canonical text (profstream(5), VERSION 1.0). */
#ifndef PROFPIPE_STACK_H
#define PROFPIPE_STACK_H

#include "base/buf.h"
#include "rows/emit.h"

/* The text before each id. */
static const struct str stack_item = STR("{\"location_id\":");

/* The min number of bytes that a location adds. */
enum { STACK_ITEM_MIN = sizeof ",{\"location_id\":1}" - 1 };

/* Appends the location ID to STACK, which is empty at first. */
static inline void stack_add(struct buf *stack, int64_t id)
{
    buf_add(stack, stack->n == 0 ? STR("[") : STR(","));
    buf_add(stack, stack_item);
    emit_number(stack, id);
    buf_add(stack, STR("}"));
}

/* Ends STACK, which is then text for a row. */
static inline void stack_end(struct buf *stack)
{
    buf_add(stack, stack->n == 0 ? STR("[]") : STR("]"));
}

/* Whether REST, at first the whole text, holds another location. */
static inline bool stack_more(struct str rest)
{
    return rest.n > 1 + stack_item.n;
}

/* Removes the next location from *REST; false after the last. */
static inline bool stack_next(struct str *rest, int64_t *id)
{
    if (!stack_more(*rest))
        return false;
    const char *p = rest->p + 1 + stack_item.n; /* after "[" or "," */
    for (*id = 0; *p != '}'; p++)
        *id = *id * 10 + (*p - '0');
    p++;
    rest->n -= (size_t)(p - rest->p);
    rest->p = p;
    return true;
}

#endif
