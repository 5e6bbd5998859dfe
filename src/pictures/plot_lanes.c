#include "pictures/plot_lanes.h"

#include "base/diag.h"
#include "base/mem.h"

const char *const plot_lanes_words[] = {
    [PLOT_LANES_THREAD] = "tid",
    [PLOT_LANES_CPU] = "cpu",
    [PLOT_LANES_SOURCE] = "source",
    [PLOT_LANES_LABEL] = "label:KEY",
};

struct plot_lanes plot_lanes_of(const char *text)
{
    struct plot_lanes lanes = {.by = PLOT_LANES_LABEL};
    struct str key = text == NULL ? STR("tid") : str_of(text);
    for (unsigned by = 0; by < PLOT_LANES_LABEL; by++)
        if (str_equal(key, str_of(plot_lanes_words[by]))) {
            lanes.by = (enum plot_lanes_by)by;
            return lanes;
        }
    if (!str_take(&key, STR("label:")) || key.n == 0)
        die(CODE_BAD_ARGUMENT, "--lane: expected tid, cpu, source or label:KEY, found \"%s\"",
            text);
    lanes.key.key = key;
    return lanes;
}

void plot_lanes_add_source(struct plot_lanes *l, struct profile *p, const struct profile_source *of)
{
    l->sources =
        mem_array(l->sources, &l->source_capacity, l->source_count + 1, sizeof *l->sources);
    l->sources[l->source_count++] = naming_numbered_source(&l->names, p, of);
}

/* The label KEY of LABELS; NULL if there is none. */
static const struct label *find(const struct profile *p, struct str labels, struct str key)
{
    const struct label *items = (const struct label *)(const void *)labels.p;
    for (size_t i = 0; i < labels.n / sizeof *items; i++)
        if (items[i].key != LABELS_NO_KEY && str_equal(profile_string_of(p, items[i].key), key))
            return &items[i];
    return NULL;
}

/* Appends the value of the label KEY and a blank to TO; false if there is none. */
static bool add_label(const struct profile *p, struct str labels, struct str key, struct buf *to)
{
    const struct label *label = find(p, labels, key);
    if (label == NULL)
        return false;
    label_key_add_value(p, label, to);
    buf_add(to, STR(" "));
    return true;
}

/* Appends the names and the number of the thread that LABELS name and a blank to TO; false if they
 * name none. */
static bool add_thread(const struct profile *p, struct str labels, struct buf *to)
{
    add_label(p, labels, STR("comm"), to);
    const bool has_name = add_label(p, labels, STR("thread"), to);
    const bool has_number =
        add_label(p, labels, STR("tid"), to) || add_label(p, labels, STR("thread_id"), to);
    return has_name || has_number;
}

void plot_lanes_add_name(struct plot_lanes *l, const struct profile *p, int64_t source,
                         struct str labels, struct buf *to)
{
    const struct str name = profile_string_of(p, l->sources[source - 1]);
    bool is_there = true;
    switch (l->by) {
    case PLOT_LANES_THREAD: is_there = add_thread(p, labels, to); break;
    case PLOT_LANES_CPU:
        buf_add(to, find(p, labels, STR("cpu")) != NULL ? STR("cpu ") : STR(""));
        is_there = add_label(p, labels, STR("cpu"), to);
        break;
    case PLOT_LANES_LABEL:
        if (!label_key_add(&l->key, p, labels, to))
            buf_add(to, NAMING_NO_LABEL);
        buf_add(to, STR(" "));
        break;
    case PLOT_LANES_SOURCE: is_there = false; break;
    }
    if (is_there && source > 1) /* its threads and processors are others */
        buf_add(to, STR("of "));
    if (!is_there || source > 1)
        buf_add(to, name);
    else
        to->n--;
}

void plot_lanes_free(struct plot_lanes *l)
{
    label_key_free(&l->key);
    naming_free_sources(&l->names);
    mem_free(l->sources);
}
