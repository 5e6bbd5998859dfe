/* perf_run.h - runs perf script for recordings of perf, which only perf itself can read. */
#ifndef PROFPIPE_PERF_RUN_H
#define PROFPIPE_PERF_RUN_H

#include <stdbool.h>

/* Before a build id and the name of its file, in a comment of perf script's text. */
#define PERF_BUILD_ID STR("# build id : ")

/* If the file PATH, which must stay valid, is a recording, has PROGRAM print it when it is opened, so
 * that this text is read in place of the file; NULL: perf, if it is installed. Returns whether it
 * does. Ends the tool (STATUS_SYSTEM) if PROGRAM cannot be started. Call it before confine(). */
bool perf_run(const char *path, const char *program);

#endif
