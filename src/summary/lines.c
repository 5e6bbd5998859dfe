#include "summary/lines.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "profile/naming.h"
#include "rows/text.h"

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

/* --- folders --- */

/* Appends the folder of each source of P that is in another than the current directory, once. */
static void add_folders(struct buf *to, const struct profile *p)
{
    struct intern folders = {0};
    for (size_t i = 0; i < p->source_count; i++) {
        struct str uri = p->sources[i].uri;
        bool is_new;
        while (uri.n > 0 && uri.p[uri.n - 1] != '/')
            uri.n--;
        if (uri.n == 0 || memchr(uri.p, ':', uri.n) != NULL)
            continue;
        intern_add(&folders, uri, &is_new);
        if (!is_new)
            continue;
        buf_add(to, STR(":"));
        buf_add(to, uri);
    }
    intern_free(&folders);
}

struct lines_search lines_search_for(const struct profile *p, const char *source_path,
                                     const char *trim_path, struct buf *held)
{
    enum { FOLDER_MAX = 64 << 10 };
    struct lines_search search = {.prefixes = trim_path == NULL ? STR("") : str_of(trim_path)};
    if (source_path != NULL) {
        search.folders = str_of(source_path);
        return search;
    }
    const char *here = getcwd(buf_reserve(held, FOLDER_MAX), FOLDER_MAX);
    held->n = here == NULL ? 0 : strlen(here);
    if (here == NULL)
        buf_add(held, STR("."));
    add_folders(held, p);
    search.folders = buf_str(held);
    return search;
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

bool lines_try(struct lines *l, const struct lines_search *search, struct str file,
               const char *option)
{
    const char *why = lines_read(l, search, file);
    struct buf text = {0};
    if (why == NULL)
        return true;
    text_escape(&text, file);
    buf_add(&text, STR("\": "));
    buf_add(&text, str_of(why));
    note("%s: \"%.*s", option, STR_ARG(buf_str(&text)));
    if (l->unread_count++ == 0)
        buf_add(&l->unread, buf_str(&text));
    buf_free(&text);
    return false;
}

void lines_warn(const struct lines *l, const char *option)
{
    if (l->unread_count > 0)
        warn(CODE_NOT_SHOWN,
             "%s: %zu source %s could not be read (see --source-path), such as \"%.*s", option,
             l->unread_count, l->unread_count == 1 ? "file" : "files",
             STR_ARG(buf_str(&l->unread)));
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
    buf_free(&l->unread);
    mem_free(l->items);
    mem_free(l->archives);
    *l = (struct lines){0};
}
