/* page.h - a document of HTML: one file that asks nothing of any network.
 *
 * A content security policy lets in the style sheets and scripts that are named here, by their hashes, and nothing
 * else: no style attributes, no other scripts, no requests.  The caller writes the body, its texts by
 * visible.h. */
#ifndef PROFPIPE_PAGE_H
#define PROFPIPE_PAGE_H

#include "base/out.h"

/* A file of assets/, which the build puts into the library (embed). */
struct page_asset {
    struct str text;
    struct str hash; /* as a policy spells it: sha256-BASE64 */
};

extern const struct page_asset
    page_look_css, /* what all pages share: colours in the light and in the dark, tables, pictures */
    page_table_js,  /* sorts the rows of tables */
    page_flame_css, /* the interactive page of a flame graph, and what draws it from its data */
    page_flame_js,
    page_picture_css; /* the same colours for a picture on its own, which has no page around it */

/* So many style sheets, and scripts, a page may have. */
enum { PAGE_ASSETS_MAX = 4 };

struct page {
    struct str title; /* bytes */
    const struct page_asset
        *styles[PAGE_ASSETS_MAX]; /* NULL behind the last one, if there is room */
    const struct page_asset *scripts[PAGE_ASSETS_MAX]; /* likewise */
};

/* Writes all of P to OUT that stands in front of what is in the body. */
void page_begin(const struct page *p, struct out *out);

/* Writes the rest: the scripts, which find the whole body in front of them. */
void page_end(const struct page *p, struct out *out);

#endif
