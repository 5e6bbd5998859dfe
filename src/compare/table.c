#include "compare/table.h"

#include "compare/changes.h"
#include "compare/title.h"

#include <math.h>

static const char *const marks[] = {[MARK_NONE] = "",
                                    [MARK_NEW] = "new",
                                    [MARK_GONE] = "gone",
                                    [MARK_MOVED] = "moved",
                                    [MARK_SHARE] = "share only"};

/* --- columns --- */

enum column {
    NAME,
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

static const struct sheet_column all_columns[COLUMNS] = {
    [NAME] = {STR("name"), STR("name"), SHEET_TEXT},
    [BASE] = {STR("base"), STR("base"), SHEET_GIVEN},
    [NEW] = {STR("new"), STR("new"), SHEET_GIVEN},
    [DELTA] = {STR("delta"), STR("change"), SHEET_GIVEN},
    [BASE_SHARE] = {STR("base_pct"), STR("base"), SHEET_SHARE},
    [NEW_SHARE] = {STR("new_pct"), STR("new"), SHEET_SHARE},
    [DELTA_SHARE] = {STR("delta_pct"), STR("points"), SHEET_GIVEN},
    [GROWTH] = {STR("growth_pct"), STR("growth %"), SHEET_GIVEN},
    [MEASURE] = {STR("measure"), STR(""), SHEET_TEXT},
    [LOW] = {STR("low"), STR(""), SHEET_GIVEN},
    [HIGH] = {STR("high"), STR(""), SHEET_GIVEN},
    [P] = {STR("p"), STR("p"), SHEET_GIVEN},
    [Q] = {STR("q"), STR("q"), SHEET_GIVEN},
    [HOLM] = {STR("holm"), STR(""), SHEET_GIVEN},
    [MIN] = {STR("least"), STR(""), SHEET_GIVEN},
    [DISPERSION] = {STR("dispersion"), STR(""), SHEET_GIVEN},
    [DF] = {STR("df"), STR(""), SHEET_GIVEN},
    [MARK] = {STR("mark"), STR(""), SHEET_TEXT},
    [BESIDE] = {STR("beside"), STR(""), SHEET_TEXT},
    [WAS] = {STR("was"), STR(""), SHEET_TEXT},
    [RANGE] = {STR(""), STR("95 % range"), SHEET_GIVEN},
    [MARKS] = {STR(""), STR(""), SHEET_GIVEN},
};

/* The columns shown, ending in COLUMNS: for programs; for people without a test, with a test of
 * shares, with a test of cost. */
static const unsigned char for_programs[] = {
    NAME, BASE, NEW,  DELTA, BASE_SHARE, NEW_SHARE, DELTA_SHARE, GROWTH, MEASURE, LOW,    HIGH,
    P,    Q,    HOLM, MIN,   DISPERSION, DF,        MARK,        BESIDE, WAS,     COLUMNS};
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
    const unsigned char *columns; /* by position */
    struct buf *text;             /* of the last cell */
};

/* --- cells --- */

/* The factor from the differences of V to points, or to the unit of values. */
static double factor_of(const struct changes *t, const struct change *change)
{
    bool are_shares = change->item != 0 && t->request->are_shares;
    return are_shares ? 100 : t->s->sample / t->s->divisor;
}

static void add_difference(struct buf *to, const struct changes *t, const struct change *change,
                           double difference)
{
    double value = difference * factor_of(t, change);
    if (change->item != 0 && t->request->are_shares)
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
    case LOW: add_difference(to, t, change, v->test.low); break;
    case HIGH: add_difference(to, t, change, v->test.high); break;
    case MIN: add_difference(to, t, change, v->test.min); break;
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
    case MEASURE: return change->item != 0 && t->request->are_shares ? STR("share") : STR("cost");
    case MARK: return str_of(marks[change->mark]);
    case BESIDE:
        if (change->beside != 0)
            sides_add_name(t->s, change->beside, v->text);
        break;
    case WAS:
        if (change->item != 0 && sides_is_renamed(t->s, change->item))
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
    default: return (change->new - change->base) * t->s->divisor;
    }
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t place)
{
    const struct view *v = from;
    const struct change *change = &v->changes->items[row];
    enum column column = v->columns[place];
    double amount = amount_of(change, column);
    return (struct sheet_cell){
        .text = text_of(v, change, column),
        .number = wide_of_double(fabs(amount) < 1e30 ? round(amount) : 0),
        .share = share_of(v->changes, change, column),
    };
}

/* --- the whole --- */

/* Sets COLUMNS to the columns that V shows; returns their number. */
static size_t make_columns(const struct view *v, struct sheet_column *columns)
{
    size_t count = 0;
    for (; v->columns[count] != COLUMNS; count++) {
        enum column column = v->columns[count];
        columns[count] = all_columns[column];
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
    return place;
}

static void write_view(const struct view *v, struct out *out)
{
    const struct changes *t = v->changes;
    struct sheet_column columns[COLUMNS];
    struct buf title = {0};
    struct table_request r = *t->request;
    size_t count = make_columns(v, columns);
    if (t->is_human)
        title_make(t, &title);
    else if (r.sheet.max < SIZE_MAX)
        r.sheet.max++; /* the row of whole runs does not count */
    struct sheet sheet = {
        .title = buf_str(&title),
        .columns = columns,
        .column_count = count,
        .row_count = t->count,
        .unit = t->unit,
        .cell = cell_of,
        .from = v,
        .judged = place_of(v, NAME),
        .drawn = place_of(v, t->request->are_shares || !t->is_human ? DELTA_SHARE : GROWTH),
        .draws_changes = true,
        .reported = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, &r.sheet, out);
    buf_free(&title);
}

void table_write(const struct sides *s, const struct table_request *request, struct out *out)
{
    struct buf text = {0};
    struct changes changes;
    changes_make(&changes, s, request);
    struct view view = {.changes = &changes, .columns = columns_of(&changes), .text = &text};
    write_view(&view, out);
    changes_free(&changes);
    buf_free(&text);
}
