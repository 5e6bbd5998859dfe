#include "base/thread.h"

#include "base/mem.h"
#include "base/port.h"

#include <signal.h>
#include <stdlib.h>

bool thread_allowed;
unsigned thread_readers;

void thread_allow(unsigned readers)
{
    thread_readers = readers;
    thread_allowed = readers > 1;
    if (thread_allowed) /* one for each that reads, but for limited addresses */
        port_share_memory(mem_is_limited() ? 1 : readers);
}

bool thread_start(pthread_t *thread, void *(*work)(void *with), void *with)
{
    sigset_t but_pipe, before;
    pthread_attr_t attributes;
    if (mem_is_short() || pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, 1 << 20);
    sigfillset(&but_pipe);
    sigdelset(&but_pipe, SIGPIPE); /* a thread that writes to a closed pipe must get it */
    pthread_sigmask(SIG_SETMASK, &but_pipe, &before);
    bool good = pthread_create(thread, &attributes, work, with) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return good;
}

struct thread_work {
    void (*work)(void *with);
    void *with;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { IDLE, BUSY, QUIT } state;
};

static void *begin(void *with)
{
    struct thread_work *w = with;
    pthread_mutex_lock(&w->lock);
    while (w->state != QUIT) {
        if (w->state == IDLE) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        w->work(w->with);
        pthread_mutex_lock(&w->lock);
        w->state = IDLE;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct thread_work *thread_work_open(void (*work)(void *with), void *with)
{
    struct thread_work *w = thread_allowed ? calloc(1, sizeof *w) : NULL;
    if (w == NULL)
        return NULL;
    w->work = work;
    w->with = with;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    if (thread_start(&w->thread, begin, w))
        return w;
    free(w);
    return NULL;
}

/* Waits until W is idle, and sets its STATE. */
static void set_state(struct thread_work *w, int state)
{
    pthread_mutex_lock(&w->lock);
    while (w->state != IDLE)
        pthread_cond_wait(&w->changed, &w->lock);
    w->state = state;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void thread_work_wait(struct thread_work *w)
{
    set_state(w, IDLE);
}

void thread_work_begin(struct thread_work *w)
{
    set_state(w, BUSY);
}

void thread_work_close(struct thread_work *w)
{
    set_state(w, QUIT);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    free(w);
}
