#include "base/temporary.h"

#include "base/buf.h"
#include "base/port.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

int temporary_make_named(void (*use)(const char *path, void *to), void *to)
{
    struct buf path = {0};
    sigset_t all, before;
    buf_add(&path, str_of(temporary_folder()));
    buf_add(&path, STR("/profpipe.XXXXXX\0"));
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    int fd = port_make_file(path.p);
    int error = errno;
    if (fd >= 0 && use != NULL)
        use(path.p, to);
    if (fd >= 0)
        unlink(path.p);
    sigprocmask(SIG_SETMASK, &before, NULL);
    buf_free(&path);
    errno = error;
    return fd;
}

int temporary_make(void)
{
    int fd = port_make_nameless(temporary_folder());
    return fd >= 0 ? fd : temporary_make_named(NULL, NULL); /* not all file systems can do that */
}
