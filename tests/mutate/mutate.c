/* mutate.c - makes streams that each differ from a valid one by a single mutation.
 *
 *   mutate SEED COUNT DIRECTORY VALID...
 *
 * Writes DIRECTORY/1 to DIRECTORY/COUNT, and says of each on standard output its number, the valid
 * stream it was made from, and what was done.  The same seed makes the same mutants. */
#include "../random.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64 };

struct stream {
    const char *name;
    char *lines[LINES_MAX + 2]; /* each with its line feed */
    size_t count;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        fail("mutate");
    return copy;
}

static struct stream read_stream(const char *path)
{
    struct stream s = {.name = path};
    char line[4096];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail(path);
    while (s.count < LINES_MAX && fgets(line, sizeof line, file) != NULL)
        s.lines[s.count++] = copy_of(line);
    fclose(file);
    return s;
}

/* --- lines --- */

static void insert(struct stream *s, size_t at, char *line)
{
    memmove(s->lines + at + 1, s->lines + at, (s->count - at) * sizeof *s->lines);
    s->lines[at] = line;
    s->count++;
}

static char *take(struct stream *s, size_t at)
{
    char *line = s->lines[at];
    s->count--;
    memmove(s->lines + at, s->lines + at + 1, (s->count - at) * sizeof *s->lines);
    return line;
}

static void drop(struct stream *s)
{
    take(s, pick(s->count));
}

static void duplicate(struct stream *s)
{
    size_t at = pick(s->count);
    insert(s, at, s->lines[at]);
}

static void copy(struct stream *s)
{
    insert(s, pick(s->count + 1), s->lines[pick(s->count)]);
}

static void move(struct stream *s)
{
    char *line = take(s, pick(s->count));
    insert(s, pick(s->count + 1), line);
}

static void swap_lines(struct stream *s, size_t a, size_t b)
{
    char *line = s->lines[a];
    s->lines[a] = s->lines[b];
    s->lines[b] = line;
}

static void swap(struct stream *s)
{
    swap_lines(s, pick(s->count), pick(s->count));
}

static void swap_neighbours(struct stream *s)
{
    size_t at = pick(s->count - 1);
    swap_lines(s, at, at + 1);
}

static void blank(struct stream *s)
{
    static const char *const blanks[] = {"\n", "\r\n", " \t\n"};
    insert(s, pick(s->count + 1), copy_of(PICK(blanks)));
}

static void end_early(struct stream *s)
{
    s->count = pick(s->count);
}

/* --- bytes of a line --- */

static char *pick_byte(struct stream *s)
{
    char *line = s->lines[pick(s->count)];
    return line + pick(strlen(line));
}

static void flip(struct stream *s)
{
    char *byte = pick_byte(s);
    *byte = (char)(*byte ^ 1 << pick(8));
    if (*byte == '\0')
        *byte = '0';
}

static void delete (struct stream *s)
{
    char *byte = pick_byte(s);
    memmove(byte, byte + 1, strlen(byte));
}

static void add(struct stream *s)
{
    static const char *const bytes[] = {
        "\"",           "\\",   "{",  "}",    ",",      ":",  "0",  "-",
        "\x01",         "\xff", " ",  "\xc3", "\t",     "e1", "\n", "\\u0000,",
        "\xef\xbb\xbf", "]",    "\r", ".5",   "\\u0041"};
    size_t at = pick(s->count);
    const char *line = s->lines[at], *bytes_added = PICK(bytes);
    size_t before = pick(strlen(line) + 1);
    size_t size = strlen(line) + strlen(bytes_added) + 1;
    char *longer = malloc(size);
    if (longer == NULL)
        fail("mutate");
    snprintf(longer, size, "%.*s%s%s", (int)before, line, bytes_added, line + before);
    s->lines[at] = longer;
}

static void cut(struct stream *s)
{
    size_t at = pick(s->count);
    char *line = s->lines[at];
    line[pick(strlen(line))] = '\0';
    s->count = at + 1;
}

/* --- members of a row --- */

struct member {
    size_t line;
    json_t *row;
    const char *name;
};

static struct member pick_member(struct stream *s)
{
    struct member m = {.line = pick(s->count)};
    m.row = json_loads(s->lines[m.line], 0, NULL);
    size_t skip = pick(json_object_size(m.row));
    void *at = json_object_iter(m.row);
    while (skip-- > 0)
        at = json_object_iter_next(m.row, at);
    m.name = json_object_iter_key(at);
    return m;
}

static void put_row(struct stream *s, size_t line, const json_t *row, size_t flags)
{
    char *text = json_dumps(row, flags);
    size_t n = strlen(text);
    char *ended = realloc(text, n + 2);
    if (ended == NULL)
        fail("mutate");
    memcpy(ended + n, "\n", 2);
    s->lines[line] = ended;
}

