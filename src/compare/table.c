#include "compare/table.h"

#include "compare/changes.h"
#include "compare/title.h"
#include "rows/text.h"
#include "summary/view.h"

#include <math.h>

static const char *const marks[] = {[MARK_NONE] = "",
                                    [MARK_NEW] = "new",
                                    [MARK_GONE] = "gone",
                                    [MARK_MOVED] = "moved",
                                    [MARK_SHARE] = "share only"};

/* --- columns --- */

enum column {
    NAME, /* for people; programs have other columns before those that follow */
    BASE,
    NEW,
    DELTA,
    BASE_SHARE,
    NEW_SHARE,
    DELTA_SHARE,
    GROWTH,
    MEASURE,
    LOW,
    HIGH,
    P,
    Q,
    HOLM,
    MIN,
    DISPERSION,
    DF,
    MARK,
    BESIDE,
    WAS,
    RANGE, /* for people */
    MARKS,
    COLUMNS,
};

#define COLUMN(id, heading, kind)                                                                  \
    {                                                                                              \
        COLUMN_##id, STR(heading), SHEET_##kind, STR(""), 0                                        \
    }

static const struct sheet_column all_columns[COLUMNS] = {
    [NAME] = COLUMN(NONE, "name", TEXT),
    [BASE] = COLUMN(BASE, "base", GIVEN),
    [NEW] = COLUMN(NEW, "new", GIVEN),
    [DELTA] = COLUMN(DELTA, "change", GIVEN),
    [BASE_SHARE] = COLUMN(BASE_PCT, "base", SHARE),
    [NEW_SHARE] = COLUMN(NEW_PCT, "new", SHARE),
    [DELTA_SHARE] = COLUMN(DELTA_POINTS, "points", GIVEN),
    [GROWTH] = COLUMN(GROWTH_PCT, "growth %", GIVEN),
    [MEASURE] = COLUMN(MEASURE, "", TEXT),
    [LOW] = COLUMN(LOW, "", GIVEN),
    [HIGH] = COLUMN(HIGH, "", GIVEN),
    [P] = COLUMN(P, "p", GIVEN),
    [Q] = COLUMN(Q, "q", GIVEN),
    [HOLM] = COLUMN(HOLM, "", GIVEN),
    [MIN] = COLUMN(MIN_CHANGE, "", GIVEN),
    [DISPERSION] = COLUMN(DISPERSION, "", GIVEN),
    [DF] = COLUMN(DF, "", GIVEN),
    [MARK] = COLUMN(MARK, "", TEXT),
    [BESIDE] = COLUMN(BESIDE, "", TEXT),
    [WAS] = COLUMN(WAS, "", TEXT),
    [RANGE] = COLUMN(NONE, "95 % range", GIVEN),
    [MARKS] = COLUMN(NONE, "", GIVEN),
};

#undef COLUMN

/* The columns shown, ending in COLUMNS: for programs, behind those that name rows; for people
 * without a test, with a test of shares, with a test of cost. */
static const unsigned char for_programs[] = {
    BASE, NEW, DELTA, BASE_SHARE, NEW_SHARE,  DELTA_SHARE, GROWTH, MEASURE, LOW, HIGH,
    P,    Q,   HOLM,  MIN,        DISPERSION, DF,          MARK,   BESIDE,  WAS, COLUMNS};
static const unsigned char for_plain_shares[] = {NAME,        BASE_SHARE, NEW_SHARE,
                                                 DELTA_SHARE, MARKS,      COLUMNS};
static const unsigned char for_plain_cost[] = {NAME, BASE, NEW, DELTA, GROWTH, MARKS, COLUMNS};
static const unsigned char for_shares[] = {NAME, BASE_SHARE, NEW_SHARE, DELTA_SHARE, RANGE,
                                           P,    Q,          MARKS,     COLUMNS};
static const unsigned char for_cost[] = {NAME, BASE, NEW, GROWTH, RANGE, P, Q, MARKS, COLUMNS};

static const unsigned char *columns_of(const struct changes *t)
{
    if (!t->is_human)
        return for_programs;
    if (sides_can_test(t->s))
        return t->request->are_shares ? for_shares : for_cost;
    return t->request->are_shares ? for_plain_shares : for_plain_cost;
}

