/* The tokens of JSON: what jansson accepts is accepted, with the same value, however the bytes come in. */
#include "job.h"
#include "rows/tokens.h"
#include "tap.h"

#include <jansson.h>

/* Reads TEXT in blocks of BLOCK bytes, and puts its tokens together again in OUT, without white space. */
struct reading {
    struct str text;
    size_t block;
    bool takes_nan;
    struct buf out;
    struct tokens json;
};

static void put(struct buf *to, char c)
{
    buf_add(to, (struct str){&c, 1});
}

static void read_all(void *with)
{
    struct reading *r = with;
    struct in *in = in_open_bytes("text", r->text, r->block);
    bool comma = false; /* stands between this value and the one before */
    tokens_open(&r->json, in);
    r->json.takes_nan = r->takes_nan;
    for (enum token token; (token = tokens_next(&r->json)) != TOKEN_END;) {
        bool ends = token == TOKEN_OBJECT_END || token == TOKEN_ARRAY_END;
        bool quoted = token == TOKEN_NAME || token == TOKEN_STRING;
        if (comma && !ends)
            put(&r->out, ',');
        if (quoted)
            put(&r->out, '"');
        if (token == TOKEN_OBJECT || token == TOKEN_ARRAY)
            put(&r->out, token == TOKEN_OBJECT ? '{' : '[');
        else if (ends)
            put(&r->out, token == TOKEN_OBJECT_END ? '}' : ']');
        else
            buf_add(&r->out, r->json.text);
        if (quoted)
            put(&r->out, '"');
        if (token == TOKEN_NAME)
            put(&r->out, ':');
        comma = token != TOKEN_NAME && token != TOKEN_OBJECT && token != TOKEN_ARRAY;
    }
    tokens_close(&r->json);
    in_close(in);
}

/* What TEXT reads as; p is NULL where it is refused, and *SAID (of 300 bytes) is how. */
static struct str tokens_of(struct str text, size_t block, char *message)
{
    struct reading r = {.text = text, .block = block};
    enum status status = survive(read_all, &r);
    struct str found = {NULL, 0};
    if (status == STATUS_OK)
        found = str_copy(buf_str(&r.out));
    snprintf(message, 300, "%s:%d: %.250s", said.where.file, (int)said.where.at, said.message);
    tidy();
    return found;
}

/* --- what is read, and what is not --- */

static void test_good(void)
{
    static const struct {
        struct str text, tokens;
    } good[] = {
        {STR(" { \"a\" : [ 1 , -0.50 , 1e-05 ] ,\n\"\" : { } }\r\n"),
         STR("{\"a\":[1,-0.50,1e-05],\"\":{}}")},
        {STR("[]"), STR("[]")},
        {STR("\t[\t1\t,\r\n\t{\t\"a\"\t:\t2\t}\t]\t"), STR("[1,{\"a\":2}]")},
        {STR("\"\\ud800\\u0000 \xf0\x9f\x94\xa5\""), STR("\"\\ud800\\u0000 \xf0\x9f\x94\xa5\"")},
        {STR("123456789012345678901234567890"), STR("123456789012345678901234567890")},
        {STR("[true,false,null,{\"a\":\"\\/\\\"\"}]"),
         STR("[true,false,null,{\"a\":\"\\/\\\"\"}]")},
    };
    char message[300];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (size_t block = 1; block < 40; block += 3) {
            struct str found = tokens_of(good[i].text, block, message);
            if (!str_equal(found, good[i].tokens))
                ok(false, "%.*s in reads of %zu: %s", STR_ARG(good[i].text), block, message);
            str_free(found);
        }
    ok(true, "strings and numbers come as they are spelled");
}

static void test_bad(void)
{
    static const struct {
        struct str text;
        const char *message;
    } bad[] = {
        {STR(""), "text:1: column 1: expected a value, found the end of the input"},
        {STR("[1,]"), "text:1: column 4: expected a value, found ]"},
        {STR("{\"a\":1,}"), "text:1: column 8: expected a name in quotes, found }"},
        {STR("{\n  \"a\" 1}"), "text:2: column 7: expected a colon, found 1}"},
        {STR("[1 2]"), "text:1: column 4: expected a comma or ], found 2]"},
        {STR("[01]"), "text:1: column 2: expected a number, found 01]"},
        {STR("[1.]"), "text:1: column 2: expected a number, found 1.]"},
        {STR("[NaN]"), "text:1: column 2: expected a value, found NaN]"},
        {STR("aaaaabbbbbcccccdddddeeeeefffffggggghhhhh"),
         "text:1: column 1: expected a value, found aaaaabbbbbcccccdddddeeeeefffffggggghhhhh"},
        {STR("aaaaabbbbbcccccdddddeeeeefffffggggghhhh\u00e9"), /* not half a character */
         "text:1: column 1: expected a value, found aaaaabbbbbcccccdddddeeeeefffffggggghhhh"},
        {STR("aaaaabbbbbcccccdddddeeeeefffffggggghh\U0001f525"),
         "text:1: column 1: expected a value, found aaaaabbbbbcccccdddddeeeeefffffggggghh"},
        {STR("[1]\n]"), "text:2: column 1: expected the end of the input, found ]"},
        {STR("[\"a\nb\"]"), "text:1: column 4: expected a string without control characters"},
        {STR("[\"\\x\"]"), "text:1: column 3: expected an escape of JSON behind \\"},
        {STR("[\"\\u12g4\"]"), "text:1: column 3: expected an escape of JSON behind \\"},
        {STR("[\"a\xff\"]"), "text:1: column 4: expected UTF-8"},
        {STR("[\"abc"),
         "text:1: column 6: expected the end of a string, found the end of the input"},
        {STR("{\"a\":[1"),
         "text:1: column 8: expected the end of a list, found the end of the input"},
        {STR("{\"a\""), "text:1: column 5: expected a colon, found the end of the input"},
    };
    char message[300];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool good = true;
        for (size_t block = 1; block < 12; block++) {
            struct str found = tokens_of(bad[i].text, block, message);
            good &= each(found.p == NULL && strcmp(message, bad[i].message) == 0,
                         "reads of %zu: %s", block, message);
            str_free(found);
        }
        ok(good, "%s", bad[i].message);
    }
}

