/* zip.h - files in a zip archive (APPNOTE 6.3: stored or deflated, at most 4 GiB, not
 * encrypted). */
#ifndef PROFPIPE_ZIP_H
#define PROFPIPE_ZIP_H

#include "base/buf.h"

#include <stdint.h>

struct zip;

/* Reads the list of files of the archive FD, a regular file.  The archive closes FD, also if memory
 * runs out; if it cannot be read, FD is closed at once, the result is NULL, and *WHY the reason,
 * which is valid until the next call. */
struct zip *zip_open(int fd, const char **why);

/* The number of the file NAME; 0: there is none.  If all files are below one folder, NAME may leave
 * that out. */
uint32_t zip_find(const struct zip *z, struct str name);

/* The size of the content of file NUMBER, in bytes. */
uint32_t zip_size(const struct zip *z, uint32_t number);

/* Appends the content of file NUMBER to TO.  Returns NULL, or what is wrong with the file, and then
 * TO may have a part of it. */
const char *zip_read(const struct zip *z, uint32_t number, struct buf *to);

/* Closes Z, unless NULL. */
void zip_close(struct zip *z);

#endif
