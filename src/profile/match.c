#include "profile/match.h"

#include "base/in.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <stdio.h>

/* --- expressions --- */

/* Sets M to the expression TEXT from ASKER.  Ends the tool if it is invalid. */
static void compile(struct match *m, const char *asker, const char *text, struct regex_how how)
{
    char why[256];
    m->regex = regex_open(text, how, asker, why, sizeof why);
    if (m->regex == NULL)
        die(CODE_BAD_EXPRESSION,
            "%s: \"%s\" is no regular expression: %s" HINT "\\Q...\\E stands for any text as it is",
            asker, text, why);
}

void match_open_text(struct match *m, const char *option, const char *text, struct regex_how how)
{
    char asker[64];
    snprintf(asker, sizeof asker, "%s%s", option == NULL ? "" : "--", option == NULL ? "" : option);
    compile(m, asker, text, how);
}

/* The expression in TEXT, after a prefix that says where to search, if there is one. */
static const char *take_word(struct match *m, const char *text)
{
    static const struct str words[] = {
        [MATCH_NAME] = STR("name:"),
        [MATCH_FILE] = STR("file:"),
        [MATCH_MAPPING] = STR("mapping:"),
        [MATCH_LINE] = STR("line:"),
    };
    for (unsigned i = MATCH_NAME; i <= MATCH_LINE; i++)
        if (str_starts(str_of(text), words[i]) && text[words[i].n] != ':') {
            m->where = i;
            return text + words[i].n;
        }
    return text;
}

void match_open(struct match *m, const char *option, const char *text, struct regex_how how)
{
    match_open_text(m, option, take_word(m, text), how);
}

void match_open_line(struct match *m, struct place where, const char *text, bool is_frame,
                     struct regex_room *room)
{
    m->room = room;
    m->shares_room = room != NULL;
    struct buf asker = {0};
    buf_add(&asker, str_of(where.file));
    buf_add(&asker, STR(":"));
    emit_number(&asker, (int64_t)where.at);
    buf_add(&asker, (struct str){"", 1});
    compile(m, asker.p, is_frame ? take_word(m, text) : text, (struct regex_how){0});
    buf_free(&asker);
}

struct str match_word(const char *text, bool is_frame)
{
    struct match any = {0};
    return regex_word(str_of(is_frame ? take_word(&any, text) : text));
}

/* Sets m->text to BYTES as rows show them. */
static struct str show(struct match *m, struct str bytes)
{
    m->text.n = m->shown.n = 0;
    text_escape(&m->shown, bytes);
    text_unescape(&m->text, buf_str(&m->shown));
    return buf_str(&m->text);
}

/* regex_find for M in TEXT. */
static bool find(struct match *m, struct str text, size_t from, struct regex_part *parts,
                 size_t count)
{
    if (m->room == NULL)
        m->room = regex_room_open();
    return regex_find(m->regex, m->room, text, from, parts, count);
}

bool match_bytes(struct match *m, struct str bytes)
{
    return find(m, show(m, bytes), 0, NULL, 0);
}

/* --- replacements --- */

/* Bytes, and a position in them with the same position in their text as rows show it. */
struct aligned {
    struct str bytes, text;
    size_t at, shown; /* the position in both */
};

static struct aligned align(const struct match *m, struct str bytes)
{
    return (struct aligned){.bytes = bytes, .text = buf_str(&m->text)};
}

/* Whether TEXT has U+FFFD at AT, as for one byte that is not text. */
static bool is_unknown(struct str text, size_t at)
{
    return str_starts((struct str){text.p + at, text.n - at}, UTF8_REPLACEMENT);
}

/* The position in the bytes of A for the position SHOWN in the text.  Positions must not
 * decrease between calls. */
static size_t place_of(struct aligned *a, size_t shown)
{
    while (a->shown < shown) {
        bool is_one = is_unknown(a->text, a->shown) && !is_unknown(a->bytes, a->at);
        a->shown += is_one ? 3 : 1;
        a->at++;
    }
    return a->at;
}

/* Appends REPLACEMENT to TO, expanded for the match PARTS in the bytes of A. */
static void add_replacement(struct str replacement, struct aligned a,
                            const struct regex_part *parts, struct buf *to)
{
    for (size_t i = 0; i < replacement.n; i++) {
        const char *c = replacement.p + i;
        size_t part = *c == '&' ? 0 : REGEX_PARTS;
        if (*c == '\\') {
            c = replacement.p + ++i;
            part = str_is_digit(*c) ? (size_t)(*c - '0') : REGEX_PARTS;
        }
        if (part == REGEX_PARTS) {
            buf_add(to, (struct str){c, 1});
        } else if (parts[part].begin != SIZE_MAX) {
            struct aligned walk = a; /* groups may be in any order */
            size_t begin = place_of(&walk, parts[part].begin);
            size_t end = place_of(&walk, parts[part].end);
            buf_add(to, (struct str){a.bytes.p + begin, end - begin});
        }
    }
}

struct str match_wrong(const struct match *m, struct str replacement)
{
    for (size_t i = 0; i < replacement.n; i++) {
        if (replacement.p[i] != '\\')
            continue;
        struct str two = {replacement.p + i, replacement.n - i < 2 ? 1 : 2};
        char c = two.n < 2 ? '\0' : two.p[1];
        bool is_part = c >= '1' && c <= '9' && (size_t)(c - '0') <= regex_part_count(m->regex);
        if (!is_part && c != '&' && c != '\\')
            return two;
        i++;
    }
    return (struct str){NULL, 0};
}

