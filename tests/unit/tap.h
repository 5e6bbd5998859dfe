/* tap.h - the Test Anything Protocol, as `meson test` and tests/run read it. */
#ifndef PROFPIPE_TAP_H
#define PROFPIPE_TAP_H

#include "base/str.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static unsigned tap_run, tap_failed;

/* One test case: prints whether it is GOOD, and its name.  Returns GOOD. */
__attribute__((format(printf, 4, 5))) static inline bool tap_ok(bool good, const char *file,
                                                                int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%sok %u - ", good ? "" : "not ", ++tap_run);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    if (!good) {
        tap_failed++;
        printf("# %s:%d\n", file, line);
    }
    fflush(stdout); /* what follows may crash */
    return good;
}
#define ok(good, ...) tap_ok(good, __FILE__, __LINE__, __VA_ARGS__)

/* For loops over thousands of cases that are one test case together: complains about the first
 * few that are not GOOD.  Returns GOOD. */
#define each(good, ...) ((good) || (printf("# " __VA_ARGS__), printf("\n"), false))

/* One test case: FOUND is EXPECTED. */
static inline bool tap_is(struct str found, struct str expected, const char *file, int line,
                          const char *name)
{
    bool good = tap_ok(str_equal(found, expected), file, line, "%s", name);
    if (!good)
        printf("# expected: %.*s\n# found:    %.*s\n", STR_ARG(expected), STR_ARG(found));
    return good;
}
#define is(found, expected, name) tap_is(found, expected, __FILE__, __LINE__, name)

/* Prints the plan; returns the exit status of the test. */
static inline int tap_done(void)
{
    printf("1..%u\n", tap_run);
    return tap_failed != 0;
}

#endif
