/* perf_text.h - the lines that perf script prints, taken apart.
 *
 * Each field is printed or not, as -F of perf script says, and nothing is quoted: a thread may be called
 * "a 1 [0]", an event "cpu/cycles,name=x/u", and a file may have blanks and parentheses in its path.  So
 * a line is taken apart from what can be told for certain: the time in the middle of a header, the address
 * in front of a frame, the parenthesis behind it.  All strings are borrowed from the line. */
#ifndef PROFPIPE_PERF_TEXT_H
#define PROFPIPE_PERF_TEXT_H

#include "base/str.h"

#include <stdint.h>

/* The line that begins a sample:  COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: REST
 * What is not printed is empty. */
struct perf_header {
    struct str comm;
    struct str pid, tid, cpu; /* numbers of up to 18 digits */
    struct str misc;
    struct str seconds, fraction; /* of the time: digits, of the fraction at most 9 */
    struct str period;            /* digits */
    struct str event;
    struct str rest;
};

/* Takes LINE apart; false where it cannot begin a sample. */
bool perf_take_header(struct str line, struct perf_header *header);

/* Whether HEADER says so little that any text may look like it. */
bool perf_is_weak(const struct perf_header *header);

/* Whether HEADER has a time of microseconds or nanoseconds, as perf prints it. */
bool perf_has_usual_time(const struct perf_header *header);

/* Whether nothing stands behind the event of HEADER: frames are to follow. */
bool perf_is_bare(const struct perf_header *header);

/* Where perf prints no sample but a record of another kind, its name, such as PERF_RECORD_MMAP2; empty
 * where HEADER is of a sample. */
struct str perf_record(const struct perf_header *header);

/* A frame:  ADDRESS SYMBOL+OFFSET (DSO+DSO_OFFSET)  or  ADDRESS SYMBOL+OFFSET (inlined) */
struct perf_frame {
    uint64_t address, offset, dso_offset;
    bool has_offset, has_dso_offset, has_dso, is_inlined;
    struct str symbol, dso; /* empty: not printed */
};

/* Takes LINE, with the blanks in front of the address, apart; false where it is no frame. */
bool perf_take_frame(struct str line, struct perf_frame *frame);

/* What stands behind an event, or on a line by itself: a frame, and perhaps other text around it. */
struct perf_rest {
    struct str front, frame, behind; /* of the text; FRONT and BEHIND may be empty or blank */
};

/* Finds the frame in TEXT: perf gives its address 16 columns behind a blank.  False where there is none. */
bool perf_find_frame(struct str text, struct perf_rest *rest);

/* The place in the source that stands in a line behind its frame. */
struct perf_srcline {
    struct str file; /* empty: not known */
    int64_t line;    /* 0: not known */
    bool is_inlined;
};

/* Takes LINE, two blanks and that, apart; false where it is something else. */
bool perf_take_srcline(struct str line, struct perf_srcline *srcline);

/* What perf calls a symbol or a file that it does not know. */
#define PERF_UNKNOWN STR("[unknown]")

#endif
