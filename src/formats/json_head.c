#include "formats/json_head.h"

#include "base/port.h"
#include "formats/foreign.h"
#include "formats/format.h"

struct str json_head_skip_blanks(struct str text)
{
    size_t n = 0;
    while (n < text.n && memchr(" \t\r\n", text.p[n], 4) != NULL)
        n++;
    return (struct str){text.p + n, text.n - n};
}

/* Whether TEXT, the part shown after BLANK bytes, is the start of a line that goes on. */
static bool is_open_line(struct str text, size_t blank)
{
    const char *lf = memchr(text.p, '\n', text.n);
    if (lf == NULL)
        return blank + text.n == FORMAT_HEAD;
    bool is_line = lf + 1 == text.p + text.n;
    while (lf > text.p && memchr(" \t\r", lf[-1], 3) != NULL)
        lf--;
    return is_line && lf[-1] != '}';
}

bool json_head_is_object(struct str *head, bool *is_open)
{
    /* a protobuf message may begin like blanks and a brace, but has control characters */
    if (!foreign_is_text(*head))
        return false;
    struct str text = json_head_skip_blanks(*head);
    size_t blank = head->n - text.n;
    *head = text;
    if (!str_starts(*head, STR("{")) || str_starts(*head, STR("{\"table\":")))
        return false;
    *is_open = is_open_line(*head, blank);
    return true;
}

bool json_head_begins(struct str head, struct str magic)
{
    for (; magic.n > 0; magic.p++, magic.n--) {
        head = json_head_skip_blanks(head);
        if (head.n == 0 || *head.p != *magic.p)
            return false;
        head.p++, head.n--;
    }
    return true;
}

bool json_head_has(struct str head, struct str what)
{
    return port_memmem(head.p, head.n, what.p, what.n) != NULL;
}

/* Removes the string TEXT, with its quotes, from the start of *REST; false if it is not there. */
static bool take_string(struct str *rest, struct str text)
{
    return str_take(rest, STR("\"")) && str_take(rest, text) && str_take(rest, STR("\""));
}

/* Whether MEMBER begins with the string NAME, a colon and the string VALUE; or with a list, if that
 * is NULL. */
static bool is_member(struct str member, struct str name, const struct str *value)
{
    if (!take_string(&member, name))
        return false;
    member = json_head_skip_blanks(member);
    if (!str_take(&member, STR(":")))
        return false;
    member = json_head_skip_blanks(member);
    return value == NULL ? str_take(&member, STR("[")) : take_string(&member, *value);
}

static bool has_member(struct str head, struct str name, const struct str *value)
{
    const char *end = head.p + head.n;
    for (const char *p = head.p; (p = memchr(p, '"', (size_t)(end - p))) != NULL; p++)
        if (is_member((struct str){p, (size_t)(end - p)}, name, value))
            return true;
    return false;
}

bool json_head_says(struct str head, struct str name, struct str value)
{
    return has_member(head, name, &value);
}

bool json_head_lists(struct str head, struct str name)
{
    return has_member(head, name, NULL);
}
