/* What programs and people need to read messages: the codes, and the schema of --errors=json. */
#include "base/code.h"
#include "base/diag.h"
#include "tools/help.h"

#include <stdio.h>

void help_print_codes(const struct tool *tool)
{
    (void)tool;
    for (unsigned code = 0; code < CODE_COUNT; code++)
        printf("%s\t%d\t%s\n", code_facts[code].word, (int)code_facts[code].status,
               code_facts[code].meaning);
}

static void print_words(const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s\"%s\"", i > 0 ? "," : "", words[i]);
}

void help_print_messages_schema(const struct tool *tool)
{
    (void)tool;
    const char *codes[CODE_COUNT];
    for (unsigned code = 0; code < CODE_COUNT; code++)
        codes[code] = code_facts[code].word;
    printf("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
           "\"title\":\"A message of a tool of profpipe, with --errors=json\",\n"
           "\"type\":\"object\",\n"
           "\"properties\":{\n"
           "\"tool\":{\"type\":\"string\"},\n"
           "\"severity\":{\"enum\":[");
    print_words(diag_severities, DIAG_SEVERITIES);
    printf("]},\n"
           "\"code\":{\"enum\":[");
    print_words(codes, CODE_COUNT);
    printf("]},\n"
           "\"file\":{\"type\":\"string\"},\n"
           "\"line\":{\"type\":\"integer\",\"minimum\":1},\n"
           "\"offset\":{\"type\":\"integer\",\"minimum\":0},\n"
           "\"row\":{\"type\":\"integer\"},\n"
           "\"column\":{\"type\":\"integer\",\"minimum\":1},\n"
           "\"message\":{\"type\":\"string\"},\n"
           "\"hint\":{\"type\":\"string\"}},\n"
           "\"required\":[\"tool\",\"severity\",\"code\",\"message\"],\n"
           "\"additionalProperties\":false}\n");
}