static void test_depth(void)
{
    static char text[LIMITS_NESTING + 1];
    char message[300];
    memset(text, '[', sizeof text);
    str_free(tokens_of((struct str){text, sizeof text}, 4096, message));
    ok(strcmp(message, "text:1: column 2049: expected values that nest no deeper than 2048") == 0,
       "nesting has an end");
    memset(text + LIMITS_NESTING / 2, ']', LIMITS_NESTING / 2);
    struct str found = tokens_of((struct str){text, LIMITS_NESTING}, 4096, message);
    ok(found.n == LIMITS_NESTING, "and not too soon");
    str_free(found);
}

/* The most bytes of a token: digits, or a string with the quote in front of it. */
static void test_length(void)
{
    static const char fills[] = "1\"";
    static const size_t blocks[] = {SIZE_MAX, 100000};
    char *text = malloc(LIMITS_LINE + 3), message[300];
    for (size_t f = 0; f < 2; f++) {
        bool is_string = fills[f] == '"';
        for (size_t b = 0; b < 2; b++)
            for (size_t more = 0; more < 2; more++) {
                size_t n = LIMITS_LINE + more;
                memset(text, '1', n);
                text[0] = fills[f];
                text[n] = is_string ? '"' : ' ';
                struct str found = tokens_of((struct str){text, n + 1}, blocks[b], message);
                ok(more
                       ? found.p == NULL && strcmp(message, "text:1: column 1: the token is longer "
                                                            "than 16 MiB") == 0
                       : found.n == n + is_string,
                   "a %s of %s bytes, read in %s", is_string ? "string" : "number",
                   more ? "too many" : "just as many", b > 0 ? "parts" : "one");
                str_free(found);
            }
    }
    free(text);
}

static void read_object(void *with)
{
    struct reading *r = with;
    struct in *in = in_open_bytes("text", r->text, SIZE_MAX);
    tokens_open(&r->json, in);
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    tokens_skip(&r->json);
    tokens_close(&r->json);
    in_close(in);
}

static void test_expected(void)
{
    struct reading good = {.text = STR("{\"a\":[]}")}, bad = {.text = STR(" [{}]")};
    ok(survive(read_object, &good) == STATUS_OK, "an object where one is expected");
    tidy();
    ok(survive(read_object, &bad) == STATUS_INPUT &&
           strcmp(said.message, "column 2: expected an object, found a list") == 0,
       "and something else: %s", said.message);
    tidy();
}

/* --- numbers of Python's --- */

/* Whether TEXT is read, and as it stands, where such numbers are taken. */
static bool reads_back(struct str text, size_t block)
{
    struct reading r = {.text = text, .block = block, .takes_nan = true};
    bool good = survive(read_all, &r) == STATUS_OK && str_equal(buf_str(&r.out), text);
    tidy();
    return good;
}

static void test_python(void)
{
    static const struct str good = STR("[NaN,Infinity,-Infinity,{\"a\":NaN}]");
    static const struct str bad[] = {STR("-NaN"), STR("nan"), STR("Infinity1"), STR("-Inf"),
                                     STR("+Infinity")};
    char message[300];
    size_t wrong = 0;
    for (size_t block = 1; block < good.n; block++)
        wrong += !reads_back(good, block);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        wrong += reads_back(bad[i], SIZE_MAX);
    struct str found = tokens_of(good, SIZE_MAX, message);
    ok(wrong == 0 && found.p == NULL, "NaN and infinities where they are taken, and nowhere else");
    str_free(found);
}

/* --- small integers in lists --- */

