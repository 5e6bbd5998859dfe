/* A file of the Firefox Profiler: what it says of itself and of its sources, and all of it. */
#include "base/amount.h"
#include "base/mem.h"
#include "base/units.h"
#include "formats/firefox/firefox_write.h"
#include "rows/emit.h"

#include <inttypes.h>

/* The colours of categories that Firefox and samply have. */
static struct str colour_of(struct str category)
{
    static const struct {
        struct str category, colour;
    } known[] = {
        {STR("Other"), STR("grey")},     {STR("Idle"), STR("transparent")},
        {STR("Layout"), STR("purple")},  {STR("JavaScript"), STR("yellow")},
        {STR("User"), STR("yellow")},    {STR("GC / CC"), STR("orange")},
        {STR("Kernel"), STR("orange")},  {STR("Network"), STR("lightblue")},
        {STR("Graphics"), STR("green")},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(known[i].category, category))
            return known[i].colour;
    return STR("blue");
}

static void add_categories(struct firefox_writer *w)
{
    firefox_add(w, STR("\"categories\":["));
    for (size_t i = 0; i < w->category_keys.count; i++) {
        struct str name = profile_string_of(&w->profile, w->categories[i].name);
        firefox_add(w, i == 0 ? STR("{\"name\":") : STR(",{\"name\":"));
        firefox_add_string(w, name);
        firefox_add_string_member(w, STR("color"), colour_of(name));
        firefox_add(w, STR(",\"subcategories\":[\"Other\""));
        for (uint32_t p = w->categories[i].first; p != 0; p = w->parts[p - 1].next) {
            firefox_add(w, STR(","));
            firefox_add_string(w, profile_string_of(&w->profile, w->parts[p - 1].name));
        }
        firefox_add(w, STR("]}"));
        firefox_flush(w, FIREFOX_FLUSH);
    }
    firefox_add(w, STR("]"));
}

/* The entry, from 0, that is shown of source number I by default; entry_count if there is none. */
static size_t shown_of(const struct firefox_writer *w, size_t i)
{
    const struct firefox_out_source *s = &w->sources[i];
    struct default_type_entry *types = mem_alloc((s->types + 1) * sizeof *types);
    uint32_t *entries = mem_alloc((s->types + 1) * sizeof *entries);
    size_t count = 0;
    for (size_t k = 0; k < s->types; k++) {
        const struct firefox_entry *e = &w->entries[w->order[s->first + k]];
        const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
        if (e->is_counter || e->is_inclusive)
            continue;
        types[count] = (struct default_type_entry){t->type, t->unit, e->is_listed, e->count};
        entries[count++] = w->order[s->first + k];
    }
    size_t at = default_type_choose(&s->shown, types, count),
           shown = at < count ? entries[at] : w->entry_count;
    mem_free(types);
    mem_free(entries);
    return shown;
}

/* The thread to show first, from 0: the first one with the default type of its source. */
static size_t shown_first(const struct firefox_writer *w)
{
    size_t first = 0, thread = 0;
    while (first < w->track_count && firefox_is_counter(&w->tracks[first]))
        first++;
    if (first == w->track_count)
        return 0;
    size_t shown = shown_of(w, w->entries[w->tracks[first].entry].source - 1);
    for (size_t i = first; i < w->track_count; i++) {
        if (w->tracks[i].entry == shown)
            return thread;
        thread += !firefox_is_counter(&w->tracks[i]);
    }
    return 0;
}

/* Appends MEMBERS of `meta` in the file that was read, but for those that are written in any
 * case. */
static void add_kept_meta(struct firefox_writer *w, struct str members)
{
    static const char *const ours[] = {FIREFOX_META_MEMBERS};
    struct str name, value;
    while (text_next_member(&members, &name, &value)) {
        size_t i = 0;
        while (i < sizeof ours / sizeof *ours && !str_equal(name, str_of(ours[i])))
            i++;
        if (i < sizeof ours / sizeof *ours)
            continue;
        emit_string(&w->text, name);
        firefox_add(w, STR(":"));
        firefox_add(w, value);
        firefox_add(w, STR(","));
    }
}

