#include "rows/members.h"

#include "rows/text.h"

#include <stdio.h>

static const struct schema_member list[MEMBER_ID_COUNT] = {
#define MEMBER(constant, name, kind, in, inside)                                                   \
    [MEMBER_ID_##constant] = {STR(name), MEMBER_##kind, in, inside},
    MEMBERS(MEMBER)
#undef MEMBER
};

const struct schema_member *members_known(enum member_id id)
{
    return &list[id];
}

/* --- the members of each object --- */

enum object members_object(enum table table)
{
    static const enum object objects[TABLE_COUNT] = {
        [TABLE_META] = OBJECT_META,           [TABLE_SOURCES] = OBJECT_SOURCE,
        [TABLE_SAMPLE_TYPES] = OBJECT_SOURCE, [TABLE_FUNCTIONS] = OBJECT_FUNCTION,
        [TABLE_LOCATIONS] = OBJECT_LOCATION,  [TABLE_SAMPLES] = OBJECT_SAMPLE,
        [TABLE_STREAKS] = OBJECT_SAMPLE,      [TABLE_MAPPINGS] = OBJECT_MAPPING,
        [TABLE_SAMPLE_VALUES] = OBJECT_ROW,   [TABLE_SAMPLE_LOCATIONS] = OBJECT_ROW,
    };
    return table < TABLE_COUNT ? objects[table] : OBJECT_DOTTED;
}

static enum object object_of(const struct row *row)
{
    if (row->table < TABLE_COUNT)
        return members_object(row->table);
    for (size_t i = 0; i < SCHEMA_DOTTED_COUNT; i++)
        if (str_equal(row->dotted.name, schema_dotted[i].name))
            return schema_dotted[i].object;
    return OBJECT_DOTTED;
}

static enum member_id find(enum object object, struct str name)
{
    for (unsigned id = 0; id < MEMBER_ID_COUNT; id++)
        if ((list[id].in & UINT64_C(1) << object) != 0 && str_equal(list[id].name, name))
            return (enum member_id)id;
    return MEMBER_ID_OTHER;
}

/* --- values of members --- */

static const char *const expected[] = {
    [MEMBER_FLAG] = "true or false",
    [MEMBER_INTEGER] = "an integer of 64 bits",
    [MEMBER_ORDINAL] = "an integer from 1",
    [MEMBER_NUMBER] = "a number",
    [MEMBER_ADDRESS] = "a string of 0x and up to 16 hexadecimal digits",
    [MEMBER_HEX] = "pairs of hexadecimal digits in a string",
    [MEMBER_TEXT] = "a string",
    [MEMBER_STRING] = "a string, or {\"bytes\":\"HEX\"}",
    [MEMBER_STRINGS] = "a list of strings",
    [MEMBER_COLUMNS] = "an object of strings of hexadecimal digits",
    [MEMBER_OBJECT] = "an object",
    [MEMBER_OBJECTS] = "a list of objects",
    [MEMBER_REF] = "an id or null",
};

static bool is_hex(struct str value, struct str *text)
{
    if (!text_is_string(value, text) || text->n % 2 != 0)
        return false;
    for (size_t i = 0; i < text->n; i++)
        if (text_hex_value(text->p[i]) > 15)
            return false;
    return true;
}

static bool is_address(struct str value, uint64_t *address)
{
    struct str text;
    if (!text_is_string(value, &text) || text.n < 3 || text.n > 18 || !str_take(&text, STR("0x")))
        return false;
    *address = 0;
    for (size_t i = 0; i < text.n; i++) {
        unsigned digit = text_hex_value(text.p[i]);
        if (digit > 15)
            return false;
        *address = *address << 4 | digit;
    }
    return true;
}

static bool is_object(struct str value)
{
    return value.n > 0 && *value.p == '{';
}

/* Text, or an object whose one member is its bytes. */
static bool is_string(struct str value)
{
    struct str text, rest, name, bytes;
    if (text_is_string(value, &text))
        return true;
    if (!is_object(value))
        return false;
    rest = text_inside(value);
    return text_next_member(&rest, &name, &bytes) && str_equal(name, STR("bytes")) &&
           is_hex(bytes, &text) && !text_next_member(&rest, &name, &bytes);
}

static bool is_list(struct str value, bool (*is_item)(struct str item))
{
    struct str rest = text_inside(value), item;
    if (value.n == 0 || *value.p != '[')
        return false;
    while (text_next_item(&rest, &item))
        if (!is_item(item))
            return false;
    return true;
}

static bool is_columns(struct str value)
{
    struct str rest = text_inside(value), name, bytes, text;
    if (!is_object(value))
        return false;
    while (text_next_member(&rest, &name, &bytes))
        if (!is_hex(bytes, &text))
            return false;
    return true;
}

/* Reads VALUE as a member of KIND; if it is not one, says which rule it breaks. */
static bool read_value(enum member_kind kind, struct str value, struct member *m, enum rule *rule)
{
    m->kind = kind;
    *rule = RULE_TYPE;
    switch (kind) {
    case MEMBER_FLAG:
        m->flag = str_equal(value, STR("true"));
        return m->flag || str_equal(value, STR("false"));
    case MEMBER_INTEGER: return text_is_integer(value, &m->integer);
    case MEMBER_REF:
        m->integer = ROW_NULL;
        if (str_equal(value, STR("null")))
            return true; /* fall through */
    case MEMBER_ORDINAL:
        if (!text_is_integer(value, &m->integer))
            return false;
        *rule = RULE_RANGE;
        return m->integer >= 1 && (kind != MEMBER_REF || m->integer <= SCHEMA_ID_MAX);
    case MEMBER_NUMBER: return value.n > 0 && (*value.p == '-' || str_is_digit(*value.p));
    case MEMBER_ADDRESS: return is_address(value, &m->address);
    case MEMBER_HEX: return is_hex(value, &m->text);
    case MEMBER_TEXT: return text_is_string(value, &m->text);
    case MEMBER_STRING: return is_string(value);
    case MEMBER_STRINGS: return is_list(value, is_string);
    case MEMBER_COLUMNS: return is_columns(value);
    case MEMBER_OBJECT: return is_object(value);
    case MEMBER_OBJECTS: return is_list(value, is_object);
    }
    return false;
}

/* --- the walk --- */

static struct row_site site_of(const struct row *row)
{
    return row_has_site(row) ? row->site : (struct row_site){0};
}

struct members members_of(const struct row *row, struct place where, struct findings *findings)
{
    return (struct members){
        .site = site_of(row),
        .rest = row->extra,
        .object = object_of(row),
        .findings = findings,
        .where = where,
        .table = row_table_name(row),
    };
}

struct members members_references(const struct row *row, struct place where,
                                  struct findings *findings)
{
    struct members walk = members_of(row, where, findings);
    walk.references = true;
    return walk;
}

struct members members_inside(const struct members *walk, const struct member *member,
                              struct str value)
{
    struct members inside = *walk;
    inside.site = (struct row_site){0};
    inside.rest = text_inside(value);
    inside.object = (enum object)list[member->id].inside;
    inside.column = member->name;
    inside.seen = 0;
    return inside;
}

/* The column to name in a message about the member NAME: that of the object, a dot and NAME. */
static struct str column_of(const struct members *walk, struct str name, char *to, size_t size)
{
    if (walk->column.n == 0)
        return name;
    int n = snprintf(to, size, "%.*s.%.*s", STR_ARG(walk->column), STR_ARG(name));
    return (struct str){to, (size_t)n < size ? (size_t)n : size - 1};
}

static void found_missing(const struct members *walk, enum member_id id)
{
    char column[128];
    finding_add(walk->findings, walk->where, RULE_COLUMN, walk->table,
                column_of(walk, list[id].name, column, sizeof column), "the member is missing");
}

/* Notes that ID was seen, if the object requires it. */
static void note_needed(struct members *walk, enum member_id id)
{
    const struct schema_needs *needs = &schema_needs[walk->object];
    for (unsigned i = 0; i < needs->all_count; i++)
        if (needs->all[i] == id)
            walk->seen |= 1u << i;
    for (unsigned i = 0; i < needs->any_count; i++)
        if (needs->any[i] == id)
            walk->seen |= 1u << needs->all_count;
}

static void check_needed(const struct members *walk)
{
    const struct schema_needs *needs = &schema_needs[walk->object];
    for (unsigned i = 0; i < needs->all_count; i++)
        if ((walk->seen & 1u << i) == 0)
            found_missing(walk, needs->all[i]);
    if (needs->any_count > 0 && (walk->seen & 1u << needs->all_count) == 0) {
        char column[128];
        finding_add(walk->findings, walk->where, RULE_COLUMN, walk->table,
                    column_of(walk, list[needs->any[0]].name, column, sizeof column),
                    "the member is missing, and so is \"%.*s\"", STR_ARG(list[needs->any[1]].name));
    }
}

/* Takes the next member of the site. */
static bool next_of_site(struct row_site *s, struct member *m)
{
    if (s->mapping_id != 0) {
        m->id = MEMBER_ID_MAPPING;
        m->integer = s->mapping_id;
        s->mapping_id = 0;
    } else if (s->address != 0) {
        m->id = MEMBER_ID_ADDRESS;
        m->address = s->address;
        s->address = 0;
    } else if (s->column != 0) {
        m->id = MEMBER_ID_COLUMN;
        m->integer = s->column;
        s->column = 0;
    } else if (s->is_folded) {
        m->id = MEMBER_ID_IS_FOLDED;
        m->flag = true;
        s->is_folded = false;
    } else if (s->inlined_into != 0) {
        m->id = MEMBER_ID_INLINED_INTO;
        m->integer = s->inlined_into;
        s->inlined_into = 0;
    } else {
        return false;
    }
    m->name = list[m->id].name;
    m->value = (struct str){NULL, 0};
    m->kind = list[m->id].kind;
    m->refers = (enum table)list[m->id].inside;
    return true;
}

bool members_next(struct members *walk, struct member *m)
{
    if (next_of_site(&walk->site, m)) {
        if (walk->references && m->kind != MEMBER_REF)
            m->id = MEMBER_ID_OTHER;
        return true;
    }
    while (text_next_member(&walk->rest, &m->name, &m->value)) {
        enum rule rule;
        m->id = find(walk->object, m->name);
        if (walk->references && m->id != MEMBER_ID_OTHER && list[m->id].kind != MEMBER_REF)
            m->id = MEMBER_ID_OTHER;
        if (m->id == MEMBER_ID_OTHER)
            return true;
        note_needed(walk, m->id);
        m->refers = (enum table)list[m->id].inside;
        if (read_value(list[m->id].kind, m->value, m, &rule))
            return true;
        char column[128];
        struct str shown = m->value;
        finding_add(walk->findings, walk->where, rule, walk->table,
                    column_of(walk, m->name, column, sizeof column), "expected %s, found %.*s%s",
                    expected[list[m->id].kind], shown.n > 60 ? 60 : (int)shown.n, shown.p,
                    shown.n > 60 ? "..." : "");
    }
    if (!walk->references)
        check_needed(walk);
    return false;
}

void members_check(struct members *walk)
{
    struct member m;
    while (members_next(walk, &m))
        members_check_inside(walk, &m);
}

void members_check_inside(const struct members *walk, const struct member *member)
{
    if (member->id == MEMBER_ID_OTHER)
        return;
    if (member->kind == MEMBER_OBJECT) {
        struct members inside = members_inside(walk, member, member->value);
        members_check(&inside);
    } else if (member->kind == MEMBER_OBJECTS) {
        struct str rest = text_inside(member->value), item;
        while (text_next_item(&rest, &item)) {
            struct members inside = members_inside(walk, member, item);
            members_check(&inside);
        }
    }
}

/* --- one member --- */

bool members_get(const struct row *row, enum member_id id, struct member *member)
{
    struct row_site site = site_of(row);
    struct str rest = row->extra;
    enum rule ignored;
    if ((list[id].in & UINT64_C(1) << object_of(row)) == 0)
        return false;
    while (next_of_site(&site, member))
        if (member->id == id)
            return true;
    member->id = id;
    while (text_next_member(&rest, &member->name, &member->value))
        if (str_equal(member->name, list[id].name))
            return read_value(list[id].kind, member->value, member, &ignored);
    return false;
}

/* The members with a role. */
static const struct {
    enum member_role role;
    enum member_id id;
} roles[] = {
#define ROLE(role, constant) {ROLE_##role, MEMBER_ID_##constant},
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, ROLE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef ROLE
};

bool members_has_role(enum member_id id, enum member_role role)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (roles[i].id == id && roles[i].role == role)
            return true;
    return false;
}

bool members_get_role(const struct row *row, enum member_role role, struct member *member)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (roles[i].role == role && members_get(row, roles[i].id, member))
            return true;
    return false;
}

bool members_is_string(const struct row *row, struct str name)
{
    const struct schema_table *t = row->table < TABLE_COUNT ? &schema_tables[row->table] : NULL;
    struct member m;
    for (unsigned i = 0; t != NULL && i < t->column_count; i++)
        if (str_equal(t->columns[i].name, name))
            return schema_kinds[t->columns[i].kind].shape == SHAPE_STRING;
    enum member_id id = find(object_of(row), name);
    return id != MEMBER_ID_OTHER && list[id].kind == MEMBER_TEXT && members_get(row, id, &m);
}

bool members_flag(const struct row *row, enum member_id id)
{
    struct member m;
    return members_get(row, id, &m) && m.flag;
}
