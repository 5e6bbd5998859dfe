#include "stream/references.h"

#include "rows/emit.h"
#include "rows/members.h"

void references_map(struct buf *to, const struct row *row, struct place where,
                    references_mapper *map, void *with)
{
    struct members walk = members_references(row, where, NULL);
    struct member x;
    walk.site = (struct row_site){0};
    while (members_next(&walk, &x)) {
        bool is_null = x.id == MEMBER_ID_OTHER || x.integer == ROW_NULL;
        int64_t id = is_null ? 0 : map(with, row, x.name, x.refers, x.integer);
        if (!is_null && id == 0)
            continue;
        emit_member(to, x.name);
        if (is_null)
            buf_add(to, x.value);
        else
            emit_number(to, id);
    }
}
