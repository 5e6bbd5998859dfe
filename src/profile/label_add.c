#include "profile/label_add.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

/* --- options --- */

void label_add_fixed(struct label_add_options *o, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        die(CODE_BAD_ARGUMENT, "--add-label: expected KEY=VALUE, found \"%s\"", text);
    o->fixed = mem_array(o->fixed, &o->fixed_capacity, o->fixed_count + 1, sizeof *o->fixed);
    o->fixed[o->fixed_count++] =
        (struct label_add_fixed){{text, (size_t)(equals - text)}, str_of(equals + 1)};
}

void label_add_from_name(struct label_add_options *o, const char *text)
{
    char why[256];
    bool has_key = false;
    struct label_add_name name = {.part_count = 0};
    name.regex = regex_open(text, (struct regex_how){0}, "--label-from-name", why, sizeof why);
    if (name.regex == NULL)
        die(CODE_BAD_EXPRESSION, "--label-from-name: \"%s\" is not a valid expression: %s", text,
            why);
    name.part_count = regex_part_count(name.regex) + 1;
    if (name.part_count > REGEX_PARTS)
        die(CODE_BAD_EXPRESSION, "--label-from-name: \"%s\" has more than %d groups", text,
            REGEX_PARTS - 1);
    for (size_t i = 1; i < name.part_count; i++) {
        name.keys[i] = regex_part_name(name.regex, i);
        has_key |= name.keys[i].n > 0;
    }
    if (!has_key)
        die(CODE_BAD_EXPRESSION,
            "--label-from-name: expected a group with a name, such as (?<day>[0-9]+), found \"%s\"",
            text);
    o->names = mem_array(o->names, &o->name_capacity, o->name_count + 1, sizeof *o->names);
    o->names[o->name_count++] = name;
}

void label_add_report(const struct label_add_options *o)
{
    for (size_t i = 0; i < o->name_count; i++)
        if (o->names[i].matched == 0)
            warn(CODE_NO_MATCH, "--label-from-name: no name of a file matches \"%s\"",
                 regex_text(o->names[i].regex));
        else if (o->names[i].matched < o->names[i].tried)
            warn(CODE_NO_MATCH, "--label-from-name: \"%s\" matches the names of %zu of %zu files",
                 regex_text(o->names[i].regex), o->names[i].matched, o->names[i].tried);
}

/* --- the labels of an input --- */

static void add_item(struct label_add *l, struct str key, struct str value)
{
    buf_add(&l->labels, l->labels.n > 0 ? STR(",") : STR(""));
    buf_add(&l->labels, STR("{\"key\":"));
    emit_inner_string(&l->labels, &l->value, key);
    buf_add(&l->labels, STR(",\"str\":"));
    emit_inner_string(&l->labels, &l->value, value);
    buf_add(&l->labels, STR("}"));
}

/* Adds what NAME finds in FILE, valid UTF-8. */
static void add_parts(struct label_add *l, struct label_add_name *name, struct str file)
{
    struct regex_part parts[REGEX_PARTS];
    name->tried++;
    if (!regex_find(name->regex, l->room, file, 0, parts, name->part_count))
        return;
    name->matched++;
    for (size_t i = 1; i < name->part_count; i++)
        if (name->keys[i].n > 0 && parts[i].begin != SIZE_MAX)
            add_item(l, name->keys[i],
                     (struct str){file.p + parts[i].begin, parts[i].end - parts[i].begin});
}

static void begin_input(struct label_add *l)
{
    const struct label_add_options *o = l->options;
    const struct str file = text_valid(&l->text, str_of(l->sink.flow->where.file));
    l->input = l->sink.flow->input;
    l->labels.n = l->last.n = l->made.n = 0;
    for (size_t i = 0; i < o->fixed_count; i++)
        add_item(l, o->fixed[i].key, o->fixed[i].value);
    for (size_t i = 0; i < o->name_count; i++)
        add_parts(l, &o->names[i], file);
}

/* --- the stage --- */

/* Whether ITEMS, the inside of a list, have ITEM. */
static bool has_item(struct str items, struct str item)
{
    struct str other;
    while (text_next_item(&items, &other))
        if (str_equal(other, item))
            return true;
    return false;
}

/* Sets l->made to COLUMNS, of a sample, with the labels. */
static void add_labels(struct label_add *l, struct str columns)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = columns};
    struct members walk = members_of(&row, l->sink.flow->where, NULL);
    struct member m;
    struct str before = columns, own = {0}, rest = buf_str(&l->labels), item;
    while (members_next(&walk, &m))
        if (m.id == MEMBER_ID_LABELS) {
            own = text_inside(m.value);
            before.n = (size_t)(own.p + own.n - columns.p);
        }
    const struct str after = {columns.p + before.n, columns.n - before.n};
    bool is_first = own.n == 0;
    l->made.n = 0;
    buf_add(&l->made, before);
    if (after.n == 0)
        buf_add(&l->made, STR(",\".labels\":["));
    while (text_next_item(&rest, &item)) {
        if (has_item(own, item))
            continue;
        buf_add(&l->made, is_first ? STR("") : STR(","));
        buf_add(&l->made, item);
        is_first = false;
    }
    buf_add(&l->made, after.n == 0 ? STR("]") : after);
}

static void take_row(struct sink *to, struct row *row)
{
    sink_row(((struct label_add *)to)->next, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct label_add *l = (struct label_add *)to;
    if (l->input != to->flow->input)
        begin_input(l);
    if (l->labels.n > 0) {
        struct str time = sample->extra, rest = sample->extra;
        int64_t ignored;
        /* times differ where all else is equal */
        time.n = sample_take_time(&rest, &ignored) ? (size_t)(rest.p - time.p) : 0;
        if (l->made.n == 0 || !str_equal(buf_str(&l->last), rest)) {
            l->last.n = 0;
            buf_add(&l->last, rest);
            add_labels(l, buf_str(&l->last));
        }
        l->whole.n = 0;
        buf_add(&l->whole, time);
        buf_add(&l->whole, buf_str(&l->made));
        sample->extra = buf_str(&l->whole);
    }
    sink_sample(l->next, sample);
}

struct label_add label_add_of(struct sink *next, struct label_add_options *options)
{
    return (struct label_add){.sink = {next->flow, take_row, take_sample},
                              .next = next,
                              .options = options,
                              .room = regex_room_open()};
}

void label_add_free(struct label_add *l)
{
    regex_room_free(l->room);
    buf_free(&l->labels);
    buf_free(&l->last);
    buf_free(&l->made);
    buf_free(&l->whole);
    buf_free(&l->text);
    buf_free(&l->value);
}
