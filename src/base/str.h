/* str.h - a borrowed string of bytes. */
#ifndef PROFPIPE_STR_H
#define PROFPIPE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* N bytes at P, without a NUL at the end, owned by somebody else.  A null P means "no string"
 * where a column may be null. */
struct str {
    const char *p;
    size_t n;
};

/* How many bytes after the end of an input window may be read, but not used, so that scanners
 * can load eight or sixteen at a time. */
enum { INPUT_PADDING = 64 };

/* The str of a string literal. */
#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})

/* The two arguments of a "%.*s" conversion in a message; cut at 1000 bytes. */
#define STR_ARG(s) (int)((s).n < 1000 ? (s).n : 1000), (s).p

static inline struct str str_of(const char *c_string)
{
    return (struct str){c_string, strlen(c_string)};
}

static inline bool str_equal(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

static inline bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n && memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0;
}

/* Removes PREFIX from the start of *S; false if *S does not start with it. */
static inline bool str_take(struct str *s, struct str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    s->p += prefix.n;
    s->n -= prefix.n;
    return true;
}

/* Removes the first line, which may lack its line feed, from *REST and stores it without one in *LINE;
 * false if *REST is empty. */
static inline bool str_next_line(struct str *rest, struct str *line)
{
    if (rest->n == 0)
        return false;
    const char *end = memchr(rest->p, '\n', rest->n);
    *line = (struct str){rest->p, end == NULL ? rest->n : (size_t)(end - rest->p)};
    rest->p += line->n + (end != NULL);
    rest->n -= line->n + (end != NULL);
    return true;
}

/* Compares bytes; a prefix comes before longer strings. */
static inline int str_compare(struct str a, struct str b)
{
    size_t shorter = a.n < b.n ? a.n : b.n;
    int order = shorter == 0 ? 0 : memcmp(a.p, b.p, shorter);
    return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static inline bool str_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether C is a space, a tab or a carriage return. */
static inline bool str_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The first MAX bytes of S, or all. */
static inline struct str str_first(struct str s, size_t max)
{
    return (struct str){s.p, s.n < max ? s.n : max};
}

/* S without the blanks at its ends. */
static inline struct str str_trim(struct str s)
{
    while (s.n > 0 && str_is_blank(s.p[0]))
        s.p++, s.n--;
    while (s.n > 0 && str_is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* The index of the bracket that is closed at the end of S; S.n if S ends in no such pair. */
static inline size_t str_last_bracket(struct str s)
{
    size_t open = 0;
    for (size_t i = s.n; i > 0 && s.p[s.n - 1] == ')'; i--) {
        open += s.p[i - 1] == ')';
        open -= s.p[i - 1] == '(';
        if (open == 0)
            return i - 1;
    }
    return s.n;
}

/* Whether C may occur in text: all control characters but a few do not. */
static inline bool str_is_text(char c)
{
    return (unsigned char)c >= ' ' || memchr("\t\n\r\f\x1b", c, 5) != NULL;
}

#endif
