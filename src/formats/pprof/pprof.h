/* pprof.h - the reader and the writer of pprof, and their options; pprof.c joins them. */
#ifndef PROFPIPE_PPROF_H
#define PROFPIPE_PPROF_H

#include "formats/format.h"

/* The `options` of a struct read_request. */
struct pprof_read_options {
    bool expand; /* turn a sample that counts n events into n samples */
};

/* The `read` of struct format. */
void pprof_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct pprof_write_options {
    /* write one sample per row, in order, instead of sums over equal (stack, labels) */
    bool each;
    bool canonical;      /* the same samples give the same bytes, in any order */
    bool keep_addresses; /* keep a program that was loaded at two addresses apart */
    const char *types;   /* value types to write, TYPE/UNIT,...; NULL: all */
    /* key of the label that names the source of a sample; NULL: no such label */
    const char *source_key;
    bool replaces_label; /* the new label replaces labels that have this key */
    bool provenance;     /* keep where the profiles came from, in comments (provenance.h) */
    size_t max_names;    /* with at most so many names */
    int level;           /* compression level, 1 to 9; 0: not compressed */
};

extern const struct stage pprof_writer;

#endif
