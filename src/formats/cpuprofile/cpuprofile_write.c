/* Profile rows to a profile of V8. See ndjson2cpuprofile(1) for the rules.
 *
 * Nodes come first in such a file, with the number of their samples, and the type whose values are
 * times is known only at the end. So samples wait in a spool, each with its node and values. */
#include "base/amount.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/spool.h"
#include "base/units.h"
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/cpuprofile/cpuprofile_members.h"
#include "profile/choice.h"
#include "profile/naming.h"
#include "profile/stack_tree.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <stdio.h>

/* Frames without a function are told apart by name: their numbers are at least this. */
#define NAMELESS (UINT32_C(1) << 31)

/* Text of more bytes than this is passed on. */
enum { FLUSH = 1 << 16 };

/* A node of the file that was read. */
struct kept {
    int64_t id, parent_id, hits;   /* ids from 0; below 0: none */
    struct str frame_text, others; /* members, each behind a comma; null p: none */
    int64_t samples;               /* how many the file had; below 0: as many as hits */
    uint64_t taken;                /* how many there are now */
    uint32_t parent;               /* the number of a node; 0: none */
    uint32_t frame, stack;         /* of the tree of stacks; 0: not linked so far */
    bool is_listed;                /* its parent lists it in `others` */
    bool has_call_frame;           /* in an old file: its frame is an object of its own */
    bool has_children, has_parent; /* `others` has the list, the id */
    bool is_met;                   /* it is on the way that is being linked */
};

/* A node of the file to write. Numbers are from 1: those of kept nodes, in their order; then one for
 * each stack that none of these has; then a root, if one is missing. */
struct node {
    uint32_t child, next; /* its first child, the next one of its parent; 0: none */
    uint32_t order;       /* 0: it is not written, since neither it nor one below has samples */
    uint32_t tally;       /* of its samples; 0: it has none */
};

/* The samples of a node that are written. */
struct tally {
    uint64_t samples;
    uint32_t lines; /* the first of its lines; 0: none */
};

/* A line where the innermost frame of a node was. */
struct line {
    int64_t line;
    uint64_t samples;
    uint32_t next; /* of the node; 0: none */
};

/* What `.cpuprofile` of the first source says; null p, or below 0: nothing. */
struct facts {
    bool is_there, is_timed, is_old, lists_zero;
    int64_t samples, nodes, first_line;
    struct str start, end, zero, others;
};

/* What a function has of its own besides the columns of profile.h. */
struct own {
    int64_t column;
    uint32_t script; /* a string of the profile */
};

struct location {
    uint32_t frame;
    int64_t line; /* 0: none */
    bool is_lost; /* it was counted that this line cannot be written */
};

/* Precedes the values of a sample in the spool. */
struct waiting {
    uint32_t node, values;
    int64_t line, time; /* line 0: none */
};

struct value {
    uint32_t type;
    struct decimal amount;
};

struct writer {
    struct sink sink;
    struct cpuprofile_write_options options;
    struct out *out;
    struct profile profile;
    struct choice choice; /* of the type to write */
    struct arena arena;
    struct facts facts;
    struct own own, *owns; /* of the function being read; by id - 1 */
    size_t own_capacity;
    struct location *places; /* by id - 1 */
    size_t place_capacity;

    struct stack_tree stacks; /* of ids of functions, or NAMELESS plus the number of a name */
    struct kept *kept;
    size_t kept_count, kept_capacity;
    uint32_t *firsts; /* of each stack of kept nodes, which are the first stacks: its first node */
    size_t first_capacity;
    uint32_t kept_stacks;
    struct idmap kept_ids; /* ids plus 1 */
    bool is_linked;        /* kept nodes have their parents */
    struct node *nodes;    /* once all samples have been read */
    size_t node_count;
    struct tally *tallies;
    size_t tally_count, tally_capacity;
    uint32_t root;
    uint64_t root_samples; /* without a stack */
    struct decimal length; /* of all samples, in microseconds */
    int64_t next_id;
    uint32_t *above; /* nodes */
    size_t above_capacity;

    struct line *lines;
    size_t line_count, line_capacity;
    struct intern line_keys; /* node and line */

    struct spool *spool;
    bool is_whole; /* so far all is as in the file that was read */
    uint64_t sample_count, count_sum;
    uint32_t counts; /* the type samples/count */
    struct value *values;
    size_t value_capacity;
    struct buf text, scratch;
};

static struct place place_of(const struct writer *w)
{
    return w->sink.flow->where;
}

static struct node *node_at(const struct writer *w, uint32_t number)
{
    return &w->nodes[number - 1];
}

/* What the node NUMBER has of the file that was read; NULL if it is not of it. */
static struct kept *kept_at(const struct writer *w, uint32_t number)
{
    return number <= w->kept_count ? &w->kept[number - 1] : NULL;
}

/* The first node with STACK; 0: none. */
static uint32_t node_on(const struct writer *w, uint32_t stack)
{
    if (stack == 0)
        return 0;
    return stack <= w->kept_stacks ? w->firsts[stack - 1]
                                   : (uint32_t)w->kept_count + stack - w->kept_stacks;
}

/* The node of the tree of stacks for the node NUMBER, which is not kept; NULL: it is a root. */
static const struct stack_node *stack_of(const struct writer *w, uint32_t number)
{
    size_t stack = number - w->kept_count + w->kept_stacks;
    return stack <= w->stacks.count ? &w->stacks.nodes[stack - 1] : NULL;
}

