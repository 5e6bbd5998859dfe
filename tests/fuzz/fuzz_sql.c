/* A statement, the first line, to a database of any bytes, the rest, as profsql --db has it: neither does more than fail.
 * The same statement to rows, which become a database in memory. */
#include "fuzz.h"

#include "query/query.h"

enum { STEPS = 1000000, MEMORY = 32 << 20 };

struct question {
    struct str sql, bytes;
    enum sheet_format format;
};

/* For survive(). */
static void ask(void *with)
{
    const struct question *q = with;
    const struct sheet_request request = {.format = q->format, .max = 100};
    struct sqlite_db *d = sqlite_db_open_bytes(q->bytes, "input");
    sqlite_db_limit(d, STEPS, MEMORY);
    sqlite_make_askable(d);
    query_write(d, q->sql, &request, MEMORY, out_open_nowhere());
    sqlite_db_close(d);
}

/* What has been written of any rows, in both ways to store, takes any statement. */
static void ask_rows(struct str sql, struct str rows, bool plain)
{
    struct job model = {.sqlite = &(struct sqlite_write_options){.plain = plain}};
    struct str file = fuzz_stage(job_to_sqlite, model, rows, 0);
    if (file.p != NULL) {
        struct question schema = {STR(".schema"), file, SHEET_FORMAT_TEXT};
        struct question question = {sql, file, SHEET_FORMAT_NDJSON};
        fuzz_expect(survive(ask, &schema) == STATUS_OK, "our own database can be asked");
        tidy();
        survive(ask, &question);
        tidy();
    }
    str_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *from = (const char *)data, *end = size == 0 ? NULL : memchr(from, '\n', size);
    if (end == NULL)
        return 0;
    struct question q = {{from, (size_t)(end - from)},
                         {end + 1, (size_t)(from + size - end - 1)},
                         size % 2 == 0 ? SHEET_FORMAT_TEXT : SHEET_FORMAT_TSV};
    survive(ask, &q);
    tidy();
    if (q.bytes.n > 0 && q.bytes.p[0] == '{') {
        ask_rows(q.sql, q.bytes, false);
        ask_rows(q.sql, q.bytes, true);
    }
    return 0;
}
