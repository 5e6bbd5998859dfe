/* A row for each model that Perun has fitted to the values of a profile. */
#include "base/mem.h"
#include "formats/perun/perun_facts.h"
#include "formats/perun/perun_text.h"
#include "rows/emit.h"
#include "summary/heading.h"
#include "summary/resources.h"
#include "summary/view.h"

struct view_models {
    struct records *records;
    struct resources *resources;
    struct perun_flat flat;
    struct buf text;
};

/* Kept for each model; followed by the name of its subject. */
struct head {
    uint32_t source; /* its entry */
};

struct view_models *view_open_models(void)
{
    static const enum column_id families[] = {COLUMN_MODELS, COLUMN_NONE};
    struct view_models *v = mem_alloc_zeroed(sizeof *v);
    v->records = records_open("models", families);
    v->resources = resources_open(v->records, COLUMN_MODELS);
    return v;
}

void view_free_models(struct view_models *v)
{
    resources_free(v->resources);
    records_free(v->records);
    perun_flat_free(&v->flat);
    buf_free(&v->text);
    mem_free(v);
}

/* Begins the row of the model in v->flat, of the source with entry ENTRY. */
static void begin_row(struct view_models *v, uint32_t entry)
{
    struct head head = {entry};
    const struct perun_cell *uid = perun_flat_find(&v->flat, STR("uid"));
    v->text.n = 0;
    buf_add(&v->text, (struct str){(char *)&head, sizeof head});
    if (uid != NULL && uid->text.p != NULL)
        buf_add(&v->text, uid->text);
    records_begin(v->records, buf_str(&v->text));
}

void view_add_model(struct view_models *v, const struct collect *c, const struct row *row)
{
    const struct place where = c->flow->where;
    struct perun_facts f;
    resources_row(v->resources, row, where);
    if (perun_table_of(row) != PERUN_MODELS || !perun_facts_read(row, PERUN_MODELS, &f))
        return;
    v->text.n = 0;
    perun_spell(&v->text, f.value, where, ".perun_models.model");
    perun_flatten(&v->flat, buf_str(&v->text));
    begin_row(v, c->source_entries[f.source - 1]);
    for (size_t i = 0; i < v->flat.count; i++)
        resources_put(v->records, COLUMN_MODELS, &v->flat.cells[i], where);
    if (f.snapshot > 0) {
        v->text.n = 0;
        emit_number(&v->text, resources_snapshot(v->resources, f.source, f.snapshot));
        struct perun_cell number = {STR("snapshots"), buf_str(&v->text), PERUN_CELL_JSON};
        resources_put(v->records, COLUMN_MODELS, &number, where);
    }
    records_end(v->records, 0);
}

/* --- the table --- */

enum { FUNCTION, SOURCE, FIXED };

static const struct sheet_column fixed[FIXED] = {
    [FUNCTION] = VIEW_COLUMN(FUNCTION, "name", TEXT),
    [SOURCE] = VIEW_COLUMN(SOURCE, "source", TEXT),
};

static struct sheet_cell cell_of(const void *from, struct str kept, size_t column, struct buf *text)
{
    struct head head;
    memcpy(&head, kept.p, sizeof head);
    if (column == SOURCE)
        collect_add_name(from, head.source, text);
    else
        buf_add(text, (struct str){kept.p + sizeof head, kept.n - sizeof head});
    return (struct sheet_cell){.text = buf_str(text)};
}

void view_model_table(struct summary *s)
{
    const struct records_fixed own = {fixed, FIXED, cell_of, &s->collect};
    const size_t count = records_count(s->models->records);
    struct buf title = {0};
    heading_add_origin(&title, &s->collect.profile);
    sheet_add_grouped_count(&title, count);
    buf_add(&title, count == 1 ? STR(" model") : STR(" models"));
    records_write(s->models->records, &own, buf_str(&title), &s->plan->request, s->out);
    buf_free(&title);
}
