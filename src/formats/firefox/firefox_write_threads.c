/* The threads and counters of a file of the Firefox Profiler, with their samples. */
#include "formats/firefox/firefox_write.h"
#include "rows/emit.h"

static const struct value_type *type_of(const struct firefox_writer *w,
                                        const struct firefox_out_track *t)
{
    return value_types_get(&w->sink.flow->types, w->entries[t->entry].type);
}

/* The weight in the file of X, in UNIT. */
static struct decimal weight_of(struct decimal x, struct str unit)
{
    int power = firefox_power(unit);
    if (power >= 0)
        x.exponent += power - 6;
    return x;
}

/* The time of RECORD of T, in milliseconds. Without one it begins where the one before has ended,
 * at *END. */
static struct decimal time_of(const struct firefox_writer *w, const struct firefox_out_track *t,
                              const struct firefox_record *record, struct decimal *end)
{
    const struct firefox_entry *entry = &w->entries[t->entry];
    int64_t zero = w->source_count > 1 ? w->sources[entry->source - 1].earliest : 0;
    struct str unit = type_of(w, t)->unit;
    struct decimal start = *end;
    if (record->time != FIREFOX_NO_TIME && zero != FIREFOX_NO_TIME)
        return firefox_in_ms(
            (struct decimal){wide_subtract(wide_of(record->time), wide_of(zero)), 0});
    if (firefox_power(unit) < 0)
        decimal_add(end, decimal_of(1));
    else if (decimal_sign(record->weight) > 0)
        decimal_add(end, weight_of(record->weight, unit));
    return start;
}

/* Appends `,"NAME":` and the values of T that ADD appends. */
static void add_samples(struct firefox_writer *w, const struct firefox_out_track *t,
                        struct str name,
                        void (*add_one)(struct firefox_writer *w, const struct firefox_out_track *t,
                                        const struct firefox_record *record, struct decimal *state))
{
    struct spools_walk walk = {.strand = t->strand};
    struct firefox_record record;
    struct decimal state = decimal_of(0);
    emit_member(&w->text, name);
    firefox_add(w, STR("["));
    for (bool is_first = true; spools_read(w->spools, &walk, &record, sizeof record);
         is_first = false) {
        firefox_add(w, is_first ? STR("") : STR(","));
        add_one(w, t, &record, &state);
        firefox_flush(w, FIREFOX_FLUSH);
    }
    spools_leave(&walk);
    firefox_add(w, STR("]"));
}

static void add_stack(struct firefox_writer *w, const struct firefox_out_track *t,
                      const struct firefox_record *record, struct decimal *state)
{
    (void)t, (void)state;
    firefox_add_or_null(w, firefox_position(&w->out_stacks, record->stack), record->stack != 0);
}

static void add_time(struct firefox_writer *w, const struct firefox_out_track *t,
                     const struct firefox_record *record, struct decimal *state)
{
    firefox_add_decimal(w, time_of(w, t, record, state), type_of(w, t)->type);
}

static void add_weight(struct firefox_writer *w, const struct firefox_out_track *t,
                       const struct firefox_record *record, struct decimal *state)
{
    (void)state;
    const struct value_type *type = type_of(w, t);
    firefox_add_decimal(w, weight_of(record->weight, type->unit), type->type);
}

/* Appends how much a level is above the one before, which is in STATE. */
static void add_change(struct firefox_writer *w, const struct firefox_out_track *t,
                       const struct firefox_record *record, struct decimal *state)
{
    struct decimal change = record->weight;
    decimal_subtract(&change, *state);
    *state = record->weight;
    firefox_add_decimal(w, change, type_of(w, t)->type);
}

/* Appends the value of the label L: text, or a number with its unit. */
static void add_label(struct firefox_writer *w, const struct label *l)
{
    firefox_add(w, STR("{\"key\":"));
    firefox_add_string(w, profile_string_of(&w->profile, l->key));
    if (l->string != 0)
        firefox_add_string_member(w, STR("str"), profile_string_of(&w->profile, l->string));
    if (l->string == 0 || l->number != 0)
        firefox_add_number_member(w, STR("num"), l->number);
    if (l->unit != 0)
        firefox_add_string_member(w, STR("unit"), profile_string_of(&w->profile, l->unit));
    firefox_add(w, STR("}"));
}

