/* label_key.h - a key of labels that a user asks for: its values in samples, and a warning if no
 * sample has it. */
#ifndef PROFPIPE_LABEL_KEY_H
#define PROFPIPE_LABEL_KEY_H

#include "profile/profile.h"

/* All zero except the key. */
struct label_key {
    struct str key;       /* bytes; set by the caller */
    bool is_found;        /* some sample has it */
    struct intern others; /* until then: some keys that samples do have */
};

/* Appends to TO the value of L, a label of P: text, or a number with its unit. */
void label_key_add_value(const struct profile *p, const struct label *l, struct buf *to);

/* Appends to TO the values of K in LABELS, which profile_labels made with P, whose `keep` numbers
 * nothing; "," stands between several. False if there is none. */
bool label_key_add(struct label_key *k, const struct profile *p, struct str labels, struct buf *to);

/* So many names are told where one is not found. */
enum { LABEL_KEY_NAMED = 8 };

/* Appends NAMES, bytes, to TO, canonical text: "; there are: a, b"; nothing if there are none. */
void label_key_add_others(const struct intern *names, struct buf *to);

/* Warns that no sample has K, and names keys that samples have: it may be misspelled. Nothing if
 * one has it. */
void label_key_warn(const struct label_key *k);

/* Ends the tool with CODE and the text of label_key_warn, which OPTION, such as "--sides: ",
 * begins. */
_Noreturn void label_key_miss(const struct label_key *k, const char *option, enum code code);

/* Frees what K holds. */
void label_key_free(struct label_key *k);

#endif
