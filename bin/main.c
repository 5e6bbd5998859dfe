/* main.c - where a tool that is a program of its own starts: TOOL, which the build defines. */
#include "tools/tool.h"

extern const struct tool TOOL;

int main(int argc, char **argv)
{
    return tool_main(&TOOL, argc, argv);
}
