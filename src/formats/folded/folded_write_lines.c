/* Lines: sums by stack sorted by bytes, or single samples in order.
 *
 * To sort lines, frames are compared instead of whole lines. All frames but the last end in ';',
 * which no frame contains; the last ends in the line feed after the counts. So no frame is a prefix
 * of another, and the first pair of different frames decides. */
#include "base/bits.h"
#include "base/mem.h"
#include "base/order.h"
#include "formats/folded/folded_write.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* The sums of one line. */
struct counts {
    int64_t n[FOLDED_SIDES];
    struct decimal more[FOLDED_SIDES]; /* how much they exceed the exact value */
    bool is_there;
};

struct printer {
    struct folded_writer *w;
    unsigned columns;
    uint32_t *ranks;      /* by number of text - 1: rank of the text followed by ';' */
    stacks_place *places; /* sorted like the lines */
    uint32_t *stack;      /* of the previous line */
    size_t *ends;         /* where its frames end in the text */
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
    die(STATUS_INPUT, "the sum of \"%.*s\" in \"%.*s\" does not fit 64 bits", STR_ARG(type),
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
    struct stacks_stack x = stacks_at(stacks, *(const stacks_place *)a);
    struct stacks_stack y = stacks_at(stacks, *(const stacks_place *)b);
    size_t inner = (x.depth < y.depth ? x.depth : y.depth) - 1;
    size_t i = common_frames(&x, &y, inner);
    if (i == inner)
        return by_leaf(p, &x, &y, i);
    uint32_t of_x = p->ranks[stacks_frame(&x, i) - 1];
    return of_x < p->ranks[stacks_frame(&y, i) - 1] ? -1 : 1;
}

/* Sets p->places to all stacks, sorted like their lines; returns their number. */
static size_t sort_stacks(struct printer *p)
{
    const struct stacks *stacks = &p->w->profile.stacks;
    struct stacks_pass pass = {0};
    bool is_sorted = true;
    size_t count = 0;
    p->places = mem_alloc(((size_t)stacks->count + 1) * sizeof *p->places);
    for (; stacks_next(stacks, &pass, &p->places[count]); count++)
        is_sorted =
            is_sorted && (count == 0 || by_line(&p->places[count - 1], &p->places[count], p) < 0);
    if (!is_sorted)
        order_items_with(p->places, count, sizeof *p->places, by_line, p);
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
        struct stacks_stack stack = stacks_at(&p->w->profile.stacks, p->places[i]);
        struct counts counts = sums_of(p, &stack);
        if (!counts.is_there)
            continue;
        spell(p, take_stack(p, &stack), stack.depth);
        write_line(p, counts);
    }
    mem_free(p->ranks);
    mem_free(p->places);
}

/* --- samples --- */

/* Precedes the parts and the stack of a sample in the spool. */
struct waiting {
    uint64_t part_count, depth;
};

void folded_keep_sample(struct folded_writer *w)
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

void folded_write_lines(struct folded_writer *w)
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
        loss_add(LOSS_NEGATIVE, STR("lines"), p.negative);
    mem_free(p.stack);
    mem_free(p.ends);
    buf_free(&p.line);
}
