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

/* The first line of a sample: COMM PID/TID [CPU] MISC DATE TIME: PERIOD EVENT: REST
 * Fields that are not printed are empty. */
struct perf_header {
    struct str comm;
    struct str pid, tid, cpu; /* numbers of at most 18 digits */
    bool is_loose;            /* TID could as well be the end of COMM: one blank is between */
    struct str misc;
    struct str date;              /* YYYY-MM-DD hh:mm:ss.FRACTION */
    struct str seconds, fraction; /* digits of the time; the fraction has at most 9 */
    bool is_micros;               /* the fraction is a number of microseconds */
    struct str period;            /* digits */
    struct str event;
    struct str rest;
};

/* Parses LINE as a header; false if it cannot begin a sample. */
bool perf_take_header(struct str line, struct perf_header *header);

/* Parses LINE as a header of simpleperf's report_sample.py, which has a tab behind the name of the
 * thread; false if it is something else. perf_take_header does so, too. */
bool perf_take_report(struct str line, struct perf_header *header);

/* Parses LINE as a header without time and event. Any text but blanks matches, so only the frames
 * below it, or the one in REST, show that it begins a sample. */
bool perf_take_plain(struct str line, struct perf_header *header);

/* Makes the thread id of HEADER the end of COMM, of which it could as well be a part. */
void perf_join_thread(struct perf_header *header);

/* Whether HEADER has so few fields that any text could match. */
bool perf_is_weak(const struct perf_header *header);

/* Whether the time of HEADER is in microseconds or nanoseconds, as perf prints it. */
bool perf_has_usual_time(const struct perf_header *header);

/* Whether nothing follows the event of HEADER, so that frames come next. */
bool perf_is_bare(const struct perf_header *header);

/* Whether nothing, or an address, follows the event of HEADER. */
bool perf_ends_event(const struct perf_header *header);

/* perf also prints records that are not samples. Returns the name of that in LINE, for example
 * PERF_RECORD_MMAP2, or an empty string if it has none. */
struct str perf_record(struct str line);

/* Whether LINE is a message that perf prints to standard error, which may end up in the same
 * file. */
bool perf_is_message(struct str line);

/* A frame:  ADDRESS SYMBOL+OFFSET (DSO+DSO_OFFSET)  or  ADDRESS SYMBOL+OFFSET (inlined) */
struct perf_frame {
    uint64_t address, offset, dso_offset;
    bool has_offset, has_dso_offset, has_dso, is_inlined;
    struct str symbol, dso; /* empty: not printed */
};

/* Parses LINE, with the blanks before the address, as a frame; false if it is none. */
bool perf_take_frame(struct str line, struct perf_frame *frame);

/* The text after the other fields of a header: a frame, perhaps with other text around it. */
struct perf_rest {
    struct str front, frame, behind; /* parts of the text; FRONT and BEHIND may be empty or blank */
};

/* Index of the frame in TEXT, with the blanks before it: perf prints its address 16 columns wide,
 * after a blank. TEXT.n if there is none. */
size_t perf_find_frame(struct str text);

/* Splits TEXT around its frame, which is at the index FRAME. */
struct perf_rest perf_split(struct str text, size_t frame);

/* The columns in which perf prints an address, at least. */
enum { PERF_ADDRESS_WIDTH = 16 };

/* The columns of the first word of LINE, an address, with the blanks before it; 0 if it is none. */
size_t perf_address_columns(struct str line);

/* Whether LINE begins with an address, so wide, and a tab: a frame of older versions of
 * report_sample.py. */
bool perf_is_tabbed_frame(struct str line);

/* Index of the first address, with its blanks, that perf has printed in LINE, 16 columns wide;
 * LINE.n if there is none. It is that of -F addr or of a frame. */
size_t perf_find_address(struct str line);

/* Index of the text in LINE after a frame: the instruction, the registers, or the branches before
 * the sample. LINE.n if there is none. */
size_t perf_find_tail(struct str line);

/* Whether LINE, which is not empty, is such text, as it follows the frames of a chain. */
bool perf_is_tail(struct str line);

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
