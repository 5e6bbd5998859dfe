/* SHA-256 of the examples of FIPS 180-4, in parts of all sizes. */
#include "base/sha.h"

#include "base/mem.h"
#include "tap.h"

#include <stdio.h>

static void check(struct str bytes, size_t part, const char *expected)
{
    struct sha256 s;
    unsigned char digest[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1];
    sha256_begin(&s);
    for (size_t i = 0; i < bytes.n; i += part)
        sha256_add(&s, (struct str){bytes.p + i, bytes.n - i < part ? bytes.n - i : part});
    sha256_end(&s, digest);
    for (size_t i = 0; i < SHA256_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    ok(strcmp(hex, expected) == 0, "%zu bytes in parts of %zu", bytes.n, part);
}

int main(void)
{
    static const struct {
        const char *text, *digest;
    } examples[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        for (size_t part = 1; part < 5; part++)
            check(str_of(examples[i].text), part, examples[i].digest);
    struct str many = {mem_alloc(1000000), 1000000};
    memset((char *)(uintptr_t)many.p, 'a', many.n);
    for (size_t part = 1; part < 200; part += 7)
        check(many, part, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    mem_free((char *)(uintptr_t)many.p);
    return tap_done();
}
