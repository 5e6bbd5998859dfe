#include "profile/naming.h"

#include "base/mem.h"
#include "base/port.h"
#include "profile/package.h"
#include "rows/emit.h"

struct str naming_base_name(struct str path)
{
    const char *slash = path.n == 0 ? NULL : port_memrchr(path.p, '/', path.n);
    if (slash == NULL || slash + 1 == path.p + path.n)
        return path;
    return (struct str){slash + 1, (size_t)(path.p + path.n - slash - 1)};
}

uint32_t naming_file(const struct profile *p, const struct profile_location *l)
{
    return l->function == 0 ? l->filename : p->functions[l->function - 1].filename;
}

uint32_t naming_mapped_file(const struct profile *p, const struct profile_location *l)
{
    return l->mapping == 0 ? 0 : p->mappings[l->mapping - 1].filename;
}

int64_t naming_start_line(const struct profile *p, const struct profile_location *l)
{
    return l->function == 0 ? 0 : p->functions[l->function - 1].start_line;
}

bool naming_is_toplevel(const struct profile_location *l)
{
    return l->function == 0 && (l->filename != 0 || (l->line != ROW_NULL && l->line != 0));
}

/* Appends to TO the base name of the file that L is mapped from, in brackets, which names such as
 * [vdso] have already; false if the file is not known. */
static bool add_mapped_file(struct buf *to, const struct profile *p,
                            const struct profile_location *l)
{
    uint32_t file = naming_mapped_file(p, l);
    if (file == 0)
        return false;
    struct str name = naming_base_name(profile_string_of(p, file));
    bool has_brackets = str_starts(name, STR("[")) && str_ends(name, STR("]"));
    buf_add(to, has_brackets ? STR("") : STR("["));
    buf_add(to, name);
    buf_add(to, has_brackets ? STR("") : STR("]"));
    return true;
}

/* Appends to TO where the function of L begins, which has no name; false if its file is not known. */
static bool add_beginning(struct buf *to, const struct profile *p, const struct profile_location *l)
{
    uint32_t file = l->function == 0 ? 0 : naming_file(p, l);
    if (file == 0)
        return false;
    int64_t line = naming_start_line(p, l);
    buf_add(to, STR("<"));
    buf_add(to, naming_base_name(profile_string_of(p, file)));
    if (line > 0) {
        buf_add(to, STR(":"));
        emit_number(to, line);
    }
    buf_add(to, STR(">"));
    return true;
}

uint32_t naming_stand_in(struct profile *p, const struct profile_location *l)
{
    struct buf text = {0};
    if (!add_mapped_file(&text, p, l) && !add_beginning(&text, p, l))
        buf_add(&text, NAMING_UNKNOWN);
    uint32_t string = profile_string(p, buf_str(&text));
    buf_free(&text);
    return string;
}

void naming_add_stand_in(struct buf *to, const struct profile *p, const struct profile_location *l)
{
    if (naming_is_toplevel(l))
        buf_add(to, STR("<toplevel>"));
    else if (add_mapped_file(to, p, l))
        return;
    else if (l->address != 0)
        emit_address(to, l->address);
    else
        buf_add(to, NAMING_UNKNOWN);
}

uint32_t naming_package(struct profile *p, const struct profile_location *l)
{
    struct buf text = {0};
    uint32_t name = l->function == 0 ? 0 : p->functions[l->function - 1].name;
    const struct package_frame frame = {profile_string_of(p, name),
                                        profile_string_of(p, naming_file(p, l)), l->mapping != 0};
    uint32_t package = l->group;
    if (package == 0 && !package_add(&text, &frame) && !naming_is_toplevel(l) &&
        !add_mapped_file(&text, p, l))
        buf_add(&text, NAMING_UNKNOWN);
    if (text.n > 0)
        package = profile_string(p, buf_str(&text));
    buf_free(&text);
    return package;
}

/* The index of NAME among those of N, from 1. */
static uint32_t place_of(struct naming_sources *n, struct str name)
{
    uint32_t number = intern_add(&n->names, name, NULL);
    n->items = mem_array_zeroed(n->items, &n->capacity, number, sizeof *n->items);
    return number;
}

uint32_t naming_number(struct naming_sources *n, struct str name)
{
    const uint32_t own = place_of(n, name);
    struct buf text = {0};
    uint32_t number, shown;
    do {
        number = n->items[own - 1].count++;
        text.n = 0;
        buf_add(&text, name);
        naming_add_number(&text, number);
        shown = place_of(n, buf_str(&text));
    } while (n->items[shown - 1].is_shown);
    n->items[shown - 1].is_shown = true;
    buf_free(&text);
    return number;
}

uint32_t naming_source(struct naming_sources *n, struct profile *p, const struct profile_source *of,
                       uint32_t *number)
{
    struct str name = of->uri.n > 0 ? of->uri : of->kind;
    name = name.n > 0 ? name : NAMING_UNKNOWN;
    *number = naming_number(n, name);
    return profile_string(p, name);
}

uint32_t naming_numbered_source(struct naming_sources *n, struct profile *p,
                                const struct profile_source *of)
{
    uint32_t number, name = naming_source(n, p, of, &number);
    struct buf text = {0};
    buf_add(&text, profile_string_of(p, name));
    naming_add_number(&text, number);
    name = profile_string(p, buf_str(&text));
    buf_free(&text);
    return name;
}

void naming_add_number(struct buf *to, uint32_t number)
{
    if (number == 0)
        return;
    buf_add(to, STR("#"));
    emit_number(to, (int64_t)number + 1);
}

void naming_free_sources(struct naming_sources *n)
{
    intern_free(&n->names);
    mem_free(n->items);
    *n = (struct naming_sources){0};
}
