/* What Go writes as text: with debug=1 stacks and what was in them, with debug=2 each goroutine. */
#include "formats/legacy/legacy_go.h"
#include "base/utf8.h"
#include "rows/loss.h"

#define LEGACY_COUNT STR("count")

void legacy_go_addresses(struct legacy *l, struct str rest)
{
    uint64_t address;
    while (legacy_take_address(&rest, &address))
        legacy_add_address(l, address - 1);
    if (str_trim(rest).n > 0)
        legacy_unexpected(l, "addresses up to the end of the line");
}

int64_t legacy_go_line(struct str text, struct str *file)
{
    size_t n = text.n;
    while (n > 0 && str_is_digit(text.p[n - 1]))
        n--;
    struct str number = {text.p + n, text.n - n};
    int64_t line = 0;
    *file = text;
    if (n < 2 || text.p[n - 1] != ':' || !legacy_take_number(&number, &line))
        return 0;
    file->n = n - 1;
    return line;
}

/* --- comments --- */

/* NAME without "+0x1f" at its end, the distance from the start of the function. */
static struct str without_distance(struct str name)
{
    size_t n = name.n;
    while (n > 0 && name.p[n - 1] != '+')
        n--;
    uint64_t distance;
    struct str rest = {name.p + n, name.n - n};
    if (n > 1 && str_starts(rest, STR("0x")) && legacy_take_address(&rest, &distance) &&
        rest.n == 0)
        name.n = n - 1;
    return name;
}

/* Takes "0x4b41fa	main.f+0x1a	/x/y.go:5", where columns are parted by tabs. */
static bool take_name(struct legacy *l, struct str line)
{
    uint64_t address;
    struct str file;
    if (!str_starts(str_trim(line), STR("0x")) || !legacy_take_address(&line, &address))
        return false;
    line = str_trim(line);
    const char *tab = line.n == 0 ? NULL : memchr(line.p, '\t', line.n);
    const size_t n = tab == NULL ? line.n : (size_t)(tab - line.p);
    const struct str name = without_distance((struct str){line.p, n});
    const int64_t number = legacy_go_line(str_trim((struct str){line.p + n, line.n - n}), &file);
    if (name.n > 0)
        legacy_name_step(l, address, name, file, number);
    return true;
}

/* A number of Go's memory: "Alloc = 2739168", or two, in use and of the system: "Stack = 1 / 2". */
struct memory_number {
    const char *name;
    const char *level, *of_system; /* the latter for the second number */
    bool is_count;
};

static const struct memory_number memory_numbers[] = {
    {"Alloc", "Alloc", NULL, false},
    {"TotalAlloc", "TotalAlloc", NULL, false},
    {"Sys", "Sys", NULL, false},
    {"Lookups", "Lookups", NULL, true},
    {"Mallocs", "Mallocs", NULL, true},
    {"Frees", "Frees", NULL, true},
    {"HeapAlloc", "HeapAlloc", NULL, false},
    {"HeapSys", "HeapSys", NULL, false},
    {"HeapIdle", "HeapIdle", NULL, false},
    {"HeapInuse", "HeapInuse", NULL, false},
    {"HeapReleased", "HeapReleased", NULL, false},
    {"HeapObjects", "HeapObjects", NULL, true},
    {"Stack", "StackInuse", "StackSys", false},
    {"MSpan", "MSpanInuse", "MSpanSys", false},
    {"MCache", "MCacheInuse", "MCacheSys", false},
    {"BuckHashSys", "BuckHashSys", NULL, false},
    {"GCSys", "GCSys", NULL, false},
    {"OtherSys", "OtherSys", NULL, false},
    {"NextGC", "NextGC", NULL, false},
    {"NumGC", "NumGC", NULL, true},
    {"NumForcedGC", "NumForcedGC", NULL, true},
    {"MaxRSS", "MaxRSS", NULL, false},
};

/* Adds the levels that LINE, without '#', has. */
static bool take_memory_number(struct legacy *l, struct str line)
{
    const struct str name = legacy_take_word(&line);
    int64_t first, second;
    if (!legacy_take(&line, STR("=")) || !legacy_take_number(&line, &first))
        return false;
    for (size_t i = 0; i < sizeof memory_numbers / sizeof *memory_numbers; i++) {
        const struct memory_number *m = &memory_numbers[i];
        if (!str_equal(name, str_of(m->name)))
            continue;
        const struct str unit = m->is_count ? LEGACY_COUNT : STR("bytes");
        if (m->of_system != NULL &&
            (!legacy_take(&line, STR("/")) || !legacy_take_number(&line, &second)))
            return false;
        if (str_trim(line).n > 0)
            return false;
        const bool is_new = legacy_add_level(l, str_of(m->level), unit, first);
        return is_new &&
               (m->of_system == NULL || legacy_add_level(l, str_of(m->of_system), unit, second));
    }
    return false;
}

