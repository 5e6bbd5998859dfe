/* main.c - the entry point of a tool built as a program of its own: TOOL, which the build
 * defines. */
#include "tools/tool.h"

extern const struct tool TOOL;

int main(int argc, char **argv)
{
    return tool_main(&TOOL, argc, argv);
}
