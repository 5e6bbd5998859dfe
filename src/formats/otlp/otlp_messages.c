#include "formats/otlp/otlp_messages.h"

const struct otlp_field otlp_fields[OTLP_MESSAGES][OTLP_NUMBER_MAX + 2] = {
#define ONE(message, constant, number, name, kind, inside)                                         \
    [OTLP_##message][number] = {name, number, OTLP_KIND_##kind, OTLP_##inside, false},
#define MANY(message, constant, number, name, kind, inside)                                        \
    [OTLP_##message][number] = {name, number, OTLP_KIND_##kind, OTLP_##inside, true},
    OTLP_FIELDS(ONE, MANY)
#undef ONE
#undef MANY
};
