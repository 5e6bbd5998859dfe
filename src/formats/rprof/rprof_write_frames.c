/* Functions, locations, and their spelling in a run. */
#include "base/mem.h"
#include "base/port.h"
#include "formats/rprof/rprof_encoding.h"
#include "formats/rprof/rprof_write.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

struct str rprof_bytes(struct rprof_writer *w, struct str name, struct str text, struct str bytes)
{
    w->scratch.n = 0;
    text_exact(&w->scratch, text, bytes, name);
    return buf_str(&w->scratch);
}

/* --- rows --- */

uint32_t rprof_path(struct rprof_writer *w, struct str bytes)
{
    return bytes.n == 0 ? 0 : intern_add(&w->paths, bytes, NULL);
}

void rprof_read_function(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, rprof_place(w), NULL);
    struct member m;
    struct str bytes = {NULL, 0};
    bool unmangled = false, no_name = false;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_UNMANGLED: unmangled = m.flag; break;
        case MEMBER_ID_NO_NAME: no_name = m.flag; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    if (!unmangled && !str_equal(row->function.name, row->function.system_name))
        loss_add(LOSS_COLUMNS, STR("functions.system_name"), 1);
    if (row->function.start_line != 0)
        loss_add(LOSS_COLUMNS, STR("functions.start_line"), 1);
    size_t id = (size_t)row->function.function_id; /* dense, in order of appearance */
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    struct rprof_function *f = &w->functions[id - 1];
    f->name = no_name
                  ? STR("")
                  : arena_copy(&w->arena, rprof_bytes(w, STR("name"), row->function.name, bytes));
    f->path = rprof_path(w, rprof_bytes(w, STR("filename"), row->function.filename, bytes));
}

/* The text of the address M; may be in TO. */
static struct str spell_address(struct buf *to, const struct member *m)
{
    if (m->value.p != NULL)
        return text_inside(m->value);
    emit_address(to, m->address);
    return buf_str(to);
}

void rprof_read_location(struct rprof_writer *w, const struct row *row)
{
    static const struct str unknown = STR("<unknown>");
    bool has_name = row->location.function_id != ROW_NULL;
    struct members walk = members_of(row, rprof_place(w), NULL);
    struct member m;
    struct str filename = {NULL, 0}, bytes = {NULL, 0}, odd = STR(""), address = unknown;
    struct buf digits = {0};
    while (members_next(&walk, &m)) {
        if (m.id == MEMBER_ID_FILENAME && !has_name)
            filename = m.text;
        else if (m.id == MEMBER_ID_RPROF_TEXT)
            odd = m.text;
        else if (m.id == MEMBER_ID_BYTES) {
            bytes = m.value;
            loss_add_bytes(row, bytes);
        } else {
            if (m.id == MEMBER_ID_ADDRESS)
                address = spell_address(&digits, &m);
            loss_add_column(row, m.name);
        }
    }
    size_t id = (size_t)row->location.location_id;
    w->locations = mem_array(w->locations, &w->location_capacity, id, sizeof *w->locations);
    struct rprof_location *l = &w->locations[id - 1];
    *l = (struct rprof_location){.frame = {.has_name = has_name, .name = STR("")}};
    l->frame.line = row->location.line == ROW_NULL ? 0 : row->location.line;
    if (l->frame.line > RPROF_NUMBER_MAX) {
        loss_add(LOSS_COLUMNS, STR("locations.line"), 1);
        l->frame.line = 0;
    }
    if (has_name) {
        const struct rprof_function *f = &w->functions[row->location.function_id - 1];
        l->frame.name = f->name;
        l->frame.path = f->path;
    } else if (filename.p != NULL) {
        l->frame.path = rprof_path(w, rprof_bytes(w, STR(".filename"), filename, bytes));
    } else if (l->frame.line == 0) { /* an address, or nothing at all */
        l->frame.has_name = true;
        l->frame.name = arena_copy(&w->arena, rprof_bytes(w, STR(".address"), address, bytes));
        loss_add(LOSS_FRAMES, address, 1);
    }
    if (odd.n > 0)
        l->odd = arena_copy(&w->arena, rprof_bytes(w, STR(".rprof_text"), odd, bytes));
    buf_free(&digits);
}

