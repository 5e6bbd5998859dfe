/* The metadata of a chunk: a tree of elements with attributes, both called by words of a table in
 * front. Elements "class" are types, with their fields, and with annotations inside. */
#include "base/mem.h"
#include "formats/jfr/jfr.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* The attributes of an element that matter. */
struct element {
    struct str tag, name, value;
    uint64_t id, type_id, dimension;
    bool is_constant;
};

/* Annotations by the id of their type, of the field before: resolved when all types are known. */
struct annotation {
    size_t field;
    uint64_t type_id;
    struct str value;
};

struct tree {
    struct jfr *r;
    struct annotation *annotations;
    size_t annotation_count, annotation_capacity;
};

static struct str word(struct jfr_cursor *c)
{
    const struct jfr *r = c->r;
    uint64_t number = jfr_integer(c);
    if (number >= r->word_count)
        die_at(r->where, "metadata: expected one of %zu words, found number %" PRIu64,
               r->word_count, number);
    const struct str none = STR("");
    return r->words[number].p == NULL ? none : r->words[number];
}

/* The number TEXT of the attribute KEY. It is less than UINT64_MAX. */
static uint64_t number_in(struct jfr *r, struct str key, struct str text)
{
    uint64_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (!str_is_digit(text.p[i]) || n > UINT64_MAX / 10 - 1)
            die_at(r->where,
                   "metadata: expected an integer from 0 to %" PRIu64 " as \"%.*s\", found \"%s\"",
                   UINT64_MAX / 10 * 10 - 1, STR_ARG(key), text_shown(text));
        n = n * 10 + (uint64_t)(text.p[i] - '0');
    }
    return n;
}

/* Reads the tag and the attributes of an element. */
static struct element read_element(struct jfr_cursor *c)
{
    struct element e = {.tag = word(c), .name = STR(""), .value = STR("")};
    for (size_t left = jfr_count(c); left > 0; left--) {
        const struct str key = word(c), value = word(c);
        if (str_equal(key, STR("name")))
            e.name = value;
        else if (str_equal(key, STR("value")))
            e.value = value;
        else if (str_equal(key, STR("id")))
            e.id = number_in(c->r, key, value);
        else if (str_equal(key, STR("class")))
            e.type_id = number_in(c->r, key, value);
        else if (str_equal(key, STR("dimension")))
            e.dimension = number_in(c->r, key, value);
        else if (str_equal(key, STR("constantPool")))
            e.is_constant = str_equal(value, STR("true"));
    }
    return e;
}

/* --- types --- */

static void set_primitive(struct jfr_type *t)
{
    static const struct {
        struct str name;
        enum jfr_kind kind;
        unsigned bits;
    } primitives[] = {
        {STR("boolean"), JFR_BYTE, 8},   {STR("byte"), JFR_BYTE, 8},
        {STR("char"), JFR_INTEGER, 64}, /* of 16 bits, without a sign */
        {STR("short"), JFR_INTEGER, 16}, {STR("int"), JFR_INTEGER, 32},
        {STR("long"), JFR_INTEGER, 64},  {STR("float"), JFR_FLOAT, 32},
        {STR("double"), JFR_DOUBLE, 64}, {STR("java.lang.String"), JFR_STRING, 0},
    };
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (str_equal(t->name, primitives[i].name)) {
            t->is_primitive = true;
            t->kind = primitives[i].kind;
            t->bits = primitives[i].bits;
        }
}

static void add_type(struct jfr *r, const struct element *e)
{
    const int other = jfr_type_of(r, e->id);
    if (other != JFR_NONE)
        die_at(r->where,
               "metadata: expected types with different numbers, found %" PRIu64
               " for \"%s\" and \"%s\"",
               e->id, text_shown(r->types[other].name), text_shown(e->name));
    if (r->type_count == INT32_MAX)
        die_as(CODE_TOO_LARGE, r->where, "metadata: expected at most %d types, found more",
               INT32_MAX);
    r->types = mem_array(r->types, &r->type_capacity, r->type_count + 1, sizeof *r->types);
    struct jfr_type *t = &r->types[r->type_count++];
    *t = (struct jfr_type){.name = e->name, .id = e->id, .field = r->field_count};
    set_primitive(t);
    growth_hold(r->sink->flow, sizeof *t);
    idmap_put(&r->type_ids, e->id + 1, (uint32_t)r->type_count);
}

