/* Events: which of them become samples, with which values. All their other fields become labels. */
#include "base/decimal.h"
#include "base/mem.h"
#include "formats/jfr/jfr.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#define COUNT STR("count")
#define TIME STR("nanoseconds")
#define BYTES STR("bytes")

/* The types of values, in the order in which a source lists them: the last with values is shown. */
#define TYPES(TYPE)                                                                                \
    TYPE(HEAP_RESERVED, "heap_reserved", BYTES, true)                                              \
    TYPE(HEAP_COMMITTED, "heap_committed", BYTES, true)                                            \
    TYPE(HEAP, "heap", BYTES, true)                                                                \
    TYPE(METASPACE_RESERVED, "metaspace_reserved", BYTES, true)                                    \
    TYPE(METASPACE_COMMITTED, "metaspace_committed", BYTES, true)                                  \
    TYPE(METASPACE, "metaspace", BYTES, true)                                                      \
    TYPE(PHYSICAL_TOTAL, "physical_memory_total", BYTES, true)                                     \
    TYPE(PHYSICAL, "physical_memory", BYTES, true)                                                 \
    TYPE(RESIDENT_PEAK, "resident_peak", BYTES, true)                                              \
    TYPE(RESIDENT, "resident", BYTES, true)                                                        \
    TYPE(FREES, "frees", COUNT, false)                                                             \
    TYPE(MALLOCS, "mallocs", COUNT, false)                                                         \
    TYPE(MALLOC_SPACE, "malloc_space", BYTES, false)                                               \
    TYPE(OLD_OBJECTS, "old_objects", COUNT, false)                                                 \
    TYPE(OLD_SPACE, "old_space", BYTES, false)                                                     \
    TYPE(LIVE_OBJECTS, "live_objects", COUNT, false)                                               \
    TYPE(LIVE_SPACE, "live_space", BYTES, false)                                                   \
    TYPE(FILE_FORCES, "file_forces", COUNT, false)                                                 \
    TYPE(FILE_FORCE, "file_force", TIME, false)                                                    \
    TYPE(FILE_WRITES, "file_writes", COUNT, false)                                                 \
    TYPE(FILE_WRITTEN, "file_written", BYTES, false)                                               \
    TYPE(FILE_WRITE, "file_write", TIME, false)                                                    \
    TYPE(FILE_READS, "file_reads", COUNT, false)                                                   \
    TYPE(FILE_READ_SPACE, "file_read_space", BYTES, false)                                         \
    TYPE(FILE_READ, "file_read", TIME, false)                                                      \
    TYPE(SOCKET_WRITES, "socket_writes", COUNT, false)                                             \
    TYPE(SOCKET_WRITTEN, "socket_written", BYTES, false)                                           \
    TYPE(SOCKET_WRITE, "socket_write", TIME, false)                                                \
    TYPE(SOCKET_READS, "socket_reads", COUNT, false)                                               \
    TYPE(SOCKET_READ_SPACE, "socket_read_space", BYTES, false)                                     \
    TYPE(SOCKET_READ, "socket_read", TIME, false)                                                  \
    TYPE(METHOD_CALLS, "method_calls", COUNT, false)                                               \
    TYPE(METHOD_TIME, "method_time", TIME, false)                                                  \
    TYPE(PINS, "pins", COUNT, false)                                                               \
    TYPE(PIN, "pin", TIME, false)                                                                  \
    TYPE(SLEEPS, "sleeps", COUNT, false)                                                           \
    TYPE(SLEEP, "sleep", TIME, false)                                                              \
    TYPE(PARKS, "parks", COUNT, false)                                                             \
    TYPE(PARK, "park", TIME, false)                                                                \
    TYPE(WAITS, "waits", COUNT, false)                                                             \
    TYPE(WAIT, "wait", TIME, false)                                                                \
    TYPE(NATIVE_LOCKS, "native_locks", COUNT, false)                                               \
    TYPE(NATIVE_LOCK, "native_lock", TIME, false)                                                  \
    TYPE(CONTENTIONS, "contentions", COUNT, false)                                                 \
    TYPE(DELAY, "delay", TIME, false)                                                              \
    TYPE(TLAB_ALLOCATIONS, "tlab_allocations", COUNT, false)                                       \
    TYPE(TLAB_OBJECT_SPACE, "tlab_object_space", BYTES, false)                                     \
    TYPE(TLAB_SPACE, "tlab_space", BYTES, false)                                                   \
    TYPE(OUTSIDE_ALLOCATIONS, "outside_tlab_allocations", COUNT, false)                            \
    TYPE(OUTSIDE_SPACE, "outside_tlab_space", BYTES, false)                                        \
    TYPE(ALLOCATIONS, "allocations", COUNT, false)                                                 \
    TYPE(ALLOC_SPACE, "alloc_space", BYTES, false)                                                 \
    TYPE(NATIVE_SAMPLES, "native_samples", COUNT, false)                                           \
    TYPE(WALL_SAMPLES, "wall_samples", COUNT, false)                                               \
    TYPE(CPU_SAMPLES, "cpu_samples", COUNT, false)                                                 \
    TYPE(CPU, "cpu", TIME, false)                                                                  \
    TYPE(SAMPLES, "samples", COUNT, false)

