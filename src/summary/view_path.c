/* Stacks as cells of tables. */
#include "base/diag.h"
#include "base/limits.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "summary/view.h"

struct view_path view_path_of(const struct collect *c, enum sheet_format format)
{
    struct view_path path = {.collect = c};
    path.kind = sheet_is_for_humans(format) ? VIEW_PATH_HUMAN
                : sheet_is_json(format)     ? VIEW_PATH_LIST
                                            : VIEW_PATH_TEXT;
    return path;
}

void view_path_begin(struct view_path *p)
{
    p->text.n = 0;
    p->is_empty = true;
    if (p->kind == VIEW_PATH_LIST)
        buf_add(&p->text, STR("["));
}

/* Begins a frame. A few bytes of a file can be a million frames, whose text would be many times as
 * long. */
static void add_separator(struct view_path *p)
{
    if (p->text.n > LIMITS_LINE)
        die(CODE_TOO_LARGE, "the text of a stack would be longer than %zu MiB", LIMITS_LINE >> 20);
    if (!p->is_empty)
        buf_add(&p->text, p->kind == VIEW_PATH_LIST ? STR(",") : STR(";"));
    p->is_empty = false;
}

/* Appends NAME, bytes, so that it can be told from what stands beside it. */
static void add_name(struct view_path *p, struct str name)
{
    switch (p->kind) {
    case VIEW_PATH_HUMAN: buf_add(&p->text, name); break;
    case VIEW_PATH_TEXT:
        for (size_t i = 0; i < name.n; i++) {
            const bool is_special = name.p[i] == ';' || name.p[i] == '\\';
            buf_add(&p->text, is_special ? STR("\\") : STR(""));
            buf_add(&p->text, (struct str){name.p + i, 1});
        }
        break;
    case VIEW_PATH_LIST:
        p->escaped.n = 0;
        text_escape(&p->escaped, name);
        emit_string(&p->text, buf_str(&p->escaped));
    }
}

void view_path_add(struct view_path *p, uint32_t entry)
{
    const struct str path = collect_path(p->collect, entry);
    for (size_t i = path.n / sizeof(uint32_t); i-- > 0;) {
        add_separator(p);
        add_name(p, collect_path_name(p->collect, path, i));
    }
    if (path.n > 0)
        return;
    p->name.n = 0;
    collect_add_name(p->collect, entry, &p->name);
    add_separator(p);
    add_name(p, buf_str(&p->name));
}

/* Appends the string NUMBER, or null for 0. */
static void add_string(struct view_path *p, uint32_t number)
{
    if (number == 0)
        buf_add(&p->text, STR("null"));
    else
        add_name(p, profile_string_of(&p->collect->profile, number));
}

void view_path_add_site(struct view_path *p, uint32_t entry)
{
    const struct collect_key key = collect_key_of(p->collect, entry);
    if (p->kind != VIEW_PATH_LIST && key.string == 0)
        return;
    add_separator(p);
    if (p->kind != VIEW_PATH_LIST) {
        add_name(p, profile_string_of(&p->collect->profile, key.string));
        return;
    }
    buf_add(&p->text, STR("{\"function\":"));
    add_string(p, key.string);
    buf_add(&p->text, STR(",\"file\":"));
    add_string(p, key.number);
    buf_add(&p->text, STR(",\"line\":"));
    if (key.line == 0)
        buf_add(&p->text, STR("null"));
    else
        emit_number(&p->text, key.line);
    buf_add(&p->text, STR("}"));
}

void view_path_end(struct view_path *p)
{
    if (p->kind == VIEW_PATH_LIST)
        buf_add(&p->text, STR("]"));
}

struct sheet_cell view_path_entry(struct view_path *p, uint32_t entry)
{
    view_path_begin(p);
    view_path_add(p, entry);
    view_path_end(p);
    return view_path_cell(p);
}

void view_path_take(struct view_path *p, struct str frames)
{
    view_path_begin(p);
    for (size_t i = frames.n / sizeof(uint32_t); i-- > 0;) {
        uint32_t entry;
        memcpy(&entry, frames.p + i * sizeof entry, sizeof entry);
        if (p->collect->by == COLLECT_BY_SITE)
            view_path_add_site(p, entry);
        else
            view_path_add(p, entry);
    }
    view_path_end(p);
}

struct sheet_cell view_path_cell(const struct view_path *p)
{
    return (struct sheet_cell){.text = buf_str(&p->text), .is_json = p->kind == VIEW_PATH_LIST};
}

void view_path_free(struct view_path *p)
{
    buf_free(&p->text);
    buf_free(&p->name);
    buf_free(&p->escaped);
}
