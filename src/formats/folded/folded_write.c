/* Profile rows to folded stacks. See ndjson2folded(1) for the rules.
 *
 * Frames become text when their rows are read. A stack is a list of numbers of texts, so stacks
 * with the same text are equal, whatever their rows. The type to write is known only at the end, so
 * all types are added up. */
#include "base/amount.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/spool.h"
#include "base/units.h"
#include "formats/folded/folded.h"
#include "formats/folded/folded_text.h"
#include "profile/choice.h"
#include "profile/naming.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* The columns of a line. Sums have three columns per type: two for these sides, and one that counts
 * the values that were 0. Without that count a line of zeros would look like no line at all.
 * (amount.h knows of values that cancel out.) */
enum { FOLDED_SIDES = 2, FOLDED_ZEROS = FOLDED_SIDES, FOLDED_SUMS };

struct folded_source {
    unsigned column; /* the column of a two-column file, from 1; 0: not known */
    unsigned side;
};

struct folded_location {
    /* Numbers of texts: of the frame itself, and of the frame when inlined into location INTO. 0:
     * none. */
    uint32_t text, inlined, into;
    enum folded_kind seems; /* a reader would take TEXT for this kind, wrongly; FOLDED_PLAIN: no */
};

struct folded_writer {
    struct sink sink;
    struct folded_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the type to write */
    uint32_t counts;      /* the type samples/count */
    int power;            /* lines are in units of choice.unit times 10 to this power */

    struct folded_source *sources;
    size_t source_capacity;
    struct folded_source read; /* the part of the row being read that is kept */

    enum folded_kind *mapped; /* by mapping - 1 */
    uint32_t *names;          /* by function - 1: number of its text */
    struct folded_location *locations;
    size_t mapped_capacity, name_capacity, location_capacity;

    struct intern texts; /* of frames, as written */
    struct folded_ends { /* by number - 1; 0: not known yet */
        uint32_t as_root, as_leaf;
    } * ends;
    size_t end_capacity;

    /* The sample being read. */
    uint32_t *stack; /* texts, outermost first */
    size_t depth, stack_capacity;
    struct sums_part *parts;
    struct amount_columns digits;
    size_t part_count, part_capacity;

    struct spool *spool; /* samples, where each gets a line */
    struct buf text, scratch;
};

static inline struct place place_of(const struct folded_writer *w)
{
    return w->sink.flow->where;
}

/* === sources === */