enum type {
#define TYPE(constant, name, unit, is_level) constant,
    TYPES(TYPE)
#undef TYPE
        TYPE_COUNT
};

static const struct {
    struct str name, unit;
    bool is_level;
} types[TYPE_COUNT] = {
#define TYPE(constant, name, unit, is_level) {STR(name), unit, is_level},
    TYPES(TYPE)
#undef TYPE
};

enum { VALUES = 3 };

/* An event that becomes a sample. A value has the number in a field, or 1 without that. */
static const struct known {
    const char *name;
    struct {
        enum type type;
        const char *field;
    } values[VALUES];
    size_t count;
} known[] = {
    {"jdk.ExecutionSample", {{SAMPLES, ""}}, 1},
    {"jdk.NativeMethodSample", {{NATIVE_SAMPLES, ""}}, 1},
    {"jdk.CPUTimeSample", {{CPU_SAMPLES, ""}, {CPU, "samplingPeriod"}}, 2},
    {"profiler.WallClockSample", {{WALL_SAMPLES, "samples"}}, 1},
    {"jdk.ObjectAllocationSample", {{ALLOCATIONS, ""}, {ALLOC_SPACE, "weight"}}, 2},
    {"jdk.ObjectAllocationInNewTLAB",
     {{TLAB_ALLOCATIONS, ""}, {TLAB_OBJECT_SPACE, "allocationSize"}, {TLAB_SPACE, "tlabSize"}},
     3},
    {"jdk.ObjectAllocationOutsideTLAB",
     {{OUTSIDE_ALLOCATIONS, ""}, {OUTSIDE_SPACE, "allocationSize"}},
     2},
    {"jdk.JavaMonitorEnter", {{CONTENTIONS, ""}, {DELAY, "duration"}}, 2},
    {"jdk.JavaMonitorWait", {{WAITS, ""}, {WAIT, "duration"}}, 2},
    {"jdk.ThreadPark", {{PARKS, ""}, {PARK, "duration"}}, 2},
    {"jdk.ThreadSleep", {{SLEEPS, ""}, {SLEEP, "duration"}}, 2},
    {"jdk.VirtualThreadPinned", {{PINS, ""}, {PIN, "duration"}}, 2},
    {"jdk.MethodTrace", {{METHOD_CALLS, ""}, {METHOD_TIME, "duration"}}, 2},
    {"profiler.NativeLock", {{NATIVE_LOCKS, ""}, {NATIVE_LOCK, "duration"}}, 2},
    {"jdk.SocketRead",
     {{SOCKET_READS, ""}, {SOCKET_READ, "duration"}, {SOCKET_READ_SPACE, "bytesRead"}},
     3},
    {"jdk.SocketWrite",
     {{SOCKET_WRITES, ""}, {SOCKET_WRITE, "duration"}, {SOCKET_WRITTEN, "bytesWritten"}},
     3},
    {"jdk.FileRead",
     {{FILE_READS, ""}, {FILE_READ, "duration"}, {FILE_READ_SPACE, "bytesRead"}},
     3},
    {"jdk.FileWrite",
     {{FILE_WRITES, ""}, {FILE_WRITE, "duration"}, {FILE_WRITTEN, "bytesWritten"}},
     3},
    {"jdk.FileForce", {{FILE_FORCES, ""}, {FILE_FORCE, "duration"}}, 2},
    {"profiler.LiveObject", {{LIVE_OBJECTS, ""}, {LIVE_SPACE, "allocationSize"}}, 2},
    {"jdk.OldObjectSample", {{OLD_OBJECTS, ""}, {OLD_SPACE, "objectSize"}}, 2},
    {"profiler.Malloc", {{MALLOCS, ""}, {MALLOC_SPACE, "size"}}, 2},
    {"profiler.Free", {{FREES, ""}}, 1},
    {"jdk.GCHeapSummary",
     {{HEAP, "heapUsed"},
      {HEAP_COMMITTED, "heapSpace.committedSize"},
      {HEAP_RESERVED, "heapSpace.reservedSize"}},
     3},
    {"jdk.MetaspaceSummary",
     {{METASPACE, "metaspace.used"},
      {METASPACE_COMMITTED, "metaspace.committed"},
      {METASPACE_RESERVED, "metaspace.reserved"}},
     3},
    {"jdk.PhysicalMemory", {{PHYSICAL, "usedSize"}, {PHYSICAL_TOTAL, "totalSize"}}, 2},
    {"jdk.ResidentSetSize", {{RESIDENT, "size"}, {RESIDENT_PEAK, "peak"}}, 2},
};

