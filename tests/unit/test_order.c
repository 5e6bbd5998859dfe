/* The sort of all tools: right, and with equal items in the order that they had, whatever their size and number. */
#include "base/mem.h"
#include "base/order.h"
#include "job.h"
#include "tap.h"

/* An item of SIZE bytes: the key that is compared, then in what is left where it stood at first. */
struct shape {
    size_t size;
    unsigned keys; /* below this */
};

static int by_key(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_key_with(const void *a, const void *b, void *with)
{
    size_t *calls = with;
    ++*calls;
    return by_key(a, b);
}

static size_t place_of(const unsigned char *item, size_t size)
{
    size_t place = 0;
    for (size_t i = 1; i < size; i++)
        place = place << 8 | item[i];
    return place;
}

static void fill(unsigned char *items, size_t count, struct shape shape, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *item = items + i * shape.size;
        size_t place = i;
        for (size_t j = shape.size; --j > 0; place >>= 8)
            item[j] = (unsigned char)place;
        item[0] = (unsigned char)(random_next(state) % shape.keys);
    }
}

/* Whether the COUNT items are in order, each key's as they stood at first, and all there. */
static bool is_sorted(const unsigned char *items, size_t count, struct shape shape)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *item = items + i * shape.size;
        sum += place_of(item, shape.size);
        if (i > 0 && (item[0] < item[-(ptrdiff_t)shape.size] ||
                      (item[0] == item[-(ptrdiff_t)shape.size] &&
                       place_of(item, shape.size) <= place_of(item - shape.size, shape.size))))
            return false;
    }
    return count == 0 || sum == count * (count - 1) / 2;
}

static void test_orders(void)
{
    static const struct shape shapes[] = {{3, 5}, {4, 256}, {4, 2}, {8, 30}, {24, 7}, {40, 1}};
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 100, 129, 1000, 60000};
    uint64_t state = 3;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            unsigned char *items = mem_alloc(counts[j] * shapes[i].size + 1);
            fill(items, counts[j], shapes[i], &state);
            order_items(items, counts[j], shapes[i].size, by_key);
            wrong += !each(is_sorted(items, counts[j], shapes[i]), "%zu of %zu bytes", counts[j],
                           shapes[i].size);
            mem_free(items);
        }
    ok(wrong == 0, "items of any size and number, equal ones in the order they had");
}

static void test_calls(void)
{
    enum { COUNT = 4096, SIZE = 4 };
    static unsigned char items[COUNT * SIZE];
    size_t calls = 0;
    uint64_t state = 4;
    fill(items, COUNT, (struct shape){SIZE, 256}, &state);
    order_items_with(items, COUNT, SIZE, by_key_with, &calls);
    ok(is_sorted(items, COUNT, (struct shape){SIZE, 256}) && calls > COUNT, "with a context");
    calls = 0;
    order_items_with(items, COUNT, SIZE, by_key_with, &calls);
    ok(calls == COUNT - 1, "what is in order is only looked at");
    order_items(NULL, 0, SIZE, by_key);
    ok(true, "no items need no address");
}

int main(void)
{
    test_orders();
    test_calls();
    return tap_done();
}
