/* confine.h - what a process gives up before it reads what a stranger made.
 *
 * A fault in a reader, should there be one, is then of less use to who wrote the file: no program is started,
 * nothing is sent, and no file is touched but those that were named. On Linux this takes a filter of
 * system calls (seccomp) and, where the kernel has it, Landlock; on OpenBSD pledge and unveil. Elsewhere, and in builds
 * with sanitizers, whose runtime needs what is given up, nothing happens.
 *
 * First all is named that will still be opened, then confine() is called, once, before there is another
 * thread: what is open stays so. */
#ifndef PROFPIPE_CONFINE_H
#define PROFPIPE_CONFINE_H

/* May be read: the file PATH, or all files below the folder PATH.  Where there is nothing of that name yet, what
 * is in the folder where it would be. */
void confine_read(const char *path);

/* May be read: all files below the folder where PATH is. */
void confine_read_beside(const char *path);

/* May be read: whatever could be read before. */
void confine_read_all(void);

/* May be read and written: the file PATH. */
void confine_write(const char *path);

/* May be made, removed and renamed: files in the folder where PATH is or will be. */
void confine_replace(const char *path);

/* May be made, removed, renamed, read and written: what is in the folder FOLDER, folders among it. */
void confine_use(const char *folder);

/* The same for the folder where PATH is. */
void confine_use_beside(const char *path);

/* Gives up all else, for good. */
void confine(void);

#endif
