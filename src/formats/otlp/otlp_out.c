#include "formats/otlp/otlp_out.h"

#include "base/mem.h"
#include "formats/otlp/otlp.h"

/* Text of more bytes than this is passed on. */
enum { FLUSH = 1 << 16 };

static struct otlp_level *top(const struct otlp_out *o)
{
    return &o->levels[o->depth - 1];
}

static void flush(struct otlp_out *o, size_t more_than)
{
    if (o->text.n <= more_than)
        return;
    out_write(o->out, buf_str(&o->text));
    o->text.n = 0;
}

static void enter(struct otlp_out *o, enum otlp_message message, struct str rest)
{
    o->levels = mem_array(o->levels, &o->capacity, o->depth + 1, sizeof *o->levels);
    o->levels[o->depth++] = (struct otlp_level){.message = message, .rest = {"", "OTLP", rest, 0}};
    if (o->is_json)
        buf_add(&o->text, STR("{"));
}

/* Ends the list that is open in LEVEL. */
static void end_list(struct otlp_out *o, struct otlp_level *level)
{
    buf_add(&o->text, level->list != NULL ? STR("]") : STR(""));
    level->list = NULL;
}

/* Begins the member or item FIELD of the message that is open. */
static void begin_member(struct otlp_out *o, const struct otlp_field *field)
{
    struct otlp_level *level = top(o);
    const bool is_next = level->list == field;
    if (!is_next)
        end_list(o, level);
    buf_add(&o->text, level->has_member ? STR(",") : STR(""));
    level->has_member = true;
    if (is_next)
        return;
    buf_add(&o->text, STR("\""));
    buf_add(&o->text, str_of(field->name));
    buf_add(&o->text, field->is_list ? STR("\":[") : STR("\":"));
    level->list = field->is_list ? field : NULL;
}

/* Prints the numbers of F, of FIELD, which is packed. */
static void print_packed(struct otlp_out *o, const struct otlp_field *field, struct wire_field f)
{
    const bool is_fixed = otlp_wire_type(field) == WIRE_FIXED64;
    while (f.bytes.n > 0) {
        struct wire_field one = {.number = f.number, .bytes = {f.bytes.p, 8}};
        if (is_fixed) {
            f.bytes.p += 8;
            f.bytes.n -= 8;
        } else if (!wire_take_varint(&f.bytes, &one.value)) {
            return; /* never: the writer has put them together itself */
        }
        begin_member(o, field);
        otlp_print_scalar(&o->text, field, &one);
        flush(o, FLUSH);
    }
}

static void leave(struct otlp_out *o)
{
    end_list(o, top(o));
    buf_add(&o->text, STR("}"));
    o->depth--;
}

/* Prints what is still to be printed of the message that is open, and of those inside it. */
static void print_rest(struct otlp_out *o)
{
    const size_t base = o->depth;
    struct wire_field f;
    for (;;) {
        struct otlp_level *level = top(o);
        if (!wire_next(&level->rest, &f)) {
            if (o->depth == base)
                return;
            leave(o);
            continue;
        }
        const struct otlp_field *field = otlp_field(level->message, f.number);
        if (otlp_may_be_packed(field) && f.type == WIRE_BYTES) {
            print_packed(o, field, f);
        } else {
            begin_member(o, field);
            if (field->kind == OTLP_KIND_MESSAGE)
                enter(o, field->inside, f.bytes);
            else
                otlp_print_scalar(&o->text, field, &f);
        }
        flush(o, FLUSH);
    }
}

struct otlp_out otlp_out_begin(struct out *out, bool is_json)
{
    struct otlp_out o = {.out = out, .is_json = is_json};
    enter(&o, OTLP_DATA, STR(""));
    return o;
}

/* Begins the field NUMBER, of SIZE bytes, of a binary message. */
static void begin_bytes(struct otlp_out *o, unsigned number, uint64_t size)
{
    wire_put_key(&o->text, number, WIRE_BYTES);
    wire_put_varint(&o->text, size);
}

void otlp_out_open(struct otlp_out *o, unsigned number, uint64_t size)
{
    const struct otlp_field *field = otlp_field(top(o)->message, number);
    if (o->is_json)
        begin_member(o, field);
    else
        begin_bytes(o, number, size);
    enter(o, field->inside, STR(""));
}

void otlp_out_add(struct otlp_out *o, struct str fields)
{
    if (o->is_json) {
        top(o)->rest.data = fields;
        top(o)->rest.at = 0;
        print_rest(o);
    } else {
        buf_add(&o->text, fields);
    }
    flush(o, FLUSH);
}

void otlp_out_put(struct otlp_out *o, unsigned number, struct str content)
{
    const struct otlp_field *field = otlp_field(top(o)->message, number);
    if (field->kind == OTLP_KIND_MESSAGE) {
        otlp_out_open(o, number, content.n);
        otlp_out_add(o, content);
        otlp_out_close(o);
    } else if (o->is_json) {
        begin_member(o, field);
        otlp_print_scalar(&o->text, field, &(struct wire_field){.bytes = content});
    } else {
        begin_bytes(o, number, content.n);
        buf_add(&o->text, content);
    }
    flush(o, FLUSH);
}

void otlp_out_close(struct otlp_out *o)
{
    if (o->is_json)
        leave(o);
    else
        o->depth--;
}

void otlp_out_end(struct otlp_out *o)
{
    otlp_out_close(o);
    buf_add(&o->text, o->is_json ? STR("\n") : STR(""));
    flush(o, 0);
    buf_free(&o->text);
    mem_free(o->levels);
}

uint64_t otlp_out_size(uint64_t size)
{
    uint64_t n = size + 2; /* the key, and the last byte of the length */
    for (uint64_t length = size; length >= 0x80; length >>= 7)
        n++;
    return n;
}
