/* The tree of nodes: those of the file that was read, and those that none of them is. */
#include "base/mem.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "formats/cpuprofile/cpuprofile_write.h"
#include "rows/loss.h"
#include "rows/text.h"

/* --- kept nodes --- */

/* The kept node with ID; 0: none. */
static uint32_t kept_node(const struct cpuprofile_writer *w, int64_t id)
{
    return id < 0 || id == INT64_MAX ? 0 : idmap_get(&w->kept_ids, (uint64_t)id + 1);
}

/* Finds the stacks of the kept node NUMBER and of those that it is below, outermost first. */
static void link_node(struct cpuprofile_writer *w, uint32_t number)
{
    size_t above = 0;
    for (uint32_t n = number; n != 0 && w->kept[n - 1].stack == 0; n = w->kept[n - 1].parent) {
        if (w->kept[n - 1].is_met) { /* a circle */
            w->kept[w->above[above - 1] - 1].parent = 0;
            w->is_whole = false;
            break;
        }
        w->kept[n - 1].is_met = true;
        w->above = mem_array(w->above, &w->above_capacity, above + 1, sizeof *w->above);
        w->above[above++] = n;
    }
    while (above > 0) {
        uint32_t n = w->above[--above];
        struct cpuprofile_kept *kept = &w->kept[n - 1];
        uint32_t parent = kept->parent == 0 ? 0 : cpuprofile_kept_at(w, kept->parent)->stack;
        bool is_new;
        kept->stack = stack_tree_add(&w->stacks, parent, kept->frame, &is_new);
        w->firsts = mem_array(w->firsts, &w->first_capacity, w->stacks.count, sizeof *w->firsts);
        if (is_new)
            w->firsts[kept->stack - 1] = n;
    }
}

void cpuprofile_link_nodes(struct cpuprofile_writer *w)
{
    w->is_linked = true;
    for (size_t i = 0; i < w->kept_count; i++) {
        struct cpuprofile_kept *kept = &w->kept[i];
        w->next_id = kept->id >= w->next_id ? kept->id + 1 : w->next_id;
        kept->parent = kept_node(w, kept->parent_id);
        w->is_whole &= kept->parent_id < 0 || kept->parent != 0;
    }
    for (uint32_t n = 1; n <= w->kept_count; n++)
        link_node(w, n);
    w->kept_stacks = w->stacks.count;
}

uint32_t cpuprofile_named_node(const struct cpuprofile_writer *w, const struct sample *sample,
                               int64_t id)
{
    uint32_t number = kept_node(w, id), n = number;
    for (size_t i = 0; i < sample->depth; i++, n = cpuprofile_parent_of(w, n))
        if (n == 0 || cpuprofile_frame_of(w, n) != w->places[sample->locations[i] - 1].frame)
            return 0;
    return n == 0 ? number : 0;
}

uint32_t cpuprofile_node_of(struct cpuprofile_writer *w, const struct sample *sample)
{
    uint32_t stack = 0;
    for (size_t i = sample->depth; i-- > 0;) {
        struct cpuprofile_location *l = &w->places[sample->locations[i] - 1];
        if (i > 0 && l->line > 0 && !l->is_lost) {
            l->is_lost = true;
            loss_add(LOSS_COLUMNS, STR("locations.line"), 1);
        }
        stack = stack_tree_add(&w->stacks, stack, l->frame, NULL);
    }
    w->is_whole &= w->stacks.count == w->kept_stacks;
    return cpuprofile_node_on(w, stack);
}

/* --- what is written --- */

/* Adds COUNT samples to those of the node NUMBER; returns its tally. */
static struct cpuprofile_tally *add_samples(struct cpuprofile_writer *w, uint32_t number,
                                            uint64_t count)
{
    struct cpuprofile_node *node = cpuprofile_node_at(w, number);
    if (node->tally == 0) {
        w->tallies =
            mem_array(w->tallies, &w->tally_capacity, ++w->tally_count, sizeof *w->tallies);
        w->tallies[w->tally_count - 1] = (struct cpuprofile_tally){0};
        node->tally = (uint32_t)w->tally_count;
    }
    struct cpuprofile_tally *tally = &w->tallies[node->tally - 1];
    tally->samples += count;
    return tally;
}

void cpuprofile_count_sample(struct cpuprofile_writer *w, uint32_t number, int64_t line)
{
    struct cpuprofile_tally *tally = add_samples(w, number, 1);
    int64_t key[] = {number, line};
    bool is_new;
    if (line == 0)
        return;
    uint32_t id = intern_add(&w->line_keys, (struct str){(const char *)key, sizeof key}, &is_new);
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    if (is_new) {
        w->lines[id - 1] = (struct cpuprofile_line){line, 0, tally->lines};
        tally->lines = id;
    }
    w->lines[id - 1].samples++;
}

/* The value of the member NAME that the node NUMBER has of its file; p is NULL if it has none. */
static struct str other_of(const struct cpuprofile_writer *w, uint32_t number,
                           enum node_member name)
{
    static const char *const names[] = {V8_NODE_MEMBERS};
    const struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    struct str rest = kept != NULL ? kept->others : STR(""), found, value;
    while (rest.n > 0 && text_next_member(&rest, &found, &value))
        if (str_equal(found, str_of(names[name])))
            return value;
    return (struct str){NULL, 0};
}

/* Whether the kept node NUMBER names no parent itself, or its own. */
static bool names_own_parent(struct cpuprofile_writer *w, uint32_t number)
{
    struct str parent = other_of(w, number, NODE_PARENT);
    struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    int64_t id;
    kept->has_parent = parent.p != NULL;
    return parent.p == NULL ||
           (kept->parent != 0 && text_is_integer(parent, &id) && id == kept->parent_id);
}

