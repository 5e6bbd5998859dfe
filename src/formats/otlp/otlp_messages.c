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

const struct str otlp_build_ids[OTLP_BUILD_IDS] = {STR("gnu"), STR("go"), STR("htlhash")};
const struct str otlp_flags[OTLP_FLAGS] = {STR("has_functions"), STR("has_filenames"),
                                           STR("has_line_numbers"), STR("has_inline_frames")};
const struct str otlp_facts[OTLP_FACTS] = {
    [OTLP_DROP_FRAMES] = STR("drop_frames"),
    [OTLP_KEEP_FRAMES] = STR("keep_frames"),
    [OTLP_DOC_URL] = STR("doc_url"),
};
