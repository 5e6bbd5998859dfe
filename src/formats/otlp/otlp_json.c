/* OTLP/JSON to the binary messages, and messages to OTLP/JSON: both by the table of fields. */
#include "base/decimal.h"
#include "base/mem.h"
#include "formats/otlp/otlp.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* --- messages to JSON --- */

void otlp_print_string(struct buf *to, struct str bytes)
{
    buf_add(to, STR("\""));
    if (!text_escape_all(to, bytes))
        loss_add(LOSS_OTLP_BYTES, STR(""), 1);
    buf_add(to, STR("\""));
}

void otlp_print_base64(struct buf *to, struct str bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    for (size_t left = bytes.n; left > 0; left -= left < 3 ? left : 3, p += 3) {
        unsigned group =
            (unsigned)p[0] << 16 | (left > 1 ? (unsigned)p[1] << 8 : 0) | (left > 2 ? p[2] : 0);
        char *text = buf_reserve(to, 4);
        for (size_t i = 0; i < 4; i++)
            text[i] = i <= left ? letters[group >> (18 - 6 * i) & 63] : '=';
        to->n += 4;
    }
}

double otlp_double(struct str bytes)
{
    uint64_t bits = bits_load(bytes.p);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

void otlp_print_double(struct buf *to, double number)
{
    if (isnan(number) || isinf(number)) {
        buf_add(to, isnan(number) ? STR("NaN") : number < 0 ? STR("-Infinity") : STR("Infinity"));
        return;
    }
    decimal_write_double(to, number);
}

/* A message being printed. */
struct printed {
    enum otlp_message message;
    struct str bytes;
    unsigned place; /* of the field whose items come next, from 1 */
    size_t at;      /* where these begin */
    size_t from;    /* of the text of its members */
    bool is_in_list;
    bool has_key;  /* of a KeyValue: its key has been printed */
    unsigned last; /* the number of the last field: in an AnyValue only that counts */
};

/* Checks the fields of MESSAGE in BYTES; returns the number of the last that is known. 0: none. */
static unsigned last_field(struct otlp *r, enum otlp_message message, struct str bytes)
{
    struct wire wire = otlp_walk(r, bytes);
    struct wire_field f;
    const struct otlp_field *field;
    unsigned last = 0;
    while (otlp_next(r, message, &wire, &f, &field))
        last = field->number;
    return last;
}

/* The field whose items come next in TOP: in the order of their numbers, but the key first; without
 * a name after the last. */
static const struct otlp_field *field_of(const struct printed *top)
{
    static const unsigned pair[] = {0, OTLP_KEY_VALUE_INDEX, OTLP_KEY_VALUE_KEY,
                                    OTLP_KEY_VALUE_VALUE, OTLP_KEY_VALUE_INDEX + 1};
    return &otlp_fields[top->message]
                       [top->message == OTLP_KEY_VALUE ? pair[top->place] : top->place];
}

/* Finds the next item of the field of TOP, or its last if it is not a list. */
static bool find_item(struct otlp *r, struct printed *top, struct wire_field *item)
{
    struct str rest = {top->bytes.p + top->at, top->bytes.n - top->at};
    struct wire wire = otlp_walk(r, rest);
    struct wire_field f;
    const struct otlp_field *field = field_of(top);
    bool is_found = false;
    while (!(is_found && field->is_list) && wire_next(&wire, &f))
        if (f.number == field->number) {
            *item = f;
            is_found = true;
            top->at = (size_t)(r->data.p + wire.at - top->bytes.p);
        }
    return is_found;
}

/* The name of FIELD, without what marks an index of a string. */
static struct str name_in_json(const struct otlp_field *field)
{
    struct str name = str_of(field->name);
    if (field->kind == OTLP_KIND_STRING_INDEX)
        name.n -= strlen("Strindex");
    return name;
}

/* Whether F is what a field that is not there means, too. */
static bool is_empty(const struct otlp_field *field, const struct wire_field *f)
{
    return field->kind == OTLP_KIND_MESSAGE       ? false
           : otlp_wire_type(field) == WIRE_VARINT ? f->value == 0
           : otlp_wire_type(field) == WIRE_BYTES  ? f->bytes.n == 0
                                                  : bits_load(f->bytes.p) == 0;
}

void otlp_print_scalar(struct buf *to, const struct otlp_field *field, const struct wire_field *f)
{
    char text[32];
    switch (field->kind) {
    case OTLP_KIND_BOOL: buf_add(to, f->value != 0 ? STR("true") : STR("false")); return;
    case OTLP_KIND_STRING: otlp_print_string(to, f->bytes); return;
    default: break;
    }
    bool is_number = field->kind == OTLP_KIND_SMALL || field->kind == OTLP_KIND_STRING_INDEX ||
                     (field->kind == OTLP_KIND_DOUBLE && isfinite(otlp_double(f->bytes)));
    buf_add(to, is_number ? STR("") : STR("\"")); /* integers of 64 bits are strings there */
    switch (field->kind) {
    case OTLP_KIND_SMALL:
    case OTLP_KIND_STRING_INDEX:
    case OTLP_KIND_INTEGER:
        snprintf(text, sizeof text, "%" PRId64, (int64_t)f->value);
        buf_add(to, str_of(text));
        break;
    case OTLP_KIND_UNSIGNED:
    case OTLP_KIND_FIXED:
        snprintf(text, sizeof text, "%" PRIu64,
                 field->kind == OTLP_KIND_FIXED ? bits_load(f->bytes.p) : f->value);
        buf_add(to, str_of(text));
        break;
    case OTLP_KIND_DOUBLE: otlp_print_double(to, otlp_double(f->bytes)); break;
    case OTLP_KIND_HEX: text_hex(to, f->bytes); break;
    default: otlp_print_base64(to, f->bytes);
    }
    buf_add(to, is_number ? STR("") : STR("\""));
}

/* The same with the string that an index refers to in its place. */
static void print_scalar(struct otlp *r, struct buf *to, const struct otlp_field *field,
                         const struct wire_field *f)
{
    if (field->kind == OTLP_KIND_STRING_INDEX)
        otlp_print_string(to, otlp_string(r, f->value, field->name));
    else
        otlp_print_scalar(to, field, f);
}

/* Begins the next item of the field of TOP. */
static void begin_item(struct buf *to, struct printed *top, const struct otlp_field *field)
{
    buf_add(to, to->n > top->from ? STR(",") : STR(""));
    if (top->is_in_list)
        return;
    buf_add(to, STR("\""));
    buf_add(to, name_in_json(field));
    buf_add(to, field->is_list ? STR("\":[") : STR("\":"));
    top->is_in_list = field->is_list;
}

/* Moves TOP on to its next field; false after the last. */
static bool next_field(struct buf *to, struct printed *top)
{
    buf_add(to, top->is_in_list ? STR("]") : STR(""));
    top->is_in_list = false;
    top->place++;
    top->at = 0;
    return field_of(top)->name != NULL;
}

/* Whether TOP has another item of its field, which is stored in *ITEM, that is to be printed. */
static bool next_item(struct otlp *r, struct printed *top, struct wire_field *item)
{
    const struct otlp_field *field = field_of(top);
    if (top->message == OTLP_ANY)
        return field->number == top->last && find_item(r, top, item);
    return find_item(r, top, item) && (field->is_list || !is_empty(field, item));
}

/* Whether FIELD of TOP is the key of a pair. */
static bool is_key(const struct printed *top, const struct otlp_field *field)
{
    return top->message == OTLP_KEY_VALUE &&
           (field->number == OTLP_KEY_VALUE_KEY || field->number == OTLP_KEY_VALUE_INDEX);
}

void otlp_print(struct otlp *r, struct buf *to, enum otlp_message message, struct str bytes)
{
    struct printed *levels = NULL;
    size_t depth = 0, capacity = 0, start = to->n;
    struct wire_field item;
    for (bool enters = true; enters || depth > 0;) {
        if (enters) {
            if (depth == LIMITS_NESTING)
                otlp_die(r, NULL, "expected values that nest no deeper than %d", LIMITS_NESTING);
            levels = mem_array(levels, &capacity, depth + 1, sizeof *levels);
            buf_add(to, STR("{"));
            levels[depth++] = (struct printed){.message = message,
                                               .bytes = bytes,
                                               .place = 1,
                                               .from = to->n,
                                               .last = last_field(r, message, bytes)};
            emit_check_length(STR("sources"), to->n);
        }
        struct printed *top = &levels[depth - 1];
        const struct otlp_field *field = field_of(top);
        enters = false;
        if (next_item(r, top, &item)) {
            if (top->has_key && is_key(top, field))
                otlp_die(r, "key", "expected a key or the index of one, found both");
            top->has_key |= is_key(top, field);
            begin_item(to, top, field);
            enters = field->kind == OTLP_KIND_MESSAGE;
            message = field->inside;
            bytes = item.bytes;
            if (!enters)
                print_scalar(r, to, field, &item);
        } else if (!next_field(to, top)) {
            buf_add(to, STR("}"));
            depth--;
        }
    }
    mem_free(levels);
    growth_hold(r->sink->flow, to->n - start);
}

/* --- JSON to messages --- */

/* An object that is being read. */
struct read_object {
    enum otlp_message message;
    unsigned seen;                 /* its members so far, as bits */
    size_t start;                  /* of the message in the output, with room for its length */
    const struct otlp_field *list; /* the list of messages that is being read; NULL: none */
};

/* Room for a length, which is known only at the end of a message. */
enum { LENGTH = 5 };

static size_t begin_length(struct buf *to, const struct otlp_field *field)
{
    wire_put_key(to, field->number, WIRE_BYTES);
    buf_reserve(to, LENGTH);
    to->n += LENGTH;
    return to->n;
}

/* Writes the length of what begins at START before it: in as many bytes as there is room for, or of
 * text in as few as it takes, so that equal messages are equal bytes. Moving what is long would take
 * long where messages are nested. */
static void end_length(const struct otlp_conversion *c, struct buf *to, size_t start)
{
    enum { MOVED_MAX = 1 << 12 };
    uint64_t length = to->n - start;
    size_t digits = LENGTH;
    if (c->reader == NULL && length < MOVED_MAX) {
        digits = length < 1 << 7 ? 1 : 2;
        memmove(to->p + start - LENGTH + digits, to->p + start, length);
        to->n -= LENGTH - digits;
    }
    for (size_t i = 0; i < digits; i++, length >>= 7)
        to->p[start - LENGTH + i] = (char)((length & 0x7f) | (i + 1 < digits ? 0x80 : 0));
}

/* The integer of 64 bits that the current token is, in quotes or not. */
static uint64_t read_integer(const struct tokens *j)
{
    int64_t integer;
    struct str digits = j->text;
    uint64_t n = 0;
    if (j->token != TOKEN_NUMBER && j->token != TOKEN_STRING)
        tokens_unexpected(j, "an integer");
    if (j->token == TOKEN_NUMBER && tokens_is_integer(j, &integer))
        return (uint64_t)integer;
    const bool is_negative = str_take(&digits, STR("-"));
    bool is_good = digits.n > 0;
    for (size_t i = 0; is_good && i < digits.n; i++) {
        uint64_t digit = (uint64_t)(unsigned char)digits.p[i] - '0';
        is_good = digit <= 9 && !__builtin_mul_overflow(n, 10, &n) &&
                  !__builtin_add_overflow(n, digit, &n);
    }
    if (!is_good || (is_negative && n > (uint64_t)INT64_MAX + 1))
        tokens_unexpected(j, "an integer of 64 bits");
    return is_negative ? 0 - n : n;
}

bool otlp_take_double(struct str text, uint64_t *bits)
{
    struct buf copy = {0};
    char *end;
    buf_add(&copy, text);
    buf_add(&copy, (struct str){"", 1});
    const bool is_word = str_equal(text, STR("NaN")) || str_equal(text, STR("Infinity")) ||
                         str_equal(text, STR("-Infinity"));
    const double number = is_word ? strtod(copy.p, &end) : decimal_parse(copy.p, &end);
    const bool is_good = text.n > 0 && end == copy.p + text.n && (is_word || isfinite(number));
    buf_free(&copy);
    memcpy(bits, &number, sizeof *bits);
    return is_good;
}

static void put_double(const struct tokens *j, struct buf *to)
{
    uint64_t bits;
    if ((j->token != TOKEN_NUMBER && j->token != TOKEN_STRING) || !otlp_take_double(j->text, &bits))
        tokens_unexpected(j, "a number");
    wire_put_fixed(to, bits);
}

bool otlp_take_base64(struct buf *to, struct str text)
{
    unsigned group = 0, bits = 0;
    while (text.n > 0 && text.p[text.n - 1] == '=')
        text.n--;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i] == '-' ? '+' : text.p[i] == '_' ? '/' : text.p[i]; /* as in URLs */
        const char *letter = memchr(letters, c, sizeof letters - 1);
        if (letter == NULL)
            return false;
        group = group << 6 | (unsigned)(letter - letters);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            buf_add(to, (struct str){&(char){(char)(group >> bits)}, 1});
        }
    }
    return bits < 6;
}