/* Keeps MEMBER of the row of sources being read (profile.h). */
static bool folded_keep(void *writer, const struct row *row, const struct member *member,
                        uint32_t *other)
{
    struct folded_writer *w = writer;
    struct member m;
    (void)other;
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_FOLDED)
        return false;
    struct members walk = members_of(row, place_of(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    while (members_next(&facts, &m))
        if (m.id == MEMBER_ID_OF_COLUMN && m.integer <= FOLDED_SIDES)
            w->read.column = (unsigned)m.integer;
        else
            loss_add_inside(row, facts.column, m.name);
    return true;
}

/* Reads a row of sources. */
static void read_source(struct folded_writer *w, const struct row *row)
{
    w->read = (struct folded_source){0};
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    choice_add_source(&w->choice, of);
    profile_drop_source(row, of, STR("folded"));
    w->read.side = w->options.base_count > 0 ? w->sink.flow->input > w->options.base_count
                                             : w->read.column == FOLDED_SIDES;
    size_t id = w->profile.source_count;
    w->sources = mem_array(w->sources, &w->source_capacity, id, sizeof *w->sources);
    w->sources[id - 1] = w->read;
}

/* === frames === */

/* Text of frames. What folded stacks cannot hold is replaced and counted; folded_text.h has the
 * syntax. */

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

/* Read a row of .mappings, functions, locations. */
static void read_mapping(struct folded_writer *w, const struct row *row)
{
    const struct profile_mapping *m = profile_add_mapping(&w->profile, row, place_of(w));
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

static void read_function(struct folded_writer *w, const struct row *row)
{
    const struct profile_function *f = profile_add_function(&w->profile, row, place_of(w));
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
    struct buf name = {0};
    naming_add_stand_in(&name, &w->profile, l);
    loss_add(LOSS_FRAMES, buf_str(&name), 1);
    w->text.n = 0;
    add_name(&w->text, buf_str(&name));
    buf_free(&name);
    return number_text(w, buf_str(&w->text));
}

static void read_location(struct folded_writer *w, const struct row *row)
{
    const struct profile_location *at = profile_add_location(&w->profile, row, place_of(w));
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

/* Sets the stack of the sample to the DEPTH locations IDS, innermost first. */
static void read_stack(struct folded_writer *w, const int64_t *ids, size_t depth)
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

/* === lines === */

/* Lines: sums by stack sorted by bytes, or single samples in order.
 *
 * To sort lines, frames are compared instead of whole lines. All frames but the last end in ';',
 * which no frame contains; the last ends in the line feed after the counts. So no frame is a prefix
 * of another, and the first pair of different frames decides. */

/* The sums of one line. */
struct counts {
    int64_t n[FOLDED_SIDES];
    struct decimal more[FOLDED_SIDES]; /* how much they exceed the exact value */
    bool is_there;
};

struct printer {
    struct folded_writer *w;
    unsigned columns;
    uint32_t *ranks;        /* by number of text - 1: rank of the text followed by ';' */
    stacks_offset *offsets; /* sorted like the lines */
    uint32_t *stack;        /* of the previous line */
    size_t *ends;           /* where its frames end in the text */
    size_t depth, stack_capacity, end_capacity;
    struct buf line; /* its frames */
    uint64_t negative;
};

/* --- counts --- */

static _Noreturn void die_overflow(const struct folded_writer *w, uint32_t leaf)
{
    struct buf text = {0};
    text_escape(&text, intern_get(&w->texts, leaf));
    struct str type = value_types_get(&w->sink.flow->types, w->choice.chosen)->type;
    die(CODE_OVERFLOW, "the sum of \"%.*s\" in \"%.*s\" does not fit 64 bits", STR_ARG(type),
        STR_ARG(buf_str(&text)));
}

/* Adds PART to TOTALS, by side; true if something has to be written. */
static bool add_part(const struct printer *p, const struct sums_part *part, struct amount *totals)
{
    uint32_t column = amount_column(&p->w->digits, part);
    int64_t times = p->w->choice.types[column / FOLDED_SUMS].times;
    unsigned side = column % FOLDED_SUMS;
    if (times != 0 && side < FOLDED_SIDES)
        amount_add(&totals[side % p->columns], &p->w->digits, part, times);
    return times != 0;
}

/* The counts of TOTALS, for a stack that ends in LEAF. */
static struct counts counts_of(const struct printer *p, const struct amount *totals, uint32_t leaf)
{
    struct counts c = {.is_there = true};
    for (unsigned i = 0; i < p->columns; i++) {
        if (!amount_fits(&totals[i], p->w->power, &c.n[i]))
            die_overflow(p->w, leaf);
        c.more[i] = amount_rounding(&totals[i], p->w->power, c.n[i]);
    }
    return c;
}

/* --- lines --- */

/* Sets p->line to the text of p->stack, DEPTH texts. The first SAME are already there. */
static void spell(struct printer *p, size_t same, size_t depth)
{
    p->line.n = same == 0 ? 0 : p->ends[same - 1];
    p->ends = mem_array(p->ends, &p->end_capacity, depth, sizeof *p->ends);
    for (size_t i = same; i < depth; i++) {
        buf_add(&p->line, intern_get(&p->w->texts, p->stack[i]));
        buf_add(&p->line, STR(";"));
        p->ends[i] = p->line.n;
    }
    p->depth = depth;
}

static void write_line(struct printer *p, struct counts counts)
{
    struct buf *number = &p->w->scratch;
    number->n = 0;
    for (unsigned i = 0; i < p->columns; i++) {
        if (counts.n[i] < 0) {
            p->negative++; /* no reader accepts a sign */
            return;
        }
        buf_add(number, STR(" "));
        emit_number(number, counts.n[i]);
    }
    buf_add(number, STR("\n"));
    out_write(p->w->out, (struct str){p->line.p, p->line.n - 1});
    out_write(p->w->out, buf_str(number));
    for (unsigned i = 0; i < p->columns; i++)
        if (decimal_sign(counts.more[i]) != 0)
            loss_add_fraction(value_types_get(&p->w->sink.flow->types, p->w->choice.chosen)->type,
                              counts.more[i]);
}

/* --- sums --- */

static int by_text(const void *a, const void *b, void *writer)
{
    const struct intern *texts = &((struct folded_writer *)writer)->texts;
    struct str x = intern_get(texts, *(const uint32_t *)a),
               y = intern_get(texts, *(const uint32_t *)b);
    size_t n = x.n < y.n ? x.n : y.n;
    int order = n == 0 ? 0 : memcmp(x.p, y.p, n);
    if (order != 0 || x.n == y.n)
        return order;
    unsigned char next = (unsigned char)(x.n > n ? x.p[n] : y.p[n]);
    return (x.n > n) == (next > ';') ? 1 : -1;
}

static void rank_texts(struct printer *p)
{
    uint32_t count = p->w->texts.count;
    uint32_t *numbers = mem_alloc((count + 1) * sizeof *numbers);
    p->ranks = mem_alloc((count + 1) * sizeof *p->ranks);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i + 1;
    order_items_with(numbers, count, sizeof *numbers, by_text, p->w);
    for (uint32_t i = 0; i < count; i++)
        p->ranks[numbers[i] - 1] = i;
    mem_free(numbers);
}

/* The sums of STACK. */
static struct counts sums_of(const struct printer *p, const struct stacks_stack *stack)
{
    const struct stacks *stacks = &p->w->profile.stacks;
    struct sums_walk walk = {.row = stack->number};
    struct amount totals[FOLDED_SIDES] = {0};
    struct sums_part part;
    bool is_there = false;
    while (sums_next(&stacks->sums, &walk, &part))
        is_there |= add_part(p, &part, totals);
    return is_there ? counts_of(p, totals, stacks_frame(stack, stack->depth - 1))
                    : (struct counts){.is_there = false};
}

/* Appends to TO the last frame of STACK and what follows it. */
static void add_leaf(const struct printer *p, const struct stacks_stack *stack, struct buf *to)
{
    struct counts counts = sums_of(p, stack);
    buf_add(to, intern_get(&p->w->texts, stacks_frame(stack, stack->depth - 1)));
    for (unsigned i = 0; i < p->columns; i++) {
        buf_add(to, STR(" "));
        emit_number(to, counts.n[i]);
    }
}

/* Appends frame I of STACK to TO as in a line. */
static void add_frame(const struct printer *p, const struct stacks_stack *stack, size_t i,
                      struct buf *to)
{
    to->n = 0;
    if (i + 1 == stack->depth) {
        add_leaf(p, stack, to);
        return;
    }
    buf_add(to, intern_get(&p->w->texts, stacks_frame(stack, i)));
    buf_add(to, STR(";"));
}

/* The number of common frames among the first COUNT of X and Y; both have at least COUNT. */
static size_t common_frames(const struct stacks_stack *x, const struct stacks_stack *y,
                            size_t count)
{
    size_t i = 0, n = count * x->width;
    if (x->width != y->width) {
        while (i < count && stacks_frame(x, i) == stacks_frame(y, i))
            i++;
        return i;
    }
    for (; i + 8 <= n; i += 8) {
        uint64_t differ = bits_load(x->packed + i) ^ bits_load(y->packed + i);
        if (differ != 0)
            return (i + (unsigned)__builtin_ctzll(differ) / 8) / x->width;
    }
    while (i < n && x->packed[i] == y->packed[i])
        i++;
    return i / x->width;
}

/* Compares X and Y, one of which ends at frame I. */
static int by_leaf(const struct printer *p, const struct stacks_stack *x,
                   const struct stacks_stack *y, size_t i)
{
    struct folded_writer *w = p->w;
    struct str of_x = intern_get(&w->texts, stacks_frame(x, i));
    struct str of_y = intern_get(&w->texts, stacks_frame(y, i));
    size_t n = of_x.n < of_y.n ? of_x.n : of_y.n;
    int order = n == 0 ? 0 : memcmp(of_x.p, of_y.p, n);
    if (order != 0)
        return order;
    if (of_x.n == of_y.n) /* ' ' sorts before ';' */
        return x->depth == i + 1 ? -1 : 1;
    add_frame(p, x, i, &w->text);
    add_frame(p, y, i, &w->scratch);
    return str_compare(buf_str(&w->text), buf_str(&w->scratch));
}

static int by_line(const void *a, const void *b, void *printer)
{
    const struct printer *p = printer;
    const struct stacks *stacks = &p->w->profile.stacks;
    struct stacks_stack x = stacks_at(stacks, *(const stacks_offset *)a);
    struct stacks_stack y = stacks_at(stacks, *(const stacks_offset *)b);
    size_t inner = (x.depth < y.depth ? x.depth : y.depth) - 1;
    size_t i = common_frames(&x, &y, inner);
    if (i == inner)
        return by_leaf(p, &x, &y, i);
    uint32_t of_x = p->ranks[stacks_frame(&x, i) - 1];
    return of_x < p->ranks[stacks_frame(&y, i) - 1] ? -1 : 1;
}

/* Sets p->offsets to all stacks, sorted like their lines; returns their number. */
static size_t sort_stacks(struct printer *p)
{
    const struct stacks *stacks = &p->w->profile.stacks;
    struct stacks_pass pass = {0};
    bool is_sorted = true;
    size_t count = 0;
    p->offsets = mem_alloc(((size_t)stacks->count + 1) * sizeof *p->offsets);
    for (; stacks_next(stacks, &pass, &p->offsets[count]); count++)
        is_sorted =
            is_sorted && (count == 0 || by_line(&p->offsets[count - 1], &p->offsets[count], p) < 0);
    if (!is_sorted)
        order_items_with(p->offsets, count, sizeof *p->offsets, by_line, p);
    return count;
}

/* Sets p->stack to that of STACK; returns how many frames it shares with the one before. */
static size_t take_stack(struct printer *p, const struct stacks_stack *stack)
{
    size_t same = 0;
    p->stack = mem_array(p->stack, &p->stack_capacity, stack->depth, sizeof *p->stack);
    while (same < stack->depth && same < p->depth && p->stack[same] == stacks_frame(stack, same))
        same++;
    for (size_t i = same; i < stack->depth; i++)
        p->stack[i] = stacks_frame(stack, i);
    return same;
}

static void write_sums(struct printer *p)
{
    rank_texts(p);
    size_t count = sort_stacks(p);
    for (size_t i = 0; i < count; i++) {
        struct stacks_stack stack = stacks_at(&p->w->profile.stacks, p->offsets[i]);
        struct counts counts = sums_of(p, &stack);
        if (!counts.is_there)
            continue;
        spell(p, take_stack(p, &stack), stack.depth);
        write_line(p, counts);
    }
    mem_free(p->ranks);
    mem_free(p->offsets);
}

/* --- samples --- */

/* Precedes the parts and the stack of a sample in the spool. */
struct waiting {
    uint64_t part_count, depth;
};

/* Stores the sample for its line. */
static void keep_sample(struct folded_writer *w)
{
    if (!w->options.each) {
        stacks_add(&w->profile.stacks, 0, w->stack, w->depth, w->parts, w->part_count);
        return;
    }
    struct waiting head = {w->part_count, w->depth};
    spool_write(w->spool, (struct str){(const char *)&head, sizeof head});
    spool_write(w->spool, (struct str){(const char *)w->parts, w->part_count * sizeof *w->parts});
    spool_write(w->spool, (struct str){(const char *)w->stack, w->depth * sizeof *w->stack});
}

static void write_each(struct printer *p)
{
    struct folded_writer *w = p->w;
    struct waiting head;
    spool_rewind(w->spool);
    while (spool_read(w->spool, &head, sizeof head)) {
        struct amount totals[FOLDED_SIDES] = {0};
        bool is_there = false;
        w->parts = mem_array(w->parts, &w->part_capacity, head.part_count, sizeof *w->parts);
        p->stack = mem_array(p->stack, &p->stack_capacity, head.depth, sizeof *p->stack);
        spool_read(w->spool, w->parts, head.part_count * sizeof *w->parts);
        spool_read(w->spool, p->stack, head.depth * sizeof *p->stack);
        for (size_t i = 0; i < head.part_count; i++)
            is_there |= add_part(p, &w->parts[i], totals);
        if (!is_there)
            continue;
        spell(p, 0, head.depth);
        write_line(p, counts_of(p, totals, p->stack[head.depth - 1]));
    }
    spool_close(w->spool);
}

/* --- all --- */

/* Whether all sources come from files with two columns. */
static bool has_columns(const struct folded_writer *w)
{
    for (size_t i = 0; i < w->profile.source_count; i++)
        if (w->sources[i].column == 0)
            return false;
    return w->profile.source_count > 0;
}

/* Counts column numbers of sources that are not used. */
static void count_columns(const struct folded_writer *w)
{
    for (size_t i = 0; i < w->profile.source_count; i++)
        if (w->sources[i].column != 0)
            loss_add(LOSS_OWN, STR("sources..folded.column"), 1);
}

/* Writes all lines. */
static void write_lines(struct folded_writer *w)
{
    bool from_files = w->options.base_count == 0 && has_columns(w);
    struct printer p = {.w = w, .columns = w->options.base_count > 0 || from_files ? 2 : 1};
    if (!from_files)
        count_columns(w);
    if (w->options.each)
        write_each(&p);
    else
        write_sums(&p);
    if (p.negative > 0)
        loss_add(LOSS_NEGATIVE, STR(""), p.negative);
    mem_free(p.stack);
    mem_free(p.ends);
    buf_free(&p.line);
}

/* === samples and the stage === */

/* Adds X, a value of TYPE, to the sample of SOURCE. */
static void add_value(struct folded_writer *w, size_t source, uint32_t type, struct decimal x)
{
    uint32_t column = (type - 1) * FOLDED_SUMS;
    if (decimal_sign(x) != 0)
        w->part_count += amount_split(&w->digits, column + w->sources[source - 1].side, x,
                                      w->parts + w->part_count);
    else
        w->parts[w->part_count++] = (struct sums_part){.column = column + FOLDED_ZEROS, .n = 1};
}

/* Adds the value V to the sample, and the time it stands for. */
static void read_value(struct folded_writer *w, size_t source, struct sample_value *v)
{
    struct decimal exact;
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (!choice_admit(&w->choice, source, v, &exact, 1))
        return;
    add_value(w, source, v->type, exact);
    const struct choice_source *of = &w->choice.sources[source - 1];
    if (v->type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(exact) == 0, 1);
    add_value(w, source, of->time, amount_times(exact, of->period));
}

static void take_sample(struct sink *to, struct sample *sample)
{
    enum { PARTS = 2 * AMOUNT_PARTS }; /* max parts per value: of itself and of a time */
    struct folded_writer *w = (struct folded_writer *)to;
    struct place where = to->flow->where;
    w->part_count = 0;
    w->parts =
        mem_array(w->parts, &w->part_capacity, sample->value_count * PARTS, sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, (size_t)sample->source_id, &sample->values[i]);
    }
    to->flow->where = where;
    loss_add_sample(sample, where);
    read_stack(w, sample->locations, sample->depth);
    if (w->depth == 0)
        loss_add(LOSS_NO_STACK, STR(""), 1);
    else if (sample->value_count == 0)
        loss_add(LOSS_NO_COUNT, STR(""), 1);
    else if (w->part_count > 0)
        keep_sample(w);
}

static void take_row(struct sink *to, struct row *row)
{
    struct folded_writer *w = (struct folded_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_MAPPINGS: read_mapping(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

void folded_check_write_options(const struct folded_write_options *options)
{
    choice_check(options->type);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct folded_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct folded_write_options *)with;
    flow->adds_up = !w->options.each;
    w->profile.stacks.flow = flow;
    w->profile.keep = folded_keep;
    w->profile.user = w;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->choice.takes_times = true;
    choice_open(&w->choice, w->options.type, &flow->types);
    if (w->options.each)
        w->spool = spool_open();
}

/* Counts the name of the written type as lost, unless readers assume it anyway. */
static void count_choice(const struct folded_writer *w)
{
    if (w->choice.chosen == 0)
        return;
    const struct value_type *t = value_types_get(&w->sink.flow->types, w->choice.chosen);
    if (str_equal(t->type, STR("samples")) && str_equal(t->unit, STR("count")))
        return;
    struct buf name = {0};
    buf_add(&name, t->type);
    buf_add(&name, STR(" in "));
    buf_add(&name, t->unit);
    loss_add(LOSS_FOLDED_UNIT, buf_str(&name), 1);
    buf_free(&name);
}

/* Lines count samples. But if samples stand for different times, lines have those times, in
 * microseconds. */
static void finish_unit(struct folded_writer *w)
{
    struct choice *c = &w->choice;
    if (w->options.type != NULL || !choice_is_time(c) || choice_take_counts(c))
        return;
    static const struct str units[] = {STR("seconds"), STR("milliseconds"), STR("microseconds"),
                                       STR("nanoseconds")};
    enum { MICRO = -6 };
    for (int i = 0; i < (int)(sizeof units / sizeof *units); i++)
        if (units_in(c->unit, units[i]) == 1)
            w->power = MICRO + 3 * i;
    warn(CODE_GUESSED, "samples stand for different times: lines hold %s of \"%.*s\"",
         units_in(c->unit, STR("nanoseconds")) > 0 ? "microseconds" : "units",
         STR_ARG(value_types_get(c->names, c->chosen)->type));
}

static void close_writer(void *to)
{
    struct folded_writer *w = to;
    stacks_finish(&w->profile.stacks);
    choice_finish(&w->choice);
    finish_unit(w);
    choice_count_others(&w->choice);
    choice_warn(&w->choice);
    count_choice(w);
    write_lines(w);
    MEM_FREE(w->sources, w->mapped, w->names, w->locations, w->ends, w->stack, w->parts);
    buf_free(&w->text);
    buf_free(&w->scratch);
    intern_free(&w->texts);
    amount_free(&w->digits);
    choice_free(&w->choice);
    profile_free(&w->profile);
}

const struct stage folded_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct folded_writer),
    .open = open_writer,
    .close = close_writer,
};
