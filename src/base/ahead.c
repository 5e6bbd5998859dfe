#include "base/ahead.h"

#include "base/diag.h"
#include "base/recycle.h"
#include "base/thread.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* The size of one read; and how much may wait for its reader in all: a lot of what is slow to
 * inflate, but of plain data only as much as fits the caches. */
enum { CHUNK = 128 << 10, MAX = 4 << 20, MAX_PLAIN = 1 << 20 };

/* How many descriptors are left for other inputs and temporary files. */
enum { SPARE = 64 };

struct chunk {
    struct chunk *next;
    size_t n, taken;
    uint64_t raw; /* the number of bytes of the file that it comes from */
    char bytes[];
};

struct ahead_file {
    struct ahead_file *next;
    const char *path;
    /* Until the file is opened only the thread knows whether it can be.  While it is RUNNING the
     * thread owns the origin. */
    enum { WAITING, OPENING, RUNNING, STOPPED, SKIPPED } state;
    bool wanted, unwanted; /* the reader waits for it, or no longer needs it */
    struct origin origin;
    struct chunk *chunks, **last;
    uint64_t raw_made, raw_taken; /* raw bytes of the chunks that were read, and of those taken */
};

static struct {
    pthread_t thread;
    bool is_refused, runs, quits;
    bool pauses;  /* the cores have other work */
    bool is_full; /* files are announced in groups: one wake-up for each */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct ahead_file *files, **last; /* announced but not taken, in order */
    size_t count;
    size_t waiting; /* bytes read but not taken */
    size_t max;     /* the limit of these for the file that the thread reads */
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* --- the thread: all of these functions hold the lock, unless they say otherwise --- */

static void changed(void)
{
    pthread_cond_broadcast(&ahead.changed);
}

/* Whether the tool can spare the next file descriptor. */
static bool has_spare(void)
{
    struct rlimit max;
    int fd = 0;
    while (fcntl(fd, F_GETFD) >= 0)
        fd++;
    return getrlimit(RLIMIT_NOFILE, &max) == 0 && (rlim_t)fd + SPARE < max.rlim_cur;
}

static bool is_regular(int result, const struct stat *file)
{
    return result == 0 && S_ISREG(file->st_mode);
}

/* Opens F without the lock if it is a regular file: opening others may block, or have effects. */
static bool open_file(struct ahead_file *f)
{
    struct stat file;
    if (!is_regular(stat(f->path, &file), &file) || !has_spare())
        return false;
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool is_same = is_regular(fstat(fd, &file), &file); /* not replaced since */
    if (is_same) {
        origin_open(&f->origin, fd);
        origin_whole(&f->origin);
    } else {
        close(fd);
    }
    return is_same;
}

/* Reads the next chunk of F without the lock; NULL at the end, or if there is no memory for it. */
static struct chunk *read_chunk(struct ahead_file *f)
{
    struct chunk *c = malloc(sizeof *c + CHUNK);
    size_t n = c == NULL ? 0 : origin_read(&f->origin, c->bytes, CHUNK);
    if (n == 0) {
        free(c);
        return NULL;
    }
    *c = (struct chunk){.n = n, .raw = f->origin.raw_total - f->raw_made};
    f->raw_made = f->origin.raw_total;
    struct chunk *fit = n < CHUNK / 2 ? realloc(c, sizeof *c + n) : c;
    return fit != NULL ? fit : c;
}

/* Reads F, which is open, as far as the limits allow.  Small files that are not gzip are left to
 * the reader: reading them is faster than handing them over. */
static void run_file(struct ahead_file *f)
{
    bool pays = f->origin.whole.p == NULL &&
                (f->origin.packing != ORIGIN_PLAIN || (uint64_t)f->origin.stat.st_size > MAX_PLAIN);
    ahead.max = f->origin.packing != ORIGIN_PLAIN ? MAX : MAX_PLAIN;
    while (pays && !f->unwanted && !ahead.quits) {
        if (ahead.waiting >= ahead.max) {
            pthread_cond_wait(&ahead.changed, &ahead.lock);
            continue;
        }
        pthread_mutex_unlock(&ahead.lock);
        struct chunk *c = read_chunk(f);
        pthread_mutex_lock(&ahead.lock);
        if (c == NULL)
            return;
        *f->last = c;
        f->last = &c->next;
        ahead.waiting += c->n;
        changed();
    }
}

static void take_file(struct ahead_file *f)
{
    f->state = OPENING;
    pthread_mutex_unlock(&ahead.lock);
    bool good = open_file(f);
    pthread_mutex_lock(&ahead.lock);
    if (good) {
        ahead.waiting += f->origin.whole.n;
        f->state = RUNNING;
        changed();
        run_file(f);
    }
    f->state = good ? STOPPED : SKIPPED;
    changed();
}

/* The next file that may be opened now, or NULL. */
static struct ahead_file *next_waiting(void)
{
    struct ahead_file *f = ahead.files;
    while (f != NULL && f->state != WAITING)
        f = f->next;
    return f != NULL && (f->wanted || ahead.waiting < MAX) ? f : NULL;
}

static void *work(void *unused)
{
    pthread_mutex_lock(&ahead.lock);
    while (!ahead.quits) {
        struct ahead_file *f = next_waiting();
        if (f != NULL)
            take_file(f);
        else
            pthread_cond_wait(&ahead.changed, &ahead.lock);
    }
    pthread_mutex_unlock(&ahead.lock);
    return unused;
}

/* --- the reader --- */

static bool start(void)
{
    ahead.last = &ahead.files;
    ahead.quits = false;
    ahead.max = MAX;
    ahead.runs = thread_start(&ahead.thread, work, NULL);
    ahead.is_refused = !ahead.runs;
    return ahead.runs;
}

bool ahead_has_room(void)
{
    return thread_allowed && diag_leave == NULL && !ahead.pauses && !ahead.is_refused &&
           !ahead.is_full;
}

void ahead_announce(const char *path)
{
    bool runs = ahead.runs || (thread_allowed && start());
    struct ahead_file *f = runs ? calloc(1, sizeof *f) : NULL;
    if (f == NULL)
        return;
    f->path = path;
    f->last = &f->chunks;
    pthread_mutex_lock(&ahead.lock);
    *ahead.last = f;
    ahead.last = &f->next;
    ahead.is_full |= ++ahead.count == AHEAD_FILES;
    changed();
    pthread_mutex_unlock(&ahead.lock);
}

/* Counts N bytes as taken.  The thread may have waited for that; it is woken when half of the
 * bytes are gone. */
static void taken(size_t n)
{
    bool was_full = ahead.waiting >= ahead.max / 2;
    ahead.waiting -= n;
    if (was_full && ahead.waiting < ahead.max / 2)
        changed();
}

/* Removes the first file from the list; if it was read whole, its bytes count as taken. */
static struct ahead_file *take_first(void)
{
    struct ahead_file *f = ahead.files;
    ahead.files = f->next;
    if (ahead.files == NULL)
        ahead.last = &ahead.files;
    ahead.is_full &= --ahead.count > AHEAD_FILES / 2;
    if (f->state != SKIPPED)
        taken(f->origin.whole.n);
    return f;
}

/* Frees F, which the thread no longer uses. */
static void free_file(struct ahead_file *f)
{
    for (struct chunk *c = f->chunks, *next; c != NULL; c = next) {
        next = c->next;
        taken(c->n - c->taken);
        free(c);
    }
    if (f->state == STOPPED)
        origin_close(&f->origin);
    free(f);
}

struct ahead_file *ahead_take(const char *path)
{
    if (!ahead.runs || ahead.files == NULL || strcmp(ahead.files->path, path) != 0)
        return NULL;
    pthread_mutex_lock(&ahead.lock);
    struct ahead_file *f = ahead.files;
    while (f->state == WAITING || f->state == OPENING) {
        if (!f->wanted)
            changed();
        f->wanted = true;
        pthread_cond_wait(&ahead.changed, &ahead.lock);
    }
    take_first();
    bool is_open = f->state != SKIPPED;
    pthread_mutex_unlock(&ahead.lock);
    if (is_open)
        return f;
    free(f);
    return NULL;
}

const struct origin *ahead_origin(const struct ahead_file *f)
{
    return &f->origin;
}

/* Copies the rest of the first chunk of F, at most N bytes. */
static size_t take_chunk(struct ahead_file *f, char *to, size_t n)
{
    struct chunk *c = f->chunks;
    size_t left = c->n - c->taken;
    if (n > left)
        n = left;
    memcpy(to, c->bytes + c->taken, n);
    c->taken += n;
    taken(n);
    if (c->taken < c->n)
        return n;
    f->raw_taken += c->raw;
    f->chunks = c->next;
    if (f->chunks == NULL)
        f->last = &f->chunks;
    free(c);
    return n;
}

size_t ahead_read(struct ahead_file *f, char *to, size_t n, uint64_t *raw)
{
    pthread_mutex_lock(&ahead.lock);
    while (f->chunks == NULL && f->state == RUNNING)
        pthread_cond_wait(&ahead.changed, &ahead.lock);
    bool is_ahead = f->chunks != NULL;
    if (is_ahead)
        n = take_chunk(f, to, n);
    pthread_mutex_unlock(&ahead.lock);
    if (!is_ahead) {
        n = origin_read(&f->origin, to, n);
        f->raw_taken = f->origin.raw_total;
    }
    *raw = f->raw_taken;
    return n;
}

void ahead_close(struct ahead_file *f)
{
    pthread_mutex_lock(&ahead.lock);
    f->unwanted = true;
    if (f->state == RUNNING)
        changed();
    while (f->state == RUNNING)
        pthread_cond_wait(&ahead.changed, &ahead.lock);
    free_file(f);
    pthread_mutex_unlock(&ahead.lock);
}

/* Ends the thread first, so the rest needs no lock. */
static void stop(void)
{
    pthread_mutex_lock(&ahead.lock);
    ahead.quits = true;
    changed();
    pthread_mutex_unlock(&ahead.lock);
    pthread_join(ahead.thread, NULL);
    while (ahead.files != NULL)
        free_file(take_first());
    ahead.runs = false;
}

void ahead_pause(bool pauses)
{
    ahead.pauses = pauses;
}

void ahead_stop(void)
{
    if (diag_leave != NULL)
        return;
    if (ahead.runs)
        stop();
    recycle_free();
}