static void add_field(struct jfr *r, const struct element *e)
{
    r->fields = mem_array(r->fields, &r->field_capacity, r->field_count + 1, sizeof *r->fields);
    r->fields[r->field_count++] = (struct jfr_field){
        .name = e->name,
        .type_id = e->type_id,
        .is_constant = e->is_constant,
        .is_list = e->dimension > 0,
    };
    r->types[r->type_count - 1].field_count++;
}

static void add_annotation(struct tree *t, const struct element *e)
{
    t->annotations = mem_array(t->annotations, &t->annotation_capacity, t->annotation_count + 1,
                               sizeof *t->annotations);
    t->annotations[t->annotation_count++] =
        (struct annotation){t->r->field_count - 1, e->type_id, e->value};
}

/* What the annotation A says; JFR_NUMBER: nothing of use. */
static enum jfr_unit unit_of(const struct jfr *r, const struct annotation *a)
{
    static const struct {
        struct str type, value;
        enum jfr_unit unit;
    } units[] = {
        {STR("jdk.jfr.Timespan"), STR("TICKS"), JFR_TICKS},
        {STR("jdk.jfr.Timespan"), STR("NANOSECONDS"), JFR_NANOSECONDS},
        {STR("jdk.jfr.Timespan"), STR("MICROSECONDS"), JFR_MICROSECONDS},
        {STR("jdk.jfr.Timespan"), STR("MILLISECONDS"), JFR_MILLISECONDS},
        {STR("jdk.jfr.Timespan"), STR("SECONDS"), JFR_SECONDS},
        {STR("jdk.jfr.Timestamp"), STR("TICKS"), JFR_TIMESTAMP},
        {STR("jdk.jfr.Timestamp"), STR("MILLISECONDS_SINCE_EPOCH"), JFR_MILLISECONDS},
        {STR("jdk.jfr.Timestamp"), STR("NANOSECONDS_SINCE_EPOCH"), JFR_NANOSECONDS},
        {STR("jdk.jfr.DataAmount"), STR("BYTES"), JFR_BYTES},
        {STR("jdk.jfr.MemoryAddress"), STR(""), JFR_ADDRESS},
    };
    int type = jfr_type_of(r, a->type_id);
    for (size_t i = 0; type != JFR_NONE && i < sizeof units / sizeof *units; i++)
        if (str_equal(r->types[type].name, units[i].type) &&
            (units[i].value.n == 0 || str_equal(a->value, units[i].value)))
            return units[i].unit;
    return JFR_NUMBER;
}

/* Reads the tree of elements. How many are still to come at each level is kept in an array, as the
 * tree may be deep. */
static void read_tree(struct tree *t, struct jfr_cursor *c)
{
    struct jfr *r = t->r;
    size_t *left = NULL, depth = 0, capacity = 0;
    size_t inside_type = 0, inside_field = 0; /* the depth of what is in them; 0: there is none */
    do {
        const struct element e = read_element(c);
        if (str_equal(e.tag, STR("class"))) {
            add_type(r, &e);
            inside_type = depth + 1;
        } else if (str_equal(e.tag, STR("field")) && inside_type == depth && depth > 0) {
            add_field(r, &e);
            inside_field = depth + 1;
        } else if (str_equal(e.tag, STR("annotation")) && inside_field == depth && depth > 0) {
            add_annotation(t, &e);
        }
        left = mem_array(left, &capacity, depth + 1, sizeof *left);
        left[depth++] = jfr_count(c);
        while (depth > 0 && left[depth - 1] == 0)
            depth--;
        if (depth > 0)
            left[depth - 1]--;
        inside_type = depth < inside_type ? 0 : inside_type;
        inside_field = depth < inside_field ? 0 : inside_field;
    } while (depth > 0);
    mem_free(left);
}

