#include "summary/gate.h"

#include "base/mem.h"
#include "rows/text.h"
#include "summary/view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static _Noreturn void die_gate(const char *text, bool compares)
{
    if (compares)
        die(CODE_BAD_ARGUMENT,
            "--fail-if: expected self, total, cost or a unit such as ns/op, perhaps (RE), >, a "
            "number of %% or points, and perhaps \"and significant\", found \"%s\"",
            text);
    die(CODE_BAD_ARGUMENT,
        "--fail-if: expected self or total, perhaps (RE), > and a number of points, found \"%s\"",
        text);
}

static const char *skip_blanks(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* Takes an expression in parentheses at P, if any, into G. It ends at the last ')' before a '>'.
 * Returns the position after it, or NULL if it has no end. */
static const char *take_expression(struct gate *g, const char *p)
{
    const char *end = strrchr(p, '>');
    if (*p != '(')
        return p;
    while (end != NULL && end > p && *end != ')')
        end--;
    if (end == NULL || end == p)
        return NULL;
    struct buf text = {0};
    buf_add(&text, (struct str){p + 1, (size_t)(end - p - 1)});
    buf_add(&text, (struct str){"", 1});
    match_open_text(&g->match, "fail-if", text.p, (struct regex_how){0});
    g->word = regex_word((struct str){p + 1, text.n - 1});
    g->has_match = true;
    buf_free(&text);
    return end + 1;
}

/* Takes WORD, and blanks before it, off *P; false if it is not there. */
static bool take(const char **p, const char *word)
{
    const char *start = skip_blanks(*p);
    if (strncmp(start, word, strlen(word)) != 0)
        return false;
    *p = start + strlen(word);
    return true;
}

/* Takes a unit, which has a '/'. */
static bool take_unit(struct gate *g, const char **p)
{
    const char *start = skip_blanks(*p);
    g->unit = (struct str){start, strcspn(start, " \t(>")};
    *p = start + g->unit.n;
    return g->unit.n > 0 && memchr(g->unit.p, '/', g->unit.n) != NULL && g->unit.p[0] != '/' &&
           g->unit.p[g->unit.n - 1] != '/';
}

/* Takes what the gate limits: self, total or cost, or self by its unit. */
static bool take_what(struct gate *g, const char **p, bool compares)
{
    static const char *const names[] = {
        [GATE_SELF] = "self", [GATE_TOTAL] = "total", [GATE_COST] = "cost"};
    for (unsigned i = 0; i < (compares ? GATE_COST + 1 : GATE_COST); i++)
        if (take(p, names[i])) {
            g->of = i;
            return true;
        }
    return compares && take_unit(g, p);
}

/* Takes the number and its unit. */
static bool take_limit(struct gate *g, const char **p, bool compares)
{
    char *end;
    const char *start = skip_blanks(*p);
    const double number = decimal_parse(start, &end);
    if (end == start || !isdigit((unsigned char)*start) || !(number >= 0 && isfinite(number)))
        return false;
    *p = end;
    g->is_growth = compares && take(p, "%");
    g->is_amount = !g->is_growth && g->unit.n > 0;
    g->limit = g->is_amount ? number : number / 100;
    if (g->is_amount)
        return true;
    if (g->limit > 1e6)
        return false;
    if (g->is_growth)
        return true;
    return g->limit <= 1 && g->of != GATE_COST && (take(p, "points") || take(p, "point"));
}

/* Opens G, all zero, with the text TEXT. */
static void open_gate(struct gate *g, const char *text, bool compares)
{
    const char *p = text;
    g->text = text;
    bool is_good = take_what(g, &p, compares) && (p = take_expression(g, skip_blanks(p))) != NULL &&
                   take(&p, ">") && take_limit(g, &p, compares);
    if (is_good && compares && take(&p, "and"))
        is_good = g->is_significant = take(&p, "significant");
    if (!is_good || *skip_blanks(p) != '\0')
        die_gate(text, compares);
}

bool gate_misses_all(const struct gate *g, bool absent_ok)
{
    const char *format = "--fail-if: \"%s\": no name matches" HINT "%s";
    if (absent_ok)
        warn(CODE_NO_MATCH, format, g->text, "");
    else
        diag_error(CODE_NOT_CHECKED, format, g->text, "--absent-ok accepts that");
    return !absent_ok;
}

static void free_gate(struct gate *g)
{
    mem_free(g->named);
    if (g->has_match)
        match_free(&g->match);
}

/* --- lists of gates --- */

void gate_texts_add(struct gate_texts *t, const char *text)
{
    t->items = mem_array(t->items, &t->capacity, t->count + 1, sizeof *t->items);
    t->items[t->count++] = text;
}

void gates_open(struct gates *g, const struct gate_texts *texts, bool compares)
{
    g->count = texts->count;
    g->items = mem_alloc_zeroed((g->count + 1) * sizeof *g->items);
    g->asked = mem_alloc((g->count + 1) * sizeof *g->asked);
    g->wordless = mem_alloc((g->count + 1) * sizeof *g->wordless);
    g->rounds = mem_alloc_zeroed((g->count + 1) * sizeof *g->rounds);
    for (size_t i = 0; i < g->count; i++) {
        open_gate(&g->items[i], texts->items[i], compares);
        if (!g->items[i].has_match)
            continue;
        if (g->items[i].word.n >= NEEDLES_MIN)
            needles_add(&g->words, g->items[i].word, (uint32_t)i);
        else
            g->wordless[g->wordless_count++] = (uint32_t)i;
    }
    needles_ready(&g->words);
}

bool gates_need_names(const struct gates *g)
{
    return g->wordless_count + g->words.count > 0;
}

void gates_forget(struct gates *g)
{
    for (size_t i = 0; i < g->count; i++)
        g->items[i].named_count = 0;
}

static void ask(void *gates, uint32_t i)
{
    struct gates *g = gates;
    if (g->rounds[i] < g->round)
        g->asked[g->asked_count++] = i;
    g->rounds[i] = g->round;
}

static void take_item(struct gate *g, uint32_t number, struct str name)
{
    bool has_it = g->named_count > 0 && g->named[g->named_count - 1] == number;
    if (has_it || !match_bytes(&g->match, name))
        return;
    g->named = mem_array(g->named, &g->named_capacity, g->named_count + 1, sizeof *g->named);
    g->named[g->named_count++] = number;
}

void gates_take(struct gates *g, uint32_t number, struct str name)
{
    g->round++;
    g->asked_count = 0;
    needles_find(&g->words, name, ask, g);
    for (size_t i = 0; i < g->asked_count; i++)
        take_item(&g->items[g->asked[i]], number, name);
    for (size_t i = 0; i < g->wordless_count; i++)
        take_item(&g->items[g->wordless[i]], number, name);
}

/* gates_find for one gate, whose items are known. */
static bool find(const struct gate *g, const struct view_totals *t, bool absent_ok)
{
    bool has_found = false;
    size_t count = g->has_match ? g->named_count : t->count;
    for (size_t i = 0; i < count; i++) {
        const struct view_line *line = &t->lines[g->has_match ? g->named[i] : i];
        double share = wide_share(g->of == GATE_TOTAL ? line->total : line->self, t->all);
        if (!(share > g->limit))
            continue;
        struct buf text = {0};
        text_escape(&text, line->name);
        diag_error(CODE_CHECK_FAILED, "--fail-if: \"%s\": %.*s has %.2f", g->text,
                   STR_ARG(buf_str(&text)), 100 * share);
        buf_free(&text);
        has_found = true;
    }
    if (count == 0)
        has_found = gate_misses_all(g, absent_ok);
    return has_found;
}

bool gates_find(struct gates *g, const struct view_totals *t, bool absent_ok)
{
    bool has_found = false;
    for (size_t i = 0; i < t->count && gates_need_names(g); i++)
        gates_take(g, (uint32_t)i, t->lines[i].name);
    for (size_t i = 0; i < g->count; i++) {
        if (wide_sign(t->all) != 0)
            has_found |= find(&g->items[i], t, absent_ok);
        else
            diag_error(CODE_NOT_CHECKED,
                       "--fail-if: \"%s\": the profile is empty: there is nothing to judge",
                       g->items[i].text);
        has_found |= wide_sign(t->all) == 0;
    }
    return has_found;
}

void gates_free(struct gates *g)
{
    for (size_t i = 0; i < g->count; i++)
        free_gate(&g->items[i]);
    needles_free(&g->words);
    mem_free(g->asked);
    mem_free(g->wordless);
    mem_free(g->rounds);
    mem_free(g->items);
}
