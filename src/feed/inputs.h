/* inputs.h - the inputs of a tool: its operands, or names listed in a file. */
#ifndef PROFPIPE_INPUTS_H
#define PROFPIPE_INPUTS_H

#include "base/in.h"
#include "feed/manifest.h"

#include <sys/stat.h>

struct inputs;

/* The COUNT inputs PATHS; standard input if there are none.  Instead, FILES_FROM, unless NULL,
 * is a file with one name per line ("-" for standard input; lines may end in CR LF), or with
 * names ended by NUL if NUL_ENDED.  Giving both ends the tool (STATUS_USAGE).  Does not open any
 * input yet. */
struct inputs *inputs_of(char **paths, int count, const char *files_from, bool nul_ended);

/* No input at all. */
struct inputs *inputs_of_none(void);

/* The one input IN, with its NUMBER, from 1, among those that were named; it is closed after it is
 * read. */
struct inputs *inputs_of_one(struct in *in, size_t number);

/* Adds PATH, which must stay valid, before all INPUTS; none may be open yet. */
void inputs_put_first(struct inputs *inputs, const char *path);

/* Ends the tool (STATUS_USAGE) if PATH, "-" for standard input, is FILE, which is about to be written. */
void inputs_refuse_path(const char *path, const struct stat *file);

/* Ends the tool (STATUS_USAGE) if FILE, which is about to be written, is one of the INPUTS still
 * to be read, or the file that lists them.  Files in the list are checked only if WITH_LIST,
 * which reads all of it. */
void inputs_refuse(struct inputs *inputs, const struct stat *file, bool with_list);

/* From now on skips inputs that cannot be opened, and those for which CHECK(in, number, WITH) ends
 * in an error of the input (attempt.h); the error is printed.  CHECK reads and closes its input,
 * which is kept and then returned as if just opened.  Ends the tool (STATUS_INPUT) if no input is
 * left. */
void inputs_keep_going(struct inputs *inputs,
                       void (*check)(struct in *in, size_t number, void *with), void *with);

/* Has the inputs that are skipped listed in MANIFEST, which must outlive INPUTS. */
void inputs_list_skipped(struct inputs *inputs, struct manifest *manifest);

/* For --follow (follow.h): the last of INPUTS goes on at its end, if its format is one of lines. */
void inputs_follow(struct inputs *inputs);

/* For --follow: INPUTS, of none so far, are the files that appear in FOLDER (folder.h), each once
 * CHECK, as above, finds it whole. There is always another until the user interrupts. */
void inputs_follow_folder(struct inputs *inputs, const char *folder,
                          void (*check)(struct in *in, size_t number, void *with), void *with);

/* Whether the input that inputs_next returned last goes on at its end. */
bool inputs_go_on(struct inputs *inputs);

/* Reports how many inputs were skipped, if any. */
void inputs_report(const struct inputs *inputs);

/* Opens the next input; NULL after the last.  The caller closes it. */
struct in *inputs_next(struct inputs *inputs);

/* The number of the input that inputs_next returned last, from 1, among all inputs that were
 * named, skipped ones included. */
size_t inputs_number(const struct inputs *inputs);

/* Whether inputs_next would return another. */
bool inputs_more(struct inputs *inputs);

/* Sets *PATHS to the inputs still to be read, and returns how many they are, if all are operands,
 * or names in a list of a moderate size, that are read one after the other; otherwise 0. */
size_t inputs_operands(struct inputs *inputs, char ***paths);

/* Of these, puts all but the first COUNT off until inputs_resume; returns how many those are. */
size_t inputs_put_off(struct inputs *inputs, size_t count);

/* Once all others are read: counts the first COUNT of those as read, too. */
void inputs_skip(struct inputs *inputs, size_t count);

/* Has the first COUNT of those read after all. */
void inputs_resume(struct inputs *inputs, size_t count);

/* The COUNT inputs PATHS; the first has the NUMBER among all. */
struct inputs *inputs_run(char **paths, size_t count, size_t number);

/* Frees INPUTS. */
void inputs_free(struct inputs *inputs);

#endif