/* Appends the string that is the current token, without its length. */
static void put_bytes(const struct tokens *j, struct buf *to, enum otlp_kind kind)
{
    if (j->token != TOKEN_STRING)
        tokens_unexpected(j, "a string");
    if (kind == OTLP_KIND_STRING)
        text_unescape(to, j->text);
    else if (kind == OTLP_KIND_HEX && !text_unhex(to, j->text))
        tokens_unexpected(j, "hexadecimal digits");
    else if (kind == OTLP_KIND_BASE64 && !otlp_take_base64(to, j->text))
        tokens_unexpected(j, "base64");
}

/* Appends the number of the string that is the current token. */
static void put_index(const struct otlp_conversion *c, const struct tokens *j, struct buf *to)
{
    struct buf bytes = {0};
    if (j->token != TOKEN_STRING)
        tokens_unexpected(j, "a string");
    wire_put_varint(to, c->string(c->user, tokens_bytes(j, &bytes)));
    buf_free(&bytes);
}

/* Appends the current token as FIELD, with its key unless it is packed. */
static void put_scalar(const struct otlp_conversion *c, const struct tokens *j, struct buf *to,
                       const struct otlp_field *field, bool is_packed)
{
    if (otlp_wire_type(field) == WIRE_BYTES) {
        size_t start = begin_length(to, field);
        put_bytes(j, to, field->kind);
        end_length(c, to, start);
        return;
    }
    if (!is_packed)
        wire_put_key(to, field->number, otlp_wire_type(field));
    if (field->kind == OTLP_KIND_STRING_INDEX && c->string != NULL) {
        put_index(c, j, to);
        return;
    }
    switch (field->kind) {
    case OTLP_KIND_BOOL:
        if (j->token != TOKEN_TRUE && j->token != TOKEN_FALSE)
            tokens_unexpected(j, "true or false");
        wire_put_varint(to, j->token == TOKEN_TRUE);
        break;
    case OTLP_KIND_FIXED: wire_put_fixed(to, read_integer(j)); break;
    case OTLP_KIND_DOUBLE: put_double(j, to); break;
    default: wire_put_varint(to, read_integer(j));
    }
}

