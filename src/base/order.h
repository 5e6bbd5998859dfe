/* order.h - the sort of all tools.
 *
 * That of the C library is no use where equal input is to give equal bytes: what it does with items that compare
 * equal differs between systems, and with the memory that there is. */
#ifndef PROFPIPE_ORDER_H
#define PROFPIPE_ORDER_H

#include <stddef.h>

/* Sorts the COUNT items of SIZE bytes at ITEMS: COMPARE returns a number below 0, 0 or above 0 where A comes
 * before B, is equal or comes after it.  Equal items stay in their order.  Takes memory for half of the items;
 * ITEMS may be NULL where there are none. */
void order_items(void *items, size_t count, size_t size,
                 int (*compare)(const void *a, const void *b));

/* The same, for a comparison that is handed WITH. */
void order_items_with(void *items, size_t count, size_t size,
                      int (*compare)(const void *a, const void *b, void *with), void *with);

#endif
