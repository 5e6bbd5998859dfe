#include "summary/plan.h"

#include "base/mem.h"
#include "summary/request.h"
#include "summary/view.h"

/* The max depth of paths: the cost of a path grows with its length. */
static size_t parse_depth(const struct summary_options *o)
{
    enum { DEPTH = 64 };
    if (o->max_depth == NULL)
        return DEPTH;
    size_t depth = request_count("max-depth", o->max_depth, "a number of frames from 1");
    if (depth == 0)
        die(CODE_BAD_ARGUMENT, "--max-depth: expected a number of frames from 1, found \"%s\"",
            o->max_depth);
    if (!o->hot_paths)
        die(CODE_OPTIONS_CLASH, "--max-depth needs --hot-paths");
    return depth;
}

/* Whether OPTIONS ask for all types side by side. */
static bool is_of_all_types(const struct summary_options *o)
{
    return o->type != NULL && strcmp(o->type, "all") == 0;
}

/* Ends the tool if options exclude each other. */
static void check(const struct summary_options *o)
{
    if (o->nodes + o->stacks + o->traces + o->calls + o->hot_paths + o->profile + o->samples +
            o->models + (o->peek != NULL) + (o->list != NULL) >
        1)
        die(CODE_OPTIONS_CLASH,
            "expected only one of --nodes, --stacks, --traces, --profile, --samples, "
            "--models, --calls, --peek, --list and --hot-paths");
    if (o->profile && (o->type != NULL || o->follow))
        die(CODE_OPTIONS_CLASH, "--profile cannot be used with --type or --follow");
    if (o->list != NULL && (o->by != NULL || o->fail_if.count > 0 || o->follow))
        die(CODE_OPTIONS_CLASH, "--list cannot be used with --by, --fail-if or --follow");
    if (o->samples && (o->type != NULL || o->by != NULL || o->sort != NULL ||
                       o->min_share != NULL || o->fail_if.count > 0 || o->follow))
        die(CODE_OPTIONS_CLASH, "--samples cannot be used with --type, --by, --sort, --min-share, "
                                "--fail-if or --follow");
    if (o->models && (o->type != NULL || o->by != NULL || o->sort != NULL || o->min_share != NULL ||
                      o->fail_if.count > 0 || o->follow))
        die(CODE_OPTIONS_CLASH, "--models cannot be used with --type, --by, --sort, --min-share, "
                                "--fail-if or --follow");
    if (o->list == NULL && (o->source_path != NULL || o->trim_path != NULL))
        die(CODE_OPTIONS_CLASH, "--source-path and --trim-path need --list");
    if (o->columns && o->fail_if.count > 0)
        die(CODE_OPTIONS_CLASH, "--columns cannot be used with --fail-if");
    if (is_of_all_types(o) &&
        (o->nodes || o->stacks || o->traces || o->profile || o->calls || o->models ||
         o->hot_paths || o->peek != NULL || o->list != NULL || o->fail_if.count > 0 || o->follow))
        die(CODE_OPTIONS_CLASH, "--type=all cannot be used with another view, --fail-if or "
                                "--follow");
    choice_check(o->type);
}

/* Sets what rows are about. */
static void parse_by(struct plan *p, const struct summary_options *o)
{
    p->rows.by = COLLECT_BY_SOURCE_LINE;
    if (o->list != NULL)
        return;
    p->rows.by = COLLECT_BY_SITE;
    if (o->samples)
        return;
    p->rows = request_rows(o->by);
    if (p->rows.by != COLLECT_BY_LEVELS)
        return;
    if (o->nodes || o->stacks || o->traces || o->profile || o->calls || o->models ||
        o->peek != NULL || o->hot_paths || o->fail_if.count > 0)
        die(CODE_OPTIONS_CLASH, "--by=%s cannot be used with another view or --fail-if", o->by);
}

/* The function that writes the requested view. */
static void (*view_of(const struct summary_options *o, const struct plan *p))(struct summary *s)
{
    return p->all_types                      ? view_types
           : p->rows.by == COLLECT_BY_LEVELS ? view_levels
           : o->nodes                        ? view_nodes
           : o->stacks                       ? view_stacks
           : o->traces                       ? view_traces
           : o->calls                        ? view_call_table
           : o->hot_paths                    ? view_paths
           : o->profile                      ? view_streak_table
           : o->samples                      ? view_sample_table
           : o->models                       ? view_model_table
           : o->peek                         ? view_peek
           : o->list                         ? view_list
                                             : view_totals;
}

struct plan *plan_open(const struct summary_options *o)
{
    struct plan *p = mem_alloc_zeroed(sizeof *p);
    check(o);
    parse_by(p, o);
    p->all_types = is_of_all_types(o);
    p->type = p->all_types ? NULL : o->type;
    if (p->all_types && (p->rows.by == COLLECT_BY_LEVELS || p->rows.by == COLLECT_BY_STACK))
        die(CODE_OPTIONS_CLASH, "--type=all cannot be used with --by=%s", o->by);
    if (p->rows.by == COLLECT_BY_STACK &&
        (o->stacks || o->profile || o->calls || o->peek != NULL || o->hot_paths))
        die(CODE_OPTIONS_CLASH, "--by=stack cannot be used with --stacks, --profile, --calls, "
                                "--peek or --hot-paths");
    if (o->traces && (p->rows.by == COLLECT_BY_STACK || p->rows.by == COLLECT_BY_SOURCE ||
                      p->rows.by == COLLECT_BY_LABEL || o->sort != NULL || o->columns))
        die(CODE_OPTIONS_CLASH, "--traces cannot be used with --sort, --columns, or --by of what "
                                "is no frame");
    p->by_total = request_sort(o->sort);
    p->request = request_sheet(o->format, "max-rows", o->max, o->min_share, o->columns);
    if (o->traces && !sheet_is_for_humans(p->request.format))
        die(CODE_OPTIONS_CLASH,
            "--traces is for people" HINT "--samples has the same for programs");
    p->max_depth = parse_depth(o);
    p->write = view_of(o, p);
    if (o->peek != NULL)
        match_open_text(&p->match, "peek", o->peek, (struct regex_how){0});
    if (o->list != NULL)
        match_open_text(&p->match, "list", o->list, (struct regex_how){0});
    gates_open(&p->gates, &o->fail_if, false);
    return p;
}

void plan_free(struct plan *p)
{
    match_free(&p->match);
    gates_free(&p->gates);
    mem_free(p);
}
