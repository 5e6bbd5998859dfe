/* Rows: sources, what stacks consist of, settings, and labels of threads. */
#include "base/mem.h"
#include "formats/jfr/jfr.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- sources and settings --- */

void jfr_begin_source(struct jfr *r, int64_t start)
{
    struct number timestamp = r->request->timestamp;
    bool is_new;
    r->facts.n = 0;
    for (size_t i = 0; i < JFR_FACT_EVENTS; i++)
        buf_add(&r->facts, buf_str(&r->gathered[i]));
    r->source_id = intern_add(&r->sources,
                              buf_str(r->gathered[0].n > 0 ? &r->gathered[0] : &r->facts), &is_new);
    if (is_new) {
        size_t count = r->sources.count;
        r->source_starts =
            mem_array(r->source_starts, &r->source_start_capacity, count, sizeof *r->source_starts);
        r->source_starts[count - 1] = start;
    }
    r->source_start = r->source_starts[r->source_id - 1];
    if (!is_new)
        return;
    if (timestamp.kind == NUMBER_NULL)
        timestamp = source_kind_seconds(&r->name, start);
    r->extra.n = 0;
    jfr_list_types(r);
    buf_add(&r->extra, STR(",\".jfr\":{\"start\":"));
    emit_number(&r->extra, start);
    buf_add(&r->extra, buf_str(&r->facts));
    buf_add(&r->extra, STR("}"));
    bytes_rows_source(&r->rows, r->sink, r->source_id, STR("jfr"),
                      format_source_uri(r->request, r->in), timestamp, &r->extra);
}

void jfr_setting(struct jfr *r, struct str event, struct str name, struct str value)
{
    bool is_new;
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"source_id\":"));
    emit_number(&r->extra, r->source_id);
    emit_member(&r->extra, STR("event"));
    emit_inner_string(&r->extra, &r->text, event);
    emit_member(&r->extra, STR("name"));
    emit_inner_string(&r->extra, &r->text, name);
    if (value.p != NULL) {
        emit_member(&r->extra, STR("setting"));
        emit_inner_string(&r->extra, &r->text, value);
    }
    growth_hold(r->sink->flow, r->extra.n);
    intern_add(&r->settings, buf_str(&r->extra), &is_new); /* every chunk repeats them */
    if (is_new)
        sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                        .dotted = {.name = STR(".jfr_settings")},
                                        .extra = buf_str(&r->extra)});
}

/* --- labels --- */

void jfr_add_text(struct jfr *r, struct buf *labels, struct str key, struct str text)
{
    buf_add(labels, labels->n > 0 ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(labels, &r->text, key);
    buf_add(labels, STR(",\"str\":"));
    emit_inner_string(labels, &r->text, text);
    buf_add(labels, STR("}"));
}

void jfr_add_number(struct jfr *r, struct buf *labels, struct str key, int64_t number,
                    struct str unit)
{
    buf_add(labels, labels->n > 0 ? STR(",{\"key\":") : STR("{\"key\":"));
    emit_inner_string(labels, &r->text, key);
    buf_add(labels, STR(",\"num\":"));
    emit_number(labels, number);
    if (unit.n > 0) {
        buf_add(labels, STR(",\"unit\":\""));
        buf_add(labels, unit);
        buf_add(labels, STR("\""));
    }
    buf_add(labels, STR("}"));
}

struct str jfr_thread(struct jfr *r, int64_t number)
{
    static const struct {
        struct str leaf, key;
    } facts[] = {{STR("osThreadId"), STR("tid")},
                 {STR("javaThreadId"), STR("java_tid")},
                 {STR("group"), STR("thread_group")},
                 {STR("virtual"), STR("virtual")}};
    struct jfr_constant *thread = jfr_constant(r, r->thread_type, number);
    if (thread == NULL)
        loss_add(LOSS_REFERENCES, STR("thread"), 1);
    if (thread == NULL)
        return STR("");
    if (thread->made != 0)
        return r->texts[thread->made - 1];
    struct str text = jfr_text(r, r->thread_type, number);
    struct buf labels = {0};
    if (text.n > 0)
        jfr_add_text(r, &labels, STR("thread"), text);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const int leaf = jfr_leaf_named(r, r->thread_type, facts[i].leaf);
        if (leaf == JFR_NONE)
            continue;
        const struct jfr_leaf what = jfr_leaves(r, r->thread_type)[leaf];
        const struct jfr_value v = jfr_leaf_of(r, r->thread_type, thread, leaf);
        if (what.kind == JFR_CONSTANT)
            text = jfr_text(r, what.type, v.number);
        if (what.kind == JFR_CONSTANT && text.p != NULL)
            jfr_add_text(r, &labels, facts[i].key, text);
        else if (what.unit == JFR_BOOLEAN && v.number != 0)
            jfr_add_text(r, &labels, facts[i].key, STR("true"));
        else if (what.kind == JFR_INTEGER && v.number != 0)
            jfr_add_number(r, &labels, facts[i].key, v.number, STR(""));
    }
    growth_hold(r->sink->flow, labels.n);
    thread->made = jfr_keep_text(r, arena_copy(&r->arena, buf_str(&labels)));
    buf_free(&labels);
    return r->texts[thread->made - 1];
}

