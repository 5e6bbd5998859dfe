/* label_add.h - the stage that adds labels to samples: the same to all, and those that the name of
 * their file says. */
#ifndef PROFPIPE_LABEL_ADD_H
#define PROFPIPE_LABEL_ADD_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/regex.h"
#include "stream/sink.h"

/* A label for all samples: bytes. */
struct label_add_fixed {
    struct str key, value;
};

/* An expression for names of files. Each of its groups with a name is a label. */
struct label_add_name {
    struct regex *regex;
    struct str keys[REGEX_PARTS]; /* by group; empty: it has no name */
    size_t part_count;
    size_t tried, matched; /* how many names of files */
};

/* What to add. All zero: nothing. */
struct label_add_options {
    struct label_add_fixed *fixed;
    struct label_add_name *names;
    size_t fixed_count, fixed_capacity, name_count, name_capacity;
};

/* Add to O the argument of --add-label, KEY=VALUE, and of --label-from-name, an expression; TEXT must
 * outlive O. End the tool (STATUS_USAGE) if it is not valid. */
void label_add_fixed(struct label_add_options *o, const char *text);
void label_add_from_name(struct label_add_options *o, const char *text);

/* Whether O adds anything. */
static inline bool label_add_is_asked(const struct label_add_options *o)
{
    return o->fixed_count + o->name_count > 0;
}

/* Warns of each expression that has matched no name. */
void label_add_report(const struct label_add_options *o);

struct label_add {
    struct sink sink;
    struct sink *next;
    struct label_add_options *options;
    struct regex_room *room;
    size_t input;      /* the number of the input that the labels below are for; 0: none yet */
    struct buf labels; /* items of `.labels`, with "," between, */
    /* the dotted columns but the time of the last sample, without and with them */
    struct buf last, made;
    struct buf whole; /* with its time, too */
    struct buf text, value;
};

/* A stage that adds what OPTIONS says to samples and pushes them to NEXT; both must outlive it. A
 * label that a sample has already is not added again. */
struct label_add label_add_of(struct sink *next, struct label_add_options *options);

/* Frees what L holds. */
void label_add_free(struct label_add *l);

#endif
