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

/* Opens the regular file FILE in FOLDER (empty: FILE is a path) and sets *FOUND to what fstat says
 * of it. Returns -1 if that fails, and sets *WHY unless it does not exist. */
static int open_in(struct str folder, struct str file, struct stat *found, const char **why)
{
    struct buf path = {0};
    buf_add(&path, folder);
    buf_add(&path, folder.n > 0 ? STR("/") : STR(""));
    buf_add(&path, file);
    buf_add(&path, (struct str){"", 1});
    /* do not open devices, which may have effects, or pipes, which may block or wake a writer */
    bool is_other = stat(path.p, found) == 0 && !S_ISREG(found->st_mode);
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
    if (fstat(fd, found) == 0 && S_ISREG(found->st_mode))
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

/* Opens FILE in FOLDER or a parent of it. Result, *FOUND and *WHY are as for open_in. */
static int open_below(struct str folder, struct str file, struct stat *found, const char **why)
{
    int fd = -1;
    for (struct str last = {0}; fd < 0 && !str_equal(folder, last); folder = parent_of(folder)) {
        fd = open_in(folder, file, found, why);
        last = folder;
    }
    return fd;
}

/* The archive PATH, from 1, which is opened if it has not been; 0: it is no regular file. */
static size_t archive_of(struct lines *l, struct str path)
{
    const char *why;
    struct stat found;
    for (size_t i = 0; i < l->archive_count; i++)
        if (str_equal(l->archives[i].path, path))
            return i + 1;
    const int fd = open_in(STR(""), path, &found, &why);
    if (fd < 0)
        return 0;
    struct lines_archive archive = {path, zip_open(fd, &why), {0}};
    if (archive.zip == NULL)
        buf_add(&archive.why, (struct str){why, strlen(why) + 1});
    l->archives =
        mem_array(l->archives, &l->archive_capacity, l->archive_count + 1, sizeof *l->archives);
    l->archives[l->archive_count] = archive;
    return ++l->archive_count;
}

/* A search for a file, and where it has been found last. */
struct lines_place {
    struct str file;    /* the trimmed name */
    struct str folders; /* those to search next */
    const char *why;    /* why it has not been found or read */
    int fd;             /* the open file; -1: none */
    struct zip *zip;    /* the archive that has it, if FD is -1 */
    uint32_t member;    /* its number there */
    uint64_t size;      /* in bytes */
    uint32_t number;    /* in lines.files */
};

/* Closes what PLACE has open, also if memory runs out. */
static void drop(void *place)
{
    struct lines_place *p = place;
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

/* Begins a search for FILE, for find_next; the caller ends it with end_search. */
static struct lines_place *begin_search(const struct lines_search *search, struct str file)
{
    struct lines_place *p = mem_alloc_holder(sizeof *p, drop);
    *p = (struct lines_place){.file = trim(file, search), .why = strerror(ENOENT), .fd = -1};
    if (p->file.n > 0 && memchr(p->file.p, '\0', p->file.n) == NULL)
        p->folders = p->file.p[0] == '/' ? STR("/") : search->folders;
    return p;
}

static void end_search(struct lines_place *p)
{
    drop(p);
    mem_free(p);
}

/* The number of the file INODE of DEVICE, or of the member INODE of ARCHIVE, a number from 1 (0:
 * none). */
static uint32_t file_number(struct lines *l, uint64_t archive, uint64_t device, uint64_t inode)
{
    const uint64_t key[] = {archive, device, inode};
    return intern_add(&l->files, (struct str){(const char *)key, sizeof key}, NULL);
}

/* Whether archive NUMBER has the file of P; says in P where, or why not. */
static bool find_archived(struct lines *l, struct lines_place *p, size_t number)
{
    const struct lines_archive *archive = &l->archives[number - 1];
    p->zip = archive->zip;
    if (p->zip == NULL)
        p->why = archive->why.p;
    p->member = p->zip == NULL ? 0 : zip_find(p->zip, p->file);
    if (p->member == 0)
        return false;
    p->size = zip_size(p->zip, p->member);
    p->number = file_number(l, number, 0, p->member);
    return true;
}

/* The same for FOLDER and its parents. */
static bool find_below(struct lines *l, struct lines_place *p, struct str folder)
{
    struct stat found;
    p->fd = open_below(folder, p->file, &found, &p->why);
    if (p->fd < 0)
        return false;
    p->size = (uint64_t)found.st_size;
    p->number = file_number(l, 0, (uint64_t)found.st_dev, (uint64_t)found.st_ino);
    return true;
}

/* Searches the next folders and archives until one has the file of P; false: none has it. */
static bool find_next(struct lines *l, struct lines_place *p)
{
    struct str folder;
    while (next_item(&p->folders, &folder)) {
        const size_t archive = archive_of(l, folder);
        if (archive > 0 ? find_archived(l, p, archive) : find_below(l, p, folder))
            return true;
    }
    return false;
}

/* Reads all of FD into TO; returns NULL or an error message. */
static const char *read_all(int fd, struct buf *to)
{
    enum { BLOCK = 64 << 10 };
    const char *why = NULL;
    while (why == NULL) {
        ssize_t n = read(fd, buf_reserve(to, BLOCK), BLOCK);
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

static void add_begin(struct lines *l, size_t begin)
{
    l->begins = mem_array(l->begins, &l->capacity, l->count + 1, sizeof *l->begins);
    l->begins[l->count++] = (uint32_t)begin;
}

/* Splits the text of L into lines; there are none if it has a NUL. */
static void split(struct lines *l)
{
    size_t begin = 0;
    l->is_binary = l->text.n > 0 && memchr(l->text.p, '\0', l->text.n) != NULL;
    if (l->is_binary)
        return;
    while (begin < l->text.n) {
        const char *stop = memchr(l->text.p + begin, '\n', l->text.n - begin);
        add_begin(l, begin);
        begin = (stop == NULL ? l->text.n : (size_t)(stop - l->text.p)) + 1;
    }
    add_begin(l, begin); /* of no line */
    l->count--;
}

/* Drops the file that L holds. */
static void clear(struct lines *l)
{
    l->text.n = l->count = 0;
    l->held = 0;
    l->is_binary = false;
}

/* Reads the file that P has found, unless L holds it. Returns whether that worked; otherwise P says
 * why not. Files of size 0 are not read: those of /proc and /sys have content all the same, and
 * reading it may consume it. */
static bool read_found(struct lines *l, struct lines_place *p)
{
    const char *why = NULL;
    if (p->number == l->held)
        return true;
    clear(l);
    if (p->size > FILE_MAX)
        why = TOO_LARGE;
    else if (p->fd < 0)
        why = zip_read(p->zip, p->member, &l->text);
    else if (p->size > 0)
        why = read_all(p->fd, &l->text);
    if (why != NULL) {
        p->why = why;
        return false;
    }
    split(l);
    l->held = p->number;
    return true;
}

const char *lines_read(struct lines *l, const struct lines_search *search, struct str file)
{
    struct lines_place *place = begin_search(search, file);
    bool is_read = false;
    /* a file that is damaged in an archive may be whole in the next folder */
    while (!is_read && place->fd < 0 && find_next(l, place))
        is_read = read_found(l, place);
    const char *why = is_read ? NULL : place->why;
    end_search(place);
    if (!is_read)
        clear(l);
    return is_read && l->is_binary ? "it is no text" : why;
}

uint32_t lines_number(struct lines *l, const struct lines_search *search, struct str file)
{
    struct lines_place *place = begin_search(search, file);
    const uint32_t number = find_next(l, place) ? place->number : 0;
    end_search(place);
    return number;
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

struct str lines_get(const struct lines *l, int64_t number)
{
    if (number < 1 || (uint64_t)number > l->count)
        return (struct str){NULL, 0};
    const uint32_t *begin = &l->begins[number - 1];
    struct str line = {l->text.p + begin[0], begin[1] - begin[0] - 1};
    line.n -= line.n > 0 && line.p[line.n - 1] == '\r';
    line.n = utf8_cut(line, LINE_MAX);
    return line;
}

struct str lines_copy(const struct lines *l, int64_t number, struct arena *to)
{
    const struct str line = lines_get(l, number);
    return line.p == NULL ? line : arena_copy(to, line);
}

void lines_free(struct lines *l)
{
    for (size_t i = 0; i < l->archive_count; i++) {
        zip_close(l->archives[i].zip);
        buf_free(&l->archives[i].why);
    }
    buf_free(&l->text);
    buf_free(&l->unread);
    intern_free(&l->files);
    mem_free(l->begins);
    mem_free(l->archives);
    *l = (struct lines){0};
}