/* Whether LEAF refers to a constant of which nothing else is made. */
static bool is_kind(const struct jfr *r, const struct jfr_leaf *leaf)
{
    return leaf->kind == JFR_CONSTANT && leaf->type != r->stack_type &&
           leaf->type != r->method_type && leaf->type != r->thread_type;
}

static void find_types(struct jfr *r)
{
    static const struct str names[] = {STR("java.lang.String"),     STR("jdk.types.StackTrace"),
                                       STR("jdk.types.StackFrame"), STR("jdk.types.Method"),
                                       STR("java.lang.Thread"),     STR("java.lang.Class")};
    int *const types[] = {&r->string_type, &r->stack_type,  &r->frame_type,
                          &r->method_type, &r->thread_type, &r->class_type};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *types[i] = JFR_NONE;
    for (size_t t = 0; t < r->type_count; t++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (str_equal(r->types[t].name, names[i]))
                *types[i] = (int)t;
    if (r->string_type != JFR_NONE)
        jfr_leaves(r, r->string_type); /* not while those of others are in use */
    r->frames_leaf = jfr_leaf_named(r, r->stack_type, STR("frames"));
    r->truncated_leaf = jfr_leaf_named(r, r->stack_type, STR("truncated"));
    if (r->frames_leaf != JFR_NONE) {
        const struct jfr_leaf *frames = &jfr_leaves(r, r->stack_type)[r->frames_leaf];
        r->has_frame_constants = frames->has_constants;
        if (frames->kind == JFR_LIST)
            r->frame_type = frames->type;
        else
            r->frames_leaf = JFR_NONE;
    }
    r->frame_method = jfr_leaf_named(r, r->frame_type, STR("method"));
    r->frame_line = jfr_leaf_named(r, r->frame_type, STR("lineNumber"));
    r->frame_bytecode = jfr_leaf_named(r, r->frame_type, STR("bytecodeIndex"));
    r->frame_kind = jfr_leaf_named(r, r->frame_type, STR("type"));
    if (r->frame_kind != JFR_NONE && !is_kind(r, &jfr_leaves(r, r->frame_type)[r->frame_kind]))
        r->frame_kind = JFR_NONE;
}

/* WORD, or, if it is a name that only JDK 9 and 10 have, that of later ones. */
static struct str name_now(struct jfr *r, struct str word)
{
    static const struct str before[] = {STR("com.oracle.jdk."), STR("com.oracle.jfr.")};
    for (size_t i = 0; r->is_of_nine && i < sizeof before / sizeof *before; i++)
        if (str_starts(word, before[i])) {
            r->key.n = 0;
            buf_add(&r->key, STR("jdk."));
            buf_add(&r->key, (struct str){word.p + before[i].n, word.n - before[i].n});
            return arena_copy(&r->arena, buf_str(&r->key));
        }
    return word;
}

void jfr_read_metadata(struct jfr *r, struct str bytes)
{
    struct jfr_cursor c = {r, bytes.p, bytes.p + bytes.n};
    struct tree t = {.r = r};
    r->strings = &r->arena;
    for (int skipped = 0; skipped < 5; skipped++)
        jfr_integer(&c); /* size, type, when, for how long, and a number */
    for (size_t left = jfr_count(&c); left > 0; left--) {
        const struct str text = jfr_string(&c, JFR_OWN);
        r->words = mem_array(r->words, &r->word_capacity, r->word_count + 1, sizeof *r->words);
        r->words[r->word_count++] = name_now(r, text);
    }
    read_tree(&t, &c);
    for (size_t i = 0; i < t.annotation_count; i++) {
        enum jfr_unit unit = unit_of(r, &t.annotations[i]);
        if (unit != JFR_NUMBER)
            r->fields[t.annotations[i].field].unit = unit;
    }
    mem_free(t.annotations);
    find_types(r);
}

int jfr_type_of(const struct jfr *r, uint64_t id)
{
    return id == UINT64_MAX ? JFR_NONE : (int)idmap_get(&r->type_ids, id + 1) - 1;
}

/* --- leaves --- */

static void add_leaf(struct jfr *r, int type, struct jfr_leaf leaf)
{
    struct jfr_type *t = &r->types[type];
    if (t->leaf_count == JFR_LEAVES)
        die_as(CODE_TOO_LARGE, r->where, "type \"%s\": expected at most %d fields, found more",
               text_shown(t->name), JFR_LEAVES);
    growth_hold(r->sink->flow, sizeof leaf + leaf.name.n);
    r->leaves = mem_array(r->leaves, &r->leaf_capacity, r->leaf_count + 1, sizeof *r->leaves);
    r->leaves[r->leaf_count++] = leaf;
    t->leaf_count++;
}

/* Fills the leaves of TYPE, at DEPTH within others. The recursion ends at JFR_NESTING. So does that
 * of skip_list, as the height of a type is limited, too: types inside may be filled before. */
static void flatten(struct jfr *r, int type, size_t depth);

/* Appends the leaves of INSIDE, the type of the field NAME, to those of TYPE. */
static void add_leaves(struct jfr *r, int type, int inside, struct str name)
{
    for (size_t i = 0; i < r->types[inside].leaf_count; i++) {
        struct jfr_leaf leaf = r->leaves[r->types[inside].leaf + i];
        r->key.n = 0;
        buf_add(&r->key, name);
        buf_add(&r->key, STR("."));
        buf_add(&r->key, leaf.name);
        leaf.name = arena_copy(&r->arena, buf_str(&r->key));
        add_leaf(r, type, leaf);
    }
}

static void add_field_leaves(struct jfr *r, int type, size_t index)
{
    const struct jfr_field f = r->fields[index];
    const int inside = jfr_type_of(r, f.type_id);
    if (inside == JFR_NONE)
        die_at(r->where, "metadata: the field \"%s\" of \"%s\" has an unknown type, %" PRIu64,
               text_shown(f.name), text_shown(r->types[type].name), f.type_id);
    const struct jfr_type *t = &r->types[inside];
    struct jfr_leaf leaf = {.name = f.name, .unit = f.unit, .type = inside};
    if (f.is_list) {
        leaf.kind = JFR_LIST;
        leaf.has_constants = f.is_constant;
    } else if (f.is_constant) {
        leaf.kind = JFR_CONSTANT;
    } else if (t->is_primitive) {
        leaf.kind = t->kind;
        leaf.bits = t->bits;
        if (str_equal(t->name, STR("boolean")))
            leaf.unit = JFR_BOOLEAN;
    } else {
        add_leaves(r, type, inside, f.name);
        return;
    }
    add_leaf(r, type, leaf);
}

/* The leaf that people know a constant of TYPE by. */
static int find_shown(struct jfr *r, int type)
{
    static const struct str names[] = {STR("name"), STR("javaName"), STR("string"), STR("type"),
                                       STR("description")};
    if (r->types[type].leaf_count == 1)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < r->types[type].leaf_count; k++)
            if (str_equal(r->leaves[r->types[type].leaf + k].name, names[i]))
                return (int)k;
    return JFR_NONE;
}