/* Appends what the file says of itself: as the file that was read did, or else what there is. */
static void add_meta(struct firefox_writer *w)
{
    const struct firefox_out_source *first = w->source_count > 0 ? &w->sources[0] : NULL;
    const struct profile_source *of = w->profile.sources;
    if (first != NULL && first->meta.p != NULL) {
        add_kept_meta(w, text_inside(first->meta));
        return;
    }
    struct decimal interval = decimal_of(1);
    if (first != NULL && of->has_period && of->period > 0 &&
        units_nanoseconds(of->period_unit) != 0)
        interval =
            firefox_in_ms(amount_times(decimal_of(of->period), units_nanoseconds(of->period_unit)));
    firefox_add(w, STR("\"interval\":"));
    firefox_add_decimal(w, interval, STR("interval"));
    firefox_add_string_member(w, STR("product"), firefox_product(w));
    firefox_add(w, STR(",\"importedFrom\":\"profpipe\",\"processType\":0,\"stackwalk\":1,"
                       "\"debug\":false,\"usesOnlyOneStackType\":true,"
                       "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,"));
}

static void add_start_time(struct firefox_writer *w)
{
    struct str timestamp = w->source_count > 0 ? w->sources[0].timestamp : STR("");
    struct decimal start = timestamp.n > 0 ? decimal_read(timestamp) : decimal_of(0);
    start.exponent += decimal_sign(start) == 0 ? 0 : 3;
    emit_member(&w->text, STR("startTime"));
    if (!decimal_is_double(start))
        die(CODE_OVERFLOW, "source_timestamp in milliseconds is more than a double can hold");
    decimal_write(&w->text, start);
}

static void write_head(struct firefox_writer *w)
{
    size_t threads = 0;
    for (size_t i = 0; i < w->track_count; i++)
        threads += !firefox_is_counter(&w->tracks[i]);
    firefox_add(w, STR("{\"meta\":{\"preprocessedProfileVersion\":"));
    emit_number(&w->text, FIREFOX_VERSION);
    firefox_add(w, STR(","));
    add_meta(w);
    add_categories(w);
    add_start_time(w);
    firefox_add(w, STR(",\"markerSchema\":[],\"symbolicated\":true,\"version\":31,"
                       "\"initialVisibleThreads\":["));
    for (size_t i = 0; i < threads || i == 0; i++) {
        firefox_add(w, i == 0 ? STR("") : STR(","));
        emit_number(&w->text, (int64_t)i);
    }
    firefox_add(w, STR("],\"initialSelectedThreads\":["));
    emit_number(&w->text, (int64_t)shown_first(w));
    firefox_add(w, STR("]},\n\"libs\":["));
}

/* Writes our member of the file: its sources, with their types. */
static void write_sources(struct firefox_writer *w)
{
    emit_member(&w->text, FIREFOX_MARK);
    firefox_add(w, STR("{\"sources\":["));
    for (size_t i = 0; i < w->source_count; i++) {
        const struct firefox_out_source *s = &w->sources[i];
        size_t shown = shown_of(w, i);
        firefox_add(w, i == 0 ? STR("{\"name\":") : STR(",{\"name\":"));
        firefox_add_string(w, s->name);
        if (s->timestamp.p != NULL) {
            emit_member(&w->text, STR("timestamp"));
            firefox_add(w, s->timestamp);
        }
        if (shown < w->entry_count) {
            emit_member(&w->text, STR("shown"));
            emit_string(&w->text,
                        value_types_get(&w->sink.flow->types, w->entries[shown].type)->type);
        }
        firefox_add(w, STR(",\"types\":["));
        for (size_t j = 0; j < s->types; j++) {
            const struct firefox_entry *e = &w->entries[w->order[s->first + j]];
            const struct value_type *t = value_types_get(&w->sink.flow->types, e->type);
            firefox_add(w, j == 0 ? STR("{\"type\":") : STR(",{\"type\":"));
            emit_string(&w->text, t->type);
            emit_member(&w->text, STR("unit"));
            emit_string(&w->text, t->unit);
            firefox_add_flag(w, STR("gauge"), e->is_gauge);
            firefox_add(w, STR("}"));
        }
        firefox_add(w, STR("]}"));
        firefox_flush(w, FIREFOX_FLUSH);
    }
    firefox_add(w, STR("]}}\n"));
}

void firefox_write_file(struct firefox_writer *w)
{
    write_head(w);
    firefox_write_libs(w);
    firefox_write_shared(w);
    firefox_write_threads(w);
    firefox_write_counters(w);
    write_sources(w);
    firefox_flush(w, 0);
    if (w->inexact > 0)
        warn(CODE_LOST_VALUES,
             "numbers of more than 53 bits (%" PRIu64
             "): they are written exactly, but the Firefox Profiler rounds them",
             w->inexact);
}