/* How rows are shown. */
struct view {
    const struct changes *changes;
    struct collect_column names[COLLECT_COLUMNS]; /* of rows, for programs: the first columns */
    size_t name_count;
    const unsigned char *columns; /* those that follow */
    struct buf *text;             /* of the last cell */
    struct view_path *path;       /* the same, of a stack */
};

/* --- cells --- */

/* The factor from the differences of V to points, or to the unit of values. */
static double factor_of(const struct changes *t)
{
    return t->request->are_shares ? 100 : t->s->sample / t->s->divisor;
}

static void add_difference(struct buf *to, const struct changes *t, double difference)
{
    double value = difference * factor_of(t);
    if (t->request->are_shares)
        changes_add_number(to, t, "%.12g", value);
    else
        changes_add_amount(to, t, value);
}

/* Appends the range of a difference: in points, or in percent of the old cost. */
static void add_range(struct buf *to, const struct changes *t, const struct change *change)
{
    const struct moderate_test *test = &change->verdict->test;
    double factor = t->request->are_shares ? 100 : 100 / test->base;
    if (!isfinite(test->low * factor))
        return;
    changes_add_number(to, t, "%+.2f", test->low * factor);
    buf_add(to, STR(" to "));
    changes_add_number(to, t, "%+.2f", test->high * factor);
}

static void add_marks(struct buf *to, const struct change *change)
{
    if (change->verdict->q < SIDES_LEVEL)
        buf_add(to, change->mark != MARK_NONE ? STR("* ") : STR("*"));
    buf_add(to, str_of(marks[change->mark]));
    if (change->beside != 0 && change->mark != MARK_MOVED)
        buf_add(to, STR(", moved"));
}

static void add_cell(struct buf *to, const struct changes *t, const struct change *change,
                     enum column column)
{
    const struct sides_verdict *v = change->verdict;
    const char *signed_number = t->is_human ? "%+.2f" : "%.10g";
    switch (column) {
    case BASE: changes_add_amount(to, t, change->base); break;
    case NEW: changes_add_amount(to, t, change->new); break;
    case DELTA: changes_add_amount(to, t, change->new - change->base); break;
    case DELTA_SHARE:
        changes_add_number(to, t, signed_number, 100 * (change->new_share - change->base_share));
        break;
    case GROWTH: changes_add_number(to, t, signed_number, changes_growth(t, change)); break;
    case LOW: add_difference(to, t, v->test.low); break;
    case HIGH: add_difference(to, t, v->test.high); break;
    case MIN: add_difference(to, t, v->test.min); break;
    case P: changes_add_probability(to, t, v->test.p); break;
    case Q: changes_add_probability(to, t, v->q); break;
    case HOLM: changes_add_probability(to, t, v->holm); break;
    case DISPERSION:
        changes_add_number(to, t, "%.12g", v->test.is_tested ? v->test.dispersion : NAN);
        break;
    case DF: changes_add_number(to, t, "%.12g", v->test.is_tested ? v->test.df : NAN); break;
    case RANGE: add_range(to, t, change); break;
    case MARKS: add_marks(to, change); break;
    default: break;
    }
}

static struct str text_of(const struct view *v, const struct change *change, enum column column)
{
    const struct changes *t = v->changes;
    v->text->n = 0;
    switch (column) {
    case NAME: return change->name;
    case MEASURE: return t->request->are_shares ? STR("share") : STR("cost");
    case MARK: return str_of(marks[change->mark]);
    case BESIDE:
        if (change->beside != 0)
            sides_add_name(t->s, change->beside, v->text);
        break;
    case WAS:
        if (sides_is_renamed(t->s, change->item))
            sides_add_old_name(t->s, change->item, v->text);
        break;
    default: add_cell(v->text, t, change, column);
    }
    return buf_str(v->text);
}

/* For people; the sheet scales it. */
static double amount_of(const struct change *change, enum column column)
{
    return column == BASE    ? change->base
           : column == NEW   ? change->new
           : column == DELTA ? change->new - change->base
                             : 0;
}