static uint32_t parent_of(const struct writer *w, uint32_t number)
{
    if (number <= w->kept_count)
        return kept_at(w, number)->parent;
    const struct stack_node *stack = stack_of(w, number);
    return stack == NULL ? 0 : node_on(w, stack->parent);
}

/* The frame of the node NUMBER: the id of a function, or NAMELESS plus the number of a name; 0: it
 * is a root that was missing. */
static uint32_t frame_of(const struct writer *w, uint32_t number)
{
    if (number <= w->kept_count)
        return kept_at(w, number)->frame;
    const struct stack_node *stack = stack_of(w, number);
    return stack == NULL ? 0 : stack->frame;
}

static int64_t id_of(const struct writer *w, uint32_t number)
{
    const struct kept *kept = kept_at(w, number);
    return kept != NULL ? kept->id : w->next_id - 1 + node_at(w, number)->order;
}

/* --- rows --- */

/* The JSON in MEMBER, a text, kept until the end: it goes into the file as it is. Ends the tool if
 * it does not begin with one of FIRST, which EXPECTED names. */
static struct str kept_json(struct writer *w, const struct member *member, const char *first,
                            const char *expected)
{
    char name[64];
    struct buf json = {0};
    w->scratch.n = 0;
    text_unescape(&w->scratch, member->text);
    snprintf(name, sizeof name, "\"%.*s\"", STR_ARG(member->name));
    tokens_copy_text(&json, buf_str(&w->scratch), false, place_of(w), name);
    if (strchr(first, *json.p) == NULL)
        die_at(place_of(w), "%s: expected %s", name, expected);
    struct str kept = arena_copy(&w->arena, buf_str(&json));
    buf_free(&json);
    return kept;
}

static struct str kept_number(struct writer *w, const struct member *member)
{
    return kept_json(w, member, "-0123456789", "a number");
}

/* The members of the object in MEMBER, a text, each behind a comma. Ends the tool if one stands
 * there twice or is one of the COUNT at TAKEN, which are written besides. */
static struct str kept_members(struct writer *w, const struct member *member,
                               const char *const *taken, size_t count)
{
    struct str inside = text_inside(kept_json(w, member, "{", "an object"));
    w->scratch.n = 0;
    struct str twice = v8_add_members(&w->scratch, inside, taken, count);
    if (twice.p != NULL)
        die_at(place_of(w), "\"%.*s\": \"%.*s\" stands there twice", STR_ARG(member->name),
               STR_ARG(twice));
    return arena_copy(&w->arena, buf_str(&w->scratch));
}

/* The same for `frame`, which has members of a frame only: in old files it is inside the node. */
static struct str kept_frame(struct writer *w, const struct member *member)
{
    static const char *const names[] = {V8_FRAME_MEMBERS};
    struct str kept = kept_members(w, member, NULL, 0), rest = kept, name, value;
    while (text_next_member(&rest, &name, &value)) {
        size_t i = 0;
        while (i < V8_MEMBERS && !str_equal(name, str_of(names[i])))
            i++;
        if (i == V8_MEMBERS)
            die_at(place_of(w), "\"frame\": \"%.*s\" is no member of a frame", STR_ARG(name));
    }
    return kept;
}

