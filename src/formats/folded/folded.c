/* Folded stacks, also called collapsed stacks: the input of flame graphs. See profstream(5) for the
 * rows, folded2ndjson(1) and ndjson2folded(1) for the rules. */
#include "formats/folded/folded.h"
#include "formats/folded/folded_austin.h"
#include "formats/folded/folded_lines.h"
#include "formats/folded/folded_text.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* Whether LINE has more than one frame, and no byte of binary files. */
static bool has_frames(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (!str_is_text(line.p[i]))
            return false;
    return memchr(line.p, ';', line.n) != NULL;
}

/* The bid if REST, an incomplete line, follows. LINES: all lines before it are stacks. */
static enum bid bid_rest(struct str rest, bool lines)
{
    bool is_open = !lines && rest.n < FORMAT_HEAD; /* it is the first line: nothing is known yet */
    return is_open || has_frames(rest) ? BID_LIKELY : BID_ASKED;
}

/* This text has no typical start. Many texts have lines that end in a number, so a ';' before the
 * number decides. Without any the user must name the format. */
static enum bid bid_bytes(struct str head)
{
    bool lines = false;
    if (json_head_begins(head, STR("[{\"")))
        return BID_NONE;
    for (const char *lf; head.n > 0 && (lf = memchr(head.p, '\n', head.n)) != NULL;) {
        struct str line = folded_trim((struct str){head.p, (size_t)(lf - head.p)});
        struct str stack = line, count;
        head = (struct str){lf + 1, (size_t)(head.p + head.n - lf) - 1};
        if (folded_austin_begins(line))
            return BID_SURE;
        if (folded_is_comment(line))
            continue;
        if (!folded_take_count(&stack, &count))
            return lines ? BID_ASKED : BID_NONE;
        if (has_frames(line))
            return BID_SURE;
        lines = true;
    }
    struct str rest = folded_trim(head);
    return folded_is_comment(rest) ? BID_ASKED : bid_rest(rest, lines);
}

/* The same for HEAD in UTF-16. */
static enum bid bid_utf_16(struct str head, bool big)
{
    struct buf text = {0};
    folded_decode(&text, head, big);
    if (head.n % 2 != 0) /* the input ends there (format.h) */
        buf_add(&text, STR("\n"));
    enum bid bid = bid_bytes(buf_str(&text));
    buf_free(&text);
    return bid;
}

static enum bid bid_folded(struct str head)
{
    if (str_take(&head, FOLDED_UTF_16BE))
        return bid_utf_16(head, true);
    if (str_take(&head, FOLDED_UTF_16LE))
        return bid_utf_16(head, false);
    str_take(&head, FOLDED_UTF_8);
    return bid_bytes(head);
}

/* Austin says in its first comment which version it is. */
void folded_own_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct str item;
    struct buf text = {0};
    while (members_next(&walk, &m)) {
        struct str lines = m.id == MEMBER_ID_FOLDED_AUSTIN ? text_inside(m.value) : STR("");
        while (to->producer.n == 0 && text_next_item(&lines, &item)) {
            text.n = 0;
            text_inner_bytes(&text, item);
            struct str line = buf_str(&text);
            if (!str_take(&line, STR("# austin: ")))
                continue;
            buf_add(&to->producer, STR("Austin "));
            buf_add(&to->producer, line);
        }
    }
    buf_free(&text);
}

const struct format format_folded = {
    .name = "a folded stacks file",
    .converter = "folded2ndjson",
    .target = "folded stacks",
    .suffixes = ".folded .collapsed",
    .bid = bid_folded,
    .read = folded_read,
    .writer = &folded_writer,
};
