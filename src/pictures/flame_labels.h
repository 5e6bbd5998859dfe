/* flame_labels.h - the sets of labels that a page lets users choose from.
 *
 * A label that has another value in nearly every sample, such as a time, is no help there: a list of a
 * million values opens for nobody, and each would make a cell of its own. */
#ifndef PROFPIPE_FLAME_LABELS_H
#define PROFPIPE_FLAME_LABELS_H

#include "pictures/flame.h"

/* Sets F->labels, and F->sets to what the collection's sets are without labels whose key has more
 * values than LIMITS_PICTURE_VALUES, which are counted as a loss (LOSS_LABEL_VALUES); or without
 * any, unless KEEPS.  Returns the set, a number in F->sets, of each set of the collection, by
 * number - 1; the caller frees it. */
uint32_t *flame_labels_make(struct flame *f, bool keeps);

#endif
