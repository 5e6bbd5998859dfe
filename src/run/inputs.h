/* inputs.h - the list of a tool's inputs: its operands, or the names in a file. */
#ifndef PROFPIPE_INPUTS_H
#define PROFPIPE_INPUTS_H

#include "base/in.h"

#include <sys/stat.h>

struct inputs;

/* The inputs PATHS, COUNT of them; standard input when there are none.  FILES_FROM, unless NULL,
 * is a file with one name a line instead ("-" for standard input; lines may end in CR LF), or ended
 * by NUL where NUL_ENDED; giving both ends the tool (STATUS_USAGE).  Nothing is opened yet. */
struct inputs *inputs_of(char **paths, int count, const char *files_from, bool nul_ended);

/* The one input IN, which is closed when it has been read. */
struct inputs *inputs_of_one(struct in *in);

/* Puts PATH, which must stay valid, in front of INPUTS, none of which has been opened. */
void inputs_put_first(struct inputs *inputs, const char *path);

/* Ends the tool (STATUS_USAGE) if FILE, which is about to be written, is one of what is left of INPUTS, or their list;
 * what the list names is looked at if WITH_LIST, which reads it whole. */
void inputs_refuse(struct inputs *inputs, const struct stat *file, bool with_list);

/* Leaves out, from here on, inputs that cannot be read or for which CHECK(in, WITH) dies of its input
 * (attempt.h): says what is wrong with them and goes on.  CHECK reads and closes an input that is held
 * meanwhile; it is then handed out as if it had just been opened.  Ends the tool (STATUS_INPUT)
 * where nothing is left. */
void inputs_keep_going(struct inputs *inputs, void (*check)(struct in *in, void *with), void *with);

/* Says how many inputs were left out; false where none was. */
bool inputs_report(const struct inputs *inputs);

/* Opens the next input; NULL after the last.  The caller closes it. */
struct in *inputs_next(struct inputs *inputs);

/* The number of what inputs_next has just returned, from 1, among all that were named: what was left
 * out has one, too. */
size_t inputs_number(const struct inputs *inputs);

/* Whether inputs_next would return another. */
bool inputs_more(struct inputs *inputs);

/* Frees INPUTS. */
void inputs_free(struct inputs *inputs);

#endif
