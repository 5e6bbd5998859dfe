/* unite.h - the stage that takes a program which was loaded at several addresses, as each process
 * has it elsewhere, for one (--unite-addresses).
 *
 * A program is known by its build ID, or else the name of its file, with the offset in it and the
 * size in pages of 4 KiB.  Its first mapping, of all profiles, stands for the later
 * ones, and the addresses of locations in those are moved to where it is.  So rows that differ in
 * nothing else are equal for the merge, which comes next.  Mappings without a name are as they
 * were.  Memory is proportional to the distinct mappings, and those of the current profile. */
#ifndef PROFPIPE_UNITE_H
#define PROFPIPE_UNITE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "stream/sink.h"

/* The first mapping of a program. */
struct unite_program {
    uint64_t start;
    struct str columns; /* its members but the id, in the arena */
};

struct unite {
    struct sink sink;
    struct sink *next;
    struct intern keys;             /* of programs */
    struct unite_program *programs; /* by number - 1 */
    size_t program_capacity;
    struct arena arena;

    struct idmap moved; /* mappings of the current profile that are elsewhere, to numbers from 1 */
    uint64_t *shifts;   /* by number - 1: what to add to addresses, modulo 2^64 */
    size_t shift_count, shift_capacity;
    struct buf text, rest;
};

/* A stage that moves addresses in rows and pushes all to NEXT, which must outlive it.  Ends the tool
 * (STATUS_INPUT) at a mapping with an invalid member. */
struct unite unite_of(struct sink *next);

/* Frees what U holds. */
void unite_free(struct unite *u);

#endif
