#include "filters/sort.h"

#include "base/in.h"
#include "base/mem.h"
#include "base/order.h"
#include "rows/emit.h"
#include "rows/members.h"

/* Precedes the text of each row. Fields are compared in order. */
struct record {
    uint64_t keys[3];
    uint64_t line;
    uint64_t size; /* of the text, including its LF */
};

/* An inlined location: its id, the one it is inlined into, and its distance from one that is not
 * inlined (0: not known yet). */
struct sort_inlined {
    int64_t id, into;
    uint64_t level;
};

/* --- keys --- */

/* Parts of a sample. */
enum { PART_SAMPLE, PART_VALUES, PART_LOCATIONS, PART_DOTTED, PART_SHIFT = 61 };

static uint64_t in_part(uint64_t part, int64_t depth)
{
    uint64_t max = ((uint64_t)1 << PART_SHIFT) - 1;
    return part << PART_SHIFT | ((uint64_t)depth < max ? (uint64_t)depth : max);
}

static void key_of_dotted(const struct row *row, struct record *r)
{
    struct members walk = members_references(row, (struct place){0}, &findings_ignored);
    struct member m;
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_OTHER || m.integer == ROW_NULL)
            continue;
        if (m.refers == TABLE_SAMPLES) {
            r->keys[0] = ORDER_SAMPLES;
            r->keys[1] = (uint64_t)m.integer;
            r->keys[2] = in_part(PART_DOTTED, 0);
            return;
        }
        if (m.refers != TABLE_MAPPINGS)
            r->keys[0] = ORDER_REFERRING;
        else if (r->keys[0] == ORDER_DOTTED)
            r->keys[0] = ORDER_MAPPED;
    }
}

static void key_of(const struct row *row, struct record *r)
{
    memset(r->keys, 0, sizeof r->keys);
    r->keys[0] = row_order(row->table);
    switch (row->table) {
    case TABLE_MAPPINGS: r->keys[1] = (uint64_t)row->mapping.mapping_id; break;
    case TABLE_SOURCES: r->keys[1] = (uint64_t)row->source.source_id; break;
    case TABLE_FUNCTIONS: r->keys[1] = (uint64_t)row->function.function_id; break;
    case TABLE_LOCATIONS: r->keys[2] = (uint64_t)row->location.location_id; break;
    case TABLE_SAMPLES:
        r->keys[1] = (uint64_t)row->sample.sample_id;
        r->keys[2] = in_part(PART_SAMPLE, 0);
        break;
    case TABLE_SAMPLE_VALUES:
        r->keys[1] = (uint64_t)row->sample_value.sample_id;
        r->keys[2] = in_part(PART_VALUES, 0);
        break;
    case TABLE_SAMPLE_LOCATIONS:
        r->keys[1] = (uint64_t)row->sample_location.sample_id;
        r->keys[2] = in_part(PART_LOCATIONS, row->sample_location.depth);
        break;
    case TABLE_SAMPLE_TYPES:
    case TABLE_STREAKS: break;
    default: key_of_dotted(row, r);
    }
}

/* Records are not aligned. */
static struct record head_of(const char *p)
{
    struct record r;
    memcpy(&r, p, sizeof r);
    return r;
}

static int compare(const char *a, const char *b)
{
    struct record x = head_of(a), y = head_of(b);
    for (int i = 0; i < 3; i++)
        if (x.keys[i] != y.keys[i])
            return x.keys[i] < y.keys[i] ? -1 : 1;
    return (x.line > y.line) - (x.line < y.line);
}

static int by_record(const void *a, const void *b, void *records)
{
    const char *base = records;
    return compare(base + *(const size_t *)a, base + *(const size_t *)b);
}

/* --- sorted files --- */

static void sort_memory(struct sort *s)
{
    order_items_with(s->offsets, s->count, sizeof *s->offsets, by_record, s->records.p);
}

/* Reads the next record of RUN; false after the last. */
static bool read_record(struct sort_piece *piece)
{
    struct record r;
    if (piece->spool == NULL || !spool_read(piece->spool, &r, sizeof r))
        return false;
    piece->record.n = 0;
    char *p = buf_reserve(&piece->record, sizeof r + r.size + INPUT_PADDING);
    memcpy(p, &r, sizeof r);
    spool_read(piece->spool, p + sizeof r, r.size);
    piece->record.n = sizeof r + r.size;
    return true;
}

