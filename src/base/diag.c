#include "base/diag.h"

#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int diag_level = DIAG_NORMAL;
const char *diag_tool = "profpipe";
void (*diag_before)(void);
void (*diag_finish)(void);
void (*diag_cleanup)(enum status status);
bool diag_is_json;
jmp_buf *diag_catch, *diag_skip;
const char *diag_skipped;
_Thread_local jmp_buf *diag_leave;
enum code diag_last = CODE_DETAIL;

/* --- spelling --- */

const char *const diag_severities[DIAG_SEVERITIES] = {
    [DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_DETAIL] = "note"};

/* A message; `where`, `column` and `hint` may be missing: NULL, 0 and empty. */
struct message {
    unsigned severity; /* DIAG_ERROR, ... */
    enum code code;
    bool is_nameless;  /* text does not begin with the name of the tool */
    bool has_its_file; /* the text names the file of `where` */
    const struct place *where;
    uint64_t column;
    struct str text, hint;
};

/* Longer texts and names of files are cut, so that each message has room in a line. */
enum { TEXT = 4096, FILE_NAME = 2048 };

/* No byte takes more than six in JSON. */
_Static_assert(6 * (TEXT + FILE_NAME) + 1024 <= DIAG_LINE, "a line has room for a message");

struct line {
    char *p;
    size_t n;
};

static void add(struct line *l, struct str text)
{
    memcpy(l->p + l->n, text.p, text.n);
    l->n += text.n;
}

static void add_number(struct line *l, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    add(l, (struct str){digits + at, sizeof digits - at});
}

/* Removes N bytes from the start of TEXT. */
static void take(struct str *text, size_t n)
{
    *text = (struct str){text->p + n, text->n - n};
}

static struct str file_of(const struct place *where)
{
    struct str file = str_of(where->file);
    return (struct str){file.p, utf8_cut(file, FILE_NAME)};
}

/* Adds TEXT with `?` for every character from names or input that a terminal would obey. */
static void add_harmless(struct line *l, struct str text)
{
    while (text.n > 0) {
        const unsigned length = utf8_obeyed(text);
        add(l, length > 0 ? (struct str){"???", length} : (struct str){text.p, 1});
        take(&text, length > 0 ? length : 1);
    }
}

static void spell_text(struct line *l, const struct message *m)
{
    const struct place *where = m->where;
    if (!m->is_nameless) {
        add(l, str_of(diag_tool));
        add(l, STR(": "));
    }
    if (where != NULL && !m->has_its_file) {
        add_harmless(l, file_of(where));
        add(l, where->kind == PLACE_LINE     ? STR(":")
               : where->kind == PLACE_OFFSET ? STR(": offset ")
               : where->kind == PLACE_ROW    ? STR(" ")
                                             : STR(""));
        if (where->kind != PLACE_FILE)
            add_number(l, where->at);
        add(l, STR(": "));
    }
    if (m->column > 0) {
        add(l, STR("column "));
        add_number(l, m->column);
        add(l, STR(": "));
    }
    add_harmless(l, m->text);
    if (m->hint.n > 0) {
        add(l, STR(" ("));
        add_harmless(l, m->hint);
        add(l, STR(")"));
    }
}

/* Adds the code point CODE, below 0x10000, as an escape of JSON. */
static void add_escape(struct line *l, unsigned code)
{
    static const char digits[] = "0123456789abcdef";
    add(l, STR("\\u"));
    for (int shift = 12; shift >= 0; shift -= 4)
        add(l, (struct str){&digits[code >> shift & 15], 1});
}

/* Adds the string TEXT.  What a terminal would obey is escaped; bytes that are not UTF-8 become
 * U+FFFD. */
