/* Profile rows to a file of Perun.  See ndjson2perun(1) for the rules. */
#include "formats/perun/perun_write.h"

#include "base/mem.h"
#include "rows/loss.h"
#include "rows/members.h"

/* --- rows --- */

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct perun_writer *w = writer;
    (void)other;
    if (row->table == TABLE_LOCATIONS)
        return perun_keep_of_location(w, member);
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_PERUN)
        return false;
    if (w->profile.source_count == 1)
        perun_own_begin(w, row, member);
    w->own.rows++;
    return true;
}

static void read_source(struct perun_writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, perun_place(w));
    choice_add_source(&w->choice, of);
    w->own.is_there = w->own.is_there && w->profile.source_count == 1;
    profile_drop_source(row, of, STR("perun"));
}

static void take_row(struct sink *to, struct row *row)
{
    struct perun_writer *w = (struct perun_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: perun_read_location(w, row); break;
    case TABLE_FUNCTIONS: perun_read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default:
        if (!perun_own_row(w, row))
            loss_add_row(row);
    }
}

static bool is_own_member(enum member_id id)
{
    return id == MEMBER_ID_PERUN_TYPE || id == MEMBER_ID_PERUN_SNAPSHOT ||
           id == MEMBER_ID_PERUN_MEMBERS;
}

/* Counts dotted columns of SAMPLE that cannot be written. */
static void drop_columns(struct perun_writer *w, const struct sample *sample)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, perun_place(w), NULL);
    struct member m;
    bool is_own = false;
    while (walk.rest.n > 0 && members_next(&walk, &m)) {
        is_own |= is_own_member(m.id);
        if (!is_own_member(m.id) && (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag))
            loss_add_column(&row, m.name);
    }
    w->own_samples += is_own;
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct perun_writer *w = (struct perun_writer *)to;
    drop_columns(w, sample);
    if (w->own.is_there)
        perun_own_take(w, sample);
    perun_read_stack(w, sample->locations, sample->depth);
    perun_sums_take(w, sample);
}

/* --- the stage --- */

void perun_check_write_options(const struct perun_write_options *options)
{
    const char *layout = options->layout;
    choice_check(options->type);
    if (layout != NULL && strcmp(layout, "map") != 0 && strcmp(layout, "snapshots") != 0)
        die(STATUS_USAGE, "--layout: expected map or snapshots, found \"%s\"", layout);
    if (options->store_path != NULL && *options->store_path == '\0')
        die(STATUS_USAGE, "--store: expected a folder, found an empty name");
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct perun_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct perun_write_options *)with;
    w->profile.keep = keep;
    w->profile.user = w;
    w->own.spool = spool_open();
    w->choice.keeps_fractions = w->choice.takes_times = true;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    choice_open(&w->choice, w->options.type, &flow->types);
}

/* For a new file: counts what only a file of Perun could use, and the files and lines of innermost
 * frames. */
static void drop_own(const struct perun_writer *w)
{
    if (w->own.rows > 0)
        loss_add(LOSS_OWN, STR(".perun"), w->own.rows);
    if (w->own_samples > 0)
        loss_add(LOSS_OWN, STR("samples..perun"), w->own_samples);
    if (w->nameless > 0)
        loss_add(LOSS_FRAMES, STR("locations"), w->nameless);
    if (w->leaf_files > 0)
        loss_add(LOSS_COLUMNS, STR("functions.filename"), w->leaf_files);
    if (w->leaf_lines > 0)
        loss_add(LOSS_COLUMNS, STR("locations.line"), w->leaf_lines);
}

/* Writes the file to OUT: the original one again, or a new one. */
static void write_file(struct perun_writer *w, struct out *out)
{
    /* the options ask for something that the original file does not have */
    const struct perun_write_options *o = &w->options;
    bool is_anew = o->layout != NULL || o->type != NULL || o->cmd != NULL || o->args != NULL ||
                   o->workload != NULL || o->origin != NULL;
    bool is_own = !is_anew && perun_own_is_whole(w);
    struct perun_printer p = {.out = out, .is_indented = !o->store};
    if (is_own) {
        p.is_indented = p.is_indented && w->own.is_indented;
        p.is_respelled = o->store && w->own.stored.p == NULL;
        perun_own_write(w, &p);
    } else {
        drop_own(w);
        perun_sums_write(w, &p);
    }
    perun_printer_free(&p);
}

static void close_writer(void *to)
{
    struct perun_writer *w = to;
    if (!w->options.store) {
        write_file(w, w->out);
    } else {
        struct buf text = {0};
        struct out *out = out_open_buf(&text);
        write_file(w, out);
        out_close(out);
        loss_report(w->options.lossless); /* may end the tool, before an object is written */
        perun_store(w, buf_str(&text));
        buf_free(&text);
    }
    perun_own_free(w);
    void *blocks[] = {w->places, w->stack, w->parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&w->text);
    buf_free(&w->scratch);
    intern_free(&w->frames);
    intern_free(&w->kinds);
    amount_free(&w->digits);
    choice_free(&w->choice);
    profile_free(&w->profile);
    arena_free(&w->arena);
}

const struct stage perun_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct perun_writer),
    .open = open_writer,
    .close = close_writer,
};
