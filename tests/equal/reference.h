/* reference.h - what a file is compared with: what its converter makes of it. */
#ifndef PROFPIPE_EQUAL_REFERENCE_H
#define PROFPIPE_EQUAL_REFERENCE_H

#include "command.h"
#include "said.h"

/* A way to call the tools. */
struct mode {
    const char *consumer;     /* options of a consumer of the file */
    const char *behind;       /* and of one behind a converter */
    const char *text, *whole; /* options of converters, and of those that do not know --strict */
    const char *limit;        /* and of all of them */
    bool by_stdin;            /* the file is standard input */
    bool lossless;            /* of the consumer of the file alone: the pipe says what is lost */
};

/* All zero at first; each use makes use of it again. */
struct reference {
    const char *file;
    const struct mode *mode;
    char format[32];    /* that it was read as; "rows", "unknown" */
    bool is_rows;       /* no converter reads it: it may be rows, or nothing */
    char converter[40]; /* the last that was tried */
    struct outcome converted;
    struct outcome known; /* what profcat says of the file */
    int input;            /* the file itself */
};

/* Opens FILE, finds its converter, first FORMAT2ndjson, and runs it. */
void reference_open(struct reference *r, const char *file, const char *format,
                    const struct mode *mode);

/* Whether the converter has skipped bad lines, by --keep-going, and made rows of the others. */
bool reference_lacks_lines(const struct reference *r);

/* Whether a consumer can be given rows for the file. */
bool reference_has_rows(const struct reference *r);

/* Whether every converter has found something else. */
bool reference_is_unknown(const struct reference *r);

/* Adds what a consumer must say of reading the file. */
void reference_say(const struct reference *r, struct said *said);

void reference_close(struct reference *r);

#endif