static void add_string(struct line *l, struct str text)
{
    add(l, STR("\""));
    while (text.n > 0) {
        const unsigned char *p = (const unsigned char *)text.p;
        const unsigned obeyed = utf8_obeyed(text);
        const unsigned length = p[0] < 0x80 ? 1 : utf8_length(p, text.n);
        if (obeyed > 0)
            add_escape(l, utf8_decode(p, obeyed));
        else if (length == 0)
            add(l, UTF8_REPLACEMENT);
        else
            add(l, p[0] == '"'    ? STR("\\\"")
                   : p[0] == '\\' ? STR("\\\\")
                                  : (struct str){text.p, length});
        take(&text, length > 0 ? length : 1);
    }
    add(l, STR("\""));
}

static void spell_json(struct line *l, const struct message *m)
{
    static const struct str places[] = {[PLACE_LINE] = STR(",\"line\":"),
                                        [PLACE_OFFSET] = STR(",\"offset\":"),
                                        [PLACE_ROW] = STR(",\"row\":")};
    add(l, STR("{\"tool\":"));
    add_string(l, str_of(diag_tool));
    add(l, STR(",\"severity\":\""));
    add(l, str_of(diag_severities[m->severity]));
    add(l, STR("\",\"code\":\""));
    add(l, str_of(code_facts[m->code].word));
    add(l, STR("\""));
    if (m->where != NULL) {
        add(l, STR(",\"file\":"));
        add_string(l, file_of(m->where));
    }
    if (m->where != NULL && m->where->kind != PLACE_FILE) {
        add(l, places[m->where->kind]);
        add_number(l, m->where->at);
    }
    if (m->column > 0) {
        add(l, STR(",\"column\":"));
        add_number(l, m->column);
    }
    add(l, STR(",\"message\":"));
    add_string(l, m->text);
    if (m->hint.n > 0) {
        add(l, STR(",\"hint\":"));
        add_string(l, m->hint);
    }
    add(l, STR("}"));
}

/* Writes M to TO, which has room for DIAG_LINE bytes; returns the size. */
static size_t spell(char *to, const struct message *m)
{
    struct line line = {to, 0};
    if (diag_is_json)
        spell_json(&line, m);
    else
        spell_text(&line, m);
    add(&line, STR("\n"));
    return line.n;
}

size_t diag_spell(char line[DIAG_LINE], enum code code, const char *text)
{
    struct str all = str_of(text);
    return spell(line, &(struct message){.severity = DIAG_ERROR,
                                         .code = code,
                                         .text = {all.p, utf8_cut(all, TEXT)}});
}

/* --- messages --- */

/* Prints M, whose text and hint are FORMAT with ARGS. */
static void say(struct message m, const char *format, va_list args)
{
    diag_main_only();
    if (diag_finish != NULL)
        diag_finish();
    if (m.severity == DIAG_ERROR)
        diag_last = m.code;
    const bool is_tried = diag_skip != NULL && code_facts[m.code].status == STATUS_INPUT;
    if (diag_catch != NULL || (is_tried && diag_level == DIAG_SILENT))
        return;
    if (diag_before != NULL)
        diag_before();
    const struct place tried = {diag_skipped, PLACE_FILE, 0};
    if (is_tried && m.where == NULL && diag_skipped != NULL)
        m.where = &tried;
    char text[TEXT], line[DIAG_LINE], head[1024];
    const struct str form = str_of(format);
    const char *hint = memchr(format, *HINT, form.n);
    va_list again;
    va_copy(again, args);
    int all = vsnprintf(text, sizeof text, format, args);
    int n = all;
    if (hint != NULL) { /* arguments may hold the same byte */
        snprintf(head, sizeof head, "%.*s", (int)(hint - format), format);
        n = vsnprintf(NULL, 0, head, again);
    }
    va_end(again);
    m.text = (struct str){text, strnlen(text, n < 0 ? 0 : (size_t)n)};
    if (all > n && (size_t)n < sizeof text)
        m.hint = str_of(text + n + 1);
    fwrite(line, 1, spell(line, &m), stderr);
}

static enum status failed;

