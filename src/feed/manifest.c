#include "feed/manifest.h"

#include "base/mem.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>

struct manifest {
    struct out *out;
    size_t number;     /* of the input that is being read; 0: none is */
    struct buf line;   /* working memory */
    struct buf behind; /* lines for inputs behind that one */
};

struct manifest *manifest_open(const char *file)
{
    struct manifest *m = mem_alloc_zeroed(sizeof *m);
    m->out = out_open(file);
    out_write(m->out, STR("number\tinput\tstatus\tsources\tsamples\tsha256\n"));
    return m;
}

struct out *manifest_out(const struct manifest *m)
{
    return m->out;
}

static void add_number(struct buf *to, const char *format, uint64_t number)
{
    char text[32];
    buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, format, number)});
}

/* Appends the first fields of a line to TO. */
static void add_start(struct buf *to, size_t number, const char *name, struct str status)
{
    add_number(to, "%" PRIu64 "\t", number);
    text_escape_tabs(to, str_of(name));
    buf_add(to, STR("\t"));
    buf_add(to, status);
}

void manifest_begin(struct manifest *m, size_t number)
{
    m->number = number;
}

void manifest_end(struct manifest *m, const struct manifest_input *input)
{
    const bool is_good = input->code == CODE_DETAIL;
    m->line.n = 0;
    add_start(&m->line, m->number, input->name,
              is_good ? STR("ok") : str_of(code_facts[input->code].word));
    add_number(&m->line, "\t%" PRIu64, input->sources);
    add_number(&m->line, "\t%" PRIu64 "\t", input->samples);
    text_hex(&m->line, (struct str){(const char *)input->digest, sizeof input->digest});
    buf_add(&m->line, STR("\n"));
    out_write(m->out, buf_str(&m->line));
    out_write(m->out, buf_str(&m->behind));
    m->behind.n = 0;
    m->number = 0;
}

void manifest_left_out(struct manifest *m, size_t number, const char *name, enum code code)
{
    m->line.n = 0;
    add_start(&m->line, number, name, str_of(code_facts[code].word));
    buf_add(&m->line, STR("\t\t\t\n"));
    if (m->number > 0)
        buf_add(&m->behind, buf_str(&m->line));
    else
        out_write(m->out, buf_str(&m->line));
}

void manifest_close(struct manifest *m)
{
    out_close(m->out);
    buf_free(&m->line);
    buf_free(&m->behind);
    mem_free(m);
}
