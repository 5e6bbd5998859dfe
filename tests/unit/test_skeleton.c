/* The skeletons that a new format and a new filter are copied from do what they say. */
#include "filters/filters.h"
#include "job.h"
#include "rows/emit.h"
#include "run/inputs.h"
#include "run/run.h"
#include "stream/emitter.h"
#include "tap.h"

static void read_names(void *with)
{
    struct job *job = with;
    struct in *in = in_open_bytes("names", job->input, 3);
    struct out *out = out_open_buf(&job->out);
    struct flow flow = {0};
    struct emitter emitter = emitter_of(&flow, out);
    sink_begin(&emitter.sink);
    format_skeleton.read(in, &job->read, &emitter.sink);
    sink_end(&emitter.sink, false);
    value_types_free(&flow.types);
    in_close(in);
    out_close(out);
}

static void test_format(void)
{
    struct job names = {.input = STR("f\ng \"h\"\nf\n")};
    struct str rows = job_result(read_names, &names);
    struct job again = {.input = rows};
    struct str merged = job_result(job_profcat, &again);
    ok(str_equal(rows, merged), "the format: its rows are a canonical profile");
    const struct str third = STR("\"sample_id\":3,\"depth\":1,\"location_id\":1}");
    ok(memmem(rows.p, rows.n, third.p, third.n) != NULL,
       "the third sample has the first one's function");
    str_free(rows);
    str_free(merged);

    struct job empty_line = {.input = STR("f\n\n")};
    ok(survive(read_names, &empty_line) == STATUS_INPUT && said.where.at == 2, "an error: %s",
       said.message);
    tidy();
}

static void strip_labels(void *with)
{
    struct job *job = with;
    struct inputs *inputs = inputs_of_one(in_open_bytes("input", job->input, 7));
    struct out *out = out_open_buf(&job->out);
    run(&filter_skeleton, NULL, inputs, &(struct feed_request){0}, out);
    out_close(out);
    inputs_free(inputs);
}

#define PROFILE(labels, more)                                                                      \
    "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true}\n"                  \
    "{\"table\":\"samples\",\"sample_id\":7,\"source_id\":9" labels ",\".x\":1}\n"                 \
    "{\"table\":\".end\"" more "}\n"

static void test_filter(void)
{
    struct job job = {.input = STR(PROFILE(",\".labels\":[]", ",\"more\":true") PROFILE("", ""))};
    struct str found = job_result(strip_labels, &job);
    is(found, STR(PROFILE("", ",\"more\":true") PROFILE("", "")),
       "the filter: labels go; the borders of profiles, and all else, stay");
    str_free(found);
}

int main(void)
{
    test_format();
    test_filter();
    return tap_done();
}