void diag_fail(enum status status)
{
    static const char order[] = {[STATUS_OK] = 0,
                                 [STATUS_CHECK] = 1,
                                 [STATUS_INPUT] = 2,
                                 [STATUS_USAGE] = 3,
                                 [STATUS_SYSTEM] = 4};
    diag_main_only();
    if (order[status] > order[failed])
        failed = status;
}

enum status diag_status(void)
{
    return failed;
}

static _Noreturn void end(enum status status, bool of_input)
{
    if (diag_skip != NULL && of_input)
        longjmp(*diag_skip, 1);
    diag_fail(status);
    status = failed;
    if (diag_cleanup != NULL)
        diag_cleanup(status);
    if (diag_catch != NULL) {
        failed = STATUS_OK;
        longjmp(*diag_catch, (int)status + 1);
    }
    exit((int)status);
}

/* Calls say() with the arguments after FORMAT. */
#define SAY(format, ...)                                                                           \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        say((struct message){__VA_ARGS__}, format, args);                                          \
        va_end(args);                                                                              \
    } while (0)

static _Noreturn void end_with(enum code code)
{
    /* an input that is a folder cannot be read, but that takes other words than die_unreadable */
    end(code_facts[code].status,
        code_facts[code].status == STATUS_INPUT || code == CODE_IS_FOLDER);
}

void die(enum code code, const char *format, ...)
{
    SAY(format, .code = code);
    end_with(code);
}

void die_as(enum code code, struct place where, const char *format, ...)
{
    SAY(format, .code = code, .where = &where);
    end_with(code);
}

void die_at(struct place where, const char *format, ...)
{
    SAY(format, .code = CODE_INVALID, .where = &where);
    end_with(CODE_INVALID);
}

void die_at_column(enum code code, struct place where, uint64_t column, const char *format, ...)
{
    SAY(format, .code = code, .where = &where, .column = column);
    end_with(code);
}

/* NAME as messages show it: an empty name would be invisible. */
static const char *shown(const char *name)
{
    return *name == '\0' ? "\"\"" : name;
}

/* Prints that ACTION failed on the file NAME, with the reason in the arguments of FORMAT. */
__attribute__((format(printf, 3, 4))) static void say_of_file(enum code code, const char *name,
                                                              const char *format, ...)
{
    const struct place where = {name, PLACE_FILE, 0};
    SAY(format, .code = code, .where = &where, .has_its_file = true);
}

void die_errno(const char *action, const char *name)
{
    const enum code code = code_of_errno(errno);
    say_of_file(code, name, "%s %s: %s", action, shown(name), strerror(errno));
    end(STATUS_SYSTEM, false);
}

void die_unreadable(const char *action, const char *name)
{
    const enum code code = code_of_errno(errno);
    say_of_file(code, name, "%s %s: %s", action, shown(name), strerror(errno));
    end(STATUS_SYSTEM, true);
}

void diag_error(enum code code, const char *format, ...)
{
    SAY(format, .code = code);
}

void diag_error_at(enum code code, struct place where, const char *format, ...)
{
    if (diag_skip == NULL)
        SAY(format, .code = code, .where = &where);
}

void warn(enum code code, const char *format, ...)
{
    if (diag_level > DIAG_QUIET)
        SAY(format, .severity = DIAG_WARNING, .code = code);
}

void warn_at(enum code code, struct place where, const char *format, ...)
{
    if (diag_level > DIAG_QUIET)
        SAY(format, .severity = DIAG_WARNING, .code = code, .where = &where);
}

void warn_at_column(enum code code, struct place where, uint64_t column, const char *format, ...)
{
    if (diag_level > DIAG_QUIET)
        SAY(format, .severity = DIAG_WARNING, .code = code, .where = &where, .column = column);
}

void note(const char *format, ...)
{
    if (diag_level >= DIAG_VERBOSE)
        SAY(format, .severity = DIAG_DETAIL, .code = CODE_DETAIL);
}

void diag_report(struct place where, const char *format, ...)
{
    SAY(format, .code = CODE_FINDING, .where = &where, .is_nameless = true);
}
