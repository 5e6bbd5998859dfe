#include "base/sums.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/mem.h"

/* SUMS_BLOCK cells of a row.  The upper parts of cells that exceed 64 bits, in units of 2^64,
 * are in a block of their own, under the same number plus HIGH. */
struct sums_block {
    uint32_t row, number;
    uint32_t older; /* the next older block of this row, as an index plus 1; 0: none */
    int64_t cells[SUMS_BLOCK];
};

#define HIGH (UINT32_C(1) << 31)

/* --- pages of first columns --- */

/* Makes room for WIDTH columns of each row in the pages. */
static void widen(struct sums *s, size_t width)
{
    for (size_t page = 0; page * SUMS_PAGE < s->row_count; page++) {
        int64_t *wider = mem_alloc_zeroed(SUMS_PAGE * width * sizeof *wider);
        for (size_t row = 0; row < SUMS_PAGE; row++)
            memcpy(wider + row * width, s->pages[page] + row * s->width, s->width * sizeof *wider);
        mem_free(s->pages[page]);
        s->pages[page] = wider;
    }
    s->width = width;
}

/* Extends the pages to ROW and COLUMN, which is below SUMS_BLOCK. */
static void reach(struct sums *s, uint32_t row, uint32_t column)
{
    size_t width = s->width == 0 ? 1 : s->width;
    while (width <= column)
        width *= 2;
    if (width != s->width)
        widen(s, width);
    for (; row >= s->row_count; s->row_count += SUMS_PAGE) {
        size_t page = s->row_count / SUMS_PAGE;
        s->pages = mem_array(s->pages, &s->page_capacity, page + 1, sizeof *s->pages);
        s->pages[page] = mem_alloc_zeroed(SUMS_PAGE * width * sizeof **s->pages);
    }
}

/* --- blocks --- */

/* The slot of block NUMBER of ROW, or the free slot for it. */
static uint32_t *find_slot(const struct sums *s, uint32_t row, uint32_t number)
{
    uint32_t key[] = {row, number};
    size_t mask = s->slot_count - 1;
    for (size_t i = hash_bytes((struct str){(char *)key, sizeof key}) & mask;; i = (i + 1) & mask) {
        uint32_t at = s->slots[i];
        if (at == 0 || (s->blocks[at - 1].row == row && s->blocks[at - 1].number == number))
            return &s->slots[i];
    }
}

static void grow_slots(struct sums *s)
{
    s->slot_count = s->slot_count == 0 ? 64 : s->slot_count * 2;
    mem_free(s->slots);
    s->slots = mem_alloc_zeroed(s->slot_count * sizeof *s->slots);
    for (uint32_t i = 0; i < s->block_count; i++)
        *find_slot(s, s->blocks[i].row, s->blocks[i].number) = i + 1;
}

/* Adds the block at index AT, from 1, to the list of its row. */
static void chain(struct sums *s, uint32_t at)
{
    struct sums_block *block = &s->blocks[at - 1];
    s->newest =
        mem_array_zeroed(s->newest, &s->newest_count, (size_t)block->row + 1, sizeof *s->newest);
    block->older = s->newest[block->row];
    s->newest[block->row] = at;
}

/* Finds block NUMBER of ROW, or adds it. */
static struct sums_block *find_block(struct sums *s, uint32_t row, uint32_t number)
{
    if (s->block_count >= s->slot_count / 2)
        grow_slots(s);
    uint32_t *slot = find_slot(s, row, number);
    if (*slot != 0)
        return &s->blocks[*slot - 1];
    if (s->block_count == UINT32_MAX - 1)
        die(CODE_TOO_MANY, "more than %zu blocks of sums", s->block_count);
    s->blocks = mem_array(s->blocks, &s->block_capacity, s->block_count + 1, sizeof *s->blocks);
    s->blocks[s->block_count++] = (struct sums_block){.row = row, .number = number};
    *slot = (uint32_t)s->block_count;
    chain(s, *slot);
    return &s->blocks[*slot - 1];
}

/* --- cells --- */

/* The lower 64 bits of the cell of ROW and COLUMN. */
static int64_t *find_cell(struct sums *s, uint32_t row, uint32_t column)
{
    if (column >= SUMS_BLOCK)
        return &find_block(s, row, column / SUMS_BLOCK)->cells[column % SUMS_BLOCK];
    if (row >= s->row_count || column >= s->width)
        reach(s, row, column);
    return sums_first(s, row) + column;
}

static void add_high(struct sums *s, uint32_t row, uint32_t column, int64_t n)
{
    find_block(s, row, column / SUMS_BLOCK | HIGH)->cells[column % SUMS_BLOCK] += n;
}

void sums_add_far(struct sums *s, uint32_t row, uint32_t column, int64_t value)
{
    if (value == 0)
        return;
    int64_t *cell = find_cell(s, row, column);
    /* the sum has wrapped around: it is 2^64 too small or too large */
    if (__builtin_add_overflow(*cell, value, cell))
        add_high(s, row, column, value > 0 ? 1 : -1);
}

bool sums_next(const struct sums *s, struct sums_walk *walk, struct sums_part *part)
{
    if (walk->block == 0 && walk->row < s->row_count) {
        while (walk->next < s->width) {
            *part = (struct sums_part){.column = walk->next++};
            part->n = sums_first(s, walk->row)[part->column];
            if (part->n != 0)
                return true;
        }
    }
    if (walk->block == 0) {
        walk->block = walk->row < s->newest_count ? s->newest[walk->row] : 0;
        walk->next = 0;
    }
    while (walk->block != 0) {
        const struct sums_block *block = &s->blocks[walk->block - 1];
        while (walk->next < SUMS_BLOCK) {
            part->column = (block->number & ~HIGH) * SUMS_BLOCK + walk->next;
            part->high = (block->number & HIGH) != 0;
            part->n = block->cells[walk->next++];
            if (part->n != 0)
                return true;
        }
        walk->block = block->older;
        walk->next = 0;
    }
    return false;
}

void sums_add_part(struct sums *s, uint32_t row, const struct sums_part *part)
{
    if (part->high)
        add_high(s, row, part->column, part->n);
    else
        sums_add(s, row, part->column, part->n);
}

bool sums_is_wide(const struct sums *s)
{
    for (size_t i = 0; i < s->block_count; i++)
        if (s->blocks[i].number & HIGH)
            return true;
    return false;
}

void sums_free(struct sums *s)
{
    for (size_t page = 0; page * SUMS_PAGE < s->row_count; page++)
        mem_free(s->pages[page]);
    mem_free(s->pages);
    mem_free(s->blocks);
    mem_free(s->slots);
    mem_free(s->newest);
    *s = (struct sums){0};
}

/* --- totals --- */

void sums_total_add(struct sums_total *total, const struct sums_part *part, int64_t factor)
{
    struct wide product = wide_multiply(wide_of(part->n), wide_of(factor));
    if (part->high) {
        total->high = wide_add(total->high, product);
        return;
    }
    product = wide_add(product, wide_of_unsigned(total->low));
    total->high = wide_add(total->high, wide_of(wide_high(product)));
    total->low = wide_low(product);
}

bool sums_total_fits(const struct sums_total *total, int64_t *value)
{
    *value = (int64_t)total->low;
    return wide_compare(total->high, wide_of(*value < 0 ? -1 : 0)) == 0;
}
