#include "loss.h"

#include "diag.h"
#include "intern.h"
#include "mem.h"

#include <inttypes.h>
#include <stdio.h>

/* Keys are "kind\0name". */
static struct intern keys;
static uint64_t *counts;
static size_t capacity;

void loss_add(const char *what, struct str name, uint64_t count)
{
    static struct buf key;
    key = (struct buf){0};
    buf_add(&key, (struct str){what, strlen(what) + 1});
    buf_add(&key, name);
    bool is_new;
    uint32_t id = intern_add(&keys, buf_str(&key), &is_new);
    buf_free(&key);
    counts = mem_array(counts, &capacity, id, sizeof *counts);
    counts[id - 1] = count + (is_new ? 0 : counts[id - 1]);
}

/* The kinds with their sums, in order of appearance. */
static void sum_up(struct buf *line)
{
    for (uint32_t i = 1; i <= keys.count; i++) {
        const char *what = intern_get(&keys, i).p;
        uint64_t sum = 0;
        bool first = true;
        for (uint32_t j = 1; j <= keys.count; j++)
            if (strcmp(intern_get(&keys, j).p, what) == 0) {
                first = first && j >= i;
                sum += counts[j - 1];
            }
        if (!first)
            continue;
        char number[32];
        snprintf(number, sizeof number, " (%" PRIu64 ")", sum);
        buf_add(line, i > 1 ? STR(", ") : STR(""));
        buf_add(line, str_of(what));
        buf_add(line, str_of(number));
    }
    buf_add(line, STR("\0"));
}

void loss_forget(void)
{
    intern_free(&keys);
    mem_free(counts);
    counts = NULL;
    capacity = 0;
}

void loss_report(bool lossless)
{
    if (keys.count == 0)
        return;
    for (uint32_t i = 1; i <= keys.count; i++) {
        struct str key = intern_get(&keys, i);
        size_t kind = strlen(key.p) + 1;
        note("left out: %s: %.*s (%" PRIu64 ")", key.p, (int)(key.n - kind), key.p + kind,
             counts[i - 1]);
    }
    struct buf line = {0};
    sum_up(&line);
    if (lossless)
        die(STATUS_INPUT, "--lossless: these have no place in the output: %s", line.p);
    warn("left out: %s%s", line.p, diag_level < DIAG_VERBOSE ? " (-v names them)" : "");
    buf_free(&line);
    loss_forget();
}
