#include "filters/select_step.h"

#include "base/diag.h"

#include <stdlib.h>

void select_die_argument(const struct select_step *step, const char *expected)
{
    die(CODE_BAD_ARGUMENT, "--%s: expected %s, found \"%s\"", step->action->name, expected,
        step->argument);
}

bool select_parse_digits(const char *text, int64_t *number)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    *number = strtoll(text, NULL, 10);
    return true;
}
