/* Rows: sources, what stacks consist of, and samples. */
#include "base/mem.h"
#include "formats/stacks/stacks.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- sources --- */

bool stacks_fact(struct stacks_reader *s, const char *name, struct str value)
{
    for (size_t i = 0; i < s->fact_count; i++)
        if (strcmp(s->fact_names[i], name) == 0)
            return false;
    s->fact_names[s->fact_count++] = name;
    emit_member(&s->facts, str_of(name));
    emit_inner_string(&s->facts, &s->text, value);
    return true;
}

/* Pushes a row of .stacks_text with the members TEXT. */
static void push_text(struct stacks_reader *s, struct str text)
{
    s->extra.n = 0;
    buf_add(&s->extra, STR(",\"source_id\":"));
    emit_number(&s->extra, s->source_id);
    buf_add(&s->extra, text);
    sink_row(s->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {.name = STR(".stacks_text")},
                                    .extra = buf_str(&s->extra)});
}

void stacks_begin_source(struct stacks_reader *s, const struct stacks_type *types, size_t count)
{
    const struct str kind = s->dialect->is_of_threads ? STR("threads") : STR("stacks");
    s->source_id = ++s->source_count;
    s->extra.n = 0;
    listed_begin(&s->extra);
    for (size_t i = 0; i < count; i++) {
        s->types[i] = value_types_add_bytes(&s->sink->flow->types, types[i].name, types[i].unit);
        listed_add_bytes(&s->extra, &s->text, types[i].name, types[i].unit, LISTED_SUM);
    }
    s->type_count = count;
    listed_end(&s->extra);
    for (size_t i = 0; i < count; i++)
        if (types[i].period != 0)
            listed_period_bytes(&s->extra, &s->text, types[i].name, types[i].unit, types[i].period);
    buf_add(&s->extra, STR(",\"."));
    buf_add(&s->extra, kind);
    buf_add(&s->extra, STR("\":{\"dialect\":"));
    emit_string(&s->extra, s->dialect->name);
    buf_add(&s->extra, buf_str(&s->facts));
    buf_add(&s->extra, STR("}"));
    bytes_rows_source(&s->rows, s->sink, s->source_id, kind, format_source_uri(s->request, s->in),
                      s->request->timestamp, &s->extra);
    struct str held = buf_str(&s->held), text;
    while (str_next_line(&held, &text))
        push_text(s, text);
    s->facts.n = s->held.n = s->fact_count = 0;
}

/* Lines of other kinds may be as many as stacks, so those behind the first source do not wait. */
void stacks_keep_line(struct stacks_reader *s, struct str line)
{
    const size_t before = s->held.n;
    if (str_trim(line).n == 0)
        return;
    buf_add(&s->held, STR(",\"line\":"));
    emit_number(&s->held, (int64_t)s->where.at);
    buf_add(&s->held, STR(",\"text\":"));
    emit_inner_string(&s->held, &s->text, line);
    if (s->source_id != 0) {
        push_text(s, (struct str){s->held.p + before, s->held.n - before});
        s->held.n = before;
    } else {
        buf_add(&s->held, STR("\n")); /* which JSON text does not have */
    }
}

void stacks_end_source(struct stacks_reader *s)
{
    static const struct stacks_type samples = {STR("samples"), STR("count"), 0};
    if (s->source_id == 0)
        stacks_begin_source(s, &samples, 1);
}

/* --- what stacks consist of --- */

uint32_t stacks_mapping(struct stacks_reader *s, struct str file, struct str build_id,
                        uint64_t start, uint64_t limit)
{
    const struct {
        struct str lead;
        uint64_t value;
    } addresses[] = {{STR(",\"memory_start\":\""), start},
                     {STR("\",\"memory_limit\":\""), limit},
                     {STR("\",\"file_offset\":\""), 0}};
    s->extra.n = 0;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        buf_add(&s->extra, addresses[i].lead);
        emit_address(&s->extra, addresses[i].value);
    }
    buf_add(&s->extra, STR("\",\"filename\":"));
    emit_inner_string(&s->extra, &s->text, file);
    buf_add(&s->extra, STR(",\"build_id\":"));
    emit_inner_string(&s->extra, &s->text, build_id);
    bool is_new;
    const uint32_t id = intern_add(&s->mappings, buf_str(&s->extra), &is_new);
    if (is_new)
        sink_row(s->sink, &(struct row){.table = TABLE_MAPPINGS,
                                        .mapping = {.mapping_id = id},
                                        .extra = buf_str(&s->extra)});
    return id;
}

/* The mapping of BINARY, of which only the name is known; 0 where that is empty. */
static uint32_t mapping_of(struct stacks_reader *s, struct str binary)
{
    bool is_new;
    if (binary.n == 0)
        return 0;
    const uint32_t number = intern_add(&s->binaries, binary, &is_new);
    if (is_new) {
        s->mapping_of_binary = mem_array(s->mapping_of_binary, &s->mapping_capacity, number,
                                         sizeof *s->mapping_of_binary);
        s->mapping_of_binary[number - 1] = stacks_mapping(s, binary, STR(""), 0, 0);
    }
    return s->mapping_of_binary[number - 1];
}

/* What tells locations apart. */
struct site {
    uint64_t address, offset;
    int64_t line;
    uint32_t function, mapping, has_offset, is_native;
};