/* Appends the list of scalars that begins with the current token. */
static void put_list(const struct otlp_conversion *c, struct tokens *j, struct buf *to,
                     const struct otlp_field *field)
{
    const bool is_packed = otlp_may_be_packed(field);
    size_t start = is_packed ? begin_length(to, field) : 0;
    while (tokens_next(j) != TOKEN_ARRAY_END)
        put_scalar(c, j, to, field, is_packed);
    if (is_packed)
        end_length(c, to, start);
}

/* Notes the line of the message that begins at the end of TO; R may be NULL. */
static void mark(struct otlp *r, const struct tokens *j, const struct buf *to)
{
    if (r == NULL)
        return;
    if (to->n > format_max_size(r->request))
        die_as(CODE_TOO_LARGE, (struct place){in_name(r->in), PLACE_LINE, j->where.line},
               "more than %" PRIu64 " bytes in one message" HINT "--max-size sets the limit",
               format_max_size(r->request));
    if (r->mark_count > 0 && r->marks[r->mark_count - 1].line == j->where.line)
        return;
    r->marks = mem_array(r->marks, &r->mark_capacity, r->mark_count + 1, sizeof *r->marks);
    r->marks[r->mark_count++] = (struct otlp_mark){to->n, j->where.line};
}

/* Appends the member FIELD of TOP, whose value begins with the current token. Returns whether a
 * message begins. */
