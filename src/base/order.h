/* order.h - the sort function of all tools.
 *
 * qsort of the C library cannot be used: how it orders equal items differs between systems and
 * even with the memory available, but equal input must give equal output. */
#ifndef PROFPIPE_ORDER_H
#define PROFPIPE_ORDER_H

#include <stddef.h>

/* Sorts the COUNT items of SIZE bytes at ITEMS.  COMPARE returns a number below 0, 0 or above 0
 * if A comes before B, is equal to it, or comes after it.  Equal items keep their order.  Needs
 * memory for half of the items.  ITEMS may be NULL if COUNT is 0. */
void order_items(void *items, size_t count, size_t size,
                 int (*compare)(const void *a, const void *b));

/* The same, with a comparison that is passed WITH. */
void order_items_with(void *items, size_t count, size_t size,
                      int (*compare)(const void *a, const void *b, void *with), void *with);

#endif
