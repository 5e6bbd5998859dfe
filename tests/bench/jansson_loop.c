/* jansson_loop - what everything here is measured against: reads lines from standard input, has
 * jansson parse each, and throws the result away. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;
    while ((n = getline(&line, &capacity, stdin)) > 0) {
        json_t *row = json_loadb(line, (size_t)n, 0, NULL);
        if (row == NULL)
            return 1;
        json_decref(row);
    }
    free(line);
    return 0;
}
