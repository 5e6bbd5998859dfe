/* flame_labels.h - the sets of labels that a page lets users choose from.
 *
 * A label that has another value in nearly every sample, such as a time, is no help there: a list of a
 * million values opens for nobody, and each would make a cell of its own. */
#ifndef PROFPIPE_FLAME_LABELS_H
#define PROFPIPE_FLAME_LABELS_H

#include "pictures/flame.h"

/* Sets F->sets to the runs and labels of stacks, and F->labels, where the collection keeps labels,
 * without those whose key has more values than LIMITS_PICTURE_VALUES, which are counted as a loss
 * (LOSS_LABEL_VALUES).  Returns the set, a number in F->sets, of each set of the collection, by what
 * stacks have as labels; the caller frees it. */
uint32_t *flame_labels_make(struct flame *f);

#endif
