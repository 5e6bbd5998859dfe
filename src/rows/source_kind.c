#include "rows/source_kind.h"

#include "base/decimal.h"
#include "base/units.h"

#include <stdio.h>

static const struct source_kind kinds[] = {
    {STR("profagg"), SOURCE_UNORDERED, false, false, false, NULL}, /* adds up sources of any kind */
#define KIND(name, order, leaves_stackless, lists_types, counts_calls, facts)                      \
    {STR(#name), SOURCE_##order, leaves_stackless, lists_types, counts_calls, facts},
    OWN(KIND, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef KIND
};

/* The number that is all of TEXT; 0 if that is empty or no number. */
static struct decimal number_in(struct str text)
{
    enum { LONGEST = 40 };
    char copy[LONGEST + 1], *end;
    if (text.n == 0 || text.n > LONGEST)
        return decimal_of(0);
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    decimal_parse(copy, &end);
    return *end == '\0' && str_is_digit(copy[text.n - 1]) ? decimal_read((struct str){copy, text.n})
                                                          : decimal_of(0);
}

int64_t source_kind_span(struct str start, struct str end, struct str unit)
{
    struct decimal span = number_in(end);
    int64_t nanoseconds;
    decimal_subtract(&span, number_in(start));
    span = decimal_multiply(span, decimal_of(units_nanoseconds(unit)));
    return decimal_round(span, &nanoseconds) && nanoseconds > 0 ? nanoseconds : 0;
}

struct number source_kind_seconds(struct buf *digits, int64_t nanoseconds)
{
    enum { BILLION = 1000000000 };
    if (nanoseconds % BILLION == 0)
        return number_of(nanoseconds / BILLION);
    struct decimal x = decimal_of(nanoseconds);
    x.exponent -= 9;
    digits->n = 0;
    decimal_write_real(digits, x);
    return (struct number){.kind = NUMBER_REAL, .real = {digits->p, digits->n - 1}};
}

bool source_kind_nanoseconds(const struct number *seconds, int64_t *nanoseconds, bool *is_exact)
{
    const struct decimal exact =
        decimal_multiply(seconds->kind == NUMBER_INTEGER ? decimal_of(seconds->integer)
                                                         : decimal_read(seconds->real),
                         decimal_of(1000000000));
    int64_t whole;
    *is_exact = decimal_is_integer(exact, &whole);
    return decimal_round(exact, nanoseconds);
}

void source_kind_date(struct buf *to, struct str text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char line[64], month[4], date[64];
    unsigned day, hour, minute, second = 0, year;
    snprintf(line, sizeof line, "%.*s", STR_ARG(text));
    if (sscanf(line, "%*3s %3s %2u %2u:%2u:%2u %4u", month, &day, &hour, &minute, &second, &year) !=
            6 &&
        sscanf(line, "%*3s %3s %2u %2u:%2u %4u", month, &day, &hour, &minute, &year) != 5)
        return;
    const char *found = strstr(months, month);
    if (found == NULL || strlen(month) != 3 || (found - months) % 3 != 0)
        return;
    snprintf(date, sizeof date, "%04u-%02u-%02u %02u:%02u:%02u", year,
             (unsigned)(found - months) / 3 + 1, day, hour, minute, second);
    buf_add(to, str_of(date));
}

void source_kind_free_facts(struct source_facts *facts)
{
    buf_free(&facts->default_type);
    buf_free(&facts->host);
    buf_free(&facts->producer);
    buf_free(&facts->command);
    buf_free(&facts->date);
    buf_free(&facts->comments);
    provenance_free(&facts->provenance);
}

const struct source_kind *source_kind_find(struct str type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_equal(kinds[i].name, type))
            return &kinds[i];
    return NULL;
}

const struct source_kind *source_kind_object(struct str name)
{
    return str_take(&name, STR(".")) ? source_kind_find(name) : NULL;
}

const struct source_kind *source_kind_owner(struct str name)
{
    const char *end = name.n == 0 ? NULL : memchr(name.p, '_', name.n);
    return source_kind_object((struct str){name.p, end == NULL ? name.n : (size_t)(end - name.p)});
}

void source_kind_provenance(struct provenance *to, const struct row *row)
{
    struct members walk = members_of(row, (struct place){0}, &findings_ignored);
    struct member m;
    while (row->extra.n > 0 && members_next(&walk, &m)) {
        const struct source_kind *kind =
            m.kind == MEMBER_OBJECT && m.id != MEMBER_ID_OTHER ? source_kind_object(m.name) : NULL;
        if (kind == NULL || kind->facts == NULL || provenance_is_there(to))
            continue;
        struct source_facts facts = {.used = {NULL, 0}};
        struct members inside = members_inside(&walk, &m, m.value);
        kind->facts(&inside, &facts);
        *to = facts.provenance;
        facts.provenance = (struct provenance){0};
        source_kind_free_facts(&facts);
    }
}
