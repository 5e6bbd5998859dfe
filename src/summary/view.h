/* view.h - shared by the views of a summary. Each view makes a table of what was collected. */
#ifndef PROFPIPE_VIEW_H
#define PROFPIPE_VIEW_H

#include "profile/calls.h"
#include "summary/collect.h"
#include "summary/plan.h"
#include "summary/summary.h"
#include "table/sheet.h"

struct streaks;
struct view_samples;
struct view_models;

/* Self and total of something, and its name. */
struct view_line {
    uint32_t entry; /* 0: no stack with a value has it */
    uint32_t last;  /* number of the last stack that had it, from 1 */
    bool is_root, is_leaf;
    struct wide self, total;
    struct wide excess; /* of the total above its bound (struct collect_total): mostly 0 */
    struct str name;
};

/* Adds SUM, of STACK, to LINE, which is in STACK. A stack counts once, even if LINE occurs in it several
 * times. IS_INNERMOST: this is where its innermost frame is, which comes first. */
static inline void view_add(struct view_line *line, const struct stacks_stack *stack,
                            bool is_innermost, const struct collect_sum *sum)
{
    wide_add_to(&line->self, is_innermost ? sum->self : 0);
    if (line->last != stack->number + 1) {
        const struct collect_total *total = is_innermost ? &sum->innermost : &sum->outer;
        wide_add_to(&line->total, total->value);
        if (__builtin_expect(total->value != total->bound, 0))
            line->excess =
                wide_add(line->excess, wide_subtract(wide_of(total->value), wide_of(total->bound)));
    }
    line->last = stack->number + 1;
}

/* The same for a call in STACK. IS_MARKED: its callee is the innermost frame. */
static inline void view_add_call(struct view_line *line, const struct stacks_stack *stack,
                                 bool is_marked, const struct collect_sum *sum)
{
    wide_add_to(&line->self, is_marked ? sum->self : 0);
    wide_add_to(&line->total, line->last == stack->number + 1 ? 0 : sum->call);
    line->last = stack->number + 1;
}

/* Sets the total of LINE, which is about ENTRY (0: none) of C, to what it can be where ALL is spent: once
 * all is added. */
static inline void view_limit(struct view_line *line, const struct collect *c, uint32_t entry,
                              struct wide all)
{
    const struct wide bound = wide_subtract(line->total, line->excess);
    line->total =
        collect_limit(c, entry, (struct collect_wides){line->self, line->total, bound}, all);
}

/* By entry - 1; sorted later. */
struct view_totals {
    struct view_line *lines; /* NULL: not computed yet */
    size_t count;
    struct wide all;    /* the sum that shares refer to */
    struct wide totals; /* sum of all totals */
    struct arena names;
};

struct summary {
    struct sink sink;
    struct out *out;
    const struct summary_options *options;
    struct plan *plan;
    struct collect collect;
    struct view_totals totals;    /* as of the time the table was written */
    struct streaks *streaks;      /* of samples, for the view of streaks; or NULL */
    struct view_samples *samples; /* for the view of single samples; or NULL */
    struct view_models *models;   /* for the view of models; or NULL */
};

/* The totals of S, computed once; valid until view_forget_totals. */
const struct view_totals *view_totals_of(struct summary *s);
void view_forget_totals(struct summary *s);

/* The first columns of tables of self and total; a view may add more. */
enum { VIEW_NAME, VIEW_SELF, VIEW_SELF_SHARE, VIEW_TOTAL, VIEW_TOTAL_SHARE, VIEW_OWN };

/* For people, of whole stacks. */
#define VIEW_STACK_HEADING STR("stack, outermost first")

#define VIEW_COLUMN(id, heading, kind)                                                             \
    {                                                                                              \
        COLUMN_##id, STR(heading), SHEET_##kind, STR(""), 0                                        \
    }

#define VIEW_SUMS(id, heading, total_pct)                                                          \
    [VIEW_NAME] = VIEW_COLUMN(id, heading, TEXT), [VIEW_SELF] = VIEW_COLUMN(SELF, "self", VALUE),  \
    [VIEW_SELF_SHARE] = VIEW_COLUMN(SELF_PCT, "self", SHARE),                                      \
    [VIEW_TOTAL] = VIEW_COLUMN(TOTAL, "total", VALUE),                                             \
    [VIEW_TOTAL_SHARE] = VIEW_COLUMN(total_pct, "total", SHARE)

#define VIEW_COLUMNS(id, heading) VIEW_SUMS(id, heading, TOTAL_PCT)

/* The cell of LINE in one of these columns; shares refer to ALL. */
struct sheet_cell view_cell(const struct view_line *line, struct wide all, size_t column);

/* Compares A and B for order: by self, the largest first whatever its sign, or by total if BY_TOTAL;
 * then by the other sum, then by name. */
int view_compare(const struct view_line *a, const struct view_line *b, bool by_total);

/* Sorts LINES so. */
void view_sort(struct view_line *lines, size_t count, bool by_total);

/* A distinct stack, and the sum of its values. */
struct view_stack_sum {
    struct stacks_stack stack;
    int64_t sum;
};

