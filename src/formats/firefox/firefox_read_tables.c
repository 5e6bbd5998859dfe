/* The tables of a file of the Firefox Profiler, and what is skipped of it. */
#include "base/mem.h"
#include "formats/firefox/firefox_read.h"
#include "rows/loss.h"

static void add_value(struct firefox_column *c, int64_t value)
{
    c->values = mem_array(c->values, &c->capacity, c->count + 1, sizeof *c->values);
    c->values[c->count++] = value;
}

/* The current token, an address of 64 bits; FIREFOX_NONE for null and -1. That of 2^63, which
 * FIREFOX_NONE stands for, is refused. */
static int64_t address_of(struct firefox_reader *r)
{
    int64_t small;
    uint64_t address = 0;
    struct str text = r->json.token == TOKEN_NUMBER ? r->json.text : STR("?");
    if (r->json.token == TOKEN_NULL)
        return FIREFOX_NONE;
    if (tokens_is_integer(&r->json, &small) && small >= -1)
        return small == -1 ? FIREFOX_NONE : small;
    for (size_t i = 0; i < text.n; i++)
        if (!str_is_digit(text.p[i]) || __builtin_mul_overflow(address, 10, &address) ||
            __builtin_add_overflow(address, (uint64_t)(text.p[i] - '0'), &address))
            tokens_unexpected(&r->json, "an address, -1 or null");
    if ((int64_t)address == FIREFOX_NONE)
        tokens_unexpected(&r->json, "an address other than 2^63");
    return (int64_t)address;
}

/* The current token as a value of a column. */
static int64_t value_of(struct firefox_reader *r)
{
    int64_t value;
    if (r->json.token == TOKEN_NULL)
        return FIREFOX_NONE;
    if (r->json.token == TOKEN_TRUE || r->json.token == TOKEN_FALSE)
        return r->json.token == TOKEN_TRUE;
    if (!tokens_is_integer(&r->json, &value) || value == FIREFOX_NONE)
        tokens_unexpected(&r->json, "an integer or null");
    return value;
}

static void read_column(struct firefox_reader *r, struct firefox_column *c,
                        int64_t (*value)(struct firefox_reader *r))
{
    uint32_t numbers[FIREFOX_BATCH];
    size_t count;
    c->where = r->json.where;
    if (r->json.token == TOKEN_NULL) /* as vernier writes columns that it has not */
        return;
    tokens_list(&r->json, "a list");
    for (;;) {
        while ((count = tokens_take_indexes(&r->json, UINT32_MAX, numbers, FIREFOX_BATCH)) > 0) {
            c->values = mem_array(c->values, &c->capacity, c->count + count, sizeof *c->values);
            for (size_t i = 0; i < count; i++)
                c->values[c->count++] = numbers[i];
        }
        if (tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        add_value(c, value(r));
    }
}

/* Whether the current token says nothing: what stands where there is nothing to say. */
static bool is_void(const struct firefox_reader *r)
{
    const struct str text = r->json.text;
    switch (r->json.token) {
    case TOKEN_NULL:
    case TOKEN_FALSE: return true;
    case TOKEN_STRING: return text.n == 0 || str_equal(text, STR("default"));
    case TOKEN_NUMBER:
        return str_equal(text, STR("0")) || str_equal(text, STR("-1")) || str_equal(text, STR("1"));
    default: return false;
    }
}

uint64_t firefox_skip(struct firefox_reader *r)
{
    size_t depth = 0;
    uint64_t count = 0;
    do {
        switch (r->json.token) {
        case TOKEN_OBJECT:
        case TOKEN_ARRAY: depth++; break;
        case TOKEN_OBJECT_END:
        case TOKEN_ARRAY_END: depth--; break;
        case TOKEN_NAME: break;
        default: count += !is_void(r);
        }
    } while (depth > 0 && tokens_next(&r->json) != TOKEN_END);
    return count;
}

void firefox_drop(struct firefox_reader *r, const char *name)
{
    uint64_t count = firefox_skip(r);
    if (count > 0)
        loss_add(LOSS_OWN, str_of(name), count);
}

/* Columns of which no rows are made. */
enum {
    DROPPED = FIREFOX_COLUMNS, /* rows have no place for it: what it says is counted */
    LENGTH,
};

/* A member of a table: its column. */
struct member_of {
    const char *name;
    int column;
};

/* Reads the table NAME, whose COUNT MEMBERS are known, into T. */
static void read_table(struct firefox_reader *r, struct firefox_tables *t, const char *name,
                       const struct member_of *members, unsigned count)
{
    const char *names[16];
    unsigned seen = 0, member;
    for (unsigned i = 0; i < count; i++)
        names[i] = members[i].name;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a table, an object of lists");
    while (tokens_next_member(&r->json, names, count, &seen, &member))
        if (members[member].column == LENGTH)
            tokens_skip(&r->json);
        else if (members[member].column == DROPPED)
            firefox_drop(r, name);
        else
            read_column(r, &t->columns[members[member].column],
                        members[member].column == FIREFOX_FRAME_ADDRESS ? address_of : value_of);
}

static void read_strings(struct firefox_reader *r, struct firefox_tables *t)
{
    tokens_list(&r->json, "a list of strings");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        if (r->json.token != TOKEN_STRING)
            tokens_unexpected(&r->json, "a string");
        t->strings =
            mem_array(t->strings, &t->string_capacity, t->string_count + 1, sizeof *t->strings);
        t->strings[t->string_count++] = firefox_read_text(r, "a string");
    }
}

