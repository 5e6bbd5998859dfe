/* perun_read.h - what the parts of the reader of Perun's files share: perun_read.c reads the file, and
 * perun_read_resources.c the resources in it, in each layout; perun_read_rows.c writes the rows once all is read,
 * and perun_read_frames.c those of functions and locations.
 *
 * What the values mean stands in the header, most often the last of all, and a resource and its entry in the map
 * stand far apart.  So everything waits: what there is once for each resource in a spool, the rest in memory, as text
 * without white space. */
#ifndef PROFPIPE_PERUN_READ_H
#define PROFPIPE_PERUN_READ_H

#include "base/intern.h"
#include "base/spool.h"
#include "formats/bytes_rows.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "rows/tokens.h"

/* Members that resources share: an entry of the map, or of a resource in a list all but what each has of its own.
 * Texts are as the file spells them. */
struct perun_type {
    struct str key;     /* of the map; p is NULL: of resources in lists */
    struct str members; /* p is NULL while only the resources have come */
    struct str
        tails; /* members: what stood behind the shortest list; p is NULL where they are equal */
    struct tokens_place where; /* of the resources */
    uint32_t number;           /* its place in the map, behind these those of lists, from 1 */
    uint32_t place;            /* of its resources among all in the map, from 1; 0: it has none */
    uint32_t columns;          /* the names of their lists, a number in r->columns; 0: see key */
    uint32_t kinds[2]; /* numbers of value types in the flow: of amount, exclusive; 0: none */
    uint32_t depth;
    int64_t *locations; /* of its stack, once it is known; or NULL */
};

/* What a row of a dotted table holds, in its order. */
struct perun_item {
    enum { PERUN_SNAPSHOT, PERUN_MODEL, PERUN_CHUNK } kind;
    uint32_t
        snapshot; /* of a model: that it stands in, from 1, 0: none; of a snapshot: whether it is global */
    struct str key; /* of a chunk, a string; p is NULL: it is an item of a list */
    struct str value;
};

/* In front of each entry of resources in the spool. */
struct perun_record {
    uint32_t type;     /* its place in r->types; or number of its text in r->shared */
    uint32_t snapshot; /* that it stands in, from 1, 0: none */
    uint32_t arrays;   /* how many lists follow */
    bool
        is_mapped; /* or else: SIZE bytes of members of one resource follow, each with a comma in front */
    uint64_t size;
    uint64_t count; /* of resources, of one that IS_MAPPED */
};

/* In front of the items of a list, SIZE bytes of text with commas between. */
struct perun_array {
    uint32_t name; /* a number in r->names */
    bool is_plain; /* all are plain integers (perun_text.h) */
    uint64_t size;
};

struct perun_reader {
    const struct read_request *request;
    struct sink *sink;
    struct tokens json;
    struct arena arena;
    struct str stored; /* the type that the head of a stored object says; p is NULL: it is none */

    struct buf
        members; /* of the file, without the brace behind the last: null where rows have the value */
    bool is_indented;
    const char *layout; /* NULL: there are no resources */
    struct str source;  /* what the file says of itself, canonical text for `.perun` */

    struct intern keys; /* of the map; the number is the place in types, plus 1 */
    struct perun_type *types;
    size_t type_capacity;
    uint32_t mapped, placed; /* how many of them are in the map, and have resources */
    struct intern
        shared; /* members of resources in lists, the number is the place in shared_types, plus 1 */
    struct perun_type *shared_types;
    struct intern names, columns;
    uint64_t *seen; /* by number of a name - 1: the last object that had it, */
    size_t seen_capacity;
    uint64_t object; /* by its number from 1, this one */

    struct perun_item *items;
    size_t item_count, item_capacity;
    uint32_t snapshots;
    struct spool *spool;
    uint64_t samples;
    uint64_t uneven; /* resources whose lists differ in length */
    struct tokens_place uneven_where;

    struct perun_file file;
    struct perun_stack stack;
    struct intern functions, locations; /* what tells them apart */
    struct bytes_rows rows;
    struct buf text, items_text, name, extra;
};

/* --- perun_read.c --- */

/* Appends the value whose first token was the last one to TO, as it is spelled. */
void perun_copy_value(struct perun_reader *r, struct buf *to);

/* Appends the name that is the last token to TO, in quotes, with a colon, and in front a comma unless TO ends in a
 * brace. */
void perun_copy_name(struct perun_reader *r, struct buf *to);

/* Adds an item of KIND; its texts are copied. */
void perun_add_item(struct perun_reader *r, struct perun_item item);

/* --- perun_read_resources.c --- */

/* Reads the value whose first token was the last one, `resources` of the file, and appends it to TO where it
 * holds no resource, else null. */
void perun_read_resources(struct perun_reader *r, struct buf *to);

/* The same of `resource_type_map`, of the list or object `global`, and of `snapshots`. */
void perun_read_map(struct perun_reader *r, struct buf *to);
void perun_read_global(struct perun_reader *r, struct buf *to);
void perun_read_snapshots(struct perun_reader *r, struct buf *to);

/* The same of items that become rows, models or chunks of SNAPSHOT, from 1, or of the file, 0. */
void perun_read_items(struct perun_reader *r, struct buf *to, struct perun_item item);

/* --- perun_read_rows.c --- */

/* Pushes all rows. */
void perun_push_rows(struct perun_reader *r, const char *uri);

/* --- perun_read_frames.c --- */

/* Makes r->stack rows; returns the ids of its locations, innermost first, kept until the end. */
int64_t *perun_push_stack(struct perun_reader *r);

#endif