static bool put_member(const struct otlp_conversion *c, struct tokens *j, struct buf *to,
                       struct read_object *top, const struct otlp_field *field)
{
    if (j->token == TOKEN_NULL)
        return false;
    if (field->is_list && j->token != TOKEN_ARRAY)
        tokens_unexpected(j, "a list");
    if (field->kind != OTLP_KIND_MESSAGE && field->is_list)
        put_list(c, j, to, field);
    else if (field->kind != OTLP_KIND_MESSAGE)
        put_scalar(c, j, to, field, false);
    else if (field->is_list)
        top->list = field;
    else if (j->token != TOKEN_OBJECT)
        tokens_unexpected(j, "an object");
    return field->kind == OTLP_KIND_MESSAGE && !field->is_list;
}

/* The names of members of a message in JSON, by the number of the field - 1. */
struct names {
    const char *items[OTLP_NUMBER_MAX + 1];
    char room[OTLP_NUMBER_MAX][32];
    unsigned count;
};

static void list_names(const struct otlp_conversion *c, enum otlp_message message,
                       struct names *names)
{
    const struct otlp_field *field = &otlp_fields[message][1];
    for (names->count = 0; field->name != NULL; field++, names->count++) {
        names->items[names->count] = field->name;
        if (c->string == NULL || field->kind != OTLP_KIND_STRING_INDEX)
            continue;
        snprintf(names->room[names->count], sizeof names->room[0], "%.*s",
                 STR_ARG(name_in_json(field)));
        names->items[names->count] = names->room[names->count];
    }
}

