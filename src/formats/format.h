/* format.h - a format: how to recognise, read and write it. */
#ifndef PROFPIPE_FORMAT_H
#define PROFPIPE_FORMAT_H

#include "base/in.h"
#include "rows/row.h"
#include "stream/sink.h"
#include "stream/stage.h"

/* The options of a reader. */
struct read_request {
    const char *source_uri;  /* NULL: the name of the input, or null for standard input */
    struct number timestamp; /* seconds since 1970-01-01 UTC, or null */
    bool strict;             /* treat known faults of real producers as errors */
    enum {
        READ_BAD_LINES_END,      /* a bad line ends the tool (bad_lines.h) */
        READ_BAD_LINES_CAN_SKIP, /* the same, and the message names the option that skips it */
        READ_BAD_LINES_SKIP,
    } bad_lines;
    bool allow_empty; /* an input without a profile is not an error */
    /* max bytes of a file in memory, and of growth; 0: the default of limits.h */
    uint64_t max_size;
    const void *options; /* options of this format only, see its header; NULL: none */
};

/* Max bytes at the start of an input that a format sees when it bids: in a first look, and in the
 * longer look that follows if the highest bid was BID_LAST, BID_ASKED or BID_LIKELY. */
enum { FORMAT_HEAD = IN_START, FORMAT_LONG_HEAD = 64 << 10 };

/* How sure a format is that it can read an input, judged by the first bytes. The highest bid
 * wins. */
enum bid {
    BID_NONE,
    BID_LAST,  /* may be a damaged file of this format: used if nothing else matches */
    BID_ASKED, /* matches, but so does other text: used only by this format's own converter */
    BID_WEAK,  /* nothing speaks against it; not used for a known foreign file */
    /* the first line matches as far as it is shown; if the input ends there, BID_ASKED */
    BID_LIKELY,
    BID_SURE,
};

/* One format, defined as format_NAME at the end of format_NAME.c, or of NAME.c in a folder. */
struct format {
    const char *name;      /* in messages: "an Rprof file" */
    const char *converter; /* the tool that reads this format only, or NULL */

    /* The name of the target in messages: "not in pprof". NULL: "the output". */
    const char *target;

    /* Suffixes of file names, or prefixes with a star (words.h), separated by spaces. NULL: it
     * has none, or there is no writer. */
    const char *suffixes;
    bool suffixes_are_common; /* other files have them, too */

    /* Bids for HEAD, the start of an input. In a first look text ends with its first line
     * (in_peek_start); where no format bids for that, HEAD is all FORMAT_HEAD bytes. If the input
     * ends within the longer look, HEAD ends in a line feed. A bid depends on HEAD alone. */
    enum bid (*bid)(struct str head);

    /* Reads IN and pushes its rows to SINK: one profile, without the rows that open and end it.
     * With HAS_BORDERS: any number of profiles, with those rows. NULL: there is no reader.
     *
     * IN: nothing of it has been consumed, not even what a bid has seen. The reader reads it to its
     * end; whether it consumes what it has read last makes no difference. It does not close IN. A
     * reader of lines pushes what a line completes before it looks for more: a live input may have
     * no more yet.
     * REQUEST: borrowed for the call. An input without a profile is an error unless it says
     * allow_empty.
     * SINK: rows are pushed as sink.h says, definitions before the samples that refer to them. Ids
     * are those of this input alone. Types get their numbers from value_types_add, for each input
     * anew. The reader sets sink->flow->where to the place of what it pushes.
     * Errors: bad input ends the tool (die_at, STATUS_INPUT). Data that rows cannot hold is counted
     * as a loss (loss.h); nothing is dropped without a word. Memory that the input does not spell
     * out is held as growth.h says.
     * Ownership: the reader frees all it has allocated before it returns. An error does not return,
     * but other inputs may be read after it: its blocks of mem.h are then freed, so all else that it
     * owns belongs to such a block (mem_alloc_holder).
     * Calls: once for each input, and again from its start for one that is read twice (in_again) or
     * that a thread has left (feed/parts.h): it then pushes the same rows. Other threads may be in
     * the same function, so no variable outlives the call, unless diag_main_only stands first. */
    void (*read)(struct in *in, const struct read_request *request, struct sink *sink);
    bool has_borders;
    bool is_document;   /* not read line by line; a line may have any length */
    uint64_t byte_pays; /* growth by frames (growth.h) allowed per input byte; 0: LIMITS_BYTE */

    /* Writes a file of this format. NULL: there is no writer. */
    const struct stage *writer;
};

/* The max bytes that REQUEST allows in memory, both for one input and for what is built from it. */
uint64_t format_max_size(const struct read_request *request);

/* Returns all bytes of IN, for readers of documents. Nothing of IN may have been consumed: the
 * limit is that of the whole input. Nothing is consumed; in_consume of all of it leaves the bytes
 * where they are. They belong to IN, and are valid until it is read again or closed. Ends the tool
 * (STATUS_INPUT) where the input is larger than format_max_size(REQUEST). */
struct str format_whole(struct in *in, const struct read_request *request);

/* The URI for the sources of IN: the requested one, or the name of the input; NULL for standard
 * input. */
const char *format_source_uri(const struct read_request *request, const struct in *in);

#endif