static void close_piece(struct sort_piece *piece)
{
    if (piece->spool != NULL)
        spool_close(piece->spool);
    piece->spool = NULL;
    buf_free(&piece->record);
}

static void start_piece(struct sort_piece *piece)
{
    spool_rewind(piece->spool);
    if (!read_record(piece))
        close_piece(piece);
}

/* The piece whose record comes next, of COUNT PIECES, or NULL. */
static struct sort_piece *min(struct sort_piece *pieces, size_t count)
{
    struct sort_piece *found = NULL;
    for (size_t i = 0; i < count; i++)
        if (pieces[i].spool != NULL &&
            (found == NULL || compare(pieces[i].record.p, found->record.p) < 0))
            found = &pieces[i];
    return found;
}

static void advance(struct sort_piece *piece)
{
    if (!read_record(piece))
        close_piece(piece);
}

/* If the max number of pieces is reached: the first piece to merge. Pieces of the lowest level are
 * merged, and those of further levels while these are few. So each row passes few merges, however
 * many pieces there are. */
static size_t first_to_merge(const struct sort *s)
{
    size_t first = s->piece_count;
    while (first > 0 && s->piece_count - first < SORT_WAYS / 2) {
        unsigned level = s->pieces[first - 1].level;
        while (first > 0 && s->pieces[first - 1].level == level)
            first--;
    }
    return first;
}

static void merge_pieces(struct sort *s)
{
    size_t first = first_to_merge(s), count = s->piece_count - first;
    struct sort_piece *pieces = s->pieces + first, merged = {.spool = spool_open()};
    merged.level = pieces[0].level + 1;
    for (size_t i = 0; i < count; i++)
        start_piece(&pieces[i]);
    for (struct sort_piece *piece; (piece = min(pieces, count)) != NULL; advance(piece))
        spool_write(merged.spool, buf_str(&piece->record));
    s->piece_count = first + 1;
    pieces[0] = merged;
}

/* Writes the rows in memory to a new sorted file. */
static void spill(struct sort *s)
{
    if (s->piece_count == SORT_WAYS)
        merge_pieces(s);
    sort_memory(s);
    struct spool *spool = spool_open();
    for (size_t i = 0; i < s->count; i++) {
        const char *p = s->records.p + s->offsets[i];
        spool_write(spool, (struct str){p, sizeof(struct record) + head_of(p).size});
    }
    s->pieces[s->piece_count++] = (struct sort_piece){.spool = spool};
    s->count = 0;
    s->records.n = 0;
}

static void add_record(struct sort *s, const struct record *r, struct str text)
{
    uint64_t memory = s->memory != 0 ? s->memory : (uint64_t)44 << 20;
    if (s->records.n + sizeof *r + text.n + s->count * sizeof *s->offsets > memory && s->count > 0)
        spill(s);
    s->offsets = mem_array(s->offsets, &s->capacity, s->count + 1, sizeof *s->offsets);
    s->offsets[s->count++] = s->records.n;
    buf_add(&s->records, (struct str){(const char *)r, sizeof *r});
    buf_add(&s->records, text);
}

/* --- inlined locations --- */

/* The level of a location on the path being walked. */
#define LEVEL_WALKED UINT64_MAX

static bool inlined_into(const struct row *row, int64_t *into)
{
    struct member m;
    bool found = row_has_members(row) && members_get(row, MEMBER_ID_INLINED_INTO, &m);
    *into = found ? m.integer : ROW_NULL;
    return *into != ROW_NULL;
}

static void keep_inlined(struct sort *s, const struct record *r, struct str text, int64_t id,
                         int64_t into)
{
    s->chains = mem_array(s->chains, &s->chain_capacity, s->chain_count + 1, sizeof *s->chains);
    s->chains[s->chain_count++] = (struct sort_inlined){.id = id, .into = into};
    if (id > 0 && idmap_get(&s->positions, (uint64_t)id) == 0)
        idmap_put(&s->positions, (uint64_t)id, (uint32_t)s->chain_count);
    if (s->inlined == NULL)
        s->inlined = spool_open();
    spool_write(s->inlined, (struct str){(const char *)r, sizeof *r});
    spool_write(s->inlined, text);
}

