#include "tools/progress.h"

#include "base/diag.h"
#include "base/in.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

static uint64_t total; /* in bytes; 0: unknown */
static uint64_t done;
static double started, drawn; /* in seconds; drawn is 0 if no bar is visible */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wipe(void)
{
    if (drawn != 0)
        fprintf(stderr, "\r\033[K");
    drawn = 0;
}

static void draw(double elapsed)
{
    double rate = (double)done / elapsed;
    fprintf(stderr, "\r\033[K");
    if (total > 0 && done <= total) {
        int filled = (int)((double)done / (double)total * BAR);
        fprintf(stderr, "[%.*s%*s] %3.0f%% of %.0f MB, %.0f MB/s, %.0f s left", filled,
                "##############################", BAR - filled, "",
                100.0 * (double)done / (double)total, (double)total / 1e6, rate / 1e6,
                (double)(total - done) / rate);
    } else {
        fprintf(stderr, "%.0f MB, %.0f MB/s", (double)done / 1e6, rate / 1e6);
    }
    fflush(stderr);
}

static void on_read(size_t n)
{
    done += n;
    double t = now();
    if (t - started < 1 || t - drawn < 0.1)
        return;
    draw(t - started);
    drawn = t;
}

void progress_start(char **paths, int count)
{
    if (!isatty(STDERR_FILENO))
        return;
    for (int i = 0; i < count; i++) {
        struct stat s;
        if (stat(paths[i], &s) < 0 || !S_ISREG(s.st_mode)) {
            total = 0;
            break;
        }
        total += (uint64_t)s.st_size;
    }
    started = now();
    diag_before = wipe;
    in_on_read = on_read;
}

void progress_stop(void)
{
    wipe();
    in_on_read = NULL;
}
