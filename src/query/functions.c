/* The functions that a statement may call: those that compute values.  SQLite has others, for
 * tests, its shell and virtual tables; some of these are unsafe, such as fts3_tokenizer(). */
#include "query/functions.h"

#include <sqlite3.h>
#include <stdlib.h>

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
    "random", "randomblob", "rank", "replace", "round", "row_number", "rtrim", "sign", "sin",
    "sinh", "soundex", "sqlite_source_id", "sqlite_version", "sqrt", "strftime", "string_agg",
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
