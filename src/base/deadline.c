/* The alarm handler ends the process: no loop has to look at a clock, and a tool that waits for
 * a pipe or is inside a library ends, too.  So only async-signal-safe functions are called. */
#include "base/deadline.h"

#include "base/diag.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static char over[256]; /* the message, without what the tool waits for */
static size_t over_size;
static const char *volatile awaited;

/* Appends TEXT to the N bytes of TO, which has room for SIZE. */
static size_t add(char *to, size_t n, size_t size, const char *text)
{
    while (*text != '\0' && n < size)
        to[n++] = *text++;
    return n;
}

static void on_alarm(int number)
{
    enum { ROOM = 4096, TAIL = 64 };
    char text[ROOM + 1], line[DIAG_LINE];
    const char *file = awaited;
    size_t n = over_size;
    (void)number;
    memcpy(text, over, n);
    if (file != NULL) {
        n = add(text, n, ROOM, ": ");
        n = add(text, n, ROOM - TAIL, file);
        n = add(text, n, ROOM, " is locked by another program");
    }
    text[n] = '\0';
    n = diag_spell(line, file != NULL ? CODE_LOCKED : CODE_TIMEOUT, text);
    if (diag_cleanup != NULL)
        diag_cleanup(STATUS_SYSTEM);
    (void)!write(STDERR_FILENO, line, n); /* there is no way to report a failure */
    _exit(STATUS_SYSTEM);
}

static void set_timer(double seconds)
{
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

void deadline_start(double seconds, const char *said)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigset_t alarm;
    int n = snprintf(over, sizeof over, "%.100s seconds are over (--timeout)", said);
    over_size = (size_t)n < sizeof over ? (size_t)n : sizeof over - 1;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    sigprocmask(SIG_UNBLOCK, &alarm, NULL); /* the caller may have blocked it */
    set_timer(seconds);
}

void deadline_waits_for(const char *name)
{
    awaited = name;
}

void deadline_end(void)
{
    set_timer(0);
    signal(SIGALRM, SIG_IGN); /* also drops one that is pending */
}
