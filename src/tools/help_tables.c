/* What programs need to read tables: the columns, and schemas of tables in JSON. */
#include "info/describe.h"
#include "table/columns.h"
#include "tools/help.h"

#include <stdio.h>

void help_print_columns(const struct tool *tool)
{
    (void)tool;
    for (unsigned id = 0; id < COLUMN_IDS; id++) {
        const struct columns_entry *c = &columns_known[id];
        const struct str type = columns_type_name(c->type);
        printf("%.*s\t%.*s\t%.*s\t%.*s\n", STR_ARG(c->name), STR_ARG(type), STR_ARG(c->unit),
               STR_ARG(c->meaning));
    }
}

/* The schema of a cell of TYPE; any may be missing. */
static const char *schema_of(enum column_type type)
{
    static const char *const schemas[] = {
        [COLUMN_TYPE_TEXT] = "{\"type\":[\"string\",\"null\"]}",
        [COLUMN_TYPE_INTEGER] = "{\"type\":[\"integer\",\"null\"]}",
        [COLUMN_TYPE_NUMBER] = "{\"type\":[\"number\",\"null\"]}",
        [COLUMN_TYPE_PERCENT] = "{\"type\":[\"number\",\"null\"]}",
        [COLUMN_TYPE_FLAG] = "{\"type\":[\"boolean\",\"null\"]}",
        [COLUMN_TYPE_LIST] = "{\"$ref\":\"#/$defs/stack\"}",
        [COLUMN_TYPE_TIME] = "{\"type\":[\"integer\",\"null\"]}",
        [COLUMN_TYPE_ANY] = "true",
    };
    return schemas[type];
}

/* Prints the member "properties" or "patternProperties" of a schema of rows, but for its end. */
static void print_properties(bool are_families)
{
    const char *comma = "";
    printf("\"%s\":{", are_families ? "patternProperties" : "properties");
    for (unsigned id = 0; id < COLUMN_IDS; id++) {
        const struct columns_entry *c = &columns_known[id];
        if ((c->kind == COLUMNS_FAMILY) != are_families ||
            id == COLUMN_NUMBERS) /* shares a prefix with LABELS */
            continue;
        const struct str name = are_families ? columns_prefix((enum column_id)id) : c->name;
        printf("%s\n\"", comma);
        if (are_families)
            putchar('^');
        for (size_t i = 0; i < name.n; i++)
            printf(name.p[i] == '.' ? "\\\\." : "%c", name.p[i]);
        printf("\":%s", schema_of(c->type));
        comma = ",";
    }
}

/* Prints what stands before the schema TITLE itself. With IS_NESTED a row may hold rows. */
static void print_head(const char *title, bool is_nested)
{
    printf(
        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
        "\"title\":\"%s\",\n"
        "\"$defs\":{\n"
        "\"stack\":{\"type\":[\"array\",\"null\"],\"items\":{\"type\":[\"string\",\"object\"],\n"
        "\"properties\":{\"function\":{\"type\":[\"string\",\"null\"]},"
        "\"file\":{\"type\":[\"string\",\"null\"]},\"line\":{\"type\":[\"integer\",\"null\"]}},\n"
        "\"required\":[\"function\",\"file\",\"line\"],\"additionalProperties\":false}},\n"
        "\"column\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
        "\"type\":{\"enum\":[",
        title);
    for (unsigned type = 0; type < COLUMN_TYPES; type++) {
        const struct str name = columns_type_name((enum column_type)type);
        printf("%s\"%.*s\"", type > 0 ? "," : "", STR_ARG(name));
    }
    printf("]},\"unit\":{\"type\":\"string\"}},\n"
           "\"required\":[\"name\",\"type\"],\"additionalProperties\":false},\n"
           "\"row\":{\"type\":\"object\",\n");
    print_properties(false);
    if (is_nested)
        printf(",\n\"rows\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/row\"}}");
    printf("},\n");
    print_properties(true);
    printf("},\n\"additionalProperties\":false}},\n");
}

