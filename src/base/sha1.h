/* sha1.h - the checksum that git, and others after it, name what they store by (FIPS 180-4).  It keeps no secret. */
#ifndef PROFPIPE_SHA1_H
#define PROFPIPE_SHA1_H

#include "base/str.h"

/* Hexadecimal digits, and a NUL. */
enum { SHA1_DIGITS = 40 };

/* Writes the SHA-1 of BYTES to HEX in lower-case digits. */
void sha1(struct str bytes, char hex[SHA1_DIGITS + 1]);

#endif
