/* perun_entry.h - maps a resource of Perun to rows: its stack, and what its amount counts. Reader
 * and writer share this, so the writer knows what the reader has made of an entry. */
#ifndef PROFPIPE_PERUN_ENTRY_H
#define PROFPIPE_PERUN_ENTRY_H

#include "base/arena.h"
#include "formats/perun/perun_text.h"

/* The name of the collector and postprocessor in files that we write (see ndjson2perun(1)), in
 * quotes. */
#define PERUN_OWN STR("\"profpipe\"")

/* Max number and length of keys that are read from the units of a header. A header has one key per
 * type that its collector knows. Each type in the file looks its unit up, so the number must not
 * grow with the file. */
enum { PERUN_UNITS = 64, PERUN_UNIT_KEY = 256 };

/* What a file says about all its resources. Strings are values as spelled in the file; a missing
 * one has a null p. */
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
        struct str key, value; /* KEY without its quotes */
    } units[PERUN_UNITS];
    size_t unit_count;
    struct str own_type, own_unit; /* of PERUN_OF_OURS */
    bool has_exclusive; /* set by the caller: some resource also has the self part of its amount */
};

/* Reads MEMBERS, the members of a file as spelled there. The result borrows from MEMBERS. */
struct perun_file perun_file_of(struct str members);

/* Whether a member NAME is set per resource: MEMBERS are common to the resources, COLUMNS are the
 * names of lists in the map (else a null p). All as spelled in the file. */
bool perun_has_own(struct str members, struct str columns, struct str name);

/* A frame. Its strings are bytes; a missing one has a null p. */
struct perun_frame {
    struct str function, file;
    int64_t line, column; /* 0: unknown */
    struct str others;    /* all other members, as spelled in the file, each after a comma */
};

/* Frames, innermost first.  All zero is none. */
struct perun_stack {
    struct perun_frame *frames;
    size_t depth, capacity;
    struct arena arena; /* for their strings */
};

/* Sets STACK to that of ENTRY: members of a resource, as spelled in the file OF. */
void perun_stack_read(struct perun_stack *stack, const struct perun_file *of, struct str entry);

/* Frees what STACK holds. */
void perun_stack_free(struct perun_stack *stack);

/* What an amount counts: canonical text. */
struct perun_kind {
    struct buf type, unit;
};

/* The types of the self part of an amount, and of freed memory. */
#define PERUN_EXCLUSIVE STR("exclusive")
#define PERUN_FREED STR("dealloc_size")

/* Sets KIND to that of ENTRY: members of a resource, as spelled in the file OF. */
void perun_kind_read(struct perun_kind *kind, const struct perun_file *of, struct str entry);

/* Whether VALUE, as spelled in the file, is a value in UNIT (canonical text): a number, or a string
 * with a number and perhaps that unit. Then *NUMBER is set; its text may be in SCRATCH.
 * *IS_REPORTED: the row records the spelling. */
bool perun_value(struct str value, struct str unit, struct buf *scratch, struct number *number,
                 bool *is_reported);

#endif
