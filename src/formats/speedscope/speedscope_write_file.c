/* The file, once all rows have come. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/speedscope/speedscope_text.h"
#include "formats/speedscope/speedscope_write.h"
#include "rows/emit.h"

/* --- text --- */

static void add(struct speedscope_writer *w, struct str text)
{
    buf_add(&w->text, text);
}

/* Writes what has been added. */
static void flush(struct speedscope_writer *w)
{
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Adds the member NAME with the string TEXT. */
static void add_member(struct speedscope_writer *w, struct str name, struct str text)
{
    emit_member(&w->text, name);
    emit_string(&w->text, text);
}

static void add_decimal(struct speedscope_writer *w, struct str name, struct decimal value)
{
    emit_member(&w->text, name);
    decimal_write(&w->text, value);
}

/* --- profiles --- */

static const struct value_type *type_of(const struct speedscope_writer *w,
                                        const struct speedscope_entry *entry)
{
    return value_types_get(&w->sink.flow->types, entry->type);
}

/* Whether speedscope's WORD says as much as the unit of T. */
static bool is_said(const struct value_type *t, struct str word)
{
    return !str_equal(word, STR("none")) || t->unit.n == 0 || str_equal(t->unit, STR("count")) ||
           str_equal(t->unit, STR("none"));
}

/* The name that users select a profile by: its source, and its type. */
static void add_name(struct speedscope_writer *w, const struct speedscope_entry *entry,
                     struct str word)
{
    const struct speedscope_source *s = &w->sources[entry->source - 1];
    const struct value_type *t = type_of(w, entry);
    emit_member(&w->text, STR("name"));
    add(w, STR("\""));
    add(w, s->uri.p != NULL ? s->uri : s->kind);
    add(w, STR(" "));
    add(w, t->type);
    if (!is_said(t, word)) {
        add(w, STR("/"));
        add(w, t->unit);
    }
    add(w, STR("\""));
}

/* Whether the value type of ENTRY need not be written. */
static bool is_plain(const struct speedscope_entry *entry, const struct value_type *t)
{
    struct str unit,
        type =
            speedscope_type(entry->facts.unit.p == NULL ? STR("none") : entry->facts.unit, &unit);
    return entry->is_known && entry->facts.marked == 0 && str_equal(type, t->type) &&
           str_equal(unit, t->unit);
}

static void add_mark(struct speedscope_writer *w, const struct value_type *t, uint64_t source)
{
    emit_member(&w->text, SPEEDSCOPE_MARK);
    add(w, STR("{\"source\":"));
    emit_number(&w->text, (int64_t)source);
    add_member(w, STR("type"), t->type);
    add_member(w, STR("unit"), t->unit);
    add(w, STR("}"));
}

static _Noreturn void die_large(const struct speedscope_writer *w,
                                const struct speedscope_entry *entry)
{
    die(CODE_OVERFLOW, "the values of \"%.*s\" add up to more than a double can hold",
        STR_ARG(type_of(w, entry)->type));
}

/* Adds start and end of the values of ENTRY. The end is at least the sum of the values. */
static void add_range(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    struct decimal end = speedscope_is_evented(w, entry) ? entry->at : entry->parts;
    if (!speedscope_is_evented(w, entry)) {
        decimal_add(&end, (struct decimal){entry->whole, 0});
        if (entry->facts.start.p != NULL)
            decimal_add(&end, decimal_read(entry->facts.start));
    }
    if (!decimal_is_double(end))
        die_large(w, entry);
    emit_member(&w->text, STR("startValue"));
    add(w, entry->facts.start.p != NULL ? entry->facts.start : STR("0"));
    if (entry->facts.end.p != NULL) {
        emit_member(&w->text, STR("endValue"));
        add(w, entry->facts.end);
    } else {
        add_decimal(w, STR("endValue"), end);
    }
}

/* Writes ENTRY; its source has number SOURCE in the file. */
static void write_entry(struct speedscope_writer *w, struct speedscope_entry *entry,
                        uint64_t source)
{
    const struct value_type *t = type_of(w, entry);
    bool is_evented = speedscope_is_evented(w, entry);
    struct str word = entry->facts.unit.p != NULL ? entry->facts.unit : speedscope_unit(t->unit);
    add(w, is_evented ? STR("{\"type\":\"evented\"") : STR("{\"type\":\"sampled\""));
    if (entry->facts.name.p != NULL)
        add_member(w, STR("name"), entry->facts.name);
    else
        add_name(w, entry, word);
    add_member(w, STR("unit"), word);
    add_range(w, entry);
    if (!is_plain(entry, t))
        add_mark(w, t, source);
    add(w, is_evented ? STR(",\"events\":[") : STR(",\"samples\":["));
    flush(w);
    spools_copy(w->spools, entry->samples, w->out);
    if (!is_evented) {
        out_write(w->out, STR("],\"weights\":["));
        spools_copy(w->spools, entry->weights, w->out);
    }
    out_write(w->out, STR("]}"));
}

static int by_source(const void *a, const void *b)
{
    const struct speedscope_entry *x = *(struct speedscope_entry *const *)a,
                                  *y = *(struct speedscope_entry *const *)b;
    return x->source != y->source ? (x->source < y->source ? -1 : 1) : (x > y) - (x < y);
}

/* --- the file --- */

/* Whether all sources come from speedscope files. */
static bool are_own(const struct speedscope_writer *w)
{
    bool is_own = w->source_count > 0;
    for (size_t i = 0; i < w->source_count; i++)
        is_own = is_own && w->sources[i].is_own;
    return is_own;
}

/* Whether all sources come from one speedscope file, so that the numbers it gave them are still
 * unique. */
static bool are_of_one_file(const struct speedscope_writer *w)
{
    bool is_one = are_own(w);
    for (size_t i = 1; is_one && i < w->source_count; i++)
        is_one = str_equal(w->sources[i].uri, w->sources[0].uri);
    return is_one;
}

/* The entry to show first among the COUNT entries LIST, ordered by source: that of the first source
 * which has values of its shown type; else that of the first source; NULL if there is none. */
static const struct speedscope_entry *shown_first(const struct speedscope_writer *w,
                                                  struct speedscope_entry **list, size_t count)
{
    const struct speedscope_entry *first = NULL;
    struct default_type_entry *types = mem_alloc((count + 1) * sizeof *types);
    for (size_t i = 0, n; i < count && (first == NULL || first->count == 0); i += n) {
        size_t source = list[i]->source;
        for (n = 0; i + n < count && list[i + n]->source == source; n++) {
            const struct speedscope_entry *e = list[i + n];
            const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
            types[n] = (struct default_type_entry){t->type, t->unit, e->is_listed, e->count};
        }
        size_t at = default_type_choose(&w->sources[source - 1].shown, types, n);
        if (at < n && (first == NULL || list[i + at]->count > 0))
            first = list[i + at];
    }
    mem_free(types);
    return first;
}

/* Returns the entries to write, in order; sets *COUNT. *SHOWN is the index of the one shown first,
 * or -1 if it need not be written. */
static struct speedscope_entry **order_entries(struct speedscope_writer *w, size_t *count,
                                               int64_t *shown)
{
    struct speedscope_entry **list = mem_alloc((w->entry_count + 1) * sizeof *list);
    const struct speedscope_entry *first = NULL;
    bool is_own = are_own(w);
    *count = 0;
    for (size_t i = 0; i < w->entry_count; i++)
        if (!w->entries[i].is_gauge)
            list[(*count)++] = &w->entries[i];
    order_items(list, *count, sizeof *list, by_source);
    for (size_t i = 0; first == NULL && i < *count; i++)
        first = list[i]->facts.active ? list[i] : NULL;
    if (first == NULL && !is_own)
        first = shown_first(w, list, *count);
    *shown = -1;
    for (size_t i = 0; first != NULL && i < *count; i++)
        if (list[i] == first)
            *shown = (int64_t)i;
    return list;
}

/* The value of FIELD if all sources have the same; else a null p. */
static struct str agreed(const struct speedscope_writer *w, size_t field)
{
    const struct str none = {NULL, 0};
    for (size_t i = 0; i < w->source_count; i++) {
        struct str text, first;
        memcpy(&text, (const char *)&w->sources[i] + field, sizeof text);
        memcpy(&first, (const char *)&w->sources[0] + field, sizeof first);
        if (text.p == NULL || !str_equal(text, first))
            return none;
        if (i + 1 == w->source_count)
            return text;
    }
    return none;
}

/* Counts the values of FIELD, called NAME, that cannot be written. */
static void count_unsaid(const struct speedscope_writer *w, size_t field, struct str name)
{
    for (size_t i = 0; i < w->source_count; i++) {
        struct str text;
        memcpy(&text, (const char *)&w->sources[i] + field, sizeof text);
        if (text.p != NULL)
            loss_add(LOSS_OWN, name, 1);
    }
}

/* Writes everything before the frames. There are COUNT profiles; number SHOWN is shown first. */
static void write_head(struct speedscope_writer *w, size_t count, int64_t shown)
{
    size_t name_field = offsetof(struct speedscope_source, name);
    size_t exporter_field = offsetof(struct speedscope_source, exporter);
    struct str name = agreed(w, name_field), exporter = agreed(w, exporter_field);
    if (name.p == NULL)
        count_unsaid(w, name_field, STR("sources..speedscope.name"));
    if (exporter.p == NULL)
        count_unsaid(w, exporter_field, STR("sources..speedscope.exporter"));
    if (name.p == NULL && count == 0)
        name = STR("profile"); /* speedscope requires a name */
    w->text.n = 0;
    add(w, STR("{\"$schema\":\""));
    add(w, SPEEDSCOPE_SCHEMA);
    add(w, STR("\""));
    if (name.p != NULL)
        add_member(w, STR("name"), name);
    if (shown >= 0) {
        emit_member(&w->text, STR("activeProfileIndex"));
        emit_number(&w->text, shown);
    }
    bool is_own = are_own(w);
    if (exporter.p != NULL || !is_own)
        add_member(w, STR("exporter"), exporter.p != NULL ? exporter : STR("profpipe"));
    add(w, STR(",\"shared\":{\"frames\":["));
    flush(w);
}

void speedscope_write_file(struct speedscope_writer *w)
{
    size_t count, source = 0;
    int64_t shown;
    uint64_t number = 0;
    bool is_one = are_of_one_file(w);
    struct speedscope_entry **list = order_entries(w, &count, &shown);
    write_head(w, count, shown);
    speedscope_write_frames(w);
    out_write(w->out, STR("]},\"profiles\":["));
    for (size_t i = 0; i < count; i++) {
        number += list[i]->source != source;
        source = list[i]->source;
        out_write(w->out, i > 0 ? STR(",\n") : STR("\n"));
        write_entry(w, list[i],
                    is_one && list[i]->facts.marked != 0 ? (uint64_t)list[i]->facts.marked
                                                         : number);
    }
    out_write(w->out, STR("]}\n"));
    mem_free(list);
}
