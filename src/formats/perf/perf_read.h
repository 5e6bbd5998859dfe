/* perf_read.h - what the parts of the reader of perf script text share: perf_read.c has the lines,
 * perf_read_samples.c the samples that come of them, perf_read_rows.c the rows that samples refer to.
 * What is wrong with the text ends the tool (STATUS_INPUT). */
#ifndef PROFPIPE_PERF_READ_H
#define PROFPIPE_PERF_READ_H

#include "base/buf.h"
#include "base/intern.h"
#include "formats/bad_lines.h"
#include "formats/perf/perf.h"
#include "formats/perf/perf_text.h"

/* What the text of a frame says; the strings are in the text. */
struct perf_item {
    struct perf_frame frame;
    bool is_frame;    /* else the text is none, and nothing else is known of it */
    uint32_t mapping; /* of its file; 0: not known */
    uint32_t
        location; /* where it stands by itself: not inlined, no place in the source; 0: not made yet */
};

/* A frame of the sample. */
struct perf_step {
    uint32_t frame;   /* number of its text */
    uint32_t srcline; /* number of the text of its place in the source; 0: none */
    bool is_inlined;
};

/* An event, as it comes with a period or without one. */
struct perf_event {
    uint32_t type;    /* number of its type; 0: it is only counted as a sample */
    bool is_counted;  /* samples/count stands beside it */
    struct str extra; /* dotted columns of its values */
};

struct perf_reader {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;
    struct place where; /* of the line being read */
    struct bad_lines bad;
    bool torn; /* it has no line feed */

    bool has_source;
    struct buf comments;  /* items of a list of strings: the lines in front of the first sample */
    struct intern headed; /* the events that these name */
    enum {
        PERF_UNTOLD,
        PERF_TIMED,
        PERF_COUNTED
    } clocks; /* what their periods are, if they have some */

    struct intern frames; /* text; the next is by its numbers - 1 */
    struct perf_item *items;
    size_t item_capacity;
    struct intern srclines;  /* text */
    struct intern files;     /* of code; the number of one is that of its mapping */
    struct intern functions; /* keys */
    struct intern places;    /* keys of what texts say; the next is by their numbers - 1 */
    uint32_t *place_locations;
    size_t place_capacity;
    struct intern locations; /* keys: texts may differ, and say the same */

    struct intern
        event_names; /* with 'p' in front where a period stands; the next is by number - 1 */
    struct perf_event *events;
    size_t event_capacity;
    struct arena extras;

    /* The sample that is being read. */
    enum {
        PERF_NO_SAMPLE,
        PERF_ONE_LINE, /* its frame stands in its header, or it has no header */
        PERF_CHAIN,    /* frames follow */
    } state;
    bool is_weak;             /* only a frame shows that it is one */
    bool is_whole;            /* it may do without frames */
    struct place began;       /* its header */
    bool is_truncated;        /* its last line is torn */
    struct perf_event *event; /* NULL: no header */
    int64_t period;
    struct buf labels;       /* dotted columns; their list is open */
    struct buf rest;         /* of its header, where a frame stands in it, until that is settled */
    struct perf_step *steps; /* innermost first */
    size_t depth, step_capacity;
    int64_t *stack;
    size_t stack_capacity;
    int64_t sample_id;
    uint32_t count_type; /* the number of samples/count */

    struct buf name, extra, inexact, key;
};

/* --- perf_read_samples.c --- */

/* Begin a sample, and end the one before: one without a header, or that of HEADER, in which a frame stands,
 * too, or not.  The state of the first is up to the caller.  Where a number of HEADER is too large, that is
 * noted (bad_lines_note), and no sample begins. */
void perf_begin_sample(struct perf_reader *r);
void perf_begin_headed(struct perf_reader *r, const struct perf_header *header, bool has_frame);

/* Settles what stands behind the event of a header that has a frame in it: it is that, or mere text where a
 * chain of frames follows.  Does so once. */
void perf_finish_rest(struct perf_reader *r, bool is_chain);

/* Adds the frame that stands in TEXT to the sample; false where none stands there. */
bool perf_push_frame(struct perf_reader *r, struct str text);

/* Writes the sample that is being read, if one is. */
void perf_end_sample(struct perf_reader *r);

/* --- perf_read_rows.c --- */

/* Whether EVENT is a clock of the kernel, whose period is a time. */
bool perf_is_clock(struct str event);

/* The event of HEADER. */
struct perf_event *perf_event_of(struct perf_reader *r, const struct perf_header *header);

/* Writes the row of the source. */
void perf_emit_source(struct perf_reader *r);

/* The id of the mapping of the file DSO, 0 where that is not known; writes its row when it is new. */
uint32_t perf_mapping_of(struct perf_reader *r, struct str dso);

/* Puts the locations of the steps on the stack, and writes the rows of those that are new. */
void perf_finish_stack(struct perf_reader *r);

#endif
