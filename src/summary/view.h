/* view.h - what the tables of a summary share: each view of a profile makes one of what was collected. */
#ifndef PROFPIPE_VIEW_H
#define PROFPIPE_VIEW_H

#include "summary/collect.h"
#include "summary/plan.h"
#include "summary/sheet.h"
#include "summary/summary.h"

struct runs;
struct view_samples;
struct view_models;

/* Self and total of something, and its name. */
struct view_line {
    uint32_t entry; /* 0: no stack with a value has it */
    uint32_t last;  /* the number of the last stack that had it, from 1 */
    bool is_root, is_leaf;
    struct wide self, total;
    struct str name;
};

/* Adds SUM, of STACK, to LINE, whose frame number I is: once, however often LINE stands there. */
static inline void view_add(struct view_line *line, const struct stacks_stack *stack, size_t i,
                            int64_t sum)
{
    wide_add_to(&line->self, i == 0 ? sum : 0);
    wide_add_to(&line->total, line->last == stack->number + 1 ? 0 : sum);
    line->last = stack->number + 1;
}

/* Lines by entry - 1, then sorted. */
struct view_totals {
    struct view_line *lines; /* NULL: not added up so far */
    size_t count;
    struct wide all;    /* of which shares are */
    struct wide totals; /* all totals together */
    struct arena names;
};

struct summary {
    struct sink sink;
    struct out *out;
    const struct summary_options *options;
    struct plan *plan;
    struct collect collect;
    struct view_totals totals;    /* of what was collected when the table was written */
    struct runs *runs;            /* of the samples, where they are the view; or NULL */
    struct view_samples *samples; /* the same of each by itself */
    struct view_models *models;   /* the same of the models of sources */
};

/* What S has collected, added up, once however often it is asked for; valid until view_forget_totals. */
const struct view_totals *view_totals_of(struct summary *s);
void view_forget_totals(struct summary *s);

/* The columns that tables of self and total begin with; their own follow. */
enum { VIEW_NAME, VIEW_SELF, VIEW_SELF_SHARE, VIEW_TOTAL, VIEW_TOTAL_SHARE, VIEW_OWN };

#define VIEW_COLUMNS(heading)                                                                      \
    [VIEW_NAME] = {STR("name"), STR(heading), SHEET_TEXT},                                         \
    [VIEW_SELF] = {STR("self"), STR("self"), SHEET_VALUE},                                         \
    [VIEW_SELF_SHARE] = {STR("self_pct"), STR("self"), SHEET_SHARE},                               \
    [VIEW_TOTAL] = {STR("total"), STR("total"), SHEET_VALUE},                                      \
    [VIEW_TOTAL_SHARE] = {STR("total_pct"), STR("total"), SHEET_SHARE}

/* What LINE has in one of them, where shares are of ALL. */
struct sheet_cell view_cell(const struct view_line *line, struct wide all, size_t column);

/* Sorts LINES: the larger self first or, BY_TOTAL, the larger total; of equal ones by the other, and then by
 * name. */
void view_sort(struct view_line *lines, size_t count, bool by_total);

/* The totals of calls: what is called, and by whom, are entries. */
struct view_calls {
    struct intern keys;      /* struct view_call */
    struct view_line *lines; /* by key - 1; no names */
    struct wide all;         /* of which shares are */
    size_t capacity;
};

/* There is no padding: equal calls are equal bytes. */
struct view_call {
    uint32_t caller, callee;
};

struct view_calls view_calls_of(const struct summary *s);
struct view_call view_call_at(const struct view_calls *c, uint32_t key);
void view_free_calls(struct view_calls *c);

/* Writes a table of S with the title that it has for people, what ALL samples had. */
void view_write(const struct summary *s, struct sheet *sheet, struct wide all);

/* The text of a stack: names, outermost first, with ';' between, or a list of JSON, which keeps apart what a name
 * that has a ';' would not.  All zero but for these is an empty one. */
struct view_path {
    const struct collect *collect;
    bool is_list;
    struct buf text;
    struct buf name, escaped; /* of the last name */
};

/* A path for the tables of S. */
struct view_path view_path_of(const struct summary *s);

/* Begins another, appends the name of ENTRY to it, and ends it. */
void view_path_begin(struct view_path *p);
void view_path_add(struct view_path *p, uint32_t entry);
void view_path_end(struct view_path *p);

/* Makes it that of FRAMES, entries as uint32_t, innermost first. */
void view_path_take(struct view_path *p, struct str frames);

/* A cell with it, valid until P changes. */
struct sheet_cell view_path_cell(const struct view_path *p);

/* Frees what P holds. */
void view_path_free(struct view_path *p);

/* Each sample by itself.  Ends the tool (STATUS_INPUT) where samples have more than a table has columns. */
struct view_samples *view_open_samples(void);
void view_note_row(struct view_samples *v, const struct row *row,
                   struct place where); /* what goes before samples */
void view_add_sample(struct view_samples *v, struct collect *c, const struct sample *sample);
void view_free_samples(struct view_samples *v);

/* The models in rows, which are of any table.  Ends the tool (STATUS_INPUT) where they have more than a table has columns. */
struct view_models *view_open_models(void);
void view_add_model(struct view_models *v, const struct collect *c, const struct row *row);
void view_free_models(struct view_models *v);

/* The views: each writes its table. */
void view_totals(struct summary *s);
void view_nodes(struct summary *s);
void view_stacks(struct summary *s);
void view_call_table(struct summary *s);
void view_peek(struct summary *s);
void view_list(struct summary *s);
void view_paths(struct summary *s);
void view_run_table(struct summary *s);
void view_sample_table(struct summary *s);
void view_model_table(struct summary *s);

#endif