/* --- spelling --- */

/* Whether TEXT, a `.rprof_text`, is read as FRAME in this run. *NUMBER is then the number of its
 * file; 0: it has no position. */
static bool is_spelling(struct rprof_writer *w, struct str text, const struct rprof_frame *frame,
                        int64_t *number)
{
    int64_t line = 0;
    uint32_t path = 0;
    struct str raw, rest = text;
    *number = 0;
    if (rprof_take_position(&rest, number, &line)) {
        if (!rprof_files_get(&w->files, *number, &path))
            return false;
        if (rest.n == 0)
            return !frame->has_name && path == frame->path && line == frame->line;
        str_take(&rest, STR(" "));
    }
    if (!frame->has_name || path != frame->path || line != frame->line ||
        !str_take(&rest, STR("\"")) || rest.n == 0 || rest.p[rest.n - 1] != '"')
        return false;
    w->raw.n = 0;
    buf_add(&w->raw, rest);
    buf_add(&w->raw, STR(" \""));
    if (rprof_read_name(buf_str(&w->raw), &raw) != RPROF_NAME_CLOSED || raw.n != rest.n - 1)
        return false;
    w->scratch.n = 0;
    rprof_decode_name(w->style, (struct str){rest.p, raw.n}, &w->scratch);
    return str_equal(buf_str(&w->scratch), frame->name);
}

/* Whether the frame SPELLED is read back with the name NAME. */
static bool reads_back(struct rprof_writer *w, struct str spelled, struct str name)
{
    struct str raw;
    const char *quote = memchr(spelled.p, '"', spelled.n);
    struct str behind = {quote + 1, (size_t)(spelled.p + spelled.n - quote) - 1};
    w->raw.n = 0;
    buf_add(&w->raw, behind);
    buf_add(&w->raw, STR(" \""));
    if (rprof_read_name(buf_str(&w->raw), &raw) != RPROF_NAME_CLOSED || raw.n != behind.n - 1)
        return false;
    w->scratch.n = 0;
    rprof_decode_name(w->style, raw, &w->scratch);
    return str_equal(buf_str(&w->scratch), name);
}

/* Counts the name or path BYTES, which is written differently. */
static void count_name(struct str bytes)
{
    struct buf text = {0};
    text_escape(&text, bytes);
    loss_add(LOSS_NAMES, buf_str(&text), 1);
    buf_free(&text);
}

/* Appends the spelling of FRAME to TO. A name that would be read differently is changed so that it
 * does not end too early. */
static void spell_frame(struct rprof_writer *w, const struct rprof_frame *frame, struct buf *to)
{
    size_t before = to->n;
    rprof_spell_frame(w->style, &w->files, frame, to);
    struct str spelled = {to->p + before, to->n - before};
    if (!frame->has_name || reads_back(w, spelled, frame->name))
        return;
    count_name(frame->name);
    char *p = memchr(spelled.p, '"', spelled.n);
    for (char *end = to->p + to->n - 1; ++p < end;)
        if (*p == '"')
            *p = '\'';
        else if (*p == '\n' || *p == '\r')
            *p = ' ';
}

/* The number of the file of FRAME; 0: it has no position. */
static int64_t number_file(struct rprof_writer *w, const struct rprof_frame *frame)
{
    if (frame->has_name && frame->path == 0 && frame->line == 0)
        return 0;
    if (rprof_files_number(&w->files, frame->path) == 0)
        rprof_write_file(w, rprof_files_unused(&w->files), frame->path, STR(""));
    return rprof_files_number(&w->files, frame->path);
}

/* Whether the last spelling of L is valid in this run. */
static bool is_spelled(struct rprof_writer *w, const struct rprof_location *l)
{
    uint32_t path;
    if (l->style != w->style || (l->odd.n > 0 && !l->is_odd))
        return false;
    if (l->is_odd)
        return l->number == 0 ||
               (rprof_files_get(&w->files, l->number, &path) && path == l->frame.path);
    return number_file(w, &l->frame) == l->number;
}

