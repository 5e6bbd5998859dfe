/* thread.h - threads, and work that runs on another thread while its owner continues. */
#ifndef PROFPIPE_THREAD_H
#define PROFPIPE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Whether the tool may start threads; false at first. */
extern bool thread_allowed;

/* How many threads may read inputs at once (feed/parts.h); 0 at first. */
extern unsigned thread_readers;

/* Sets both, and how malloc serves so many READERS.  Call this before any thread has started. */
void thread_allow(unsigned readers);

/* Starts WORK(WITH) on *THREAD, with all signals blocked but SIGPIPE.  False if the system
 * refuses, or if memory is short. */
bool thread_start(pthread_t *thread, void *(*work)(void *with), void *with);

struct thread_work;

/* Sets up WORK(WITH) for a thread of its own.  WORK must not use memory from mem.h or end the
 * tool.  NULL if there is no thread for it: the owner then does the work itself. */
struct thread_work *thread_work_open(void (*work)(void *with), void *with);

/* Waits until the work is done, if it is running. */
void thread_work_wait(struct thread_work *w);

/* Starts the work once more; the last run must be done. */
void thread_work_begin(struct thread_work *w);

/* Waits, ends the thread and frees W. */
void thread_work_close(struct thread_work *w);

#endif