/* Sets TO to the value of the label of LANE with that key; false if it has none. */
static bool label_value(const struct firefox_writer *w, const struct firefox_lane *lane, size_t key,
                        struct buf *to)
{
    size_t count;
    const struct label *labels = labels_get(&w->lane_labels, lane->labels, &count);
    to->n = 0;
    for (size_t i = 0; i < count; i++) {
        if (firefox_key_index(w, &labels[i]) != key)
            continue;
        if (labels[i].string != 0)
            buf_add(to, profile_string_of(&w->profile, labels[i].string));
        else
            emit_number(to, labels[i].number);
        return true;
    }
    return false;
}

/* Appends the names and numbers of the thread of T, and its source. */
static void add_thread_names(struct firefox_writer *w, const struct firefox_out_track *t)
{
    const struct firefox_lane *lane = &w->lanes[t->lane - 1];
    struct str source = w->sources[lane->source - 1].name;
    struct buf *value = &w->scratch;
    if (!label_value(w, lane, FIREFOX_KEY_THREAD, value) &&
        !label_value(w, lane, FIREFOX_KEY_COMM, value))
        buf_add(value, source);
    if (lane->tracks > 1) {
        buf_add(value, STR(" ("));
        text_unescape(value, type_of(w, t)->type);
        buf_add(value, STR(")"));
    }
    firefox_add_string_member(w, STR("name"), buf_str(value));
    if (!label_value(w, lane, FIREFOX_KEY_PROCESS, value))
        buf_add(value, source);
    firefox_add_string_member(w, STR("processName"), buf_str(value));
    if (!label_value(w, lane, FIREFOX_KEY_PID, value))
        emit_number(value, lane->source);
    firefox_add_string_member(w, STR("pid"), buf_str(value));
    if (!label_value(w, lane, FIREFOX_KEY_TID, value))
        emit_number(value, lane->number);
    firefox_add_string_member(w, STR("tid"), buf_str(value));
}

/* Appends our member of T. */
static void add_mark(struct firefox_writer *w, const struct firefox_out_track *t)
{
    const struct firefox_entry *entry = &w->entries[t->entry];
    size_t count = 0;
    const struct label *labels =
        firefox_is_counter(t) ? NULL
                              : labels_get(&w->lane_labels, w->lanes[t->lane - 1].labels, &count);
    emit_member(&w->text, FIREFOX_MARK);
    firefox_add(w, STR("{\"source\":"));
    emit_number(&w->text, entry->source);
    firefox_add_number_member(w, STR("type"), entry->number);
    firefox_add_flag(w, STR("timed"), t->is_timed);
    if (count > 0)
        firefox_add(w, STR(",\"labels\":["));
    for (size_t i = 0; i < count; i++) {
        firefox_add(w, i == 0 ? STR("") : STR(","));
        add_label(w, &labels[i]);
    }
    firefox_add(w, count > 0 ? STR("]}") : STR("}"));
}

/* Writes T; IS_MAIN: it is the first of its process. */
static void write_thread(struct firefox_writer *w, const struct firefox_out_track *t, bool is_main)
{
    struct str unit = type_of(w, t)->unit;
    firefox_add(w, STR("{\"processType\":\"default\",\"processStartupTime\":0,"
                       "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
                       "\"pausedRanges\":[]"));
    add_thread_names(w, t);
    firefox_add(w, is_main ? STR(",\"isMainThread\":true") : STR(",\"isMainThread\":false"));
    add_mark(w, t);
    firefox_add(w, STR(",\"samples\":{\"weightType\":"));
    firefox_add_string(w, firefox_power(unit) >= 0        ? STR("tracing-ms")
                          : str_equal(unit, STR("bytes")) ? STR("bytes")
                                                          : STR("samples"));
    firefox_add_number_member(w, STR("length"), (int64_t)t->count);
    add_samples(w, t, STR("stack"), add_stack);
    add_samples(w, t, STR("time"), add_time);
    add_samples(w, t, STR("weight"), add_weight);
    firefox_add(w, STR("},\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
                       "\"phase\":[],\"category\":[],\"length\":0}}"));
}

