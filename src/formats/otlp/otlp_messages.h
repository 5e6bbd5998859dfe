/* otlp_messages.h - the messages of OTLP profiles: names, numbers and kinds of their fields, as
 * opentelemetry-proto has them in profiles/v1development and common/v1. */
#ifndef PROFPIPE_OTLP_MESSAGES_H
#define PROFPIPE_OTLP_MESSAGES_H

#include "formats/wire.h"

/* ONE(message, constant, number, "name in JSON", kind, message inside or SCALAR); MANY for lists. */
#define OTLP_FIELDS(ONE, MANY)                                                                     \
    MANY(DATA, RESOURCES, 1, "resourceProfiles", MESSAGE, RESOURCE_PROFILES)                       \
    ONE(DATA, DICTIONARY, 2, "dictionary", MESSAGE, DICTIONARY)                                    \
    MANY(DICTIONARY, MAPPINGS, 1, "mappingTable", MESSAGE, MAPPING)                                \
    MANY(DICTIONARY, LOCATIONS, 2, "locationTable", MESSAGE, LOCATION)                             \
    MANY(DICTIONARY, FUNCTIONS, 3, "functionTable", MESSAGE, FUNCTION)                             \
    MANY(DICTIONARY, LINKS, 4, "linkTable", MESSAGE, LINK)                                         \
    MANY(DICTIONARY, STRINGS, 5, "stringTable", STRING, SCALAR)                                    \
    MANY(DICTIONARY, ATTRIBUTES, 6, "attributeTable", MESSAGE, ATTRIBUTE)                          \
    MANY(DICTIONARY, STACKS, 7, "stackTable", MESSAGE, STACK)                                      \
    ONE(RESOURCE_PROFILES, RESOURCE, 1, "resource", MESSAGE, RESOURCE)                             \
    MANY(RESOURCE_PROFILES, SCOPES, 2, "scopeProfiles", MESSAGE, SCOPE_PROFILES)                   \
    ONE(RESOURCE_PROFILES, SCHEMA, 3, "schemaUrl", STRING, SCALAR)                                 \
    ONE(SCOPE_PROFILES, SCOPE, 1, "scope", MESSAGE, SCOPE)                                         \
    MANY(SCOPE_PROFILES, PROFILES, 2, "profiles", MESSAGE, PROFILE)                                \
    ONE(SCOPE_PROFILES, SCHEMA, 3, "schemaUrl", STRING, SCALAR)                                    \
    ONE(PROFILE, TYPE, 1, "sampleType", MESSAGE, VALUE_TYPE)                                       \
    MANY(PROFILE, SAMPLES, 2, "samples", MESSAGE, SAMPLE)                                          \
    ONE(PROFILE, TIME, 3, "timeUnixNano", FIXED, SCALAR)                                           \
    ONE(PROFILE, DURATION, 4, "durationNano", UNSIGNED, SCALAR)                                    \
    ONE(PROFILE, PERIOD_TYPE, 5, "periodType", MESSAGE, VALUE_TYPE)                                \
    ONE(PROFILE, PERIOD, 6, "period", INTEGER, SCALAR)                                             \
    ONE(PROFILE, ID, 7, "profileId", HEX, SCALAR)                                                  \
    ONE(PROFILE, DROPPED, 8, "droppedAttributesCount", SMALL, SCALAR)                              \
    ONE(PROFILE, PAYLOAD_FORMAT, 9, "originalPayloadFormat", STRING, SCALAR)                       \
    ONE(PROFILE, PAYLOAD, 10, "originalPayload", BASE64, SCALAR)                                   \
    MANY(PROFILE, ATTRIBUTES, 11, "attributeIndices", SMALL, SCALAR)                               \
    ONE(SAMPLE, STACK, 1, "stackIndex", SMALL, SCALAR)                                             \
    MANY(SAMPLE, ATTRIBUTES, 2, "attributeIndices", SMALL, SCALAR)                                 \
    ONE(SAMPLE, LINK, 3, "linkIndex", SMALL, SCALAR)                                               \
    MANY(SAMPLE, VALUES, 4, "values", INTEGER, SCALAR)                                             \
    MANY(SAMPLE, TIMES, 5, "timestampsUnixNano", FIXED, SCALAR)                                    \
    ONE(VALUE_TYPE, TYPE, 1, "typeStrindex", STRING_INDEX, SCALAR)                                 \
    ONE(VALUE_TYPE, UNIT, 2, "unitStrindex", STRING_INDEX, SCALAR)                                 \
    ONE(MAPPING, START, 1, "memoryStart", UNSIGNED, SCALAR)                                        \
    ONE(MAPPING, LIMIT, 2, "memoryLimit", UNSIGNED, SCALAR)                                        \
    ONE(MAPPING, OFFSET, 3, "fileOffset", UNSIGNED, SCALAR)                                        \
    ONE(MAPPING, FILE, 4, "filenameStrindex", STRING_INDEX, SCALAR)                                \
    MANY(MAPPING, ATTRIBUTES, 5, "attributeIndices", SMALL, SCALAR)                                \
    ONE(LOCATION, MAPPING, 1, "mappingIndex", SMALL, SCALAR)                                       \
    ONE(LOCATION, ADDRESS, 2, "address", UNSIGNED, SCALAR)                                         \
    MANY(LOCATION, LINES, 3, "lines", MESSAGE, LINE)                                               \
    MANY(LOCATION, ATTRIBUTES, 4, "attributeIndices", SMALL, SCALAR)                               \
    ONE(LINE, FUNCTION, 1, "functionIndex", SMALL, SCALAR)                                         \
    ONE(LINE, LINE, 2, "line", INTEGER, SCALAR)                                                    \
    ONE(LINE, COLUMN, 3, "column", INTEGER, SCALAR)                                                \
    ONE(FUNCTION, NAME, 1, "nameStrindex", STRING_INDEX, SCALAR)                                   \
    ONE(FUNCTION, SYSTEM, 2, "systemNameStrindex", STRING_INDEX, SCALAR)                           \
    ONE(FUNCTION, FILE, 3, "filenameStrindex", STRING_INDEX, SCALAR)                               \
    ONE(FUNCTION, START, 4, "startLine", INTEGER, SCALAR)                                          \
    ONE(LINK, TRACE, 1, "traceId", HEX, SCALAR)                                                    \
    ONE(LINK, SPAN, 2, "spanId", HEX, SCALAR)                                                      \
    MANY(STACK, LOCATIONS, 1, "locationIndices", SMALL, SCALAR)                                    \
    ONE(ATTRIBUTE, KEY, 1, "keyStrindex", STRING_INDEX, SCALAR)                                    \
    ONE(ATTRIBUTE, VALUE, 2, "value", MESSAGE, ANY)                                                \
    ONE(ATTRIBUTE, UNIT, 3, "unitStrindex", STRING_INDEX, SCALAR)                                  \
    ONE(ANY, STRING, 1, "stringValue", STRING, SCALAR)                                             \
    ONE(ANY, BOOL, 2, "boolValue", BOOL, SCALAR)                                                   \
    ONE(ANY, INT, 3, "intValue", INTEGER, SCALAR)                                                  \
    ONE(ANY, DOUBLE, 4, "doubleValue", DOUBLE, SCALAR)                                             \
    ONE(ANY, ARRAY, 5, "arrayValue", MESSAGE, ARRAY)                                               \
    ONE(ANY, LIST, 6, "kvlistValue", MESSAGE, LIST)                                                \
    ONE(ANY, BYTES, 7, "bytesValue", BASE64, SCALAR)                                               \
    ONE(ANY, INDEX, 8, "stringValueStrindex", STRING_INDEX, SCALAR)                                \
    MANY(ARRAY, VALUES, 1, "values", MESSAGE, ANY)                                                 \
    MANY(LIST, VALUES, 1, "values", MESSAGE, KEY_VALUE)                                            \
    ONE(KEY_VALUE, KEY, 1, "key", STRING, SCALAR)                                                  \
    ONE(KEY_VALUE, VALUE, 2, "value", MESSAGE, ANY)                                                \
    ONE(KEY_VALUE, INDEX, 3, "keyStrindex", STRING_INDEX, SCALAR)                                  \
    MANY(RESOURCE, ATTRIBUTES, 1, "attributes", MESSAGE, KEY_VALUE)                                \
    ONE(RESOURCE, DROPPED, 2, "droppedAttributesCount", SMALL, SCALAR)                             \
    MANY(RESOURCE, ENTITIES, 3, "entityRefs", MESSAGE, ENTITY)                                     \
    ONE(ENTITY, SCHEMA, 1, "schemaUrl", STRING, SCALAR)                                            \
    ONE(ENTITY, TYPE, 2, "type", STRING, SCALAR)                                                   \
    MANY(ENTITY, IDS, 3, "idKeys", STRING, SCALAR)                                                 \
    MANY(ENTITY, DESCRIPTIONS, 4, "descriptionKeys", STRING, SCALAR)                               \
    ONE(SCOPE, NAME, 1, "name", STRING, SCALAR)                                                    \
    ONE(SCOPE, VERSION, 2, "version", STRING, SCALAR)                                              \
    MANY(SCOPE, ATTRIBUTES, 3, "attributes", MESSAGE, KEY_VALUE)                                   \
    ONE(SCOPE, DROPPED, 4, "droppedAttributesCount", SMALL, SCALAR)

