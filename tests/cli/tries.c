/* tries.c - loaded into a tool by LD_PRELOAD: where that writes its output for the first time, this tries what somebody would
 * who had taken the tool over, and says on standard error what the system let it do.
 *
 * $ELSEWHERE is a folder with a file "there", neither of which the tool has been told of. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t size);

/* The RESULT of WHAT was tried: -1 with errno where it failed. */
static void say(const char *what, long result)
{
    dprintf(STDERR_FILENO, "%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "done");
}

static void try_files(const char *elsewhere)
{
    char there[4096];
    int folder = open(elsewhere, O_PATH);
    snprintf(there, sizeof there, "%s/there", elsewhere);
    say("read", open(there, O_RDONLY));
    say("write", open(there, O_WRONLY));
    say("truncate", truncate(there, 0));
    say("make", openat(folder, "new", O_WRONLY | O_CREAT, 0666));
    say("remove", unlink(there));
    say("rename", renameat(folder, "there", folder, "new"));
    say("link", symlinkat("there", folder, "new"));
    say("folder", mkdirat(folder, "new", 0777));
}

/* Asks, in a process of its own, for what has another number on machines of 32 bits, in their way. A system that
 * does not know that way ends who tries, too. */
static void try_other_machine(void)
{
    int status = SIGSYS;
#ifdef __x86_64__
    const pid_t child = fork();
    if (child == 0) {
        long result = 20;          /* getpid */
        prctl(PR_SET_DUMPABLE, 0); /* its end leaves no core */
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        _exit(0);
    }
    waitpid(child, &status, 0);
#endif
    dprintf(STDERR_FILENO, "other machine: %s\n", WIFSIGNALED(status) ? "ended" : "done");
}

/* A call that is refused by its number alone, with the bit that x86_64 takes for x32. */
static long call_of_x32(void)
{
#ifdef __x86_64__
    return syscall(0x40000000 | SYS_getpid);
#else
    errno = EPERM;
    return -1;
#endif
}

static void try_calls(void)
{
    char *none[] = {NULL};
    say("socket", socket(AF_INET, SOCK_STREAM, 0));
    say("local socket", socket(AF_UNIX, SOCK_STREAM, 0));
    say("trace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    say("look", syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
    say("ring", syscall(425, 1, NULL)); /* io_uring_setup */
    say("program", execve("/bin/true", none, none));
    say("x32", call_of_x32());
    try_other_machine();
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static int has_tried;
    if (!has_tried) {
        has_tried = 1;
        /* Landlock, if the kernel has it */
        dprintf(STDERR_FILENO, "files: %s\n", syscall(444, NULL, 0, 1) >= 1 ? "guarded" : "open");
        try_calls();
        try_files(getenv("ELSEWHERE"));
    }
    return syscall(SYS_write, fd, bytes, size);
}
