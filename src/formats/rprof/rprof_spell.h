/* rprof_spell.h - how what rows say of names, frames and files is spelled as text.
 *
 * Both halves of the format use it: the writer to spell, the reader to see where a file spells
 * something otherwise, which it then says in the row (profstream(5), `.rprof_text`). */
#ifndef PROFPIPE_RPROF_SPELL_H
#define PROFPIPE_RPROF_SPELL_H

#include "base/buf.h"
#include "base/idmap.h"

#include <stdint.h>

/* How a run spells names: with which ends of lines inside, in which encoding.  All zero is LF and
 * UTF-8. */
struct rprof_style {
    bool crlf;
    struct rprof_code *code; /* NULL: UTF-8 */
    struct buf scratch;
};

/* Makes NAME, as iconv calls it, the encoding of STYLE, which has none; false if none is known by
 * that name.  Ends the tool (STATUS_SYSTEM) where iconv fails otherwise. */
bool rprof_style_encoding(struct rprof_style *style, const char *name);

/* The same for what --from-code named, where NULL is none; ends the tool (STATUS_USAGE) if that is
 * not known. */
void rprof_style_from_code(struct rprof_style *style, const char *code);

/* Frees what STYLE holds and leaves one that is all zero. */
void rprof_style_free(struct rprof_style *style);

/* Appends RAW, bytes of a path in the file, to TO in UTF-8; returns false where it is not in the
 * encoding, and appends it as it stands. */
bool rprof_decode(struct rprof_style *style, struct str raw, struct buf *to);

/* Appends BYTES in the encoding, or as they stand where that lacks something. */
void rprof_encode(struct rprof_style *style, struct str bytes, struct buf *to);

/* The same for names, in which a run with CR LF has those for line feeds. */
bool rprof_decode_name(struct rprof_style *style, struct str raw, struct buf *to);
void rprof_encode_name(struct rprof_style *style, struct str name, struct buf *to);

/* --- the files of a run --- */

/* Which number means which path, a number of the caller's.  All zero is none.  Memory follows what
 * has been set, however large the numbers are. */
struct rprof_files {
    struct idmap places; /* by number: where in paths its path stands, from 1 */
    uint32_t *paths;
    size_t count, capacity;
    int64_t taken;    /* all numbers up to this one have a meaning */
    int64_t *numbers; /* by path: the number of its latest #File line, perhaps of an earlier run */
    size_t number_count;
};

/* Gives NUMBER, from 1, the meaning PATH. */
void rprof_files_set(struct rprof_files *f, int64_t number, uint32_t path);

/* Whether NUMBER has a meaning, which is then *PATH. */
bool rprof_files_get(const struct rprof_files *f, int64_t number, uint32_t *path);

/* The number of the latest #File line with PATH if it still means that; else 0. */
int64_t rprof_files_number(const struct rprof_files *f, uint32_t path);

/* The least number without a meaning. */
int64_t rprof_files_unused(struct rprof_files *f);

/* Forgets all numbers: another run begins. */
void rprof_files_clear(struct rprof_files *f);
void rprof_files_free(struct rprof_files *f);

/* --- lines --- */

/* A frame: where it stood and what it is called. */
struct rprof_frame {
    uint32_t path; /* 0: the empty one, or none is known */
    int64_t line;
    bool has_name; /* false: the top level */
    struct str name;
};

/* Appends FRAME to TO without the space behind it.  A frame with a name has a position unless its
 * path is empty and its line 0.  False, and nothing, where that needs a number which FILES have
 * not. */
bool rprof_spell_frame(struct rprof_style *style, const struct rprof_files *files,
                       const struct rprof_frame *frame, struct buf *to);

/* Appends `#File NUMBER: PATH` without the end of the line. */
void rprof_spell_file(struct rprof_style *style, int64_t number, struct str path, struct buf *to);

#endif
