#include "model/model_parts.h"

#include <stdio.h>

void model_parts_name(struct buf *to, struct str name)
{
    struct str quote = name.p[0] == '.' ? STR("\"") : STR("");
    MODEL_PUT(to, quote, name, quote);
}

void model_parts_reference(struct buf *to, enum table table)
{
    buf_add(to, STR(" REFERENCES "));
    model_parts_name(to, schema_tables[table].name);
}

void model_parts_range(struct buf *to, struct str column, const struct schema_kind *kind)
{
    char text[64];
    int n = kind->max == INT64_MAX ? snprintf(text, sizeof text, " >= %lld)", (long long)kind->min)
                                   : snprintf(text, sizeof text, " BETWEEN %lld AND %lld)",
                                              (long long)kind->min, (long long)kind->max);
    buf_add(to, STR(" CHECK ("));
    model_parts_name(to, column);
    buf_add(to, (struct str){text, (size_t)n});
}

void model_parts_key(struct buf *to, const struct schema_table *t)
{
    for (unsigned i = 0; i < t->key_count && t->key_count > 1; i++)
        MODEL_PUT(to, i > 0 ? STR(", ") : STR(",\n  PRIMARY KEY ("), t->columns[i].name);
    buf_add(to, t->key_count > 1 ? STR(")") : STR(""));
}
