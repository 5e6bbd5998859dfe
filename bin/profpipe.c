/* profpipe.c - all tools as one program, which is the one it is called by: through a link of that name, or as the first
 * argument. */
#include "tools/tool.h"

#include <stdio.h>
#include <string.h>

#define TOOL(name) extern const struct tool tool_##name;
#include "tools.h"
#undef TOOL

static const struct tool *const tools[] = {
#define TOOL(name) &tool_##name,
#include "tools.h"
#undef TOOL
};

static const struct tool *find(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(tools[i]->name, name) == 0)
            return tools[i];
    return NULL;
}

static int print_usage(FILE *to, enum status status)
{
    fputs("usage: profpipe TOOL [argument ...]\n\nThe tools, each with a --help of its own:\n", to);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        fprintf(to, "  %s\n", tools[i]->name);
    return fflush(to) == 0 ? status : STATUS_SYSTEM;
}

int main(int argc, char **argv)
{
    const struct tool *tool = argc > 0 ? find(argv[0]) : NULL;
    if (tool != NULL)
        return tool_main(tool, argc, argv);
    const char *first = argc > 1 ? argv[1] : "";
    tool = find(first);
    if (tool != NULL)
        return tool_main(tool, argc - 1, argv + 1);
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return print_usage(stdout, STATUS_OK);
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        puts("profpipe " PROFPIPE_VERSION);
        return fflush(stdout) == 0 ? STATUS_OK : STATUS_SYSTEM;
    }
    if (argc > 1)
        fprintf(stderr, "profpipe: no tool is called '%s'\n", first);
    return print_usage(stderr, STATUS_USAGE);
}
