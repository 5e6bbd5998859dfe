#include "feed/inputs.h"

#include "base/ahead.h"
#include "base/follow.h"
#include "base/mem.h"
#include "base/out.h"
#include "feed/attempt.h"
#include "feed/folder.h"
#include "feed/list.h"
#include "formats/foreign.h"

#include <inttypes.h>
#include <unistd.h>

struct inputs {
    char **paths; /* the remaining operands, or names of a list that was read whole */
    size_t count_left;
    size_t announced; /* how many of these, or of `listed`, were announced */
    struct in *one;
    const char *first; /* comes before all others; or NULL */

    const char *list_path;  /* the list; or NULL */
    const char *files_from; /* the same, until it is opened */
    struct list list;       /* the list, open while it is read; its names outlive that */
    bool nul_ended;
    const char *listed[AHEAD_FILES]; /* the names of the list that were read ahead */
    size_t listed_count;
    char **all; /* to be freed */

    void (*check)(struct in *in, size_t number, void *with); /* --keep-going; or NULL */
    void *with;
    struct in *checked;    /* the next input, which passed the check */
    struct folder *folder; /* where inputs appear; or NULL */
    bool is_over;          /* the user has interrupted that */
    bool follows;          /* the last operand goes on at its end */
    uint64_t count, left_out;
    struct manifest *manifest; /* lists those left out; or NULL */
    const char *opened;        /* the name of the last opened input, for that */
    size_t number;             /* the number of the last opened input, from 1 */
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
            die(CODE_OPTIONS_CLASH, "--files-from cannot be used with other files, found \"%s\"",
                paths[0]);
        return new_inputs((struct inputs){
            .list_path = files_from, .files_from = files_from, .nul_ended = nul_ended});
    }
    return count > 0 ? new_inputs((struct inputs){.paths = paths, .count_left = (size_t)count})
                     : new_inputs((struct inputs){.paths = standard_input, .count_left = 1});
}

struct inputs *inputs_of_none(void)
{
    return new_inputs((struct inputs){0});
}

struct inputs *inputs_of_one(struct in *in, size_t number)
{
    return new_inputs((struct inputs){.one = in, .number = number - 1});
}

void inputs_put_first(struct inputs *inputs, const char *path)
{
    inputs->first = path;
}

static void open_list(struct inputs *inputs)
{
    if (inputs->files_from != NULL)
        inputs->list = list_open(inputs->files_from, inputs->nul_ended);
    inputs->files_from = NULL;
}

static void add_listed(struct inputs *inputs, const char *name)
{
    if (name != NULL)
        inputs->listed[inputs->listed_count++] = name;
}

static bool has_another(struct inputs *inputs)
{
    open_list(inputs);
    if (inputs->list.in != NULL && inputs->listed_count == 0)
        add_listed(inputs, list_next(&inputs->list, false));
    return inputs->first != NULL || inputs->one != NULL || inputs->count_left > 0 ||
           inputs->listed_count > 0;
}

/* --- reading ahead --- */

/* The remaining name with the index I, as far as names are known; or NULL. */
static const char *upcoming(struct inputs *inputs, size_t i)
{
    if (inputs->list.in == NULL)
        return i < inputs->count_left ? inputs->paths[i] : NULL;
    if (i == inputs->listed_count && i < AHEAD_FILES)
        add_listed(inputs, list_next(&inputs->list, true));
    return i < inputs->listed_count ? inputs->listed[i] : NULL;
}

/* Nothing is read ahead with --keep-going: such inputs are read twice, and may be skipped. */
static void announce(struct inputs *inputs)
{
    const char *name;
    while (inputs->check == NULL && !inputs->follows && ahead_has_room() &&
           (name = upcoming(inputs, inputs->announced)) != NULL) {
        if (strcmp(name, "-") != 0 && !in_has_instead(name))
            ahead_announce(name);
        inputs->announced++;
    }
}

/* --- the next --- */

/* Takes the next name of the list. */
static const char *take_listed(struct inputs *inputs)
{
    const char *name = inputs->listed[0];
    inputs->listed_count--;
    memmove(inputs->listed, inputs->listed + 1, inputs->listed_count * sizeof *inputs->listed);
    return name;
}

/* Whether PATH is what a tool that was killed left beside its output: a part of it. */
static bool is_left_over(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const size_t n = sizeof OUT_BESIDE - 1;
    return strncmp(name, OUT_BESIDE, n) == 0 && strlen(name) == n + 6;
}

