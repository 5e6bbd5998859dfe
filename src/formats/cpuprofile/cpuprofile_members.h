/* cpuprofile_members.h - the members of a .cpuprofile, for the reader and the writer. */
#ifndef PROFPIPE_CPUPROFILE_MEMBERS_H
#define PROFPIPE_CPUPROFILE_MEMBERS_H

#include "formats/v8_members.h"

/* The members of a file, in this order. */
#define CPUPROFILE_FILE_MEMBERS                                                                    \
    "nodes", "head", "samples", "timeDeltas", "timestamps", "startTime", "endTime"
enum {
    FILE_NODES,
    FILE_HEAD,
    FILE_SAMPLES,
    FILE_DELTAS,
    FILE_TIMESTAMPS,
    FILE_START,
    FILE_END,
    FILE_MEMBERS
};

#endif
