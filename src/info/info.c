/* The stage that describes inputs. */
#include "info/info.h"

#include "base/mem.h"
#include "info/info_parts.h"
#include "summary/request.h"
#include "table/about.h"

/* The rows of a list that people get, unless they ask for others. */
enum { ROWS = 10 };

struct info {
    struct sink sink;
    struct out *out;
    const struct info_options *options;
    struct sheet_request request;
    struct gather gather;
    bool is_open;
    size_t count;                            /* inputs so far */
    struct sheet_column columns[COLUMN_IDS]; /* of the table of inputs */
    size_t column_count;
    struct sheet_cell *cells; /* of that table, row after row */
    size_t cell_capacity;
    struct arena texts; /* of cells */
};

static struct sheet_request read_options(const struct info_options *o)
{
    struct sheet_request request = request_sheet(o->format, "max-rows", o->max, NULL, o->columns);
    if (o->max == NULL && request.format == SHEET_FORMAT_TEXT && !o->brief)
        request.max = ROWS;
    return request;
}

void info_check(const struct info_options *o)
{
    const struct sheet_request request = read_options(o);
    const bool is_listed = request.format == SHEET_FORMAT_TEXT || sheet_is_json(request.format);
    if (!o->brief && !o->columns && !is_listed)
        die(CODE_OPTIONS_CLASH,
            "%s is for tables" HINT "--brief makes one, with a row for each input",
            sheet_formats[request.format]);
}

/* --- the table of inputs --- */

/* The heading of the column ID for people. */
static struct str heading_of(enum column_id id)
{
    switch (id) {
    case COLUMN_INPUT: return STR("file");
    case COLUMN_DEPTH_MAX: return STR("depth");
    default: return columns_known[id].name;
    }
}

/* Whether people are shown the column ID. */
static bool is_for_people(enum column_id id)
{
    switch (id) {
    case COLUMN_INPUT:
    case COLUMN_FORMAT:
    case COLUMN_DATE:
    case COLUMN_DURATION:
    case COLUMN_SAMPLES:
    case COLUMN_STACKS:
    case COLUMN_DEPTH_MAX:
    case COLUMN_VALUE_TYPES: return true;
    default: return false;
    }
}

static void choose_columns(struct info *s)
{
    const enum column_id *ids = describe_columns[DESCRIBE_INPUT].ids;
    const bool is_human = sheet_is_human(&s->request);
    for (size_t i = 0; ids[i] != COLUMN_NONE; i++) {
        if (is_human && !is_for_people(ids[i]))
            continue;
        enum sheet_kind kind = describe_kind(ids[i]);
        if (is_human && ids[i] == COLUMN_DURATION)
            kind = SHEET_VALUE;
        s->columns[s->column_count++] = (struct sheet_column){
            ids[i], heading_of(ids[i]), ids[i] == COLUMN_INPUT ? SHEET_TEXT : kind, STR(""), 0};
    }
}

static void add_row(struct info *s, struct describe *d)
{
    s->cells =
        mem_array(s->cells, &s->cell_capacity, (s->count + 1) * s->column_count, sizeof *s->cells);
    for (size_t i = 0; i < s->column_count; i++) {
        struct sheet_cell cell = describe_cell(d, DESCRIBE_INPUT, 0, s->columns[i].id);
        cell.text = arena_copy(&s->texts, cell.text);
        s->cells[s->count * s->column_count + i] = cell;
    }
}

static struct sheet_cell cell_at(const void *from, size_t row, size_t column)
{
    const struct info *s = from;
    return s->cells[row * s->column_count + column];
}

static void write_table(struct info *s)
{
    struct buf title = {0};
    sheet_add_count(&title, s->count);
    buf_add(&title, s->count == 1 ? STR(" file") : STR(" files"));
    const struct sheet sheet = {
        .title = buf_str(&title),
        .columns = s->columns,
        .column_count = s->column_count,
        .row_count = s->count,
        .unit = STR("nanoseconds"),
        .cell = cell_at,
        .from = s,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
    };
    if (s->options->columns)
        about_write_sheet(&sheet, &s->request, s->out);
    else
        sheet_write(&sheet, &s->request, s->out);
    buf_free(&title);
}

/* --- descriptions --- */

/* Writes the columns of all lists. */
static void write_columns(struct info *s)
{
    struct about_row *rows = mem_alloc(COLUMN_IDS * sizeof *rows);
    size_t count = 0;
    for (enum describe_list list = 0; list < DESCRIBE_LISTS; list++)
        for (const enum column_id *id = describe_columns[list].ids; *id != COLUMN_NONE; id++)
            rows[count++] = (struct about_row){describe_columns[list].name, &columns_known[*id]};
    about_write(rows, count, &s->request, s->out);
    mem_free(rows);
}

static void write_description(struct info *s, struct describe *d)
{
    const bool is_list = s->request.format == SHEET_FORMAT_JSON;
    if (s->request.format == SHEET_FORMAT_TEXT) {
        out_write(s->out, s->count > 0 ? STR("\n") : STR(""));
        info_write_text(&s->gather, s->request.max, s->out);
        return;
    }
    out_write(s->out, !is_list ? STR("") : s->count > 0 ? STR(",\n") : STR("\n"));
    info_write_json(d, s->request.max, s->out);
    out_write(s->out, is_list ? STR("") : STR("\n"));
}

/* Writes the head of all descriptions. */
static void write_head(struct info *s)
{
    struct buf head = {0};
    buf_add(&head, STR("{\"version\":"));
    sheet_add_count(&head, COLUMNS_VERSION);
    buf_add(&head, STR(",\n\"files\":["));
    out_write(s->out, buf_str(&head));
    buf_free(&head);
}

/* --- the stage --- */

static void end_input(struct info *s)
{
    struct describe d = {.gather = &s->gather,
                         .is_json = sheet_is_json(s->request.format),
                         .is_human = sheet_is_human(&s->request)};
    gather_finish(&s->gather);
    if (s->options->brief)
        add_row(s, &d);
    else
        write_description(s, &d);
    s->count++;
    describe_free(&d);
    gather_free(&s->gather);
    s->is_open = false;
}

static void take_row(struct sink *to, struct row *row)
{
    struct info *s = (struct info *)to;
    if (row_is_end(row)) {
        end_input(s);
        return;
    }
    if (!s->is_open)
        gather_begin(&s->gather);
    s->is_open = true;
    gather_row(&s->gather, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    gather_sample(&((struct info *)to)->gather, sample);
}

static void open_info(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct info_options none;
    struct info *s = to;
    s->sink = (struct sink){flow, take_row, take_sample};
    s->out = out;
    s->options = with == NULL ? &none : with;
    s->request = read_options(s->options);
    s->gather.flow = flow;
    choose_columns(s);
    if (!s->options->brief && !s->options->columns && s->request.format == SHEET_FORMAT_JSON)
        write_head(s);
}

static void close_info(void *to)
{
    struct info *s = to;
    if (s->options->brief)
        write_table(s);
    else if (s->options->columns)
        write_columns(s);
    else if (s->request.format == SHEET_FORMAT_JSON)
        out_write(s->out, STR("\n]}\n"));
    mem_free(s->cells);
    arena_free(&s->texts);
}

const struct stage info_stage = {
    .takes = STAGE_TAKES_INPUTS,
    .leaves_rows = true,
    .state_size = sizeof(struct info),
    .open = open_info,
    .close = close_info,
};