/* The stacks of S with a value, largest first, then by first appearance. Sets *COUNT, and *ALL
 * to the sum that shares refer to. The caller frees them. */
struct view_stack_sum *view_stack_sums(const struct summary *s, size_t *count, struct wide *all);

/* Totals of calls between entries. */
struct view_calls {
    struct calls calls;      /* marked: the callee is innermost */
    struct view_line *lines; /* by call - 1; without names; their entries are calls */
    struct wide all;         /* the sum that shares refer to */
    size_t capacity;
};

struct view_calls view_calls_of(const struct summary *s);
void view_free_calls(struct view_calls *c);

/* What programs are told of a table besides its rows (sheet_fact): type, unit, all, no_stack. */
struct view_facts {
    struct sheet_fact items[4];
    struct buf text;
};

/* The facts of a table of S; ALL is the sum over all samples. */
struct view_facts view_facts_of(const struct summary *s, struct wide all);

/* Adds F, which must outlive it, to SHEET. */
void view_add_facts(struct sheet *sheet, const struct view_facts *f);

void view_free_facts(struct view_facts *f);

/* Writes SHEET, a table of S, with a title for people. ALL is the sum over all samples. */
void view_write(const struct summary *s, struct sheet *sheet, struct wide all);

/* The same for a table whose rows are about entries, which its first column names; ENTRY returns
 * that of a row. */
void view_write_entries(const struct summary *s, struct sheet *sheet, struct wide all,
                        uint32_t (*entry)(const void *from, size_t row));

/* Ends the tool (STATUS_INPUT), since no function matches EXPRESSION, the argument of OPTION; but
 * only warns if more input is awaited, or if there are no samples at all. */
void view_found_none(const struct summary *s, const char *option, const char *expression);

/* The text of a stack, outermost first: for people names with ';' between, for programs the same
 * with '\\' before each ';' and '\\' in a name, or a JSON list. All zero except the first
 * members is empty. */
struct view_path {
    const struct collect *collect;
    enum { VIEW_PATH_HUMAN, VIEW_PATH_TEXT, VIEW_PATH_LIST } kind;
    bool is_empty;
    struct buf text;
    struct buf name, escaped; /* of the last name */
};

/* Opens a path for tables of C in FORMAT. */
struct view_path view_path_of(const struct collect *c, enum sheet_format format);

/* Begin a new path, append the name of ENTRY (all names of a stack), or of ENTRY that is a site,
 * end the path. A site without a name is in lists only. */
void view_path_begin(struct view_path *p);
void view_path_add(struct view_path *p, uint32_t entry);
void view_path_add_site(struct view_path *p, uint32_t entry);
void view_path_end(struct view_path *p);

/* Sets P to the path of ENTRY alone, mostly a stack, and returns its cell. */
struct sheet_cell view_path_entry(struct view_path *p, uint32_t entry);

/* Sets P to the path of FRAMES, entries as uint32_t, innermost first. */
void view_path_take(struct view_path *p, struct str frames);

/* The cell of P, valid until P changes. */
struct sheet_cell view_path_cell(const struct view_path *p);

/* Frees what P holds. */
void view_path_free(struct view_path *p);

/* The columns of tables of stacks, and the cell of STACK in one; PATH has room for its names. */
enum {
    VIEW_STACK,
    VIEW_STACK_SAMPLES,
    VIEW_STACK_SHARE,
    VIEW_STACK_ID,
    VIEW_STACK_DEPTH,
    VIEW_STACK_COLUMNS
};
extern const struct sheet_column view_stack_columns[VIEW_STACK_COLUMNS];
struct view_stack {
    struct str frames; /* entries as uint32_t, innermost first */
    uint64_t id;
    struct wide samples, all;
};
struct sheet_cell view_stack_cell(struct view_path *path, const struct view_stack *stack,
                                  size_t column);

/* The view of single samples. Ends the tool (STATUS_INPUT) if samples have too many columns for a
 * table. */
struct view_samples *view_open_samples(void);
void view_note_row(struct view_samples *v, const struct row *row,
                   struct place where); /* takes rows before samples */
void view_add_sample(struct view_samples *v, struct collect *c, const struct sample *sample);
void view_free_samples(struct view_samples *v);

/* The view of models, from rows of any table. Ends the tool (STATUS_INPUT) if models have too many
 * columns for a table. */
struct view_models *view_open_models(void);
void view_add_model(struct view_models *v, const struct collect *c, const struct row *row);
void view_free_models(struct view_models *v);

/* The views: each writes its table. */
void view_totals(struct summary *s);
void view_types(struct summary *s);
void view_levels(struct summary *s);
void view_nodes(struct summary *s);
void view_stacks(struct summary *s);
void view_traces(struct summary *s);
void view_call_table(struct summary *s);
void view_peek(struct summary *s);
void view_list(struct summary *s);
void view_paths(struct summary *s);
void view_streak_table(struct summary *s);
void view_sample_table(struct summary *s);
void view_model_table(struct summary *s);

#endif