enum { KNOWN = sizeof known / sizeof *known };

/* Where an event of a type has what: leaves, or JFR_NONE. */
struct jfr_plan {
    const struct known *known;
    int start, thread, stack;
    int values[VALUES];
    bool is_label[JFR_LEAVES];
};

/* --- facts --- */

enum { FACTS = 7 };

/* Events about the whole process, and which of their fields are facts of the source. */
static const struct {
    const char *event;
    const char *fields[FACTS];
} fact_events[JFR_FACT_EVENTS] = {
    {"jdk.JVMInformation",
     {"jvmName", "jvmVersion", "jvmArguments", "jvmFlags", "javaArguments", "jvmStartTime", "pid"}},
    {"jdk.OSInformation", {"osVersion"}},
    {"jdk.CPUInformation", {"cpu", "hwThreads"}},
};

/* Which of them TYPE is; JFR_FACT_EVENTS: none. */
static size_t fact_event(const struct jfr *r, int type)
{
    size_t i = 0;
    while (i < JFR_FACT_EVENTS && !str_equal(r->types[type].name, str_of(fact_events[i].event)))
        i++;
    return i;
}

static void decode_event(struct jfr *r, int type, struct str bytes)
{
    struct jfr_cursor c = {r, bytes.p, bytes.p + bytes.n};
    arena_clear(&r->event_arena);
    r->strings = &r->event_arena;
    jfr_integer(&c); /* size and type */
    jfr_integer(&c);
    jfr_decode(&c, type, JFR_FOLLOW, r->values);
}

/* Counts what the fact event of TYPE has besides. */
static void lose_others(struct jfr *r, int type, size_t event)
{
    for (size_t i = 0; i < r->types[type].leaf_count; i++) {
        const struct str name = jfr_leaves(r, type)[i].name;
        bool is_kept = str_equal(name, STR("startTime"));
        for (size_t k = 0; k < FACTS && fact_events[event].fields[k] != NULL; k++)
            is_kept |= str_equal(name, str_of(fact_events[event].fields[k]));
        if (is_kept)
            continue;
        r->name.n = 0;
        text_escape(&r->name, name);
        loss_add(LOSS_OWN, buf_str(&r->name), 1);
    }
}

