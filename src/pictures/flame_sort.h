/* flame_sort.h - sorts stacks, outermost frame first, so that those that begin alike stand together. */
#ifndef PROFPIPE_FLAME_SORT_H
#define PROFPIPE_FLAME_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A list of numbers from 1, in an array that many of these share. */
struct flame_path {
    uint64_t begin;
    uint32_t depth;
    uint32_t set; /* tells lists of the same numbers apart */
};

/* Sorts the COUNT numbers ORDER, places in PATHS: by what these have in NUMBERS, the shorter one first where one is
 * the beginning of another, and by their sets where they have the same.  Time is that of a look at every number, and
 * of a sort of COUNT keys. */
void flame_sort(const uint32_t *numbers, const struct flame_path *paths, uint32_t *order,
                size_t count);

#endif
