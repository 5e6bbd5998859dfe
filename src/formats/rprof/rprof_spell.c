#include "formats/rprof/rprof_spell.h"

#include "base/diag.h"
#include "base/mem.h"
#include "formats/rprof/rprof_encoding.h"
#include "rows/emit.h"

#include <errno.h>
#include <iconv.h>

/* --- encodings --- */

/* More memory than iconv needs to load an encoding. */
enum { MODULES_SIZE = 4 << 20 };

/* An encoding: its converters, -1 if not open. */
struct rprof_code {
    const char *name;
    iconv_t decode, encode;
    bool shifts;   /* what bytes mean may depend on those before */
    bool replaces; /* its name tells iconv to replace characters that it lacks */
};

#define NOT_OPEN ((iconv_t)-1)

static void close_converter(iconv_t *converter)
{
    if (*converter != NOT_OPEN)
        iconv_close(*converter);
    *converter = NOT_OPEN;
}

static void drop_code(void *block)
{
    struct rprof_code *code = block;
    close_converter(&code->decode);
    close_converter(&code->encode);
}

static bool open_converter(const char *to, const char *from, iconv_t *converter)
{
    *converter = iconv_open(to, from);
    if (*converter == NOT_OPEN && errno == EINVAL) {
        /* glibc gives this error also if it has no memory for a module, so make sure that there is
         * enough */
        mem_free(mem_alloc(MODULES_SIZE));
        *converter = iconv_open(to, from);
    }
    if (*converter != NOT_OPEN)
        return true;
    if (errno != EINVAL)
        die(code_of_errno(errno), "cannot convert names in %s: %s",
            strcmp(to, "UTF-8") == 0 ? from : to, strerror(errno));
    return false;
}

static void free_code(struct rprof_code *code)
{
    if (code != NULL)
        drop_code(code);
    mem_free(code);
}

bool rprof_style_encoding(struct rprof_style *style, const char *name)
{
    struct rprof_code *code = mem_alloc_holder(sizeof *code, drop_code);
    code->name = name;
    code->decode = code->encode = NOT_OPEN;
    if (open_converter("UTF-8", name, &code->decode) &&
        open_converter(name, "UTF-8", &code->encode)) {
        code->shifts = rprof_encoding(str_of(name)) == NULL;
        code->replaces = strstr(name, "//") != NULL;
        style->code = code;
        return true;
    }
    free_code(code);
    return false;
}

void rprof_style_from_code(struct rprof_style *style, const char *code)
{
    if (code != NULL && !rprof_style_encoding(style, code))
        die(CODE_BAD_ARGUMENT, "--from-code: no encoding \"%s\" is known", code);
}

void rprof_style_free(struct rprof_style *style)
{
    free_code(style->code);
    buf_free(&style->scratch);
    *style = (struct rprof_style){0};
}

/* Appends BYTES, converted, to TO; if that fails, appends nothing and returns false. For a
 * character that the encoding lacks some systems' iconv fails; others replace and count it, which
 * is accepted if REPLACES. */
static bool convert_bytes(iconv_t converter, bool replaces, struct str bytes, struct buf *to)
{
    size_t before = to->n, replaced = 0;
    char *from = (char *)(uintptr_t)bytes.p;
    size_t left = bytes.n;
    for (;;) {
        size_t room = left * 4 + 16;
        char *end = buf_reserve(to, room);
        size_t result = iconv(converter, &from, &left, &end, &room);
        replaced += result != (size_t)-1 ? result : 0;
        if (result != (size_t)-1) /* flush: some converters hold a character back */
            result = iconv(converter, NULL, NULL, &end, &room);
        to->n = (size_t)(end - to->p);
        if (result != (size_t)-1 && replaced > 0 && !replaces)
            break;
        if (result != (size_t)-1)
            return true;
        if (errno != E2BIG)
            break;
    }
    to->n = before;
    return false;
}

/* Makes CONVERTER, which converts FROM to TO, forget what it converted before. musl's iconv does
 * that only for one that is new. */
static bool restart(const struct rprof_code *code, const char *to, const char *from,
                    iconv_t *converter)
{
    if (!code->shifts) {
        iconv(*converter, NULL, NULL, NULL, NULL);
        return true;
    }
    close_converter(converter);
    return open_converter(to, from, converter);
}

bool rprof_decode(struct rprof_style *style, struct str raw, struct buf *to)
{
    struct rprof_code *code = style->code;
    if (code != NULL && restart(code, "UTF-8", code->name, &code->decode) &&
        convert_bytes(code->decode, code->replaces, raw, to))
        return true;
    buf_add(to, raw);
    return code == NULL;
}

