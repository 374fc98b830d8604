/* What the examples share that is no matter of libbmo: their arguments, their tables of numbers, their complaints. */
#ifndef BMO_EXAMPLE_H
#define BMO_EXAMPLE_H

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Says why a program failed. Returns its status. */
static inline int fail(const char *program, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return 1;
}

/* The count that a text is; -1 where it is none, or has something behind it. */
static inline int64_t count_of(const char *text) {
    char *end;
    errno = 0;
    const long long count = strtoll(text, &end, 10);
    return end == text || *end != '\0' || errno != 0 || count < 0 ? -1 : count;
}

/* Is nothing left but white space? */
static inline int is_at_end(FILE *file) {
    int next;
    do
        next = getc(file);
    while (isspace(next));
    return next == EOF && !ferror(file);
}

/* Room for rows * columns elements of 8 bytes; NULL where there is none. */
static inline void *make_table(int64_t rows, int64_t columns) {
    if (rows < 1 || columns < 1 || rows > INT64_MAX / 8 / columns)
        return NULL;
    return malloc((size_t)(rows * columns) * 8);
}

/* A line: a point, then the index and the distance of each of its k neighbors. */
static inline void print_neighbors(int64_t point, int64_t k, const int64_t *index, const double *distance) {
    printf("%" PRId64, point);
    for (int64_t r = 0; r < k; r++)
        printf(" %" PRId64 " %.17g", index[r], distance[r]);
    printf("\n");
}

#endif
