/* sha.h - SHA-1 and SHA-256 (FIPS 180-4). By SHA-1 git and similar tools name objects; it is not used
 * for security. */
#ifndef PROFPIPE_SHA_H
#define PROFPIPE_SHA_H

#include "base/str.h"

#include <stdint.h>

/* Hexadecimal digits, and a NUL. */
enum { SHA1_DIGITS = 40 };

/* Writes the SHA-1 of BYTES to HEX in lower-case digits. */
void sha1(struct str bytes, char hex[SHA1_DIGITS + 1]);

enum { SHA_BLOCK = 64, SHA256_SIZE = 32 };

/* The SHA-256 of bytes that come in parts. */
struct sha256 {
    uint32_t state[8];
    uint64_t size;                 /* of all bytes so far */
    unsigned char rest[SHA_BLOCK]; /* those behind the last whole block */
};

/* Begins with no bytes. */
void sha256_begin(struct sha256 *s);

/* Adds BYTES behind those that S has. */
void sha256_add(struct sha256 *s, struct str bytes);

/* Writes the digest of all bytes of S to DIGEST; S has no further use. */
void sha256_end(struct sha256 *s, unsigned char digest[SHA256_SIZE]);

#endif
