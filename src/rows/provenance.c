#include "rows/provenance.h"

#include "base/mem.h"
#include "base/order.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What all of them begin with, and what those of this version do. */
#define ALL STR("profpipe/")
#define THIS STR("profpipe/1 ")

enum fact { FACT_SOURCES, FACT_DIGEST, FACT_UNDIGESTED, FACT_UNNAMED, FACT_SOURCE, FACTS };

static const struct str words[FACTS] = {
    [FACT_SOURCES] = STR("sources"),       [FACT_DIGEST] = STR("digest"),
    [FACT_UNDIGESTED] = STR("undigested"), [FACT_UNNAMED] = STR("unnamed"),
    [FACT_SOURCE] = STR("source"),
};

bool provenance_is(struct str comment)
{
    return str_starts(comment, ALL);
}

/* --- reading --- */

/* Takes a number without leading zeros, which fits in 63 bits, off *TEXT. */
static bool take_number(struct str *text, uint64_t *number)
{
    const struct str all = *text;
    *number = 0;
    while (text->n > 0 && str_is_digit(*text->p)) {
        const uint64_t digit = (uint64_t)(*text->p - '0');
        if (*number > (INT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
        *text = (struct str){text->p + 1, text->n - 1};
    }
    const size_t n = all.n - text->n;
    return n > 0 && (*all.p != '0' || n == 1);
}

/* Takes the word of a fact off *TEXT, up to what it says; FACTS if there is none. */
static enum fact take_fact(struct str *text, uint64_t *times)
{
    const char *blank = text->n == 0 ? NULL : memchr(text->p, ' ', text->n);
    if (blank == NULL)
        return FACTS;
    struct str word = {text->p, (size_t)(blank - text->p)};
    *text = (struct str){blank + 1, text->n - word.n - 1};
    *times = 1;
    for (enum fact fact = 0; fact < FACTS; fact++)
        if (str_equal(word, words[fact]))
            return fact;
    const bool is_many =
        str_take(&word, STR("source*")) && take_number(&word, times) && word.n == 0 && *times > 1;
    return is_many ? FACT_SOURCE : FACTS;
}

static bool read_digest(struct provenance *p, struct str hex)
{
    for (size_t i = 0; i < hex.n; i++)
        if (text_hex_value(hex.p[i]) > 15 || (hex.p[i] >= 'A' && hex.p[i] <= 'F'))
            return false;
    if (hex.n != sizeof p->digest * 2)
        return false;
    for (size_t i = 0; i < sizeof p->digest; i++)
        p->digest[i] =
            (unsigned char)(text_hex_value(hex.p[2 * i]) << 4 | text_hex_value(hex.p[2 * i + 1]));
    return true;
}

static bool read_name(struct provenance *p, struct str name, uint64_t times)
{
    struct buf bytes = {0};
    char number[32];
    const bool is_good = name.n > 0 && text_unescape_tabs(&bytes, name) &&
                         !__builtin_add_overflow(p->named, times, &p->named);
    buf_free(&bytes);
    if (!is_good)
        return false;
    const int n = snprintf(number, sizeof number, "%" PRIu64 " ", times);
    buf_add(&p->names, (struct str){number, (size_t)n});
    buf_add(&p->names, name);
    buf_add(&p->names, STR("\n")); /* no name has one */
    return true;
}

static const char *read_comment(struct provenance *p, struct str text)
{
    uint64_t *const numbers[FACTS] = {[FACT_SOURCES] = &p->count,
                                      [FACT_UNDIGESTED] = &p->undigested,
                                      [FACT_UNNAMED] = &p->unnamed};
    uint64_t times;
    if (!str_take(&text, THIS))
        return "another version than profpipe/1";
    const enum fact fact = take_fact(&text, &times);
    if (fact == FACTS)
        return "an unknown word";
    if (fact != FACT_SOURCE && (p->seen & 1u << fact) != 0)
        return "a fact that comes twice, as if another program had merged files";
    p->seen |= 1u << fact;
    if (fact == FACT_SOURCE)
        return read_name(p, text, times) ? NULL : "a wrong name";
    if (fact == FACT_DIGEST)
        return read_digest(p, text) ? NULL : "a wrong digest";
    return take_number(&text, numbers[fact]) && text.n == 0 ? NULL : "a wrong number";
}

bool provenance_take(struct provenance *p, struct str comment)
{
    if (!provenance_is(comment))
        return false;
    const char *wrong = read_comment(p, comment);
    if (p->wrong == NULL)
        p->wrong = wrong;
    return true;
}

const char *provenance_wrong(const struct provenance *p)
{
    uint64_t all;
    if (p->wrong != NULL)
        return p->wrong;
    if ((p->seen & 1u << FACT_SOURCES) == 0)
        return "no number of sources";
    if (__builtin_add_overflow(p->named, p->unnamed, &all) || all != p->count)
        return "names that do not add up to the number of sources";
    const bool has_digest = (p->seen & 1u << FACT_DIGEST) != 0;
    if (p->undigested > p->count || has_digest != (p->undigested < p->count))
        return "a digest that does not go with the number of sources";
    return NULL;
}

bool provenance_next(struct str *names, struct str *name, uint64_t *times)
{
    if (!str_next_line(names, name))
        return false;
    take_number(name, times);
    return str_take(name, STR(" "));
}

void provenance_free(struct provenance *p)
{
    buf_free(&p->names);
}

void provenance_add_digest(struct buf *to, const unsigned char digest[SHA256_SIZE])
{
    text_hex(to, (struct str){(const char *)digest, SHA256_SIZE});
}

/* --- adding up --- */

static int by_name(const void *a, const void *b)
{
    const struct provenance_name *x = a, *y = b;
    return str_compare(x->name, y->name);
}

/* Sorts the names, makes one of equal ones, and drops those behind the first so many. */
static void cut_names(struct provenance_sum *s)
{
    size_t kept = 0;
    order_items(s->names, s->name_count, sizeof *s->names, by_name);
    for (size_t i = 0; i < s->name_count; i++)
        if (kept > 0 && str_equal(s->names[i].name, s->names[kept - 1].name))
            s->names[kept - 1].times += s->names[i].times;
        else
            s->names[kept++] = s->names[i];
    s->name_count = kept < s->max ? kept : s->max;
    if (kept <= s->max)
        return;
    s->is_cut = true;
    s->last = s->max > 0 ? s->names[s->max - 1].name : (struct str){NULL, 0};
}

/* Gives the names a new arena, without the texts of those that were dropped. */
static void drop_texts(struct provenance_sum *s)
{
    struct arena old = s->texts;
    s->texts = (struct arena){0};
    for (size_t i = 0; i < s->name_count; i++)
        s->names[i].name = arena_copy(&s->texts, s->names[i].name);
    if (s->is_cut && s->name_count > 0)
        s->last = s->names[s->name_count - 1].name;
    arena_free(&old);
}

/* Adds NAME, as in a comment, of TIMES sources. */
static void add_name(struct provenance_sum *s, struct str name, uint64_t times)
{
    enum { SPARE = 1024 }; /* so that few names are not sorted all the time */
    if (s->is_cut && (s->last.p == NULL || str_compare(name, s->last) > 0))
        return;
    s->names = mem_array(s->names, &s->name_capacity, s->name_count + 1, sizeof *s->names);
    s->names[s->name_count++] = (struct provenance_name){arena_copy(&s->texts, name), times};
    if (s->name_count / 2 < s->max || s->name_count - s->max < SPARE)
        return;
    cut_names(s);
    drop_texts(s);
}

/* Adds DIGEST to SUM, modulo 2^256. */
static void add_digest(unsigned char sum[SHA256_SIZE], const unsigned char digest[SHA256_SIZE])
{
    unsigned carry = 0;
    for (size_t i = SHA256_SIZE; i-- > 0; carry >>= 8) {
        carry += (unsigned)sum[i] + digest[i];
        sum[i] = (unsigned char)carry;
    }
}

void provenance_add(struct provenance_sum *s, struct str name, const unsigned char *input)
{
    struct buf text = {0};
    s->count++;
    s->undigested += input == NULL;
    if (input != NULL) {
        struct sha256 sha;
        unsigned char digest[SHA256_SIZE];
        provenance_add_digest(&text, input);
        buf_add(&text, STR("  "));
        buf_add(&text, name);
        buf_add(&text, STR("\n"));
        sha256_begin(&sha);
        sha256_add(&sha, buf_str(&text));
        sha256_end(&sha, digest);
        add_digest(s->digest, digest);
        text.n = 0;
    }
    text_escape_tabs(&text, name);
    add_name(s, buf_str(&text), 1);
    buf_free(&text);
}

bool provenance_add_all(struct provenance_sum *s, const struct provenance *p)
{
    struct str names = buf_str(&p->names), name;
    uint64_t times;
    if (p->count > INT64_MAX - s->count)
        return false;
    s->count += p->count;
    s->undigested += p->undigested;
    add_digest(s->digest, p->digest);
    while (provenance_next(&names, &name, &times))
        add_name(s, name, times);
    return true;
}

/* --- writing --- */

/* The facts of S that are not names, in the order in which they are written; their number. */
static size_t facts_of(const struct provenance_sum *s, enum fact facts[FACTS])
{
    size_t count = 0;
    facts[count++] = FACT_SOURCES;
    if (s->undigested < s->count)
        facts[count++] = FACT_DIGEST;
    if (s->undigested > 0)
        facts[count++] = FACT_UNDIGESTED;
    if (s->unnamed > 0)
        facts[count++] = FACT_UNNAMED;
    return count;
}

size_t provenance_end(struct provenance_sum *s)
{
    enum fact facts[FACTS];
    cut_names(s);
    s->unnamed = s->count;
    for (size_t i = 0; i < s->name_count; i++)
        s->unnamed -= s->names[i].times;
    return facts_of(s, facts) + s->name_count;
}

static void add_number(struct buf *to, const char *format, uint64_t number)
{
    char text[32];
    buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, format, number)});
}

void provenance_spell(struct buf *to, const struct provenance_sum *s, size_t i)
{
    enum fact facts[FACTS];
    const size_t count = facts_of(s, facts);
    const struct provenance_name *name = i < count ? NULL : &s->names[i - count];
    const enum fact fact = i < count ? facts[i] : FACT_SOURCE;
    buf_add(to, THIS);
    buf_add(to, words[fact]);
    if (name != NULL && name->times > 1)
        add_number(to, "*%" PRIu64, name->times);
    buf_add(to, STR(" "));
    switch (fact) {
    case FACT_DIGEST: provenance_add_digest(to, s->digest); break;
    case FACT_SOURCE: buf_add(to, name->name); break;
    case FACT_UNDIGESTED: add_number(to, "%" PRIu64, s->undigested); break;
    case FACT_UNNAMED: add_number(to, "%" PRIu64, s->unnamed); break;
    default: add_number(to, "%" PRIu64, s->count);
    }
}

void provenance_free_sum(struct provenance_sum *s)
{
    mem_free(s->names);
    arena_free(&s->texts);
}
