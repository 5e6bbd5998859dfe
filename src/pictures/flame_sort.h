/* flame_sort.h - sorts stacks, outermost frame first, so that stacks with the same callers are
 * adjacent. */
#ifndef PROFPIPE_FLAME_SORT_H
#define PROFPIPE_FLAME_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A list of numbers from 1, stored in an array shared by many lists. */
struct flame_path {
    uint64_t begin;
    uint32_t depth;
    uint32_t set; /* separates lists with the same numbers */
};

/* Sorts ORDER, COUNT indexes in PATHS: by their lists in NUMBERS, a prefix before the longer list,
 * then by their sets. Takes the time to look at each number once and to sort COUNT keys. */
void flame_sort(const uint32_t *numbers, const struct flame_path *paths, uint32_t *order,
                size_t count);

#endif
