/* The model as a JSON Schema (draft 2020-12) of one row: its columns, and the known dotted
 * columns with their members.  It cannot express rules across rows. */
#include "model/model.h"
#include "model/model_parts.h"
#include "rows/emit.h"
#include "rows/members.h"

/* Appends the name of OBJECT, for references within the schema. */
static void add_object_name(struct buf *to, unsigned object)
{
    buf_add(to, STR("object"));
    emit_number(to, object);
}

static void add_range(struct buf *to, const struct schema_kind *kind)
{
    buf_add(to, STR(",\"minimum\":"));
    emit_number(to, kind->min);
    buf_add(to, STR(",\"maximum\":"));
    emit_number(to, kind->max);
}

static void add_kind(struct buf *to, const struct schema_kind *kind)
{
    struct str name = kind->shape == SHAPE_INTEGER  ? STR("\"integer\"")
                      : kind->shape == SHAPE_STRING ? STR("\"string\"")
                                                    : STR("\"number\"");
    MODEL_PUT(to, STR("{\"type\":"), kind->nullable ? STR("[") : STR(""), name,
              kind->nullable ? STR(",\"null\"]") : STR(""));
    if (kind->shape == SHAPE_INTEGER)
        add_range(to, kind);
    if (kind->shape == SHAPE_STRING && kind->min > 0)
        buf_add(to, STR(",\"minLength\":1"));
    buf_add(to, STR("}"));
}

#define INT64 "\"minimum\":-9223372036854775808,\"maximum\":9223372036854775807"
#define HEX "\"type\":\"string\",\"pattern\":\"^([0-9a-fA-F]{2})*$\""

/* Appends the type of the member M. */
static void add_member_kind(struct buf *to, const struct schema_member *m)
{
    switch (m->kind) {
    case MEMBER_FLAG: buf_add(to, STR("{\"type\":\"boolean\"}")); break;
    case MEMBER_INTEGER: buf_add(to, STR("{\"type\":\"integer\"," INT64 "}")); break;
    case MEMBER_ORDINAL:
        buf_add(to, STR("{\"type\":\"integer\",\"minimum\":1,\"maximum\":9223372036854775807}"));
        break;
    case MEMBER_NUMBER: buf_add(to, STR("{\"type\":\"number\"}")); break;
    case MEMBER_ADDRESS:
        buf_add(to, STR("{\"type\":\"string\",\"pattern\":\"^0x[0-9a-fA-F]{1,16}$\"}"));
        break;
    case MEMBER_HEX: buf_add(to, STR("{" HEX "}")); break;
    case MEMBER_TEXT: buf_add(to, STR("{\"type\":\"string\"}")); break;
    case MEMBER_STRING: buf_add(to, STR("{\"$ref\":\"#/$defs/string\"}")); break;
    case MEMBER_STRINGS:
        buf_add(to, STR("{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/string\"}}"));
        break;
    case MEMBER_COLUMNS:
        buf_add(to, STR("{\"type\":\"object\",\"additionalProperties\":{" HEX "}}"));
        break;
    case MEMBER_OBJECT:
        buf_add(to, STR("{\"$ref\":\"#/$defs/"));
        add_object_name(to, m->inside);
        buf_add(to, STR("\"}"));
        break;
    case MEMBER_OBJECTS:
        buf_add(to, STR("{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/"));
        add_object_name(to, m->inside);
        buf_add(to, STR("\"}}"));
        break;
    case MEMBER_REF: add_kind(to, &schema_kinds[KIND_REF_NULL]); break;
    }
}

static void add_property(struct buf *to, bool is_first, struct str name)
{
    MODEL_PUT(to, is_first ? STR("\"") : STR(",\""), name, STR("\":"));
}

/* Appends the members of OBJECT as properties; IS_FIRST: there are none before them. */
static void add_members(struct buf *to, enum object object, bool is_first)
{
    for (unsigned id = 0; id < MEMBER_ID_COUNT; id++) {
        const struct schema_member *m = members_known((enum member_id)id);
        bool is_own = object == OBJECT_MAPPING && id == MEMBER_ID_OF_MAPPING;
        if ((m->in & UINT64_C(1) << object) == 0 || is_own)
            continue;
        add_property(to, is_first, m->name);
        add_member_kind(to, m);
        is_first = false;
    }
}

static void add_names(struct buf *to, const enum member_id *ids, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        MODEL_PUT(to, i > 0 ? STR(",\"") : STR("\""), members_known(ids[i])->name, STR("\""));
}

