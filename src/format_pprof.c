/* pprof: protobuf messages (profile.proto), mostly inside gzip. */
#include "pprof.h"

/* The first field is mostly a sample type, a short message that begins with a type. */
static bool detect_pprof(struct str head)
{
    return head.n >= 3 && head.p[0] == 0x0a && head.p[1] >= 2 && head.p[1] < 24 &&
           head.p[2] == 0x08;
}

const struct format format_pprof = {
    .name = "a pprof file",
    .converter = "pprof2ndjson",
    .detect = detect_pprof,
    .read = pprof_read,
    .write = pprof_write,
};