bool jfr_gather(struct jfr *r, int type, struct str bytes)
{
    const size_t event = fact_event(r, type);
    r->types[type].occurs = true;
    if (event == JFR_FACT_EVENTS || (r->has_gathered & 1u << event) != 0)
        return false;
    r->has_gathered |= 1u << event;
    decode_event(r, type, bytes);
    lose_others(r, type, event);
    for (size_t i = 0; i < FACTS && fact_events[event].fields[i] != NULL; i++) {
        const struct str name = str_of(fact_events[event].fields[i]);
        const int leaf = jfr_leaf_named(r, type, name);
        if (leaf == JFR_NONE)
            continue;
        const enum jfr_kind kind = jfr_leaves(r, type)[leaf].kind;
        if (kind == JFR_STRING && r->values[leaf].text.p != NULL) {
            emit_member(&r->gathered[event], name);
            emit_inner_string(&r->gathered[event], &r->text, r->values[leaf].text);
        } else if (kind == JFR_INTEGER) {
            emit_member(&r->gathered[event], name);
            emit_number(&r->gathered[event], r->values[leaf].number);
        }
    }
    return event == 0;
}

/* Whether the value I of EVENT is 1 where there is no field. Others may be newer than the events. */
static bool is_one(const struct known *event, size_t i)
{
    return *event->values[i].field == '\0' || event->values[i].type == WALL_SAMPLES;
}

static bool has_value(struct jfr *r, int type, const struct known *event, size_t i)
{
    return is_one(event, i) || jfr_leaf_named(r, type, str_of(event->values[i].field)) != JFR_NONE;
}

/* Sets IS_LISTED of the types of values that the chunk has, and of all levels that it may have:
 * those of later chunks must be known as such, too. */
static void find_types(struct jfr *r, bool is_listed[TYPE_COUNT])
{
    for (size_t t = 0; t < r->type_count; t++)
        for (size_t k = 0; k < KNOWN; k++)
            for (size_t i = 0;
                 i < known[k].count && str_equal(r->types[t].name, str_of(known[k].name)); i++) {
                const enum type of = known[k].values[i].type;
                is_listed[of] |= types[of].is_level ||
                                 (r->types[t].occurs && has_value(r, (int)t, &known[k], i));
            }
}

void jfr_list_types(struct jfr *r)
{
    bool is_listed[TYPE_COUNT] = {false};
    find_types(r, is_listed);
    listed_begin(&r->extra);
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (is_listed[i])
            listed_add(&r->extra, types[i].name, types[i].unit,
                       types[i].is_level ? LISTED_GAUGE : LISTED_SUM);
    listed_end(&r->extra);
}

/* --- plans --- */

static int leaf_of_kind(struct jfr *r, int type, const char *name, enum jfr_kind kind, int inside)
{
    const int leaf = jfr_leaf_named(r, type, str_of(name));
    if (leaf == JFR_NONE)
        return JFR_NONE;
    const struct jfr_leaf *found = &jfr_leaves(r, type)[leaf];
    return found->kind == kind && (inside == JFR_NONE || found->type == inside) ? leaf : JFR_NONE;
}

static struct jfr_plan *make_plan(struct jfr *r, int type, const struct known *event)
{
    static const char *const threads[] = {"eventThread", "sampledThread", "thread"};
    struct jfr_plan *plan = mem_alloc_zeroed(sizeof *plan);
    growth_hold(r->sink->flow, sizeof *plan);
    plan->known = event;
    plan->start = leaf_of_kind(r, type, "startTime", JFR_INTEGER, JFR_NONE);
    plan->stack = plan->thread = JFR_NONE;
    if (r->stack_type != JFR_NONE)
        plan->stack = leaf_of_kind(r, type, "stackTrace", JFR_CONSTANT, r->stack_type);
    for (size_t i = 0; i < 3 && plan->thread == JFR_NONE && r->thread_type != JFR_NONE; i++)
        plan->thread = leaf_of_kind(r, type, threads[i], JFR_CONSTANT, r->thread_type);
    for (size_t i = 0; i < r->types[type].leaf_count; i++)
        plan->is_label[i] =
            (int)i != plan->start && (int)i != plan->stack && (int)i != plan->thread;
    for (size_t i = 0; i < event->count; i++) {
        plan->values[i] = leaf_of_kind(r, type, event->values[i].field, JFR_INTEGER, JFR_NONE);
        if (plan->values[i] != JFR_NONE)
            plan->is_label[plan->values[i]] = false;
    }
    return plan;
}