/* Whether the kept node NUMBER lists no children itself, or only its own, which are marked. */
static bool lists_own_children(struct cpuprofile_writer *w, uint32_t number)
{
    struct str list = other_of(w, number, NODE_CHILDREN), item;
    cpuprofile_kept_at(w, number)->has_children = list.p != NULL;
    if (list.p == NULL)
        return true;
    if (*list.p != '[')
        return false;
    for (struct str rest = text_inside(list); text_next_item(&rest, &item);) {
        int64_t id;
        uint32_t child = text_is_integer(item, &id) ? kept_node(w, id) : 0;
        if (child == 0 || cpuprofile_kept_at(w, child)->parent != number)
            return false;
        cpuprofile_kept_at(w, child)->is_listed = true;
    }
    return true;
}

/* Whether a reader finds the parent of the kept node NUMBER: the node names it, or is in its
 * list. A parent whose file had no list gets one. */
static bool is_joined(const struct cpuprofile_writer *w, uint32_t number)
{
    const struct cpuprofile_kept *kept = cpuprofile_kept_at(w, number);
    return kept->parent == 0 || kept->is_listed || kept->has_parent ||
           !cpuprofile_kept_at(w, kept->parent)->has_children;
}

/* Whether the kept nodes are a tree that can be written as they say: in an old file, one whose
 * nodes are inside each other. */
static bool is_tree_whole(struct cpuprofile_writer *w)
{
    size_t roots = 0;
    for (uint32_t n = 1; n <= w->kept_count; n++) {
        roots += cpuprofile_kept_at(w, n)->parent == 0;
        if (!names_own_parent(w, n) || !lists_own_children(w, n) ||
            (w->facts.is_old && cpuprofile_kept_at(w, n)->has_children))
            return false;
    }
    for (uint32_t n = 1; n <= w->kept_count; n++)
        if (!is_joined(w, n))
            return false;
    return !w->facts.is_old || roots == 1;
}

/* Whether each node has as many samples as in the file, or, where that has none, as many hits. */
static bool are_samples_whole(const struct cpuprofile_writer *w)
{
    uint64_t taken = 0;
    for (size_t i = 0; i < w->kept_count; i++) {
        const struct cpuprofile_kept *kept = &w->kept[i];
        const int64_t said = kept->samples >= 0 ? kept->samples : kept->hits;
        if (kept->taken != (said > 0 ? (uint64_t)said : 0))
            return false;
        taken += kept->taken;
    }
    return w->facts.samples >= 0 ? w->sample_count == (uint64_t)w->facts.samples
                                 : w->count_sum == taken;
}

bool cpuprofile_is_whole(struct cpuprofile_writer *w)
{
    const struct cpuprofile_facts *f = &w->facts;
    return w->is_whole && w->options.type == NULL && w->profile.source_count == 1 &&
           (int64_t)w->kept_count == f->nodes && (f->first_line == 0 || f->first_line == 1) &&
           are_samples_whole(w) && is_tree_whole(w);
}

static bool is_called_root(const struct cpuprofile_writer *w, uint32_t number)
{
    uint32_t frame = cpuprofile_frame_of(w, number);
    return frame < CPUPROFILE_NAMELESS &&
           str_equal(profile_string_of(&w->profile, w->profile.functions[frame - 1].name),
                     STR("(root)"));
}

void cpuprofile_find_root(struct cpuprofile_writer *w)
{
    for (uint32_t n = 1; n <= w->node_count && w->root == 0; n++)
        if (cpuprofile_parent_of(w, n) == 0 && (w->is_whole || is_called_root(w, n)))
            w->root = n;
    if (w->root == 0 && !w->is_whole)
        w->root = (uint32_t)++w->node_count;
}

/* The node that NUMBER is a child of in the file; 0: none. */
static uint32_t written_parent(const struct cpuprofile_writer *w, uint32_t number)
{
    uint32_t parent = cpuprofile_parent_of(w, number);
    return parent != 0 || number == w->root || w->is_whole ? parent : w->root;
}

void cpuprofile_finish_tree(struct cpuprofile_writer *w)
{
    uint32_t order = 0;
    if (w->root_samples > 0)
        add_samples(w, w->root, w->root_samples);
    for (uint32_t number = 1; number <= w->node_count; number++)
        if (w->is_whole || number == w->root || cpuprofile_node_at(w, number)->tally != 0)
            for (uint32_t n = number; n != 0 && cpuprofile_node_at(w, n)->order == 0;
                 n = written_parent(w, n))
                cpuprofile_node_at(w, n)->order = 1;
    if (w->root > w->kept_count)
        cpuprofile_node_at(w, w->root)->order = ++order;
    for (uint32_t n = (uint32_t)w->kept_count + 1; n <= w->node_count; n++)
        if (cpuprofile_node_at(w, n)->order != 0 && n != w->root)
            cpuprofile_node_at(w, n)->order = ++order;
    for (uint32_t n = (uint32_t)w->node_count; n > 0; n--) {
        struct cpuprofile_node *node = cpuprofile_node_at(w, n);
        uint32_t parent = written_parent(w, n);
        bool is_named = w->is_whole && !w->facts.is_old && cpuprofile_kept_at(w, n)->has_parent;
        if (parent == 0 || node->order == 0 || is_named)
            continue;
        node->next = cpuprofile_node_at(w, parent)->child;
        cpuprofile_node_at(w, parent)->child = n;
    }
}
