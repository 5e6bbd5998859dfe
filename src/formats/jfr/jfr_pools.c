/* Constants: each checkpoint has pools, one for a type, of constants with their numbers. They stay
 * bytes until something refers to them. */
#include "base/mem.h"
#include "base/utf8.h"
#include "formats/jfr/jfr.h"
#include "rows/emit.h"
#include "stream/growth.h"

#include <inttypes.h>

/* --- strings --- */

size_t jfr_count(struct jfr_cursor *c)
{
    const uint64_t count = jfr_integer(c);
    if (count > (uint64_t)(c->end - c->p))
        die_at(c->r->where,
               "expected a count of at most %zu, the bytes left of this event, found %" PRIu64,
               (size_t)(c->end - c->p), count);
    return (size_t)count;
}

/* A string of COUNT characters: Latin-1, or UTF-16 as integers. */
static struct str convert(struct jfr_cursor *c, size_t count, bool is_latin)
{
    char *to = arena_alloc(c->r->strings, 3 * count + 1);
    size_t size = 0;
    uint32_t high = 0;
    for (; count > 0; count--) {
        uint32_t unit = is_latin ? jfr_byte(c) : (uint32_t)jfr_integer(c) & 0xffff;
        if (high != 0 && utf8_is_low(unit)) {
            size -= 3; /* the half */
            unit = utf8_join(high, unit);
        }
        size += utf8_encode(to + size, unit);
        high = utf8_is_high(unit) ? unit : 0;
    }
    return (struct str){to, size};
}

/* A string of COUNT characters that is not read. */
static struct str pass(struct jfr_cursor *c, size_t count, bool is_latin)
{
    for (; count > 0 && !is_latin; count--)
        jfr_integer(c);
    c->p += count;
    return (struct str){NULL, 0};
}

struct str jfr_string(struct jfr_cursor *c, enum jfr_strings strings)
{
    enum { NULL_STRING, EMPTY, CONSTANT, UTF8, CHARS, LATIN1 };
    const unsigned char coding = jfr_byte(c);
    struct str text = {NULL, 0};
    switch (coding) {
    case NULL_STRING: break;
    case EMPTY: text = STR(""); break;
    case CONSTANT: {
        const int64_t number = (int64_t)jfr_integer(c);
        if (strings == JFR_FOLLOW)
            text = jfr_text(c->r, c->r->string_type, number);
        break;
    }
    case UTF8:
        text.n = jfr_count(c);
        text.p = c->p;
        c->p += text.n;
        break;
    case CHARS:
    case LATIN1:
        text = (strings == JFR_PASS ? pass : convert)(c, jfr_count(c), coding == LATIN1);
        break;
    default: die_at(c->r->where, "expected a string, found one with the unknown coding %u", coding);
    }
    return text;
}

/* --- checkpoints --- */

static void add_constant(struct jfr *r, int type, uint64_t number, struct str bytes)
{
    enum { FEW = 1000 };
    struct jfr_type *t = &r->types[type];
    const size_t before = idmap_size(&t->ids);
    if (number == UINT64_MAX ? t->last != 0 : idmap_get(&t->ids, number + 1) != 0)
        return;
    t->constants =
        mem_array(t->constants, &t->constant_capacity, t->constant_count + 1, sizeof *t->constants);
    t->constants[t->constant_count++] = (struct jfr_constant){.p = bytes.p, .n = (uint32_t)bytes.n};
    if (number == UINT64_MAX)
        t->last = (uint32_t)t->constant_count;
    else
        idmap_put(&t->ids, number + 1, (uint32_t)t->constant_count);
    if (t->constant_count > FEW)
        return;
    /* A map is large from the start, and a type with few constants small. More of them pay for more
     * ids. */
    const size_t held = idmap_size(&t->ids) - before;
    growth_hold(r->sink->flow, held);
    r->ids_held += held;
}

void jfr_read_checkpoint(struct jfr *r, struct str bytes)
{
    struct jfr_cursor c = {r, bytes.p, bytes.p + bytes.n};
    for (int skipped = 0; skipped < 5; skipped++)
        jfr_integer(&c); /* size, type, when, for how long, how far to the one before */
    jfr_byte(&c);        /* its kind */
    for (size_t pools = jfr_count(&c); pools > 0; pools--) {
        const uint64_t id = jfr_integer(&c);
        const int type = jfr_type_of(r, id);
        if (type == JFR_NONE)
            die_at(r->where, "a checkpoint has constants of an unknown type, %" PRIu64, id);
        jfr_leaves(r, type);
        for (size_t count = jfr_count(&c); count > 0; count--) {
            const uint64_t number = jfr_integer(&c);
            const char *start = c.p;
            jfr_decode(&c, type, JFR_PASS, NULL);
            add_constant(r, type, number, (struct str){start, (size_t)(c.p - start)});
        }
    }
}

