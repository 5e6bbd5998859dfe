/* folder.h - the files that appear in a folder (profsum --follow). */
#ifndef PROFPIPE_FOLDER_H
#define PROFPIPE_FOLDER_H

struct folder;

/* Watches the folder PATH, which must stay valid. */
struct folder *folder_open(const char *path);

/* The path of the next file in F, valid until folder_close: one that is not empty, whose name does
 * not begin with '.', and which has not changed for a second. Each is returned once, those that
 * appear together by name. NULL: there is none now. Ends the tool (STATUS_SYSTEM) if the folder
 * cannot be read. */
const char *folder_next(struct folder *f);

/* Says that the file which was returned last is not whole: it comes again when it has changed. */
void folder_refuse(struct folder *f);

/* Warns of files that were refused and have not changed. */
void folder_report(const struct folder *f);

void folder_close(struct folder *f);

#endif
