/* pprof.h - the two halves of the pprof format, which pprof.c puts together, and their options. */
#ifndef PROFPIPE_PPROF_H
#define PROFPIPE_PPROF_H

#include "formats/format.h"

/* The `options` of a struct read_request. */
struct pprof_read_options {
    bool expand; /* a sample that counts n events becomes n samples */
};

/* The `read` of struct format. */
void pprof_read(struct in *in, const struct read_request *request, struct sink *sink);

/* The options of the writer. */
struct pprof_write_options {
    bool each;      /* a sample per row, in order, instead of sums over equal (stack, labels) */
    bool canonical; /* the same samples give the same bytes, in whatever order they came */
    bool keep_addresses;    /* one program that was loaded at two addresses is two programs */
    const char *types;      /* TYPE/UNIT,...: the value types to write; NULL: all */
    const char *source_key; /* label that names each sample's source; NULL: none */
    bool replaces_label;    /* and it takes the place of those with this key */
    int level;              /* of compression, 1 to 9; 0: the file is not compressed */
};

extern const struct stage pprof_writer;

#endif
