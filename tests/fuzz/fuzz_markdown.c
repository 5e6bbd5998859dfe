/* Any bytes, as rows or any other format, to the tables of profsum and profdiff in Markdown: what comes out is
 * text and tables.  No `<` stands there but in code or behind a backslash, no `|` but behind one or between cells, and
 * all lines of a table have equally many of these.  The first byte says which table is asked for. */
#include "fuzz.h"

#include "compare/compare.h"
#include "summary/summary.h"

/* What a line has. */
struct line {
    size_t borders;  /* `|` that no backslash stands before */
    size_t brackets; /* `<` likewise, where it is not in code */
};

/* How many backticks TEXT has at I. */
static size_t ticks_at(struct str text, size_t i)
{
    size_t n = 0;
    while (i + n < text.n && text.p[i + n] == '`')
        n++;
    return n;
}

/* Where the code that begins with TICKS backticks before FROM ends: behind its last; FROM where it does not. */
static size_t end_of_code(struct str text, size_t from, size_t ticks)
{
    for (size_t i = from; i < text.n;) {
        size_t found = ticks_at(text, i);
        if (found == ticks)
            return i + found;
        i += found > 0 ? found : 1;
    }
    return from;
}

/* As GitHub reads it: borders first, code then, and backslashes in code alone do nothing. */
static struct line look_at(struct str text)
{
    struct line line = {0};
    for (size_t i = 0; i < text.n; i++)
        line.borders += text.p[i] == '|' && (i == 0 || text.p[i - 1] != '\\');
    for (size_t i = 0; i < text.n;) {
        size_t ticks = ticks_at(text, i);
        line.brackets += text.p[i] == '<';
        i = ticks > 0 ? end_of_code(text, i + ticks, ticks) : i + 1 + (text.p[i] == '\\');
    }
    return line;
}

static void check_text(struct str text)
{
    size_t borders = 0; /* of the lines of the table in hand; 0: there is none */
    while (text.n > 0) {
        const char *end = memchr(text.p, '\n', text.n);
        fuzz_expect(end != NULL, "the last line ends");
        struct line line = look_at((struct str){text.p, (size_t)(end - text.p)});
        fuzz_expect(line.brackets == 0, "no tag can begin");
        if (borders == 0 && *text.p == '|')
            borders = line.borders;
        else if (*text.p != '|')
            borders = 0;
        fuzz_expect(line.borders == borders, "all lines of a table have its columns, others none");
        text.n -= (size_t)(end + 1 - text.p);
        text.p = end + 1;
    }
}

static void check(void (*stage)(void *), struct job model, struct str input)
{
    struct str text = fuzz_stage(stage, model, input, 0);
    if (text.p != NULL)
        check_text(text);
    str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const groups[] = {NULL,     "function", "line",  "file",
                                         "mapping", "source",   "group", "label:a"};
    if (size == 0)
        return 0;
    const struct str input = {(const char *)data + 1, size - 1};
    const char *by = groups[data[0] % 8];
    const unsigned view = data[0] / 8 % 8;
    struct summary_options summary = {.format = "markdown",
                                      .by = view > 3 ? NULL : by,
                                      .nodes = view == 4,
                                      .stacks = view == 5,
                                      .calls = view == 6,
                                      .hot_paths = view == 7};
    check(job_profsum, (struct job){.summary = &summary}, input);
    struct compare_options compare = {.base_count = 1, .format = "markdown", .by = by, .allow_equal = true};
    check(job_profdiff, (struct job){.compare = &compare}, input);
    return 0;
}
