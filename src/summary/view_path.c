/* Stacks as cells of tables. */
#include "rows/emit.h"
#include "rows/text.h"
#include "summary/view.h"

struct view_path view_path_of(const struct summary *s)
{
    return (struct view_path){.collect = &s->collect,
                              .is_list = sheet_is_json(s->plan->request.format)};
}

void view_path_begin(struct view_path *p)
{
    p->text.n = 0;
    if (p->is_list)
        buf_add(&p->text, STR("["));
}

void view_path_add(struct view_path *p, uint32_t entry)
{
    if (p->text.n > (p->is_list ? 1 : 0))
        buf_add(&p->text, p->is_list ? STR(",") : STR(";"));
    if (!p->is_list) {
        collect_add_name(p->collect, entry, &p->text);
        return;
    }
    p->name.n = p->escaped.n = 0;
    collect_add_name(p->collect, entry, &p->name);
    text_escape(&p->escaped, buf_str(&p->name));
    emit_string(&p->text, buf_str(&p->escaped));
}

void view_path_end(struct view_path *p)
{
    if (p->is_list)
        buf_add(&p->text, STR("]"));
}

void view_path_take(struct view_path *p, struct str frames)
{
    view_path_begin(p);
    for (size_t i = frames.n / sizeof(uint32_t); i-- > 0;) {
        uint32_t entry;
        memcpy(&entry, frames.p + i * sizeof entry, sizeof entry);
        view_path_add(p, entry);
    }
    view_path_end(p);
}

struct sheet_cell view_path_cell(const struct view_path *p)
{
    return (struct sheet_cell){.text = buf_str(&p->text), .is_json = p->is_list};
}

void view_path_free(struct view_path *p)
{
    buf_free(&p->text);
    buf_free(&p->name);
    buf_free(&p->escaped);
}
