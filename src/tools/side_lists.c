#include "tools/side_lists.h"

#include "base/diag.h"
#include "base/mem.h"
#include "feed/list.h"
#include "tools/tool.h"

#include <limits.h>
#include <string.h>

bool side_lists_are_given(void)
{
    return tool_common.base_from != NULL || tool_common.new_from != NULL;
}

const char *side_lists_option(void)
{
    return tool_common.base_from != NULL ? "--base-from" : "--new-from";
}

const char *side_lists_first(void)
{
    return tool_common.base_from != NULL ? tool_common.base_from : tool_common.new_from;
}

void side_lists_check(char **operands, int count, int border)
{
    const char *base = tool_common.base_from, *new = tool_common.new_from;
    const bool are_both = base != NULL && new != NULL;
    if (tool_common.files_from != NULL)
        die(CODE_OPTIONS_CLASH, "--files-from cannot be used with %s", side_lists_option());
    if (are_both && count > 0)
        die(CODE_BAD_OPERANDS, "both sides are lists: expected no other file, found \"%s\"",
            operands[0]);
    if (border > 0 && border < count)
        die(CODE_BAD_OPERANDS,
            "expected files of %s only, as %s names the others, found -- between",
            base != NULL ? "new" : "base", side_lists_option());
    if (!are_both && count == 0)
        die(CODE_BAD_OPERANDS, "%s: expected files of %s, too, found none", side_lists_option(),
            base != NULL ? "new" : "base");
    if (are_both && strcmp(base, "-") == 0 && strcmp(new, "-") == 0)
        die(CODE_BAD_OPERANDS, "expected standard input on one side only, found it on both");
}

/* The files of both sides. */
struct files {
    char **names;
    size_t count, capacity;
};

static void add_file(struct files *to, const char *name)
{
    if (to->count == INT_MAX)
        die(CODE_TOO_MANY, "more than %d files of both sides", INT_MAX);
    to->names = mem_array(to->names, &to->capacity, to->count + 1, sizeof *to->names);
    to->names[to->count++] = (char *)(uintptr_t)name;
}

/* Adds the files of a side: of LIST PATH, or the COUNT OPERANDS if that is NULL. */
static void add_side(struct files *to, struct list *list, const char *path, char **operands,
                     int count, bool nul_ended)
{
    const size_t before = to->count;
    if (path == NULL) {
        for (int i = 0; i < count; i++)
            add_file(to, operands[i]);
        return;
    }
    tool_read_beside(path);
    *list = list_open(path, nul_ended);
    for (const char *name; (name = list_next(list, false)) != NULL;)
        add_file(to, name);
    if (to->count == before)
        die_at((struct place){in_name(list->in), PLACE_FILE, 0},
               "expected names of files, found none");
    list_close(list);
}

char **side_lists_read(char **operands, int *count, size_t *base_count, bool nul_ended)
{
    static struct list base, new; /* their names stay */
    struct files files = {0};
    add_side(&files, &base, tool_common.base_from, operands, *count, nul_ended);
    *base_count = files.count;
    add_side(&files, &new, tool_common.new_from, operands, *count, nul_ended);
    *count = (int)files.count;
    return files.names;
}
