#include "formats/json_head.h"

#include "formats/foreign.h"

/* Whether TEXT, what is shown so far behind BLANK bytes, is the beginning of one line that does not end there. */
static bool is_open_line(struct str text, size_t blank)
{
    enum { FIRST_LOOK = 512 };
    const char *lf = memchr(text.p, '\n', text.n);
    if (lf == NULL)
        return blank + text.n == FIRST_LOOK;
    bool is_line = lf + 1 == text.p + text.n;
    while (lf > text.p && memchr(" \t\r", lf[-1], 3) != NULL)
        lf--;
    return is_line && lf[-1] != '}';
}

bool json_head_is_object(struct str *head, bool *is_open)
{
    /* a message may begin with what looks like blanks and a brace, too, but has control characters */
    if (!foreign_is_text(*head))
        return false;
    size_t blank = 0;
    while (blank < head->n && memchr(" \t\r\n", head->p[blank], 4) != NULL)
        blank++;
    *head = (struct str){head->p + blank, head->n - blank};
    if (!str_starts(*head, STR("{")) || str_starts(*head, STR("{\"table\":")))
        return false;
    *is_open = is_open_line(*head, blank);
    return true;
}

bool json_head_has(struct str head, struct str what)
{
    return memmem(head.p, head.n, what.p, what.n) != NULL;
}
