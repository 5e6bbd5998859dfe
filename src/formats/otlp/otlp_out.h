/* otlp_out.h - writes a message of OTLP from the outside in, as protobuf or as OTLP/JSON. */
#ifndef PROFPIPE_OTLP_OUT_H
#define PROFPIPE_OTLP_OUT_H

#include "base/buf.h"
#include "base/out.h"
#include "formats/otlp/otlp_messages.h"

/* A message that is open. */
struct otlp_level {
    enum otlp_message message;
    bool has_member;               /* in JSON: a comma comes before the next */
    const struct otlp_field *list; /* in JSON: the list that is open; NULL: none */
    struct wire rest;              /* in JSON: what is still to be printed of it */
};

struct otlp_out {
    struct out *out;
    bool is_json;
    struct otlp_level *levels;
    size_t depth, capacity;
    struct buf text; /* not yet written */
};

/* Starts writing a message of OTLP_DATA to OUT, with a line feed behind it if it IS_JSON. */
struct otlp_out otlp_out_begin(struct out *out, bool is_json);

/* Opens the message NUMBER of the one that is open; it will have SIZE bytes. Messages of a list must
 * follow each other. */
void otlp_out_open(struct otlp_out *o, unsigned number, uint64_t size);

/* Adds FIELDS, in binary form, to the message that is open. Items of a list must follow each
 * other. */
void otlp_out_add(struct otlp_out *o, struct str fields);

/* Adds CONTENT as the message or string NUMBER. */
void otlp_out_put(struct otlp_out *o, unsigned number, struct str content);

void otlp_out_close(struct otlp_out *o);

/* Ends the message of OTLP_DATA, and frees what O holds. */
void otlp_out_end(struct otlp_out *o);

/* How many bytes a message of SIZE bytes takes in another one. */
uint64_t otlp_out_size(uint64_t size);

#endif
