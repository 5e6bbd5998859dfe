/* otlp_own.h - what OTLP profiles have of their own in rows, and below: see base/own.h. */
#ifndef PROFPIPE_OTLP_OWN_H
#define PROFPIPE_OTLP_OWN_H

struct members;
struct source_facts;
void otlp_own_facts(const struct members *facts,
                    struct source_facts *to); /* see rows/source_kind.h */

#define OWN_OTLP(KIND, HAS, TABLE, MEMBER, ROLE, LOSS, PACKED, RULE)                               \
    KIND(otlp, SCATTERED, false, true, false, otlp_own_facts)                                      \
    HAS(OTLP)                                                                                      \
    MEMBER(OTLP, ".otlp", OBJECT, IN(SOURCE), OBJECT_OTLP)                                         \
    MEMBER(OTLP_TIME, "time_unix_nano", INTEGER, IN(OTLP), OBJECT_NONE)                            \
    MEMBER(OTLP_ZERO, "zero", INTEGER, IN(OTLP), OBJECT_NONE)                                      \
    MEMBER(OTLP_DURATION, "duration_nano", INTEGER, IN(OTLP), OBJECT_NONE)                         \
    MEMBER(OTLP_PERIOD, "period", INTEGER, IN(OTLP), OBJECT_NONE)                                  \
    MEMBER(OTLP_IDS, "profile_ids", STRINGS, IN(OTLP), OBJECT_NONE)                                \
    MEMBER(OTLP_PROFILE, "profile", STRING, IN(OTLP), OBJECT_NONE)                                 \
    MEMBER(OTLP_RESOURCE, "resource", STRING, IN(OTLP), OBJECT_NONE)                               \
    MEMBER(OTLP_RESOURCE_SCHEMA, "resource_schema_url", STRING, IN(OTLP), OBJECT_NONE)             \
    MEMBER(OTLP_SCOPE, "scope", STRING, IN(OTLP), OBJECT_NONE)                                     \
    MEMBER(OTLP_SCOPE_SCHEMA, "scope_schema_url", STRING, IN(OTLP), OBJECT_NONE)                   \
    MEMBER(OTLP_PAYLOAD_FORMAT, "payload_format", STRING, IN(OTLP), OBJECT_NONE)                   \
    MEMBER(OTLP_PAYLOAD, "payload", HEX, IN(OTLP), OBJECT_NONE)                                    \
    MEMBER(OTLP_KIND, ".otlp_kind", STRING, IN(LABEL), OBJECT_NONE)                                \
    MEMBER(OTLP_BUILD_ID, ".otlp_build_id", STRING, IN(MAPPING), OBJECT_NONE)                      \
    MEMBER(OTLP_ATTRIBUTES, ".otlp_attributes", STRING, IN(LOCATION) | IN(MAPPING), OBJECT_NONE)   \
    LOSS(OTLP_BYTES, "string that is not UTF-8", "strings that are not UTF-8", true)               \
    LOSS(OTLP_EMPTY, "resource or scope without a profile",                                        \
         "resources or scopes without a profile", true)                                            \
    LOSS(OTLP_PAYLOADS, "original payload", "original payloads", true)                             \
    LOSS(OTLP_TIMES, "time before 1970", "times before 1970", true)                                \
    LOSS(OTLP_UNUSED, "unused entry of a table", "unused entries of tables", false)

#endif
