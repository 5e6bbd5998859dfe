#include "profile/match.h"

#include "base/in.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <locale.h>
#include <regex.h>
#include <stdio.h>

/* --- expressions --- */

/* What the C library holds for one. */
struct match_regex {
    regex_t regex;
    bool is_compiled;
};

static void drop_regex(void *block)
{
    struct match_regex *r = block;
    if (r->is_compiled)
        regfree(&r->regex);
}

/* Appends TEXT to TO with a backslash in front of what means something else than itself. */
static void add_fixed(struct buf *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\.[]()*+?{}|^$", *text) != NULL)
            buf_add(to, STR("\\"));
        buf_add(to, (struct str){text, 1});
    }
}

/* More than an expression takes: where memory is refused while it is compiled, the GNU C library may free some twice. */
enum { ENOUGH = 2 << 20 };

/* Makes M the expression TEXT, with WITH; returns what regcomp does. */
static int compile(struct match *m, const char *text, struct match_how how, int with)
{
    setlocale(LC_CTYPE, "C.UTF-8"); /* a character is one of UTF-8, wherever the tool runs */
    m->text.n = 0;
    if (how.is_fixed)
        add_fixed(&m->text, text);
    else
        buf_add(&m->text, str_of(text));
    buf_add(&m->text, (struct str){"", 1});
    m->regex = mem_alloc_holder(sizeof *m->regex, drop_regex);
    m->regex->is_compiled = false;
    mem_need(ENOUGH);
    int failed = regcomp(&m->regex->regex, m->text.p,
                         REG_EXTENDED | (how.ignores_case ? REG_ICASE : 0) | with);
    m->regex->is_compiled = failed == 0;
    return failed;
}

static _Noreturn void die_short(void)
{
    die(STATUS_SYSTEM, "an expression needs more memory than there is");
}

/* Ends the tool: TEXT is no expression, which ASKER says that it is. */
static _Noreturn void die_wrong(const struct match *m, int failed, const char *asker,
                                const char *text)
{
    char why[256];
    regerror(failed, &m->regex->regex, why, sizeof why);
    die(failed == REG_ESPACE ? STATUS_SYSTEM : STATUS_USAGE,
        "%s: \"%s\" is no extended regular expression: %s", asker, text, why);
}

void match_open_text(struct match *m, const char *option, const char *text, struct match_how how)
{
    char asker[64];
    int failed = compile(m, text, how, REG_NOSUB);
    if (failed == 0)
        return;
    if (option == NULL)
        die_short();
    snprintf(asker, sizeof asker, "--%s", option);
    die_wrong(m, failed, asker, text);
}

/* The expression in TEXT, which may begin with a word that says where it is looked for. */
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

void match_open(struct match *m, const char *option, const char *text, struct match_how how)
{
    match_open_text(m, option, take_word(m, text), how);
}

void match_open_line(struct match *m, struct place where, const char *text, bool is_frame)
{
    struct buf asker = {0};
    const char *expression = is_frame ? take_word(m, text) : text;
    int failed = compile(m, expression, (struct match_how){0}, 0);
    if (failed == 0)
        return;
    buf_add(&asker, str_of(where.file));
    buf_add(&asker, STR(":"));
    emit_number(&asker, (int64_t)where.at);
    buf_add(&asker, (struct str){"", 1});
    die_wrong(m, failed, asker.p, expression);
}

/* Makes m->text what rows show of BYTES, with NUL behind it. */
static void show(struct match *m, struct str bytes)
{
    m->text.n = m->shown.n = 0;
    text_escape(&m->shown, bytes);
    text_unescape(&m->text, buf_str(&m->shown));
    buf_add(&m->text, (struct str){"", 1});
}

/* What regexec does with the SIZE bytes of TEXT, which NUL follows, from FROM on. */
static int find(const regex_t *regex, const char *text, size_t from, size_t size, regmatch_t *parts,
                size_t count)
{
#ifdef REG_STARTEND
    regmatch_t range = {(regoff_t)from, (regoff_t)size};
    parts = count > 0 ? parts : &range;
    parts[0] = range;
    return regexec(regex, text, count, parts, REG_STARTEND);
#else /* nothing is found behind a NUL in TEXT */
    (void)size;
    int status = regexec(regex, text + from, count, parts, from > 0 ? REG_NOTBOL : 0);
    for (size_t i = 0; status == 0 && i < count; i++)
        if (parts[i].rm_so >= 0) {
            parts[i].rm_so += (regoff_t)from;
            parts[i].rm_eo += (regoff_t)from;
        }
    return status;
#endif
}

/* Whether M is found in m->text, which is SIZE bytes, from FROM on; PARTS, COUNT of them, are places there. */
static bool search(const struct match *m, size_t from, size_t size, regmatch_t *parts, size_t count)
{
    int status = find(&m->regex->regex, m->text.p, from, size, parts, count);
    if (status != 0 && status != REG_NOMATCH)
        die_short();
    return status == 0;
}

bool match_bytes(struct match *m, struct str bytes)
{
    show(m, bytes);
    return search(m, 0, m->text.n - 1, NULL, 0);
}

/* --- replacements --- */

/* What an expression is found in, and its parts in parentheses: \0 to \9. */
enum { PARTS = 10 };

/* Bytes, as far as it is known where they are in what is shown of them. */
struct aligned {
    struct str bytes, text;
    size_t at, shown; /* the same place in both */
};

static struct aligned align(const struct match *m, struct str bytes)
{
    return (struct aligned){.bytes = bytes, .text = {m->text.p, m->text.n - 1}};
}