static void read_indexes(void *with)
{
    struct reading *r = with;
    struct in *in = in_open_bytes("text", r->text, r->block);
    uint32_t index;
    tokens_open(&r->json, in);
    while (tokens_take_indexes(&r->json, 1000000000, &index, 1) > 0 ||
           tokens_next(&r->json) != TOKEN_END)
        if (r->json.token == TOKEN_NUMBER) {
            buf_add(&r->out, r->json.text);
            char where[40];
            snprintf(where, sizeof where, "@%d:%d ", (int)r->json.where.line,
                     (int)r->json.where.column);
            buf_add(&r->out, str_of(where));
        }
    tokens_close(&r->json);
    in_close(in);
}

static void read_many(void *with)
{
    struct reading *r = with;
    struct in *in = in_open_bytes("text", r->text, r->block);
    uint32_t indexes[3];
    tokens_open(&r->json, in);
    for (size_t n; (n = tokens_take_indexes(&r->json, 400, indexes, 3)) > 0 ||
                   tokens_next(&r->json) != TOKEN_END;) {
        char number[20];
        for (size_t i = 0; i < n; i++) {
            snprintf(number, sizeof number, "%u ", (unsigned)indexes[i]);
            buf_add(&r->out, str_of(number));
        }
        if (n == 0 && r->json.token == TOKEN_NUMBER) {
            buf_add(&r->out, r->json.text);
            buf_add(&r->out, STR("! "));
        }
    }
    tokens_close(&r->json);
    in_close(in);
}

static void test_many_indexes(void)
{
    const struct str text = STR("[[1,22,3,4],[0,399,400,5,6],[7],[],[8, 9],{\"a\":10},11]   "
                                "                  ");
    struct reading r = {.text = text, .block = 1000};
    ok(survive(read_many, &r) == STATUS_OK, "small integers, several at once");
    is(buf_str(&r.out), STR("1 22 3 4 0 399 400! 5 6 7 8 9! 10! 11 "), "those below a limit");
    tidy();
}

static void test_indexes(void)
{
    const struct str text = STR("[[1,22],\n[0, 333 ,4444],[123456789,1234567890,-1],{\"a\":7},8]   "
                                "                  ");
    const struct str expected = STR("1@1:3 22@1:5 0@2:2 333@2:5 4444@2:10 123456789@2:17 "
                                    "1234567890@2:27 -1@2:38 7@2:47 8@2:50 ");
    for (size_t block = 1; block < 100; block += 9) {
        struct reading r = {.text = text, .block = block};
        bool good = survive(read_indexes, &r) == STATUS_OK;
        good &= str_equal(buf_str(&r.out), expected);
        if (!good || block == 1)
            is(buf_str(&r.out), expected, "small integers, with their places");
        tidy();
    }
}

/* --- jansson --- */

/* Whether jansson takes TEXT for what FOUND, its tokens, is. */
static bool agrees(struct str text, struct str found, json_t *value)
{
    json_t *again = found.p == NULL ? NULL : json_loadb(found.p, found.n, JSON_DECODE_ANY, NULL);
    bool same = again != NULL && json_equal(value, again);
    json_decref(again);
    return each(same, "jansson accepts %.*s", STR_ARG(text));
}

static uint64_t random_state;

static size_t pick(size_t count)
{
    return (size_t)(random_next(&random_state) % count);
}

/* Random changes of a few bytes of TEXT. */
static void mutate(char *text, size_t *n)
{
    static const char bytes[] = "{}[]\",:\\u0019.eE+-tfn \n\x80\xc3\xff";
    for (unsigned i = 1 + pick(3); i > 0 && *n > 1; i--) {
        size_t at = pick(*n);
        if (pick(3) == 0) {
            memmove(text + at, text + at + 1, *n - at - 1);
            (*n)--;
        } else if (pick(2) == 0) {
            memmove(text + at + 1, text + at, *n - at);
            text[at] = bytes[pick(sizeof bytes - 1)];
            (*n)++;
        } else {
            text[at] = bytes[pick(sizeof bytes - 1)];
        }
    }
}

static void test_jansson(void)
{
    static const char seed[] = "{\"a\\u00e9\":[1,-2.5e3,\"\xc3\xa9\\n\",{\"b\":null}],\"c\":[[],{},"
                               "true,false,12345678]}";
    enum { COUNT = 60000 };
    size_t accepted = 0, wrong = 0;
    char message[300];
    for (int i = 0; i < COUNT; i++) {
        char copy[sizeof seed + 8];
        size_t n = sizeof seed - 1;
        memcpy(copy, seed, n);
        mutate(copy, &n);
        struct str text = {copy, n};
        json_t *value = json_loadb(copy, n, JSON_DECODE_ANY, NULL);
        struct str found = tokens_of(text, 1 + (size_t)i % 50, message);
        accepted += value != NULL;
        wrong += value != NULL && !agrees(text, found, value);
        json_decref(value);
        str_free(found);
    }
    ok(wrong == 0 && accepted > COUNT / 50, "what jansson accepts is read as the same (%zu of %d)",
       accepted, COUNT);
}

int main(void)
{
    test_good();
    test_bad();
    test_depth();
    test_length();
    test_expected();
    test_python();
    test_indexes();
    test_many_indexes();
    test_jansson();
    return tap_done();
}
