/* Maps of bpftrace whose keys have stacks, as text and as JSON (-f json).
 *
 *     @name[
 *         vfs_read+1                            kstack, ustack
 *     <TAB>55d6 main+12 (/usr/bin/a)            kstack(perf), ustack(perf)
 *     , bash]: 12
 *
 * Parts of a key are in the order of the script, which need not be that of the stack: what runs in
 * the kernel is inside of what has called it. */
#include "base/mem.h"
#include "formats/json_head.h"
#include "formats/stacks/stacks.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <stdio.h>

/* Where a stack was taken, as its frames tell. They are in this order in the rows. */
enum side { KERNEL, UNKNOWN, USER, SIDES };

/* How many parts of a key can be stacks that are told apart. */
enum { PARTS = 8 };

/* A map: its source, and what earlier keys have told of the parts of the next. */
struct map {
    int64_t source_id;
    uint32_t types[STACKS_VALUES];
    size_t type_count;
    enum side sides[PARTS];
};

struct reader {
    struct stacks_reader *s;
    bool is_json;
    struct intern names; /* of maps */
    struct map *maps;    /* by number - 1 */
    size_t map_capacity;
    struct map *map; /* of the key being read */
    struct buf key, value, reorder, message;
    struct str *parts; /* of that key */
    size_t key_parts, parts_capacity;
    unsigned stack_count, other_count; /* so many of them are stacks, and others */

    /* The stacks in the sample. */
    size_t part_count, ends[PARTS];
    size_t places[PARTS]; /* in the key */
};

/* --- frames --- */

/* The numbers of locations in the memo have the side of the frame above them. */
enum { SIDE_SHIFT = 30 };

static bool starts_one_of(struct str name, const char *const *starts)
{
    for (; *starts != NULL; starts++)
        if (str_starts(name, str_of(*starts)))
            return true;
    return false;
}

/* What the address of F tells, or the name of a function that only the kernel or a program begins with. */
static enum side side_of(const struct stacks_call *f)
{
    static const char *const kernel[] = {"entry_SYSCALL",
                                         "asm_common_interrupt",
                                         "asm_exc_",
                                         "asm_sysvec_",
                                         "do_syscall_",
                                         "ret_from_fork",
                                         "el0",
                                         "el1",
                                         "secondary_startup_",
                                         NULL};
    static const char *const user[] = {"__libc_start", "start_thread", "_start", NULL};
    if (f->address != 0) /* others are what was on the stack of a program without frame pointers */
        return f->address >> 47 == 0x1ffff ? KERNEL : f->address >> 47 == 0 ? USER : UNKNOWN;
    if (starts_one_of(f->name, kernel))
        return KERNEL;
    return starts_one_of(f->name, user) || str_equal(f->name, STR("main")) ? USER : UNKNOWN;
}

/* Moves "+12" off the end of f->name. */
static void take_offset(struct stacks_call *f)
{
    size_t n = f->name.n;
    while (n > 0 && str_is_digit(f->name.p[n - 1]))
        n--;
    struct str digits = {f->name.p + n, f->name.n - n};
    int64_t offset;
    if (n < 2 || f->name.p[n - 1] != '+' || !text_take_number(&digits, &offset))
        return;
    f->offset = (uint64_t)offset;
    f->has_offset = true;
    f->name.n = n - 1;
}

/* Whether TEXT ends in an offset, as "+12". */
static bool ends_in_offset(struct str text)
{
    size_t n = text.n;
    while (n > 0 && str_is_digit(text.p[n - 1]))
        n--;
    return n < text.n && n > 1 && text.p[n - 1] == '+';
}

/* The index of " (" in front of the file in TEXT, which has one. Symbols of C++ and files may have such
 * brackets, too: the file follows an offset, or an address alone, or else it is in the last ones. */