/* The name that a member of MESSAGE had before its layout was changed; NULL: none. All samples, or the
 * functions of all frames, would be missing without a word. */
static const char *name_before(enum otlp_message message)
{
    return message == OTLP_PROFILE ? "sample" : message == OTLP_LOCATION ? "line" : NULL;
}

/* Reads on in TOP. Returns the field whose message begins; NULL: something else was read.
 * *IS_END: TOP is at its end. */
static const struct otlp_field *read_on(const struct otlp_conversion *c, struct tokens *j,
                                        struct buf *to, struct read_object *top, bool *is_end)
{
    struct names names;
    const struct otlp_field *field = top->list;
    unsigned member;
    *is_end = false;
    if (field != NULL && tokens_next(j) == TOKEN_ARRAY_END) {
        top->list = NULL;
        return NULL;
    }
    if (field != NULL && j->token != TOKEN_OBJECT)
        tokens_unexpected(j, "an object");
    if (field != NULL)
        return field;
    list_names(c, top->message, &names);
    const unsigned known = names.count;
    const char *before = name_before(top->message);
    if (before != NULL)
        names.items[names.count++] = before;
    *is_end = !tokens_next_member(j, names.items, names.count, &top->seen, &member);
    if (*is_end)
        return NULL;
    if (member == known)
        tokens_die(j, j->where,
                   "\"%s\" is a member of OTLP profiles before version 1.9, which are "
                   "not read",
                   before);
    field = &otlp_fields[top->message][member + 1];
    return put_member(c, j, to, top, field) ? field : NULL;
}

void otlp_convert(const struct otlp_conversion *c, struct tokens *j, enum otlp_message message,
                  struct buf *to)
{
    struct read_object *open = NULL;
    size_t depth = 1, capacity = 0;
    bool is_end;
    open = mem_array(open, &capacity, 1, sizeof *open);
    open[0] = (struct read_object){message, 0, 0, NULL};
    mark(c->reader, j, to);
    while (depth > 0) {
        const struct otlp_field *field = read_on(c, j, to, &open[depth - 1], &is_end);
        if (is_end && --depth > 0)
            end_length(c, to, open[depth].start);
        if (field == NULL)
            continue;
        mark(c->reader, j, to);
        open = mem_array(open, &capacity, depth + 1, sizeof *open);
        open[depth++] = (struct read_object){field->inside, 0, begin_length(to, field), NULL};
    }
    mem_free(open);
}

/* --- text of rows --- */

void otlp_text_open(struct otlp_text *t, struct str text, struct place where, const char *column)
{
    snprintf(t->name, sizeof t->name, "%.300s:%" PRIu64 ": %s", where.file, where.at, column);
    t->in = in_open_bytes(t->name, text, SIZE_MAX);
    tokens_open(&t->json, t->in);
    tokens_next(&t->json);
}

void otlp_text_close(struct otlp_text *t)
{
    tokens_next(&t->json); /* nothing may follow */
    tokens_close(&t->json);
    in_close(t->in);
}

void otlp_convert_text(const struct otlp_conversion *c, enum otlp_message message, struct str text,
                       struct place where, const char *column, struct buf *to)
{
    struct otlp_text t;
    otlp_text_open(&t, text, where, column);
    if (t.json.token != TOKEN_OBJECT)
        tokens_unexpected(&t.json, "an object");
    otlp_convert(c, &t.json, message, to);
    otlp_text_close(&t);
}
