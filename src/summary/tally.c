#include "summary/tally.h"

void tally_sample(struct tally *t, const struct sample_value *count, uint64_t times)
{
    t->records += times;
    if (count == NULL || times == 0)
        return;
    t->counted += times;
    if (count->value.kind == NUMBER_INTEGER)
        wide_add_to(&t->samples, count->value.integer);
    else
        decimal_add(&t->digits, sample_value_exact(count));
}

void tally_add(struct tally *t, const struct tally *x)
{
    t->records += x->records;
    t->counted += x->counted;
    t->samples = wide_add(t->samples, x->samples);
    decimal_add(&t->digits, x->digits);
}

struct decimal tally_samples(const struct tally *t)
{
    struct decimal sum = {t->samples, 0};
    decimal_add(&sum, t->digits);
    return sum;
}