static size_t find_binary(struct str text)
{
    static const struct str open = STR(" (");
    const size_t first = stacks_find(text, open);
    if (str_starts(text, STR("0x")) && memchr(text.p, ' ', first) == NULL)
        return first;
    for (size_t i = first; i + open.n <= text.n; i++)
        if (text.p[i] == ' ' && text.p[i + 1] == '(' && ends_in_offset((struct str){text.p, i}))
            return i;
    return stacks_find_last(text, open);
}

/* Moves " (file)" off the end of f->name. */
static void take_binary(struct stacks_call *f)
{
    static const struct str open = STR(" (");
    const struct str text = f->name;
    if (!str_ends(text, STR(")")) || stacks_find(text, open) == text.n)
        return;
    const size_t at = find_binary(text);
    f->name.n = at;
    f->binary = (struct str){text.p + at + open.n, text.n - at - open.n - 1};
    if (str_equal(f->binary, STR("[unknown]")))
        f->binary.n = 0;
}

static void read_frame(struct stacks_call *f, struct str line)
{
    struct str rest = str_trim(line);
    uint64_t address;
    *f = (struct stacks_call){.name = rest, .file = STR(""), .binary = STR("")};
    if (line.p[0] == '\t' && text_take_hex(&rest, &address) && str_take(&rest, STR(" "))) {
        f->address = address;
        f->name = rest;
        take_binary(f);
    }
    rest = f->name;
    if (str_take(&rest, STR("0x")) && text_take_hex(&rest, &address) && rest.n == 0) {
        f->address = address;
        f->name.n = 0; /* what bpftrace prints where it knows none */
    }
    take_offset(f);
}

/* Adds the frame LINE to the sample; returns its side. */
static enum side push_frame(struct reader *r, struct str line)
{
    uint32_t *memo;
    stacks_recall(r->s, line, &memo);
    if (*memo == 0) {
        struct stacks_call f;
        read_frame(&f, line);
        *memo = stacks_location(r->s, &f) | (uint32_t)side_of(&f) << SIDE_SHIFT;
    }
    stacks_push(r->s, *memo & ((1u << SIDE_SHIFT) - 1));
    return (enum side)(*memo >> SIDE_SHIFT);
}

/* --- keys --- */

/* Removes the next part from *KEY; false at the end. A stack begins with a line feed, or is empty. */
static bool next_part(const struct reader *r, struct str *key, struct str *part, bool *is_last)
{
    if (*is_last)
        return false;
    size_t n = 0;
    if (key->n > 0 && key->p[0] == '\n') {
        for (n = 1; n < key->n && (key->p[n] == ' ' || key->p[n] == '\t'); n++) {
            const char *lf = memchr(key->p + n, '\n', key->n - n);
            n = lf == NULL ? key->n : (size_t)(lf - key->p);
        }
        n = n < key->n ? n : key->n;
    } else {
        while (n < key->n && !(key->p[n] == ',' && (r->is_json || n + 1 == key->n ||
                                                    key->p[n + 1] == ' ' || key->p[n + 1] == '\n')))
            n++;
    }
    *part = (struct str){key->p, n};
    key->p += n;
    key->n -= n;
    *is_last = !str_take(key, STR(","));
    if (!r->is_json)
        str_take(key, STR(" "));
    return true;
}

static bool is_stack(struct str part)
{
    return part.n == 0 || part.p[0] == '\n';
}

/* Splits KEY into its parts, which point into it. */
static void split_key(struct reader *r, struct str key)
{
    struct str part;
    r->key_parts = r->stack_count = r->other_count = 0;
    for (bool is_last = false; next_part(r, &key, &part, &is_last);) {
        r->parts = mem_array(r->parts, &r->parts_capacity, r->key_parts + 1, sizeof *r->parts);
        r->parts[r->key_parts++] = part;
        *(is_stack(part) ? &r->stack_count : &r->other_count) += 1;
    }
}