void rprof_encode(struct rprof_style *style, struct str bytes, struct buf *to)
{
    struct rprof_code *code = style->code;
    if (code == NULL || !restart(code, code->name, "UTF-8", &code->encode) ||
        !convert_bytes(code->encode, code->replaces, bytes, to))
        buf_add(to, bytes);
}

bool rprof_decode_name(struct rprof_style *style, struct str raw, struct buf *to)
{
    if (!style->crlf || memchr(raw.p, '\r', raw.n) == NULL)
        return rprof_decode(style, raw, to);
    style->scratch.n = 0;
    for (size_t i = 0; i < raw.n; i++)
        if (raw.p[i] != '\r' || i + 1 == raw.n || raw.p[i + 1] != '\n')
            buf_add(&style->scratch, (struct str){raw.p + i, 1});
    return rprof_decode(style, buf_str(&style->scratch), to);
}

void rprof_encode_name(struct rprof_style *style, struct str name, struct buf *to)
{
    if (!style->crlf || memchr(name.p, '\n', name.n) == NULL) {
        rprof_encode(style, name, to);
        return;
    }
    style->scratch.n = 0;
    rprof_encode(style, name, &style->scratch);
    for (size_t i = 0; i < style->scratch.n; i++) {
        if (style->scratch.p[i] == '\n')
            buf_add(to, STR("\r"));
        buf_add(to, (struct str){style->scratch.p + i, 1});
    }
}

/* --- files --- */

/* Makes room for numbers of the first NEEDED paths. */
static void reserve_numbers(struct rprof_files *f, size_t needed)
{
    f->numbers = mem_array_zeroed(f->numbers, &f->number_count, needed, sizeof *f->numbers);
}

void rprof_files_set(struct rprof_files *f, int64_t number, uint32_t path)
{
    uint32_t position = idmap_get(&f->positions, (uint64_t)number);
    if (position == 0) {
        f->paths = mem_array(f->paths, &f->capacity, f->count + 1, sizeof *f->paths);
        position = (uint32_t)++f->count;
        idmap_put(&f->positions, (uint64_t)number, position);
    }
    f->paths[position - 1] = path;
    reserve_numbers(f, (size_t)path + 1);
    f->numbers[path] = number;
}

bool rprof_files_get(const struct rprof_files *f, int64_t number, uint32_t *path)
{
    uint32_t position = idmap_get(&f->positions, (uint64_t)number);
    if (position != 0)
        *path = f->paths[position - 1];
    return position != 0;
}

int64_t rprof_files_number(const struct rprof_files *f, uint32_t path)
{
    int64_t number = path < f->number_count ? f->numbers[path] : 0;
    uint32_t meaning;
    return rprof_files_get(f, number, &meaning) && meaning == path ? number : 0;
}

int64_t rprof_files_unused(struct rprof_files *f)
{
    uint32_t path;
    while (rprof_files_get(f, f->taken + 1, &path))
        f->taken++;
    return f->taken + 1;
}

void rprof_files_clear(struct rprof_files *f)
{
    /* a number of an earlier run becomes the latest if it gets its path again */
    idmap_clear(&f->positions);
    f->count = 0;
    f->taken = 0;
}

void rprof_files_free(struct rprof_files *f)
{
    idmap_free(&f->positions);
    mem_free(f->paths);
    mem_free(f->numbers);
    *f = (struct rprof_files){0};
}

/* --- lines --- */

bool rprof_spell_frame(struct rprof_style *style, const struct rprof_files *files,
                       const struct rprof_frame *frame, struct buf *to)
{
    if (!frame->has_name || frame->path != 0 || frame->line != 0) {
        int64_t number = rprof_files_number(files, frame->path);
        if (number == 0)
            return false;
        emit_number(to, number);
        buf_add(to, STR("#"));
        emit_number(to, frame->line);
        if (!frame->has_name)
            return true;
        buf_add(to, STR(" "));
    }
    buf_add(to, STR("\""));
    rprof_encode_name(style, frame->name, to);
    buf_add(to, STR("\""));
    return true;
}

void rprof_spell_file(struct rprof_style *style, int64_t number, struct str path, struct buf *to)
{
    buf_add(to, STR("#File "));
    emit_number(to, number);
    buf_add(to, STR(": "));
    rprof_encode(style, path, to);
}
