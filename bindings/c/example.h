/* What the examples share that is no matter of libbmo: their arguments, their files of numbers, their complaints. */
#ifndef BMO_EXAMPLE_H
#define BMO_EXAMPLE_H

#include <ctype.h>
#include <errno.h>
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

#endif
