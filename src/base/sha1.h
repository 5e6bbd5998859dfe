/* sha1.h - SHA-1 (FIPS 180-4), the checksum that git and similar tools name objects by.  Not
 * used for security. */
#ifndef PROFPIPE_SHA1_H
#define PROFPIPE_SHA1_H

#include "base/str.h"

/* Hexadecimal digits, and a NUL. */
enum { SHA1_DIGITS = 40 };

/* Writes the SHA-1 of BYTES to HEX in lower-case digits. */
void sha1(struct str bytes, char hex[SHA1_DIGITS + 1]);

#endif
