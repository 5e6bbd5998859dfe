#include "compare/table.h"

#include "compare/lines.h"
#include "compare/title.h"

#include <math.h>

static const char *const marks[] = {
    [MARK_NONE] = "", [MARK_NEW] = "new", [MARK_GONE] = "gone", [MARK_MOVED] = "moved"};

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
    LEAST,
    DISPERSION,
    DF,
    MARK,
    BESIDE,
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
    [LEAST] = {STR("least"), STR(""), SHEET_GIVEN},
    [DISPERSION] = {STR("dispersion"), STR(""), SHEET_GIVEN},
    [DF] = {STR("df"), STR(""), SHEET_GIVEN},
    [MARK] = {STR("mark"), STR(""), SHEET_TEXT},
    [BESIDE] = {STR("beside"), STR(""), SHEET_TEXT},
    [RANGE] = {STR(""), STR("95 % range"), SHEET_GIVEN},
    [MARKS] = {STR(""), STR(""), SHEET_GIVEN},
};

/* What is shown, ended by COLUMNS: to programs, and to people where nothing, shares or cost was tested. */
static const unsigned char for_programs[] = {
    NAME, BASE, NEW, DELTA, BASE_SHARE, NEW_SHARE,  DELTA_SHARE, GROWTH, MEASURE, LOW,
    HIGH, P,    Q,   HOLM,  LEAST,      DISPERSION, DF,          MARK,   BESIDE,  COLUMNS};
static const unsigned char for_plain[] = {NAME,   BASE,        NEW,   DELTA,
                                          GROWTH, DELTA_SHARE, MARKS, COLUMNS};
static const unsigned char for_shares[] = {NAME, BASE_SHARE, NEW_SHARE, DELTA_SHARE, RANGE,
                                           P,    Q,          MARKS,     COLUMNS};
static const unsigned char for_cost[] = {NAME, BASE, NEW, GROWTH, RANGE, P, Q, MARKS, COLUMNS};

static const unsigned char *columns_of(const struct lines *t)
{
    if (!t->are_people)
        return for_programs;
    if (!sides_can_test(t->s))
        return for_plain;
    return t->request->are_shares ? for_shares : for_cost;
}

/* How rows are shown. */
struct view {
    const struct lines *lines;
    const unsigned char *columns; /* by place */
    struct buf *text;             /* of the last cell */
};

/* --- cells --- */

/* What V says of a difference, in points, or in the unit of values. */
static double factor_of(const struct lines *t, const struct line *line)
{
    bool are_shares = line->entry != 0 && t->request->are_shares;
    return are_shares ? 100 : t->s->sample / t->request->per_op;
}

static void add_difference(struct buf *to, const struct lines *t, const struct line *line,
                           double difference)
{
    double value = difference * factor_of(t, line);
    if (line->entry != 0 && t->request->are_shares)
        lines_add_number(to, t, "%.12g", value);
    else
        lines_add_amount(to, t, value);
}

/* The range of a difference: in points, or of what cost was in percent. */
static void add_range(struct buf *to, const struct lines *t, const struct line *line)
{
    const struct moderate_test *test = &line->verdict->test;
    double factor = t->request->are_shares ? 100 : 100 / test->base;
    if (isfinite(test->low * factor))
        lines_print(to, "%+.2f to %+.2f", test->low * factor, test->high * factor);
}

static void add_marks(struct buf *to, const struct line *line)
{
    if (line->verdict->q < 0.05)
        buf_add(to, line->mark != MARK_NONE ? STR("* ") : STR("*"));
    buf_add(to, str_of(marks[line->mark]));
    if (line->beside != 0 && line->mark != MARK_MOVED)
        buf_add(to, STR(", moved"));
}

