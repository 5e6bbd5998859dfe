/* callgrind_text.h - the lines of files that Callgrind writes, which Xdebug writes with another
 * meaning: names and their numbers, events, and numbers. */
#ifndef PROFPIPE_CALLGRIND_TEXT_H
#define PROFPIPE_CALLGRIND_TEXT_H

#include "base/idmap.h"
#include "base/intern.h"
#include "formats/format.h"
#include "rows/source_kind.h"

/* The kinds of names, each with numbers of its own. */
enum callgrind_text_space {
    CALLGRIND_OBJECTS,
    CALLGRIND_FILES,
    CALLGRIND_FUNCTIONS,
    CALLGRIND_SPACES,
};

struct callgrind_text_names {
    struct intern strings;
    struct idmap ids; /* the numbers in the file, plus 1, to places in OF, from 1 */
    uint32_t *of;     /* the strings that they stand for now */
    size_t count, capacity;
};

/* A type of values, as an event names it. */
struct callgrind_text_type {
    struct str name, unit; /* bytes; the name is never empty */
    int64_t factor;        /* one of the event in that unit */
};

/* An event of a part. */
struct callgrind_text_event {
    uint32_t self, inclusive; /* the numbers of its types */
    int64_t factor;
};

struct callgrind_text {
    struct in *in;
    const struct read_request *request;
    struct flow *flow;
    struct place where;
    bool may_be_negative; /* costs */
    bool is_whole;        /* its producer ends each line: a last line without an end is skipped */

    /* of the last "events:" */
    struct callgrind_text_event *events;
    size_t event_count, event_capacity;
    uint32_t calls;   /* the number of the type that counts calls */
    struct buf types; /* all of them, as the items of `.value_types` */

    /* private */
    struct str window; /* what is left of the whole lines in view */
    size_t window_size;
    struct callgrind_text_names names[CALLGRIND_SPACES];
    struct intern described; /* events whose unit is said elsewhere, */
    const char **units;      /* and that unit */
    size_t unit_capacity;
    struct buf text, scratch;
};

/* Starts to read IN, which must outlive it, as REQUEST says. FLOW is that of the sink. */
struct callgrind_text callgrind_text_open(struct in *in, const struct read_request *request,
                                          struct flow *flow);

/* Consumes what was read, and frees what T holds. */
void callgrind_text_close(struct callgrind_text *t);

/* Stores the next line in *LINE, and its place in T->where; false at the end. Warns of a line without an end, or with `strict` ends the tool (STATUS_INPUT). */
bool callgrind_text_next(struct callgrind_text *t, struct str *line);

/* Ends the tool (STATUS_INPUT): at the line, EXPECTED was expected, and FOUND, bytes, is there. */
_Noreturn void callgrind_text_die(const struct callgrind_text *t, const char *expected,
                                  struct str found);

/* Splits LINE, of the form `KEY=TEXT` or `KEY:TEXT`, where a key has lower-case letters; returns
 * the character between them, or 0 if it has another form. */
char callgrind_text_split(struct str line, struct str *key, struct str *text);

/* Takes the next word off *TEXT; empty at its end. */
struct str callgrind_text_word(struct str *text);

/* Takes blanks off *TEXT; false if nothing is left. */
bool callgrind_text_more(struct str *text);

/* Takes a number, decimal or in hexadecimal after 0x, off *TEXT; false if there is none, or none
 * of 64 bits. */
bool callgrind_text_number(struct str *text, uint64_t *number);

/* The number of the name in SPACE that TEXT has, `NAME`, or refers to, `(1)`; it defines what it
 * refers to if it has both. 0: the name is not known. */
uint32_t callgrind_text_name(struct callgrind_text *t, enum callgrind_text_space space,
                             struct str text);

/* The number of NAME, bytes, in SPACE; 0 if it is empty. */
uint32_t callgrind_text_number_of(struct callgrind_text *t, enum callgrind_text_space space,
                                  struct str name);

/* From now on `(ID)` stands for NAME in SPACE. */
void callgrind_text_define(struct callgrind_text *t, enum callgrind_text_space space, uint64_t id,
                           struct str name);

/* The bytes of the name NUMBER; empty for 0. */
struct str callgrind_text_name_at(const struct callgrind_text *t, enum callgrind_text_space space,
                                  uint32_t number);

/* The type of the event NAME, a word: `Time_(10ns)` and `cpu(ms)` say their unit, all others count
 * something. */
struct callgrind_text_type callgrind_text_type(struct str name);

/* Whether UNIT, in such a name, has another meaning: as `ns`. */
bool callgrind_text_is_unit(struct str unit);

/* The event NAME has UNIT, a literal, where its name says none. */
void callgrind_text_describe(struct callgrind_text *t, struct str name, const char *unit);

/* Sets the events to NAMES, words: each is a type, and with `inclusive_` in front one that includes
 * what was called. `calls` is the first type of all. */
void callgrind_text_events(struct callgrind_text *t, struct str names);

/* Sets COSTS, which has room for one of each event, to those in LINE, in units of their types, and
 * returns how many these are: LINE may lack the last ones. */
size_t callgrind_text_costs(const struct callgrind_text *t, struct str line, int64_t *costs);

/* Gives each of the lines in the member LINES of FACTS to TAKE, with TO: for the `facts` of a source
 * kind (rows/source_kind.h). */
void callgrind_text_facts(const struct members *facts, enum member_id lines,
                          void (*take)(struct source_facts *to, struct str line),
                          struct source_facts *to);

/* Such a TAKE: the command, the producer, and the first event, which is shown by default. */
void callgrind_text_fact(struct source_facts *to, struct str line);

#endif
