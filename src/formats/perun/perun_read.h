/* perun_read.h - files of Perun to profile rows: see perun2ndjson(1). */
#ifndef PROFPIPE_PERUN_READ_H
#define PROFPIPE_PERUN_READ_H

#include "base/intern.h"
#include "base/spool.h"
#include "formats/bytes_rows.h"
#include "formats/perun/perun.h"
#include "formats/perun/perun_entry.h"
#include "rows/tokens.h"

/* Members shared by resources: an entry of the map, or for resources in a list all members that do
 * not differ. Texts are as spelled in the file. */
struct perun_type {
    struct str key;     /* in the map; null p: of resources in lists */
    struct str members; /* null p: only the resources have been read so far */
    /* members with the items beyond the shortest list; null p: all lists have equal length */
    struct str tails;
    struct tokens_place where; /* of the resources */
    uint32_t number;           /* its index in the map, then those of lists, from 1 */
    /* index of its resources among all in the map, from 1; 0: it has none */
    uint32_t place;
    uint32_t columns;  /* the names of their lists, a number in r->columns; 0: see key */
    uint32_t kinds[2]; /* numbers of value types in the flow: amount, exclusive; 0: none */
    uint32_t depth;
    int64_t *locations; /* of its stack; NULL: not known yet */
};

/* A row of a dotted table; members in the order of its columns. */
struct perun_item {
    enum { PERUN_SNAPSHOT, PERUN_MODEL, PERUN_CHUNK } kind;
    /* for a model: the snapshot it is in, from 1, or 0; for a snapshot: whether it is global */
    uint32_t snapshot;
    struct str key; /* of a chunk, a string; null p: a list item */
    struct str value;
};

/* Precedes each entry of resources in the spool. */
struct perun_record {
    uint32_t type;     /* index in r->types, or number of its text in r->shared */
    uint32_t snapshot; /* the snapshot it is in, from 1; 0: none */
    uint32_t arrays;   /* count of lists that follow */
    bool is_mapped;    /* false: SIZE bytes follow, members of one resource, each after a comma */
    uint64_t size;
    uint64_t count; /* of resources, if IS_MAPPED */
};

/* Precedes the items of a list: SIZE bytes of text separated by commas. */
struct perun_array {
    uint32_t name; /* a number in r->names */
    bool is_plain; /* all items are plain integers (perun_text.h) */
    uint64_t size;
};

struct perun_reader {
    const struct read_request *request;
    struct sink *sink;
    struct tokens json;
    struct arena arena;
    struct str stored; /* the type in the head of a stored object; null p: not a stored object */

    /* of the file, without the last brace; values that become rows are null here */
    struct buf members;
    bool is_indented;
    const char *layout; /* NULL: the file has no resources */
    struct str source;  /* the file's own members, canonical text for `.perun` */

    struct intern keys; /* of the map; the number is the index in types + 1 */
    struct perun_type *types;
    size_t type_capacity;
    uint32_t mapped, placed; /* how many types are in the map, and how many have resources */
    /* members of resources in lists; the number is the index in shared_types + 1 */
    struct intern shared;
    struct perun_type *shared_types;
    struct intern names, columns;
    uint64_t *seen; /* by number of a name - 1: the last object that had it */
    size_t seen_capacity;
    uint64_t object; /* number of the object being read, from 1 */

    struct perun_item *items;
    size_t item_count, item_capacity;
    uint32_t snapshots;
    struct spool *spool;
    uint64_t samples;
    uint64_t uneven; /* resources whose lists differ in length */
    struct tokens_place uneven_where;

    struct perun_file file;
    struct perun_stack stack;
    struct intern functions, locations; /* keys of rows */
    struct bytes_rows rows;
    struct buf text, items_text, name, extra;
};

/* --- members of the file (perun_read_resources.c) --- */

/* Appends to TO, as spelled, the value that begins with the current token. */
void perun_copy_value(struct perun_reader *r, struct buf *to);

/* Appends to TO the name in the current token, with quotes and a colon, and a comma before it
 * unless TO ends in a brace. */
void perun_copy_name(struct perun_reader *r, struct buf *to);

/* Reads `resources` of the file, a value that begins with the current token. Appends it to TO if it
 * has no resource, else appends null. */
void perun_read_resources(struct perun_reader *r, struct buf *to);

/* The same for `resource_type_map`, for `snapshots`, and for `global` (a list or an object). */
void perun_read_map(struct perun_reader *r, struct buf *to);
void perun_read_snapshots(struct perun_reader *r, struct buf *to);
void perun_read_global(struct perun_reader *r, struct buf *to);

/* The same for items that become rows: models or chunks of SNAPSHOT, from 1, or of the file, 0. */
void perun_read_items(struct perun_reader *r, struct buf *to, struct perun_item item);

/* --- rows, once all of the file has been read (perun_read_rows.c) --- */

/* Pushes all rows. */
void perun_push_rows(struct perun_reader *r, const char *uri);

#endif
