#include "base/confine.h"

#include "base/confine_config.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    READ = 1,    /* files */
    WRITE = 2,   /* existing files */
    MAKE = 4,    /* create, remove and rename files */
    FOLDERS = 8, /* and folders */
};

struct kept {
    char *path;
    unsigned rights; /* for the path and everything below it */
};

static struct {
    struct kept *items;
    size_t count, capacity;
    bool reads_all;
} kept;

/* A copy of the first N bytes of TEXT. */
static char *copy(const char *text, size_t n)
{
    char *made = mem_alloc(n + 1);
    memcpy(made, text, n);
    made[n] = '\0';
    return made;
}

/* The parent folder of PATH, by its name; the caller frees it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? copy(".", 1) : copy(path, (size_t)(slash - path) + 1);
}

/* Adds PATH, which it then owns, to the paths that stay usable. */
static void keep(char *path, unsigned rights)
{
    kept.items = mem_array(kept.items, &kept.capacity, kept.count + 1, sizeof *kept.items);
    kept.items[kept.count++] = (struct kept){path, rights};
}

void confine_read(const char *path)
{
    bool is_there = access(path, F_OK) == 0;
    keep(is_there ? copy(path, strlen(path)) : folder_of(path), READ);
}

void confine_read_beside(const char *path)
{
    keep(folder_of(path), READ);
}

void confine_read_all(void)
{
    kept.reads_all = true;
}

void confine_write(const char *path)
{
    keep(copy(path, strlen(path)), READ | WRITE);
}

void confine_replace(const char *path)
{
    keep(folder_of(path), MAKE);
}

void confine_use(const char *folder)
{
    keep(copy(folder, strlen(folder)), READ | WRITE | MAKE | FOLDERS);
}

void confine_use_beside(const char *path)
{
    keep(folder_of(path), READ | WRITE | MAKE | FOLDERS);
}

#if CONFINE_LINUX

#    include <dlfcn.h>
#    include <errno.h>
#    include <fcntl.h>
#    include <iconv.h>
#    include <linux/audit.h>
#    include <linux/filter.h>
#    include <linux/landlock.h>
#    include <linux/seccomp.h>
#    include <stddef.h>
#    include <sys/prctl.h>
#    include <sys/stat.h>
#    include <sys/syscall.h>
#    include <sys/vfs.h>

/* --- Landlock: which files --- */

/* Added after the first version of Landlock, so headers may lack it. */
#    define RIGHT_REFER ((uint64_t)1 << 13)    /* since version 2 */
#    define RIGHT_TRUNCATE ((uint64_t)1 << 14) /* since 3 */

