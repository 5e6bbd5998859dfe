#include "summary/lines.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "profile/naming.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20, LINE_MAX = 4096 };
#define TOO_LARGE "it is larger than 64 MiB"

struct lines_archive {
    struct str path;
    struct zip *zip; /* NULL: it could not be read */
    struct buf why;  /* then the reason, a string */
};

/* --- names --- */

/* Takes the next item off *LIST, which is separated by ':'; skips empty items; false at the end. */
static bool next_item(struct str *list, struct str *item)
{
    do {
        if (list->n == 0)
            return false;
        const char *end = memchr(list->p, ':', list->n);
        item->p = list->p;
        item->n = end == NULL ? list->n : (size_t)(end - list->p);
        size_t step = item->n + (end != NULL);
        list->p += step;
        list->n -= step;
    } while (item->n == 0);
    return true;
}

static struct str without_last_slashes(struct str path)
{
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    return path;
}

/* If the path *FILE contains a folder with the name of FOLDER, or of the archive FOLDER without its
 * .zip, removes everything up to that name. */
static bool take_folder(struct str *file, struct str folder)
{
    const struct str suffix = STR(".zip");
    struct buf want = {0};
    folder = naming_base_name(without_last_slashes(folder));
    if (folder.n > suffix.n && str_ends(folder, suffix))
        folder.n -= suffix.n;
    buf_add(&want, STR("/"));
    buf_add(&want, folder);
    buf_add(&want, STR("/"));
    const char *found = file->n == 0 ? NULL : port_memmem(file->p, file->n, want.p, want.n);
    if (found != NULL) {
        size_t step = (size_t)(found - file->p) + want.n;
        file->p += step;
        file->n -= step;
    }
    buf_free(&want);
    return found != NULL;
}

static struct str trim(struct str file, const struct lines_search *search)
{
    struct str list = search->folders, item;
    while (search->prefixes.n == 0 && next_item(&list, &item))
        if (take_folder(&file, item))
            return file;
    list = search->prefixes;
    while (next_item(&list, &item)) {
        struct str rest = file;
        item = without_last_slashes(item);
        if (str_take(&rest, item) && (item.p[item.n - 1] == '/' || str_take(&rest, STR("/"))))
            return rest;
    }
    if (!str_take(&file, STR("/proc/self/cwd/./"))) /* written by Bazel */
        str_take(&file, STR("/proc/self/cwd/"));
    return file;
}

/* --- files --- */

/* Opens the regular file FILE in FOLDER (empty: FILE is absolute). Returns -1 if that fails, and
 * sets *WHY unless it does not exist. */
