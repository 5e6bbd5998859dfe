#include "survive.h"

#include "base/mem.h"
#include "base/port.h"
#include "rows/loss.h"

#include <errno.h>
#include <iconv.h>
#include <inttypes.h>
#if HAVE_MALLOPT
#    include <malloc.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

struct said said;
uint64_t survive_refuse, survive_allocations;

static bool surviving;

void survive_quickly(void)
{
#if HAVE_MALLOPT
    mallopt(M_PERTURB, 0);
#endif
    port_keep_memory((size_t)1 << 29);
}

enum status survive(void (*what)(void *), void *with)
{
    jmp_buf stop;
    said = (struct said){0};
    survive_allocations = 0;
    surviving = true;
    diag_catch = &stop;
    int code = setjmp(stop);
    if (code == 0)
        what(with);
    diag_catch = NULL;
    surviving = false;
    survive_refuse = 0;
    return code == 0 ? STATUS_OK : (enum status)(code - 1);
}

void tidy(void)
{
    loss_forget();
    mem_free_all();
}

bool survive_refuses(void)
{
    return surviving && ++survive_allocations == survive_refuse;
}

/* --- the linker's wrappers; it prescribes their names --- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return survive_refuses() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return survive_refuses() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    return survive_refuses() ? NULL : __real_realloc(block, size);
}

iconv_t __real_iconv_open(const char *to, const char *from);
iconv_t __wrap_iconv_open(const char *to, const char *from)
{
    if (survive_refuses()) {
        errno = ENOMEM;
        return (iconv_t)-1;
    }
    return __real_iconv_open(to, from);
}

/* The maximum number of bytes that one call reads or writes. */
enum { AT_ONCE = 50000 };

/* The C library has one name for each of these or two, by its version and the size of off_t. */
ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at)
{
    return preadv(fd, &(struct iovec){to, n < AT_ONCE ? n : AT_ONCE}, 1, at);
}

ssize_t __wrap_pread64(int fd, void *to, size_t n, off_t at)
{
    return __wrap_pread(fd, to, n, at);
}

ssize_t __wrap_pwrite(int fd, const void *from, size_t n, off_t at)
{
    return pwritev(fd, &(struct iovec){(void *)(uintptr_t)from, n < AT_ONCE ? n : AT_ONCE}, 1, at);
}

ssize_t __wrap_pwrite64(int fd, const void *from, size_t n, off_t at)
{
    return __wrap_pwrite(fd, from, n, at);
}

static void keep(struct place where, uint64_t column, const char *format, va_list args)
{
    int n = column == 0
                ? 0
                : snprintf(said.message, sizeof said.message, "column %" PRIu64 ": ", column);
    said.where = where;
    vsnprintf(said.message + n, sizeof said.message - (size_t)n, format, args);
    char *hint = strchr(said.message, *HINT);
    if (hint != NULL) /* test names must stay one line */
        *hint = ' ';
}

static const struct place nowhere = {"", PLACE_FILE, 0};

_Noreturn void __real_die(enum code code, const char *format, ...);
_Noreturn void __wrap_die(enum code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(nowhere, 0, format, args);
    va_end(args);
    __real_die(code, "%s", said.message);
}

_Noreturn void __real_die_as(enum code code, struct place where, const char *format, ...);
_Noreturn void __wrap_die_as(enum code code, struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(where, 0, format, args);
    va_end(args);
    __real_die_as(code, where, "%s", said.message);
}

_Noreturn void __real_die_at(struct place where, const char *format, ...);
_Noreturn void __wrap_die_at(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(where, 0, format, args);
    va_end(args);
    __real_die_at(where, "%s", said.message);
}

_Noreturn void __real_die_at_column(enum code code, struct place where, uint64_t column,
                                    const char *format, ...);
_Noreturn void __wrap_die_at_column(enum code code, struct place where, uint64_t column,
                                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(where, column, format, args);
    va_end(args);
    __real_die_at_column(code, where, column, "%s", said.message);
}

void __wrap_warn(enum code code, const char *format, ...);
void __wrap_warn(enum code code, const char *format, ...)
{
    va_list args;
    (void)code;
    va_start(args, format);
    keep(nowhere, 0, format, args);
    va_end(args);
    said.warnings++;
}

void __wrap_warn_at(enum code code, struct place where, const char *format, ...);
void __wrap_warn_at(enum code code, struct place where, const char *format, ...)
{
    va_list args;
    (void)code;
    va_start(args, format);
    keep(where, 0, format, args);
    va_end(args);
    said.warnings++;
}

void __wrap_warn_at_column(enum code code, struct place where, uint64_t column, const char *format,
                           ...);
void __wrap_warn_at_column(enum code code, struct place where, uint64_t column, const char *format,
                           ...)
{
    va_list args;
    (void)code;
    va_start(args, format);
    keep(where, column, format, args);
    va_end(args);
    said.warnings++;
}

#pragma GCC diagnostic pop