enum otlp_message {
    OTLP_DATA, /* also a request to export profiles, which has the same fields */
    OTLP_DICTIONARY,
    OTLP_RESOURCE_PROFILES,
    OTLP_SCOPE_PROFILES,
    OTLP_PROFILE,
    OTLP_SAMPLE,
    OTLP_VALUE_TYPE,
    OTLP_MAPPING,
    OTLP_LOCATION,
    OTLP_LINE,
    OTLP_FUNCTION,
    OTLP_LINK,
    OTLP_STACK,
    OTLP_ATTRIBUTE, /* KeyValueAndUnit */
    OTLP_ANY,
    OTLP_ARRAY,
    OTLP_LIST,
    OTLP_KEY_VALUE,
    OTLP_RESOURCE,
    OTLP_ENTITY,
    OTLP_SCOPE,
    OTLP_MESSAGES,
    OTLP_SCALAR = OTLP_MESSAGES,
};

enum otlp_kind {
    OTLP_KIND_MESSAGE,
    OTLP_KIND_INTEGER,  /* a varint, of 64 bits, with a sign */
    OTLP_KIND_UNSIGNED, /* the same, without a sign */
    OTLP_KIND_SMALL,    /* one of 32 bits, which JSON has without quotes */
    OTLP_KIND_STRING_INDEX,
    OTLP_KIND_BOOL,
    OTLP_KIND_FIXED, /* 64 bits */
    OTLP_KIND_DOUBLE,
    OTLP_KIND_STRING,
    OTLP_KIND_HEX, /* bytes, and how JSON spells them */
    OTLP_KIND_BASE64,
};

