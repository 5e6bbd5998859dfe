#include "inputs.h"

#include "arena.h"
#include "mem.h"

struct inputs {
    char **paths; /* what is left of the operands */
    int count;
    struct in *one;

    struct in *list; /* --files-from */
    char separator;
    const char *listed; /* the next name of the list, when it has been looked for */
    struct arena names; /* they outlive the list: messages name inputs */
};

static struct inputs *new_inputs(struct inputs value)
{
    struct inputs *inputs = mem_alloc(sizeof *inputs);
    *inputs = value;
    return inputs;
}

struct inputs *inputs_of(char **paths, int count, const char *files_from, bool nul_ended)
{
    static char dash[] = "-", *standard_input[] = {dash};
    if (files_from != NULL) {
        if (count > 0)
            die(STATUS_USAGE, "files are named by --files-from: \"%s\" is one too many", paths[0]);
        return new_inputs(
            (struct inputs){.list = in_open(files_from), .separator = nul_ended ? '\0' : '\n'});
    }
    if (nul_ended)
        die(STATUS_USAGE, "--null needs --files-from");
    return count > 0 ? new_inputs((struct inputs){.paths = paths, .count = count})
                     : new_inputs((struct inputs){.paths = standard_input, .count = 1});
}

struct inputs *inputs_of_one(struct in *in)
{
    return new_inputs((struct inputs){.one = in});
}

/* The next name in the list that is not empty, or NULL. */
static const char *next_listed(struct inputs *inputs)
{
    for (size_t want = 4096;; want *= 2) {
        struct str text = in_peek(inputs->list, want);
        if (text.n == 0)
            return NULL;
        const char *end = memchr(text.p, inputs->separator, text.n);
        if (end == NULL && text.n >= want)
            continue;
        struct str name = {text.p, end == NULL ? text.n : (size_t)(end - text.p)};
        if (memchr(name.p, '\0', name.n) != NULL)
            die_at((struct place){in_name(inputs->list), PLACE_FILE, 0},
                   "a file name holds NUL (--null reads names ended by NUL)");
        size_t read = name.n + (end != NULL);
        if (inputs->separator == '\n' && name.n > 0 && name.p[name.n - 1] == '\r')
            name.n--; /* a list from Windows */
        char *copy = arena_alloc(&inputs->names, name.n + 1);
        memcpy(copy, name.p, name.n);
        copy[name.n] = '\0';
        in_consume(inputs->list, read);
        if (name.n > 0)
            return copy;
        want = 2048; /* an empty line */
    }
}

bool inputs_more(struct inputs *inputs)
{
    if (inputs->list != NULL && inputs->listed == NULL)
        inputs->listed = next_listed(inputs);
    return inputs->one != NULL || inputs->count > 0 || inputs->listed != NULL;
}

struct in *inputs_next(struct inputs *inputs)
{
    if (!inputs_more(inputs))
        return NULL;
    if (inputs->one != NULL) {
        struct in *one = inputs->one;
        inputs->one = NULL;
        return one;
    }
    if (inputs->listed != NULL) {
        const char *name = inputs->listed;
        inputs->listed = NULL;
        return in_open(name);
    }
    inputs->count--;
    return in_open(*inputs->paths++);
}

void inputs_free(struct inputs *inputs)
{
    if (inputs->one != NULL)
        in_close(inputs->one);
    if (inputs->list != NULL)
        in_close(inputs->list);
    arena_free(&inputs->names);
    mem_free(inputs);
}