/* Stores w->spelled as the spelling of L. */
static void keep_spelling(struct rprof_writer *w, struct rprof_location *l)
{
    struct str text = buf_str(&w->spelled);
    if (text.n > l->capacity) { /* a little more room, since file numbers differ between runs */
        size_t room = text.n + (l->capacity == 0 ? 8 : text.n);
        if (room > UINT32_MAX)
            die_as(CODE_TOO_LARGE, rprof_place(w), "a name is too long");
        l->text = arena_alloc(&w->arena, room);
        l->capacity = (uint32_t)room;
    }
    memcpy(l->text, text.p, text.n);
    l->n = (uint32_t)text.n;
    l->style = w->style;
}

void rprof_spell(struct rprof_writer *w, struct rprof_location *l)
{
    if (!is_spelled(w, l)) {
        w->spelled.n = 0;
        l->is_odd = l->odd.n > 0 && is_spelling(w, l->odd, &l->frame, &l->number);
        if (l->is_odd) {
            buf_add(&w->spelled, l->odd);
        } else {
            l->number = number_file(w, &l->frame);
            spell_frame(w, &l->frame, &w->spelled);
        }
        buf_add(&w->spelled, STR(" "));
        keep_spelling(w, l);
    }
    l->epoch = w->epoch;
}

/* Whether LINE is read in this run as a #File line for NUMBER and PATH. */
static bool is_file_line(struct rprof_writer *w, struct str line, int64_t number, struct str path)
{
    int64_t found;
    size_t header;
    if (memchr(line.p, '\n', line.n) != NULL || rprof_ends_in_header(line, &header) ||
        !rprof_take_file(&line, w->style->crlf, &found) || found != number)
        return false;
    w->scratch.n = 0;
    rprof_decode(w->style, line, &w->scratch);
    return str_equal(buf_str(&w->scratch), path);
}

/* Sets w->raw to the #File line for NUMBER and PATH. A path that would be read differently is
 * changed so that it does not end too early or begin another run. */
static void spell_file(struct rprof_writer *w, int64_t number, struct str path)
{
    struct buf *line = &w->raw;
    size_t header;
    line->n = 0;
    rprof_spell_file(w->style, number, path, line);
    buf_add(line, w->style->crlf ? STR("\r") : STR(""));
    if (is_file_line(w, buf_str(line), number, path))
        return;
    count_name(path);
    for (char *p = line->p; (p = memchr(p, '\n', (size_t)(line->p + line->n - p))) != NULL;)
        *p = ' ';
    if (rprof_ends_in_header(buf_str(line), &header))
        line->p[(const char *)port_memrchr(line->p, '=', line->n) - line->p] = '-';
}

void rprof_write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line)
{
    struct str bytes = path == 0 ? STR("") : intern_get(&w->paths, path);
    uint32_t meaning;
    /* spelled frames may now have another meaning or need another spelling */
    w->epoch +=
        rprof_files_get(&w->files, number, &meaning) || rprof_files_number(&w->files, path) != 0;
    rprof_files_set(&w->files, number, path);
    if (!is_file_line(w, line, number, bytes)) {
        spell_file(w, number, bytes);
        line = buf_str(&w->raw);
    }
    out_write(w->out, line);
    out_write(w->out, STR("\n"));
}

bool rprof_check_tail(struct rprof_writer *w, bool rprof_is_full, bool *is_cut)
{
    int64_t number, line;
    uint32_t path;
    size_t header;
    struct str tail = buf_str(&w->tail), name;
    *is_cut = false;
    if (rprof_ends_frames(tail))
        return true;
    *is_cut = true;
    if ((w->depth > 0 && !str_take(&tail, STR(" "))) || tail.n == 0 ||
        rprof_ends_in_header(tail, &header))
        return false;
    if (*tail.p != '"') {
        if (rprof_is_cut_position(tail))
            return memchr(tail.p, '\n', tail.n) == NULL;
        if (!rprof_take_position(&tail, &number, &line) ||
            !rprof_files_get(&w->files, number, &path))
            return false;
        if (rprof_ends_frames(tail))
            return rprof_is_full;
        str_take(&tail, STR(" "));
    }
    return str_take(&tail, STR("\"")) && rprof_read_name(tail, &name) == RPROF_NAME_OPEN;
}
