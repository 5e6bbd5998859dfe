#include "tools/option.h"

bool option_argument_is_optional(const struct option_row *o)
{
    return o->argument != NULL && o->argument[0] == '[';
}

static void add_values(struct buf *text, const struct option_row *o)
{
    for (size_t i = 0; i < o->value_count; i++) {
        buf_add(text, i == 0 ? STR("") : i + 1 < o->value_count ? STR(", ") : STR(" or "));
        buf_add(text, str_of(o->values[i]));
        if (o->preset != NULL && strcmp(o->preset, o->values[i]) == 0)
            buf_add(text, STR(" (default)"));
    }
}

void option_explain(struct buf *text, const struct option_row *o)
{
    const char *place = strstr(o->help, "%s");
    if (place == NULL) {
        buf_add(text, str_of(o->help));
        buf_add(text, o->value_count > 0 ? STR(" ") : STR(""));
        add_values(text, o);
        buf_add(text, o->is_of_output ? STR("; the output's name can decide") : STR(""));
    } else {
        buf_add(text, (struct str){o->help, (size_t)(place - o->help)});
        add_values(text, o);
        buf_add(text, str_of(place + 2));
    }
}