/* These system calls have the same numbers on all machines. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

/* All rights that VERSION of Landlock in the kernel can restrict. */
static uint64_t all_rights(long version)
{
    uint64_t first = ((uint64_t)LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    return first | (version >= 2 ? RIGHT_REFER : 0) | (version >= 3 ? RIGHT_TRUNCATE : 0);
}

/* Converts RIGHTS to those of Landlock, for a folder or for a file, which has fewer. */
static uint64_t rights_of(unsigned rights, bool is_folder)
{
    uint64_t found = 0;
    if (rights & READ)
        found |= LANDLOCK_ACCESS_FS_READ_FILE | (is_folder ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
    if (rights & WRITE)
        found |= LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE;
    if (is_folder && rights & MAKE)
        found |= LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
    if (is_folder && rights & FOLDERS)
        found |= LANDLOCK_ACCESS_FS_MAKE_DIR;
    return found;
}

/* Whether the file system of FD may give a file another inode when it is opened again:
 * Landlock's rules belong to inodes. */
static bool has_passing_inodes(int fd)
{
    enum { P9 = 0x01021997, FUSE = 0x65735546 };
    static const uint32_t cifs = 0xff534d42, smb2 = 0xfe534d42;
    struct statfs system;
    if (fstatfs(fd, &system) < 0)
        return true;
    uint32_t kind = (uint32_t)system.f_type;
    return kind == P9 || kind == FUSE || kind == cifs || kind == smb2;
}

/* Adds the kept path K to RULES, which restrict the rights HANDLED.  False if no rule can
 * express it, or there are no descriptors left.  What does not exist, or is not in a file
 * system, such as a pipe, needs no rule. */
static bool add_rule(int rules, uint64_t handled, const struct kept *k)
{
    struct stat file;
    int fd = open(k->path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ENXIO;
    bool can = !has_passing_inodes(fd);
    struct landlock_path_beneath_attr rule = {.parent_fd = fd};
    if (fstat(fd, &file) == 0)
        rule.allowed_access = rights_of(k->rights, S_ISDIR(file.st_mode)) & handled;
    if (rule.allowed_access != 0)
        (void)syscall(ADD_RULE, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return can;
}

/* Keeps what libraries open later: that of databases its source of random numbers, and the C
 * library its converters for iconv.  These are below $GCONV_PATH, or the folder of the C library
 * or its counterpart in /usr. */
static void keep_for_libraries(void)
{
    Dl_info library;
    confine_read("/dev/urandom");
    for (const char *p = getenv("GCONV_PATH"); p != NULL && *p != '\0'; p += *p == ':') {
        size_t n = strcspn(p, ":");
        keep(copy(p, n), READ);
        p += n;
    }
    if (dladdr((void *)(uintptr_t)iconv_open, &library) == 0 || library.dli_fname == NULL)
        return;
    char *folder = folder_of(library.dli_fname);
    char *twice = mem_alloc(sizeof "/usr" + strlen(folder));
    strcpy(stpcpy(twice, "/usr"), folder);
    keep(folder, READ);
    keep(twice, READ);
}

static void confine_files(void)
{
    long version = syscall(CREATE_RULESET, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return;
    struct landlock_ruleset_attr attr = {.handled_access_fs = all_rights(version)};
    if (kept.reads_all)
        attr.handled_access_fs &= ~rights_of(READ, true);
    int rules = (int)syscall(CREATE_RULESET, &attr, sizeof attr, 0);
    if (rules < 0)
        return;
    keep_for_libraries();
    bool can = true;
    for (size_t i = 0; i < kept.count && can; i++)
        can = add_rule(rules, attr.handled_access_fs, &kept.items[i]);
    if (can)
        (void)syscall(RESTRICT_SELF, rules, 0);
    close(rules);
}

/* --- seccomp: which system calls --- */

#    if defined __x86_64__
#        define MACHINE AUDIT_ARCH_X86_64
#    elif defined __i386__
#        define MACHINE AUDIT_ARCH_I386
#    elif defined __aarch64__ && defined __AARCH64EL__
#        define MACHINE AUDIT_ARCH_AARCH64
#    elif defined __arm__ && defined __ARMEL__
#        define MACHINE AUDIT_ARCH_ARM
#    elif defined __s390x__
#        define MACHINE AUDIT_ARCH_S390X
#    elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
#        define MACHINE AUDIT_ARCH_PPC64LE
#    elif defined __riscv && __riscv_xlen == 64
#        define MACHINE AUDIT_ARCH_RISCV64
#    endif

#    ifdef MACHINE

/* System calls that a tool never needs: those that start a program, open a connection, or look
 * into another process, and newer calls that can do the same. */
static const uint32_t refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
#        ifdef SYS_socketcall
    SYS_socketcall,
#        endif
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    425, /* io_uring_setup, */
    434, /* pidfd_open and */
    438, /* pidfd_getfd have these numbers on all machines; not all headers know them */
};

enum { REFUSED = sizeof refused / sizeof *refused };

static void confine_calls(void)
{
    struct sock_filter code[REFUSED + 7];
    size_t n = 0;
    /* refuse other architectures: there the numbers mean other calls */
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < REFUSED; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i],
                                                 (uint8_t)(REFUSED + 1 - i), 0);
    /* numbers from here on are calls of x32, which x86_64 accepts, too */
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
    /* without this flag some kernels disable speculation for the whole process, to guard against
     * compiled scripts */
    (void)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

#    else

static void confine_calls(void) {}

#    endif

static void confine_system(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) /* seccomp and Landlock both need this */
        return;
    confine_files();
    confine_calls();
}

#elif CONFINE_OPENBSD

static void confine_system(void)
{
    for (size_t i = 0; i < kept.count; i++) {
        char rights[4] = "", *to = rights;
        if (kept.items[i].rights & READ)
            *to++ = 'r';
        if (kept.items[i].rights & WRITE)
            *to++ = 'w';
        if (kept.items[i].rights & MAKE)
            *to++ = 'c';
        *to = '\0';
        (void)unveil(kept.items[i].path, rights);
    }
    if (kept.reads_all)
        (void)unveil("/", "r");
    /* fattr: files that are made from here on, such as databases, get their mode */
    (void)pledge("stdio rpath wpath cpath fattr flock tty", NULL);
}

#else

static void confine_system(void) {}

#endif

void confine(void)
{
    confine_system();
    for (size_t i = 0; i < kept.count; i++)
        mem_free(kept.items[i].path);
    mem_free(kept.items);
    memset(&kept, 0, sizeof kept);
}
