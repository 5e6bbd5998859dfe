#include "summary/gate.h"

#include "rows/text.h"

#include <ctype.h>
#include <stdlib.h>

static _Noreturn void die_gate(const char *text)
{
    die(STATUS_USAGE,
        "--fail-if: expected self or total, perhaps (RE), > and a number of points, found \"%s\"",
        text);
}

static const char *skip_blanks(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* Takes the expression in parentheses at P, if there is one, to G: it ends at the last ')' in front of a '>'. */
static const char *take_expression(struct gate *g, const char *p)
{
    const char *end = strrchr(p, '>');
    if (*p != '(')
        return p;
    while (end != NULL && end > p && *end != ')')
        end--;
    if (end == NULL || end == p)
        die_gate(g->text);
    struct buf text = {0};
    buf_add(&text, (struct str){p + 1, (size_t)(end - p - 1)});
    buf_add(&text, (struct str){"", 1});
    match_open_text(&g->match, "fail-if", text.p, (struct match_how){0});
    g->has_match = true;
    buf_free(&text);
    return end + 1;
}

void gate_open(struct gate *g, const char *text)
{
    struct str rest = str_of(skip_blanks(text));
    char *end;
    g->text = text;
    g->is_total = str_take(&rest, STR("total"));
    if (!g->is_total && !str_take(&rest, STR("self")))
        die_gate(text);
    const char *p = skip_blanks(take_expression(g, skip_blanks(rest.p)));
    if (*p != '>')
        die_gate(text);
    p = skip_blanks(p + 1);
    g->limit = strtod(p, &end) / 100;
    if (end == p || !isdigit((unsigned char)*p) || !(g->limit >= 0 && g->limit <= 1))
        die_gate(text);
    rest = str_of(skip_blanks(end));
    if (!str_take(&rest, STR("points")) && !str_take(&rest, STR("point")))
        die_gate(text);
    if (*skip_blanks(rest.p) != '\0')
        die_gate(text);
}

bool gate_is_passed(struct gate *g, const struct view_totals *t)
{
    bool is_passed = false;
    for (size_t i = 0; i < t->count; i++) {
        const struct view_line *line = &t->lines[i];
        double share = (double)(g->is_total ? line->total : line->self) / (double)t->all;
        if (!(share > g->limit) || (g->has_match && !match_bytes(&g->match, line->name)))
            continue;
        struct buf text = {0};
        text_escape(&text, line->name);
        diag_error("--fail-if: \"%s\": %.*s has %.2f", g->text, STR_ARG(buf_str(&text)),
                   100 * share);
        buf_free(&text);
        is_passed = true;
    }
    return is_passed;
}

void gate_free(struct gate *g)
{
    if (g->has_match)
        match_free(&g->match);
}