struct jfr_constant *jfr_constant(struct jfr *r, int type, int64_t number)
{
    if (type == JFR_NONE)
        return NULL;
    struct jfr_type *t = &r->types[type];
    const uint64_t key = (uint64_t)number;
    const uint32_t index = key == UINT64_MAX ? t->last : idmap_get(&t->ids, key + 1);
    return index == 0 ? NULL : &t->constants[index - 1];
}

/* --- texts --- */

/* The decimal digits of NUMBER. */
static struct str spell(struct jfr *r, int64_t number)
{
    struct buf digits = {0};
    emit_number(&digits, number);
    const struct str text = arena_copy(&r->arena, buf_str(&digits));
    buf_free(&digits);
    return text;
}

/* BYTES, a class of the JVM, as people write it: "a.b.C". What follows a slash in a hidden class is
 * an address. */
static struct str dotted(struct jfr *r, struct str bytes)
{
    if (bytes.n == 0 || memchr(bytes.p, '/', bytes.n) == NULL)
        return bytes;
    char *to = arena_alloc(&r->arena, bytes.n);
    for (size_t i = 0; i < bytes.n; i++) {
        struct str rest = {bytes.p + i, bytes.n - i};
        to[i] = *rest.p == '/' && !str_starts(rest, STR("/0x")) ? '.' : *rest.p;
    }
    return (struct str){to, bytes.n};
}

uint32_t jfr_keep_text(struct jfr *r, struct str text)
{
    r->texts = mem_array(r->texts, &r->text_capacity, r->text_count + 1, sizeof *r->texts);
    r->texts[r->text_count++] = text;
    return (uint32_t)r->text_count;
}

/* The text of the class whose name is that of NAMED. */
static uint32_t add_class(struct jfr *r, struct jfr_constant *named, struct str text)
{
    if (named->dotted == 0)
        named->dotted = jfr_keep_text(r, text.p == NULL ? text : dotted(r, text));
    return named->dotted;
}

/* Sets the text of CONSTANT, of TYPE: that of the leaf SHOWN, or of the constant that this leaf refers
 * to, and so on. All on the way get theirs, so that each is read only once. */
static void set_text(struct jfr *r, int type, struct jfr_constant *constant, int shown)
{
    struct jfr_constant *way[JFR_NESTING];
    int types[JFR_NESTING];
    unsigned depth = 0;
    uint32_t number = 0;
    struct str text = {NULL, 0};
    while (depth < JFR_NESTING && constant != NULL && (number = constant->text) == 0) {
        way[depth] = constant;
        types[depth++] = type;
        if (shown == JFR_NONE)
            break;
        const struct jfr_leaf leaf = jfr_leaves(r, type)[shown];
        const struct jfr_value v = jfr_leaf_of(r, type, constant, shown);
        text = leaf.kind == JFR_STRING ? v.text : text;
        if (leaf.kind == JFR_BYTE || leaf.kind == JFR_INTEGER)
            text = spell(r, v.number);
        if (leaf.kind != JFR_CONSTANT)
            break;
        type = leaf.type;
        constant = jfr_constant(r, type, v.number);
        shown = r->types[type].shown;
    }
    if (number == 0)
        number = jfr_keep_text(r, text);
    while (depth-- > 0) {
        struct jfr_constant *named = constant == NULL ? way[depth] : constant;
        way[depth]->text =
            types[depth] == r->class_type ? add_class(r, named, r->texts[number - 1]) : number;
        number = way[depth]->text;
        constant = way[depth];
    }
}

struct str jfr_text(struct jfr *r, int type, int64_t number)
{
    struct jfr_constant *constant = jfr_constant(r, type, number);
    if (constant == NULL)
        return (struct str){NULL, 0};
    if (constant->text == 0) {
        struct arena *strings = r->strings;
        r->strings = &r->arena;
        set_text(r, type, constant, r->types[type].shown);
        if (type == r->thread_type && r->texts[constant->text - 1].n == 0) {
            constant->text = 0; /* Java does not know it */
            set_text(r, type, constant, jfr_leaf_named(r, type, STR("osName")));
        }
        r->strings = strings;
    }
    return r->texts[constant->text - 1];
}