static _Noreturn void die_nested(struct jfr *r, int type)
{
    die_as(CODE_TOO_LARGE, r->where,
           "metadata: type \"%s\": expected types at most %d deep in each other, found more",
           text_shown(r->types[type].name), JFR_NESTING);
}

static void flatten(struct jfr *r, int type, size_t depth)
{
    unsigned height = 1;
    if (r->types[type].state == JFR_LEVEL)
        return;
    if (r->types[type].state == JFR_OPEN)
        die_at(r->where, "metadata: the type \"%s\" contains itself",
               text_shown(r->types[type].name));
    if (depth == JFR_NESTING)
        die_nested(r, type);
    r->types[type].state = JFR_OPEN;
    const struct jfr_type t = r->types[type];
    /* types within it come first, as the leaves of one type stand together */
    for (size_t i = t.field; i < t.field + t.field_count; i++) {
        int inside = jfr_type_of(r, r->fields[i].type_id);
        if (inside == JFR_NONE || r->fields[i].is_constant)
            continue;
        flatten(r, inside, depth + 1);
        if (height <= r->types[inside].height)
            height = r->types[inside].height + 1;
    }
    if (height > JFR_NESTING)
        die_nested(r, type);
    r->types[type].height = height;
    r->types[type].leaf = r->leaf_count;
    if (t.is_primitive)
        add_leaf(
            r, type,
            (struct jfr_leaf){.name = STR("value"), .kind = t.kind, .bits = t.bits, .type = type});
    for (size_t i = t.field; i < t.field + t.field_count && !t.is_primitive; i++)
        add_field_leaves(r, type, i);
    r->types[type].state = JFR_LEVEL;
    r->types[type].shown = find_shown(r, type);
}

