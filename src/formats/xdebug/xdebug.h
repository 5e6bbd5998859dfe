/* xdebug.h - what the readers of Xdebug's two formats share: its profiles (cachegrind.out.*) and
 * its traces (*.xt).  See xdebug2ndjson(1) for the rules. */
#ifndef PROFPIPE_XDEBUG_H
#define PROFPIPE_XDEBUG_H

#include "formats/bytes_rows.h"
#include "formats/callgrind_text.h"

/* Names both formats are given for functions of PHP itself: the file, and what the name begins
 * with. */
#define XDEBUG_INTERNAL_FILE STR("php:internal")
#define XDEBUG_INTERNAL STR("php::")

/* What stages that merge hold of a source, in bytes: a run can be much smaller. */
enum { XDEBUG_RUN_HELD = 2048 };

/* The rows of an input. */
struct xdebug {
    struct callgrind_text from;
    struct sink *sink;
    struct intern functions, locations;
    uint32_t *own_files; /* by function: its file */
    size_t own_file_capacity;
    struct bytes_rows rows;
    struct buf name, scratch, extra;
    struct buf lines; /* of the head of the run, for its source */
    int64_t source_id, sample_id;
    int64_t *stack;
    size_t stack_capacity;
};

/* Keeps LINE for the source of the run. */
void xdebug_keep_line(struct xdebug *x, struct str line);

/* Pushes the source of a run, which has the value types TYPES, items of `.value_types`. Forgets its
 * lines. */
void xdebug_push_source(struct xdebug *x, struct str types);

/* The number of the function NAME in FILE, numbers of names in x->from, that starts at LINE
 * (0: unknown); pushes the row of a new one. */
uint32_t xdebug_function(struct xdebug *x, uint32_t name, uint32_t file, int64_t line);

/* The number of the location of FUNCTION at LINE (0: unknown), of FILE, such a number, or, if that
 * is 0, the function's own; pushes the row of a new one. */
uint32_t xdebug_location(struct xdebug *x, uint32_t function, int64_t line, uint32_t file);

/* Takes a line number off *TEXT. */
int64_t xdebug_take_line(const struct xdebug *x, struct str *text);

/* The `read` of each. */
void xdebug_read_profile(struct xdebug *x);
void xdebug_read_trace(struct xdebug *x);

#endif