/* Keeps what MEMBER, `.cpuprofile` of ROW, says. */
static void read_facts(struct writer *w, const struct row *row, const struct member *member)
{
    static const char *const taken[] = {CPUPROFILE_FILE_MEMBERS};
    struct members walk = members_of(row, place_of(w), NULL);
    struct members facts = members_inside(&walk, member, member->value);
    struct facts *f = &w->facts;
    struct member m;
    f->is_there = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_CPUPROFILE_START: f->start = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_END: f->end = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_ZERO: f->zero = kept_number(w, &m); break;
        case MEMBER_ID_CPUPROFILE_OTHERS:
            f->others = kept_members(w, &m, taken, FILE_MEMBERS);
            break;
        case MEMBER_ID_CPUPROFILE_SAMPLES: f->samples = m.integer; break;
        case MEMBER_ID_CPUPROFILE_NODES: f->nodes = m.integer; break;
        case MEMBER_ID_CPUPROFILE_FIRST_LINE: f->first_line = m.integer; break;
        case MEMBER_ID_CPUPROFILE_TIMED: f->is_timed = m.flag; break;
        case MEMBER_ID_CPUPROFILE_OLD: f->is_old = m.flag; break;
        case MEMBER_ID_CPUPROFILE_ZERO_LISTED: f->lists_zero = m.flag; break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

/* For profile.h. */
static bool keep(void *writer, const struct row *row, const struct member *member, uint32_t *other)
{
    struct writer *w = writer;
    (void)other;
    if (row->table == TABLE_FUNCTIONS && member->id == MEMBER_ID_CPUPROFILE_COLUMN) {
        w->own.column = member->integer;
        return true;
    }
    if (row->table == TABLE_FUNCTIONS && member->id == MEMBER_ID_CPUPROFILE_SCRIPT) {
        w->own.script =
            profile_string(&w->profile, profile_inner_bytes(&w->profile, member->value));
        return true;
    }
    if (row->table != TABLE_SOURCES || member->id != MEMBER_ID_CPUPROFILE ||
        w->profile.source_count > 1)
        return false;
    read_facts(w, row, member);
    return true;
}

static void read_source(struct writer *w, const struct row *row)
{
    const struct profile_source *of = profile_add_source(&w->profile, row, place_of(w));
    choice_add_source(&w->choice, of);
    profile_drop_source(row, of, STR("cpuprofile"));
    w->is_whole = w->profile.source_count == 1 && w->facts.is_there;
}

static void read_function(struct writer *w, const struct row *row)
{
    w->own = (struct own){0};
    const struct profile_function *f = profile_add_function(&w->profile, row, place_of(w));
    size_t id = (size_t)row->function.function_id;
    profile_drop_function(f, true);
    w->owns = mem_array(w->owns, &w->own_capacity, id, sizeof *w->owns);
    w->owns[id - 1] = w->own;
}

/* The frame for L, which has no function. */
static uint32_t nameless(struct writer *w, const struct profile_location *l)
{
    w->scratch.n = 0;
    naming_add_stand_in(&w->scratch, &w->profile, l);
    loss_add(LOSS_FRAMES, buf_str(&w->scratch), 1);
    return NAMELESS + profile_string(&w->profile, buf_str(&w->scratch));
}

static void read_location(struct writer *w, const struct row *row)
{
    const struct profile_location *l = profile_add_location(&w->profile, row, place_of(w));
    const struct {
        bool is_there;
        struct str name;
    } lost[] = {{l->mapping != 0, STR(".mapping_id")},
                {l->address != 0 && l->function != 0, STR(".address")},
                {l->column != 0, STR(".column")},
                {l->into != 0, STR(".inlined_into")},
                {l->is_folded, STR(".is_folded")}};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        if (lost[i].is_there)
            loss_add_column(row, lost[i].name);
    size_t id = (size_t)row->location.location_id;
    w->places = mem_array(w->places, &w->place_capacity, id, sizeof *w->places);
    w->places[id - 1] = (struct location){.frame = l->function != 0 ? l->function : nameless(w, l),
                                          .line = l->line > 0 ? l->line : 0};
}

/* --- the tree --- */

/* Keeps ROW, a node of a file. Those of further files have ids of their own. */
static void read_node(struct writer *w, const struct row *row)
{
    static const char *const taken[] = {V8_NODE_MEMBERS};
    struct members walk = members_of(row, place_of(w), NULL);
    struct member m;
    struct kept node = {.parent_id = -1, .hits = -1, .samples = -1};
    int64_t source = 0;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_OF_SOURCE: source = m.integer; break;
        case MEMBER_ID_OF_FUNCTION: node.frame = m.integer > 0 ? (uint32_t)m.integer : 0; break;
        case MEMBER_ID_CPUPROFILE_ID: node.id = m.integer; break;
        case MEMBER_ID_CPUPROFILE_PARENT: node.parent_id = m.integer; break;
        case MEMBER_ID_CPUPROFILE_HITS: node.hits = m.integer; break;
        case MEMBER_ID_CPUPROFILE_SAMPLES: node.samples = m.integer; break;
        case MEMBER_ID_CPUPROFILE_CALL_FRAME: node.has_call_frame = m.flag; break;
        case MEMBER_ID_CPUPROFILE_FRAME: node.frame_text = kept_frame(w, &m); break;
        case MEMBER_ID_CPUPROFILE_OTHERS:
            node.others = kept_members(w, &m, taken, NODE_COLUMNS);
            break;
        default: loss_add_column(row, m.name);
        }
    bool is_wrong = source != 1 || node.frame == 0 || node.id < 0 || node.id == INT64_MAX ||
                    w->is_linked || idmap_get(&w->kept_ids, (uint64_t)node.id + 1) != 0;
    if (is_wrong) {
        w->is_whole = false;
        loss_add_row(row);
        return;
    }
    idmap_put(&w->kept_ids, (uint64_t)node.id + 1, (uint32_t)w->kept_count + 1);
    w->kept = mem_array(w->kept, &w->kept_capacity, ++w->kept_count, sizeof *w->kept);
    w->kept[w->kept_count - 1] = node;
}

/* The kept node with ID; 0: none. */
static uint32_t kept_node(const struct writer *w, int64_t id)
{
    return id < 0 || id == INT64_MAX ? 0 : idmap_get(&w->kept_ids, (uint64_t)id + 1);
}

/* Finds the stacks of the kept node NUMBER and of those that it is below, outermost first. */
static void link_node(struct writer *w, uint32_t number)
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
        struct kept *kept = &w->kept[n - 1];
        uint32_t parent = kept->parent == 0 ? 0 : kept_at(w, kept->parent)->stack;
        bool is_new;
        kept->stack = stack_tree_add(&w->stacks, parent, kept->frame, &is_new);
        w->firsts = mem_array(w->firsts, &w->first_capacity, w->stacks.count, sizeof *w->firsts);
        if (is_new)
            w->firsts[kept->stack - 1] = n;
    }
}

/* Links the kept nodes; once all have been read. */
static void link_nodes(struct writer *w)
{
    w->is_linked = true;
    for (size_t i = 0; i < w->kept_count; i++) {
        struct kept *kept = &w->kept[i];
        w->next_id = kept->id >= w->next_id ? kept->id + 1 : w->next_id;
        kept->parent = kept_node(w, kept->parent_id);
        w->is_whole &= kept->parent_id < 0 || kept->parent != 0;
    }
    for (uint32_t n = 1; n <= w->kept_count; n++)
        link_node(w, n);
    w->kept_stacks = w->stacks.count;
}

/* The kept node with the id that SAMPLE names, if its stack is that of SAMPLE; 0: none. */
static uint32_t named_node(const struct writer *w, const struct sample *sample, int64_t id)
{
    uint32_t number = kept_node(w, id), n = number;
    for (size_t i = 0; i < sample->depth; i++, n = parent_of(w, n))
        if (n == 0 || frame_of(w, n) != w->places[sample->locations[i] - 1].frame)
            return 0;
    return n == 0 ? number : 0;
}

