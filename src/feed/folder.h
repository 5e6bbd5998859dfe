/* folder.h - the files that appear in a folder (profsum --follow). */
#ifndef PROFPIPE_FOLDER_H
#define PROFPIPE_FOLDER_H

#include <stdbool.h>

struct folder;

/* Watches the folder PATH, which must stay valid. */
struct folder *folder_open(const char *path);

/* The path of the next file in F, valid until folder_close: one that is not empty, whose name does
 * not begin with '.', and which has not changed for a second. Each is returned once, those that
 * appear together by name. NULL: there is none now. */
const char *folder_next(struct folder *f);

/* Says that the file which was returned last is not whole: it comes again when it has changed. */
void folder_refuse(struct folder *f);

/* Whether the folder can no longer be read, which has been reported and makes the tool fail
 * (STATUS_SYSTEM). */
bool folder_is_gone(const struct folder *f);

/* The path of the first file by name that was refused and has not changed; NULL: none was. */
const char *folder_refused(const struct folder *f);

/* Warns of files that were never returned, or refused, and of those that have changed since. */
void folder_report(const struct folder *f);

void folder_close(struct folder *f);

#endif
