#include "profile/rules.h"

#include "base/mem.h"
#include "profile/match.h"
#include "rows/text.h"

#include <inttypes.h>

/* The name of the set that comes with the tools, in place of a file. */
#define SHIPPED "builds"

static const struct str kinds[] = {
    [RULES_NAME] = STR("name"),
    [RULES_FILE] = STR("file"),
    [RULES_MAPPING] = STR("mapping"),
    [RULES_GROUP] = STR("group"),
};

/* Ends the tool: the line at WHERE has FOUND instead of WHAT. */
static _Noreturn void die_line(struct place where, const char *what, struct str found)
{
    struct buf text = {0};
    text_escape(&text, found);
    die(CODE_BAD_RULE, "%s:%" PRIu64 ": expected %s, found \"%.*s\"", where.file, where.at, what,
        STR_ARG(buf_str(&text)));
}

/* --- lines --- */

static void add_line(struct rules *r, struct rules_line line)
{
    struct match match = {0};
    match_open_line(&match, line.where, line.expression, line.kind == RULES_GROUP, NULL);
    struct str wrong = match_wrong(&match, line.replacement);
    match_free(&match);
    if (wrong.p != NULL)
        die_line(line.where,
                 "\\1 to \\9 for as many parts in parentheses as there are, \\& or \\\\", wrong);
    r->lines = mem_array(r->lines, &r->capacity, r->count + 1, sizeof *r->lines);
    r->lines[r->count++] = line;
}

/* Removes the text before the next tab, or all, from *REST and returns it; skips tabs before it.
 * Stores in *HAS_TAB whether a tab followed. */
static struct str take_field(struct str *rest, bool *has_tab)
{
    while (str_take(rest, STR("\t")))
        ;
    const char *tab = rest->n == 0 ? NULL : memchr(rest->p, '\t', rest->n);
    struct str field = {rest->p, tab == NULL ? rest->n : (size_t)(tab - rest->p)};
    *rest = (struct str){rest->p + field.n, rest->n - field.n};
    *has_tab = str_take(rest, STR("\t"));
    return field;
}

static enum rules_kind parse_kind(struct place where, struct str text)
{
    for (unsigned i = 0; i < RULES_KIND_COUNT; i++)
        if (str_equal(text, kinds[i]))
            return (enum rules_kind)i;
    die_line(where,
             where.at == 1 ? "name, file, mapping or group, and a tab, or the header pattern,group"
                           : "name, file, mapping or group, and a tab",
             text);
}

/* A copy of TEXT in memory of R, followed by NUL. */
static struct str keep(struct rules *r, struct str text)
{
    char *copy = arena_alloc(&r->texts, text.n + 1);
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    return (struct str){copy, text.n};
}

static bool is_blank(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] != ' ' && text.p[i] != '\t')
            return false;
    return true;
}

/* Reads the line TEXT, fields with tabs between them. */
static void read_tabs(struct rules *r, struct place where, struct str text)
{
    bool has_tab;
    if (text.p[0] == '#')
        return;
    struct str kind = take_field(&text, &has_tab);
    struct rules_line line = {.where = where, .kind = parse_kind(where, kind)};
    if (!has_tab)
        die_line(where, "a tab and an expression behind the kind", kind);
    struct str expression = take_field(&text, &has_tab);
    if (!has_tab || expression.n == 0)
        die_line(where, "an expression, a tab and what replaces it, be it nothing", expression);
    while (str_take(&text, STR("\t")))
        ;
    if (memchr(text.p, '\t', text.n) != NULL)
        die_line(where, "a replacement without a tab", text);
    line.expression = keep(r, expression).p;
    line.replacement = keep(r, text);
    add_line(r, line);
}

/* --- lines of CSV --- */

/* Removes the next field of *REST, as in RFC 4180 but within one line, and the comma after it.  Adds
 * it to FIELD; stores in *HAS_COMMA whether there was a comma.  Returns what is missing, or NULL. */
static const char *take_cell(struct str *rest, struct buf *field, bool *has_comma)
{
    bool is_quoted = str_take(rest, STR("\""));
    for (;; *rest = (struct str){rest->p + 1, rest->n - 1}) {
        if (rest->n == 0 && is_quoted)
            return "a closing quote on this line";
        if (rest->n == 0 || (!is_quoted && *rest->p == ','))
            break;
        if (*rest->p == '"' && !is_quoted)
            return "quotes around a field that has quotes";
        if (str_take(rest, STR("\"")) && (rest->n == 0 || *rest->p != '"'))
            break;
        buf_add(field, (struct str){rest->p, 1});
    }
    *has_comma = str_take(rest, STR(","));
    return *has_comma || rest->n == 0 ? NULL : "a comma after the closing quote";
}

