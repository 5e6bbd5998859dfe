/* perf_read.h - text of perf script to profile rows: see perf2ndjson(1). */
#ifndef PROFPIPE_PERF_READ_H
#define PROFPIPE_PERF_READ_H

#include "base/arena.h"
#include "base/intern.h"
#include "formats/bad_lines.h"
#include "formats/format.h"
#include "formats/perf/perf_off_cpu.h"
#include "formats/perf/perf_text.h"

/* The parsed text of a frame. Its strings point into the text. */
struct perf_item {
    struct perf_frame frame;
    bool is_frame;    /* false: the text is not a frame, and the rest is not set */
    uint32_t mapping; /* of its file; 0: not known */
    /* its location when not inlined and without a source line; 0: not made yet */
    uint32_t location;
};

/* One frame of the sample. */
struct perf_step {
    uint32_t frame;   /* number of its text */
    uint32_t srcline; /* number of the text of its source line; 0: none */
    bool is_inlined;
};

/* An event, with or without a period. */
struct perf_event {
    uint32_t type;    /* number of its type; 0: only counted as a sample */
    bool is_counted;  /* it has samples/count too */
    struct str extra; /* dotted columns of its values */
};

/* What all headers of a file have, since perf prints the same fields of each sample. */
struct perf_fields {
    enum {
        PERF_NO_HEADER, /* so far */
        PERF_EVENTS,    /* a time or an event */
        PERF_PLAIN,     /* neither: perf_take_plain */
    } kind;
    bool has_first, has_thread, is_loose; /* of the first header, as in struct perf_header */
};

struct perf_reader {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;
    struct place where; /* of the line being read */
    struct bad_lines bad;
    bool torn; /* the line has no line feed */

    bool has_source;
    bool has_blank; /* an empty line has been read */
    /* the lines before the first sample, as items of a JSON list of strings */
    struct buf comments;
    struct intern headed;  /* the events named in those lines */
    struct intern built;   /* the files with build ids in those lines */
    struct str *build_ids; /* by number of the file - 1 */
    size_t build_id_capacity;
    enum {
        PERF_UNTOLD,
        PERF_TIMED,
        PERF_COUNTED
    } clocks; /* what the periods of those events are, if they have any */

    struct intern frames; /* text; its number - 1 is the index in items */
    struct perf_item *items;
    size_t item_capacity;
    struct intern srclines;  /* text */
    struct intern files;     /* files with code; the number of one is that of its mapping */
    struct intern functions; /* keys */
    /* keys of parsed texts; their number - 1 is the index in place_locations */
    struct intern places;
    uint32_t *place_locations;
    size_t place_capacity;
    struct intern locations; /* keys: different texts may have the same location */

    /* prefixed with 'p' if there is a period; number - 1 is the index in events */
    struct intern event_names;
    struct perf_event *events;
    size_t event_capacity;
    struct arena extras;

    struct perf_fields fields;

    struct perf_off_cpu *off_cpu; /* NULL: samples are what perf has printed */
    uint32_t wait_type;           /* the number of off_cpu/nanoseconds */
    int64_t waiting;              /* the thread that waits from the sample on; 0: none */
    int64_t wait_start;           /* the time of that sample */

    /* The sample being read. */
    enum {
        PERF_NO_SAMPLE,
        PERF_ONE_LINE, /* its frame is in its header, or it has no header */
        PERF_CHAIN,    /* frames follow */
    } state;
    bool is_weak;             /* only its frames show that it is a sample */
    bool is_whole;            /* it may have no frames */
    struct place began;       /* where its header is */
    bool is_truncated;        /* its last line has no line feed */
    struct perf_event *event; /* NULL: it has no header */
    int64_t period;
    bool is_plain;      /* its header is perf_take_plain's */
    struct buf columns; /* its dotted columns; the list of labels is still open */
    bool has_labels;
    /* the text after the event in a header with a frame, until finish_rest */
    struct buf rest;
    size_t frame_at;         /* index of the frame in it */
    struct buf tail;         /* what perf prints after the frames */
    bool is_tracing;         /* "tracing data:" stands behind the frames */
    struct buf trace;        /* what follows that */
    struct buf untabbed;     /* a frame */
    struct perf_step *steps; /* innermost first */
    size_t depth, step_capacity;
    uint64_t inlined; /* samples whose innermost frame is inlined */
    int64_t *stack;
    size_t stack_capacity;
    int64_t sample_id;
    uint32_t count_type; /* the number of samples/count */

    struct buf name, extra, inexact, key;
};

/* --- rows that samples refer to (perf_read_rows.c) --- */

/* Whether EVENT is a kernel clock, whose period is a time. */
bool perf_is_clock(struct str event);

/* The type of values of EVENT; of one without a name as well. */
struct str perf_type_name(struct str event);

/* The event of HEADER, valid until the next call. */
struct perf_event *perf_event_of(struct perf_reader *r, const struct perf_header *header);

/* Pushes the row of the source. */
void perf_push_source(struct perf_reader *r);

/* The mapping id of the file DSO, or 0 if that is not known. Pushes the row of a new mapping. */
uint32_t perf_mapping_of(struct perf_reader *r, struct str dso);

/* Sets r->stack to the locations of the frames of the sample. Pushes the rows of what is new. */
void perf_finish_stack(struct perf_reader *r);

/* --- samples (perf_read_samples.c) --- */

/* What to do about text that lacks what a sample needs. */
#define PERF_PRINT_FRAMES "perf script -F comm,tid,time,event,ip,sym,dso prints them"

/* Ends the sample of R, if there is one, and pushes it. */
void perf_end_sample(struct perf_reader *r);

/* Begin a sample and end the one before. The first is for a sample without a header; the caller
 * sets the state. The second is for one with HEADER, whose rest has a frame at the index FRAME_AT.
 * If a number in HEADER is too large, the line is a bad line (bad_lines_note) and no sample
 * begins. */
void perf_begin_sample(struct perf_reader *r);
void perf_begin_headed(struct perf_reader *r, const struct perf_header *header, size_t frame_at);

/* Adds the frame in TEXT to the sample; false if TEXT has none. */
bool perf_push_frame(struct perf_reader *r, struct str text);

/* Decides what the text after the event is, in a header with a frame: that frame, or plain text if
 * a chain of frames follows (IS_CHAIN). Further calls for the same sample do nothing. */
void perf_finish_rest(struct perf_reader *r, bool is_chain);

/* --- lines (perf_read_lines.c) --- */

/* LINE; a frame of older versions of report_sample.py as newer ones print it, which have the tab in
 * front of the address and not behind it. Valid until the next call. */
struct str perf_untab(struct perf_reader *r, struct str line);

/* Takes LINE, which perf_untab has seen. */
void perf_take_line(struct perf_reader *r, struct str line);

/* Frames follow, so the end of the header is not a frame. */
void perf_begin_chain(struct perf_reader *r);

/* Whether LINE is a comment. The name of a thread may also be '#'. */
bool perf_is_comment(struct str line);

/* Takes the event named by LINE of the header, borrowed from LINE; false if it names none, or one
 * that counts nothing. */
bool perf_take_event_name(struct str line, struct str *event);

#endif
