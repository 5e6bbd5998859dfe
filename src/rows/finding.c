#include "rows/finding.h"

#include <stdarg.h>
#include <stdio.h>

static void ignore(struct findings *to, const struct finding *finding)
{
    (void)to;
    (void)finding;
}

struct findings findings_ignored = {ignore};

struct str finding_rule(enum rule rule)
{
    static const struct str names[] = {
#define RULE(constant, name) [RULE_##constant] = STR(name),
        RULES(RULE)
#undef RULE
    };
    return names[rule];
}

void finding_add(struct findings *to, struct place where, enum rule rule, struct str table,
                 struct str column, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const enum code code = rule == RULE_ORDER ? CODE_OUT_OF_ORDER
                           : rule == RULE_END ? CODE_TORN
                                              : CODE_INVALID;
    struct finding finding = {where, rule, table, column, message};
    if (to != NULL)
        to->found(to, &finding);
    else if (column.n > 0)
        die_as(code, where, "%.*s.%.*s: %s", STR_ARG(table), STR_ARG(column), message);
    else if (table.n > 0)
        die_as(code, where, "%.*s: %s", STR_ARG(table), message);
    else
        die_as(code, where, "%s", message);
}
