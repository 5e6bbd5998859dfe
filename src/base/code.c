#include "base/code.h"

#include <errno.h>

const struct code_facts code_facts[CODE_COUNT] = {
#define CODE(constant, word, status, meaning) [CODE_##constant] = {word, status, meaning},
    CODES(CODE)
#undef CODE
};

enum code code_of_errno(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR: return CODE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS: return CODE_DENIED;
    case EISDIR: return CODE_IS_FOLDER;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return CODE_DISK_FULL;
    case ENOMEM: return CODE_MEMORY;
    default: return CODE_IO;
    }
}