static void add_cell(struct buf *to, const struct lines *t, const struct line *line,
                     enum column column)
{
    const struct sides_verdict *v = line->verdict;
    const char *signed_number = t->are_people ? "%+.2f" : "%.10g";
    switch (column) {
    case BASE: lines_add_amount(to, t, line->base); break;
    case NEW: lines_add_amount(to, t, line->new); break;
    case DELTA: lines_add_amount(to, t, line->new - line->base); break;
    case DELTA_SHARE:
        lines_add_number(to, t, signed_number, 100 * (line->new_share - line->base_share));
        break;
    case GROWTH: lines_add_number(to, t, signed_number, lines_growth(t, line)); break;
    case LOW: add_difference(to, t, line, v->test.low); break;
    case HIGH: add_difference(to, t, line, v->test.high); break;
    case LEAST: add_difference(to, t, line, v->test.least); break;
    case P: lines_add_probability(to, t, v->test.p); break;
    case Q: lines_add_probability(to, t, v->q); break;
    case HOLM: lines_add_probability(to, t, v->holm); break;
    case DISPERSION:
        lines_add_number(to, t, "%.12g", v->test.is_tested ? v->test.dispersion : NAN);
        break;
    case DF: lines_add_number(to, t, "%.12g", v->test.is_tested ? v->test.df : NAN); break;
    case RANGE: add_range(to, t, line); break;
    case MARKS: add_marks(to, line); break;
    default: break;
    }
}

static struct str text_of(const struct view *v, const struct line *line, enum column column)
{
    const struct lines *t = v->lines;
    v->text->n = 0;
    switch (column) {
    case NAME: return line->name;
    case MEASURE: return line->entry != 0 && t->request->are_shares ? STR("share") : STR("cost");
    case MARK: return str_of(marks[line->mark]);
    case BESIDE:
        if (line->beside != 0)
            collect_add_name(&t->s->collect, line->beside, v->text);
        break;
    default: add_cell(v->text, t, line, column);
    }
    return buf_str(v->text);
}

/* For people: the sheet scales it. */
static double amount_of(const struct line *line, enum column column)
{
    return column == BASE    ? line->base
           : column == NEW   ? line->new
           : column == DELTA ? line->new - line->base
                             : 0;
}

/* What bars show, and rows are cut by: of NAME the share of both sides. */
static double share_of(const struct lines *t, const struct line *line, enum column column)
{
    switch (column) {
    case NAME: return line->verdict->share;
    case BASE_SHARE: return line->base_share;
    case NEW_SHARE: return line->new_share;
    case DELTA_SHARE: return line->new_share - line->base_share;
    default: return (line->new - line->base) * t->request->per_op;
    }
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t place)
{
    const struct view *v = from;
    const struct line *line = &v->lines->items[row];
    enum column column = v->columns[place];
    double amount = amount_of(line, column);
    return (struct sheet_cell){
        .text = text_of(v, line, column),
        .number = fabs(amount) < 1e30 ? (__int128)round(amount) : 0,
        .share = share_of(v->lines, line, column),
    };
}

/* --- the whole --- */

/* Makes COLUMNS those that V shows; returns how many there are. */
static size_t make_columns(const struct view *v, struct sheet_column *columns)
{
    size_t count = 0;
    for (; v->columns[count] != COLUMNS; count++) {
        enum column column = v->columns[count];
        columns[count] = all_columns[column];
        if (v->lines->is_scaled && (column == BASE || column == NEW || column == DELTA))
            columns[count].kind = SHEET_VALUE;
    }
    return count;
}

/* Where V shows COLUMN. */
static size_t place_of(const struct view *v, enum column column)
{
    size_t place = 0;
    while (v->columns[place] != column)
        place++;
    return place;
}

static void write_view(const struct view *v, struct out *out)
{
    const struct lines *t = v->lines;
    struct sheet_column columns[COLUMNS];
    struct buf title = {0};
    struct table_request r = *t->request;
    size_t count = make_columns(v, columns);
    if (t->are_people)
        title_make(t, &title);
    else if (r.sheet.most < SIZE_MAX)
        r.sheet.most++; /* whole runs do not count */
    struct sheet sheet = {
        .title = buf_str(&title),
        .columns = columns,
        .column_count = count,
        .row_count = t->count,
        .unit = t->unit,
        .cell = cell_of,
        .from = v,
        .judged = place_of(v, NAME),
        .drawn = place_of(v, v->columns == for_cost ? GROWTH : DELTA_SHARE),
        .draws_changes = true,
        .told = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, &r.sheet, out);
    buf_free(&title);
}

void table_write(const struct sides *s, const struct table_request *request, struct out *out)
{
    struct buf text = {0};
    struct lines lines;
    lines_make(&lines, s, request);
    struct view view = {.lines = &lines, .columns = columns_of(&lines), .text = &text};
    write_view(&view, out);
    lines_free(&lines);
    buf_free(&text);
}
