/* Text of frames. What folded stacks cannot hold is replaced and counted; folded_text.h has the
 * syntax. */
#include "base/mem.h"
#include "formats/folded/folded_write.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- text --- */

/* Counts the name BYTES, which is written differently, or will be read differently. */
static void count_name(struct str bytes)
{
    struct buf text = {0};
    text_escape(&text, bytes);
    loss_add(LOSS_FOLDED_NAMES, buf_str(&text), 1);
    buf_free(&text);
}

static uint32_t number_text(struct folded_writer *w, struct str text)
{
    return intern_add(&w->texts, text, NULL);
}

static struct str text_of(const struct folded_writer *w, uint32_t number)
{
    return intern_get(&w->texts, number);
}

/* Appends NAME to TO in the form of a frame; false if something was replaced. */
static bool add_name(struct buf *to, struct str name)
{
    char *p = buf_reserve(to, name.n);
    bool good = true;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        p[i] = c == ';' ? ':' : c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
        good &= p[i] == c;
    }
    to->n += name.n;
    return good;
}

/* The number of the text of NAME with the mark of KIND. */
static uint32_t number_marked(struct folded_writer *w, struct str name, enum folded_kind kind)
{
    w->text.n = 0;
    buf_add(&w->text, name);
    buf_add(&w->text, folded_mark(kind));
    return number_text(w, buf_str(&w->text));
}

/* --- both ends of a stack --- */

/* How many bytes at the start of ROOT must not begin a line, or a file: they would look like a
 * comment or like another format. */
static size_t misleads(struct str root)
{
    static const struct str starts[] = {STR("#"), FOLDED_UTF_8, FOLDED_UTF_16LE, FOLDED_UTF_16BE};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (str_starts(root, starts[i]))
            return starts[i].n;
    return str_starts(root, STR("\x1f\x8b")); /* gzip */
}

static uint32_t make_root(struct folded_writer *w, uint32_t number)
{
    struct str text = text_of(w, number);
    size_t n = misleads(text);
    if (n == 0)
        return number;
    count_name(text);
    w->text.n = 0;
    buf_add(&w->text, STR("_"));
    buf_add(&w->text, (struct str){text.p + n, text.n - n});
    return number_text(w, buf_str(&w->text));
}

/* A number after a blank would be read as a count. */
static uint32_t make_leaf(struct folded_writer *w, uint32_t number)
{
    struct str text = text_of(w, number), stack = text, count;
    if (!folded_take_count(&stack, &count))
        return number;
    count_name(text);
    w->text.n = 0;
    buf_add(&w->text, text);
    w->text.p[stack.n] = '_';
    return number_text(w, buf_str(&w->text));
}

/* The texts to use for NUMBER at the ends of a stack. */
static struct folded_ends *ends_of(struct folded_writer *w, uint32_t number)
{
    if (number > w->end_capacity)
        w->ends = mem_array_zeroed(w->ends, &w->end_capacity, number, sizeof *w->ends);
    return &w->ends[number - 1];
}

static uint32_t as_root(struct folded_writer *w, uint32_t number)
{
    struct folded_ends *ends = ends_of(w, number);
    if (ends->as_root == 0)
        ends->as_root = make_root(w, number);
    return ends->as_root;
}

static uint32_t as_leaf(struct folded_writer *w, uint32_t number)
{
    struct folded_ends *ends = ends_of(w, number);
    if (ends->as_leaf == 0)
        ends->as_leaf = make_leaf(w, number);
    return ends->as_leaf;
}

/* --- rows --- */

void folded_read_mapping(struct folded_writer *w, const struct row *row)
{
    const struct profile_mapping *m = profile_add_mapping(&w->profile, row, folded_place(w));
    struct str file = profile_string_of(&w->profile, m->filename);
    enum folded_kind kind = folded_kind_of_file(file);
    bool is_all = kind != FOLDED_PLAIN && str_equal(file, folded_mapped_file(kind)) &&
                  m->start == 0 && m->limit == 0 && m->offset == 0 && m->build_id == 0 &&
                  !m->has_functions && !m->has_filenames && !m->has_line_numbers &&
                  !m->has_inline_frames;
    if (!is_all)
        loss_add_row(row);
    size_t id = (size_t)row->mapping.mapping_id;
    w->mapped = mem_array(w->mapped, &w->mapped_capacity, id, sizeof *w->mapped);
    w->mapped[id - 1] = kind;
}