bool legacy_go_comment(struct legacy *l, struct str line)
{
    struct str text = line;
    if (!str_take(&text, STR("#")))
        return false;
    if (str_trim(text).n > 0 && !take_name(l, text) && !take_memory_number(l, text))
        legacy_keep_line(l, line);
    return true;
}

/* --- counts --- */

/* The byte that the escape of LETTER means; 0: none. */
static char simple_escape(char letter)
{
    static const char letters[] = "abfnrtv\\\"'", bytes[] = "\a\b\f\n\r\t\v\\\"'";
    const char *found = letter == '\0' ? NULL : strchr(letters, letter);
    return found == NULL ? '\0' : bytes[found - letters];
}

/* Reads an escape, behind its backslash, off *S to TO. */
static bool take_escape(struct str *s, struct buf *to)
{
    if (s->n == 0)
        return false;
    const char letter = s->p[0], byte = simple_escape(letter);
    const size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    s->p++, s->n--;
    if (byte != '\0') {
        buf_add(to, (struct str){&byte, 1});
        return true;
    }
    struct str number = {s->p, digits};
    uint64_t value;
    if (digits == 0 || s->n < digits || !legacy_take_address(&number, &value) || number.n > 0 ||
        value > 0x10ffff)
        return false;
    s->p += digits;
    s->n -= digits;
    if (letter == 'x')
        buf_add(to, (struct str){(const char[]){(char)value}, 1});
    else
        to->n += utf8_encode(buf_reserve(to, UTF8_MAX), (uint32_t)value);
    return true;
}

/* Reads a string that Go has quoted off *S; sets TO to its bytes. */
static bool take_quoted(struct str *s, struct buf *to)
{
    to->n = 0;
    if (!legacy_take(s, STR("\"")))
        return false;
    while (s->n > 0 && s->p[0] != '"') {
        const char *byte = s->p;
        s->p++, s->n--;
        if (*byte != '\\')
            buf_add(to, (struct str){byte, 1});
        else if (!take_escape(s, to))
            return false;
    }
    return str_take(s, STR("\""));
}

/* Adds the labels in TEXT: {"user":"a", "request":"b"}. */
static void take_labels(struct legacy *l, struct str text)
{
    struct buf value = {0};
    bool is_good = legacy_take(&text, STR("{"));
    while (is_good && !legacy_take(&text, STR("}"))) {
        is_good = take_quoted(&text, &l->scratch) && legacy_take(&text, STR(":")) &&
                  take_quoted(&text, &value);
        if (is_good)
            legacy_label(l, buf_str(&l->scratch), buf_str(&value), 0, STR(""));
        legacy_take(&text, STR(","));
    }
    if (!is_good)
        legacy_unexpected(l, "labels as {\"key\":\"value\"}");
    buf_free(&value);
}

/* Reads the first line: the kind of what is counted, which is the type of values too. */
static void read_head(struct legacy *l)
{
    struct str line = STR(""), rest;
    int64_t total;
    while (legacy_next_line(l, &line) && (line.n == 0 || line.p[0] == '#'))
        if (line.n > 0)
            legacy_keep_line(l, line);
    rest = line;
    const struct str name = legacy_take_word(&rest);
    if (name.n == 0 || !legacy_take(&rest, STR("profile: total")) ||
        !legacy_take_number(&rest, &total))
        legacy_unexpected(l, "\"goroutine profile: total N\" or another kind");
    const struct legacy_type type = {.name = legacy_canonical(l, name), .unit = LEGACY_COUNT};
    legacy_set_types(l, &type, 1);
    l->period_type = type;
    l->period = 1;
}

void legacy_read_counts(struct legacy *l)
{
    struct str line;
    read_head(l);
    while (legacy_next_line(l, &line) && !str_starts(line, STR("---")) && !legacy_is_map(line)) {
        struct str rest = line;
        int64_t count;
        if (l->sample_count > 0 && legacy_take(&rest, STR("#")) &&
            legacy_take(&rest, STR("labels:"))) {
            take_labels(l, rest);
            continue;
        }
        if (line.n == 0 || legacy_go_comment(l, line))
            continue;
        rest = line;
        if (!legacy_take_number(&rest, &count) || !legacy_take(&rest, STR("@")))
            legacy_unexpected(l, "N @ and addresses");
        legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){count});
        legacy_go_addresses(l, rest);
    }
    while (!legacy_is_map(l->line) && legacy_next_line(l, &line))
        ;
    legacy_read_maps(l);
}

/* --- goroutines --- */

