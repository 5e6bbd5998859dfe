#include "formats/v8.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

struct v8_frame_text v8_frame_begin(struct buf *text)
{
    return (struct v8_frame_text){
        .frame = {.line = -1, .column = -1}, .text = text, .start = text == NULL ? 0 : text->n};
}

struct str v8_frame_take_text(struct v8_frame_text *frame)
{
    struct buf *text = frame->text;
    struct str taken = {text->n == 0 ? "" : text->p + frame->start, text->n - frame->start};
    text->n = frame->start;
    return taken;
}

uint32_t v8_text(struct v8_frames *f, struct tokens *j)
{
    if (j->token != TOKEN_STRING && j->token != TOKEN_NUMBER)
        tokens_unexpected(j, "a string or a number");
    return intern_add(&f->texts, tokens_bytes(j, &f->text), NULL);
}

struct str v8_text_of(const struct v8_frames *f, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&f->texts, number);
}

void v8_frame_member(struct v8_frames *f, struct tokens *j, unsigned member,
                     struct v8_frame_text *to)
{
    static const char *const names[] = {V8_FRAME_MEMBERS};
    int64_t position = -1;
    bool is_plain = j->token == TOKEN_STRING;
    if ((to->seen & 1u << member) != 0)
        tokens_die(j, j->where, "\"%s\" stands there twice", names[member]);
    to->seen |= 1u << member;
    switch (member) {
    case V8_NAME: to->frame.name = v8_text(f, j); break;
    case V8_URL: to->frame.url = v8_text(f, j); break;
    case V8_SCRIPT:
        to->frame.script = v8_text(f, j);
        to->is_numbered = j->token == TOKEN_NUMBER;
        is_plain = true;
        break;
    default:
        position = tokens_integer(j, INT64_MIN, "an integer");
        is_plain = position >= -1;
        *(member == V8_LINE ? &to->frame.line : &to->frame.column) = is_plain ? position : -1;
    }
    to->plain |= (unsigned)is_plain << member;
    if (to->text == NULL)
        return;
    emit_member(to->text, str_of(names[member]));
    tokens_copy(j, to->text);
}

void v8_frame_read(struct v8_frames *f, struct tokens *j, struct v8_frame_text *to)
{
    static const char *const names[] = {V8_FRAME_MEMBERS, "codeType"};
    unsigned seen = 0, member;
    if (j->token != TOKEN_OBJECT)
        tokens_unexpected(j, "an object");
    while (tokens_next_member(j, names, V8_MEMBERS + 1, &seen, &member))
        if (member < V8_MEMBERS) {
            v8_frame_member(f, j, member, to);
        } else {
            loss_add(LOSS_OWN, STR("codeType"), 1); /* in traces */
            tokens_skip(j);
        }
}

uint32_t v8_frame_add(struct v8_frames *f, const struct v8_frame *frame)
{
    return intern_add(&f->frames, (struct str){(const char *)frame, sizeof *frame}, NULL);
}

void v8_frames_finish(struct v8_frames *f, int64_t first_line)
{
    struct v8_frame frame;
    f->function_of = mem_alloc((f->frames.count + 1) * sizeof *f->function_of);
    for (uint32_t i = 1; i <= f->frames.count; i++) {
        memcpy(&frame, intern_get(&f->frames, i).p, sizeof frame);
        int64_t *const positions[] = {&frame.line, &frame.column};
        for (size_t k = 0; k < 2; k++) {
            *positions[k] += 1 - first_line; /* as rows count them; 0: none */
            *positions[k] = *positions[k] > 0 ? *positions[k] : 0;
        }
        /* rows tell no empty text from none */
        frame.name = v8_text_of(f, frame.name).n == 0 ? 0 : frame.name;
        frame.url = v8_text_of(f, frame.url).n == 0 ? 0 : frame.url;
        f->function_of[i - 1] =
            intern_add(&f->functions, (struct str){(const char *)&frame, sizeof frame}, NULL);
    }
}

uint32_t v8_frames_find(const struct v8_frames *f, struct str name, struct str url, int64_t line)
{
    const struct v8_frame frame = {
        .line = line, .name = intern_find(&f->texts, name), .url = intern_find(&f->texts, url)};
    if ((name.n > 0 && frame.name == 0) || (url.n > 0 && frame.url == 0))
        return 0;
    return intern_find(&f->functions, (struct str){(const char *)&frame, sizeof frame});
}

/* Pushes the rows of FUNCTION, whose number is ID. */
static void push(struct v8_frames *f, struct sink *sink, uint32_t id,
                 const struct v8_frame *function)
{
    f->extra.n = 0;
    if (function->column > 0) {
        emit_member(&f->extra, STR(".cpuprofile_column"));
        emit_number(&f->extra, function->column);
    }
    if (function->script > 0) {
        emit_member(&f->extra, STR(".cpuprofile_script"));
        emit_inner_string(&f->extra, &f->text, v8_text_of(f, function->script));
    }
    bytes_rows_function(&f->rows, sink, id, v8_text_of(f, function->name),
                        v8_text_of(f, function->url), function->line, buf_str(&f->extra));
    sink_row(sink, &(struct row){.table = TABLE_LOCATIONS, .location = {id, id, 0}});
}

void v8_frames_push(struct v8_frames *f, struct sink *sink)
{
    struct v8_frame function;
    for (uint32_t id = 1; id <= f->functions.count; id++) {
        memcpy(&function, intern_get(&f->functions, id).p, sizeof function);
        push(f, sink, id, &function);
    }
}

int64_t v8_frames_line(struct v8_frames *f, struct sink *sink, uint32_t function, int64_t line)
{
    int64_t key[] = {function, line};
    bool is_new;
    if (line == 0)
        return function;
    int64_t id = (int64_t)f->functions.count +
                 intern_add(&f->lines, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new)
        sink_row(sink, &(struct row){.table = TABLE_LOCATIONS, .location = {id, function, line}});
    return id;
}

void v8_frames_free(struct v8_frames *f)
{
    intern_free(&f->texts);
    intern_free(&f->frames);
    intern_free(&f->functions);
    intern_free(&f->lines);
    mem_free(f->function_of);
    bytes_rows_free(&f->rows);
    buf_free(&f->text);
    buf_free(&f->extra);
}