/* The plan of TYPE; NULL: its events become no samples. */
static const struct jfr_plan *plan_of(struct jfr *r, int type)
{
    if (r->types[type].is_planned)
        return r->types[type].plan;
    struct jfr_plan *plan = NULL;
    jfr_leaves(r, type);
    for (size_t i = 0; i < KNOWN && plan == NULL; i++)
        if (str_equal(r->types[type].name, str_of(known[i].name)))
            plan = make_plan(r, type, &known[i]);
    r->types[type].is_planned = true;
    r->types[type].plan = plan;
    return plan;
}

void jfr_free_plans(struct jfr *r)
{
    for (size_t i = 0; i < r->type_count; i++)
        mem_free(r->types[i].plan);
}

/* --- labels --- */

/* Counts the field LEAF of TYPE, or a part of it, as lost. */
static void lose(struct jfr *r, enum loss loss, int type, const struct jfr_leaf *leaf)
{
    r->key.n = 0;
    buf_add(&r->key, r->types[type].name);
    buf_add(&r->key, STR("."));
    buf_add(&r->key, leaf->name);
    growth_hold(r->sink->flow, r->key.n); /* work for each event, though it is not kept */
    r->name.n = 0;
    text_escape(&r->name, buf_str(&r->key));
    loss_add(loss, buf_str(&r->name), 1);
}

/* Adds the NUMBER in LEAF to the labels. As the JDK has it, the least number stands for none and
 * the largest time for one without end. */
static void add_number(struct jfr *r, const struct jfr_leaf *leaf, int64_t number)
{
    static const struct str units[] = {
        [JFR_NUMBER] = STR(""),
        [JFR_TICKS] = TIME,
        [JFR_NANOSECONDS] = TIME,
        [JFR_MICROSECONDS] = STR("microseconds"),
        [JFR_SECONDS] = STR("seconds"),
        [JFR_MILLISECONDS] = STR("milliseconds"),
        [JFR_BYTES] = BYTES,
        [JFR_TIMESTAMP] = TIME,
    };
    if (number == INT64_MIN || (leaf->bits == 32 && number == INT32_MIN))
        return;
    switch (leaf->unit) {
    case JFR_BOOLEAN:
        if (number != 0)
            jfr_add_text(r, &r->labels, leaf->name, STR("true"));
        return;
    case JFR_ADDRESS:
        r->name.n = 0;
        emit_address(&r->name, (uint64_t)number);
        jfr_add_text(r, &r->labels, leaf->name, buf_str(&r->name));
        return;
    case JFR_TICKS:
        if (number != INT64_MAX)
            number = jfr_nanoseconds(r, number);
        break;
    case JFR_TIMESTAMP: number = jfr_time(r, number); break;
    default: break;
    }
    jfr_add_number(r, &r->labels, leaf->name, number, units[leaf->unit]);
}

static void add_real(struct jfr *r, const struct jfr_leaf *leaf, double real)
{
    char digits[DECIMAL_SPELLED];
    const size_t n = leaf->kind == JFR_FLOAT ? decimal_spell_float((float)real, digits)
                                             : decimal_spell(real, digits);
    jfr_add_text(r, &r->labels, leaf->name, (struct str){digits, n});
}

