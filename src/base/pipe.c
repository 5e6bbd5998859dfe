#include "base/pipe.h"

#include <fcntl.h>

void pipe_enlarge(int fd)
{
#ifdef F_SETPIPE_SZ
    (void)fcntl(fd, F_SETPIPE_SZ, 1 << 20);
#else
    (void)fd;
#endif
}
