/* rprof_spell.h - writes names, frames and files as Rprof text.
 *
 * The writer uses this to write. The reader uses it to find where a file has another spelling,
 * which it then records in the row (profstream(5), `.rprof_text`). */
#ifndef PROFPIPE_RPROF_SPELL_H
#define PROFPIPE_RPROF_SPELL_H

#include "base/buf.h"
#include "base/idmap.h"

#include <stdint.h>

/* How a run spells names: line ends inside names, and encoding. All zero is LF and UTF-8. */
struct rprof_style {
    bool crlf;
    struct rprof_code *code; /* NULL: UTF-8 */
    struct buf scratch;
};

/* Sets the encoding of STYLE, which has none yet, to NAME, as known to iconv; NAME must outlive
 * STYLE. False if iconv does not know NAME. Ends the tool (STATUS_SYSTEM) if iconv fails
 * otherwise. */
bool rprof_style_encoding(struct rprof_style *style, const char *name);

/* The same for the argument of --from-code; NULL: not given. Ends the tool (STATUS_USAGE) if it is
 * not known. */
void rprof_style_from_code(struct rprof_style *style, const char *code);

/* Frees what STYLE holds and sets it to all zero. */
void rprof_style_free(struct rprof_style *style);

/* Converts RAW, the bytes of a path in the file, to UTF-8 and appends that to TO. If RAW is not
 * valid in the encoding, appends it unchanged and returns false. */
bool rprof_decode(struct rprof_style *style, struct str raw, struct buf *to);

/* Appends BYTES to TO in the encoding, or unchanged if the encoding lacks a character. */
void rprof_encode(struct rprof_style *style, struct str bytes, struct buf *to);

/* The same for names. In a run with CR LF, line ends inside names are CR LF too. */
bool rprof_decode_name(struct rprof_style *style, struct str raw, struct buf *to);
void rprof_encode_name(struct rprof_style *style, struct str name, struct buf *to);

/* --- the files of a run --- */

/* Maps the file numbers of a run to paths, which are numbers chosen by the caller. All zero is
 * empty. Memory grows with the count of numbers, not with their size. */
struct rprof_files {
    struct idmap positions; /* by number: the index in paths, from 1 */
    uint32_t *paths;
    size_t count, capacity;
    int64_t taken;    /* all numbers up to this one are in use */
    int64_t *numbers; /* by path: the number in its latest #File line, perhaps of an earlier run */
    size_t number_count;
};

/* Assigns PATH to NUMBER, from 1. */
void rprof_files_set(struct rprof_files *f, int64_t number, uint32_t path);

/* Whether NUMBER has a path, which is then set in *PATH. */
bool rprof_files_get(const struct rprof_files *f, int64_t number, uint32_t *path);

/* The number in the latest #File line of PATH if it still has that path; else 0. */
int64_t rprof_files_number(const struct rprof_files *f, uint32_t path);

/* The smallest unused number. */
int64_t rprof_files_unused(struct rprof_files *f);

/* Removes all numbers: another run begins. */
void rprof_files_clear(struct rprof_files *f);
void rprof_files_free(struct rprof_files *f);

/* --- lines --- */

/* A frame: its position and its name. */
struct rprof_frame {
    uint32_t path; /* 0: empty or not known */
    int64_t line;
    bool has_name; /* false: the top level */
    struct str name;
};

/* Appends FRAME to TO without the space after it. A named frame gets a position, unless its path is
 * empty and its line is 0. If the position needs a file number that is not in FILES, appends
 * nothing and returns false. */
bool rprof_spell_frame(struct rprof_style *style, const struct rprof_files *files,
                       const struct rprof_frame *frame, struct buf *to);

/* Appends `#File NUMBER: PATH` without a line end. */
void rprof_spell_file(struct rprof_style *style, int64_t number, struct str path, struct buf *to);

#endif
