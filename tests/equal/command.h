/* command.h - runs a tool and keeps what came of it. */
#ifndef PROFPIPE_EQUAL_COMMAND_H
#define PROFPIPE_EQUAL_COMMAND_H

#include <stddef.h>

enum { WORDS_MAX = 16 };

/* A command line: words[count] is NULL.  The words are borrowed. */
struct command {
    const char *words[WORDS_MAX + 1];
    size_t count;
};

/* Adds the words of TEXT, which are between blanks; TEXT is changed, and must outlive C. */
void command_add(struct command *c, char *text);

/* What came of a command.  All zero at first; each run makes use of it again. */
struct outcome {
    int status;   /* its exit status, or 128 and the number of the signal that ended it */
    int out, err; /* descriptors of temporary files */
    char *out_text, *err_text;
    size_t out_size, err_size; /* behind each text stands a NUL */
};

/* Runs C with the file of the descriptor IN, from its start, as standard input. */
void command_run(const struct command *c, int in, struct outcome *o);

/* Ends the program because of a failure of the system in WHAT. */
_Noreturn void command_fail(const char *what);

#endif
