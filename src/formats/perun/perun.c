/* Profiles of Perun, which keeps profiles of the commits of a project: JSON files, or stored
 * objects, which are the same compressed after a first line. See profstream(5) for the rows,
 * perun2ndjson(1) for the rules. */
#include "formats/perun/perun.h"

#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* Whether HEAD, an object, begins with a member name of such a file. */
static bool begins_so(struct str head)
{
    static const struct str names[] = {
        STR("resources"),      STR("resource_type_map"),
        STR("models"),         STR("snapshots"),
        STR("global"),         STR("header"),
        STR("origin"),         STR("collector_info"),
        STR("postprocessors"), STR("chunks"),
        STR("machine"),        STR("metadata"),
    };
    const char *quote = memchr(head.p, '"', head.n);
    if (quote == NULL)
        return false;
    struct str rest = {quote + 1, head.n - (size_t)(quote - head.p) - 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_starts(rest, names[i]) && rest.n > names[i].n && rest.p[names[i].n] == '"')
            return true;
    return false;
}

/* Whether HEAD has something that only such files have. */
static bool is_typical(struct str head)
{
    static const struct str words[] = {
        STR("\"resource_type_map\""),
        STR("\"collector_info\""),
        STR("\"postprocessors\""),
        STR("\"amount\""),
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (json_head_has(head, words[i]))
            return true;
    return false;
}

/* Members come in any order, and some are long. If the first bytes do not show it, the user must
 * name the format. */
static enum bid bid_perun(struct str head)
{
    bool is_open;
    if (str_starts(head, STR("profile ")) && memchr(head.p, '\0', head.n) != NULL)
        return BID_SURE;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (begins_so(head) && is_typical(head))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_ASKED;
}

/* Appends to TO, after a blank unless it is empty, the string MEMBER of the object NAME in VALUE. */
static void add_word(struct buf *to, struct str value, struct str name, struct str member)
{
    const struct str path[] = {name, member};
    struct str text;
    for (size_t i = 0; i < 2 && value.p != NULL && *value.p == '{'; i++)
        value = text_member(value, path[i]);
    if (value.p == NULL || !text_is_string(value, &text) || text.n == 0)
        return;
    buf_add(to, to->n > 0 ? STR(" ") : STR(""));
    text_inner_bytes(to, value);
}

/* Among the members that rows cannot hold are the host and the command. */
void perun_facts(const struct members *facts, struct source_facts *to)
{
    struct str rest = facts->rest, name, value;
    while (text_next_member(&rest, &name, &value)) {
        if (!str_equal(name, STR("members")))
            continue;
        if (to->host.n == 0)
            add_word(&to->host, value, STR("machine"), STR("host"));
        if (to->command.n > 0)
            continue;
        add_word(&to->command, value, STR("header"), STR("cmd"));
        add_word(&to->command, value, STR("header"), STR("args"));
        add_word(&to->command, value, STR("header"), STR("workload"));
    }
}

const struct format format_perun = {
    .name = "a Perun file",
    .converter = "perun2ndjson",
    .target = "Perun",
    .suffixes = ".perf",
    .suffixes_are_common = true,
    .bid = bid_perun,
    .read = perun_read,
    .is_document = true,
    .writer = &perun_writer,
};
