#include "page/page.h"

#include "page/visible.h"

/* Writes a directive of the policy with the hashes of ASSETS, if there are any. */
static void write_hashes(struct out *out, struct str directive,
                         const struct page_asset *const *assets)
{
    for (size_t i = 0; i < PAGE_ASSETS_MAX && assets[i] != NULL; i++) {
        out_write(out, i == 0 ? directive : STR(""));
        out_write(out, STR(" '"));
        out_write(out, assets[i]->hash);
        out_write(out, STR("'"));
    }
}

/* Directives that default-src does not cover are listed separately. */
static void write_policy(const struct page *p, struct out *out)
{
    out_write(out,
              STR("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'"));
    write_hashes(out, STR("; style-src"), p->styles);
    write_hashes(out, STR("; script-src"), p->scripts);
    out_write(out, STR("; base-uri 'none'; form-action 'none'\">\n"));
}

void page_begin(const struct page *p, struct out *out)
{
    out_write(out, STR("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"));
    write_policy(p, out);
    out_write(out, STR("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>"));
    visible_write(out, p->title);
    out_write(out, STR("</title>\n"));
    for (size_t i = 0; i < PAGE_ASSETS_MAX && p->styles[i] != NULL; i++) {
        out_write(out, STR("<style>"));
        out_write(out, p->styles[i]->text);
        out_write(out, STR("</style>\n"));
    }
    out_write(out, STR("</head>\n<body>\n<main>\n"));
}

void page_end(const struct page *p, struct out *out)
{
    out_write(out, STR("</main>\n"));
    for (size_t i = 0; i < PAGE_ASSETS_MAX && p->scripts[i] != NULL; i++) {
        out_write(out, STR("<script>"));
        out_write(out, p->scripts[i]->text);
        out_write(out, STR("</script>\n"));
    }
    out_write(out, STR("</body>\n</html>\n"));
}