/* Whether U+FFFD stands at AT of TEXT, as for one byte that is no text. */
static bool is_unknown(struct str text, size_t at)
{
    return str_starts((struct str){text.p + at, text.n - at}, UTF8_REPLACEMENT);
}

/* The place in the bytes of A of what is SHOWN, which is no earlier than any that was asked for. */
static size_t place_of(struct aligned *a, size_t shown)
{
    while (a->shown < shown) {
        bool is_one = is_unknown(a->text, a->shown) && !is_unknown(a->bytes, a->at);
        a->shown += is_one ? 3 : 1;
        a->at++;
    }
    return a->at;
}

/* Appends REPLACEMENT to TO for what was found at PARTS of the bytes of A. */
static void add_replacement(struct str replacement, struct aligned a, const regmatch_t *parts,
                            struct buf *to)
{
    for (size_t i = 0; i < replacement.n; i++) {
        const char *c = replacement.p + i;
        size_t part = *c == '&' ? 0 : PARTS;
        if (*c == '\\') {
            c = replacement.p + ++i;
            part = str_is_digit(*c) ? (size_t)(*c - '0') : PARTS;
        }
        if (part == PARTS) {
            buf_add(to, (struct str){c, 1});
        } else if (parts[part].rm_so >= 0) {
            struct aligned walk = a; /* parts come in any order */
            size_t begin = place_of(&walk, (size_t)parts[part].rm_so);
            size_t end = place_of(&walk, (size_t)parts[part].rm_eo);
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
        bool is_part = c >= '1' && c <= '9' && (size_t)(c - '0') <= m->regex->regex.re_nsub;
        if (!is_part && c != '&' && c != '\\')
            return two;
        i++;
    }
    return (struct str){NULL, 0};
}

/* The bytes of the character of UTF-8 that begins at P. */
static size_t character(const char *p)
{
    unsigned char c = (unsigned char)*p;
    return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

bool match_replace(struct match *m, struct str bytes, struct str replacement, struct place where,
                   struct buf *to)
{
    regmatch_t parts[PARTS];
    show(m, bytes);
    size_t size = m->text.n - 1, begin = to->n, copied = 0, ended = SIZE_MAX;
    struct aligned a = align(m, bytes);
    for (size_t from = 0; from <= size && search(m, from, size, parts, PARTS);) {
        size_t found = (size_t)parts[0].rm_so, end = (size_t)parts[0].rm_eo;
        bool is_empty = found == end;
        if (!is_empty || found != ended) { /* nothing is found right behind something */
            size_t at = place_of(&a, found);
            buf_add(to, (struct str){bytes.p + copied, at - copied});
            add_replacement(replacement, a, parts, to);
            copied = place_of(&a, end);
        }
        ended = end;
        from = is_empty ? end + character(m->text.p + end) : end;
        if (to->n - begin > IN_LINE_MAX)
            die_at(where, "what rules make of a name is longer than a line may be");
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

/* Whether M is looked for in what WHERE says. */
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

/* Makes m->line what the line LINE of FILE is called. */
static struct str name_line(struct match *m, struct str file, int64_t line)
{
    m->line.n = 0;
    buf_add(&m->line, file);
    buf_add(&m->line, STR("#"));
    emit_number(&m->line, line);
    return buf_str(&m->line);
}

/* Whether the line of FRAME is what M looks for. */
static bool has_line(struct match *m, const struct match_frame *frame)
{
    return looks_in(m, MATCH_LINE) && frame->line >= 1 &&
           match_bytes(m, name_line(m, frame->file, frame->line));
}

void match_add_location(struct match *m, const struct match_frame *frame)
{
    bool has_own_file = frame->function == 0 && frame->file.n > 0 && looks_in(m, MATCH_FILE);
    add(&m->locations, found(&m->functions, frame->function) ||
                           found(&m->mappings, frame->mapping) || has_line(m, frame) ||
                           (has_own_file && match_bytes(m, frame->file)));
}

/* Appends REPLACEMENT to TO where M is found in TEXT, in which WHERE says it is looked for. */
static bool expand(struct match *m, unsigned where, struct str text, struct str replacement,
                   struct buf *to)
{
    regmatch_t parts[PARTS];
    if (!looks_in(m, where) || text.p == NULL)
        return false;
    show(m, text);
    if (!search(m, 0, m->text.n - 1, parts, PARTS))
        return false;
    add_replacement(replacement, align(m, text), parts, to);
    return true;
}

bool match_expand(struct match *m, const struct match_texts *texts, struct str replacement,
                  struct buf *to)
{
    struct str line = {NULL, 0};
    if (texts->line >= 1)
        line = name_line(m, texts->file, texts->line);
    return expand(m, MATCH_NAME, texts->name, replacement, to) ||
           expand(m, MATCH_FILE, texts->file, replacement, to) ||
           expand(m, MATCH_MAPPING, texts->mapping, replacement, to) ||
           expand(m, MATCH_LINE, line, replacement, to);
}

/* --- the end --- */

void match_clear(struct match *m)
{
    m->functions.count = m->mappings.count = m->locations.count = 0;
}

void match_free(struct match *m)
{
    if (m->regex != NULL)
        drop_regex(m->regex);
    mem_free(m->regex);
    mem_free(m->functions.items);
    mem_free(m->mappings.items);
    mem_free(m->locations.items);
    buf_free(&m->text);
    buf_free(&m->shown);
    buf_free(&m->line);
    *m = (struct match){0};
}