struct otlp_field {
    const char *name; /* in JSON */
    unsigned number;
    enum otlp_kind kind;
    enum otlp_message inside; /* OTLP_SCALAR: not a message */
    bool is_list;
};

/* The numbers of fields: OTLP_SAMPLE_LINK ... */
enum {
#define FIELD(message, constant, number, name, kind, inside) OTLP_##message##_##constant = (number),
    OTLP_FIELDS(FIELD, FIELD)
#undef FIELD
};

/* The largest number of a field. */
enum { OTLP_NUMBER_MAX = 11 };

/* The fields of each message by number, from 1 without a gap; the one after the last has no name. */
extern const struct otlp_field otlp_fields[OTLP_MESSAGES][OTLP_NUMBER_MAX + 2];

/* The field NUMBER of MESSAGE; NULL if it has none. */
static inline const struct otlp_field *otlp_field(enum otlp_message message, uint64_t number)
{
    const struct otlp_field *field =
        &otlp_fields[message][number <= OTLP_NUMBER_MAX ? number : OTLP_NUMBER_MAX + 1];
    return field->name != NULL ? field : NULL;
}

/* The name in JSON of the field NUMBER, which MESSAGE has. */
static inline const char *otlp_name(enum otlp_message message, unsigned number)
{
    return otlp_fields[message][number].name;
}

/* The wire type of FIELD, of its items if it is packed. */
static inline enum wire_type otlp_wire_type(const struct otlp_field *field)
{
    switch (field->kind) {
    case OTLP_KIND_INTEGER:
    case OTLP_KIND_UNSIGNED:
    case OTLP_KIND_SMALL:
    case OTLP_KIND_STRING_INDEX:
    case OTLP_KIND_BOOL: return WIRE_VARINT;
    case OTLP_KIND_FIXED:
    case OTLP_KIND_DOUBLE: return WIRE_FIXED64;
    default: return WIRE_BYTES;
    }
}

/* Whether the items of FIELD may stand together in one field of the wire. */
static inline bool otlp_may_be_packed(const struct otlp_field *field)
{
    return field->is_list && otlp_wire_type(field) != WIRE_BYTES;
}

/* The kinds of build ids that are attributes of a mapping, BUILD_ID.KIND: the first one that a mapping
 * has is the one of its row. */
#define OTLP_BUILD_ID "process.executable.build_id."
enum { OTLP_BUILD_IDS = 3 };
extern const struct str otlp_build_ids[OTLP_BUILD_IDS];

/* The flags of mappings of pprof, whose attributes are FLAG.NAME, and the flag of locations. */
#define OTLP_FLAG "pprof.mapping."
#define OTLP_IS_FOLDED "pprof.location.is_folded"
enum { OTLP_FLAGS = 4 };
extern const struct str otlp_flags[OTLP_FLAGS];

/* The facts of pprof that are attributes of a profile, FACT.NAME; the first ones are strings, and the
 * last is a list of them. */
#define OTLP_FACT "pprof.profile."
#define OTLP_COMMENT OTLP_FACT "comment"
enum { OTLP_DROP_FRAMES, OTLP_KEEP_FRAMES, OTLP_DOC_URL, OTLP_FACTS };
extern const struct str otlp_facts[OTLP_FACTS];

/* The attributes of a scope that say of pprof's types which is shown, and their order. */
#define OTLP_DEFAULT_TYPE "pprof.scope.default_sample_type"
#define OTLP_TYPE_ORDER "pprof.scope.sample_type_order"

/* The unit of an attribute that stands for several labels of its key: a list with an item for each. */
#define OTLP_LABELS "{label}"

#endif
