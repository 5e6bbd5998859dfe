/* perf_text.h - parses single lines of perf script's output.
 *
 * Option -F of perf script selects the fields that are printed, and nothing is quoted: a thread may
 * be called "a 1 [0]", an event "cpu/cycles,name=x/u", and the path of a file may have blanks and
 * parentheses. So parsing starts from the parts that are certain: the time in the middle of a
 * header, the address before a frame, the parenthesis after it. All strings are borrowed from the
 * line. */
#ifndef PROFPIPE_PERF_TEXT_H
#define PROFPIPE_PERF_TEXT_H

#include "base/str.h"

#include <stdint.h>

/* The first line of a sample: COMM PID/TID [CPU] MISC TIME: PERIOD EVENT: REST
 * Fields that are not printed are empty. */
struct perf_header {
    struct str comm;
    struct str pid, tid, cpu; /* numbers of at most 18 digits */
    struct str misc;
    struct str seconds, fraction; /* digits of the time; the fraction has at most 9 */
    struct str period;            /* digits */
    struct str event;
    struct str rest;
};

/* Parses LINE as a header; false if it cannot begin a sample. */
bool perf_take_header(struct str line, struct perf_header *header);

/* Whether HEADER has so few fields that any text could match. */
bool perf_is_weak(const struct perf_header *header);

/* Whether the time of HEADER is in microseconds or nanoseconds, as perf prints it. */
bool perf_has_usual_time(const struct perf_header *header);

/* Whether nothing follows the event of HEADER, so that frames come next. */
bool perf_is_bare(const struct perf_header *header);

/* perf also prints records that are not samples. Returns the name of such a record, for example
 * PERF_RECORD_MMAP2, or an empty string if HEADER belongs to a sample. */
struct str perf_record(const struct perf_header *header);

/* A frame:  ADDRESS SYMBOL+OFFSET (DSO+DSO_OFFSET)  or  ADDRESS SYMBOL+OFFSET (inlined) */
struct perf_frame {
    uint64_t address, offset, dso_offset;
    bool has_offset, has_dso_offset, has_dso, is_inlined;
    struct str symbol, dso; /* empty: not printed */
};

/* Parses LINE, with the blanks before the address, as a frame; false if it is none. */
bool perf_take_frame(struct str line, struct perf_frame *frame);

/* The text after an event, or on a line of its own: a frame, perhaps with other text around it. */
struct perf_rest {
    struct str front, frame, behind; /* parts of the text; FRONT and BEHIND may be empty or blank */
};

/* Finds the frame in TEXT: perf prints its address 16 columns wide, after a blank. False if there
 * is none. */
bool perf_find_frame(struct str text, struct perf_rest *rest);

/* A source line, printed on the line after its frame. */
struct perf_srcline {
    struct str file; /* empty: not known */
    int64_t line;    /* 0: not known */
    bool is_inlined;
};

/* Parses LINE, two blanks and a source line; false if it is something else. */
bool perf_take_srcline(struct str line, struct perf_srcline *srcline);

/* S without the blanks around it. */
struct str perf_trim(struct str s);

/* perf's name for a symbol or file that it does not know. */
#define PERF_UNKNOWN STR("[unknown]")

#endif
