/* The results of benchmarks: see bench2ndjson(1) for the rules. */
#include "formats/bench/bench.h"
#include "formats/formats.h"

void bench_name_labels(struct bench *b, struct str name, char between)
{
    for (bool is_first = true; is_first || name.n > 0; is_first = false) {
        const char *slash = name.n == 0 ? NULL : memchr(name.p, '/', name.n);
        const struct str part = {name.p, slash == NULL ? name.n : (size_t)(slash - name.p)};
        const char *middle = part.n == 0 ? NULL : memchr(part.p, between, part.n);
        const size_t key = middle == NULL ? 0 : (size_t)(middle - part.p);
        if (is_first)
            bench_label(b, STR("name"), part, false);
        else if (key > 0)
            bench_label(b, (struct str){part.p, key}, (struct str){middle + 1, part.n - key - 1},
                        false);
        name.p += part.n + (slash != NULL);
        name.n -= part.n + (slash != NULL);
    }
}

/* Whether IN is JSON. */
static bool is_json(struct in *in)
{
    enum { LOOK = 4096 };
    struct str head = in_peek(in, LOOK);
    size_t i = 0;
    while (i < head.n && memchr(" \t\r\n", head.p[i], 4) != NULL)
        i++;
    return i < head.n && head.p[i] == '{';
}

static void read_bench(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct bench b;
    bench_open(&b, in, request, sink);
    if (is_json(in))
        bench_json_read(&b);
    else
        bench_text_read(&b);
    if (b.result_count == 0 && !request->allow_empty)
        die_at((struct place){in_name(in), PLACE_FILE, 0},
               "expected the result of a benchmark, found none");
    bench_push(&b);
    bench_close(&b);
}

static enum bid bid_bench(struct str head)
{
    const enum bid text = bench_text_bid(head), json = bench_json_bid(head);
    return text > json ? text : json;
}

const struct format format_bench = {
    .name = "a benchmark results file",
    .converter = "bench2ndjson",
    .bid = bid_bench,
    .read = read_bench,
    .is_document = true, /* what is set once holds for many results */
};