/* The node of SAMPLE; 0, for the root, if it has no stack. */
static uint32_t node_of(struct writer *w, const struct sample *sample)
{
    uint32_t stack = 0;
    for (size_t i = sample->depth; i-- > 0;) {
        struct location *l = &w->places[sample->locations[i] - 1];
        if (i > 0 && l->line > 0 && !l->is_lost) {
            l->is_lost = true;
            loss_add(LOSS_COLUMNS, STR("locations.line"), 1);
        }
        stack = stack_tree_add(&w->stacks, stack, l->frame, NULL);
    }
    w->is_whole &= w->stacks.count == w->kept_stacks;
    return node_on(w, stack);
}

/* --- samples --- */

/* Takes the dotted columns of SAMPLE: the others are losses. Stores its time, INT64_MIN if it has
 * none. Returns the node that it names; 0: none. */
static uint32_t read_columns(struct writer *w, const struct sample *sample, int64_t *time)
{
    struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, place_of(w), NULL);
    struct member m;
    uint32_t node = 0;
    *time = INT64_MIN;
    while (walk.rest.n > 0 && members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_TIME: *time = m.integer; break;
        case MEMBER_ID_CPUPROFILE_SAMPLE_NODE:
            node = sample->source_id == 1 ? named_node(w, sample, m.integer) : 0;
            break;
        default:
            if (m.id == MEMBER_ID_OTHER || m.kind != MEMBER_FLAG || m.flag)
                loss_add_column(&row, m.name);
        }
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    return node;
}

/* Adds VALUE of SOURCE to those of the sample, and the time that it stands for. */
static void read_value(struct writer *w, size_t source, struct sample_value *v, size_t *count)
{
    const struct choice_source *of = &w->choice.sources[source - 1];
    struct decimal exact;
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    if (!choice_admit(&w->choice, source, v, &exact, 1))
        return;
    w->values[(*count)++] = (struct value){v->type, exact};
    if (v->type != w->counts || of->time == 0)
        return;
    choice_note_value(&w->choice, source, of->time, decimal_sign(exact) == 0, 1);
    w->values[(*count)++] = (struct value){of->time, amount_times(exact, of->period)};
}

/* Whether V says only that its sample is one. */
static bool is_one(const struct writer *w, const struct sample_value *v)
{
    return v->type == w->counts && v->value.kind == NUMBER_INTEGER && v->value.integer == 1;
}

static void read_values(struct writer *w, struct sample *sample, size_t *count)
{
    struct place where = place_of(w);
    w->values =
        mem_array(w->values, &w->value_capacity, 2 * sample->value_count + 1, sizeof *w->values);
    for (size_t i = 0; i < sample->value_count; i++) {
        struct sample_value *v = &sample->values[i];
        bool is_said = is_one(w, v) && sample->value_count > 1 &&
                       w->choice.sources[sample->source_id - 1].time == 0 && !w->options.type;
        if (v->type == w->counts && v->value.kind == NUMBER_INTEGER && v->value.integer > 0)
            w->count_sum += (uint64_t)v->value.integer;
        w->sink.flow->where = sample_place(sample, where, i);
        if (!is_said)
            read_value(w, (size_t)sample->source_id, v, count);
    }
    w->sink.flow->where = where;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct writer *w = (struct writer *)to;
    struct waiting head = {0};
    size_t count = 0;
    const uint64_t before = w->count_sum;
    if (!w->is_linked)
        link_nodes(w);
    head.node = read_columns(w, sample, &head.time);
    if (head.node == 0)
        head.node = node_of(w, sample);
    if (sample->depth > 0)
        head.line = w->places[sample->locations[0] - 1].line;
    w->is_whole &= sample->depth > 0 && (!w->facts.is_timed || head.time != INT64_MIN);
    read_values(w, sample, &count);
    if (head.node != 0 && head.node <= w->kept_count)
        kept_at(w, head.node)->taken += w->facts.samples >= 0 ? 1 : w->count_sum - before;
    head.values = (uint32_t)count;
    w->sample_count++;
    spool_write(w->spool, (struct str){(const char *)&head, sizeof head});
    spool_write(w->spool, (struct str){(const char *)w->values, count * sizeof *w->values});
}

/* --- what is written --- */

/* How long the sample HEAD with the values w->values takes, in microseconds: a value that is no
 * time counts as so many. False if it has no value of the chosen type, or one below 0. */
static bool length_of(const struct writer *w, const struct waiting *head, struct decimal *length)
{
    const struct choice *c = &w->choice;
    *length = decimal_of(1);
    for (uint32_t i = 0; c->chosen != 0 && i < head->values; i++) {
        const struct value *v = &w->values[i];
        int64_t nanoseconds = units_nanoseconds(c->unit);
        if (c->types[v->type - 1].times == 0)
            continue;
        *length = amount_times(v->amount, c->types[v->type - 1].times);
        if (nanoseconds != 0)
            *length = amount_times(*length, nanoseconds);
        length->exponent -= nanoseconds != 0 ? 3 : 0;
        return decimal_sign(*length) >= 0;
    }
    return c->chosen == 0;
}