static int open_in(struct str folder, struct str file, const char **why)
{
    struct buf path = {0};
    struct stat found;
    buf_add(&path, folder);
    buf_add(&path, folder.n > 0 ? STR("/") : STR(""));
    buf_add(&path, file);
    buf_add(&path, (struct str){"", 1});
    /* do not open devices, which may have effects, or pipes, which may block or wake a writer */
    bool is_other = stat(path.p, &found) == 0 && !S_ISREG(found.st_mode);
    int fd = is_other ? -1 : open(path.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    buf_free(&path);
    if (is_other) {
        *why = "it is no regular file";
        return -1;
    }
    if (fd < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            *why = strerror(errno);
        return -1;
    }
    if (fstat(fd, &found) == 0 && S_ISREG(found.st_mode))
        return fd;
    *why = "it is no regular file";
    close(fd);
    return -1;
}

/* The parent folder in PATH, by name only; PATH itself if there is none. */
static struct str parent_of(struct str path)
{
    path = without_last_slashes(path);
    const char *slash = port_memrchr(path.p, '/', path.n);
    if (slash == NULL)
        return STR(".");
    return without_last_slashes(
        (struct str){path.p, slash == path.p ? 1 : (size_t)(slash - path.p)});
}

/* Opens FILE in FOLDER or a parent of it. Returns -1 if that fails, and sets *WHY as open_in
 * does. */
static int open_below(struct str folder, struct str file, const char **why)
{
    int fd = -1;
    for (struct str last = {0}; fd < 0 && !str_equal(folder, last); folder = parent_of(folder)) {
        fd = open_in(folder, file, why);
        last = folder;
    }
    return fd;
}

/* The archive PATH, which is opened if it has not been; NULL: it is no regular file. */
static const struct lines_archive *archive_of(struct lines *l, struct str path)
{
    const char *why;
    for (size_t i = 0; i < l->archive_count; i++)
        if (str_equal(l->archives[i].path, path))
            return &l->archives[i];
    const int fd = open_in(STR(""), path, &why);
    if (fd < 0)
        return NULL;
    struct lines_archive archive = {path, zip_open(fd, &why), {0}};
    if (archive.zip == NULL)
        buf_add(&archive.why, (struct str){why, strlen(why) + 1});
    l->archives =
        mem_array(l->archives, &l->archive_capacity, l->archive_count + 1, sizeof *l->archives);
    l->archives[l->archive_count] = archive;
    return &l->archives[l->archive_count++];
}

/* Reads FILE of ARCHIVE to TO, unless it has none.  Returns NULL, or why it was not read: WHY if it
 * is not there. */
static const char *read_archived(const struct lines_archive *archive, struct str file,
                                 struct buf *to, const char *why)
{
    if (archive->zip == NULL)
        return archive->why.p;
    const uint32_t number = zip_find(archive->zip, file);
    if (number == 0)
        return why;
    return zip_size(archive->zip, number) > FILE_MAX ? TOO_LARGE
                                                     : zip_read(archive->zip, number, to);
}

/* Searches for FILE in all that SEARCH names, and opens it as *FD, or reads it out of an archive to
 * L's text.  Returns NULL or why neither can be done. */
static const char *find(struct lines *l, const struct lines_search *search, struct str file,
                        int *fd)
{
    const char *why = strerror(ENOENT);
    struct str list = search->folders, folder;
    file = trim(file, search);
    if (file.n == 0 || memchr(file.p, '\0', file.n) != NULL)
        return why;
    if (file.p[0] == '/') {
        *fd = open_in(STR(""), file, &why);
        return *fd < 0 ? why : NULL;
    }
    while (next_item(&list, &folder)) {
        const struct lines_archive *archive = archive_of(l, folder);
        if (archive != NULL)
            why = read_archived(archive, file, &l->text, why);
        else
            *fd = open_below(folder, file, &why);
        if (*fd >= 0 || why == NULL)
            return NULL;
        l->text.n = 0; /* what is damaged may have been read in part */
    }
    return why;
}

/* A file that is closed even if memory runs out while it is read. */
struct file {
    int fd;
};

static void drop(void *file)
{
    int fd = ((struct file *)file)->fd;
    if (fd >= 0)
        close(fd);
}

/* Reads all of FILE into TO; returns NULL or an error message. */
static const char *read_all(const struct file *file, struct buf *to)
{
    enum { BLOCK = 64 << 10 };
    const char *why = NULL;
    while (why == NULL) {
        ssize_t n = read(file->fd, buf_reserve(to, BLOCK), BLOCK);
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR)
            why = strerror(errno);
        to->n += n < 0 ? 0 : (size_t)n;
        if (to->n > FILE_MAX)
            why = TOO_LARGE;
    }
    return why;
}

const char *lines_read(struct lines *l, const struct lines_search *search, struct str file)
{
    struct file *opened = mem_alloc_holder(sizeof *opened, drop);
    l->text.n = l->count = 0;
    opened->fd = -1;
    const char *why = find(l, search, file, &opened->fd);
    if (opened->fd >= 0)
        why = read_all(opened, &l->text);
    drop(opened);
    mem_free(opened);
    if (why == NULL && l->text.n > 0 && memchr(l->text.p, '\0', l->text.n) != NULL)
        why = "it is no text";
    if (why != NULL)
        return why;
    for (const char *p = l->text.p, *end = p + l->text.n; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        struct str line = {p, (size_t)((stop == NULL ? end : stop) - p)};
        p += line.n + 1;
        line.n -= line.n > 0 && line.p[line.n - 1] == '\r';
        l->items = mem_array(l->items, &l->capacity, l->count + 1, sizeof *l->items);
        l->items[l->count++] = line;
    }
    return NULL;
}

struct str lines_copy(const struct lines *l, int64_t number, struct arena *to)
{
    if (number < 1 || (uint64_t)number > l->count)
        return (struct str){NULL, 0};
    struct str line = l->items[number - 1];
    line.n = utf8_cut(line, LINE_MAX);
    return arena_copy(to, line);
}

void lines_free(struct lines *l)
{
    for (size_t i = 0; i < l->archive_count; i++) {
        zip_close(l->archives[i].zip);
        buf_free(&l->archives[i].why);
    }
    buf_free(&l->text);
    mem_free(l->items);
    mem_free(l->archives);
    *l = (struct lines){0};
}