/* Adds the stack PART, the one at PLACE in the key. */
static void read_stack(struct reader *r, struct str part, size_t place)
{
    enum side side = UNKNOWN;
    struct str line;
    const size_t before = r->s->depth;
    str_take(&part, STR("\n"));
    while (str_next_line(&part, &line)) {
        if (str_trim(line).n == 0)
            continue;
        const enum side found = push_frame(r, line);
        side = side == UNKNOWN ? found : side;
    }
    if (place >= PARTS || r->part_count == PARTS || r->s->depth == before)
        return;
    if (side != UNKNOWN)
        r->map->sides[place] = side;
    r->places[r->part_count] = place;
    r->ends[r->part_count++] = r->s->depth;
}

/* Whether TEXT, a number, has no zeros in front: a string may have some. */
static bool is_plain_number(struct str text)
{
    str_take(&text, STR("-"));
    return text.p[0] != '0' || (text.n == 1 && text.p[-1] != '-');
}

/* Adds the label PART, number INDEX of COUNT. */
static void read_other(struct reader *r, struct str part, unsigned index, unsigned count)
{
    char key[16] = "key";
    struct str rest = part;
    int64_t number;
    if (count > 1)
        snprintf(key, sizeof key, "key%u", index);
    if (stacks_take_value(&rest, &number) && rest.n == 0 && is_plain_number(part))
        stacks_label(r->s, key, (struct str){NULL, 0}, number);
    else
        stacks_label(r->s, key, part, 0);
}

/* Puts stacks of the kernel inside of others. */
static void reorder(struct reader *r)
{
    struct stacks_reader *s = r->s;
    bool is_ordered = true;
    for (size_t i = 1; i < r->part_count; i++)
        is_ordered &= r->map->sides[r->places[i - 1]] <= r->map->sides[r->places[i]];
    if (is_ordered)
        return;
    r->reorder.n = 0;
    for (enum side side = KERNEL; side < SIDES; side++)
        for (size_t i = 0; i < r->part_count; i++) {
            const size_t from = i == 0 ? 0 : r->ends[i - 1];
            if (r->map->sides[r->places[i]] == side)
                buf_add(&r->reorder, (struct str){(const char *)(s->stack + from),
                                                  (r->ends[i] - from) * sizeof *s->stack});
        }
    memcpy(s->stack, r->reorder.p, r->reorder.n);
}

/* Sets the sample to what the key, of r->map, has. */
static void read_key(struct reader *r)
{
    unsigned other = 0;
    r->part_count = 0;
    for (size_t i = 0; i < r->key_parts; i++)
        if (is_stack(r->parts[i]))
            read_stack(r, r->parts[i], i);
        else
            read_other(r, r->parts[i], ++other, r->other_count);
    reorder(r);
}

/* --- maps --- */

/* A value: a number, or what stats() prints. */
struct value {
    int64_t values[STACKS_VALUES];
    bool is_stats; /* count and total */
};

/* Goes on with the map NAME, and begins its source at its first key. */
static void enter_map(struct reader *r, struct str name, const struct value *value)
{
    bool is_new;
    struct stacks_reader *s = r->s;
    /* in files put together a map of one name may have both kinds: then it is two */
    struct buf *key = &s->scratch;
    key->n = 0;
    buf_add(key, name);
    buf_add(key, value->is_stats ? STR(" stats") : STR(""));
    const uint32_t number = intern_add(&r->names, buf_str(key), &is_new);
    const struct str type = {name.p + 1, name.n - 1}; /* without @ */
    const struct stacks_type types[] = {
        {type.n > 0        ? type
         : value->is_stats ? STR("total")
                           : STR("samples"),
         STR("count"), 0},
        {str_equal(type, STR("events")) ? STR("count") : STR("events"), STR("count"), 0}};
    if (is_new) {
        r->maps = mem_array(r->maps, &r->map_capacity, number, sizeof *r->maps);
        stacks_fact(s, "map", name);
        stacks_begin_source(s, types, value->is_stats ? 2 : 1);
        struct map map = {.source_id = s->source_id, .type_count = s->type_count};
        memcpy(map.types, s->types, sizeof map.types);
        for (size_t i = 0; i < PARTS; i++)
            map.sides[i] = UNKNOWN;
        r->maps[number - 1] = map;
    }
    r->map = &r->maps[number - 1];
    s->source_id = r->map->source_id;
    s->type_count = r->map->type_count;
    memcpy(s->types, r->map->types, sizeof s->types);
}