/* Reads the next sample; false at the end. */
static bool next_sample(struct writer *w, struct waiting *head)
{
    if (!spool_read(w->spool, head, sizeof *head))
        return false;
    w->values = mem_array(w->values, &w->value_capacity, head->values + 1, sizeof *w->values);
    spool_read(w->spool, w->values, head->values * sizeof *w->values);
    return true;
}

/* The same for the next one that is written, and how long it takes. */
static bool next_written(struct writer *w, struct waiting *head, struct decimal *length)
{
    while (next_sample(w, head))
        if (w->is_whole || length_of(w, head, length))
            return true;
    return false;
}

/* Adds COUNT samples to those of the node NUMBER; returns its tally. */
static struct tally *add_samples(struct writer *w, uint32_t number, uint64_t count)
{
    struct node *node = node_at(w, number);
    if (node->tally == 0) {
        w->tallies =
            mem_array(w->tallies, &w->tally_capacity, ++w->tally_count, sizeof *w->tallies);
        w->tallies[w->tally_count - 1] = (struct tally){0};
        node->tally = (uint32_t)w->tally_count;
    }
    struct tally *tally = &w->tallies[node->tally - 1];
    tally->samples += count;
    return tally;
}

/* Counts a sample of the node NUMBER at LINE. */
static void count_sample(struct writer *w, uint32_t number, int64_t line)
{
    struct tally *tally = add_samples(w, number, 1);
    int64_t key[] = {number, line};
    bool is_new;
    if (line == 0)
        return;
    uint32_t id = intern_add(&w->line_keys, (struct str){(const char *)key, sizeof key}, &is_new);
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    if (is_new) {
        w->lines[id - 1] = (struct line){line, 0, tally->lines};
        tally->lines = id;
    }
    w->lines[id - 1].samples++;
}

/* The value of the member NAME that the node NUMBER has of its file; p is NULL if it has none. */
static struct str other_of(const struct writer *w, uint32_t number, enum node_member name)
{
    static const char *const names[] = {V8_NODE_MEMBERS};
    const struct kept *kept = kept_at(w, number);
    struct str rest = kept != NULL ? kept->others : STR(""), found, value;
    while (rest.n > 0 && text_next_member(&rest, &found, &value))
        if (str_equal(found, str_of(names[name])))
            return value;
    return (struct str){NULL, 0};
}

/* Whether the kept node NUMBER names no parent itself, or its own. */
static bool names_own_parent(struct writer *w, uint32_t number)
{
    struct str parent = other_of(w, number, NODE_PARENT);
    struct kept *kept = kept_at(w, number);
    int64_t id;
    kept->has_parent = parent.p != NULL;
    return parent.p == NULL ||
           (kept->parent != 0 && text_is_integer(parent, &id) && id == kept->parent_id);
}

/* Whether the kept node NUMBER lists no children itself, or only its own, which are marked. */
static bool lists_own_children(struct writer *w, uint32_t number)
{
    struct str list = other_of(w, number, NODE_CHILDREN), item;
    kept_at(w, number)->has_children = list.p != NULL;
    if (list.p == NULL)
        return true;
    if (*list.p != '[')
        return false;
    for (struct str rest = text_inside(list); text_next_item(&rest, &item);) {
        int64_t id;
        uint32_t child = text_is_integer(item, &id) ? kept_node(w, id) : 0;
        if (child == 0 || kept_at(w, child)->parent != number)
            return false;
        kept_at(w, child)->is_listed = true;
    }
    return true;
}

/* Whether a reader finds the parent of the kept node NUMBER: the node names it, or is in its list. A
 * parent whose file had no list gets one. */
static bool is_joined(const struct writer *w, uint32_t number)
{
    const struct kept *kept = kept_at(w, number);
    return kept->parent == 0 || kept->is_listed || kept->has_parent ||
           !kept_at(w, kept->parent)->has_children;
}

/* Whether the kept nodes are a tree that can be written as they say: in an old file, one whose
 * nodes are inside each other. */
static bool is_tree_whole(struct writer *w)
{
    size_t roots = 0;
    for (uint32_t n = 1; n <= w->kept_count; n++) {
        roots += kept_at(w, n)->parent == 0;
        if (!names_own_parent(w, n) || !lists_own_children(w, n) ||
            (w->facts.is_old && kept_at(w, n)->has_children))
            return false;
    }
    for (uint32_t n = 1; n <= w->kept_count; n++)
        if (!is_joined(w, n))
            return false;
    return !w->facts.is_old || roots == 1;
}

/* Whether each node has as many samples as in the file, or, where that has none, as many hits. */
static bool are_samples_whole(const struct writer *w)
{
    uint64_t taken = 0;
    for (size_t i = 0; i < w->kept_count; i++) {
        const struct kept *kept = &w->kept[i];
        const int64_t said = kept->samples >= 0 ? kept->samples : kept->hits;
        if (kept->taken != (said > 0 ? (uint64_t)said : 0))
            return false;
        taken += kept->taken;
    }
    return w->facts.samples >= 0 ? w->sample_count == (uint64_t)w->facts.samples
                                 : w->count_sum == taken;
}

/* Whether the rows are all that their file said, and can be written as it was. */
static bool is_whole(struct writer *w)
{
    const struct facts *f = &w->facts;
    return w->is_whole && w->options.type == NULL && w->profile.source_count == 1 &&
           (int64_t)w->kept_count == f->nodes && (f->first_line == 0 || f->first_line == 1) &&
           are_samples_whole(w) && is_tree_whole(w);
}

