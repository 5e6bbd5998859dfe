/* Profile rows to the format of speedscope. See ndjson2speedscope(1) for the rules.
 *
 * A file has all frames first; then, for each profile, all samples and after them all weights. So
 * their text waits in a spool, two runs per profile, until the last row has come. Memory grows with
 * distinct frames and stacks only. */
#include "formats/speedscope/speedscope_write.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"

#include <inttypes.h>

/* --- samples as text --- */

void speedscope_spell_stack(struct speedscope_writer *w, size_t same, size_t depth)
{
    w->ends = mem_array(w->ends, &w->end_capacity, depth, sizeof *w->ends);
    w->text.n = same == 0 ? 0 : w->ends[same - 1];
    if (same == 0)
        buf_add(&w->text, STR("["));
    for (size_t i = same; i < depth; i++) {
        if (i > 0)
            buf_add(&w->text, STR(","));
        emit_number(&w->text, w->stack[i]);
        w->ends[i] = w->text.n;
    }
    buf_add(&w->text, STR("]"));
    w->has_text = true;
}

void speedscope_add_sample(struct speedscope_writer *w, struct speedscope_entry *entry,
                           struct str weight)
{
    if (spools_size(w->spools, entry->weights) > 0) {
        spools_write(w->spools, entry->samples, STR(","));
        spools_write(w->spools, entry->weights, STR(","));
    }
    spools_write(w->spools, entry->samples, buf_str(&w->text));
    spools_write(w->spools, entry->weights, weight);
}

/* --- stacks --- */

/* Sets the stack of the sample to the DEPTH locations IDS, innermost first. Sets its text too if
 * NEEDED. */
static void read_stack(struct speedscope_writer *w, const int64_t *ids, size_t depth, bool needed)
{
    size_t shorter = depth < w->depth ? depth : w->depth, same = 0;
    w->stack = mem_array(w->stack, &w->stack_capacity, depth, sizeof *w->stack);
    while (same < shorter && w->stack[same] == w->frame_of[ids[depth - 1 - same] - 1])
        same++;
    if (needed && w->has_text && same == depth && same == w->depth)
        return;
    for (size_t i = same; i < depth; i++)
        w->stack[i] = w->frame_of[ids[depth - 1 - i] - 1];
    w->depth = depth;
    if (needed)
        speedscope_spell_stack(w, w->has_text ? same : 0, depth);
}

/* --- values --- */

/* The text of X. */
static struct str text_of(struct speedscope_writer *w, struct decimal x)
{
    int64_t integer;
    w->number.n = 0;
    if (x.exponent != 0 || !wide_fits(x.digits, &integer)) {
        decimal_write(&w->number, x);
        return buf_str(&w->number);
    }
    w->inexact += integer > SPEEDSCOPE_EXACT_MAX;
    emit_number(&w->number, integer);
    return buf_str(&w->number);
}

static void add_to_sum(struct speedscope_entry *entry, struct decimal x)
{
    if (x.exponent == 0)
        entry->whole = wide_add(entry->whole, x.digits);
    else
        decimal_add(&entry->parts, x);
}

/* --- events --- */

static void add_event(struct speedscope_writer *w, struct speedscope_entry *entry, char type,
                      uint32_t frame)
{
    struct buf *text = &w->scratch;
    text->n = 0;
    if (spools_size(w->spools, entry->samples) > 0)
        buf_add(text, STR(","));
    buf_add(text, STR("{\"type\":\""));
    buf_add(text, (struct str){&type, 1});
    buf_add(text, STR("\",\"frame\":"));
    emit_number(text, frame);
    buf_add(text, STR(",\"at\":"));
    decimal_write(text, entry->at);
    buf_add(text, STR("}"));
    spools_write(w->spools, entry->samples, buf_str(text));
}

/* Goes from the previous stack to the DEPTH frames of STACK: closes frames that are gone and opens
 * new ones. */
static void change_stack(struct speedscope_writer *w, struct speedscope_entry *entry,
                         const uint32_t *stack, size_t depth)
{
    size_t same = 0;
    while (same < depth && same < entry->depth && stack[same] == entry->open[same])
        same++;
    while (entry->depth > same) {
        entry->depth--;
        add_event(w, entry, 'C', entry->open[entry->depth]);
    }
    entry->open = mem_array(entry->open, &entry->open_capacity, depth, sizeof *entry->open);
    for (; entry->depth < depth; entry->depth++) {
        entry->open[entry->depth] = stack[entry->depth];
        add_event(w, entry, 'O', stack[entry->depth]);
    }
}