/* The share for bars and for cutting rows; for NAME, the share of both sides. */
static double share_of(const struct changes *t, const struct change *change, enum column column)
{
    switch (column) {
    case NAME: return change->verdict->share;
    case BASE_SHARE: return change->base_share;
    case NEW_SHARE: return change->new_share;
    case DELTA_SHARE: return change->new_share - change->base_share;
    default:
        return t->s->is_level ? sides_growth(change->base, change->new)
                              : (change->new - change->base) * t->s->divisor;
    }
}

/* Whether CHANGE has nothing for COLUMN. */
static bool is_none(const struct changes *t, const struct change *change, enum column column)
{
    if (column == BASE_SHARE || column == NEW_SHARE)
        return t->s->is_level;
    if (t->s->is_level && (column == BASE || column == NEW || column == DELTA))
        return (column != NEW && change->mark == MARK_NEW) ||
               (column != BASE && change->mark == MARK_GONE);
    return false;
}

/* The cell of COLUMN, one of those that name CHANGE for programs. */
static struct sheet_cell name_cell(const struct view *v, const struct change *change, size_t column)
{
    const struct collect *c = &v->changes->s->collect;
    const uint32_t entry = sides_entry(v->changes->s, change->item);
    const enum column_id id = v->names[column].id;
    struct sheet_cell cell = {.is_json = id == COLUMN_LINE || id == COLUMN_TIME};
    if (c->by == COLLECT_BY_STACK) {
        cell = view_path_entry(v->path, entry);
    } else {
        v->text->n = 0;
        collect_add_column(c, entry, &v->names[column], v->text);
        cell.text = buf_str(v->text);
        cell.is_none = cell.text.n == 0 && (column > 0 || cell.is_json);
    }
    cell.share = change->verdict->share;
    return cell;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t place)
{
    const struct view *v = from;
    const struct change *change = &v->changes->items[row];
    if (place < v->name_count)
        return name_cell(v, change, place);
    enum column column = v->columns[place - v->name_count];
    double amount = amount_of(change, column);
    return (struct sheet_cell){
        .text = text_of(v, change, column),
        .is_none = is_none(v->changes, change, column),
        .number = wide_of_double(fabs(amount) < 1e30 ? round(amount) : 0),
        .share = share_of(v->changes, change, column),
    };
}

/* --- facts --- */

/* What programs are told of the table besides its rows. */
struct facts {
    struct sheet_fact items[12];
    size_t count;
    struct buf texts[12];
};

/* Adds the fact ID and returns where to write its text: bytes, or JSON if IS_JSON. */
static struct buf *add_fact(struct facts *f, enum column_id id, bool is_json)
{
    f->items[f->count] = (struct sheet_fact){.id = id, .is_json = is_json};
    return &f->texts[f->count++];
}

static void add_unit(struct buf *to, const struct changes *t)
{
    text_unescape(to, t->unit);
    buf_add(to, t->s->per == SIDES_PER_SECOND ? STR("/second")
                : t->s->per == SIDES_PER_OP   ? STR("/operation")
                                              : STR(""));
}

/* Adds what is known of the cost of whole runs. */
static void add_runs(struct facts *f, const struct changes *t, const struct change *all)
{
    const struct moderate_test *test = &t->cost.test;
    const double factor = t->s->sample / t->s->divisor;
    changes_add_amount(add_fact(f, COLUMN_ALL_NEW, true), t, all->new);
    changes_add_amount(add_fact(f, COLUMN_ALL_LOW, true), t, test->low * factor);
    changes_add_amount(add_fact(f, COLUMN_ALL_HIGH, true), t, test->high * factor);
    changes_add_probability(add_fact(f, COLUMN_ALL_P, true), t, test->p);
}