static struct in *open_input(struct inputs *inputs, const char *path)
{
    inputs->opened = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (is_left_over(path))
        die_at((struct place){path, PLACE_FILE, 0},
               "a tool that was killed has left this part of its output: remove it");
    const char *folder = foreign_folder(path);
    if (folder != NULL)
        die_at((struct place){path, PLACE_FILE, 0}, "expected a profile, found %s", folder);
    return in_open(path);
}

/* Opens the input found by has_another. */
static struct in *open_next(struct inputs *inputs)
{
    inputs->number++;
    if (inputs->first != NULL) {
        const char *first = inputs->first;
        inputs->first = NULL;
        return open_input(inputs, first);
    }
    if (inputs->one != NULL) {
        struct in *one = inputs->one;
        inputs->one = NULL;
        return one;
    }
    announce(inputs);
    if (inputs->announced > 0)
        inputs->announced--;
    if (inputs->list.in != NULL)
        return open_input(inputs, take_listed(inputs));
    inputs->count_left--;
    struct in *in = open_input(inputs, *inputs->paths++);
    if (inputs_go_on(inputs))
        in_await(in);
    return in;
}

/* --- inputs that are skipped --- */

/* For attempt(). */
static void check_next(void *to)
{
    struct inputs *inputs = to;
    struct in *in = open_next(inputs);
    diag_skipped = in_name(in);
    in_hold(in);
    inputs->check(in, inputs->number, inputs->with);
    inputs->checked = in;
}

/* Moves to the next input that passes.  Its warnings are printed when it is read again. */
static void skip_bad(struct inputs *inputs)
{
    int level = diag_level;
    enum code last = diag_last; /* of the input before, which may still be read */
    while (inputs->checked == NULL && has_another(inputs)) {
        inputs->count++;
        diag_level = DIAG_QUIET;
        if (!attempt(check_next, inputs)) {
            inputs->left_out++;
            diag_fail(STATUS_INPUT);
            if (inputs->manifest != NULL)
                manifest_left_out(inputs->manifest, inputs->number, inputs->opened, diag_last);
            diag_last = last;
        }
        diag_level = level;
    }
    if (inputs->checked != NULL)
        in_again(inputs->checked);
    else if (inputs->left_out > 0 && inputs->left_out == inputs->count)
        die(CODE_LEFT_OUT, "bad inputs left out: %" PRIu64 " of %" PRIu64 ": nothing is left",
            inputs->left_out, inputs->count);
}

/* --- inputs that are waited for --- */

/* For attempt(): as check_next, for a file of the folder. */
static void check_whole(void *to)
{
    struct inputs *inputs = to;
    check_next(inputs);
    if (in_torn(inputs->checked))
        die_at((struct place){in_name(inputs->checked), PLACE_FILE, 0}, "the last line is torn");
}

/* Prints what is wrong with the first file that was refused. */
static void tell_refused(struct inputs *inputs)
{
    const int level = diag_level;
    inputs->first = folder_refused(inputs->folder);
    if (inputs->first == NULL || level <= DIAG_QUIET)
        return;
    diag_level = DIAG_QUIET;
    if (attempt(check_whole, inputs)) { /* it is whole now, but has come too late */
        in_again(inputs->checked);
        in_close(inputs->checked);
    }
    inputs->first = NULL;
    inputs->checked = NULL;
    diag_level = level;
}

/* Waits for the next file of the folder that is whole. */
static void wait_for_file(struct inputs *inputs)
{
    const int level = diag_level;
    while (inputs->checked == NULL && !follow_is_over() && !folder_is_gone(inputs->folder)) {
        inputs->first = folder_next(inputs->folder);
        if (inputs->first == NULL) {
            origin_on_pause();
            follow_wait();
            continue;
        }
        diag_level = DIAG_SILENT;
        if (!attempt(check_whole, inputs)) {
            inputs->checked = NULL;
            folder_refuse(inputs->folder);
        }
        diag_level = level;
    }
    if (inputs->checked != NULL)
        in_again(inputs->checked);
    else if (!inputs->is_over)
        tell_refused(inputs);
    inputs->is_over = inputs->checked == NULL;
}

void inputs_follow(struct inputs *inputs)
{
    inputs->follows = true;
}

void inputs_follow_folder(struct inputs *inputs, const char *folder,
                          void (*check)(struct in *in, size_t number, void *with), void *with)
{
    inputs->folder = folder_open(folder);
    inputs_keep_going(inputs, check, with);
}

bool inputs_go_on(struct inputs *inputs)
{
    return inputs->follows && !has_another(inputs);
}

void inputs_keep_going(struct inputs *inputs,
                       void (*check)(struct in *in, size_t number, void *with), void *with)
{
    inputs->check = check;
    inputs->with = with;
}

