#include "compare/split.h"

#include "profile/naming.h"
#include "rows/text.h"

/* What distinguishes a run. No padding: equal runs are equal bytes. */
struct run {
    uint32_t is_new;
    uint32_t source; /* its number; 0: a label says the run */
    uint32_t label;  /* string number in the profile */
};

/* --- options --- */

static struct split_by by_of(struct str key)
{
    return (struct split_by){
        .is_set = true, .is_source = str_equal(key, STR("source")), .key.key = key};
}

struct split_how split_parse(const char *sides, const char *runs)
{
    struct split_how how = {0};
    if (runs != NULL) {
        struct str key = str_of(runs);
        str_take(&key, STR("label:"));
        how.run = by_of(key);
        if (how.run.key.key.n == 0)
            die(CODE_BAD_ARGUMENT, "--runs: expected the key of a label or source, found \"%s\"",
                runs);
    }
    if (sides == NULL)
        return how;
    const char *key = strncmp(sides, "label:", 6) == 0 ? sides + 6 : sides;
    const char *colon = strchr(key, ':');
    const char *comma = colon == NULL ? NULL : strchr(colon, ',');
    if (comma == NULL || colon == key || comma == colon + 1 || comma[1] == '\0' ||
        strchr(comma + 1, ',') != NULL)
        die(CODE_BAD_ARGUMENT, "--sides: expected KEY:BASE,NEW, found \"%s\"", sides);
    how.side = by_of((struct str){key, (size_t)(colon - key)});
    how.texts[0] = (struct str){colon + 1, (size_t)(comma - colon - 1)};
    how.texts[1] = str_of(comma + 1);
    if (str_equal(how.texts[0], how.texts[1]))
        die(CODE_BAD_ARGUMENT, "--sides: both sides are \"%s\"", comma + 1);
    return how;
}

/* --- runs and parts --- */

static uint32_t add_part(struct split *s, struct run run, uint32_t source)
{
    struct split_part part = {.source = source};
    part.run = intern_add(&s->runs, (struct str){(char *)&run, sizeof run}, NULL);
    return intern_add(&s->parts, (struct str){(char *)&part, sizeof part}, NULL);
}

uint32_t split_add_source(struct split *s, uint32_t source, bool is_new)
{
    return add_part(s, (struct run){.is_new = is_new, .source = source}, source);
}

/* What BY says of SAMPLE, bytes; valid until the next call. */
static struct str text_of(struct split *s, struct profile *p, struct split_by *by,
                          const struct sample *sample, struct place where)
{
    s->text.n = 0;
    if (by->is_source)
        return p->sources[sample->source_id - 1].uri;
    const struct str labels = profile_labels(p, sample->extra, where);
    return label_key_add(&by->key, p, labels, &s->text) ? buf_str(&s->text) : NAMING_NO_LABEL;
}

uint32_t split_find(struct split *s, struct profile *p, const struct sample *sample, bool is_new,
                    struct place where)
{
    const uint32_t source = (uint32_t)sample->source_id;
    struct run run = {.is_new = is_new, .source = source};
    s->has_samples = true;
    if (s->how.side.is_set) {
        const struct str side = text_of(s, p, &s->how.side, sample, where);
        run.is_new = str_equal(side, s->how.texts[1]);
        if (run.is_new == 0 && !str_equal(side, s->how.texts[0])) {
            if (s->others.count < LABEL_KEY_NAMED)
                intern_add(&s->others, side, NULL);
            return 0;
        }
        s->has_side[run.is_new] = true;
    }
    if (s->how.run.is_set) {
        run.source = 0;
        run.label = profile_string(p, text_of(s, p, &s->how.run, sample, where));
    }
    return add_part(s, run, source);
}

static struct run run_of(const struct split *s, uint32_t number)
{
    struct run run;
    memcpy(&run, intern_get(&s->runs, number).p, sizeof run);
    return run;
}

bool split_is_new(const struct split *s, uint32_t run)
{
    return run_of(s, run).is_new != 0;
}

/* --- messages --- */

static void add_label(const struct split_by *by, struct str value, struct buf *to)
{
    text_escape(to, by->is_source ? STR("source") : by->key.key);
    buf_add(to, STR("="));
    text_escape(to, value);
}

void split_add_name(const struct split *s, const struct profile *p, uint32_t number, struct buf *to)
{
    const struct run run = run_of(s, number);
    if (run.source == 0)
        add_label(&s->how.run, profile_string_of(p, run.label), to);
    else
        text_escape(to, p->sources[run.source - 1].uri);
    if (!s->how.side.is_set || s->how.side.is_source)
        return;
    buf_add(to, STR(" with "));
    add_label(&s->how.side, s->how.texts[run.is_new], to);
}

/* Ends the tool: no sample has the value of --sides that SIDE is. */
static _Noreturn void miss_side(struct split *s, int side, enum code code)
{
    struct buf wanted = {0}, others = {0};
    if (s->has_side[!side])
        intern_add(&s->others, s->how.texts[!side], NULL);
    add_label(&s->how.side, s->how.texts[side], &wanted);
    label_key_add_others(&s->others, &others);
    die(code, "--sides: no sample has %.*s%.*s", STR_ARG(buf_str(&wanted)),
        STR_ARG(buf_str(&others)));
}

void split_check(struct split *s, bool is_gate)
{
    const struct split_by *by = &s->how.side;
    const enum code code = is_gate ? CODE_NOT_CHECKED : CODE_NO_SUCH_LABEL;
    if (!s->has_samples)
        return;
    if (by->is_set && !by->is_source && !by->key.is_found)
        label_key_miss(&by->key, "--sides: ", code);
    for (int side = 0; side < 2 && by->is_set; side++)
        if (!s->has_side[side])
            miss_side(s, side, code);
    if (s->how.run.is_set && !s->how.run.is_source)
        label_key_warn(&s->how.run.key);
}

void split_free(struct split *s)
{
    intern_free(&s->runs);
    intern_free(&s->parts);
    intern_free(&s->others);
    label_key_free(&s->how.side.key);
    label_key_free(&s->how.run.key);
    buf_free(&s->text);
}
