/* perun_entry.h - what a resource of Perun is, in terms of rows: its stack, and what its amount counts.  Reader
 * and writer share this, so that the writer knows what the reader has made of an entry. */
#ifndef PROFPIPE_PERUN_ENTRY_H
#define PROFPIPE_PERUN_ENTRY_H

#include "base/arena.h"
#include "formats/perun/perun_text.h"

/* The collector, and postprocessor, of what we write (see ndjson2perun(1)), in quotes. */
#define PERUN_OWN STR("\"profpipe\"")

/* How many keys of the units a header has are looked at, and how long these may be: it has one for each type that its
 * collector knows, and as each type in the file asks for its own, their number must not grow with the file. */
enum { PERUN_UNITS = 64, PERUN_UNIT_KEY = 256 };

/* What a file says of all its resources.  Strings are values as the file spells them; p is NULL where there is none. */
struct perun_file {
    enum {
        PERUN_OF_OTHER,
        PERUN_OF_MEMORY,
        PERUN_OF_KPERF,
        PERUN_OF_TRACE,
        PERUN_OF_OURS
    } producer;
    struct str type; /* of its header */
    struct perun_unit {
        struct str key, value; /* the former without quotes */
    } units[PERUN_UNITS];
    size_t unit_count;
    struct str own_type, own_unit; /* of PERUN_OF_OURS */
    bool has_exclusive; /* set by the caller: some resource has the self part of its amount, too */
};

/* What MEMBERS, those of a file as it spells them, say; what is returned borrows from that. */
struct perun_file perun_file_of(struct str members);

/* Whether resources with MEMBERS in common, and in the map with lists of the names COLUMNS, else a null p, have the
 * member NAME of their own; all as the file spells it. */
bool perun_has_own(struct str members, struct str columns, struct str name);

/* A frame: its strings are bytes, with a null p where there is none. */
struct perun_frame {
    struct str function, file;
    int64_t line, column; /* 0: unknown */
    struct str
        others; /* members that are none of these, as the file spells them, each with a comma in front */
};

/* Frames, innermost first.  All zero is none. */
struct perun_stack {
    struct perun_frame *frames;
    size_t depth, capacity;
    struct arena arena; /* for their strings */
};

/* Makes STACK that of ENTRY, members of a resource as the file OF spells them. */
void perun_stack_read(struct perun_stack *stack, const struct perun_file *of, struct str entry);

/* Frees what STACK holds. */
void perun_stack_free(struct perun_stack *stack);

/* What an amount counts: canonical text. */
struct perun_kind {
    struct buf type, unit;
};

/* The types of the self part of an amount, and of memory that is freed. */
#define PERUN_EXCLUSIVE STR("exclusive")
#define PERUN_FREED STR("dealloc_size")

/* Makes KIND that of ENTRY, members of a resource as the file OF spells them. */
void perun_kind_read(struct perun_kind *kind, const struct perun_file *of, struct str entry);

/* Whether the value VALUE, as the file spells it, is one in UNIT, canonical text: a number, or a string with one and
 * perhaps that unit.  Then *NUMBER is that, whose text may go to SCRATCH; *IS_REPORTED: the row tells how it is
 * spelled. */
bool perun_value(struct str value, struct str unit, struct buf *scratch, struct number *number,
                 bool *is_reported);

#endif
