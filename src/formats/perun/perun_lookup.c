#include "formats/perun/perun_lookup.h"

#include "base/mem.h"
#include "rows/text.h"

void perun_look(struct perun_lookup *lookup, struct str members)
{
    lookup->members = members;
    lookup->rest = members.p == NULL ? members : text_inside(members);
    if (lookup->is_indexed)
        intern_free(&lookup->names);
    lookup->is_indexed = false;
}

static void make_index(struct perun_lookup *lookup)
{
    struct str rest = text_inside(lookup->members), name, value;
    bool is_new;
    lookup->is_indexed = true;
    while (text_next_member(&rest, &name, &value)) {
        uint32_t id = intern_add(&lookup->names, name, &is_new);
        lookup->values = mem_array(lookup->values, &lookup->capacity, id, sizeof *lookup->values);
        if (is_new)
            lookup->values[id - 1] = value;
    }
}

struct str perun_find(struct perun_lookup *lookup, struct str name)
{
    enum { FEW = 512 }; /* max bytes that are searched as fast as a table is built */
    struct str rest = lookup->rest, next, value;
    if (lookup->members.p == NULL)
        return lookup->members;
    if (text_next_member(&rest, &next, &value) && str_equal(next, name)) {
        lookup->rest = rest;
        return value;
    }
    if (lookup->members.n <= FEW)
        return text_member(lookup->members, name);
    if (!lookup->is_indexed)
        make_index(lookup);
    uint32_t id = intern_find(&lookup->names, name);
    return id == 0 ? (struct str){NULL, 0} : lookup->values[id - 1];
}

void perun_lookup_free(struct perun_lookup *lookup)
{
    intern_free(&lookup->names);
    mem_free(lookup->values);
}