void inputs_list_skipped(struct inputs *inputs, struct manifest *manifest)
{
    inputs->manifest = manifest;
}

void inputs_report(const struct inputs *inputs)
{
    if (inputs->folder != NULL)
        folder_report(inputs->folder);
    if (inputs->left_out > 0)
        diag_error(CODE_LEFT_OUT, "bad inputs left out: %" PRIu64 " of %" PRIu64, inputs->left_out,
                   inputs->count);
}

bool inputs_more(struct inputs *inputs)
{
    if (inputs->check == NULL)
        return has_another(inputs);
    if (inputs->checked == NULL && inputs->folder != NULL)
        wait_for_file(inputs);
    else if (inputs->checked == NULL)
        skip_bad(inputs);
    return inputs->checked != NULL;
}

struct in *inputs_next(struct inputs *inputs)
{
    if (!inputs_more(inputs))
        return NULL;
    if (inputs->check == NULL)
        return open_next(inputs);
    struct in *in = inputs->checked;
    inputs->checked = NULL;
    return in;
}

/* --- inputs that are also the output --- */

void inputs_refuse_path(const char *path, const struct stat *file)
{
    struct stat found;
    bool is_stdin = strcmp(path, "-") == 0;
    int result = is_stdin ? fstat(STDIN_FILENO, &found) : stat(path, &found);
    if (result == 0 && found.st_dev == file->st_dev && found.st_ino == file->st_ino)
        die(CODE_SAME_FILE, "%s is input and output at once", is_stdin ? "<stdin>" : path);
}

/* Reads the list, if there is one, into the remaining names. */
static void read_list(struct inputs *inputs)
{
    size_t capacity = 0;
    open_list(inputs);
    for (const char *name;
         inputs->list.in != NULL && (name = list_next(&inputs->list, false)) != NULL;) {
        inputs->all =
            mem_array(inputs->all, &capacity, inputs->count_left + 1, sizeof *inputs->all);
        inputs->all[inputs->count_left++] = (char *)(uintptr_t)name;
        inputs->paths = inputs->all;
    }
    list_close(&inputs->list);
}

void inputs_refuse(struct inputs *inputs, const struct stat *file, bool with_list)
{
    if (inputs->list_path != NULL)
        inputs_refuse_path(inputs->list_path, file);
    if (with_list)
        read_list(inputs);
    for (size_t i = 0; i < inputs->count_left; i++)
        inputs_refuse_path(inputs->paths[i], file);
}

size_t inputs_number(const struct inputs *inputs)
{
    return inputs->number;
}

/* Reads a list of at most LIST_MAX bytes before its first input.  Not one with an invalid name:
 * that is an error only when all before it have been read. */
static void read_short_list(struct inputs *inputs)
{
    enum { LIST_MAX = 64 << 20 };
    struct stat file;
    if (strcmp(inputs->files_from, "-") == 0 || stat(inputs->files_from, &file) != 0 ||
        !S_ISREG(file.st_mode) || file.st_size > LIST_MAX)
        return;
    open_list(inputs);
    const size_t size = (size_t)file.st_size;
    const struct str text = in_peek(inputs->list.in, size + 1);
    if (text.n > size || (!inputs->nul_ended && memchr(text.p, '\0', text.n) != NULL))
        return;
    read_list(inputs);
}

size_t inputs_operands(struct inputs *inputs, char ***paths)
{
    bool is_plain = inputs->one == NULL && inputs->first == NULL && inputs->check == NULL &&
                    inputs->folder == NULL && !inputs->follows && inputs->manifest == NULL;
    if (is_plain && inputs->files_from != NULL)
        read_short_list(inputs);
    is_plain = is_plain && inputs->files_from == NULL && inputs->list.in == NULL;
    *paths = inputs->paths;
    return is_plain ? inputs->count_left : 0;
}

size_t inputs_put_off(struct inputs *inputs, size_t count)
{
    size_t rest = inputs->count_left - count;
    inputs->count_left = count;
    return rest;
}

void inputs_skip(struct inputs *inputs, size_t count)
{
    inputs->paths += count;
    inputs->number += count;
}

void inputs_resume(struct inputs *inputs, size_t count)
{
    inputs->count_left += count;
}

struct inputs *inputs_run(char **paths, size_t count, size_t number)
{
    return new_inputs((struct inputs){.paths = paths, .count_left = count, .number = number - 1});
}

void inputs_free(struct inputs *inputs)
{
    if (inputs->one != NULL)
        in_close(inputs->one);
    list_free(&inputs->list);
    if (inputs->folder != NULL)
        folder_close(inputs->folder);
    mem_free(inputs->all);
    mem_free(inputs);
}
