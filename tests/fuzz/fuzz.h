/* fuzz.h - what the harnesses share. */
#ifndef PROFPIPE_FUZZ_H
#define PROFPIPE_FUZZ_H

#include "job.h"

#include <stdint.h>

/* libFuzzer's entry. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs STAGE on INPUT in reads of at most BLOCK bytes, with the requests of MODEL: a copy of what
 * came out, for str_free; p is NULL where the stage died. */
struct str fuzz_stage(void (*stage)(void *), struct job model, struct str input, size_t block);

/* What fuzz_stage gives for STAGE, MODEL and INPUT in large reads.  Expects the same of reads of at most BLOCK
 * bytes; WHAT says so for a message. */
struct str fuzz_steady(void (*stage)(void *), struct job model, struct str input, size_t block,
                       const char *what);

/* Expects ROWS, unless p is NULL, to be a whole profile that the merge passes as it is. */
void fuzz_check_rows(struct str rows);

/* Gives INPUT to the reader STAGE with the requests of MODEL: small reads make no difference, and its rows are a whole
 * profile, which writers take.  Gives it to a tool for files of any format, too. */
void fuzz_reader(void (*stage)(void *), struct job model, struct str input);

/* Crashes, for libFuzzer to keep the input, unless GOOD. */
void fuzz_expect(bool good, const char *what);

#endif
