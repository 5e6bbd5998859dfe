/* said.h - what tools have said on standard error, in a form that can be compared. */
#ifndef PROFPIPE_EQUAL_SAID_H
#define PROFPIPE_EQUAL_SAID_H

#include <stdbool.h>
#include <stddef.h>

/* All zero at first. */
struct said {
    char **lines; /* but for losses; "tool: " stands for the name of each tool */
    size_t line_count;
    struct loss {
        char *what;
        long long count;
    } * losses; /* each kind of loss, and each name of one */
    size_t loss_count;
    unsigned left_out, inputs; /* so many bad inputs of so many, by --keep-going */
};

/* How a tool calls an input that another tool has read in its place. */
struct renamed {
    const char *from, *to;
    bool keeps_lines; /* the number of a line behind it stays */
};

/* Adds the lines of TEXT, which TOOL has said of inputs that are called as RENAMED says, whose last has no
 * names. */
void said_add(struct said *s, const char *text, const char *tool, const struct renamed *renamed);

/* Puts NEW in place of the first OLD in each line. */
void said_replace(struct said *s, const char *old, const char *new);

/* Whether both have said the same, in whatever order, losses left aside; says in *A and *B what one of them alone
 * has said, NULL where that is nothing. */
bool said_same_lines(struct said *a, struct said *b, const char **only_a, const char **only_b);

/* Whether what A has counted as lost is what B has; if not, *WHAT is of what, *COUNT_A and *COUNT_B how
 * much. */
bool said_same_losses(const struct said *a, const struct said *b, const char **what,
                      long long *count_a, long long *count_b);

/* Forgets everything. */
void said_clear(struct said *s);

#endif