static bool is_called_root(const struct writer *w, uint32_t number)
{
    uint32_t frame = frame_of(w, number);
    return frame < NAMELESS &&
           str_equal(profile_string_of(&w->profile, w->profile.functions[frame - 1].name),
                     STR("(root)"));
}

/* The root: in a whole file the first node without a parent. Else the first of those that is called
 * so, or a new one; all others without a parent are below it. */
static void find_root(struct writer *w)
{
    for (uint32_t n = 1; n <= w->node_count && w->root == 0; n++)
        if (parent_of(w, n) == 0 && (w->is_whole || is_called_root(w, n)))
            w->root = n;
    if (w->root == 0 && !w->is_whole)
        w->root = (uint32_t)++w->node_count;
}

/* The node that NUMBER is a child of in the file; 0: none. */
static uint32_t written_parent(const struct writer *w, uint32_t number)
{
    uint32_t parent = parent_of(w, number);
    return parent != 0 || number == w->root || w->is_whole ? parent : w->root;
}

/* Marks what is written, numbers it, and lists children. */
static void finish_tree(struct writer *w)
{
    uint32_t order = 0;
    if (w->root_samples > 0)
        add_samples(w, w->root, w->root_samples);
    for (uint32_t number = 1; number <= w->node_count; number++)
        if (w->is_whole || number == w->root || node_at(w, number)->tally != 0)
            for (uint32_t n = number; n != 0 && node_at(w, n)->order == 0; n = written_parent(w, n))
                node_at(w, n)->order = 1;
    if (w->root > w->kept_count)
        node_at(w, w->root)->order = ++order;
    for (uint32_t n = (uint32_t)w->kept_count + 1; n <= w->node_count; n++)
        if (node_at(w, n)->order != 0 && n != w->root)
            node_at(w, n)->order = ++order;
    for (uint32_t n = (uint32_t)w->node_count; n > 0; n--) {
        struct node *node = node_at(w, n);
        uint32_t parent = written_parent(w, n);
        bool is_named = w->is_whole && !w->facts.is_old && kept_at(w, n)->has_parent;
        if (parent == 0 || node->order == 0 || is_named)
            continue;
        node->next = node_at(w, parent)->child;
        node_at(w, parent)->child = n;
    }
}

/* --- text --- */

static void add(struct writer *w, struct str text)
{
    buf_add(&w->text, text);
}

static void flush(struct writer *w, size_t above)
{
    if (w->text.n <= above)
        return;
    out_write(w->out, buf_str(&w->text));
    w->text.n = 0;
}

/* Appends `,"NAME":` and the string BYTES. */
static void add_string(struct writer *w, struct str name, struct str bytes)
{
    emit_member(&w->text, name);
    add(w, STR("\""));
    if (!text_escape_all(&w->text, bytes))
        loss_add(LOSS_CPUPROFILE_NAMES, STR(""), 1);
    add(w, STR("\""));
}

static void add_number(struct writer *w, struct str name, int64_t number)
{
    emit_member(&w->text, name);
    emit_number(&w->text, number);
}

/* Appends X, in microseconds, with no more digits than it needs. */
static void add_time(struct writer *w, struct decimal x)
{
    int64_t digits;
    if (!wide_fits(x.digits, &digits)) {
        decimal_write(&w->text, x);
        return;
    }
    for (; x.exponent < 0 && digits % 10 == 0; digits /= 10)
        x.exponent += digits != 0 ? 1 : -x.exponent;
    if (x.exponent == 0)
        emit_number(&w->text, digits);
    else
        decimal_write(&w->text, (struct decimal){wide_of(digits), x.exponent});
}

/* Whether the member NAME of a frame, whose members are TEXT, says what the string NUMBER does; a
 * missing one is empty. */
static bool says(struct writer *w, struct str text, struct str name, uint32_t number)
{
    struct str found, value;
    w->scratch.n = 0;
    while (text_next_member(&text, &found, &value))
        if (str_equal(found, name))
            text_unescape(&w->scratch, *value.p == '"' ? text_inside(value) : value);
    return str_equal(buf_str(&w->scratch), profile_string_of(&w->profile, number));
}

/* Whether TEXT, the members of a frame in its file, is the frame of F still: it may have another name
 * by now. */
static bool is_frame_of(struct writer *w, struct str text, const struct profile_function *f)
{
    return says(w, text, STR("functionName"), f->name) && says(w, text, STR("url"), f->filename);
}

/* Appends the members of the frame of the node NUMBER. */
static void add_frame(struct writer *w, uint32_t number)
{
    const struct profile *p = &w->profile;
    const struct kept *kept = kept_at(w, number);
    uint32_t frame = frame_of(w, number);
    const struct profile_function none = {.name = frame - NAMELESS};
    const struct own no_own = {0};
    int64_t script_number;
    bool has_function = frame > 0 && frame < NAMELESS, is_old = w->is_whole && w->facts.is_old;
    const struct profile_function *f = has_function ? &p->functions[frame - 1] : &none;
    const struct own *own = has_function ? &w->owns[frame - 1] : &no_own;
    int64_t first_line = is_old ? w->facts.first_line : 0;
    struct str script = own->script == 0 ? STR("0") : profile_string_of(p, own->script);
    if (w->is_whole && kept->frame_text.p != NULL && is_frame_of(w, kept->frame_text, f)) {
        add(w, kept->frame_text);
        return;
    }
    add_string(w, STR("functionName"), frame == 0 ? STR("(root)") : profile_string_of(p, f->name));
    if (is_old && text_is_integer(script, &script_number)) {
        emit_member(&w->text, STR("scriptId"));
        add(w, script);
    } else {
        add_string(w, STR("scriptId"), script);
    }
    add_string(w, STR("url"), profile_string_of(p, f->filename));
    add_number(w, STR("lineNumber"), f->start_line - 1 + first_line);
    if (!is_old)
        add_number(w, STR("columnNumber"), own->column - 1);
}

