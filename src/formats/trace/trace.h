/* trace.h - traces of Chrome, in a compact form: trace_events.c reads the file into it, trace_v8.c
 * the profiles of V8 in it, trace_nest.c finds which span is in which, trace_push.c pushes rows.
 * See trace2ndjson(1) for the rules. */
#ifndef PROFPIPE_TRACE_H
#define PROFPIPE_TRACE_H

#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"
#include "formats/v8_profile.h"

/* What an event is. The end of a span has no place: only spans and samples do. */
enum trace_kind {
    TRACE_BEGIN,
    TRACE_END,
    TRACE_SPAN, /* both in one; begins become spans */
    TRACE_SAMPLE,
    TRACE_LEVEL, /* of a counter */
};

/* The maximum number of places, of names and of types of counters, and the maximum weight. */
enum { TRACE_MAX = (1 << 29) - 1 };

/* An event. Numbers count from 1, 0: none; threads from 0. Times are in nanoseconds. */
struct trace_event {
    int64_t at;
    int64_t value; /* of a span, its time and then its own time; of a sample, its time */
    uint32_t thread;
    uint32_t kind : 3;
    uint32_t what : 29; /* of a span, its place; of its end, its name; of a sample, its weight; of a
                           level, the type */
    uint32_t details;   /* labels: a text */
    uint32_t outer;     /* of a span, the one that it is in; of a sample, its frame; of a level, its
                       value: a text */
};

/* Where a span or a frame is; it is a key. Texts are numbers. */
struct trace_place {
    uint32_t name, file, category, unused;
    int64_t start_line, line; /* 0: not known */
};

struct trace_thread {
    uint32_t pid, tid, name; /* texts */
    uint32_t label;          /* a text: its labels, each behind a comma */
};

/* A frame of the list of frames that samples name. */
struct trace_frame {
    struct tokens_place where; /* where it is first named */
    uint32_t place;            /* 0: it has not been read so far */
    uint32_t parent;
    uint32_t depth; /* of its stack; 0: not known so far */
};

struct trace_profile {
    struct v8_profile v8;
    struct tokens_place where; /* of its first event */
    uint32_t thread;
    bool is_begun; /* the event that says the thread was there */
    int64_t last;  /* time of the last piece */
};

/* Whether P has any nodes or samples: all pieces with nodes may be lost. */
static inline bool trace_has_any(const struct trace_profile *p)
{
    return p->v8.has_tree || p->v8.sample_count > 0;
}

struct trace {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct buf text, scratch, extra;

    struct trace_event *events;
    size_t count, capacity;
    struct intern texts;
    struct intern places;
    struct intern threads; /* keys: texts of pid and tid */
    struct trace_thread *thread;
    size_t thread_capacity;
    /* The last of each, which is most often the next one, too. */
    struct {
        uint32_t pid, tid, number;
    } last_thread;
    struct {
        uint32_t cat, details;
    } last_cat;
    uint32_t *process; /* by text of the pid: text of the name of the process, and of its labels */
    uint32_t *process_labels;
    size_t process_capacity, process_labels_capacity;
    struct intern types; /* names of counters with their series */
    bool has[TRACE_LEVEL + 1];

    struct intern frame_ids;
    struct trace_frame *frames;
    size_t frame_capacity;

    struct intern profile_ids;
    struct trace_profile *profiles;
    size_t profile_count, profile_capacity;
    struct v8_frames v8;
    struct spools *spools;

    struct buf others; /* members of the file that rows have no columns for */
    int64_t zero;      /* the first time */
    struct tokens_place end;
};

/* The number of TEXT. */
static inline uint32_t trace_text(struct trace *t, struct str text)
{
    return text.n == 0 ? 0 : intern_add(&t->texts, text, NULL);
}

static inline struct str trace_text_of(const struct trace *t, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&t->texts, number);
}

static inline struct trace_place trace_place_of(const struct trace *t, uint32_t number)
{
    struct trace_place place;
    memcpy(&place, intern_get(&t->places, number).p, sizeof place);
    return place;
}

/* The number of PLACE; ends the tool if there are too many. */
uint32_t trace_place(struct trace *t, const struct trace_place *place);

/* The number of the thread with those texts. */
uint32_t trace_thread(struct trace *t, uint32_t pid, uint32_t tid);

/* Reads the whole file. */
void trace_read_events(struct trace *t);

/* Reads a piece of a profile of V8, the `data` of the event NAME of that THREAD, AT: an object, the
 * current token of JSON. ID says which profile of the process it is, or, if it is whole, of the thread. */
void trace_read_v8(struct trace *t, struct tokens *json, struct str name, uint32_t id,
                   uint32_t thread, int64_t at);

/* The same for DATA that was copied, from WHERE: where it stands in front of what the event says. */
void trace_read_kept_v8(struct trace *t, struct str data, struct tokens_place where,
                        struct str name, uint32_t id, uint32_t thread, int64_t at);

/* Ends all profiles of V8. */
void trace_finish_v8(struct trace *t);

/* Joins begins and ends, and finds the span around each span, and the times of all by themselves.
 * Then events are ordered by threads and times. */
void trace_nest(struct trace *t);

/* Whether spans or samples have values of the type NAME. */
bool trace_has_type(struct str name);

/* Pushes all rows. */
void trace_push(struct trace *t, const char *uri);

#endif
