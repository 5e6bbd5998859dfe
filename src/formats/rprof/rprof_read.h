/* rprof_read.h - what the readers of R's two profilers share: rprof_read_frames.c turns the text of
 * stacks into functions, locations and rows, rprof_read.c and rprofmem.c read what
 * stands around that.  What is wrong with the text ends the tool (STATUS_INPUT). */
#ifndef PROFPIPE_RPROF_READ_H
#define PROFPIPE_RPROF_READ_H

#include "base/buf.h"
#include "base/intern.h"
#include "formats/bad_lines.h"
#include "formats/bytes_rows.h"
#include "formats/rprof/rprof.h"
#include "formats/rprof/rprof_known.h"
#include "formats/rprof/rprof_spell.h"
#include "formats/rprof/rprof_text.h"

struct rprof_reader {
    struct in *in;
    const struct read_request *request;
    const char *from_code; /* its option */
    struct sink *sink;
    bool has_positions;                   /* FILE#LINE may stand in front of names */
    bool (*begins_line)(struct str line); /* whether LINE cannot be the rest of a name */

    struct bad_lines bad;
    struct place where;  /* of the sample or line being read */
    struct str lines;    /* whole lines, from the one being read */
    uint64_t line_count; /* of the lines of that sample */

    int64_t source_id;        /* 0: none yet */
    struct rprof_style style; /* of this source */
    struct rprof_files files; /* their meanings are numbers of paths */

    /* Paths and names are as in rows, in UTF-8 and with LF, if they were in the encoding. */
    struct intern paths;      /* file names, but for the empty one, which is 0 */
    struct intern functions;  /* path number and name */
    struct intern locations;  /* position and name, or odd text */
    struct intern frames;     /* the text of frames, of this source since its last #File line */
    struct rprof_known known; /* and of stacks */
    int64_t *frame_locations; /* by number of a frame: its location */
    size_t frame_capacity;
    int64_t sample_id;
    uint32_t types[RPROF_VALUE_COUNT]; /* their numbers in the flow; 0: not known yet */
    struct sample_value values[RPROF_VALUE_COUNT];
    size_t value_count;
    int64_t *stack; /* location ids, innermost first */
    size_t depth, stack_capacity;
    size_t open; /* bytes of the name that the text ends in */

    struct bytes_rows rows; /* of functions */
    struct buf key, text, extra, inexact, name, spelled;
};

/* Begins to read IN for REQUEST, and writes the rows to SINK. */
void rprof_open_reader(struct rprof_reader *r, struct in *in, const struct read_request *request,
                       struct sink *sink);
void rprof_close_reader(struct rprof_reader *r);

/* --- strings --- */

/* Under --strict every name is in the encoding: ends the tool unless this one is GOOD. */
void rprof_check_encoding(const struct rprof_reader *r, bool good);

/* Adds the column NAME with the text BYTES to the row's. */
void rprof_add_text(struct rprof_reader *r, struct str name, struct str bytes);

/* --- rows --- */

/* Begins the next source, of TYPE; its dotted columns are in r->extra. */
void rprof_emit_source(struct rprof_reader *r, struct str type);

/* Adds a value to those of the next sample. */
void rprof_add_value(struct rprof_reader *r, enum rprof_value_type type, int64_t value);

/* Pushes the next sample: its dotted columns are in r->extra, its locations on the stack. */
void rprof_emit_sample(struct rprof_reader *r);

/* --- lines --- */

/* The next line, at the start of r->lines, without its LF; false at the end of the input. */
bool rprof_next_line(struct rprof_reader *r, struct str *text);

/* Goes on behind TEXT, at the start of r->lines; its LF is taken as well if WITH_LF. */
void rprof_consume(struct rprof_reader *r, struct str text, bool with_lf);

/* Whether TEXT, at the start of r->lines, ends without LF at the end of the input. */
bool rprof_is_torn(const struct rprof_reader *r, struct str text);

/* Skips what a killed run left of a line; WHAT says how it shows, NULL: no line feed. */
void rprof_skip_torn(const struct rprof_reader *r, const char *what);

/* How the frames of a sample end. */
enum rprof_frames {
    RPROF_FRAMES_WHOLE,   /* to the end */
    RPROF_FRAMES_IN_NAME, /* the text ends inside a name */
    RPROF_FRAMES_CUT,     /* the text ends inside a position */
    RPROF_FRAMES_GARBAGE, /* something else stands there */
    RPROF_FRAMES_NO_FILE, /* a position is in a file that has no line: that is noted (bad_lines_note) */
    RPROF_FRAMES_TORN, /* a further line is torn */
};

/* Forgets how frames are spelled: positions mean something else from here on. */
void rprof_forget_frames(struct rprof_reader *r);

/* Puts the frames at the start of *REST, the end of *TEXT, on the stack, which is empty before;
 * *TEXT grows over the lines that names go on in.  *REST is then what stands behind the last. */
enum rprof_frames rprof_read_frames(struct rprof_reader *r, struct str *text, struct str *rest);

/* Notes a bad line (bad_lines_note): EXPECTED was to stand where REST does. */
void rprof_bad_garbage(struct rprof_reader *r, const char *expected, struct str rest);

/* Lets *TEXT, the lines of a bad sample, be the first of them: what follows is read by itself. */
void rprof_take_first(struct rprof_reader *r, struct str *text);

#endif
