/* Sets the fields of the file from all sources. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/pprof/pprof_write.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <stdio.h>

/* --- the mapping for sources without one --- */

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Sorts N strings and removes duplicates; returns the number left. */
static size_t sort_distinct(struct str *strings, size_t n)
{
    size_t distinct = 0;
    order_items(strings, n, sizeof *strings, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !str_equal(strings[i], strings[distinct - 1]))
            strings[distinct++] = strings[i];
    return distinct;
}

/* The name of the mapping for sources without one: their URIs, or the first few of them. If none
 * has a URI, their types. NAMES has COUNT strings. */
static string_id joined_names(struct writer *w, struct str *names, size_t count)
{
    enum { SHOWN = 4 };
    size_t distinct = sort_distinct(names, count);
    w->scratch.n = 0;
    for (size_t i = 0; i < distinct && i < SHOWN; i++) {
        buf_add(&w->scratch, i > 0 ? STR(", ") : STR(""));
        buf_add(&w->scratch, names[i]);
    }
    if (distinct > SHOWN) {
        char more[40];
        int n = snprintf(more, sizeof more, " and %zu more", distinct - SHOWN);
        buf_add(&w->scratch, (struct str){more, (size_t)n});
        if (w->source_key == 0)
            loss_add(LOSS_FACTS, STR("source_uri"), distinct - SHOWN);
    }
    return pprof_string(&w->file, buf_str(&w->scratch));
}

/* pprof needs a mapping to say what it shows. Sources from other formats share one, for all
 * locations without a mapping. */
static void add_mapping(struct writer *w)
{
    struct str *names = mem_alloc((w->source_count + 1) * sizeof *names);
    struct str *kinds = mem_alloc((w->source_count + 1) * sizeof *kinds);
    size_t name_count = 0, kind_count = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        if (!s->is_pprof)
            kinds[kind_count++] = s->kind;
        if (!s->is_pprof && s->uri.p != NULL)
            names[name_count++] = s->uri;
    }
    if (kind_count > 0) {
        struct pprof_mapping m;
        memset(&m, 0, sizeof m);
        m.filename = name_count > 0 ? joined_names(w, names, name_count)
                                    : joined_names(w, kinds, kind_count);
        m.has_functions = m.has_filenames = m.has_line_numbers = true;
        size_t before = w->file.mapping_count;
        uint32_t id = pprof_add_mapping(&w->file, &m);
        for (uint32_t i = 1; i <= w->file.locations.count; i++) {
            struct pprof_location *l = pprof_location(&w->file, i);
            if (l->mapping == 0 && l->address == 0)
                l->mapping = id;
        }
        if (id <= before && !w->options.each) /* another source already has this mapping */
            pprof_unite_changed(&w->file);
    }
    mem_free(names);
    mem_free(kinds);
}

static struct str *string_in(struct source *source, size_t offset)
{
    return (struct str *)(void *)((char *)source + offset);
}

/* The string at OFFSET in struct source if all sources have the same. If they differ, those of
 * pprof files are counted as lost. */
static string_id common_string(struct writer *w, size_t offset, struct str name)
{
    uint64_t dropped = 0;
    bool same = true;
    for (size_t i = 0; i < w->source_count; i++) {
        struct str s = *string_in(&w->sources[i], offset);
        dropped += s.n > 0 && w->sources[i].is_pprof;
        same &= str_equal(s, *string_in(w->sources, offset));
    }
    if (same && w->source_count > 0)
        return pprof_string(&w->file, *string_in(w->sources, offset));
    if (dropped > 0)
        loss_add(LOSS_FACTS, name, dropped);
    return 0;
}

/* Sets the period type if all sources share it, and the largest period. */
static void agree_on_period(struct writer *w)
{
    const struct source *first = w->sources;
    bool same = true;
    int64_t period = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        given += s->has_period;
        same &= s->has_period == first->has_period &&
                s->has_period_type == first->has_period_type &&
                str_equal(s->period_type, first->period_type) &&
                str_equal(s->period_unit, first->period_unit) &&
                s->period_unknown == first->period_unknown;
        if (i == 0 || s->period > period)
            period = s->period;
    }
    if (given > 0 && same) {
        w->file.has_period_type = first->has_period_type;
        w->file.period_type = pprof_string(&w->file, first->period_type);
        w->file.period_unit = pprof_string(&w->file, first->period_unit);
        w->file.period_unknown = first->period_unknown;
        w->file.period = period;
    } else if (given > 0) {
        loss_add(LOSS_FACTS, STR(".period"), given);
    }
}

/* Sets *NANOS to the duration of SOURCE in nanoseconds; false if it exceeds 64 bits. */
static bool duration_of(const struct source *s, int64_t *nanos)
{
    int64_t time;
    struct decimal counted = {s->counted, 0};
    decimal_add(&counted, s->counted_digits);
    counted = decimal_multiply(counted, decimal_of(s->period));
    counted = decimal_multiply(counted, decimal_of(units_nanoseconds(s->period_unit)));
    return decimal_round(counted, &time) && !__builtin_add_overflow(time, s->duration, nanos);
}

/* Sets the sum of all durations. If it exceeds 64 bits it is not written, and the sources with a
 * duration are reported. */
static void agree_on_duration(struct writer *w)
{
    struct wide sum = wide_of(0);
    bool fits = true;
    for (size_t i = 0; i < w->source_count; i++) {
        int64_t nanos = 0;
        fits &= duration_of(&w->sources[i], &nanos);
        wide_add_to(&sum, nanos);
    }
    if (wide_fits(sum, &w->file.duration) && fits)
        return;
    w->file.duration = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        if (s->duration == 0 && wide_sign(s->counted) == 0)
            continue;
        w->scratch.n = 0;
        buf_add(&w->scratch, STR("duration_nanos of "));
        text_escape(&w->scratch, s->uri.p != NULL ? s->uri : s->kind);
        loss_add(LOSS_FACTS, buf_str(&w->scratch), 1);
    }
}

void pprof_writer_agree(struct writer *w)
{
    add_mapping(w);
    agree_on_period(w);
    agree_on_duration(w);
    struct pprof_file *f = &w->file;
    f->drop_frames = common_string(w, offsetof(struct source, drop_frames), STR("drop_frames"));
    f->keep_frames = common_string(w, offsetof(struct source, keep_frames), STR("keep_frames"));
    f->doc_url = common_string(w, offsetof(struct source, doc_url), STR("doc_url"));
}
