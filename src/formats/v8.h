/* v8.h - the frames in files of V8, which those of its several formats share. */
#ifndef PROFPIPE_V8_H
#define PROFPIPE_V8_H

#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "rows/tokens.h"

/* The members of a frame, in this order. */
#define V8_FRAME_MEMBERS "functionName", "url", "scriptId", "lineNumber", "columnNumber"
enum { V8_NAME, V8_URL, V8_SCRIPT, V8_LINE, V8_COLUMN, V8_MEMBERS };

/* A frame. Texts by their numbers, 0: none. */
struct v8_frame {
    int64_t line, column; /* as the file counts them; below 0: none */
    uint32_t name, url, script;
    uint32_t unused; /* no padding: it is a key */
};

/* A frame being read. */
struct v8_frame_text {
    struct v8_frame frame;
    unsigned seen;    /* members so far, as bits */
    unsigned plain;   /* members that need nothing but their value to be written again, as bits */
    bool is_numbered; /* the script is a number, as in old files */
    struct buf *text; /* all members, as in the file, or NULL: they are not kept */
    size_t start;     /* from here on */
};

/* All zero is empty. */
struct v8_frames {
    struct intern texts, frames;
    struct intern functions; /* as rows have them; a function and its location have one number */
    uint32_t *function_of;   /* by frame - 1 */
    struct intern lines;     /* locations with a line; their numbers follow those of functions */
    struct bytes_rows rows;
    struct buf text, extra;
};

/* An empty frame, whose text will be appended to TEXT; NULL: nobody needs it. */
struct v8_frame_text v8_frame_begin(struct buf *text);

/* Removes the text of FRAME, which must be kept and the last, from its buffer; returns it.
 * Valid until the next is appended. */
struct str v8_frame_take_text(struct v8_frame_text *frame);

/* Reads MEMBER of a frame, whose value is the current token of J, into TO. Ends the tool
 * (STATUS_INPUT) if it is of the wrong kind, or the second of its name. */
void v8_frame_member(struct v8_frames *f, struct tokens *j, unsigned member,
                     struct v8_frame_text *to);

/* The same for a whole `callFrame`. */
void v8_frame_read(struct v8_frames *f, struct tokens *j, struct v8_frame_text *to);

/* The number of the text that is the current token of J: a string, or a number as spelled. */
uint32_t v8_text(struct v8_frames *f, struct tokens *j);

/* The text NUMBER; empty for 0. Valid until the next is added. */
struct str v8_text_of(const struct v8_frames *f, uint32_t number);

/* The number of FRAME. */
uint32_t v8_frame_add(struct v8_frames *f, const struct v8_frame *frame);

/* Finds the functions of all frames; no frame may be added any more. FIRST_LINE is the number of
 * the first line in the file: 0 or 1. */
void v8_frames_finish(struct v8_frames *f, int64_t first_line);

/* The function of FRAME, after v8_frames_finish. */
static inline uint32_t v8_function(const struct v8_frames *f, uint32_t frame)
{
    return f->function_of[frame - 1];
}

/* The function NAME in the file URL that begins in LINE, 0: not known, and of which neither column
 * nor script is known; 0: there is none. After v8_frames_finish. */
uint32_t v8_frames_find(const struct v8_frames *f, struct str name, struct str url, int64_t line);

/* Pushes each function, and a location without a line in it, by its number. */
void v8_frames_push(struct v8_frames *f, struct sink *sink);

/* The location in LINE, 0: not known, of FUNCTION; pushes a new one to SINK. After v8_frames_push. */
int64_t v8_frames_line(struct v8_frames *f, struct sink *sink, uint32_t function, int64_t line);

/* Frees what F holds. */
void v8_frames_free(struct v8_frames *f);

#endif
