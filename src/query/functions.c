/* SQLite has more functions than a statement may call, for tests, its shell and virtual tables;
 * some of these are unsafe, such as fts3_tokenizer(). */
#include "query/functions.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/regex.h"
#include "rows/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In the order of strcmp(3). */
/* clang-format off */
static const char *const names[] = {
    "->", "->>", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "ceil",
    "ceiling", "changes", "char", "coalesce", "concat", "concat_ws", "cos", "cosh", "count",
    "cume_dist", "current_date", "current_time", "current_timestamp", "date", "datetime",
    "degrees", "dense_rank", "exp", "first_value", "floor", "format", "glob", "group_concat",
    "hex", "if", "ifnull", "iif", "instr", "json", "json_array", "json_array_insert",
    "json_array_length", "json_error_position", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_patch", "json_pretty", "json_quote",
    "json_remove", "json_replace", "json_set", "json_type", "json_valid", "jsonb", "jsonb_array",
    "jsonb_array_insert", "jsonb_extract", "jsonb_group_array", "jsonb_group_object",
    "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove", "jsonb_replace", "jsonb_set",
    "julianday", "lag", "last_insert_rowid", "last_value", "lead", "length", "like", "likelihood",
    "likely", "ln", "log", "log10", "log2", "lower", "ltrim", "max", "median", "min", "mod",
    "nth_value", "ntile", "nullif", "octet_length", "percent_rank", "percentile",
    "percentile_cont", "percentile_disc", "pi", "pow", "power", "printf", "quote", "radians",
    "random", "randomblob", "rank", "regexp", "replace", "round", "row_number", "rtrim", "sign", "sin",
    "sinh", "soundex", "sqlite_source_id", "sqlite_version", "sqrt", "stddev", "strftime", "string_agg",
    "substr", "substring", "subtype", "sum", "tan", "tanh", "time", "timediff", "total",
    "total_changes", "trim", "trunc", "typeof", "unhex", "unicode", "unistr", "unistr_quote",
    "unixepoch", "unlikely", "upper", "zeroblob",
};
/* clang-format on */

static int compare(const void *name, const void *one)
{
    return sqlite3_stricmp(name, *(const char *const *)one);
}

bool functions_allow(const char *name)
{
    return bsearch(name, names, sizeof names / sizeof *names, sizeof *names, compare) != NULL;
}

/* --- REGEXP --- */

/* The last expressions of REGEXP: a statement has few. They are not left to SQLite, which may call
 * back after their memory is gone. */
struct functions {
    struct expression {
        struct regex *regex; /* NULL: none yet */
        char *text;
    } expressions[8];
    size_t next; /* the one to replace */
    struct regex_room *room;
    struct buf shown;
};

/* The compiled expression TEXT; NULL after an error. */
static struct regex *expression_of(sqlite3_context *to, struct functions *f, const char *text)
{
    enum { COUNT = sizeof f->expressions / sizeof *f->expressions };
    char why[256];
    for (size_t i = 0; i < COUNT; i++)
        if (f->expressions[i].regex != NULL && strcmp(f->expressions[i].text, text) == 0)
            return f->expressions[i].regex;
    struct regex *regex = regex_open(text, (struct regex_how){0}, "REGEXP", why, sizeof why);
    if (regex == NULL) {
        char *message = sqlite3_mprintf("REGEXP: %s", why);
        sqlite3_result_error(to, message, -1);
        sqlite3_free(message);
        return NULL;
    }
    struct expression *e = &f->expressions[f->next++ % COUNT];
    regex_free(e->regex);
    mem_free(e->text);
    e->regex = regex;
    e->text = mem_alloc(strlen(text) + 1);
    strcpy(e->text, text);
    return regex;
}

/* regexp(EXPRESSION, TEXT), which TEXT REGEXP EXPRESSION calls. */
static void regexp(sqlite3_context *to, int count, sqlite3_value **values)
{
    struct functions *f = sqlite3_user_data(to);
    const char *expression = (const char *)sqlite3_value_text(values[0]),
               *text = (const char *)sqlite3_value_text(values[1]);
    (void)count;
    if (expression == NULL || text == NULL)
        return;
    if (strlen(expression) != (size_t)sqlite3_value_bytes(values[0])) {
        sqlite3_result_error(to, "REGEXP: expected an expression, found NUL in it", -1);
        return;
    }
    struct regex *regex = expression_of(to, f, expression);
    if (regex == NULL)
        return;
    struct str all = {text, (size_t)sqlite3_value_bytes(values[1])};
    int found = regex_try(regex, f->room, text_valid(&f->shown, all));
    if (found < 0)
        sqlite3_result_error(to, "REGEXP: the expression takes too many steps, or too much memory",
                             -1);
    else
        sqlite3_result_int(to, found);
}