/* Appends the lines of the node NUMBER. */
static void add_lines(struct writer *w, uint32_t number)
{
    uint32_t tally = node_at(w, number)->tally,
             lines = tally == 0 ? 0 : w->tallies[tally - 1].lines;
    if (lines == 0)
        return;
    add(w, STR(",\"positionTicks\":["));
    for (uint32_t id = lines; id != 0; id = w->lines[id - 1].next) {
        add(w, id == lines ? STR("{\"line\":") : STR(",{\"line\":"));
        emit_number(&w->text, w->lines[id - 1].line);
        add_number(w, STR("ticks"), (int64_t)w->lines[id - 1].samples);
        add(w, STR("}"));
    }
    add(w, STR("]"));
}

/* Appends the other members of the node NUMBER: those of its file, but for what depends on its
 * samples if these are not those of the file. */
static void add_others(struct writer *w, uint32_t number)
{
    const struct kept *kept = kept_at(w, number);
    struct str rest = kept != NULL ? kept->others : STR(""), name, value;
    if (w->is_whole) {
        add(w, rest);
        return;
    }
    add_lines(w, number);
    while (rest.n > 0 && text_next_member(&rest, &name, &value))
        if (!str_equal(name, STR("positionTicks")) && !str_equal(name, STR("children")) &&
            !str_equal(name, STR("parent"))) {
            emit_member(&w->text, name);
            add(w, value);
        }
}

/* Appends the node NUMBER up to its children. */
static void open_node(struct writer *w, uint32_t number)
{
    uint32_t tally = node_at(w, number)->tally;
    int64_t hits = tally == 0 ? 0 : (int64_t)w->tallies[tally - 1].samples;
    if (w->is_whole)
        hits = kept_at(w, number)->hits;
    add(w, STR("{\"id\":"));
    emit_number(&w->text, id_of(w, number));
    if (w->is_whole && w->facts.is_old && !kept_at(w, number)->has_call_frame) {
        add_frame(w, number);
    } else {
        add(w, STR(",\"callFrame\":"));
        size_t at = w->text.n;
        add_frame(w, number);
        add(w, w->text.n == at ? STR("{}") : STR("}"));
        w->text.p[at] = '{';
    }
    if (hits >= 0)
        add_number(w, STR("hitCount"), hits);
    add_others(w, number);
}

static void write_node(struct writer *w, uint32_t number)
{
    const struct node *node = node_at(w, number);
    open_node(w, number);
    if (node->child != 0 && !(w->is_whole && kept_at(w, number)->has_children)) {
        add(w, STR(",\"children\":["));
        for (uint32_t n = node->child; n != 0; n = node_at(w, n)->next) {
            add(w, n == node->child ? STR("") : STR(","));
            emit_number(&w->text, id_of(w, n));
        }
        add(w, STR("]"));
    }
    add(w, STR("}"));
    flush(w, FLUSH);
}

/* Writes the nodes: the root first, except where their order is that of a file. */
static void write_nodes(struct writer *w)
{
    const char *separator = "\n";
    add(w, STR("{\"nodes\":["));
    for (uint32_t i = w->is_whole ? 1 : 0; i <= w->node_count; i++) {
        uint32_t number = i == 0 ? w->root : i;
        if ((i == w->root && !w->is_whole) || node_at(w, number)->order == 0)
            continue;
        add(w, str_of(separator));
        write_node(w, number);
        separator = ",\n";
    }
    add(w, STR("]"));
}

/* Writes the nodes of an old file, each inside its parent. */
static void write_old_nodes(struct writer *w)
{
    uint32_t number = w->root;
    add(w, STR("{\"head\":"));
    while (number != 0) {
        uint32_t child = node_at(w, number)->child;
        open_node(w, number);
        add(w, STR(",\"children\":["));
        flush(w, FLUSH);
        if (child != 0) {
            number = child;
            continue;
        }
        while (number != 0 && node_at(w, number)->next == 0) {
            add(w, STR("]}"));
            number = number == w->root ? 0 : parent_of(w, number);
        }
        add(w, number != 0 ? STR("]},") : STR(""));
        number = number == 0 ? 0 : node_at(w, number)->next;
    }
}

/* --- the file --- */

/* Counts the samples of nodes. */
static void count_samples(struct writer *w)
{
    struct waiting head;
    struct decimal length;
    uint64_t negative = 0;
    spool_rewind(w->spool);
    while (next_sample(w, &head)) {
        bool is_written = length_of(w, &head, &length);
        negative += !is_written && head.values > 0 && decimal_sign(length) < 0;
        if (is_written)
            decimal_add(&w->length, length);
        if (is_written && head.node == 0)
            w->root_samples++;
        else if (is_written)
            count_sample(w, head.node, head.line);
    }
    if (negative > 0)
        loss_add(LOSS_BELOW_ZERO, value_types_get(&w->sink.flow->types, w->choice.chosen)->type,
                 negative);
}