/* The chain that begins with location ID, or NULL if it is not inlined. */
static struct sort_inlined *chain_of(const struct sort *s, int64_t id)
{
    uint32_t position = id > 0 ? idmap_get(&s->positions, (uint64_t)id) : 0;
    return position == 0 ? NULL : &s->chains[position - 1];
}

/* Finds the unknown levels of C and of the locations it is inlined into. Returns false if they form
 * a circle, which then begins with C. */
static bool find_levels(const struct sort *s, struct sort_inlined *c)
{
    uint64_t count = 0;
    struct sort_inlined *outer = c;
    for (; outer != NULL && outer->level == 0; outer = chain_of(s, outer->into)) {
        outer->level = LEVEL_WALKED;
        count++;
    }
    bool is_circle = outer != NULL && outer->level == LEVEL_WALKED;
    uint64_t known = outer == NULL || is_circle ? 0 : outer->level;
    for (; count > 0; c = chain_of(s, c->into))
        c->level = known + count--;
    return !is_circle;
}

/* Adds the waiting locations, with their keys. Returns the same as sort_finish. */
static struct sort_circle add_inlined(struct sort *s)
{
    struct sort_piece piece = {.spool = s->inlined};
    struct sort_circle circle = {0};
    if (s->inlined == NULL)
        return circle;
    spool_rewind(s->inlined);
    for (size_t i = 0; read_record(&piece); i++) {
        struct record r = head_of(piece.record.p);
        if (!find_levels(s, &s->chains[i]) && circle.location_id == 0)
            circle = (struct sort_circle){r.line, s->chains[i].id};
        r.keys[1] = s->chains[i].level;
        add_record(s, &r, (struct str){piece.record.p + sizeof r, r.size});
    }
    close_piece(&piece);
    s->inlined = NULL;
    return circle;
}

/* --- all rows --- */

void sort_add(struct sort *s, const struct row *row, uint64_t line)
{
    int64_t into;
    if (s->line_out == NULL)
        s->line_out = out_open_buf(&s->line);
    s->line.n = 0;
    emit_row(s->line_out, row);
    out_flush(s->line_out);
    struct record r = {.line = line, .size = s->line.n};
    key_of(row, &r);
    if (inlined_into(row, &into))
        keep_inlined(s, &r, buf_str(&s->line), row->location.location_id, into);
    else
        add_record(s, &r, buf_str(&s->line));
}

struct sort_circle sort_finish(struct sort *s)
{
    struct sort_circle circle = add_inlined(s);
    if (s->piece_count > 0 && s->count > 0)
        spill(s);
    for (size_t i = 0; i < s->piece_count; i++)
        start_piece(&s->pieces[i]);
    sort_memory(s);
    return circle;
}

bool sort_next(struct sort *s, struct str *text, uint64_t *line)
{
    struct sort_piece *piece = min(s->pieces, s->piece_count);
    s->taken.n = 0;
    if (piece != NULL) {
        buf_add(&s->taken, buf_str(&piece->record));
        advance(piece);
    } else if (s->next < s->count) {
        const char *p = s->records.p + s->offsets[s->next++];
        buf_add(&s->taken, (struct str){p, sizeof(struct record) + head_of(p).size});
    } else {
        return false;
    }
    memset(buf_reserve(&s->taken, INPUT_PADDING), 0, INPUT_PADDING);
    struct record r = head_of(s->taken.p);
    *text = (struct str){s->taken.p + sizeof r, r.size};
    *line = r.line;
    return true;
}

void sort_free(struct sort *s)
{
    for (size_t i = 0; i < s->piece_count; i++)
        close_piece(&s->pieces[i]);
    if (s->inlined != NULL)
        spool_close(s->inlined);
    if (s->line_out != NULL)
        out_close(s->line_out);
    idmap_free(&s->positions);
    mem_free(s->chains);
    mem_free(s->offsets);
    buf_free(&s->records);
    buf_free(&s->taken);
    buf_free(&s->line);
    *s = (struct sort){0};
}