/* Reads "12", or "count 3, average 4, total 12". */
static bool read_value(struct str text, struct value *value)
{
    int64_t average;
    value->is_stats = str_take(&text, STR("count "));
    if (!value->is_stats)
        return stacks_take_value(&text, &value->values[0]) && str_trim(text).n == 0;
    return stacks_take_value(&text, &value->values[1]) && str_take(&text, STR(", average ")) &&
           stacks_take_value(&text, &average) && str_take(&text, STR(", total ")) &&
           stacks_take_value(&text, &value->values[0]) && str_trim(text).n == 0;
}

/* Pushes the sample of the key that has been split, in the map NAME. */
static void push_entry(struct reader *r, struct str name, const struct value *value)
{
    enter_map(r, name, value);
    read_key(r);
    stacks_end_sample(r->s, value->values);
}

/* Keeps an entry without a stack as text: r->key has the name, of NAME bytes, and the key. */
static void keep_entry(struct reader *r, size_t name, struct str value)
{
    struct buf *text = &r->s->scratch;
    text->n = 0;
    buf_add(text, (struct str){r->key.p, name});
    buf_add(text, STR("["));
    buf_add(text, (struct str){r->key.p + name, r->key.n - name});
    buf_add(text, STR("]: "));
    buf_add(text, value);
    stacks_keep_line(r->s, buf_str(text));
}

/* --- text --- */