/* Splits TEXT, a line of CSV, into its two FIELDS.  Returns what is missing, or NULL. */
static const char *split_cells(struct str text, struct buf fields[2])
{
    bool has_comma;
    const char *missing = take_cell(&text, &fields[0], &has_comma);
    if (missing == NULL && !has_comma)
        return "two fields, a pattern and a group";
    if (missing == NULL)
        missing = take_cell(&text, &fields[1], &has_comma);
    return missing == NULL && has_comma ? "no more than two fields" : missing;
}

/* Reads the line TEXT of CSV: the rule of a group. */
static void read_cells(struct rules *r, struct place where, struct str text)
{
    struct buf fields[2] = {{0}, {0}};
    const char *missing = split_cells(text, fields);
    if (missing == NULL && fields[0].n == 0)
        missing = "a pattern";
    if (missing != NULL)
        die_line(where, missing, text);
    add_line(r, (struct rules_line){.where = where,
                                    .kind = RULES_GROUP,
                                    .expression = keep(r, buf_str(&fields[0])).p,
                                    .replacement = keep(r, buf_str(&fields[1]))});
    buf_free(&fields[0]);
    buf_free(&fields[1]);
}

/* Whether TEXT, the first line of a file, is the header of CSV. */
static bool is_header(struct str text)
{
    struct buf fields[2] = {{0}, {0}};
    str_take(&text, STR("\xef\xbb\xbf")); /* a byte order mark, as spreadsheets write it */
    bool is_it = split_cells(text, fields) == NULL &&
                 str_equal(buf_str(&fields[0]), STR("pattern")) &&
                 str_equal(buf_str(&fields[1]), STR("group"));
    buf_free(&fields[0]);
    buf_free(&fields[1]);
    return is_it;
}

/* Reads the line TEXT, without its line feed.  *IS_CSV is for its file, set by the first line. */
static void read_line(struct rules *r, struct place where, struct str text, bool *is_csv)
{
    struct buf shown = {0};
    if (text.n > 0 && text.p[text.n - 1] == '\r')
        text.n--;
    if (where.at == 1 && (*is_csv = is_header(text)))
        return;
    if (is_blank(text))
        return;
    if (!text_escape(&shown, text))
        die_line(where, "UTF-8 without NUL", text);
    buf_free(&shown);
    if (*is_csv)
        read_cells(r, where, text);
    else
        read_tabs(r, where, text);
}

/* --- files --- */

static void add_shipped(struct rules *r)
{
    const struct rules_shipped *s = rules_builds;
    for (uint64_t number = 1; s->expression != NULL; s++, number++)
        add_line(r, (struct rules_line){.kind = s->kind,
                                        .expression = s->expression,
                                        .replacement = str_of(s->replacement),
                                        .where = {SHIPPED, PLACE_LINE, number}});
}

void rules_read(struct rules *r, struct in *in)
{
    bool is_csv = false;
    struct place where = {keep(r, str_of(in_name(in))).p, PLACE_LINE, 1};
    for (struct str lines; (lines = in_lines(in, 0, where.at)).n > 0; in_consume(in, lines.n))
        for (struct str rest = lines; rest.n > 0; where.at++) {
            size_t size = (size_t)((const char *)memchr(rest.p, '\n', rest.n) - rest.p);
            read_line(r, where, (struct str){rest.p, size}, &is_csv);
            rest = (struct str){rest.p + size + 1, rest.n - size - 1};
        }
}

bool rules_are_shipped(const char *name)
{
    return strcmp(name, SHIPPED) == 0;
}

void rules_add(struct rules *r, const char *name)
{
    if (rules_are_shipped(name)) {
        add_shipped(r);
        return;
    }
    struct in *in = in_open(name);
    rules_read(r, in);
    in_close(in);
}

/* --- the end --- */

void rules_report(const struct rules *r)
{
    for (size_t i = 0, end; i < r->count; i = end) {
        const char *file = r->lines[i].where.file;
        size_t idle = 0;
        for (end = i; end < r->count && r->lines[end].where.file == file; end++) {
            const struct rules_line *line = &r->lines[end];
            if (line->has_matched || strcmp(file, SHIPPED) == 0)
                continue;
            idle++;
            note("%s:%" PRIu64 ": \"%s\" matches nothing", file, line->where.at, line->expression);
        }
        if (idle > 0)
            warn(CODE_NO_MATCH, "%s: %zu of %zu rules match nothing" HINT "%s", file, idle, end - i,
                 diag_level >= DIAG_VERBOSE ? "" : "-v lists them");
    }
}
