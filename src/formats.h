/* formats.h - the list of formats, and what a format is. */
#ifndef PROFPIPE_FORMATS_H
#define PROFPIPE_FORMATS_H

#include "diag.h"
#include "feed.h"
#include "finding.h"
#include "out.h"
#include "row.h"
#include "sink.h"

/* What a reader of a format is asked for, beyond its input. */
struct read_request {
    const char *source_uri;  /* NULL: the input's name, null for standard input */
    struct number timestamp; /* seconds since 1970-01-01 UTC, or null */
    const char *from_code;   /* encoding of names, as iconv calls it; NULL: UTF-8 */
    bool strict;             /* what real producers leave behind is an error */
    bool lossless;           /* what has no place in the rows is an error */
    bool expand;             /* a sample that counts n events becomes n samples */
    uint64_t max_size;       /* most bytes of a file that is held in memory, decompressed */
};

/* What a writer of a format is asked for. */
struct write_request {
    bool each;      /* a sample per row, in order, instead of sums over equal (stack, labels) */
    bool canonical; /* the same samples give the same bytes, in whatever order they came */
    bool keep_addresses;    /* one program that was loaded at two addresses is two programs */
    const char *types;      /* TYPE/UNIT,...: the value types to write; NULL: all */
    const char *source_key; /* label that names each sample's source; NULL: none */
    bool replaces_label;    /* and it takes the place of those with this key */
    int64_t interval;       /* of every source, in microseconds; 0: as the rows say */
};

/* One format.  Each lives in a file of its own, format_NAME.c, that ends in one of these. */
struct format {
    const char *name;      /* as messages call it: "an Rprof file" */
    const char *converter; /* the tool that reads it, or NULL */

    /* Whether HEAD, the first bytes of an input, are surely this format. */
    bool (*detect)(struct str head);

    /* Writes the rows of the one profile that stands in IN to SINK, but for those that open and end
     * it; NULL where there is no reader. */
    void (*read)(struct in *in, const struct read_request *request, struct sink *sink);

    /* A stage that is pushed one merged profile, without an .end row, and writes it as a file to OUT; what
     * has no place there it counts (loss.h).  NULL where there is no writer.  FINISH ends and frees
     * it. */
    struct sink *(*write)(struct flow *flow, const struct write_request *request, struct out *out);
    void (*finish)(struct sink *writer);
    bool adds_up; /* it adds equal samples up, unless each is asked for */
};

/* The URI for the sources of IN: the one asked for, or its name; NULL for standard input. */
const char *read_source_uri(const struct read_request *request, const struct in *in);

/* Reads IN, which is of FORMAT, to SINK, and reports what has no place there: all rows of a profile
 * but those that open and end it. */
void format_read(const struct format *format, struct in *in, const struct read_request *request,
                 struct sink *sink);

/* Writes the profiles of INPUTS, which are rows, merged, to OUT as a file of FORMAT, and reports what
 * has no place there: where LOSSLESS that is an error (STATUS_INPUT). */
void format_write(const struct format *format, struct inputs *inputs,
                  const struct feed_request *wanted, bool lossless,
                  const struct write_request *request, struct out *out);

/* The format that HEAD, the first bytes of an input, belongs to; NULL when none is sure. */
const struct format *format_detect(struct str head);

/* Finds (json) that EXPECTED was to stand in the input at WHERE, and says what its first bytes, HEAD,
 * are instead: which tool reads that, or what else can be done (foreign.h).  Where TO is NULL the
 * tool ends (STATUS_INPUT). */
void format_unexpected(struct findings *to, struct place where, const char *expected,
                       struct str head);

extern const struct format format_rows, format_rprof, format_rprofmem, format_pprof,
    format_skeleton;

#endif