/* --- functions --- */

/* The text of the constant in the leaf NAME of METHOD, or that string itself; empty: none. */
static struct str part_of(struct jfr *r, const struct jfr_constant *method, struct str name)
{
    const int leaf = jfr_leaf_named(r, r->method_type, name);
    struct str text = STR("");
    if (leaf == JFR_NONE)
        return text;
    const struct jfr_leaf what = jfr_leaves(r, r->method_type)[leaf];
    const struct jfr_value v = jfr_leaf_of(r, r->method_type, method, leaf);
    text = what.kind == JFR_CONSTANT ? jfr_text(r, what.type, v.number) : v.text;
    return text.p == NULL ? STR("") : text;
}

static int64_t mapping_of(struct jfr *r, struct str library)
{
    bool is_new;
    const uint32_t id = intern_add(&r->mappings, library, &is_new);
    if (is_new) {
        r->extra.n = 0;
        emit_member(&r->extra, STR("filename"));
        emit_inner_string(&r->extra, &r->text, library);
        sink_row(
            r->sink,
            &(struct row){.table = TABLE_MAPPINGS, .mapping = {id}, .extra = buf_str(&r->extra)});
    }
    return id;
}

/* Pushes the function NAME, whose system name is SYSTEM_NAME. */
static void push_function(struct jfr *r, uint32_t id, struct str name, struct str system_name)
{
    struct row row = {.table = TABLE_FUNCTIONS,
                      .function = {.function_id = id, .filename = STR("")}};
    row.function.name = emit_text(&r->rows.name, &r->rows.inexact, STR("name"), name);
    row.function.system_name =
        emit_text(&r->rows.file, &r->rows.inexact, STR("system_name"), system_name);
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->rows.inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The function NAME of CLASS, people's spelling. SIGNATURE: with the types of its arguments. Without a
 * class it is native. */
static int64_t function_of(struct jfr *r, struct str class, struct str name, struct str signature)
{
    bool is_new;
    struct buf spelled = {0}, system_name = {0};
    if (class.n > 0) {
        buf_add(&spelled, class);
        buf_add(&spelled, STR("."));
    }
    buf_add(&spelled, name);
    buf_add(&system_name, buf_str(&spelled));
    buf_add(&system_name, signature);
    growth_hold(r->sink->flow, system_name.n); /* a long name may be that of many */
    const uint32_t id = intern_add(&r->functions, buf_str(&system_name), &is_new);
    if (is_new && signature.n == 0)
        bytes_rows_function(&r->rows, r->sink, id, buf_str(&spelled), STR(""), 0, STR(""));
    else if (is_new)
        push_function(r, id, buf_str(&spelled), buf_str(&system_name));
    buf_free(&spelled);
    buf_free(&system_name);
    return id;
}

/* The rows of the method NUMBER; function ROW_NULL: there is none. */
static struct jfr_method method_of(struct jfr *r, int64_t number)
{
    struct jfr_constant *method = jfr_constant(r, r->method_type, number);
    if (method == NULL) {
        loss_add(LOSS_REFERENCES, STR("method"), 1);
        return (struct jfr_method){ROW_NULL, 0};
    }
    if (method->made != 0)
        return r->methods[method->made - 1];
    struct jfr_method made = {0};
    struct str class = part_of(r, method, STR("type"));
    const struct str name = part_of(r, method, STR("name"));
    struct str signature = part_of(r, method, STR("descriptor"));
    /* async-profiler's marks of what is no method: its class names the library, or nothing */
    const bool is_kernel = str_equal(signature, STR("(Lk;)L;"));
    if (is_kernel || str_equal(signature, STR("()L;"))) {
        class = class.n == 0 && is_kernel ? STR("[kernel]") : class;
        made.mapping = class.n > 0 ? mapping_of(r, class) : 0;
        class = signature = STR("");
    }
    made.function = function_of(r, class, name, signature);
    r->methods =
        mem_array(r->methods, &r->method_capacity, r->method_count + 1, sizeof *r->methods);
    r->methods[r->method_count++] = made;
    method->made = (uint32_t)r->method_count;
    return made;
}

struct str jfr_method_name(struct jfr *r, int64_t number)
{
    struct jfr_constant *method = jfr_constant(r, r->method_type, number);
    if (method == NULL)
        return STR("");
    if (method->name != 0)
        return r->texts[method->name - 1];
    r->key.n = 0;
    const struct str class = part_of(r, method, STR("type"));
    buf_add(&r->key, class);
    buf_add(&r->key, class.n > 0 ? STR(".") : STR(""));
    buf_add(&r->key, part_of(r, method, STR("name")));
    growth_hold(r->sink->flow, r->key.n); /* a long class may be that of many */
    method->name = jfr_keep_text(r, arena_copy(&r->arena, buf_str(&r->key)));
    return r->texts[method->name - 1];
}

/* --- stacks --- */

/* The number in r->names of the kind of frame NUMBER; 0: none. */
static uint32_t kind_of(struct jfr *r, int64_t number)
{
    const int type = jfr_leaves(r, r->frame_type)[r->frame_kind].type;
    struct jfr_constant *constant = jfr_constant(r, type, number);
    if (constant == NULL)
        return 0;
    if (constant->made == 0) {
        const struct str text = jfr_text(r, type, number);
        constant->made = intern_add(&r->names, text.p == NULL ? STR("") : text, NULL);
    }
    return constant->made;
}

/* The location of a frame, of which r->frame_values has the leaves but for strings. */
static int64_t location_of(struct jfr *r)
{
    const struct jfr_value *v = r->frame_values;
    const struct jfr_method method = r->frame_method == JFR_NONE
                                         ? (struct jfr_method){ROW_NULL, 0}
                                         : method_of(r, v[r->frame_method].number);
    int64_t line = r->frame_line == JFR_NONE ? 0 : v[r->frame_line].number;
    const int64_t bytecode = r->frame_bytecode == JFR_NONE ? 0 : v[r->frame_bytecode].number;
    const uint32_t kind = r->frame_kind == JFR_NONE ? 0 : kind_of(r, v[r->frame_kind].number);
    line = method.function == ROW_NULL ? ROW_NULL : line > 0 ? line : 0;
    const int64_t key[] = {method.function, method.mapping, line, bytecode, kind};
    bool is_new;
    const uint32_t id =
        intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {id, method.function, line},
                      .site = {.mapping_id = method.mapping}};
    r->extra.n = 0;
    if (kind != 0) {
        emit_member(&r->extra, STR(".jfr_frame"));
        emit_inner_string(&r->extra, &r->text, intern_get(&r->names, kind));
    }
    if (bytecode != 0) {
        emit_member(&r->extra, STR(".jfr_bytecode"));
        emit_number(&r->extra, bytecode);
    }
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    return id;
}

