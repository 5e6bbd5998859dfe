/* confine.h - drops privileges before the process reads untrusted files.
 *
 * This limits what an attacker gains from a bug in a reader: the process cannot start programs,
 * use the network, or touch files other than those named here.  Linux: a filter of system calls
 * (seccomp), and Landlock if the kernel has it.  OpenBSD: pledge and unveil.  Nothing happens on
 * other systems, or in builds with sanitizers, whose runtime needs these rights.
 *
 * Name every file that will be opened later, then call confine() once, before any thread is
 * started.  Files that are open stay open. */
#ifndef PROFPIPE_CONFINE_H
#define PROFPIPE_CONFINE_H

/* Allows reading the file PATH, or all files below the folder PATH.  If PATH does not exist yet,
 * allows reading the contents of its parent folder. */
void confine_read(const char *path);

/* Allows reading all files below the parent folder of PATH. */
void confine_read_beside(const char *path);

/* Allows reading everything that the process can read now. */
void confine_read_all(void);

/* Allows reading and writing the file PATH. */
void confine_write(const char *path);

/* Allows creating, removing and renaming files in the parent folder of PATH. */
void confine_replace(const char *path);

/* Allows creating, removing, renaming, reading and writing files and folders in FOLDER. */
void confine_use(const char *folder);

/* The same for the parent folder of PATH. */
void confine_use_beside(const char *path);

/* Drops all other rights.  This cannot be undone. */
void confine(void);

#endif
