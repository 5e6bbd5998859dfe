/* thread.h - further threads, and a piece of work that is done on one while its owner goes on. */
#ifndef PROFPIPE_THREAD_H
#define PROFPIPE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Whether there may be others than the one that began; false at first. */
extern bool thread_allowed;

/* Starts RUN(WITH) on *THREAD, where signals do not end up but for SIGPIPE; false where the system
 * refuses, or leaves little memory to the tool. */
bool thread_start(pthread_t *thread, void *(*work)(void *with), void *with);

struct thread_work;

/* Work of WORK(WITH), which must not use what mem.h gives, nor end the tool.  NULL where there is no
 * thread for it: its owner does it. */
struct thread_work *thread_work_open(void (*work)(void *with), void *with);

/* Waits until the work is done, if it goes on. */
void thread_work_wait(struct thread_work *w);

/* Lets the work be done once more, after the last one. */
void thread_work_begin(struct thread_work *w);

/* Waits, ends the thread and frees W. */
void thread_work_close(struct thread_work *w);

#endif