void help_print_table_schema(const struct tool *tool)
{
    (void)tool;
    print_head("A table of profpipe, with --format=json", true);
    printf("\"type\":\"object\",\n"
           "\"properties\":{\"version\":{\"const\":%d},\n"
           "\"columns\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/column\"}},\n"
           "\"rows\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/row\"}}",
           COLUMNS_VERSION);
    for (unsigned id = 0; id < COLUMN_IDS; id++)
        if (columns_known[id].kind == COLUMNS_FACT)
            printf(",\n\"%.*s\":%s", STR_ARG(columns_known[id].name),
                   schema_of(columns_known[id].type));
    printf("},\n"
           "\"required\":[\"version\",\"columns\",\"rows\"],\"additionalProperties\":false}\n");
}

void help_print_row_schema(const struct tool *tool)
{
    (void)tool;
    print_head("A row of a table of profpipe, with --format=ndjson", false);
    printf("\"$ref\":\"#/$defs/row\"}\n");
}

/* Prints the schema of a row of LIST. */
static void print_description(enum describe_list list)
{
    const char *comma = "";
    const enum column_id *ids = describe_columns[list].ids;
    printf("{\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; ids[i] != COLUMN_NONE; i++) {
        const struct columns_entry *c = &columns_known[ids[i]];
        printf("%s\n\"%.*s\":%s", comma, STR_ARG(c->name),
               ids[i] == COLUMN_FREQUENT ? "{\"$ref\":\"#/$defs/frequent\"}"
               : c->type == COLUMN_TYPE_LIST
                   ? "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
                   : schema_of(c->type));
        comma = ",";
    }
    printf("},\n\"required\":[");
    for (size_t i = 0; ids[i] != COLUMN_NONE; i++)
        printf("%s\"%.*s\"", i > 0 ? "," : "", STR_ARG(columns_known[ids[i]].name));
    printf("],\"additionalProperties\":false}");
}

void help_print_description_schema(const struct tool *tool)
{
    (void)tool;
    printf("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
           "\"title\":\"What profinfo says, with --format=json\",\n"
           "\"$defs\":{\n"
           "\"frequent\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
           "\"value\":{\"type\":[\"string\",\"integer\"]},\"samples\":{\"type\":\"integer\"}},\n"
           "\"required\":[\"value\",\"samples\"],\"additionalProperties\":false}},\n"
           "\"description\":{\"type\":\"object\",\"properties\":{");
    for (enum describe_list list = 0; list < DESCRIBE_LISTS; list++) {
        printf("%s\n\"%.*s\":%s", list > 0 ? "," : "", STR_ARG(describe_columns[list].name),
               list == DESCRIBE_INPUT ? "" : "{\"type\":\"array\",\"items\":");
        print_description(list);
        printf(list == DESCRIBE_INPUT ? "" : "}");
    }
    printf("},\n\"required\":[");
    for (enum describe_list list = 0; list < DESCRIBE_LISTS; list++)
        printf("%s\"%.*s\"", list > 0 ? "," : "", STR_ARG(describe_columns[list].name));
    printf("],\"additionalProperties\":false}},\n"
           "\"type\":\"object\",\n"
           "\"properties\":{\"version\":{\"const\":%d},\n"
           "\"files\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/description\"}}},\n"
           "\"required\":[\"version\",\"files\"],\"additionalProperties\":false}\n",
           COLUMNS_VERSION);
}

void help_print_answer_schema(const struct tool *tool)
{
    (void)tool;
    printf("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
           "\"title\":\"An answer of profsql, with --format=json\",\n"
           "\"type\":\"object\",\n"
           "\"properties\":{\"version\":{\"const\":%d},\n"
           "\"columns\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
           "\"name\":{\"type\":\"string\"},\"type\":{\"const\":\"any\"}},\n"
           "\"required\":[\"name\",\"type\"],\"additionalProperties\":false}},\n"
           "\"rows\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":{"
           "\"type\":[\"string\",\"number\",\"null\"]}}}},\n"
           "\"required\":[\"version\",\"columns\",\"rows\"],\"additionalProperties\":false}\n",
           COLUMNS_VERSION);
}
