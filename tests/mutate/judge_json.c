/* judge_json.c - what jansson says of streams of rows, and the rows that it reads for other judges.
 *
 *   judge_json SQL ROWS FILE...
 *
 * The files are called by numbers.  On standard output stands `FILE json` for each that has a line
 * that is not one JSON object without members that come twice, and `FILE range` for one with a
 * number that has no place in 64 bits.  SQL gets the rows of each profile as INSERTs for the tables
 * of `profmodel --format=sql --checks` and schema.sql, each line with the number of its file in a
 * comment behind it; ROWS gets each file as one JSON object for judge_order.jq, in which null stands
 * for a line that is no row. */
#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    const char *name; /* the number of the file */
    FILE *sql;
    json_t *rows;
    int version;        /* of the profile; 0 where it does not say, and nothing is judged */
    int open, has_meta; /* a profile, and its version row */
};

/* --- rows as SQL --- */

static void write_text(FILE *sql, const char *text, size_t n)
{
    fputs("CAST(X'", sql);
    for (size_t i = 0; i < n; i++)
        fprintf(sql, "%02X", (unsigned char)text[i]);
    fputs("' AS TEXT)", sql);
}

/* What SQLite has no type for becomes a blob, which no column takes. */
static void write_value(FILE *sql, const json_t *value)
{
    if (json_is_integer(value))
        fprintf(sql, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        fprintf(sql, "%.17e", json_real_value(value));
    else if (json_is_string(value))
        write_text(sql, json_string_value(value), json_string_length(value));
    else if (json_is_null(value))
        fputs("NULL", sql);
    else
        fputs(json_is_array(value) ? "X'01'" : "X'02'", sql);
}

/* Whether COLUMN of TABLE is one that the specification says something of. */
static int is_judged(const char *table, const char *column)
{
    static const char *const ids[] = {"source_id", "function_id", "location_id", "sample_id",
                                      "mapping_id"};
    if (strcmp(column, "table") == 0)
        return 0;
    if (*table == '.') {
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
            if (strcmp(column, ids[i]) == 0)
                return 1;
        return 0;
    }
    if (*column != '.')
        return 1;
    return strcmp(table, "locations") == 0 &&
           (strcmp(column, ".mapping_id") == 0 || strcmp(column, ".inlined_into") == 0);
}

/* SQLite takes COUNT for count, and a line feed for the end of what it reports by line. */
static void write_name(FILE *sql, const char *prefix, const char *name)
{
    fprintf(sql, "\"%s", prefix);
    for (; *name != '\0'; name++)
        if ((*name >= 'a' && *name <= 'z') || *name == '_' || *name == '.')
            fputc(*name, sql);
        else
            fprintf(sql, "?%02X", (unsigned char)*name);
    fputc('"', sql);
}

/* The table that judges the rows of TABLE. */
static void write_table(const struct judge *j, const char *table)
{
    static const char *const both[] = {"meta", "functions", "locations", ".mappings"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (strcmp(table, both[i]) == 0) {
            write_name(j->sql, "", table);
            return;
        }
    if (*table == '.') {
        fputs("\".dotted\"", j->sql);
        return;
    }
    write_name(j->sql, j->version == 1 ? "v1_" : "", table);
}

/* A row, with what it has members for; the rest is what the columns' defaults say. */
static void write_insert(const struct judge *j, const char *table, json_t *row)
{
    const char *name, *comma = "";
    json_t *value;
    int empty = 1;
    fputs("INSERT INTO ", j->sql);
    write_table(j, table);
    json_object_foreach(row, name, value) if (is_judged(table, name))
    {
        fputs(empty ? "(" : ",", j->sql);
        write_name(j->sql, "", name);
        empty = 0;
    }
    fputs(empty ? " DEFAULT VALUES" : ") VALUES(", j->sql);
    json_object_foreach(row, name, value) if (is_judged(table, name))
    {
        fputs(comma, j->sql);
        write_value(j->sql, value);
        comma = ",";
    }
    fprintf(j->sql, "%s; -- %s\n", empty ? "" : ")", j->name);
}

/* The stack of a sample of version 1.0, each location in a row of its own. */
static void write_stack(const struct judge *j, const json_t *stack)
{
    size_t position;
    json_t *item;
    json_array_foreach(stack, position, item)
    {
        const json_t *id = json_object_get(item, "location_id");
        fprintf(j->sql, "INSERT INTO v1_stacks VALUES(");
        if (id == NULL || json_object_size(item) != 1)
            fputs("X'01'", j->sql);
        else
            write_value(j->sql, id);
        fprintf(j->sql, "); -- %s\n", j->name);
    }
}

static void begin_profile(struct judge *j, int version)
{
    j->open = 1;
    j->version = version;
    fprintf(j->sql, "BEGIN; -- %s\n", j->name);
}

/* The queries are in views: schema.sql. */
static void end_profile(struct judge *j)
{
    if (j->open) {
        fprintf(j->sql, "SELECT '%s', 'reference' FROM dangling LIMIT 1; -- %s\n", j->name,
                j->name);
        fprintf(j->sql, "SELECT '%s', 'depth' FROM gaps LIMIT 1; -- %s\n", j->name, j->name);
        fprintf(j->sql, "ROLLBACK; -- %s\n", j->name);
    }
    j->open = j->has_meta = 0;
}

static int version_of(const json_t *row)
{
    const char *value = json_string_value(json_object_get(row, "value"));
    if (value == NULL || json_object_get(row, "key") == NULL)
        return 0;
    return strcmp(value, "2.0") == 0 ? 2 : strncmp(value, "1", 1) == 0 ? 1 : 0;
}

static void judge_row(struct judge *j, json_t *row, const char *table)
{
    int is_meta = strcmp(table, "meta") == 0;
    if (is_meta) {
        if (j->has_meta)
            end_profile(j);
        if (!j->open)
            begin_profile(j, version_of(row));
        j->has_meta = 1;
    } else if (!j->open && json_array_size(j->rows) == 0) {
        begin_profile(j, 0);
    }
    if (j->open && (j->version != 0 || is_meta)) /* judge_order.jq has something to say of others */
        write_insert(j, table, row);
    const json_t *stack = json_object_get(row, "locations");
    if (j->open && j->version == 1 && strcmp(table, "samples") == 0 && json_is_array(stack))
        write_stack(j, stack);
    if (strcmp(table, ".end") == 0)
        end_profile(j);
}

/* --- lines --- */

/* jq 1.6 takes 1.0 for an integer. */
static void hide_reals(json_t *row)
{
    const char *name;
    void *tmp;
    json_t *value;
    size_t i;
    json_object_foreach_safe(row, tmp, name, value)
    {
        if (json_is_real(value))
            json_object_set_new(row, name, json_null());
        else
            hide_reals(value);
    }
    json_array_foreach(row, i, value) hide_reals(value);
}

static int is_blank(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memchr(" \t\r\n", line[i], 4) == NULL)
            return 0;
    return 1;
}

static void judge_line(struct judge *j, const char *line, size_t n)
{
    json_error_t error;
    if (is_blank(line, n))
        return;
    json_t *row = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    const json_t *table = json_object_get(row, "table");
    if (row == NULL || !json_is_object(row)) {
        int is_range = row == NULL && json_error_code(&error) == json_error_numeric_overflow;
        printf("%s %s\n", j->name, is_range ? "range" : "json");
    } else if (!json_is_string(table)) {
        printf("%s table\n", j->name);
    } else {
        judge_row(j, row, json_string_value(table));
        hide_reals(row);
        json_array_append(j->rows, row);
        json_decref(row);
        return;
    }
    json_array_append_new(j->rows, json_null());
    json_decref(row);
}

static void judge_file(struct judge *j, const char *path, FILE *out)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    const char *slash = strrchr(path, '/');
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        perror(path);
        exit(1);
    }
    j->name = slash == NULL ? path : slash + 1;
    j->rows = json_array();
    while ((n = getline(&line, &size, in)) > 0)
        judge_line(j, line, (size_t)n);
    end_profile(j);
    fprintf(out, "{\"file\":\"%s\",\"rows\":", j->name);
    json_dumpf(j->rows, out, JSON_COMPACT);
    fputs("}\n", out);
    json_decref(j->rows);
    free(line);
    fclose(in);
}

int main(int argc, char **argv)
{
    struct judge judge = {0};
    FILE *rows = NULL;
    if (argc < 4 || (judge.sql = fopen(argv[1], "w")) == NULL ||
        (rows = fopen(argv[2], "w")) == NULL) {
        fprintf(stderr, "usage: judge_json SQL ROWS FILE...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++)
        judge_file(&judge, argv[i], rows);
    return fclose(judge.sql) != 0 || fclose(rows) != 0;
}