const struct jfr_leaf *jfr_leaves(struct jfr *r, int type)
{
    if (r->types[type].state != JFR_LEVEL)
        flatten(r, type, 0);
    return r->leaves == NULL ? NULL : &r->leaves[r->types[type].leaf]; /* no type has any */
}

int jfr_leaf_named(struct jfr *r, int type, struct str name)
{
    if (type == JFR_NONE)
        return JFR_NONE;
    const struct jfr_leaf *leaves = jfr_leaves(r, type);
    for (size_t i = 0; i < r->types[type].leaf_count; i++)
        if (str_equal(leaves[i].name, name))
            return (int)i;
    return JFR_NONE;
}

/* --- values --- */

static uint64_t take_word(struct jfr_cursor *c, unsigned size)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < size; i++)
        bits = bits << 8 | jfr_byte(c);
    return bits;
}

static double take_float(struct jfr_cursor *c)
{
    const uint32_t bits = (uint32_t)take_word(c, sizeof bits);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double take_double(struct jfr_cursor *c)
{
    const uint64_t bits = take_word(c, sizeof bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* BITS with the sign of a type of COUNT bits. */
static int64_t extend(uint64_t bits, unsigned count)
{
    return count == 16 ? (int16_t)bits : count == 32 ? (int32_t)bits : (int64_t)bits;
}

/* Skips a list of COUNT items. Types nest no deeper than JFR_NESTING, and so does this. */
static void skip_list(struct jfr_cursor *c, const struct jfr_leaf *leaf, uint64_t count)
{
    if (leaf->has_constants)
        for (; count > 0; count--)
            jfr_integer(c);
    else if (c->r->types[leaf->type].leaf_count > 0) /* else it takes no bytes */
        for (; count > 0; count--)
            jfr_decode(c, leaf->type, JFR_PASS, NULL);
}

/* Reads the value of LEAF. */
static struct jfr_value decode(struct jfr_cursor *c, const struct jfr_leaf *leaf,
                               enum jfr_strings strings)
{
    struct jfr_value v = {0};
    switch (leaf->kind) {
    case JFR_BYTE: v.number = (signed char)jfr_byte(c); break;
    case JFR_INTEGER: v.number = extend(jfr_integer(c), leaf->bits); break;
    case JFR_CONSTANT: v.number = (int64_t)jfr_integer(c); break;
    case JFR_FLOAT: v.real = take_float(c); break;
    case JFR_DOUBLE: v.real = take_double(c); break;
    case JFR_STRING: v.text = jfr_string(c, strings); break;
    case JFR_LIST:
        v.number = (int64_t)jfr_integer(c);
        v.text.p = c->p;
        skip_list(c, leaf, (uint64_t)v.number);
        v.text.n = (size_t)(c->p - v.text.p);
        break;
    }
    return v;
}

void jfr_decode(struct jfr_cursor *c, int type, enum jfr_strings strings, struct jfr_value *values)
{
    const struct jfr_leaf *leaf = jfr_leaves(c->r, type);
    for (size_t left = c->r->types[type].leaf_count; left > 0; left--, leaf++) {
        const struct jfr_value v = decode(c, leaf, strings);
        if (values != NULL)
            *values++ = v;
    }
}

struct jfr_value jfr_leaf_of(struct jfr *r, int type, const struct jfr_constant *constant, int leaf)
{
    struct jfr_cursor c = {r, constant->p, constant->p + constant->n};
    const struct jfr_leaf *leaves = jfr_leaves(r, type);
    for (int i = 0; i < leaf; i++)
        decode(&c, &leaves[i], JFR_PASS);
    return decode(&c, &leaves[leaf], type == r->string_type ? JFR_OWN : JFR_FOLLOW);
}
