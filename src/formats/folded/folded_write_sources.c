/* Reads sources. */
#include "base/mem.h"
#include "formats/folded/folded_write.h"
#include "rows/loss.h"
#include "rows/members.h"

bool folded_keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct folded_writer *w = writer;
    struct member m;
    (void)other;
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_FOLDED)
        return false;
    struct members walk = members_of(row, folded_place(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    while (members_next(&facts, &m))
        if (m.id == MEMBER_ID_OF_COLUMN && m.integer <= FOLDED_SIDES)
            w->read.column = (unsigned)m.integer;
        else
            loss_add_inside(row, facts.column, m.name);
    return true;
}

void folded_read_source(struct folded_writer *w, const struct row *row)
{
    w->read = (struct folded_source){0};
    const struct profile_source *of = profile_add_source(&w->profile, row, folded_place(w));
    choice_add_source(&w->choice, of);
    profile_drop_source(row, of, STR("folded"));
    w->read.side = w->options.base_count > 0 ? w->sink.flow->input > w->options.base_count
                                             : w->read.column == FOLDED_SIDES;
    size_t id = w->profile.source_count;
    w->sources = mem_array(w->sources, &w->source_capacity, id, sizeof *w->sources);
    w->sources[id - 1] = w->read;
}