/* The length of the UTF-8 character at P. */
static size_t character(const char *p)
{
    unsigned char c = (unsigned char)*p;
    return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

bool match_replace(struct match *m, struct str bytes, struct str replacement, struct place where,
                   struct buf *to)
{
    struct regex_part parts[REGEX_PARTS];
    struct str text = show(m, bytes);
    size_t begin = to->n, copied = 0, ended = SIZE_MAX;
    struct aligned a = align(m, bytes);
    for (size_t from = 0; from <= text.n && find(m, text, from, parts, REGEX_PARTS);) {
        size_t found = parts[0].begin, end = parts[0].end;
        if (found < end || found != ended) { /* an empty match right after a match does not count */
            size_t at = place_of(&a, found);
            buf_add(to, (struct str){bytes.p + copied, at - copied});
            add_replacement(replacement, a, parts, to);
            copied = place_of(&a, end);
        }
        ended = end;
        if (end > from)
            from = end;
        else
            from += from < text.n ? character(text.p + from) : 1;
        if (to->n - begin > LIMITS_LINE)
            die_as(CODE_TOO_LARGE, where, "what rules make of a name is longer than a line may be");
    }
    if (ended == SIZE_MAX)
        return false;
    buf_add(to, (struct str){bytes.p + copied, bytes.n - copied});
    return true;
}

/* --- rows --- */

static void add(struct match_found *to, bool found)
{
    to->items = mem_array(to->items, &to->capacity, to->count + 1, sizeof *to->items);
    to->items[to->count++] = found;
}

static bool found(const struct match_found *in, uint32_t id)
{
    return id != 0 && in->items[id - 1];
}

/* Whether M searches WHERE. */
static bool looks_in(const struct match *m, unsigned where)
{
    return m->where == where || (m->where == MATCH_ANYWHERE && where != MATCH_LINE);
}

void match_add_mapping(struct match *m, struct str file)
{
    add(&m->mappings, looks_in(m, MATCH_MAPPING) && match_bytes(m, file));
}

void match_add_function(struct match *m, struct str name, struct str file)
{
    add(&m->functions, (looks_in(m, MATCH_NAME) && match_bytes(m, name)) ||
                           (looks_in(m, MATCH_FILE) && match_bytes(m, file)));
}

/* What may be between the file and the number of a line: as in tables, and as R writes it. */
static const struct str line_marks[] = {STR(":"), STR("#")};
enum { LINE_MARKS = sizeof line_marks / sizeof *line_marks };

/* Sets m->line to the name of the line LINE of FILE. */
static struct str name_line(struct match *m, struct str file, struct str mark, int64_t line)
{
    m->line.n = 0;
    buf_add(&m->line, file);
    buf_add(&m->line, mark);
    emit_number(&m->line, line);
    return buf_str(&m->line);
}

/* Whether the line of FRAME matches M. */
static bool has_line(struct match *m, const struct match_frame *frame)
{
    for (size_t i = 0; i < LINE_MARKS && looks_in(m, MATCH_LINE) && frame->line >= 1; i++)
        if (match_bytes(m, name_line(m, frame->file, line_marks[i], frame->line)))
            return true;
    return false;
}

void match_add_location(struct match *m, const struct match_frame *frame)
{
    bool has_own_file = frame->function == 0 && frame->file.n > 0 && looks_in(m, MATCH_FILE);
    add(&m->locations, found(&m->functions, frame->function) ||
                           found(&m->mappings, frame->mapping) || has_line(m, frame) ||
                           (has_own_file && match_bytes(m, frame->file)));
}

/* Appends REPLACEMENT, expanded, to TO if M searches WHERE and matches TEXT there. */
static bool expand(struct match *m, unsigned where, struct str text, struct str replacement,
                   struct buf *to)
{
    struct regex_part parts[REGEX_PARTS];
    if (!looks_in(m, where) || text.p == NULL || !find(m, show(m, text), 0, parts, REGEX_PARTS))
        return false;
    add_replacement(replacement, align(m, text), parts, to);
    return true;
}

bool match_expand(struct match *m, const struct match_texts *texts, struct str replacement,
                  struct buf *to)
{
    if (expand(m, MATCH_NAME, texts->name, replacement, to) ||
        expand(m, MATCH_FILE, texts->file, replacement, to) ||
        expand(m, MATCH_MAPPING, texts->mapping, replacement, to))
        return true;
    for (size_t i = 0; i < LINE_MARKS && looks_in(m, MATCH_LINE) && texts->line >= 1; i++)
        if (expand(m, MATCH_LINE, name_line(m, texts->file, line_marks[i], texts->line),
                   replacement, to))
            return true;
    return false;
}

/* --- the end --- */

void match_clear(struct match *m)
{
    m->functions.count = m->mappings.count = m->locations.count = 0;
}

void match_free(struct match *m)
{
    regex_free(m->regex);
    if (!m->shares_room)
        regex_room_free(m->room);
    mem_free(m->functions.items);
    mem_free(m->mappings.items);
    mem_free(m->locations.items);
    buf_free(&m->text);
    buf_free(&m->shown);
    buf_free(&m->line);
    *m = (struct match){0};
}
