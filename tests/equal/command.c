#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

_Noreturn void command_fail(const char *what)
{
    fprintf(stderr, "equal: %s: %s\n", what, strerror(errno));
    exit(3);
}

void command_add(struct command *c, char *text)
{
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (c->count < WORDS_MAX)
            c->words[c->count++] = word;
}

/* Makes *FD an empty temporary file. */
static void empty_file(int *fd)
{
    if (*fd == 0) {
        FILE *file = tmpfile();
        *fd = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
        if (*fd < 0)
            command_fail("tmpfile");
        fclose(file);
    }
    if (ftruncate(*fd, 0) < 0 || lseek(*fd, 0, SEEK_SET) < 0)
        command_fail("ftruncate");
}

static void read_file(int fd, char **text, size_t *size)
{
    struct stat s;
    if (fstat(fd, &s) < 0)
        command_fail("fstat");
    *size = (size_t)s.st_size;
    *text = realloc(*text, *size + 1);
    if (*text == NULL || pread(fd, *text, *size, 0) != s.st_size)
        command_fail("pread");
    (*text)[*size] = '\0';
}

void command_run(const struct command *c, int in, struct outcome *o)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;
    empty_file(&o->out);
    empty_file(&o->err);
    lseek(in, 0, SEEK_SET);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, o->out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, o->err, STDERR_FILENO);
    /* the words are not changed: POSIX only cannot say so */
    errno = posix_spawnp(&pid, c->words[0], &actions, NULL, (char **)(size_t)c->words, environ);
    if (errno != 0)
        command_fail(c->words[0]);
    posix_spawn_file_actions_destroy(&actions);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            command_fail("waitpid");
    o->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    read_file(o->out, &o->out_text, &o->out_size);
    read_file(o->err, &o->err_text, &o->err_size);
}
