/* Any line to the scanner: what it accepts jansson must accept with the same row. */
#include "fuzz.h"
#include "rowcheck.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = {(const char *)data, size};
    const char *why = "";
    if (size != 0 && memchr(line.p, '\n', size) == NULL)
        fuzz_expect(rowcheck(line, &why) != ROWCHECK_DIFFERS, why);
    return 0;
}
