/* rprof_read.h - shared by the readers of R's two profilers: rprof_read_frames.c turns the text of
 * stacks into functions, locations and rows; rprof_read.c and rprofmem.c read the rest of the
 * lines. Bad text ends the tool (STATUS_INPUT). */
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
    const char *from_code; /* the option */
    struct sink *sink;
    bool has_positions;                   /* FILE#LINE may precede a name */
    bool (*begins_line)(struct str line); /* whether LINE cannot continue a name */

    struct bad_lines bad;
    struct place where;  /* of the sample or line being read */
    struct str lines;    /* whole lines, starting with the one being read */
    uint64_t line_count; /* number of lines of that sample */

    int64_t source_id;        /* 0: none yet */
    struct rprof_style style; /* of this source */
    struct rprof_files files; /* their values are numbers of paths */

    /* Paths and names are as in rows: in UTF-8 and with LF if they were valid in the encoding. */
    struct intern paths;      /* file names; the empty name is 0 */
    struct intern functions;  /* path number and name */
    struct intern locations;  /* position and name, or odd text */
    struct intern frames;     /* text of frames of this source, since its last #File line */
    struct rprof_known known; /* the same for stacks */
    int64_t *frame_locations; /* by number of a frame */
    size_t frame_capacity;
    int64_t sample_id;
    uint32_t types[RPROF_VALUE_COUNT]; /* numbers in the flow; 0: not known yet */
    struct sample_value values[RPROF_VALUE_COUNT];
    size_t value_count;
    int64_t *stack; /* location ids, innermost first */
    size_t depth, stack_capacity;
    size_t open; /* length of the unfinished name at the end of the text */

    struct bytes_rows rows; /* of functions */
    struct buf key, text, extra, inexact, name, spelled;
};

/* Starts to read IN for REQUEST; rows go to SINK. */
void rprof_open_reader(struct rprof_reader *r, struct in *in, const struct read_request *request,
                       struct sink *sink);
void rprof_close_reader(struct rprof_reader *r);

/* --- strings --- */

/* Under --strict every name must be valid in the encoding: ends the tool if GOOD is false. */
void rprof_check_encoding(const struct rprof_reader *r, bool good);

/* Adds a column NAME with the text BYTES to the row. */
void rprof_add_text(struct rprof_reader *r, struct str name, struct str bytes);

/* --- rows --- */

/* Starts the next source, of TYPE. Its dotted columns are in r->extra. */
void rprof_emit_source(struct rprof_reader *r, struct str type);

/* Adds a value to the next sample. */
void rprof_add_value(struct rprof_reader *r, enum rprof_value_type type, int64_t value);

/* Pushes the next sample: dotted columns from r->extra, locations from the stack. */
void rprof_emit_sample(struct rprof_reader *r);

/* --- lines --- */

/* Sets *TEXT to the next line without its LF; it is the start of r->lines. False at the end of the
 * input. */
bool rprof_next_line(struct rprof_reader *r, struct str *text);

/* Moves on after TEXT, the start of r->lines, and after its LF if WITH_LF. */
void rprof_consume(struct rprof_reader *r, struct str text, bool with_lf);

/* Whether TEXT, the start of r->lines, has no LF because the input ends. */
bool rprof_is_torn(const struct rprof_reader *r, struct str text);

/* Skips a line that a killed run left unfinished. WHAT says how that was detected; NULL: no line
 * feed. */
void rprof_skip_torn(const struct rprof_reader *r, const char *what);

/* How the list of frames of a sample ends. */
enum rprof_frames {
    RPROF_FRAMES_WHOLE,   /* at the end of the line */
    RPROF_FRAMES_IN_NAME, /* the text ends inside a name */
    RPROF_FRAMES_ENDED,   /* so does the input */
    RPROF_FRAMES_CUT,     /* the text ends inside a position */
    RPROF_FRAMES_GARBAGE, /* other text follows */
    /* a position refers to a file without a #File line: reported by bad_lines_note */
    RPROF_FRAMES_NO_FILE,
    RPROF_FRAMES_TORN, /* a later line is torn */
};

/* Empties the caches of frames: positions have a new meaning from here on. */
void rprof_forget_frames(struct rprof_reader *r);

/* Parses the frames at the start of *REST, the end of *TEXT, and puts them on the stack, which must
 * be empty. If names continue on further lines, *TEXT grows over them. *REST becomes what follows
 * the last frame. */
enum rprof_frames rprof_read_frames(struct rprof_reader *r, struct str *text, struct str *rest);

/* Reports a bad line (bad_lines_note): EXPECTED should be where REST is. */
void rprof_bad_garbage(struct rprof_reader *r, const char *expected, struct str rest);

/* Shortens *TEXT, the lines of a bad sample, to the first line. The following lines are read on
 * their own. */
void rprof_take_first(struct rprof_reader *r, struct str *text);

#endif