static void set_member(struct stream *s, const char *json)
{
    struct member m = pick_member(s);
    json_object_set_new(m.row, m.name, json_loads(json, JSON_DECODE_ANY, NULL));
    put_row(s, m.line, m.row, JSON_COMPACT);
}

static void retype(struct stream *s)
{
    static const char *const values[] = {"null",
                                         "true",
                                         "1.0",
                                         "0.5",
                                         "1",
                                         "\"1\"",
                                         "\"x\"",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "[{\"location_id\":1}]",
                                         "[{\"location_id\":\"1\"}]",
                                         "[{}]",
                                         "[1]",
                                         "null"};
    set_member(s, PICK(values));
}

static void exceed(struct stream *s)
{
    static const char *const values[] = {
        "0",
        "-1",
        "9007199254740991",
        "9007199254740992",
        "9223372036854775807",
        "-9223372036854775808",
    };
    set_member(s, PICK(values));
}

/* A number that no 64 bits hold: not through jansson, which has no such integers. */
static void exceed_all(struct stream *s)
{
    static const char *const values[] = {"9223372036854775808", "-9223372036854775809",
                                         "123456789012345678901234567890", "1e999", "-1e400"};
    char text[8192];
    struct member m = pick_member(s);
    json_object_set_new(m.row, m.name, json_string("@@"));
    put_row(s, m.line, m.row, JSON_COMPACT);
    char *line = s->lines[m.line], *at = strstr(line, "\"@@\"");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - line), line, PICK(values), at + 4);
    s->lines[m.line] = copy_of(text);
}

static int is_id(const char *name)
{
    size_t n = strlen(name);
    return (n > 3 && strcmp(name + n - 3, "_id") == 0) || strcmp(name, ".inlined_into") == 0;
}

/* Gives an id, where the row has one, another number. */
static void dangle(struct stream *s)
{
    struct member m = pick_member(s);
    for (int tries = 0; tries < 50 && !is_id(m.name); tries++)
        m = pick_member(s);
    json_object_set_new(m.row, m.name, json_integer((json_int_t)pick(12) + 1));
    put_row(s, m.line, m.row, JSON_COMPACT);
}

/* Gives a name, or another string, no letters. */
static void empty(struct stream *s)
{
    struct member m = pick_member(s);
    for (int tries = 0; tries < 50 && strstr(m.name, "name") == NULL; tries++)
        m = pick_member(s);
    json_object_set_new(m.row, m.name, json_string(""));
    put_row(s, m.line, m.row, JSON_COMPACT);
}

/* Gives a location of a sample another depth. */
static void sink(struct stream *s)
{
    struct member m = pick_member(s);
    for (int tries = 0; tries < 200 && strcmp(m.name, "depth") != 0; tries++)
        m = pick_member(s);
    json_object_set_new(m.row, m.name, json_integer((json_int_t)pick(5)));
    put_row(s, m.line, m.row, JSON_COMPACT);
}

/* Turns a stack of version 1.0 over. */
static void reverse(struct stream *s)
{
    for (int tries = 0; tries < 50; tries++) {
        size_t line = pick(s->count), i;
        json_t *row = json_loads(s->lines[line], 0, NULL), *item, *turned = json_array();
        const json_t *stack = json_object_get(row, "locations");
        if (json_array_size(stack) < 2)
            continue;
        json_array_foreach(stack, i, item) json_array_insert(turned, 0, item);
        json_object_set(row, "locations", turned);
        put_row(s, line, row, JSON_COMPACT);
        return;
    }
}

/* Gives a location in a stack of version 1.0 another number, or repeats it in front. */
static void restack(struct stream *s)
{
    for (int tries = 0; tries < 50; tries++) {
        size_t line = pick(s->count);
        json_t *row = json_loads(s->lines[line], 0, NULL);
        json_t *stack = json_object_get(row, "locations");
        if (json_array_size(stack) == 0)
            continue;
        json_t *item = json_array_get(stack, pick(json_array_size(stack)));
        if (pick(2) == 0)
            json_object_set_new(item, "location_id", json_integer((json_int_t)pick(12)));
        else
            json_array_insert(stack, 0, json_deep_copy(item));
        put_row(s, line, row, JSON_COMPACT);
        return;
    }
}

static void change_member(struct stream *s, const char *new_name, int keep)
{
    struct member m = pick_member(s);
    json_t *changed = json_object(), *value;
    const char *name;
    json_object_foreach(m.row, name, value)
    {
        if (strcmp(name, m.name) != 0 || keep)
            json_object_set(changed, name, value);
        if (strcmp(name, m.name) == 0 && new_name != NULL)
            json_object_set(changed, new_name, value);
    }
    put_row(s, m.line, changed, JSON_COMPACT);
}