uint32_t stacks_location(struct stacks_reader *s, const struct stacks_call *frame)
{
    const bool has_function = frame->name.n > 0 || frame->file.n > 0 || frame->address == 0;
    const struct site site = {
        .address = frame->address,
        .offset = frame->has_offset ? frame->offset : 0,
        .line = frame->line,
        .function = has_function ? bytes_rows_find_function(&s->rows, s->sink, &s->functions,
                                                            frame->name, frame->file, 0, NULL)
                                 : 0,
        .mapping = frame->mapping_id != 0 ? frame->mapping_id : mapping_of(s, frame->binary),
        .has_offset = frame->has_offset,
        .is_native = frame->is_native,
    };
    bool is_new;
    const uint32_t id =
        intern_add(&s->locations, (struct str){(const char *)&site, sizeof site}, &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {id, has_function ? site.function : ROW_NULL,
                                   has_function ? site.line : ROW_NULL},
                      .site = {.mapping_id = site.mapping, .address = site.address}};
    s->extra.n = 0;
    if (site.has_offset != 0) {
        buf_add(&s->extra, STR(",\".stacks_offset\":\""));
        emit_address(&s->extra, site.offset);
        buf_add(&s->extra, STR("\""));
    }
    buf_add(&s->extra, site.is_native != 0 ? STR(",\".stacks_native\":true") : STR(""));
    row.extra = buf_str(&s->extra);
    sink_row(s->sink, &row);
    return id;
}

uint32_t stacks_recall(struct stacks_reader *s, struct str line, uint32_t **location)
{
    bool is_new;
    const uint32_t number = intern_add(&s->memo, line, &is_new);
    if (is_new) {
        s->memo_location =
            mem_array(s->memo_location, &s->memo_capacity, number, sizeof *s->memo_location);
        s->memo_location[number - 1] = 0;
    }
    *location = &s->memo_location[number - 1];
    return number;
}

/* --- samples --- */

void stacks_push(struct stacks_reader *s, uint32_t location)
{
    growth_check_depth(s->depth + 1, s->where);
    if (s->depth == s->stack_capacity)
        s->stack = mem_array(s->stack, &s->stack_capacity, s->depth + 1, sizeof *s->stack);
    s->stack[s->depth++] = location;
}

void stacks_label(struct stacks_reader *s, const char *key, struct str text, int64_t number)
{
    buf_add(&s->labels, s->labels.n > 0 ? STR(",{\"key\":\"") : STR("{\"key\":\""));
    buf_add(&s->labels, str_of(key));
    if (text.p != NULL) {
        buf_add(&s->labels, STR("\",\"str\":"));
        emit_inner_string(&s->labels, &s->text, text);
    } else {
        buf_add(&s->labels, STR("\",\"num\":"));
        emit_number(&s->labels, number);
    }
    buf_add(&s->labels, STR("}"));
    emit_check_length(STR("samples"), s->labels.n);
}

void stacks_note(struct stacks_reader *s, struct str line)
{
    s->extra.n = 0;
    emit_number(&s->extra, (int64_t)s->depth);
    buf_add(&s->extra, STR(" "));
    buf_add(&s->extra, line);
    if (s->notes.n > 0)
        buf_add(&s->notes, STR(","));
    emit_inner_string(&s->notes, &s->text, buf_str(&s->extra));
    emit_check_length(STR("samples"), s->notes.n);
}

void stacks_set_thread(struct stacks_reader *s, struct str text)
{
    s->thread.n = 0;
    emit_inner_string(&s->thread, &s->text, text);
}

/* The dotted columns of the sample. */
static struct str columns_of(struct stacks_reader *s)
{
    s->extra.n = 0;
    if (s->has_time) {
        buf_add(&s->extra, STR(",\".time\":"));
        emit_number(&s->extra, s->time);
    }
    if (s->labels.n > 0) {
        buf_add(&s->extra, STR(",\".labels\":["));
        buf_add(&s->extra, buf_str(&s->labels));
        buf_add(&s->extra, STR("]"));
    }
    if (s->is_cut)
        buf_add(&s->extra, STR(",\".truncated\":true"));
    if (s->thread.n > 0) {
        buf_add(&s->extra, STR(",\".stacks_thread\":"));
        buf_add(&s->extra, buf_str(&s->thread));
    }
    if (s->notes.n > 0) {
        buf_add(&s->extra, STR(",\".stacks_notes\":["));
        buf_add(&s->extra, buf_str(&s->notes));
        buf_add(&s->extra, STR("]"));
    }
    return buf_str(&s->extra);
}

void stacks_end_sample(struct stacks_reader *s, const int64_t *values)
{
    struct sample_value all[STACKS_VALUES];
    stacks_end_source(s);
    for (size_t i = 0; i < s->type_count; i++)
        all[i] = (struct sample_value){s->types[i], number_of(values[i]), STR("")};
    sink_sample(s->sink, &(struct sample){.sample_id = ++s->sample_count,
                                          .source_id = s->source_id,
                                          .extra = columns_of(s),
                                          .values = all,
                                          .value_count = s->type_count,
                                          .locations = s->stack,
                                          .depth = s->depth});
    stacks_drop_sample(s);
}

void stacks_drop_sample(struct stacks_reader *s)
{
    s->depth = 0;
    s->labels.n = s->notes.n = s->thread.n = 0;
    s->is_cut = false;
}