/* Adds labels from what stands in the brackets: "chan receive, 5 minutes, locked to thread". */
static void add_state(struct legacy *l, struct str text)
{
    for (bool is_first = true; text.n > 0; is_first = false) {
        const char *comma = memchr(text.p, ',', text.n);
        struct str part = {text.p, comma == NULL ? text.n : (size_t)(comma - text.p)};
        text.p += part.n + (comma != NULL);
        text.n -= part.n + (comma != NULL);
        part = str_trim(part);
        struct str rest = part;
        int64_t minutes;
        if (is_first)
            legacy_label(l, STR("state"), part, 0, STR(""));
        else if (legacy_take_number(&rest, &minutes) && str_equal(rest, STR(" minutes")))
            legacy_label(l, STR("wait"), (struct str){NULL, 0}, minutes, STR("minutes"));
        else
            legacy_label(l, STR("is"), part, 0, STR(""));
    }
}

/* Reads "goroutine 7 [chan receive]:".  With its number no two stacks would be equal. */
static void begin_goroutine(struct legacy *l, struct str line)
{
    int64_t number;
    const char *bracket = memchr(line.p, '[', line.n);
    str_take(&line, STR("goroutine"));
    if (!legacy_take_number(&line, &number) || !str_ends(line, STR("]:")) || bracket == NULL)
        legacy_unexpected(l, "\"goroutine N [state]:\"");
    const size_t taken = (size_t)(bracket - line.p) + 1;
    legacy_begin_sample(l, (int64_t[LEGACY_VALUES]){1});
    add_state(l, (struct str){bracket + 1, line.n - taken - 2});
    loss_add(LOSS_OWN, STR("numbers of goroutines"), 1);
}

/* The name in a line as main.(*T).f(0x1, {0x2, 0x3}): what is in front of the last bracket that holds
 * all that follows. */
static struct str name_of(struct str line)
{
    const size_t n = str_last_bracket(line);
    return n > 0 ? (struct str){line.p, n} : line;
}

/* Reads the place of a frame, "/x/y.go:12 +0x1b": the next line, if it is one. */
static int64_t read_frame_place(struct legacy *l, struct str *file)
{
    struct str line;
    *file = STR("");
    if (!legacy_next_line(l, &line))
        return 0;
    struct str place = line;
    for (size_t i = line.n; i > 0 && place.n == line.n; i--) /* folders may have such a name, too */
        if (str_starts((struct str){line.p + i, line.n - i}, STR(" +0x")))
            place.n = i;
    const int64_t number = legacy_go_line(place, file);
    if (number == 0) {
        legacy_unread(l);
        *file = STR("");
    }
    return number;
}

/* TEXT up to WHAT, or all of it. */
static struct str before(struct str text, struct str what)
{
    for (size_t i = 0; i + what.n <= text.n; i++)
        if (memcmp(text.p + i, what.p, what.n) == 0)
            return (struct str){text.p, i};
    return text;
}

/* Reads a line of a stack, and that of its place. What has none and is not called either is no frame:
 * registers, or the status of the program. */
static void read_frame(struct legacy *l, struct str line)
{
    struct str file;
    l->scratch.n = 0;
    buf_add(&l->scratch, line);
    const int64_t number = read_frame_place(l, &file);
    line = buf_str(&l->scratch);
    if (str_take(&line, STR("created by ")))
        legacy_label(l, STR("created_by"), before(line, STR(" in goroutine ")), 0, STR(""));
    else if (number != 0 || str_ends(line, STR(")")))
        legacy_add_frame(l, name_of(line), file, number);
    else
        legacy_keep_line(l, line);
}

bool legacy_is_goroutine(struct str line)
{
    int64_t number;
    return str_take(&line, STR("goroutine ")) && legacy_take_number(&line, &number) &&
           (str_starts(line, STR(" [")) || str_starts(line, STR(" gp=0x"))) &&
           str_ends(line, STR("]:"));
}

void legacy_read_goroutines(struct legacy *l)
{
    static const struct legacy_type type = {.name = STR("goroutine"), .unit = LEGACY_COUNT};
    struct str line;
    legacy_set_types(l, &type, 1);
    l->period_type = type;
    l->period = 1;
    while (legacy_next_line(l, &line)) {
        if (line.n == 0)
            continue;
        const bool is_cut = str_starts(line, STR("...")) ||
                            str_starts(line, STR("goroutine running on other thread;"));
        if (str_starts(line, STR("goroutine ")) && !is_cut)
            begin_goroutine(l, line);
        else if (l->sample_count == 0 || is_cut)
            legacy_keep_line(l, line);
        else
            read_frame(l, line);
        /* there were more frames, or some that Go could not walk */
        l->is_cut |= is_cut && l->sample_count > 0;
    }
}