/* Writes a thread without samples: the Profiler needs one. */
static void write_no_thread(struct firefox_writer *w)
{
    firefox_add(w, STR("\n{\"processType\":\"default\",\"processStartupTime\":0,"
                       "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
                       "\"pausedRanges\":[]"));
    firefox_add_string_member(w, STR("name"), firefox_product(w));
    firefox_add(
        w, STR(",\"pid\":\"1\",\"tid\":\"1\",\"isMainThread\":true,\"profpipe\":{},\"samples\":{"
               "\"weightType\":\"samples\",\"length\":0,\"stack\":[],\"time\":[],"
               "\"weight\":null},\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],"
               "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}}"));
}

void firefox_write_threads(struct firefox_writer *w)
{
    struct intern processes = {0};
    size_t count = 0;
    firefox_add(w, STR(",\n\"threads\":["));
    for (size_t i = 0; i < w->track_count; i++) {
        const struct firefox_out_track *t = &w->tracks[i];
        bool is_main;
        if (firefox_is_counter(t))
            continue;
        if (!label_value(w, &w->lanes[t->lane - 1], FIREFOX_KEY_PID, &w->scratch))
            emit_number(&w->scratch, w->lanes[t->lane - 1].source);
        intern_add(&processes, buf_str(&w->scratch), &is_main);
        firefox_add(w, count++ == 0 ? STR("\n") : STR(",\n"));
        write_thread(w, t, is_main);
    }
    if (count == 0)
        write_no_thread(w);
    firefox_add(w, STR("]"));
    intern_free(&processes);
}

/* Writes the counter T; FIRST is the index of the first thread of its source. */
static void write_counter(struct firefox_writer *w, const struct firefox_out_track *t,
                          int64_t first)
{
    const struct value_type *type = type_of(w, t);
    bool is_memory = str_equal(type->unit, STR("bytes"));
    struct str unit = is_memory ? STR("bytes") : STR("number");
    w->scratch.n = 0;
    text_unescape(&w->scratch, type->type);
    firefox_add(w, STR("{\"name\":"));
    firefox_add_string(w, buf_str(&w->scratch));
    firefox_add_string_member(w, STR("category"), is_memory ? STR("Memory") : STR("Other"));
    firefox_add_string_member(w, STR("description"),
                              w->sources[w->entries[t->entry].source - 1].name);
    w->scratch.n = 0;
    emit_number(&w->scratch, w->entries[t->entry].source);
    firefox_add_string_member(w, STR("pid"), buf_str(&w->scratch));
    firefox_add_number_member(w, STR("mainThreadIndex"), first);
    firefox_add(w, STR(",\"display\":{\"graphType\":\"line-accumulated\""));
    emit_member(&w->text, STR("unit"));
    emit_string(&w->text, type->unit);
    firefox_add_string_member(w, STR("color"), is_memory ? STR("orange") : STR("grey"));
    firefox_add(w, STR(",\"markerSchemaLocation\":null,\"sortWeight\":20"));
    emit_member(&w->text, STR("label"));
    emit_string(&w->text, type->type);
    firefox_add(w,
                STR(",\"tooltipRows\":[{\"type\":\"value\",\"source\":\"accumulated\",\"format\":{"
                    "\"unit\":"));
    firefox_add_string(w, unit);
    firefox_add(w, STR("}"));
    emit_member(&w->text, STR("label"));
    emit_string(&w->text, type->type);
    firefox_add(w, STR("}]}"));
    add_mark(w, t);
    firefox_add(w, STR(",\"samples\":{\"length\":"));
    emit_number(&w->text, (int64_t)t->count);
    add_samples(w, t, STR("time"), add_time);
    add_samples(w, t, STR("count"), add_change);
    firefox_add(w, STR("}}"));
}

void firefox_write_counters(struct firefox_writer *w)
{
    int64_t thread = 0, first = 0;
    uint32_t source = 0;
    bool is_first = true;
    firefox_add(w, STR(",\n\"counters\":["));
    /* the counters of a source stand before its threads */
    for (size_t i = 0; i < w->track_count; i++) {
        const struct firefox_out_track *t = &w->tracks[i];
        if (w->entries[t->entry].source != source)
            first = thread;
        source = w->entries[t->entry].source;
        thread += !firefox_is_counter(t);
        if (!firefox_is_counter(t))
            continue;
        firefox_add(w, is_first ? STR("\n") : STR(",\n"));
        write_counter(w, t, first);
        is_first = false;
    }
    firefox_add(w, STR("]"));
}
