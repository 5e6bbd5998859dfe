/* pprof_read.h - the fields of a file of pprof, for its reader and for what recognises one. */
#ifndef PROFPIPE_PPROF_READ_H
#define PROFPIPE_PPROF_READ_H

#include "formats/wire.h"

/* Field numbers of Profile. */
enum field {
    FIELD_SAMPLE_TYPE = 1,
    FIELD_SAMPLE,
    FIELD_MAPPING,
    FIELD_LOCATION,
    FIELD_FUNCTION,
    FIELD_STRING,
    FIELD_DROP_FRAMES,
    FIELD_KEEP_FRAMES,
    FIELD_TIME,
    FIELD_DURATION,
    FIELD_PERIOD_TYPE,
    FIELD_PERIOD,
    FIELD_COMMENT,
    FIELD_DEFAULT_TYPE,
    FIELD_DOC_URL,
    FIELD_COUNT,
};

/* The fields of Profile by number. */
struct reader_field {
    const char *name;
    enum wire_type type;
    bool repeated; /* numbers may also be packed */
};

extern const struct reader_field pprof_reader_fields[FIELD_COUNT];

#endif
