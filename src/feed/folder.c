#include "feed/folder.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/port.h"
#include "rows/text.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>

/* How long a file must not have changed, in milliseconds. */
enum { REST = 1000 };

struct folder {
    const char *path;
    struct intern files; /* paths, each with the NUL behind it */
    struct folder_file {
        /* SAME: under another name it has been taken as it is */
        enum { UNSEEN, SEEN, TAKEN, REFUSED, SAME, IS_FOLDER } state;
        struct stat file; /* as it was seen, */
        int64_t since;    /* the first time so, in milliseconds */
    } * states;           /* by number of the path - 1 */
    size_t capacity;
    struct str *ready; /* paths to be returned, by name */
    size_t ready_count, ready_capacity, next;
    uint32_t last; /* number of the path that was returned last */
    bool is_gone;
};

struct folder *folder_open(const char *path)
{
    struct folder *f = mem_alloc_zeroed(sizeof *f);
    f->path = path;
    return f;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Whether FILE, with the state S, may be read: notes what it is like at TIME. */
static bool is_ready(struct folder_file *s, const struct stat *file, int64_t time)
{
    if (s->state == TAKEN || !S_ISREG(file->st_mode) || file->st_size == 0)
        return false;
    if (s->state == UNSEEN || port_is_written(&s->file, file))
        *s = (struct folder_file){SEEN, *file, time};
    return s->state == SEEN && time - s->since >= REST;
}

static int compare_paths(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Finds the files that are ready. */
static void look(struct folder *f)
{
    struct buf path = {0};
    struct stat file;
    const int64_t time = now();
    DIR *folder = opendir(f->path);
    f->next = f->ready_count = 0;
    if (folder == NULL) {
        f->is_gone = true;
        diag_error(CODE_NOT_FOUND, "cannot open %s: %s", f->path, strerror(errno));
        diag_fail(STATUS_SYSTEM);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        path.n = 0;
        buf_add(&path, str_of(f->path));
        if (!str_ends(buf_str(&path), STR("/")))
            buf_add(&path, STR("/"));
        buf_add(&path, (struct str){entry->d_name, strlen(entry->d_name) + 1});
        if (entry->d_name[0] == '.' || stat(path.p, &file) < 0)
            continue;
        const uint32_t number = intern_add(&f->files, buf_str(&path), NULL);
        f->states = mem_array_zeroed(f->states, &f->capacity, number, sizeof *f->states);
        if (S_ISDIR(file.st_mode))
            f->states[number - 1].state = IS_FOLDER;
        if (!is_ready(&f->states[number - 1], &file, time))
            continue;
        f->ready = mem_array(f->ready, &f->ready_capacity, f->ready_count + 1, sizeof *f->ready);
        f->ready[f->ready_count++] = intern_get(&f->files, number);
    }
    closedir(folder);
    buf_free(&path);
    order_items(f->ready, f->ready_count, sizeof *f->ready, compare_paths);
}

/* Whether FILE has been taken under another name, such as that of a link to it. */
static bool is_taken(const struct folder *f, const struct stat *file)
{
    for (uint32_t i = 0; i < f->files.count; i++) {
        const struct stat *other = &f->states[i].file;
        if (f->states[i].state == TAKEN && other->st_ino == file->st_ino &&
            other->st_dev == file->st_dev && !port_is_written(other, file))
            return true;
    }
    return false;
}

const char *folder_next(struct folder *f)
{
    if (f->next == f->ready_count)
        look(f);
    while (f->next < f->ready_count) {
        const struct str path = f->ready[f->next++];
        const uint32_t number = intern_find(&f->files, path);
        struct folder_file *s = &f->states[number - 1];
        s->state = is_taken(f, &s->file) ? SAME : TAKEN;
        if (s->state == SAME)
            continue;
        f->last = number;
        return path.p;
    }
    return NULL;
}

bool folder_is_gone(const struct folder *f)
{
    return f->is_gone;
}

void folder_refuse(struct folder *f)
{
    f->states[f->last - 1].state = REFUSED;
}

/* The file whose state IS_SO, the first by name; *COUNT is how many there are. A null p: none. */
static struct str first_of(const struct folder *f,
                           bool (*is_so)(const struct folder_file *s, const char *path),
                           uint32_t *count)
{
    struct str first = {NULL, 0};
    *count = 0;
    for (uint32_t i = 1; i <= f->files.count; i++) {
        const struct str path = intern_get(&f->files, i);
        if (!is_so(&f->states[i - 1], path.p))
            continue;
        if ((*count)++ == 0 || str_compare(path, first) < 0)
            first = path;
    }
    return first;
}

static bool is_refused(const struct folder_file *s, const char *path)
{
    (void)path;
    return s->state == REFUSED;
}

static bool is_left(const struct folder_file *s, const char *path)
{
    (void)path;
    return s->state == REFUSED || s->state == SEEN;
}

static bool is_changed(const struct folder_file *s, const char *path)
{
    struct stat file;
    return s->state == TAKEN && stat(path, &file) == 0 && port_is_written(&s->file, &file);
}

static bool is_folder(const struct folder_file *s, const char *path)
{
    (void)path;
    return s->state == IS_FOLDER;
}

const char *folder_refused(const struct folder *f)
{
    uint32_t count;
    return first_of(f, is_refused, &count).p;
}

/* Warns of the COUNT files, or what KIND says, that are WHAT, unless there are none, such as PATH. */
static void warn_of(const char *what, const char *kind, uint32_t count, struct str path)
{
    struct buf name = {0};
    if (count == 0)
        return;
    text_escape(&name, (struct str){path.p, path.n - 1});
    warn(CODE_LEFT_OUT, "%s: %" PRIu32 " %s%s, such as \"%.*s\"", what, count, kind,
         count == 1 ? "" : "s", STR_ARG(buf_str(&name)));
    buf_free(&name);
}

void folder_report(const struct folder *f)
{
    uint32_t count;
    struct str first = first_of(f, is_left, &count);
    warn_of("not a whole profile, and left out", "file", count, first);
    first = first_of(f, is_changed, &count);
    warn_of("changed after it was read, which is not counted", "file", count, first);
    first = first_of(f, is_folder, &count);
    warn_of("not read, nor are files in it", "folder", count, first);
}

void folder_close(struct folder *f)
{
    intern_free(&f->files);
    mem_free(f->states);
    mem_free(f->ready);
    mem_free(f);
}
