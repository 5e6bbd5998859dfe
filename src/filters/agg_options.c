#include "base/diag.h"
#include "base/mem.h"
#include "base/words.h"
#include "filters/agg.h"
#include "rows/text.h"

/* Adds the keys in TEXT, the argument of OPTION, to KEYS. */
static void add_keys(struct agg_keys *keys, const char *option, const char *text)
{
    for (const char *end; *text != '\0'; text = end + (*end == ',')) {
        end = text + strcspn(text, ",");
        keys->items = mem_array(keys->items, &keys->capacity, keys->count + 1, sizeof *keys->items);
        keys->items[keys->count++] = (struct str){text, (size_t)(end - text)};
    }
    if (keys->count == 0)
        die(CODE_BAD_ARGUMENT, "--%s: expected keys of labels, found nothing", option);
}

void agg_drop_labels(struct agg_options *o, const char *text)
{
    const bool has_all = o->drops_labels && o->dropped.count == 0;
    o->drops_labels = true;
    if (text == NULL || has_all)
        o->dropped.count = 0;
    else
        add_keys(&o->dropped, "ignore-labels", text);
}

void agg_keep_labels(struct agg_options *o, const char *text)
{
    add_keys(&o->kept, "keep-labels", text);
}

void agg_add_roots(struct agg_options *o, const char *text)
{
    add_keys(&o->roots, "label-root", text);
}

void agg_add_leaves(struct agg_options *o, const char *text)
{
    add_keys(&o->leaves, "label-leaf", text);
}

/* Whether TEXT is a number as in JSON, but a leading +, leading zeros and a missing digit before
 * the point are accepted. */
static bool is_number(const char *text)
{
    static const char digits[] = "0123456789";
    text += *text == '-' || *text == '+';
    size_t whole = strspn(text, digits), fraction = 0;
    text += whole;
    if (*text == '.') {
        fraction = strspn(text + 1, digits);
        text += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        if (strspn(text, digits) == 0 || strspn(text, digits) > 3)
            return false;
        text += strspn(text, digits);
    }
    return *text == '\0';
}

void agg_add_scale(struct agg_options *o, const char *text)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text || !is_number(equals + 1))
        die(CODE_BAD_ARGUMENT, "--scale: expected TYPE=FACTOR, found \"%s\"", text);
    const char *factor = equals + 1 + (equals[1] == '+');
    struct buf type = {0};
    text_escape(&type, (struct str){text, (size_t)(equals - text)});
    struct agg_scale scale = {.type = buf_str(&type), .factor = decimal_read(str_of(factor))};
    for (size_t i = 0; i < o->scale_count; i++)
        if (str_equal(o->scales[i].type, scale.type))
            die(CODE_BAD_ARGUMENT, "--scale: \"%.*s\" comes twice", STR_ARG(scale.type));
    o->scales = mem_array(o->scales, &o->scale_capacity, o->scale_count + 1, sizeof *o->scales);
    o->scales[o->scale_count++] = scale;
}

const char *const agg_by_words[] = {"function", "group",   "package", "line",
                                    "file",     "mapping", "source"};

enum agg_by agg_parse_by(const char *text)
{
    if (text == NULL)
        return AGG_BY_ALL;
    return (enum agg_by)(AGG_BY_FUNCTION + words_find("by", text, agg_by_words, AGG_BY_SOURCE));
}

const char *const agg_gauge_words[] = {"last", "max", "mean"};

enum agg_gauge agg_parse_gauge(const char *text)
{
    if (text == NULL)
        return AGG_GAUGE_NONE;
    return (enum agg_gauge)(AGG_GAUGE_LAST +
                            words_find("gauge", text, agg_gauge_words, AGG_GAUGE_MEAN));
}

void agg_check(const struct agg_options *o)
{
    agg_parse_by(o->by);
    agg_parse_gauge(o->gauge);
    if (o->drops_labels && o->kept.count > 0)
        die(CODE_OPTIONS_CLASH, "--keep-labels cannot be used with --ignore-labels");
    if (o->consecutive && o->across_sources)
        die(CODE_OPTIONS_CLASH, "--consecutive cannot be used with --across-sources");
    if (o->consecutive && o->roots.count + o->leaves.count > 0)
        die(CODE_OPTIONS_CLASH, "--consecutive cannot be used with --label-%s",
            o->roots.count > 0 ? "root" : "leaf");
    if (o->consecutive && o->normalizes)
        die(CODE_OPTIONS_CLASH, "--consecutive cannot be used with --normalize");
    if (o->across_sources && o->normalizes)
        die(CODE_OPTIONS_CLASH,
            "--normalize cannot be used with --across-sources: pipe the first into "
            "the second");
}