static void make_facts(struct facts *f, const struct changes *t)
{
    const struct choice *choice = &t->s->collect.choice;
    const struct change all = changes_of_runs(t);
    buf_add(add_fact(f, COLUMN_COMPARED, false), t->request->is_total ? STR("total") : STR("self"));
    sheet_add_count(add_fact(f, COLUMN_BASE_RUNS, true), t->s->base_count);
    sheet_add_count(add_fact(f, COLUMN_NEW_RUNS, true), t->s->new_count);
    add_runs(f, t, &all);
    struct buf *type = add_fact(f, COLUMN_TYPE, false), *unit = add_fact(f, COLUMN_UNIT, false);
    if (choice->chosen != 0) {
        text_unescape(type, value_types_get(choice->names, choice->chosen)->type);
        add_unit(unit, t);
    }
    changes_add_amount(add_fact(f, COLUMN_ALL, true), t, all.base);
    sheet_add_count(add_fact(f, COLUMN_NO_STACK, true), t->s->collect.no_stack_count);
    for (size_t i = 0; i < f->count; i++) {
        const struct str text = buf_str(&f->texts[i]);
        if (text.n > 0 && !str_equal(text, STR("null")))
            f->items[i].text = text;
    }
}

static void free_facts(struct facts *f)
{
    for (size_t i = 0; i < f->count; i++)
        buf_free(&f->texts[i]);
}

/* --- the whole --- */

/* The unit of COLUMN for programs, where values are in UNIT; empty: that of the list. */
static struct str unit_of(const struct view *v, enum column column, struct str unit)
{
    switch (column) {
    case BASE:
    case NEW:
    case DELTA: return unit;
    case LOW:
    case HIGH:
    case MIN: return v->changes->request->are_shares ? STR("points") : unit;
    default: return STR("");
    }
}

/* Sets COLUMNS to the columns that V shows, for programs with values in UNIT; returns their
 * number. */
static size_t make_columns(const struct view *v, struct sheet_column *columns, struct str unit)
{
    size_t count = 0;
    for (; count < v->name_count; count++)
        columns[count] = (struct sheet_column){
            .id = v->names[count].id, .kind = SHEET_TEXT, .words = v->names[count].words};
    for (const unsigned char *next = v->columns; *next != COLUMNS; next++, count++) {
        enum column column = *next;
        columns[count] = all_columns[column];
        columns[count].words = unit_of(v, column, unit);
        if (column == NAME && v->changes->s->collect.by == COLLECT_BY_STACK)
            columns[count].heading = VIEW_STACK_HEADING;
        if (v->changes->is_scaled && (column == BASE || column == NEW || column == DELTA))
            columns[count].kind = SHEET_VALUE;
    }
    return count;
}

/* The position of COLUMN in V. */
static size_t place_of(const struct view *v, enum column column)
{
    size_t place = 0;
    while (v->columns[place] != column)
        place++;
    return v->name_count + place;
}

static void write_view(const struct view *v, struct out *out)
{
    const struct changes *t = v->changes;
    static const enum column_id families[] = {COLUMN_LABELS, COLUMN_NONE};
    struct sheet_column columns[COLLECT_COLUMNS + COLUMNS];
    struct buf title = {0};
    struct buf unit = {0};
    struct facts facts = {0};
    if (t->is_human)
        title_make(t, &title);
    else
        make_facts(&facts, t);
    add_unit(&unit, t);
    size_t count = make_columns(v, columns, buf_str(&unit));
    struct sheet sheet = {
        .title = buf_str(&title),
        .columns = columns,
        .column_count = count,
        .row_count = t->count,
        .unit = t->unit,
        .facts = facts.items,
        .fact_count = facts.count,
        .families = t->s->collect.level_count > 0 ? families : NULL,
        .cell = cell_of,
        .from = v,
        .judged = 0, /* the first column has the share of both sides */
        .drawn = place_of(v, t->request->are_shares || !t->is_human ? DELTA_SHARE : GROWTH),
        .draws_changes = true,
        .reported = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, &t->request->sheet, out);
    buf_free(&title);
    buf_free(&unit);
    free_facts(&facts);
}

void table_write(const struct sides *s, const struct table_request *request, struct out *out)
{
    struct buf text = {0};
    struct changes changes;
    changes_make(&changes, s, request);
    struct view_path path = view_path_of(&s->collect, request->sheet.format);
    struct view view = {
        .changes = &changes, .columns = columns_of(&changes), .text = &text, .path = &path};
    if (!changes.is_human)
        view.name_count = collect_name_columns(&s->collect, view.names);
    write_view(&view, out);
    changes_free(&changes);
    buf_free(&text);
    view_path_free(&path);
}
