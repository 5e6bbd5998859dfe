/* The files of speedscope, a viewer in the browser: JSON.  See profstream(5) for the rows, speedscope2ndjson(1)
 * and ndjson2speedscope(1) for the rules. */
#include "formats/speedscope/speedscope.h"
#include "formats/foreign.h"
#include "formats/formats.h"
#include "formats/speedscope/speedscope_text.h"

static bool has(struct str head, struct str what)
{
    return memmem(head.p, head.n, what.p, what.n) != NULL;
}

/* Whether TEXT, what is shown so far behind BLANK bytes, is the beginning of one line that does not end there, as
 * no row does that is not long: a first look that tells nothing. */
static bool is_open(struct str text, size_t blank)
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

/* The name of the schema says what it is.  It may be left out, or stand behind much else: then the user must
 * say so.  What can be no row is worth a longer look. */
static enum bid bid_speedscope(struct str head)
{
    /* some write each / in a string as \/ */
    static const struct str escaped =
        STR("https:\\/\\/www.speedscope.app\\/file-format-schema.json");
    size_t blank = 0;
    while (blank < head.n && memchr(" \t\r\n", head.p[blank], 4) != NULL)
        blank++;
    struct str rest = {head.p + blank, head.n - blank};
    /* a message may begin with what looks like blanks and a brace, too, but has control characters */
    if (!foreign_is_text(head) || !str_starts(rest, STR("{")) ||
        str_starts(rest, STR("{\"table\":")))
        return BID_NONE;
    if (has(rest, SPEEDSCOPE_SCHEMA) || has(rest, escaped))
        return BID_SURE;
    return is_open(rest, blank) ? BID_LIKELY : BID_ASKED;
}

const struct format format_speedscope = {
    .name = "a speedscope file",
    .converter = "speedscope2ndjson",
    .bid = bid_speedscope,
    .read = speedscope_read,
    .is_document = true,
    .writer = &speedscope_writer,
};
