/* measure - runs a command and says what it took:
 *
 *   measure RUNS COMMAND [ARGUMENT ...]
 *
 * prints the least wall-clock time of RUNS runs in seconds and the most memory of one process in
 * KiB, and returns the command's status.  Standard input and output are the command's. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    double best = 0;
    int failed = 0;
    for (int run = 0; run < atoi(argv[1]); run++) {
        double start = now();
        pid_t child = fork();
        if (child == 0) {
            execvp(argv[2], argv + 2);
            _exit(127);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 127;
        if (status != 0)
            failed = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        double took = now() - start;
        if (run == 0 || took < best)
            best = took;
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    fprintf(stderr, "%.4f %ld\n", best, usage.ru_maxrss);
    return failed;
}