/* --- samples --- */

/* Takes V, a value of the sample, from source number SOURCE. */
static void take_value(struct speedscope_writer *w, size_t source, const struct sample_value *v)
{
    const struct speedscope_source *of = &w->sources[source - 1];
    bool is_time = v->type == w->counts && of->time != 0;
    struct speedscope_entry *entry = speedscope_entry_of(w, source, is_time ? of->time : v->type);
    struct decimal x = sample_value_exact(v);
    if (is_time)
        x = amount_times(x, of->period);
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    entry->count += decimal_sign(x) != 0;
    if (entry->is_gauge) {
        entry->left_out++;
    } else if (w->options.aggregate) {
        speedscope_add_part(w, entry, x);
    } else if (decimal_sign(x) < 0) {
        entry->left_out++;
    } else if (speedscope_is_evented(w, entry)) {
        change_stack(w, entry, w->stack, w->depth);
        decimal_add(&entry->at, x);
    } else {
        add_to_sum(entry, x);
        speedscope_add_sample(
            w, entry, v->value.kind == NUMBER_REAL && !is_time ? v->value.real : text_of(w, x));
    }
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct speedscope_writer *w = (struct speedscope_writer *)to;
    struct place where = to->flow->where;
    loss_add_sample(sample, where);
    if (sample->value_count == 0) {
        loss_add(LOSS_NO_COUNT, STR(""), 1);
        return;
    }
    read_stack(w, sample->locations, sample->depth, !w->options.aggregate);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        take_value(w, (size_t)sample->source_id, &sample->values[i]);
    }
    to->flow->where = where;
    if (w->options.aggregate)
        speedscope_keep_sample(w);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct speedscope_writer *w = (struct speedscope_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: speedscope_read_location(w, row); break;
    case TABLE_FUNCTIONS: speedscope_read_function(w, row); break;
    case TABLE_SOURCES: speedscope_read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&w->profile, row,
                            speedscope_place(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default: loss_add_row(row);
    }
}

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    (void)other;
    if (row->table == TABLE_SOURCES)
        return speedscope_keep_of_source(writer, row, member);
    return row->table == TABLE_LOCATIONS && speedscope_keep_of_location(writer, member);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct speedscope_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct speedscope_write_options *)with;
    flow->adds_up = w->options.aggregate;
    w->profile.stacks.flow = flow;
    w->profile.keep = keep;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->profile.user = w;
    w->spools = spools_open();
}

/* Closes the frames still open at the end of the events of ENTRY. */
static void end_entry(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    struct str type = value_types_get(&w->sink.flow->types, entry->type)->type;
    if (speedscope_is_evented(w, entry))
        change_stack(w, entry, NULL, 0);
    if (entry->left_out > 0)
        loss_add(entry->dropped_as, type, entry->left_out);
}

static void free_writer(struct speedscope_writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        mem_free(w->sources[i].facts);
    for (size_t i = 0; i < w->entry_count; i++)
        mem_free(w->entries[i].open);
    MEM_FREE(w->sources, w->entries, w->known, w->frames, w->frame_of, w->stack, w->ends, w->parts);
    buf_free(&w->text);
    buf_free(&w->number);
    buf_free(&w->scratch);
    intern_free(&w->entry_keys);
    intern_free(&w->frame_keys);
    amount_free(&w->digits);
    arena_free(&w->arena);
    profile_free(&w->profile);
    spools_close(w->spools);
}

static void close_writer(void *to)
{
    struct speedscope_writer *w = to;
    if (w->options.aggregate)
        speedscope_finish_sums(w);
    for (size_t i = 0; i < w->entry_count; i++)
        end_entry(w, &w->entries[i]);
    speedscope_write_file(w);
    if (w->inexact > 0)
        warn(CODE_LOST_VALUES,
             "values above 2^53 (%" PRIu64
             "): they are written exactly, but speedscope rounds them",
             w->inexact);
    free_writer(w);
}

const struct stage speedscope_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct speedscope_writer),
    .open = open_writer,
    .close = close_writer,
};