/* Adds the leaf of TYPE with the value V to the labels. */
static void add_label(struct jfr *r, int type, const struct jfr_leaf *leaf,
                      const struct jfr_value *v)
{
    struct str text = v->text;
    switch (leaf->kind) {
    case JFR_BYTE:
    case JFR_INTEGER: add_number(r, leaf, v->number); return;
    case JFR_FLOAT:
    case JFR_DOUBLE: add_real(r, leaf, v->real); return;
    case JFR_LIST: lose(r, LOSS_JFR_FIELDS, type, leaf); return;
    case JFR_STRING: break;
    case JFR_CONSTANT:
        text = jfr_text(r, leaf->type, v->number);
        if (text.p != NULL && leaf->type == r->method_type)
            text = jfr_method_name(r, v->number);
        if (text.p == NULL && jfr_constant(r, leaf->type, v->number) != NULL)
            lose(r, LOSS_JFR_FIELDS, type, leaf);
        else if (text.p == NULL && v->number != 0)
            loss_add(LOSS_REFERENCES, STR("constant"), 1);
        else if (text.p != NULL && r->types[leaf->type].leaf_count > 1 &&
                 leaf->type != r->class_type && leaf->type != r->thread_type)
            lose(r, LOSS_OWN, type, leaf); /* such as the address of an old object */
        break;
    }
    if (text.p != NULL)
        jfr_add_text(r, &r->labels, leaf->name, text);
}

static void add_labels(struct jfr *r, int type, const struct jfr_plan *plan)
{
    r->labels.n = 0;
    if (plan->thread != JFR_NONE && r->values[plan->thread].number != 0)
        buf_add(&r->labels, jfr_thread(r, r->values[plan->thread].number));
    for (size_t i = 0; i < r->types[type].leaf_count; i++)
        if (plan->is_label[i])
            add_label(r, type, &jfr_leaves(r, type)[i], &r->values[i]);
}

/* --- samples --- */

/* How many nanoseconds UNIT has; 0: it is none of time, or counts ticks. */
static int64_t nanoseconds_in(enum jfr_unit unit)
{
    switch (unit) {
    case JFR_NANOSECONDS: return 1;
    case JFR_MICROSECONDS: return 1000;
    case JFR_MILLISECONDS: return 1000000;
    case JFR_SECONDS: return 1000000000;
    default: return 0;
    }
}

/* NUMBER in UNIT, of which nanoseconds_in is not 0, in nanoseconds. */
static int64_t to_nanoseconds(const struct jfr *r, enum jfr_unit unit, int64_t number)
{
    int64_t time;
    if (__builtin_mul_overflow(number, nanoseconds_in(unit), &time))
        jfr_die_time(r, number);
    return time;
}

/* Sets VALUES to those of the event; returns how many. */
static size_t set_values(struct jfr *r, int type, const struct jfr_plan *plan,
                         struct sample_value *values)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->known->count; i++) {
        const int leaf = plan->values[i];
        const enum type of = plan->known->values[i].type;
        int64_t number = 1;
        if (leaf == JFR_NONE && !is_one(plan->known, i))
            continue;
        if (leaf != JFR_NONE)
            number = r->values[leaf].number;
        const enum jfr_unit unit = leaf == JFR_NONE ? JFR_NUMBER : jfr_leaves(r, type)[leaf].unit;
        const bool is_time = unit == JFR_TICKS || nanoseconds_in(unit) != 0;
        if (is_time && number == INT64_MIN)
            continue;
        if (is_time)
            number =
                unit == JFR_TICKS ? jfr_nanoseconds(r, number) : to_nanoseconds(r, unit, number);
        values[count++] = (struct sample_value){r->types_of_values[of], number_of(number), STR("")};
    }
    return count;
}

/* When the event began, NUMBER in LEAF, in nanoseconds after the start of the source. */
static int64_t time_of(const struct jfr *r, const struct jfr_leaf *leaf, int64_t number)
{
    int64_t time;
    if (nanoseconds_in(leaf->unit) == 0)
        return jfr_time(r, number);
    if (__builtin_sub_overflow(to_nanoseconds(r, leaf->unit, number), r->source_start, &time))
        jfr_die_time(r, number);
    return time;
}

