/* Where the numbers of a .npy file are, for those that map a part of one. */
#ifndef BMO_NPY_H
#define BMO_NPY_H

#include <bmo.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the header of a .npy file says; 0 where it is not a matrix of a type and an order that can be mapped. */
static inline int read_npy_header(const unsigned char *file, int64_t size, bmo_dense *matrix, int64_t *data,
                                  int *bytes) {
    static const struct {
        const char *name;
        bmo_dtype dtype;
        int bytes;
    } types[] = {{"'<f4'", BMO_F32, 4}, {"'<f8'", BMO_F64, 8}, {"'<f2'", BMO_F16, 2}, {"'|u1'", BMO_U8, 1},
                 {"'|i1'", BMO_I8, 1},  {"'<i2'", BMO_I16, 2}, {"'<i4'", BMO_I32, 4}, {"'<i8'", BMO_I64, 8}};
    char text[1024];
    if (size < 12 || memcmp(file, "\x93NUMPY", 6) != 0)
        return 0;
    const int wide = file[6] > 1; /* version 2 and 3: 4 bytes of length */
    const int64_t length = file[8] + 256 * file[9] + (wide ? 65536 * file[10] : 0);
    *data = (wide ? 12 : 10) + length;
    if (*data > size || length >= (int64_t)sizeof text)
        return 0;
    memcpy(text, file + *data - length, (size_t)length);
    text[length] = '\0';
    const char *shape = strstr(text, "'shape':");
    char end = '\0';
    if (!shape || !strstr(text, "'fortran_order': False") ||
        sscanf(shape, "'shape': (%" SCNd64 ", %" SCNd64 "%c", &matrix->n, &matrix->d, &end) != 3 || end != ')' ||
        matrix->n < 0 || matrix->d < 1)
        return 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strstr(text, types[i].name)) {
            matrix->dtype = types[i].dtype;
            *bytes = types[i].bytes;
            return matrix->n <= (size - *data) / types[i].bytes / matrix->d;
        }
    return 0;
}

#endif
