#include "said.h"

#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *list, size_t count, size_t size)
{
    /* by doubling */
    if ((count & (count - 1)) == 0)
        list = realloc(list, (count == 0 ? 1 : 2 * count) * size);
    if (list == NULL)
        command_fail("realloc");
    return list;
}

/* --- losses --- */

static struct loss *find(const struct said *s, const char *what, size_t n)
{
    for (size_t i = 0; i < s->loss_count; i++)
        if (strncmp(s->losses[i].what, what, n) == 0 && s->losses[i].what[n] == '\0')
            return &s->losses[i];
    return NULL;
}

static void add_loss(struct said *s, const char *what, size_t n, const char *count)
{
    struct loss *loss = find(s, what, n);
    if (loss == NULL) {
        s->losses = grow(s->losses, s->loss_count, sizeof *s->losses);
        loss = &s->losses[s->loss_count++];
        *loss = (struct loss){strndup(what, n), 0};
    }
    loss->count += atoll(count);
}

/* Takes the ends and words out of TO that differ between one thing and many, as in "value of another
 * type" and "values of other types". */
static void forget_number(char *to)
{
    char *rest = to, *word;
    size_t n = 0;
    while ((word = strsep(&rest, " ")) != NULL) {
        size_t length = strlen(word);
        if (strcmp(word, "a") == 0 || strcmp(word, "an") == 0)
            continue;
        if (strcmp(word, "another") == 0)
            word += 2, length -= 2;
        if (strcmp(word, "their") == 0)
            memcpy(word, "its", length = 3);
        if (length > 3 && strcmp(word + length - 3, "ies") == 0)
            word[length - 3] = 'y', length -= 2;
        else if (length > 1 && word[length - 1] == 's')
            length--;
        memmove(to + n, word, length);
        n += length;
        to[n++] = ' ';
    }
    to[n] = '\0';
}

/* Adds TEXT, which is "COUNT KIND", "COUNT KIND (NAMES)", or "COUNT KIND: NAME".  What rounding
 * changes may stand behind a name, too. */
static void add_losses(struct said *s, const char *text)
{
    char kind[8200];
    const char *words = text + strspn(text, "0123456789 ");
    const char *colon = strstr(words, ": "), *names = strstr(words, " (");
    size_t n = strlen(words);
    if (names != NULL && (colon == NULL || names < colon))
        n = (size_t)(names - words), colon = NULL;
    size_t end = colon == NULL ? n : (size_t)(colon - words);
    snprintf(kind, sizeof kind - 8, "%.*s", (int)end, words);
    forget_number(kind);
    if (colon != NULL && strncmp(kind, "fraction ", 9) == 0)
        n = end + 2 + strcspn(colon + 2, " ");
    size_t used = strlen(kind);
    snprintf(kind + used, sizeof kind - used, "%.*s", (int)(n - end), words + end);
    add_loss(s, kind, strlen(kind), text);
}

/* --- lines --- */

static bool take(const char **text, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(*text, prefix, n) != 0)
        return false;
    *text += n;
    return true;
}

/* Writes LINE to TO, of SIZE bytes, with the name of its place changed as RENAMED says. */
static void rename_place(char *to, size_t size, const char *line, const struct renamed *renamed)
{
    const char *rest = line;
    while (renamed->from != NULL && !take(&rest, renamed->from))
        renamed++;
    size_t digits = *rest == ':' ? strspn(rest + 1, "0123456789") : 0;
    if (renamed->from != NULL && digits > 0 && !renamed->keeps_lines)
        rest += 1 + digits;
    snprintf(to, size, "%s%s", renamed->from == NULL ? "" : renamed->to, rest);
}

static void add_line(struct said *s, const char *line, const char *tool,
                     const struct renamed *renamed)
{
    char prefix[64], place[8192], whole[8200];
    snprintf(prefix, sizeof prefix, "%s: ", tool);
    bool is_tool = take(&line, prefix);
    const char *losses = line;
    take(&losses, "--lossless: ");
    if (is_tool && take(&losses, "not in ") && strstr(losses, ": ") != NULL) {
        add_losses(s, strstr(losses, ": ") + 2);
        return;
    }
    unsigned left_out, inputs;
    if (is_tool && sscanf(line, "bad inputs left out: %u of %u", &left_out, &inputs) == 2) {
        s->left_out += left_out;
        s->inputs += inputs;
        return;
    }
    rename_place(place, sizeof place, line, renamed);
    snprintf(whole, sizeof whole, "%s%s", is_tool ? "tool: " : "", place);
    s->lines = grow(s->lines, s->line_count, sizeof *s->lines);
    s->lines[s->line_count++] = strdup(whole);
}

void said_add(struct said *s, const char *text, const char *tool, const struct renamed *renamed)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = strndup(text, n);
        add_line(s, line, tool, renamed);
        free(line);
        text += n + (text[n] == '\n');
    }
}

void said_replace(struct said *s, const char *old, const char *new)
{
    char whole[8200];
    for (size_t i = 0; i < s->line_count; i++) {
        char *line = s->lines[i], *at = strstr(line, old);
        if (at == NULL)
            continue;
        snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - line), line, new, at + strlen(old));
        s->lines[i] = strdup(whole);
        free(line);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool said_same_lines(struct said *a, struct said *b, const char **only_a, const char **only_b)
{
    struct said *both[] = {a, b};
    for (size_t i = 0; i < 2; i++)
        if (both[i]->line_count > 0)
            qsort(both[i]->lines, both[i]->line_count, sizeof *both[i]->lines, by_text);
    size_t i = 0;
    while (i < a->line_count && i < b->line_count && strcmp(a->lines[i], b->lines[i]) == 0)
        i++;
    *only_a = i < a->line_count ? a->lines[i] : NULL;
    *only_b = i < b->line_count ? b->lines[i] : NULL;
    return *only_a == NULL && *only_b == NULL;
}

static bool has_losses_of(const struct said *a, const struct said *b, const char **what,
                          long long *count_a, long long *count_b)
{
    for (size_t i = 0; i < a->loss_count; i++) {
        *what = a->losses[i].what;
        const struct loss *loss = find(b, *what, strlen(*what));
        *count_a = a->losses[i].count;
        *count_b = loss == NULL ? 0 : loss->count;
        if (*count_a != *count_b)
            return false;
    }
    return true;
}

bool said_same_losses(const struct said *a, const struct said *b, const char **what,
                      long long *count_a, long long *count_b)
{
    return has_losses_of(a, b, what, count_a, count_b) &&
           has_losses_of(b, a, what, count_b, count_a);
}

void said_clear(struct said *s)
{
    for (size_t i = 0; i < s->line_count; i++)
        free(s->lines[i]);
    for (size_t i = 0; i < s->loss_count; i++)
        free(s->losses[i].what);
    free(s->lines);
    free(s->losses);
    *s = (struct said){0};
}