/* Reads a frame of a stack; returns its location, 0: it is a constant that is not there. */
static int64_t take_frame(struct jfr_cursor *c)
{
    struct jfr *r = c->r;
    if (!r->has_frame_constants) {
        jfr_decode(c, r->frame_type, JFR_PASS, r->frame_values);
        return location_of(r);
    }
    struct jfr_constant *frame = jfr_constant(r, r->frame_type, (int64_t)jfr_integer(c));
    if (frame == NULL) {
        loss_add(LOSS_REFERENCES, STR("frame"), 1);
        return 0;
    }
    if (frame->location == 0) {
        struct jfr_cursor of_frame = {r, frame->p, frame->p + frame->n};
        jfr_decode(&of_frame, r->frame_type, JFR_PASS, r->frame_values);
        frame->location = (uint32_t)location_of(r);
    }
    return frame->location;
}

const struct jfr_stack *jfr_stack(struct jfr *r, int64_t number)
{
    struct jfr_constant *constant = jfr_constant(r, r->stack_type, number);
    if (constant == NULL)
        return NULL;
    if (constant->made != 0)
        return &r->stacks[constant->made - 1];
    struct jfr_stack stack = {.first = r->frame_count};
    if (r->truncated_leaf != JFR_NONE)
        stack.is_truncated = jfr_leaf_of(r, r->stack_type, constant, r->truncated_leaf).number != 0;
    if (r->frames_leaf != JFR_NONE) {
        const struct jfr_value list = jfr_leaf_of(r, r->stack_type, constant, r->frames_leaf);
        struct jfr_cursor c = {r, list.text.p, list.text.p + list.text.n};
        while (c.p < c.end) {
            const int64_t location = take_frame(&c);
            if (location == 0)
                continue;
            growth_check_depth(++stack.depth, r->where);
            r->frames =
                mem_array(r->frames, &r->frame_capacity, r->frame_count + 1, sizeof *r->frames);
            r->frames[r->frame_count++] = location;
        }
    }
    r->stacks = mem_array(r->stacks, &r->stack_capacity, r->stack_count + 1, sizeof *r->stacks);
    r->stacks[r->stack_count++] = stack;
    constant->made = (uint32_t)r->stack_count;
    return &r->stacks[r->stack_count - 1];
}

void jfr_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    buf_add(&to->default_type, STR("samples")); /* even where a later chunk has them first */
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_JFR_ARGUMENTS: text_inner_bytes(&to->command, m.value); break;
        case MEMBER_ID_JFR_JVM: text_inner_bytes(&to->producer, m.value); break;
        case MEMBER_ID_JFR_CORES: to->cores = m.integer; break;
        default: break;
        }
}