static bool is_of_name(char c)
{
    return str_is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Moves "@name[" off *LINE to *NAME. */
static bool take_name(struct str *line, struct str *name)
{
    size_t n = 1;
    if (!str_starts(*line, STR("@")))
        return false;
    while (n < line->n && is_of_name(line->p[n]))
        n++;
    if (n == line->n || line->p[n] != '[')
        return false;
    *name = (struct str){line->p, n};
    line->p += n + 1;
    line->n -= n + 1;
    return true;
}

static bool is_frame(struct str line)
{
    return line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t');
}

/* Reads the rest of a key, whose first line goes on with LINE, to r->key, and returns what follows it.
 * False: the input ends. */
static bool read_text_key(struct reader *r, struct str line, struct str *value)
{
    static const struct str end = STR("]: ");
    struct stacks_reader *s = r->s;
    struct str name;
    for (;;) {
        const size_t at = is_frame(line) ? line.n : stacks_find_last(line, end);
        buf_add(&r->key, (struct str){line.p, at});
        if (at < line.n) {
            *value = (struct str){line.p + at + end.n, line.n - at - end.n};
            return true;
        }
        buf_add(&r->key, STR("\n"));
        if (r->key.n > LIMITS_LINE)
            die_as(CODE_TOO_LARGE, s->where, "a key of more than %zu MiB", LIMITS_LINE >> 20);
        if (!stacks_next_line(s, &line))
            return false;
        struct str rest = line;
        if (!is_frame(line) && (take_name(&rest, &name) || line.n == 0))
            die_at(s->where, "expected a frame or \"]: N\", found \"%.*s\"", STR_ARG(line));
    }
}

static void read_entry(struct reader *r, struct str name, struct str line)
{
    struct stacks_reader *s = r->s;
    struct str text;
    struct value value;
    r->key.n = 0;
    buf_add(&r->key, name); /* in front of the key: the next line may move both */
    const size_t n = name.n;
    if (!read_text_key(r, line, &text)) {
        if (s->request->strict)
            die_as(CODE_CUT, s->where, "--strict: the last stack has no value");
        warn_at(CODE_CUT, s->where, "the last stack has no value: skipped");
        return;
    }
    const struct str key = {r->key.p + n, r->key.n - n};
    split_key(r, key);
    if (r->stack_count == 0)
        keep_entry(r, n, text);
    else if (read_value(text, &value))
        push_entry(r, (struct str){r->key.p, n}, &value);
    else if (text.n > 0 && (str_is_digit(text.p[0]) || text.p[0] == '-'))
        die_at(s->where, "expected a value of 64 bits, found \"%.*s\"", STR_ARG(text));
    else
        loss_add(LOSS_STACKS_VALUES, STR(""), 1);
}

static void close_reader(struct reader *r)
{
    intern_free(&r->names);
    mem_free(r->maps);
    mem_free(r->parts);
    buf_free(&r->key);
    buf_free(&r->value);
    buf_free(&r->reorder);
    buf_free(&r->message);
}

static void read_text(struct stacks_reader *s)
{
    struct reader r = {.s = s};
    for (struct str line, rest, name; stacks_next_line(s, &line);) {
        rest = line;
        if (take_name(&rest, &name))
            read_entry(&r, name, rest);
        else
            stacks_keep_line(s, line);
    }
    close_reader(&r);
}

/* --- JSON --- */

static int64_t json_integer(const struct tokens *j)
{
    int64_t n;
    if (!tokens_is_integer(j, &n))
        tokens_unexpected(j, "a value of 64 bits");
    return n;
}

/* Reads the value of a key: a number, or the object of stats(). */
static bool read_json_value(struct tokens *j, struct value *value)
{
    static const char *const names[] = {"total", "count", "average"};
    unsigned seen = 0, member;
    int64_t average, *const to[] = {&value->values[0], &value->values[1], &average};
    value->is_stats = j->token == TOKEN_OBJECT;
    if (j->token == TOKEN_NUMBER) {
        value->values[0] = json_integer(j);
        return true;
    }
    if (!value->is_stats) {
        tokens_skip(j);
        return false;
    }
    while (tokens_next_member(j, names, 3, &seen, &member))
        *to[member] = json_integer(j);
    return (seen & 3) == 3;
}

/* Reads the keys of the map in r->key, whose name has NAME bytes. */
static void read_json_map(struct reader *r, struct tokens *j, size_t name)
{
    struct value value;
    while (tokens_next(j) != TOKEN_OBJECT_END) {
        r->key.n = name;
        text_unescape(&r->key, j->text);
        const struct str key = {r->key.p + name, r->key.n - name};
        split_key(r, key);
        tokens_next(j);
        r->s->where.at = j->where.line;
        if (r->stack_count == 0) {
            r->value.n = 0;
            tokens_copy(j, &r->value);
            keep_entry(r, name, buf_str(&r->value));
        } else if (!read_json_value(j, &value)) {
            loss_add(LOSS_STACKS_VALUES, STR(""), 1);
        } else {
            push_entry(r, (struct str){r->key.p, name}, &value);
        }
    }
}

/* Reads {"@": {"key": 1}}, whose first token is the current one. */
static void read_json_maps(struct reader *r, struct tokens *j)
{
    if (j->token != TOKEN_OBJECT)
        tokens_unexpected(j, "maps");
    while (tokens_next(j) != TOKEN_OBJECT_END) {
        r->key.n = 0;
        text_unescape(&r->key, j->text);
        const size_t name = r->key.n;
        tokens_next(j);
        if (j->token == TOKEN_OBJECT && name > 0) {
            read_json_map(r, j, name);
            continue;
        }
        buf_add(&r->key, STR(": "));
        tokens_copy(j, &r->key);
        r->s->where.at = j->where.line;
        stacks_keep_line(r->s, buf_str(&r->key));
    }
}

/* The same for DATA, a copy of what stands at WHERE. */
static void read_kept_maps(struct reader *r, struct str data, struct tokens_place where)
{
    struct in *in = in_open_bytes(in_name(r->s->in), data, SIZE_MAX);
    struct tokens j;
    tokens_open(&j, in);
    j.line = where.line; /* messages name the place in the input */
    j.before = where.column - 1;
    tokens_next(&j);
    read_json_maps(r, &j);
    tokens_close(&j);
    in_close(in);
}

static bool is_map_type(const struct tokens *j)
{
    return j->token == TOKEN_STRING &&
           (str_equal(j->text, STR("map")) || str_equal(j->text, STR("stats")) ||
            str_equal(j->text, STR("hist")));
}

/* Reads one value of the input: a map, or what else bpftrace has to say, which is kept. */
static void read_json_message(struct reader *r, struct tokens *j)
{
    struct buf *text = &r->message;
    bool is_map = false, has_data = false;
    size_t at = 0, end = 0; /* of data in front of the type */
    struct tokens_place where;
    text->n = 0;
    tokens_expect(j, TOKEN_OBJECT, "an object of bpftrace");
    while (tokens_next(j) != TOKEN_OBJECT_END) {
        const bool is_type = str_equal(j->text, STR("type")),
                   is_data = str_equal(j->text, STR("data"));
        if (is_data && has_data)
            tokens_die(j, j->where, "\"data\" stands there twice");
        has_data |= is_data;
        if (is_data && is_map) {
            tokens_next(j);
            read_json_maps(r, j);
            continue;
        }
        buf_add(text, text->n == 0 ? STR("{\"") : STR(",\""));
        buf_add(text, j->text);
        buf_add(text, STR("\":"));
        tokens_next(j);
        is_map |= is_type && is_map_type(j);
        if (is_data) {
            at = text->n;
            where = j->where;
        }
        tokens_copy(j, text);
        end = is_data ? text->n : end;
    }
    r->s->where.at = j->where.line;
    buf_add(text, text->n == 0 ? STR("{}") : STR("}"));
    if (!is_map)
        stacks_keep_line(r->s, buf_str(text));
    else if (at > 0)
        read_kept_maps(r, (struct str){text->p + at, end - at}, where);
}

/* Takes white space off the input, and counts its lines in *LINE; false at the end. */
static bool skip_white(struct in *in, uint64_t *line)
{
    for (struct str text; (text = in_peek(in, 1)).n > 0;) {
        size_t n = 0;
        while (n < text.n && memchr(" \t\r\n", text.p[n], 4) != NULL)
            *line += text.p[n++] == '\n';
        in_consume(in, n);
        if (n < text.n)
            return true;
    }
    return false;
}

static void read_json(struct stacks_reader *s)
{
    struct reader r = {.s = s, .is_json = true};
    for (uint64_t line = 1; skip_white(s->in, &line);) {
        struct tokens j;
        tokens_open(&j, s->in);
        j.line = line;
        read_json_message(&r, &j);
        line = j.line;
        tokens_close(&j);
    }
    close_reader(&r);
}

/* --- formats --- */

/* What bpftrace says first is certain; so is a map whose key goes on with a frame. */
static enum bid bid_text(struct str head)
{
    struct str line, rest, name;
    bool is_in_key = false;
    while (str_next_line(&head, &line)) {
        rest = line;
        if (is_in_key)
            return line.n > 0 && memchr(" \t,", line.p[0], 3) != NULL ? BID_SURE : BID_NONE;
        if ((str_starts(line, STR("Attaching ")) || str_starts(line, STR("Attached "))) &&
            stacks_find(line, STR(" probe")) < line.n)
            return BID_SURE;
        is_in_key = take_name(&rest, &name) && stacks_find(line, STR("]: ")) == line.n;
        if (!is_in_key && str_trim(line).n > 0 && line.p[0] != '@')
            return BID_NONE;
    }
    return is_in_key ? BID_LIKELY : BID_NONE;
}

static enum bid bid_json(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_has(head, STR("\"attached_probes\"")) ||
        (json_head_says(head, STR("type"), STR("map")) && json_head_has(head, STR("\"@"))))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

const struct stacks_dialect stacks_bpftrace = {STR("bpftrace"), false, bid_text, read_text};
const struct stacks_dialect stacks_bpftrace_json = {STR("bpftrace"), false, bid_json, read_json};
