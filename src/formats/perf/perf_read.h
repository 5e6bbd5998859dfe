/* perf_read.h - shared by the parts of the reader of perf script text: perf_read.c reads the lines,
 * perf_read_samples.c builds samples from them, perf_read_rows.c writes the rows that samples refer
 * to. Bad text ends the tool (STATUS_INPUT). */
#ifndef PROFPIPE_PERF_READ_H
#define PROFPIPE_PERF_READ_H

#include "base/buf.h"
#include "base/intern.h"
#include "formats/bad_lines.h"
#include "formats/perf/perf.h"
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

struct perf_reader {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;
    struct place where; /* of the line being read */
    struct bad_lines bad;
    bool torn; /* the line has no line feed */

    bool has_source;
    /* the lines before the first sample, as items of a JSON list of strings */
    struct buf comments;
    struct intern headed; /* the events named in those lines */
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

    /* The sample being read. */
    enum {
        PERF_NO_SAMPLE,
        PERF_ONE_LINE, /* its frame is in its header, or it has no header */
        PERF_CHAIN,    /* frames follow */
    } state;
    bool is_weak;             /* only its frame shows that it is a sample */
    bool is_whole;            /* it may have no frames */
    struct place began;       /* where its header is */
    bool is_truncated;        /* its last line has no line feed */
    struct perf_event *event; /* NULL: it has no header */
    int64_t period;
    struct buf labels; /* dotted columns; the list of labels is still open */
    /* the text after the event in a header with a frame, until perf_finish_rest */
    struct buf rest;
    struct perf_step *steps; /* innermost first */
    size_t depth, step_capacity;
    int64_t *stack;
    size_t stack_capacity;
    int64_t sample_id;
    uint32_t count_type; /* the number of samples/count */

    struct buf name, extra, inexact, key;
};

/* --- perf_read_samples.c --- */

/* Begin a sample and end the one before. The first is for a sample without a header; the caller
 * sets the state. The second is for one with HEADER, which also contains a frame if HAS_FRAME. If a
 * number in HEADER is too large, the line is a bad line (bad_lines_note) and no sample begins. */
void perf_begin_sample(struct perf_reader *r);
void perf_begin_headed(struct perf_reader *r, const struct perf_header *header, bool has_frame);

/* Decides what the text after the event is, in a header with a frame: that frame, or plain text if
 * a chain of frames follows (IS_CHAIN). Further calls for the same sample do nothing. */
void perf_finish_rest(struct perf_reader *r, bool is_chain);

/* Adds the frame in TEXT to the sample; false if TEXT has none. */
bool perf_push_frame(struct perf_reader *r, struct str text);

/* Writes the sample being read, if there is one. */
void perf_end_sample(struct perf_reader *r);

/* --- perf_read_rows.c --- */

/* Whether EVENT is a kernel clock, whose period is a time. */
bool perf_is_clock(struct str event);

/* The event of HEADER. */
struct perf_event *perf_event_of(struct perf_reader *r, const struct perf_header *header);

/* Writes the row of the source. */
void perf_emit_source(struct perf_reader *r);

/* The mapping id of the file DSO, or 0 if that is not known. Writes the row of a new mapping. */
uint32_t perf_mapping_of(struct perf_reader *r, struct str dso);

/* Sets the stack to the locations of the steps, and writes the rows of new locations. */
void perf_finish_stack(struct perf_reader *r);

#endif
