#include "formats/valgrind.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/text.h"

/* Takes the digits at the end of *TEXT, and the colon in front of them, off it; false if there are
 * none. */
static bool take_number(struct str *text, int64_t *number)
{
    size_t n = text->n;
    while (n > 0 && str_is_digit(text->p[n - 1]))
        n--;
    if (n == text->n || n == 0 || text->p[n - 1] != ':' ||
        !text_is_integer((struct str){text->p + n, text->n - n}, number))
        return false;
    text->n = n - 1;
    return true;
}

/* Splits TEXT, what stands in parentheses behind a name: `file:line`, `file:line:column` or
 * `in library`. Returns the file; empty for a library, which is stored in *LIBRARY. */
static struct str split_place(struct str text, struct valgrind_frame *frame, struct str *library)
{
    int64_t first;
    if (str_take(&text, STR("in "))) {
        *library = text;
        return STR("");
    }
    if (!take_number(&text, &first))
        return text;
    frame->line = first;
    if (take_number(&text, &frame->line))
        frame->column = first;
    return text;
}

static uint32_t mapping_of(struct valgrind_frames *f, struct sink *sink, struct str library)
{
    bool is_new;
    uint32_t id = intern_add(&f->mappings, library, &is_new);
    if (!is_new)
        return id;
    f->extra.n = 0;
    emit_member(&f->extra, STR("filename"));
    emit_inner_string(&f->extra, &f->text, library);
    sink_row(sink,
             &(struct row){.table = TABLE_MAPPINGS, .mapping = {id}, .extra = buf_str(&f->extra)});
    return id;
}

/* Takes `0xADDRESS: ` off *TEXT and returns the address; 0 if there is none. */
static uint64_t take_address(struct str *text)
{
    struct str rest = *text;
    uint64_t address = 0;
    size_t digits = 0;
    if (!str_take(&rest, STR("0x")))
        return 0;
    for (; digits < rest.n && digits < 16 && text_hex_value(rest.p[digits]) < 16; digits++)
        address = address << 4 | text_hex_value(rest.p[digits]);
    rest.p += digits;
    rest.n -= digits;
    if (digits == 0 || !str_take(&rest, STR(": ")))
        return 0;
    *text = rest;
    return address;
}

/* The length of TEXT up to the blank and the parenthesis that the one at its end closes; 0: there
 * are none. Names and paths may have others. */
static size_t find_place(struct str text)
{
    const size_t n = str_last_bracket(text);
    return n > 0 && n < text.n && text.p[n - 1] == ' ' ? n - 1 : 0;
}

/* Splits TEXT and pushes its function and mapping. */
static struct valgrind_frame split_frame(struct valgrind_frames *f, struct sink *sink,
                                         struct str text)
{
    struct valgrind_frame frame = {.address = take_address(&text)};
    struct str file = STR(""), library = STR("");
    size_t name = find_place(text);
    if (name > 0) {
        struct str place = {text.p + name + 2, text.n - name - 3};
        file = split_place(place, &frame, &library);
        text.n = name;
    }
    if (str_equal(text, STR("???")))
        text.n = 0;
    if (library.n > 0)
        frame.mapping = mapping_of(f, sink, library);
    frame.function = bytes_rows_find_function(&f->rows, sink, &f->functions, text, file, 0, NULL);
    return frame;
}

uint32_t valgrind_frame(struct valgrind_frames *f, struct sink *sink, struct str text)
{
    bool is_new;
    uint32_t number = intern_add(&f->texts, text, &is_new);
    if (is_new) {
        f->frames = mem_array(f->frames, &f->capacity, number, sizeof *f->frames);
        f->frames[number - 1] = split_frame(f, sink, text);
    }
    return number;
}

/* The location of the frame NUMBER, inlined into the location INTO or none (0). */
static int64_t location_of(struct valgrind_frames *f, struct sink *sink, uint32_t number,
                           int64_t into)
{
    struct valgrind_frame *frame = &f->frames[number - 1];
    if (frame->location != 0 && frame->into == into)
        return frame->location;
    int64_t key[] = {frame->function, frame->mapping,          frame->line,
                     frame->column,   (int64_t)frame->address, into};
    bool is_new;
    uint32_t id = intern_add(&f->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        sink_row(sink, &(struct row){.table = TABLE_LOCATIONS,
                                     .location = {id, frame->function, frame->line},
                                     .site = {.mapping_id = frame->mapping,
                                              .address = frame->address,
                                              .column = frame->column,
                                              .inlined_into = into}});
    frame->into = into;
    return frame->location = id;
}

void valgrind_stack(struct valgrind_frames *f, struct sink *sink, const uint32_t *frames,
                    size_t depth, int64_t *stack)
{
    for (size_t i = depth; i-- > 0;) {
        uint64_t address = f->frames[frames[i] - 1].address;
        /* the same frame twice is a call of itself */
        bool is_inlined = i + 1 < depth && address != 0 && frames[i] != frames[i + 1] &&
                          address == f->frames[frames[i + 1] - 1].address;
        stack[i] = location_of(f, sink, frames[i], is_inlined ? stack[i + 1] : 0);
    }
}

void valgrind_free(struct valgrind_frames *f)
{
    intern_free(&f->texts);
    intern_free(&f->functions);
    intern_free(&f->mappings);
    intern_free(&f->locations);
    mem_free(f->frames);
    bytes_rows_free(&f->rows);
    buf_free(&f->text);
    buf_free(&f->extra);
}
