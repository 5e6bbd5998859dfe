/* The file, once all rows have come. */
#include "base/amount.h"
#include "base/mem.h"
#include "base/units.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "formats/cpuprofile/cpuprofile_write.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* Text of more bytes than this is passed on. */
enum { FLUSH = 1 << 16 };

/* --- text --- */

static void add(struct cpuprofile_writer *w, struct str text)
{
    buf_add(&w->text, text);
}

static void flush(struct cpuprofile_writer *w, size_t above)
{
    if (w->text.n <= above)
        return;
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Appends `,"NAME":` and the string BYTES. */
static void add_string(struct cpuprofile_writer *w, struct str name, struct str bytes)
{
    emit_member(&w->text, name);
    add(w, STR("\""));
    if (!text_escape_all(&w->text, bytes))
        loss_add(LOSS_CPUPROFILE_NAMES, STR(""), 1);
    add(w, STR("\""));
}

static void add_number(struct cpuprofile_writer *w, struct str name, int64_t number)
{
    emit_member(&w->text, name);
    emit_number(&w->text, number);
}

/* Appends X, in microseconds, with no more digits than it needs. */
static void add_time(struct cpuprofile_writer *w, struct decimal x)
{
    int64_t digits;
    if (!wide_fits(x.digits, &digits)) {
        decimal_write(&w->text, x);
        return;
    }
    for (; x.exponent < 0 && digits % 10 == 0; digits /= 10)
        x.exponent += digits != 0 ? 1 : -x.exponent;
    if (x.exponent == 0)
        emit_number(&w->text, digits);
    else
        decimal_write(&w->text, (struct decimal){wide_of(digits), x.exponent});
}

/* Whether the member NAME of a frame, whose members are TEXT, says what the string NUMBER does; a
 * missing one is empty. */
static bool says(struct cpuprofile_writer *w, struct str text, struct str name, uint32_t number)
{
    struct str found, value;
    w->scratch.n = 0;
    while (text_next_member(&text, &found, &value))
        if (str_equal(found, name))
            text_unescape(&w->scratch, *value.p == '"' ? text_inside(value) : value);
    return str_equal(buf_str(&w->scratch), profile_string_of(&w->profile, number));
}

/* Whether TEXT, the members of a frame in its file, is the frame of F still: it may have another
 * name by now. */
static bool is_frame_of(struct cpuprofile_writer *w, struct str text,
                        const struct profile_function *f)
{
    return says(w, text, STR("functionName"), f->name) && says(w, text, STR("url"), f->filename);
}

/* Appends the members of the frame of the node NUMBER. */
static void add_frame(struct cpuprofile_writer *w, uint32_t number)
{
    const struct profile *p = &w->profile;
    const struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    uint32_t frame = cpuprofile_frame_of(w, number);
    const struct profile_function none = {.name = frame - CPUPROFILE_NAMELESS};
    const struct cpuprofile_own no_own = {0};
    int64_t script_number;
    bool has_function = frame > 0 && frame < CPUPROFILE_NAMELESS,
         is_old = w->is_whole && w->facts.is_old;
    const struct profile_function *f = has_function ? &p->functions[frame - 1] : &none;
    const struct cpuprofile_own *own = has_function ? &w->owns[frame - 1] : &no_own;
    int64_t first_line = is_old ? w->facts.first_line : 0;
    struct str script = own->script == 0 ? STR("0") : profile_string_of(p, own->script);
    if (w->is_whole && kept->frame_text.p != NULL && is_frame_of(w, kept->frame_text, f)) {
        add(w, kept->frame_text);
        return;
    }
    add_string(w, STR("functionName"), frame == 0 ? STR("(root)") : profile_string_of(p, f->name));
    if (is_old && text_is_integer(script, &script_number)) {
        emit_member(&w->text, STR("scriptId"));
        add(w, script);
    } else {
        add_string(w, STR("scriptId"), script);
    }
    add_string(w, STR("url"), profile_string_of(p, f->filename));
    add_number(w, STR("lineNumber"), f->start_line - 1 + first_line);
    if (!is_old)
        add_number(w, STR("columnNumber"), own->column - 1);
}

/* Appends the lines of the node NUMBER. */
static void add_lines(struct cpuprofile_writer *w, uint32_t number)
{
    uint32_t tally = cpuprofile_node_at(w, number)->tally,
             lines = tally == 0 ? 0 : w->tallies[tally - 1].lines;
    if (lines == 0)
        return;
    add(w, STR(",\"positionTicks\":["));
    for (uint32_t id = lines; id != 0; id = w->lines[id - 1].next) {
        add(w, id == lines ? STR("{\"line\":") : STR(",{\"line\":"));
        emit_number(&w->text, w->lines[id - 1].line);
        add_number(w, STR("ticks"), (int64_t)w->lines[id - 1].samples);
        add(w, STR("}"));
    }
    add(w, STR("]"));
}

/* Appends the other members of the node NUMBER: those of its file, but for what depends on its
 * samples if these are not those of the file. */
static void add_others(struct cpuprofile_writer *w, uint32_t number)
{
    const struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    struct str rest = kept != NULL ? kept->others : STR(""), name, value;
    if (w->is_whole) {
        add(w, rest);
        return;
    }
    add_lines(w, number);
    while (rest.n > 0 && text_next_member(&rest, &name, &value))
        if (!str_equal(name, STR("positionTicks")) && !str_equal(name, STR("children")) &&
            !str_equal(name, STR("parent"))) {
            emit_member(&w->text, name);
            add(w, value);
        }
}

/* Appends the node NUMBER up to its children. */
static void open_node(struct cpuprofile_writer *w, uint32_t number)
{
    uint32_t tally = cpuprofile_node_at(w, number)->tally;
    int64_t hits = tally == 0 ? 0 : (int64_t)w->tallies[tally - 1].samples;
    if (w->is_whole)
        hits = cpuprofile_kept_at(w, number)->hits;
    add(w, STR("{\"id\":"));
    emit_number(&w->text, cpuprofile_id_of(w, number));
    if (w->is_whole && w->facts.is_old && !cpuprofile_kept_at(w, number)->has_call_frame) {
        add_frame(w, number);
    } else {
        add(w, STR(",\"callFrame\":"));
        size_t at = w->text.n;
        add_frame(w, number);
        emit_make_object(&w->text, at);
    }
    if (hits >= 0)
        add_number(w, STR("hitCount"), hits);
    add_others(w, number);
}

static void write_node(struct cpuprofile_writer *w, uint32_t number)
{
    const struct cpuprofile_node *node = cpuprofile_node_at(w, number);
    open_node(w, number);
    if (node->child != 0 && !(w->is_whole && cpuprofile_kept_at(w, number)->has_children)) {
        add(w, STR(",\"children\":["));
        for (uint32_t n = node->child; n != 0; n = cpuprofile_node_at(w, n)->next) {
            add(w, n == node->child ? STR("") : STR(","));
            emit_number(&w->text, cpuprofile_id_of(w, n));
        }
        add(w, STR("]"));
    }
    add(w, STR("}"));
    flush(w, FLUSH);
}

/* Writes the nodes: the root first, except where their order is that of a file. */
static void write_nodes(struct cpuprofile_writer *w)
{
    const char *separator = "\n";
    add(w, STR("{\"nodes\":["));
    for (uint32_t i = w->is_whole ? 1 : 0; i <= w->node_count; i++) {
        uint32_t number = i == 0 ? w->root : i;
        if ((i == w->root && !w->is_whole) || cpuprofile_node_at(w, number)->order == 0)
            continue;
        add(w, str_of(separator));
        write_node(w, number);
        separator = ",\n";
    }
    add(w, STR("]"));
}

/* Writes the nodes of an old file, each inside its parent. */
static void write_old_nodes(struct cpuprofile_writer *w)
{
    uint32_t number = w->root;
    add(w, STR("{\"head\":"));
    while (number != 0) {
        uint32_t child = cpuprofile_node_at(w, number)->child;
        open_node(w, number);
        add(w, STR(",\"children\":["));
        flush(w, FLUSH);
        if (child != 0) {
            number = child;
            continue;
        }
        while (number != 0 && cpuprofile_node_at(w, number)->next == 0) {
            add(w, STR("]}"));
            number = number == w->root ? 0 : cpuprofile_parent_of(w, number);
        }
        add(w, number != 0 ? STR("]},") : STR(""));
        number = number == 0 ? 0 : cpuprofile_node_at(w, number)->next;
    }
}

/* --- the file --- */

/* Counts the samples of nodes. */
static void count_samples(struct cpuprofile_writer *w)
{
    struct cpuprofile_waiting head;
    struct decimal length;
    uint64_t negative = 0;
    spool_rewind(w->spool);
    while (cpuprofile_next_sample(w, &head)) {
        bool is_written = cpuprofile_length_of(w, &head, &length);
        negative += !is_written && head.values > 0 && decimal_sign(length) < 0;
        if (is_written)
            decimal_add(&w->length, length);
        if (is_written && head.node == 0)
            w->root_samples++;
        else if (is_written)
            cpuprofile_count_sample(w, head.node, head.line);
    }
    if (negative > 0)
        loss_add(LOSS_BELOW_ZERO, value_types_get(&w->sink.flow->types, w->choice.chosen)->type,
                 negative);
}

static void write_samples(struct cpuprofile_writer *w)
{
    struct cpuprofile_waiting head;
    struct decimal length;
    const char *separator = "";
    add(w, STR(",\n\"samples\":["));
    spool_rewind(w->spool);
    while (cpuprofile_next_written(w, &head, &length)) {
        add(w, str_of(separator));
        emit_number(&w->text, cpuprofile_id_of(w, head.node == 0 ? w->root : head.node));
        separator = ",";
        flush(w, FLUSH);
    }
    if (!w->is_whole && *separator != '\0') { /* so that the last one has an end, too */
        add(w, STR(","));
        emit_number(&w->text, cpuprofile_id_of(w, w->root));
    }
    add(w, STR("]"));
}

/* Writes the times of the file that was read. */
static void write_kept_times(struct cpuprofile_writer *w)
{
    const struct cpuprofile_facts *f = &w->facts;
    struct cpuprofile_waiting head;
    bool is_absolute = f->zero.p != NULL || (f->is_old && f->samples == 0);
    struct decimal zero = f->zero.p != NULL ? decimal_read(f->zero) : decimal_of(0), length;
    const char *separator = "";
    int64_t before = 0;
    add(w, is_absolute ? STR(",\n\"timestamps\":[") : STR(",\n\"timeDeltas\":["));
    if (f->lists_zero && f->zero.p != NULL) {
        add(w, f->zero);
        separator = ",";
    }
    spool_rewind(w->spool);
    while (cpuprofile_next_written(w, &head, &length)) {
        struct decimal time = {wide_subtract(wide_of(head.time), wide_of(before)), -3};
        decimal_add(&time, zero);
        add(w, str_of(separator));
        add_time(w, time);
        separator = ",";
        before = is_absolute ? 0 : head.time;
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* Writes the times of samples, each of which begins when the one before it ends. */
static void write_times(struct cpuprofile_writer *w)
{
    struct cpuprofile_waiting head;
    struct decimal length;
    bool is_first = true;
    add(w, STR(",\n\"timeDeltas\":["));
    spool_rewind(w->spool);
    for (; cpuprofile_next_written(w, &head, &length); is_first = false) {
        add(w, is_first ? STR("0,") : STR(","));
        add_time(w, length);
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* Writes the members behind the nodes as they were in the file that was read. */
static void write_kept_rest(struct cpuprofile_writer *w)
{
    const struct cpuprofile_facts *f = &w->facts;
    const struct str names[] = {STR("startTime"), STR("endTime")}, ends[] = {f->start, f->end};
    for (size_t i = 0; i < 2; i++)
        if (ends[i].p != NULL) {
            emit_member(&w->text, names[i]);
            add(w, ends[i]);
        }
    if (f->samples >= 0)
        write_samples(w);
    if (f->is_timed)
        write_kept_times(w);
    add(w, f->others);
}

/* When the first source starts, in microseconds. */
static struct decimal start_of(const struct cpuprofile_writer *w)
{
    const struct profile *p = &w->profile;
    if (w->facts.start.p != NULL && !w->facts.is_old)
        return decimal_read(w->facts.start);
    if (p->source_count == 0 || p->sources[0].timestamp.n == 0)
        return decimal_of(0);
    return decimal_multiply(decimal_read(p->sources[0].timestamp), decimal_of(1000000));
}

static void write_rest(struct cpuprofile_writer *w)
{
    struct decimal start = start_of(w), end = start;
    decimal_add(&end, w->length);
    emit_member(&w->text, STR("startTime"));
    add_time(w, start);
    emit_member(&w->text, STR("endTime"));
    add_time(w, end);
    write_samples(w);
    write_times(w);
}

void cpuprofile_write_file(struct cpuprofile_writer *w)
{
    if (!w->is_linked)
        cpuprofile_link_nodes(w);
    choice_finish(&w->choice);
    w->is_whole = cpuprofile_is_whole(w);
    if (!w->is_whole) {
        if (w->facts.is_there)
            loss_add_column(&(struct row){.table = TABLE_SOURCES}, STR(".cpuprofile"));
        if (w->timed > 0)
            loss_add(LOSS_DOTTED_COLUMNS, STR("samples..time"), w->timed);
        choice_count_others(&w->choice);
        choice_warn(&w->choice);
    }
    w->node_count = w->kept_count + w->stacks.count - w->kept_stacks;
    w->nodes = mem_alloc_zeroed((w->node_count + 1) * sizeof *w->nodes); /* with a root */
    count_samples(w);
    cpuprofile_find_root(w);
    cpuprofile_finish_tree(w);
    if (w->is_whole && w->facts.is_old)
        write_old_nodes(w);
    else
        write_nodes(w);
    if (w->is_whole)
        write_kept_rest(w);
    else
        write_rest(w);
    add(w, STR("}\n"));
    flush(w, 0);
}