static void write_samples(struct writer *w)
{
    struct waiting head;
    struct decimal length;
    const char *separator = "";
    add(w, STR(",\n\"samples\":["));
    spool_rewind(w->spool);
    while (next_written(w, &head, &length)) {
        add(w, str_of(separator));
        emit_number(&w->text, id_of(w, head.node == 0 ? w->root : head.node));
        separator = ",";
        flush(w, FLUSH);
    }
    if (!w->is_whole && *separator != '\0') { /* so that the last one has an end, too */
        add(w, STR(","));
        emit_number(&w->text, id_of(w, w->root));
    }
    add(w, STR("]"));
}

/* Writes the times of the file that was read. */
static void write_kept_times(struct writer *w)
{
    const struct facts *f = &w->facts;
    struct waiting head;
    bool is_absolute = f->zero.p != NULL || (f->is_old && f->samples == 0);
    struct decimal zero = f->zero.p != NULL ? decimal_read(f->zero) : decimal_of(0), length;
    const char *separator = "";
    int64_t before = 0;
    add(w, is_absolute ? STR(",\n\"timestamps\":[") : STR(",\n\"timeDeltas\":["));
    if (f->lists_zero && f->zero.p != NULL) {
        add(w, f->zero);
        separator = ",";
    }
    spool_rewind(w->spool);
    while (next_written(w, &head, &length)) {
        struct decimal time = {wide_subtract(wide_of(head.time), wide_of(before)), -3};
        decimal_add(&time, zero);
        add(w, str_of(separator));
        add_time(w, time);
        separator = ",";
        before = is_absolute ? 0 : head.time;
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* Writes the times of samples, each of which begins when the one before it ends. */
static void write_times(struct writer *w)
{
    struct waiting head;
    struct decimal length;
    bool is_first = true;
    add(w, STR(",\n\"timeDeltas\":["));
    spool_rewind(w->spool);
    for (; next_written(w, &head, &length); is_first = false) {
        add(w, is_first ? STR("0,") : STR(","));
        add_time(w, length);
        flush(w, FLUSH);
    }
    add(w, STR("]"));
}

/* Writes the members behind the nodes as they were in the file that was read. */
static void write_kept_rest(struct writer *w)
{
    const struct facts *f = &w->facts;
    const struct str names[] = {STR("startTime"), STR("endTime")}, ends[] = {f->start, f->end};
    for (size_t i = 0; i < 2; i++)
        if (ends[i].p != NULL) {
            emit_member(&w->text, names[i]);
            add(w, ends[i]);
        }
    if (f->samples >= 0)
        write_samples(w);
    if (f->is_timed)
        write_kept_times(w);
    add(w, f->others);
}

/* When the first source starts, in microseconds. */
static struct decimal start_of(const struct writer *w)
{
    const struct profile *p = &w->profile;
    if (w->facts.start.p != NULL && !w->facts.is_old)
        return decimal_read(w->facts.start);
    if (p->source_count == 0 || p->sources[0].timestamp.n == 0)
        return decimal_of(0);
    return decimal_multiply(decimal_read(p->sources[0].timestamp), decimal_of(1000000));
}

static void write_rest(struct writer *w)
{
    struct decimal start = start_of(w), end = start;
    decimal_add(&end, w->length);
    emit_member(&w->text, STR("startTime"));
    add_time(w, start);
    emit_member(&w->text, STR("endTime"));
    add_time(w, end);
    write_samples(w);
    write_times(w);
}

static void write_file(struct writer *w)
{
    if (!w->is_linked)
        link_nodes(w);
    choice_finish(&w->choice);
    w->is_whole = is_whole(w);
    if (!w->is_whole) {
        if (w->facts.is_there)
            loss_add_column(&(struct row){.table = TABLE_SOURCES}, STR(".cpuprofile"));
        choice_count_others(&w->choice);
        choice_warn(&w->choice);
    }
    w->node_count = w->kept_count + w->stacks.count - w->kept_stacks;
    w->nodes = mem_alloc_zeroed((w->node_count + 1) * sizeof *w->nodes); /* with a root */
    count_samples(w);
    find_root(w);
    finish_tree(w);
    if (w->is_whole && w->facts.is_old)
        write_old_nodes(w);
    else
        write_nodes(w);
    if (w->is_whole)
        write_kept_rest(w);
    else
        write_rest(w);
    add(w, STR("}\n"));
    flush(w, 0);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct writer *w = (struct writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_MAPPINGS:
        profile_add_mapping(&w->profile, row, place_of(w)); /* frames may be called by its file */
        loss_add_row(row);
        break;
    default:
        if (str_equal(row->dotted.name, STR(".cpuprofile_nodes")))
            read_node(w, row);
        else
            loss_add_row(row);
    }
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct cpuprofile_write_options *)with;
    choice_check(w->options.type);
    w->profile.stacks.flow = flow;
    w->profile.keep = keep;
    w->profile.user = w;
    w->facts.samples = -1;
    w->next_id = 1;
    w->counts = value_types_add(&flow->types, STR("samples"), STR("count"));
    w->choice.takes_times = true;
    choice_open(&w->choice, w->options.type, &flow->types);
    w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct writer *w = to;
    write_file(w);
    spool_close(w->spool);
    choice_free(&w->choice);
    profile_free(&w->profile);
    stack_tree_free(&w->stacks);
    intern_free(&w->line_keys);
    idmap_free(&w->kept_ids);
    arena_free(&w->arena);
    void *blocks[] = {w->owns,    w->places, w->nodes, w->firsts, w->kept,
                      w->tallies, w->above,  w->lines, w->values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    buf_free(&w->text);
    buf_free(&w->scratch);
}

const struct stage cpuprofile_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct writer),
    .open = open_writer,
    .close = close_writer,
};
