/* The skeletons that a new format and a new filter are copied from do what they say. */
#include "feed/inputs.h"
#include "feed/run.h"
#include "filters/filters.h"
#include "job.h"
#include "rows/emit.h"
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

static void write_names(void *with)
{
    struct job *job = with;
    struct inputs *inputs = inputs_of_one(in_open_bytes("rows", job->input, 7), 1);
    struct out *out = out_open_buf(&job->out);
    run_stage(format_skeleton.writer, NULL, inputs, &(struct feed_request){0}, out);
    out_close(out);
    inputs_free(inputs);
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
    struct job written = {.input = rows};
    struct str text = job_result(write_names, &written);
    is(text, names.input, "its writer makes of them what was read");
    str_free(text);
    str_free(rows);
    str_free(merged);

    struct job empty_line = {.input = STR("f\n\n")};
    ok(survive(read_names, &empty_line) == STATUS_INPUT && said.where.at == 2, "an error: %s",
       said.message);
    tidy();
}

/* The skeleton of a filter, copied, with a line that leaves out samples of fewer than 2 frames (meson.build). */
extern const struct stage filter_short;

static void filter(const struct stage *stage, struct job *job)
{
    struct inputs *inputs = inputs_of_one(in_open_bytes("input", job->input, 7), 1);
    struct out *out = out_open_buf(&job->out);
    run_stage(stage, NULL, inputs, &(struct feed_request){0}, out);
    out_close(out);
    inputs_free(inputs);
}

static void strip_labels(void *with)
{
    filter(&filter_skeleton, with);
}

static void leave_out_short(void *with)
{
    filter(&filter_short, with);
}

#define META "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true}\n"
#define SOURCE(id)                                                                                 \
    "{\"table\":\"sources\",\"source_id\":" id                                                     \
    ",\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}\n"
#define FUNCTION(id, name)                                                                         \
    "{\"table\":\"functions\",\"function_id\":" id ",\"name\":\"" name                             \
    "\",\"system_name\":\"" name "\",\"filename\":\"\",\"start_line\":0}\n"                        \
    "{\"table\":\"locations\",\"location_id\":" id ",\"function_id\":" id ",\"line\":0}\n"
#define SAMPLE(id, source, columns)                                                                \
    "{\"table\":\"samples\",\"sample_id\":" id ",\"source_id\":" source columns "}\n"              \
    "{\"table\":\"sample_values\",\"sample_id\":" id                                               \
    ",\"type\":\"samples\",\"unit\":\"count\",\"value\":1}\n"
#define FRAME(id, depth, location)                                                                 \
    "{\"table\":\"sample_locations\",\"sample_id\":" id ",\"depth\":" depth                        \
    ",\"location_id\":" location "}\n"
#define NOTE(id) "{\"table\":\".notes\",\"sample_id\":" id ",\"of\":" id "}\n"
#define END(more) "{\"table\":\".end\"" more "}\n"

#define LABELED(labels, more) META SOURCE("1") SAMPLE("1", "1", labels ",\".x\":1") END(more)

static void test_filter(void)
{
    struct job job = {.input = STR(LABELED(",\".labels\":[]", ",\"more\":true") LABELED("", ""))};
    struct str found = job_result(strip_labels, &job);
    is(found, STR(LABELED("", ",\"more\":true") LABELED("", "")),
       "the filter: labels go; the borders of profiles, and all else, stay");
    str_free(found);
}

static void test_leaving_out(void)
{
    struct job job = {.input = STR(META SOURCE("1") FUNCTION("1", "f") FUNCTION("2", "g") /**/
                                   SAMPLE("1", "1", "") FRAME("1", "1", "1") NOTE("1")    /**/
                                   SAMPLE("2", "1", "") FRAME("2", "1", "2") FRAME("2", "2", "2")
                                       NOTE("2") END(""))};
    struct str found = job_result(leave_out_short, &job);
    is(found,
       STR(META SOURCE("1") FUNCTION("1", "g") SAMPLE("1", "1", "") FRAME("1", "1", "1")
               FRAME("1", "2", "1") "{\"table\":\".notes\",\"sample_id\":1,\"of\":2}\n" END("")),
       "a filter that leaves samples out: what refers to them goes, and what they alone use");
    struct job rows = {.input = found};
    ok(survive(job_profvalidate_all, &rows) == 0, "which is valid");
    tidy();
    str_free(found);

    size_t count, valid = 0;
    const struct sample_file *files = samples(&count);
    for (size_t i = 0; i < count; i++) {
        struct job file = {.input = files[i].rows};
        struct job left = {.input = job_result(leave_out_short, &file)};
        valid += survive(job_profvalidate_all, &left) == 0;
        tidy();
        str_free(left.input);
    }
    ok(count > 0 && valid == count, "and so is what it leaves of all samples of R");
}

int main(void)
{
    test_format();
    test_filter();
    test_leaving_out();
    return tap_done();
}
