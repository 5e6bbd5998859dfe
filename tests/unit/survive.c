#include "survive.h"

#include "loss.h"
#include "mem.h"

#include <errno.h>
#include <iconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct said said;
uint64_t survive_refuse, survive_allocations;

static bool surviving;

/* What the C library holds for the code under test. */
enum { HELD_MAX = 8 };
static iconv_t converters[HELD_MAX];
static size_t converter_count;
static FILE *files[HELD_MAX];
static size_t file_count;

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
    while (converter_count > 0)
        iconv_close(converters[converter_count - 1]);
    while (file_count > 0)
        fclose(files[file_count - 1]);
    loss_forget();
    mem_free_all();
}

/* --- the linker's wrappers; it prescribes their names --- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static bool refuse(void)
{
    return surviving && ++survive_allocations == survive_refuse;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    return refuse() ? NULL : __real_realloc(block, size);
}

iconv_t __real_iconv_open(const char *to, const char *from);
iconv_t __wrap_iconv_open(const char *to, const char *from)
{
    if (refuse()) {
        errno = ENOMEM;
        return (iconv_t)-1;
    }
    iconv_t converter = __real_iconv_open(to, from);
    if (converter != (iconv_t)-1 && converter_count < HELD_MAX)
        converters[converter_count++] = converter;
    return converter;
}

int __real_iconv_close(iconv_t converter);
int __wrap_iconv_close(iconv_t converter)
{
    for (size_t i = 0; i < converter_count; i++)
        if (converters[i] == converter)
            converters[i] = converters[--converter_count];
    return __real_iconv_close(converter);
}

FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode)
{
    if (refuse()) {
        errno = ENOMEM;
        return NULL;
    }
    FILE *file = __real_fdopen(fd, mode);
    if (file != NULL && file_count < HELD_MAX)
        files[file_count++] = file;
    return file;
}

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    for (size_t i = 0; i < file_count; i++)
        if (files[i] == file)
            files[i] = files[--file_count];
    return __real_fclose(file);
}

static void keep(struct place where, const char *format, va_list args)
{
    said.where = where;
    vsnprintf(said.message, sizeof said.message, format, args);
}

static const struct place nowhere = {"", PLACE_FILE, 0};

_Noreturn void __real_die(enum status status, const char *format, ...);
_Noreturn void __wrap_die(enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(nowhere, format, args);
    va_end(args);
    __real_die(status, "%s", said.message);
}

_Noreturn void __real_die_at(struct place where, const char *format, ...);
_Noreturn void __wrap_die_at(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(where, format, args);
    va_end(args);
    __real_die_at(where, "%s", said.message);
}

void __wrap_warn(const char *format, ...);
void __wrap_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(nowhere, format, args);
    va_end(args);
    said.warnings++;
}

void __wrap_warn_at(struct place where, const char *format, ...);
void __wrap_warn_at(struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(where, format, args);
    va_end(args);
    said.warnings++;
}

#pragma GCC diagnostic pop
