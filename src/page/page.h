/* page.h - an HTML document: one file that needs no network.
 *
 * Its content security policy allows only the style sheets and scripts named here, by their
 * hashes: no style attributes, no other scripts, no requests.  The caller writes the body, with
 * text from visible.h. */
#ifndef PROFPIPE_PAGE_H
#define PROFPIPE_PAGE_H

#include "base/out.h"

/* A file of assets/, which the build embeds in the library (embed). */
struct page_asset {
    struct str text;
    struct str hash; /* as in a policy: sha256-BASE64 */
};

extern const struct page_asset
    page_look_css,  /* shared by all pages: colours in light and dark mode, tables, pictures */
    page_table_js,  /* sorts the rows of tables */
    page_flame_css, /* the interactive flame graph, and the script that draws it */
    page_flame_js, page_source_js, /* shows lines of source files in it; comes before that script */
    page_picture_css,              /* the same colours, for a picture without a page */
    page_still_js;                 /* zooms and searches in such a picture */

/* The maximum number of style sheets, and of scripts, of a page. */
enum { PAGE_ASSETS_MAX = 4 };

struct page {
    struct str title; /* bytes */
    const struct page_asset
        *styles[PAGE_ASSETS_MAX]; /* NULL after the last one, if there is room */
    const struct page_asset *scripts[PAGE_ASSETS_MAX]; /* the same */
};

/* Writes everything of P before its content, which is the element `main`, to OUT. */
void page_begin(const struct page *p, struct out *out);

/* Writes the rest: the scripts, which run when the whole body is there. */
void page_end(const struct page *p, struct out *out);

#endif
