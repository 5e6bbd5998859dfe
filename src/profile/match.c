#include "profile/match.h"

#include "base/diag.h"
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/text.h"

#include <locale.h>
#include <regex.h>

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

void match_open_text(struct match *m, const char *option, const char *text, struct match_how how)
{
    char why[256];
    setlocale(LC_CTYPE, "C.UTF-8"); /* a character is one of UTF-8, wherever the tool runs */
    m->text.n = 0;
    if (how.is_fixed)
        add_fixed(&m->text, text);
    else
        buf_add(&m->text, str_of(text));
    buf_add(&m->text, (struct str){"", 1});
    m->regex = mem_alloc_holder(sizeof *m->regex, drop_regex);
    m->regex->is_compiled = false;
    int failed = regcomp(&m->regex->regex, m->text.p,
                         REG_EXTENDED | REG_NOSUB | (how.ignores_case ? REG_ICASE : 0));
    if (failed != 0) {
        regerror(failed, &m->regex->regex, why, sizeof why);
        die(failed == REG_ESPACE ? STATUS_SYSTEM : STATUS_USAGE,
            "--%s: \"%s\" is no extended regular expression: %s", option, text, why);
    }
    m->regex->is_compiled = true;
}

void match_open(struct match *m, const char *option, const char *text, struct match_how how)
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
            text += words[i].n;
            break;
        }
    match_open_text(m, option, text, how);
}

bool match_bytes(struct match *m, struct str bytes)
{
    m->text.n = m->line.n = 0;
    text_escape(&m->line, bytes);
    text_unescape(&m->text, buf_str(&m->line));
    buf_add(&m->text, (struct str){"", 1});
    int status = regexec(&m->regex->regex, m->text.p, 0, NULL, 0);
    if (status != 0 && status != REG_NOMATCH)
        die(STATUS_SYSTEM, "an expression needs more memory than there is");
    return status == 0;
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

void match_add_mapping(struct match *m, struct str file)
{
    add(&m->mappings,
        (m->where == MATCH_ANYWHERE || m->where == MATCH_MAPPING) && match_bytes(m, file));
}

void match_add_function(struct match *m, struct str name, struct str file)
{
    bool has_name = m->where == MATCH_ANYWHERE || m->where == MATCH_NAME;
    bool has_file = m->where == MATCH_ANYWHERE || m->where == MATCH_FILE;
    add(&m->functions, (has_name && match_bytes(m, name)) || (has_file && match_bytes(m, file)));
}

/* Whether the line of FRAME is what M looks for. */
static bool has_line(struct match *m, const struct match_frame *frame)
{
    struct buf text = {0};
    if (m->where != MATCH_LINE || frame->line < 1)
        return false;
    buf_add(&text, frame->file);
    buf_add(&text, STR("#"));
    emit_number(&text, frame->line);
    bool is_it = match_bytes(m, buf_str(&text));
    buf_free(&text);
    return is_it;
}

void match_add_location(struct match *m, const struct match_frame *frame)
{
    bool has_own_file = frame->function == 0 && frame->file.n > 0 &&
                        (m->where == MATCH_ANYWHERE || m->where == MATCH_FILE);
    add(&m->locations, found(&m->functions, frame->function) ||
                           found(&m->mappings, frame->mapping) || has_line(m, frame) ||
                           (has_own_file && match_bytes(m, frame->file)));
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
    buf_free(&m->line);
    *m = (struct match){0};
}
