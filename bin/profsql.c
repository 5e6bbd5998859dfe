/* profsql - SQL over profiles of any format. */
#include "base/mem.h"
#include "feed/run.h"
#include "formats/formats.h"
#include "formats/sqlite/sqlite.h"
#include "model/model.h"
#include "query/query.h"
#include "summary/request.h"
#include "tools/tool.h"

#include <unistd.h>

static struct {
    const char *statement, *file, *db, *format, *max;
    bool has_files, columns;
} want;

static const struct option_row options[] = {
    {"db", "FILE", "ask this database of ndjson2sqlite instead of files", .text = &want.db},
    {"file", "FILE", "read the statement from FILE; all operands are then inputs", .letter = 'f',
     .text = &want.file},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(sheet_formats),
     .preset = "text", .is_of_output = true},
    {"columns", NULL, "describe the columns of all views; read nothing", .flag = &want.columns},
    {"max-rows", "N", "show at most N rows", .letter = 'n', .text = &want.max},
    {"rows", "N", "--max-rows", .text = &want.max, .is_old = true},
};

/* The first operand is the statement, unless -f names a file with it. */
static int take_operands(int count, char **operands)
{
    int taken = want.file == NULL && !want.columns && count > 0 ? 1 : 0;
    want.statement = taken > 0 ? operands[0] : NULL;
    want.has_files = count > taken || tool_common.files_from != NULL;
    return taken;
}

static void check(void)
{
    request_sheet(want.format, "max-rows", want.max, NULL, false);
    if (want.columns && (want.file != NULL || want.db != NULL))
        die(CODE_OPTIONS_CLASH, "--columns cannot be used with --file or --db");
    if (want.columns)
        return;
    if (want.statement == NULL && want.file == NULL)
        die(CODE_BAD_SQL, "expected a statement of SQL, or .schema");
    if (want.statement != NULL && access(want.statement, F_OK) == 0)
        die(CODE_BAD_SQL, "expected a statement of SQL in front of files, found the file %s",
            want.statement);
    if (want.db != NULL && want.has_files)
        die(CODE_OPTIONS_CLASH, "--db cannot be used with other files");
    if (want.db != NULL && tool_has_rules())
        die(CODE_OPTIONS_CLASH,
            "--rules cannot change the database of --db: name it after the statement instead");
    if (want.db != NULL && label_add_is_asked(&tool_common.labels))
        die(CODE_OPTIONS_CLASH, "labels cannot be added to the database of --db: name it after the "
                                "statement instead");
    if (want.db != NULL && expect_is_asked(&tool_common.expect))
        die(CODE_OPTIONS_CLASH, "the sources of --db are not checked: name it after the statement "
                                "instead");
    if (want.db != NULL) {
        tool_read_beside(want.db);
        if (tool_common.timeout == NULL) /* tables of untrusted files may take any time */
            tool_common.timeout = "60";
    }
    sqlite_keep_sorting();
    if (want.file != NULL)
        tool_read_beside(want.file);
}

/* Reads the whole file of -f. */
static void read_statement(struct buf *to)
{
    struct in *in = in_open(want.file);
    struct str text = in_peek(in, LIMITS_LINE + 1);
    if (text.n > LIMITS_LINE)
        die_as(CODE_TOO_LARGE, (struct place){in_name(in), PLACE_FILE, 0},
               "a statement of more than 16 MiB");
    buf_add(to, text);
    in_close(in);
}

/* Makes a database in memory of INPUTS. */
static struct sqlite_db *make_db(struct inputs *inputs, const struct feed_request *feeds,
                                 struct out *out)
{
    struct sqlite_db *db;
    struct sqlite_write_options write = {.into = &db};
    run_stage(&sqlite_writer, &write, inputs, feeds, out);
    return db;
}

/* Opens the database of --db. One of an earlier version is read like any file. */
static struct sqlite_db *open_db(const struct feed_request *feeds, struct out *out)
{
    struct sqlite_db *db = sqlite_open_to_read(want.db, want.db);
    if (sqlite_is_earlier(db)) {
        struct inputs *one = inputs_of_one(in_open(want.db), 1);
        sqlite_db_close(db);
        db = make_db(one, feeds, out);
        inputs_free(one);
        return db;
    }
    sqlite_make_askable(db);
    return db;
}

static void run_tool(struct inputs *inputs, struct out *out)
{
    struct sheet_request request = request_sheet(want.format, "max-rows", want.max, NULL, false);
    struct feed_request feeds = tool_feeds();
    struct buf statement = {0};
    if (want.columns) {
        model_write_views(&request, out);
        return;
    }
    if (want.file != NULL)
        read_statement(&statement);
    else
        buf_add(&statement, str_of(want.statement));
    struct sqlite_db *db = want.db != NULL ? open_db(&feeds, out) : make_db(inputs, &feeds, out);
    query_write(db, buf_str(&statement), &request, format_max_size(&feeds.read), out);
    sqlite_db_close(db);
    buf_free(&statement);
}

const struct tool tool_profsql = {
    .name = "profsql",
    .task = TOOL_TASK_LOOK,
    .summary = "Ask profiles a question in SQL",
    .operands = "statement [file ...]",
    .take_operands = take_operands,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .examples = {"profsql .schema cpu.pb.gz", "profsql 'SELECT count(*) FROM samples' cpu.pb.gz"},
    .converts = true,
    .about = &want.columns,
    .check = check,
    .run = run_tool,
};