/* Appends the members that OBJECT requires. */
static void add_needs(struct buf *to, enum object object)
{
    const struct schema_needs *needs = &schema_needs[object];
    if (needs->all_count > 0) {
        buf_add(to, STR(",\"required\":["));
        add_names(to, needs->all, needs->all_count);
        buf_add(to, STR("]"));
    }
    for (unsigned i = 0; i < needs->any_count; i++)
        MODEL_PUT(to, i == 0 ? STR(",\"anyOf\":[") : STR(","), STR("{\"required\":[\""),
                  members_known(needs->any[i])->name, STR("\"]}"),
                  i + 1 == needs->any_count ? STR("]") : STR(""));
}

/* Appends a row of TABLE: its columns and dotted columns; a row of a dotted table may have any
 * members. */
static void add_table(struct buf *to, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    MODEL_PUT(to, STR("\""), t->name, STR("\":{\"required\":[\"table\""));
    for (unsigned i = 0; i < t->column_count; i++)
        MODEL_PUT(to, STR(",\""), t->columns[i].name, STR("\""));
    buf_add(to, STR("],\"properties\":{\"table\":true"));
    for (unsigned i = 0; i < t->column_count; i++) {
        add_property(to, false, t->columns[i].name);
        add_kind(to, &schema_kinds[t->columns[i].kind]);
    }
    add_members(to, members_object(table), false);
    buf_add(to, STR("}"));
    if (t->name.p[0] != '.')
        buf_add(to, STR(",\"patternProperties\":{\"^[.]\":true},\"additionalProperties\":false"));
    if (table == TABLE_META)
        buf_add(to, STR(",\"allOf\":[{\"properties\":{\"key\":{\"const\":\"version\"},"
                        "\"value\":{\"const\":\"2.0\"}}}]"));
    buf_add(to, STR("},\n"));
}

static void add_definitions(struct buf *to)
{
    buf_add(to,
            STR("\"$defs\":{\n\"string\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\","
                "\"properties\":{\"bytes\":{" HEX "}},\"required\":[\"bytes\"],"
                "\"additionalProperties\":false}]},\n"));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        add_table(to, model_tables[i]);
    for (unsigned object = 0; object < OBJECT_COUNT; object++) {
        buf_add(to, object > 0 ? STR(",\n\"") : STR("\""));
        add_object_name(to, object);
        buf_add(to, STR("\":{\"type\":\"object\",\"properties\":{"));
        add_members(to, (enum object)object, true);
        buf_add(to, STR("}"));
        add_needs(to, (enum object)object);
        buf_add(to, STR("}"));
    }
    buf_add(to, STR("}\n"));
}

/* Appends the rule that a row of the table NAME is described by REFERENCE. */
static void add_rule(struct buf *to, bool is_first, struct str name, struct str reference)
{
    MODEL_PUT(to, is_first ? STR("") : STR(",\n"),
              STR("{\"if\":{\"properties\":{\"table\":{\"const\":\""), name,
              STR("\"}}},\"then\":{\"$ref\":\"#/$defs/"), reference, STR("\"}}"));
}

void model_add_jsonschema(struct buf *to)
{
    buf_add(to,
            STR("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                "\"title\":\"a row of profstream(5), version 2.0\",\n\"type\":\"object\",\n"
                "\"required\":[\"table\"],\n\"properties\":{\"table\":{\"anyOf\":[{\"enum\":["));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        MODEL_PUT(to, i > 0 ? STR(",\"") : STR("\""), schema_tables[model_tables[i]].name,
                  STR("\""));
    buf_add(to, STR("]},{\"type\":\"string\",\"pattern\":\"^[.]\"}]}},\n\"allOf\":[\n"));
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++) {
        struct str name = schema_tables[model_tables[i]].name;
        add_rule(to, i == 0, name, name);
    }
    for (size_t i = 0; i < SCHEMA_DOTTED_COUNT; i++) {
        struct buf number = {0};
        add_object_name(&number, schema_dotted[i].object);
        add_rule(to, false, schema_dotted[i].name, buf_str(&number));
        buf_free(&number);
    }
    MODEL_PUT(to, STR(",\n{\"if\":{\"properties\":{\"table\":{\"pattern\":\"^[.]\"}}},"
                      "\"then\":{\"$ref\":\"#/$defs/"));
    add_object_name(to, OBJECT_DOTTED);
    buf_add(to, STR("\"}}],\n"));
    add_definitions(to);
    buf_add(to, STR("}\n"));
}