void firefox_read_tables(struct firefox_reader *r, struct firefox_tables *t, unsigned member)
{
#define TABLE(name, ...)                                                                           \
    do {                                                                                           \
        static const struct member_of members[] = {__VA_ARGS__, {"length", LENGTH}};               \
        read_table(r, t, name, members, sizeof members / sizeof *members);                         \
    } while (0)
    t->where = r->json.where;
    switch (member) {
    case FIREFOX_TABLE_STRINGS: read_strings(r, t); break;
    case FIREFOX_TABLE_STACKS:
        TABLE("stackTable", {"frame", FIREFOX_STACK_FRAME}, {"prefix", FIREFOX_STACK_PREFIX},
              {"prefixOffset", FIREFOX_STACK_OFFSET}, {"category", DROPPED},
              {"subcategory", DROPPED});
        break;
    case FIREFOX_TABLE_FRAMES:
        TABLE("frameTable", {"address", FIREFOX_FRAME_ADDRESS}, {"lib", FIREFOX_FRAME_LIB},
              {"inlineDepth", FIREFOX_FRAME_DEPTH}, {"category", FIREFOX_FRAME_CATEGORY},
              {"subcategory", FIREFOX_FRAME_PART}, {"func", FIREFOX_FRAME_FUNC},
              {"line", FIREFOX_FRAME_LINE}, {"column", FIREFOX_FRAME_COLUMN},
              {"nativeSymbol", DROPPED}, {"innerWindowID", DROPPED}, {"implementation", DROPPED},
              {"originalLocation", DROPPED});
        break;
    case FIREFOX_TABLE_FUNCS:
        TABLE("funcTable", {"name", FIREFOX_FUNC_NAME}, {"isJS", FIREFOX_FUNC_JS},
              {"resource", FIREFOX_FUNC_RESOURCE}, {"source", FIREFOX_FUNC_SOURCE},
              {"fileName", FIREFOX_FUNC_FILE}, {"lineNumber", FIREFOX_FUNC_LINE},
              {"columnNumber", FIREFOX_FUNC_COLUMN}, {"relevantForJS", DROPPED},
              {"originalLocation", DROPPED});
        break;
    case FIREFOX_TABLE_RESOURCES:
        TABLE("resourceTable", {"lib", FIREFOX_RESOURCE_LIB}, {"name", LENGTH}, {"host", DROPPED},
              {"type", LENGTH});
        break;
    case FIREFOX_TABLE_SYMBOLS:
        TABLE("nativeSymbols", {"name", DROPPED}, {"address", LENGTH}, {"libIndex", LENGTH},
              {"functionSize", DROPPED});
        break;
    case FIREFOX_TABLE_SOURCES:
        TABLE("sources", {"filename", FIREFOX_SOURCE_FILE}, {"id", DROPPED}, {"uuid", DROPPED},
              {"startLine", DROPPED}, {"startColumn", DROPPED}, {"sourceMapURL", DROPPED},
              {"content", DROPPED});
        break;
    default:
        TABLE("sourceLocationTable", {"source", LENGTH}, {"line", DROPPED}, {"column", LENGTH});
    }
#undef TABLE
}

size_t firefox_add_tables(struct firefox_reader *r)
{
    r->tables = mem_array(r->tables, &r->table_capacity, r->table_count + 1, sizeof *r->tables);
    r->tables[r->table_count] = (struct firefox_tables){0};
    firefox_hold(r, sizeof *r->tables);
    return r->table_count++;
}
