/* attempt.c - runs tests until one fails; see tests/mutants.
 *
 *   attempt SECONDS LOG COMMAND...
 *
 * COMMAND prints TAP.  At its first failure, or after SECONDS, it is killed with all that it started.
 * What it prints goes to LOG, as far as LOG_MAX.  Prints one line: "ok", "fails" or "slow", the time in
 * seconds, and the name of the test that failed, or what ended the command. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOG_MAX = 1 << 20, LINE = 4096 };

struct attempt {
    FILE *log;
    size_t logged;
    char line[LINE]; /* what has come of one */
    size_t n;
    char failed[LINE]; /* the test that failed; or empty */
};

static void fail(const char *what)
{
    perror(what);
    exit(3);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void limit(int resource, rlim_t max)
{
    struct rlimit r = {.rlim_cur = max, .rlim_max = max};
    setrlimit(resource, &r); /* a lower one of the user's may stand */
}

/* The child: a mutant must not fill the disk, or the memory, or run for ever where it gets away from
 * its group.  What browsers only reserve does not count as memory; what AddressSanitizer reserves does. */
static void run(char **command, double seconds, int to)
{
    setsid();
    signal(SIGINT, SIG_DFL); /* a shell's background ignores them */
    signal(SIGQUIT, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, (rlim_t)2 << 30);
    limit(RLIMIT_CPU, (rlim_t)(2 * seconds) + 10);
    if (getenv("PROFPIPE_SANITIZED") == NULL)
        limit(RLIMIT_DATA, (rlim_t)8 << 30);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    close(to);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    execvp(command[0], command);
    _exit(127);
}

static pid_t child;

/* The script was interrupted: nothing that was started outlives it. */
static void stop(int signal)
{
    (void)signal;
    kill(-child, SIGKILL);
    _exit(3);
}

static void take_line(struct attempt *a)
{
    a->line[a->n] = '\0';
    a->n = 0;
    if (strncmp(a->line, "not ok ", 7) != 0 || a->failed[0] != '\0')
        return;
    const char *name = a->line + 7;
    name += strspn(name, "0123456789");
    name += strspn(name, " -");
    strcpy(a->failed, *name != '\0' ? name : "a test");
}

static void take(struct attempt *a, const char *p, size_t n)
{
    if (a->logged < LOG_MAX)
        a->logged += fwrite(p, 1, n, a->log);
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\n')
            take_line(a);
        else if (a->n + 1 < sizeof a->line)
            a->line[a->n++] = p[i];
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: attempt SECONDS LOG COMMAND...\n");
        return 2;
    }
    static struct attempt a;
    double seconds = strtod(argv[1], NULL), begin = now();
    int ends[2];
    a.log = fopen(argv[2], "w");
    if (a.log == NULL || pipe(ends) != 0)
        fail(argv[2]);
    child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(ends[0]);
        run(argv + 3, seconds, ends[1]);
    }
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    signal(SIGHUP, stop);
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);

    int status = 0;
    bool is_open = true, has_ended = false, is_slow = false;
    while (a.failed[0] == '\0' && !has_ended && !is_slow) {
        struct pollfd from = {.fd = ends[0], .events = POLLIN};
        poll(&from, is_open, 20);
        char bytes[65536];
        ssize_t n = is_open ? read(ends[0], bytes, sizeof bytes) : 0;
        if (n > 0)
            take(&a, bytes, (size_t)n);
        else if (n == 0)
            is_open = false;
        /* what it has said is read before its end is seen */
        if (n <= 0)
            has_ended = waitpid(child, &status, WNOHANG) == child;
        is_slow = now() - begin > seconds;
    }
    kill(-child, SIGKILL);
    if (!has_ended)
        waitpid(child, NULL, 0);
    fclose(a.log);

    double took = now() - begin;
    if (a.failed[0] != '\0')
        printf("fails %.3f %s\n", took, a.failed);
    else if (!has_ended)
        printf("slow %.3f more than %.0f seconds\n", took, seconds);
    else if (WIFSIGNALED(status))
        printf("fails %.3f by signal %d\n", took, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        printf("fails %.3f with status %d\n", took, WEXITSTATUS(status));
    else
        printf("ok %.3f\n", took);
    return 0;
}