/* --- median, percentile, stddev --- */

/* The numbers of a group, kept by sqlite3_malloc, so that SQLite's limit of memory holds. */
struct numbers {
    double *items;
    size_t count, capacity;
    double percent;
    bool has_percent;
};

/* Appends VALUE; false after an error. */
static bool add_number(sqlite3_context *to, struct numbers *n, sqlite3_value *value)
{
    int type = sqlite3_value_numeric_type(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        sqlite3_result_error(to, "expected numbers, found text", -1);
        return false;
    }
    if (n->count == n->capacity) {
        size_t capacity = 2 * n->capacity + 16;
        double *items = sqlite3_realloc64(n->items, capacity * sizeof *items);
        if (items == NULL) {
            sqlite3_result_error_nomem(to);
            return false;
        }
        n->items = items;
        n->capacity = capacity;
    }
    n->items[n->count++] = sqlite3_value_double(value);
    return true;
}

static void take_number(sqlite3_context *to, int count, sqlite3_value **values)
{
    struct numbers *n = sqlite3_aggregate_context(to, sizeof *n);
    if (n == NULL) {
        sqlite3_result_error_nomem(to);
        return;
    }
    if (count > 1) {
        double percent = sqlite3_value_double(values[1]);
        int type = sqlite3_value_numeric_type(values[1]);
        if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(percent >= 0 && percent <= 100)) {
            sqlite3_result_error(to, "percentile: expected a number from 0 to 100", -1);
            return;
        }
        if (n->has_percent && n->percent != percent) {
            sqlite3_result_error(to, "percentile: expected the same number for all rows", -1);
            return;
        }
        n->percent = percent;
        n->has_percent = true;
    }
    if (sqlite3_value_type(values[0]) != SQLITE_NULL)
        add_number(to, n, values[0]);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Gives the percentile PERCENT of N, between two numbers in proportion, as R's default does. */
static void give_percentile(sqlite3_context *to, struct numbers *n, double percent)
{
    order_items(n->items, n->count, sizeof *n->items, compare_numbers);
    double at = percent / 100 * (double)(n->count - 1);
    size_t low = (size_t)at, high = low + 1 < n->count ? low + 1 : low;
    double share = at - (double)low, a = n->items[low], b = n->items[high];
    sqlite3_result_double(to, share == 0 ? a : a + share * (b - a));
}

/* Gives the standard deviation of N, a sample; null for one number. */
static void give_deviation(sqlite3_context *to, const struct numbers *n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n->count; i++) { /* Welford's way, which loses no digits */
        double delta = n->items[i] - mean;
        mean += delta / (double)(i + 1);
        squares += delta * (n->items[i] - mean);
    }
    if (n->count > 1)
        sqlite3_result_double(to, sqrt(squares / (double)(n->count - 1)));
}

/* Which of the aggregates it is: the user data of each. */
enum aggregate { MEDIAN, PERCENTILE, STDDEV };

static void give(sqlite3_context *to)
{
    const enum aggregate *which = sqlite3_user_data(to);
    struct numbers *n = sqlite3_aggregate_context(to, 0);
    if (n != NULL && n->count > 0) {
        switch (*which) {
        case MEDIAN: give_percentile(to, n, 50); break;
        case PERCENTILE: give_percentile(to, n, n->percent); break;
        case STDDEV: give_deviation(to, n); break;
        }
    }
    if (n != NULL)
        sqlite3_free(n->items);
}

struct functions *functions_add(sqlite3 *db)
{
    static const enum aggregate each[] = {MEDIAN, PERCENTILE, STDDEV};
    static const char *const aggregates[] = {"median", "percentile", "stddev"};
    enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY };
    struct functions *f = mem_alloc_zeroed(sizeof *f);
    f->room = regex_room_open();
    int code = sqlite3_create_function(db, "regexp", 2, FLAGS, f, regexp, NULL, NULL);
    for (size_t i = 0; i < sizeof each / sizeof *each && code == SQLITE_OK; i++)
        code = sqlite3_create_function(db, aggregates[i], each[i] == PERCENTILE ? 2 : 1, FLAGS,
                                       (void *)(uintptr_t)&each[i], NULL, take_number, give);
    if (code == SQLITE_OK)
        return f;
    functions_free(f);
    return NULL;
}

void functions_free(struct functions *f)
{
    for (size_t i = 0; f != NULL && i < sizeof f->expressions / sizeof *f->expressions; i++) {
        regex_free(f->expressions[i].regex);
        mem_free(f->expressions[i].text);
    }
    if (f != NULL) {
        regex_room_free(f->room);
        buf_free(&f->shown);
    }
    mem_free(f);
}
