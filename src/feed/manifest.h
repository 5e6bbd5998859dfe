/* manifest.h - the list of inputs that --manifest writes: a line of fields between tabs for each, in
 * order, below the names of the fields. */
#ifndef PROFPIPE_MANIFEST_H
#define PROFPIPE_MANIFEST_H

#include "base/code.h"
#include "base/out.h"
#include "base/sha.h"

struct manifest;

/* What a line says of an input that was read. */
struct manifest_input {
    const char *name;
    enum code code; /* of an error in it that did not end the tool; CODE_DETAIL: none */
    uint64_t sources, samples;
    unsigned char digest[SHA256_SIZE]; /* of its bytes, decompressed */
};

/* Opens FILE as out_open does; manifest_out is that output. */
struct manifest *manifest_open(const char *file);
struct out *manifest_out(const struct manifest *m);

/* Call these before and after an input is read, the NUMBERth of all that were named, from 1. */
void manifest_begin(struct manifest *m, size_t number);
void manifest_end(struct manifest *m, const struct manifest_input *input);

/* Adds the line of the input NAME, the NUMBERth, which was left out for an error with CODE.  It may
 * come while the input before it is still being read. */
void manifest_left_out(struct manifest *m, size_t number, const char *name, enum code code);

/* Puts the file in place, and frees M. */
void manifest_close(struct manifest *m);

#endif
