/* v8_members.h - the members of nodes in files of V8, for readers and writers. */
#ifndef PROFPIPE_V8_MEMBERS_H
#define PROFPIPE_V8_MEMBERS_H

#include "base/buf.h"
#include "formats/v8.h"

/* The members of a node. Rows have columns for the first NODE_COLUMNS of them; the others are kept as
 * text, like members that are unknown. */
#define V8_NODE_MEMBERS                                                                            \
    V8_FRAME_MEMBERS, "id", "callFrame", "hitCount", "children", "parent", "positionTicks"
enum node_member {
    NODE_ID = V8_MEMBERS,
    NODE_FRAME,
    NODE_HITS,
    NODE_COLUMNS,
    NODE_CHILDREN = NODE_COLUMNS,
    NODE_PARENT,
    NODE_TICKS,
    NODE_MEMBERS
};

/* Appends MEMBERS, `"name":value` with commas between, to TO, each behind a comma and all names
 * spelled in the same way. Returns a name that stands there twice, or is one of the COUNT at
 * TAKEN; it is valid until TO changes. p is NULL if there is none. */
struct str v8_add_members(struct buf *to, struct str members, const char *const *taken,
                          size_t count);

#endif