void folded_read_function(struct folded_writer *w, const struct row *row)
{
    const struct profile_function *f = profile_add_function(&w->profile, row, folded_place(w));
    if (f->system_name != 0 && f->system_name != f->name)
        loss_add(LOSS_COLUMNS, STR("functions.system_name"), 1);
    if (f->filename != 0)
        loss_add(LOSS_COLUMNS, STR("functions.filename"), 1);
    if (f->start_line != 0)
        loss_add(LOSS_COLUMNS, STR("functions.start_line"), 1);
    struct str name = profile_string_of(&w->profile, f->name);
    w->text.n = 0;
    if (!add_name(&w->text, name))
        count_name(name);
    size_t id = (size_t)row->function.function_id;
    w->names = mem_array(w->names, &w->name_capacity, id, sizeof *w->names);
    w->names[id - 1] = number_text(w, buf_str(&w->text));
}

/* Counts what the location ROW, at L, holds that no frame can show. KIND is its mark. */
static void count_location(const struct row *row, const struct profile_location *l,
                           enum folded_kind kind)
{
    if (l->line != ROW_NULL && l->line != 0)
        loss_add(LOSS_COLUMNS, STR("locations.line"), 1);
    if (l->address != 0 && l->function != 0)
        loss_add_column(row, STR(".address"));
    if (l->column != 0)
        loss_add_column(row, STR(".column"));
    if (l->is_folded)
        loss_add_column(row, STR(".is_folded"));
    if (l->mapping != 0 && kind == FOLDED_PLAIN)
        loss_add_column(row, STR(".mapping_id"));
    if (l->function == 0 && l->filename != 0)
        loss_add_column(row, STR(".filename"));
}

/* The number of the placeholder text for L, a location without a function. */
static uint32_t number_nameless(struct folded_writer *w, const struct profile_location *l)
{
    w->text.n = 0;
    profile_add_stand_in(&w->text, l);
    loss_add(LOSS_FRAMES, buf_str(&w->text), 1);
    return number_text(w, buf_str(&w->text));
}

void folded_read_location(struct folded_writer *w, const struct row *row)
{
    const struct profile_location *at = profile_add_location(&w->profile, row, folded_place(w));
    const enum folded_kind kind = at->mapping == 0 ? FOLDED_PLAIN : w->mapped[at->mapping - 1];
    struct folded_location l = {.into = at->into};
    struct str name;
    bool is_there = at->into != 0;
    /* an inlined function is in the same file, which is marked there already */
    if (is_there)
        is_there = w->profile.locations[at->into - 1].mapping == at->mapping;
    count_location(row, at, is_there ? FOLDED_INLINED : kind);
    uint32_t plain = at->function == 0 ? number_nameless(w, at) : w->names[at->function - 1];
    name = text_of(w, plain);
    l.text = kind != FOLDED_PLAIN && name.n > 0 ? number_marked(w, name, kind) : plain;
    if (at->into != 0 && name.n > 0)
        l.inlined = number_marked(w, name, FOLDED_INLINED);
    else if (name.n == 0 && (at->into != 0 || kind != FOLDED_PLAIN))
        loss_add_column(row, at->into != 0 ? STR(".inlined_into") : STR(".mapping_id"));
    if (name.n == 0)
        l.into = 0; /* a mark alone would be read as a name */
    l.seems = l.text == plain ? folded_split(name, &name) : FOLDED_PLAIN;
    size_t id = (size_t)row->location.location_id;
    w->locations = mem_array(w->locations, &w->location_capacity, id, sizeof *w->locations);
    w->locations[id - 1] = l;
}

/* --- stacks --- */

/* The text of location ID, which follows OUTSIDE in the stack (0: it is outermost). */
static uint32_t frame_text(struct folded_writer *w, size_t id, uint32_t outside)
{
    static const struct row location = {.table = TABLE_LOCATIONS};
    struct folded_location *l = &w->locations[id - 1];
    if (l->into != 0 && l->into == outside)
        return l->inlined;
    if (l->into != 0)
        loss_add_column(&location, STR(".inlined_into"));
    /* the outermost frame cannot be inlined, so a reader does not take it for that */
    if (l->seems != FOLDED_PLAIN && (l->seems != FOLDED_INLINED || outside != 0)) {
        count_name(text_of(w, l->text));
        l->seems = FOLDED_PLAIN;
    }
    return l->text;
}

void folded_read_stack(struct folded_writer *w, const int64_t *ids, size_t depth)
{
    uint32_t outside = 0;
    w->depth = depth;
    w->stack = mem_array(w->stack, &w->stack_capacity, depth + 1, sizeof *w->stack);
    for (size_t i = 0; i < depth; i++) {
        uint32_t id = (uint32_t)ids[depth - 1 - i];
        w->stack[i] = frame_text(w, id, outside);
        outside = id;
    }
    if (depth > 0) {
        w->stack[0] = as_root(w, w->stack[0]);
        w->stack[depth - 1] = as_leaf(w, w->stack[depth - 1]);
    }
}