static void push_sample(struct jfr *r, int type, const struct jfr_plan *plan)
{
    struct sample_value values[VALUES];
    struct sample sample = {
        .sample_id = ++r->sample_id, .source_id = r->source_id, .values = values};
    sample.value_count = set_values(r, type, plan, values);
    add_labels(r, type, plan);
    const int64_t number = plan->stack == JFR_NONE ? 0 : r->values[plan->stack].number;
    const struct jfr_stack *stack = jfr_stack(r, number);
    if (stack == NULL && number != 0)
        loss_add(LOSS_REFERENCES, STR("stack"), 1);
    r->extra.n = 0;
    if (plan->start != JFR_NONE) {
        emit_member(&r->extra, STR(".time"));
        emit_number(&r->extra,
                    time_of(r, &jfr_leaves(r, type)[plan->start], r->values[plan->start].number));
    }
    if (stack != NULL) {
        sample.depth = stack->depth;
        r->stack = mem_array(r->stack, &r->stack_room, sample.depth + 1, sizeof *r->stack);
        if (sample.depth > 0)
            memcpy(r->stack, r->frames + stack->first, sample.depth * sizeof *r->stack);
        sample.locations = r->stack; /* the next stage may change it */
        buf_add(&r->extra, stack->is_truncated ? STR(",\".truncated\":true") : STR(""));
    }
    if (r->labels.n > 0) {
        buf_add(&r->extra, STR(",\".labels\":["));
        buf_add(&r->extra, buf_str(&r->labels));
        buf_add(&r->extra, STR("]"));
    }
    sample.extra = buf_str(&r->extra);
    sink_sample(r->sink, &sample);
}

/* The text of the leaf NAME of the event; a null p: none. */
static struct str text_in(struct jfr *r, int type, struct str name)
{
    const int leaf = jfr_leaf_named(r, type, name);
    const bool is_text = leaf != JFR_NONE && jfr_leaves(r, type)[leaf].kind == JFR_STRING;
    return is_text ? r->values[leaf].text : (struct str){NULL, 0};
}

/* Keeps what an event sets; false: its type sets nothing. */
static bool take_setting(struct jfr *r, int type, struct str bytes)
{
    const bool is_setting = str_equal(r->types[type].name, STR("jdk.ActiveSetting"));
    if (!is_setting && !str_equal(r->types[type].name, STR("jdk.InitialSystemProperty")))
        return false;
    decode_event(r, type, bytes);
    struct str event = STR("jdk.InitialSystemProperty");
    struct str name = text_in(r, type, is_setting ? STR("name") : STR("key"));
    const int id = jfr_leaf_named(r, type, STR("id"));
    if (is_setting && id != JFR_NONE) {
        const int of = jfr_type_of(r, (uint64_t)r->values[id].number);
        r->key.n =
            0; /* where the chunk does not describe the type, its number tells it from others */
        emit_number(&r->key, r->values[id].number);
        event = of == JFR_NONE ? buf_str(&r->key) : r->types[of].name;
    }
    jfr_setting(r, event, name.p == NULL ? STR("") : name, text_in(r, type, STR("value")));
    return true;
}

void jfr_push_event(struct jfr *r, int type, struct str bytes)
{
    const struct jfr_plan *plan = plan_of(r, type);
    if (plan != NULL) {
        decode_event(r, type, bytes);
        push_sample(r, type, plan);
    } else if (fact_event(r, type) == JFR_FACT_EVENTS && !take_setting(r, type, bytes)) {
        r->types[type].others++;
    }
}

void jfr_count_others(struct jfr *r)
{
    for (size_t i = 0; i < r->type_count; i++) {
        if (r->types[i].others == 0)
            continue;
        r->name.n = 0;
        text_escape(&r->name, r->types[i].name);
        loss_add(LOSS_JFR_EVENTS, buf_str(&r->name), r->types[i].others);
    }
}

void jfr_add_types(struct jfr *r)
{
    r->types_of_values = mem_alloc(TYPE_COUNT * sizeof *r->types_of_values);
    for (size_t i = 0; i < TYPE_COUNT; i++)
        r->types_of_values[i] =
            value_types_add(&r->sink->flow->types, types[i].name, types[i].unit);
}