static void remove_member(struct stream *s)
{
    change_member(s, NULL, 0);
}

static void rename_member(struct stream *s)
{
    static const char *const names[] = {"x", ".x", "line", "name", "sample_id", "Table", "value"};
    change_member(s, PICK(names), 0);
}

static void add_member(struct stream *s)
{
    static const char *const names[] = {
        "x", ".x", ".mapping_id", ".inlined_into", "source", "location_id", ""};
    change_member(s, PICK(names), 1);
}

static void last_member_first(struct stream *s)
{
    struct member m = pick_member(s);
    json_t *changed = json_object(), *value;
    const char *name;
    json_object_set(changed, m.name, json_object_get(m.row, m.name));
    json_object_foreach(m.row, name, value) json_object_set(changed, name, value);
    put_row(s, m.line, changed, pick(2) == 0 ? JSON_COMPACT : JSON_ENSURE_ASCII);
}

static void repeat_member(struct stream *s)
{
    char text[8192];
    struct member m = pick_member(s);
    char *value = json_dumps(json_object_get(m.row, m.name), JSON_ENCODE_ANY | JSON_COMPACT);
    char *line = s->lines[m.line];
    snprintf(text, sizeof text, "{\"%s\":%s,%s", m.name, value, line + 1);
    s->lines[m.line] = copy_of(text);
}

static void rename_table(struct stream *s)
{
    static const char *const names[] = {"\"samples\"",   "\"locations\"", "\"sample_values\"",
                                        "\"functions\"", "\"sources\"",   "\"sample_types\"",
                                        "\"sample\"",    "\".other\"",    "\"\"",
                                        "\"meta\"",      "\".end\"",      "\"sample_locations\"",
                                        "\".mappings\""};
    size_t line = pick(s->count);
    json_t *row = json_loads(s->lines[line], 0, NULL);
    json_object_set_new(row, "table", json_loads(PICK(names), JSON_DECODE_ANY, NULL));
    put_row(s, line, row, JSON_COMPACT);
}

static void change_version(struct stream *s)
{
    static const char *const versions[] = {"1.0", "2.0",  "1",   "2",   "1.",
                                           "1-3", "10.0", "3.0", "2.00"};
    for (int tries = 0; tries < 50; tries++) {
        size_t line = pick(s->count);
        json_t *row = json_loads(s->lines[line], 0, NULL);
        if (json_object_get(row, "key") == NULL)
            continue;
        json_object_set_new(row, "value", json_string(PICK(versions)));
        put_row(s, line, row, JSON_COMPACT);
        return;
    }
}

static const struct {
    const char *name;
    void (*mutate)(struct stream *s);
} mutations[] = {
    {"drop", drop},
    {"duplicate", duplicate},
    {"copy", copy},
    {"move", move},
    {"swap", swap},
    {"swap-neighbours", swap_neighbours},
    {"blank", blank},
    {"end-early", end_early},
    {"flip", flip},
    {"delete", delete},
    {"add", add},
    {"cut", cut},
    {"retype", retype},
    {"exceed", exceed},
    {"exceed-all", exceed_all},
    {"dangle", dangle},
    {"empty", empty},
    {"sink", sink},
    {"restack", restack},
    {"reverse", reverse},
    {"remove-member", remove_member},
    {"rename-member", rename_member},
    {"add-member", add_member},
    {"last-member-first", last_member_first},
    {"repeat-member", repeat_member},
    {"rename-table", rename_table},
    {"change-version", change_version},
};

static struct stream deep_copy(const struct stream *s)
{
    struct stream copy = *s;
    for (size_t i = 0; i < s->count; i++)
        copy.lines[i] = copy_of(s->lines[i]);
    return copy;
}

static void write_stream(const struct stream *s, const char *directory, int number)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", directory, number);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fail(path);
    for (size_t i = 0; i < s->count; i++)
        fputs(s->lines[i], file);
    if (fclose(file) != 0)
        fail(path);
}

/* Memory is left to the end of the program. */
int main(int argc, char **argv)
{
    struct stream valid[16];
    size_t valid_count = 0;
    if (argc < 5) {
        fprintf(stderr, "usage: mutate SEED COUNT DIRECTORY VALID...\n");
        return 2;
    }
    random_state = strtoull(argv[1], NULL, 10);
    for (int i = 4; i < argc && valid_count < 16; i++)
        valid[valid_count++] = read_stream(argv[i]);
    for (int number = 1; number <= atoi(argv[2]); number++) {
        const struct stream *from = &valid[pick(valid_count)];
        size_t kind = pick(sizeof mutations / sizeof *mutations);
        struct stream mutant = deep_copy(from);
        mutations[kind].mutate(&mutant);
        write_stream(&mutant, argv[3], number);
        printf("%d %s %s\n", number, from->name, mutations[kind].name);
    }
    return 0;
}
