/* libbmo: exact nearest neighbors in thousands of dimensions.
 *
 * A scan for the k nearest of n points in d dimensions evaluates n * d coordinate distances. libbmo evaluates a small
 * part of them. It treats the points as the arms of a bandit: to pull an arm is to sample coordinates of that point's
 * distance to the query. It drops a point as soon as the samples show that it is not among the k nearest. It computes
 * the distances of the other points in full. The answer is exactly right with probability at least 1 - delta (default
 * 0.01), whatever the data are.
 *
 * The simple call takes arrays and fills arrays:
 *
 *     float points[1000 * 256], queries[10 * 256];              // row-major: 1000 points, 10 queries, 256 coordinates
 *     int64_t index[10 * 5];                                    // the 5 nearest points of each query, nearest first
 *     double distance[10 * 5];
 *     if (bmo_knn(BMO_F32, points, 1000, queries, 10, 256, 5, index, distance, NULL) != BMO_OK)
 *         fprintf(stderr, "%s\n", bmo_last_error());
 *
 * Another metric, or any other parameter, goes into a config (section 6):
 *
 *     bmo_config *config;                                       // return values are not checked here
 *     bmo_config_create(&config);
 *     bmo_config_set_text(config, "metric", "cosine");          // l2, sqeuclidean, l1, lp, cosine or inner_product
 *     bmo_knn(BMO_F32, points, 1000, queries, 10, 256, 5, index, distance, config);
 *     bmo_config_free(config);
 *
 * Most other functions use handles: a dataset (points), a config, and a bmo_query, which binds the two. Any number of
 * threads may search with one bmo_query. Section 7 shows a search by handles. README.md and bindings/c in the sources
 * have complete programs. Compile them with `pkg-config --cflags --libs bmo`.
 *
 *   section                         for
 *    1. Simple calls                 arrays in, arrays out: neighbors, and the k-NN graph
 *    2. Rules and promises           what holds for every function; what "probability 1 - delta" means
 *    3. Errors and library           messages, version, instruction set
 *    4. Progress and cancellation    of long calls
 *    5. Datasets                     dense, sparse, from a file
 *    6. Config                       the parameters: metric, delta, seed, threads ...
 *    7. Searches                     neighbors and graphs, with layouts, statistics and guarantees
 *    8. Preparation and saved files  for many queries on the same points
 *    9. k-means and medoid
 *   10. Your own arms                the bandits alone, without points
 *   11. Parameters for experiments   the bandits and boxes of the literature
 *
 * Method ("the paper"): Bagaria, Baharav, Kamath, Tse, "Bandit-Based Monte Carlo Optimization for Nearest Neighbors"
 * (2021). The test that drops points: Waudby-Smith, Ramdas, "Estimating means of bounded random variables by betting"
 * (2024).
 */
#ifndef BMO_H
#define BMO_H

#include <stddef.h>
#include <stdint.h>

#define BMO_VERSION_MAJOR 0
#define BMO_VERSION_MINOR 1
#define BMO_VERSION_PATCH 0

#if defined(__GNUC__)
#define BMO_API __attribute__((visibility("default")))
#define BMO_TRY __attribute__((visibility("default"), warn_unused_result)) bmo_status
#else
#define BMO_API
#define BMO_TRY bmo_status
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------------------
 * 1. Simple calls
 */

typedef int32_t bmo_status;
enum {
    BMO_OK = 0,
    BMO_EINVAL = -1,       /* an argument is out of its range; the message names it, its value and what is expected */
    BMO_ENOMEM = -2,       /* memory ran out */
    BMO_EIO = -3,          /* a file could not be read or written; the message has the system's reason */
    BMO_EFORMAT = -4,      /* a file is not what its name or header says */
    BMO_EVERSION = -5,     /* a struct of a newer library, or a .bmo file of another version */
    BMO_EUNSUPPORTED = -6, /* a file is valid, but the library does not read this kind */
    BMO_ENONFINITE = -7,   /* NaN or infinity in your data; row and col tell where */
    BMO_EOVERFLOW = -8,    /* a product of sizes, or a distance, is beyond its type */
    BMO_ECANCELED = -9,    /* stopped by bmo_cancel_request() or by the progress callback */
    BMO_ECALLBACK = -10,   /* another callback stopped the call, or returned a value that it must not return */
    BMO_EINTERNAL = -99    /* a bug in the library: please report the message */
};

typedef int32_t bmo_dtype;
enum {
    BMO_F32 = 1,
    BMO_F64 = 2,
    BMO_U8 = 3,
    BMO_I32 = 4,
    BMO_I64 = 5,
    BMO_I8 = 6,
    BMO_I16 = 7,
    BMO_U16 = 8,
    BMO_U32 = 9,
    BMO_F16 = 10, /* binary16 of IEEE 754 */
    BMO_BF16 = 11 /* bfloat16: the upper half of a float */
};

/* The metric and all other parameters: sections 6 and 11. */
typedef struct bmo_config bmo_config;

/* The k nearest points of each query.
 *
 *   dtype     type of the values of points and queries: any of bmo_dtype
 *   points    n x d values, row-major: coordinate j of point i is points[i * d + j]. Values must be finite, and
 *             integers within +-2^53
 *   queries   m x d values, row-major
 *   k         1 to n
 *   index     m x k: neighbor r of query i is point index[i * k + r], counted from 0. Nearest first, ties by least
 *             index
 *   distance  m x k distances, or NULL
 *   config    NULL: Euclidean distance, delta = 0.01, one thread. Otherwise as you set it: section 6
 *
 * The call prepares the points (section 8) if that saves time for m queries. It also does so if the config's box (how
 * distances are sampled: section 6) needs a preparation. The call frees the preparation before it returns. It reports
 * no guarantee and no cost: section 7 has calls that do.
 * Memory: at most one copy of the points (converted as in section 5), the preparation, and the search (section 7).
 * Cost: the preparation, and usually a small part of a scan's n m d coordinate operations. Section 7 has the limits.
 * If the call fails midway, results that were finished are written.
 * Errors: BMO_EINVAL, BMO_ENONFINITE (row, col), BMO_EOVERFLOW, BMO_ENOMEM. */
BMO_TRY bmo_knn(bmo_dtype dtype, const void *points, int64_t n, const void *queries, int64_t m, int64_t d, int64_t k,
                int64_t *index, double *distance, const bmo_config *config);

/* The k nearest other points of each point: the k-nearest-neighbor graph. index and distance are n x k; k is 1 to
 * n - 1. A point is not its own neighbor, but a duplicate of it can be. The rest is as in bmo_knn(). */
BMO_TRY bmo_knn_graph(bmo_dtype dtype, const void *points, int64_t n, int64_t d, int64_t k, int64_t *index,
                      double *distance, const bmo_config *config);

/* The message of the last call that failed on this thread; "" if none has. Valid until the next one fails. */
BMO_API const char *bmo_last_error(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * 2. Rules and promises
 *
 * RULES FOR EVERY FUNCTION
 *
 *  Errors     A function that can fail returns a bmo_status: BMO_OK (0), or a negative code. If it fails, its outputs
 *             are untouched, with two exceptions. A search clears bmo_output.done (section 7) once the arguments are
 *             checked; if it stops midway, its finished rows stay. bmo_config_get_text() sets *needed if the buffer is
 *             too small. bmo_error_detail() tells the argument, row, column and message. The library never prints,
 *             throws, exits, aborts or handles a signal.
 *  Ownership  The library keeps no pointer of yours after a call, with these exceptions: borrowed data and the release
 *             and ctx of a bmo_owner (section 5), and rho, the callback of metric custom (section 6). Handles are
 *             reference-counted: free them in any order. Do not free a handle while a running call uses it, unless it
 *             is a bmo_cancel. Freeing NULL does nothing.
 *  Threads    Any number of threads may use one bmo_dataset, bmo_query or bmo_cancel at once. One thread at a time may
 *             use a bmo_config. A callback runs on the thread that made the call, unless its flags say
 *             BMO_CALLBACK_ANY_THREAD. Threads that a call starts end with it. A pthread_cancel() takes effect when
 *             the call returns. After fork(), even while other threads search, the child may use every handle.
 *  Structs    You pass structs by pointer. Zero a struct. Set its struct_size, if it has one, to its sizeof. Then set
 *             its fields. A struct_size of 0 is BMO_EINVAL. A 0 in another field means the default, if its comment
 *             names one. Structs grow only at their end, so that a program built with an older header keeps working. A
 *             struct larger than the library's, with a non-zero tail, is BMO_EVERSION.
 *  Strides    Strides count elements. A stride is positive, or 0 for its default. The default is 1 for the inner axis
 *             (coordinates, neighbors). For the outer axis (points, queries) it is the inner length times the inner
 *             stride. The stride of an axis of length 1 is ignored.
 *  Sizes      0 <= n <= 2^31 - 1 points, 1 <= d <= 2^31 - 1 coordinates; n * d may be larger. 1 <= k <= the number
 *             of candidates, which are the points that may be neighbors of a query. (bmo_query_create_among() allows a
 *             larger k.) A call with no queries checks its arguments, does nothing, and is BMO_OK.
 *  Precision  Distances come from differences in double (cosine and inner product: from products in twice the precision
 *             of double), never from |a|^2 + |b|^2 - 2 <a,b>. A distance may vary with the other points and
 *             queries of a call, by at most 2^-48 times the distance. Under lp with p other than 1 and 2, the factor
 *             is (64 + d / 8) * 2^-53 instead of 2^-48; if p < 1, it is divided by p. Every finite float is allowed,
 *             but a distance too large for the distance's type is BMO_EOVERFLOW. A cosine distance below 2.2e-308 may
 *             count as 0.
 *  Same answer  The same points, queries, config and seed give the same neighbors, distances and operation counts, for
 *             any number of threads and any instruction set. Two things may vary with the instruction set: which
 *             answers of box sketch are wrong, and what bmo_dataset_prepare() chooses for box auto.
 *
 * WHAT THE PROBABILITY MEANS
 *
 *  The seed draws whatever is random: the order in which coordinates are read, rotations, directions, and reference
 *  points (section 9). The probability is over these draws, for data and queries that were fixed before them.
 *
 *  - k-NN: each answer is wrong with probability at most delta. Wrong means: not the k nearest, or, if epsilon is set,
 *    farther than section 6 allows. With delta_scope = call, delta bounds the probability
 *    that at least one answer of the call is wrong.
 *  - Radius searches: each true neighbor is missing with probability at most delta. With delta_scope = call, delta
 *    bounds the probability that at least one is missing.
 *  - The queries of one seed share its draws. So their errors are correlated.
 *  - To ask again with the same seed does not mend a wrong answer. Another seed draws anew.
 *  - Whoever knows the seed can build a query whose answer is wrong. If queries come from strangers, set a secret
 *    seed.
 *  - If strangers also choose queries by the answers to earlier ones, use method exact.
 *  - Near-ties do not raise the probability above delta. They cost time.
 *
 *  Every search by handles says what was proved about its answer: stats.guarantee, section 7. The proofs:
 *  docs/statistics.md in the sources.
 */

/* ---------------------------------------------------------------------------------------------------------------------
 * 3. Errors and library
 */

/* What the last failing call of this thread said, in parts. A binding with indices from 1, or with points in columns,
 * can word its own message. */
typedef struct bmo_error {
    uint32_t struct_size;
    bmo_status status;       /* BMO_OK if no call of this thread has failed */
    int64_t row, col;        /* point and coordinate, counted from 0; -1: none */
    int32_t callback_result; /* what your callback returned when it stopped the call; else 0 */
    int32_t reserved;
    const char *argument;    /* the argument, field or parameter at fault: "k", "out.capacity", "delta"; "" if none.
                              * Valid like `message` */
    const char *message;     /* one line of UTF-8; '?' replaces control characters and bytes that are not UTF-8.
                              * Valid on this thread until its next failing call; never NULL */
    const char *marked;      /* the same text as `message`, with marks around the parts that a binding may reword.
                              * Valid like `message`. A control character begins such a part, and "\3" ends it:
                              *   "\1data.n\3"                a word of C: an argument, a field, a function, a constant
                              *   "\2" "17\3"                a position: a whole number, counted from 0
                              *   "\4 (counted from 0)\3"    the remark on such positions */
} bmo_error;

/* Fills *error (you set error->struct_size). NULL does nothing. */
BMO_API void bmo_error_detail(bmo_error *error);

/* "BMO_EINVAL" for BMO_EINVAL; "unknown status" for any other number. Static text. */
BMO_API const char *bmo_status_name(bmo_status status);

/* "float32" for BMO_F32; "unknown type" for a number that is no bmo_dtype. Static text. */
BMO_API const char *bmo_dtype_name(bmo_dtype dtype);

/* The version of the library that runs: 1000000 * major + 1000 * minor + patch. */
BMO_API int32_t bmo_version(void);

/* The same as text, "0.1.0". Static. */
BMO_API const char *bmo_version_string(void);

/* The instruction set in use: "avx512vnni", "avx512", "avx2", "sse4", "neon" or "scalar". It is the best that the
 * processor has, unless the environment variable BMO_ISA names a lower one. BMO_ISA is read once. If it names an
 * instruction set that the processor lacks, it is ignored. */
BMO_API const char *bmo_isa(void);

/* What threads = 0 stands for: the number of processors that this thread may run on, or the quota of its control group
 * if that is less. At least 1. The quota is read at most once a second in a process. */
BMO_API int32_t bmo_threads_available(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * 4. Progress and cancellation
 */

/* A token that stops running calls. */
typedef struct bmo_cancel bmo_cancel;

/* Free *out with bmo_cancel_free(). */
BMO_TRY bmo_cancel_create(bmo_cancel **out);

/* Stops every call that got this token in its bmo_monitor (below). Such a call ends with BMO_ECANCELED within 50 ms of
 * processor time after the request. With millions of points, or of coordinates, a search may need 250 ms to end. You
 * may call bmo_cancel_request() from any thread and any signal handler. The request stays until bmo_cancel_reset():
 * later calls with this token end at once. NULL does nothing. */
BMO_API void bmo_cancel_request(bmo_cancel *token);

/* Makes the token usable again. NULL does nothing. */
BMO_API void bmo_cancel_reset(bmo_cancel *token);

/* A running call keeps its own reference, so you may free the token early. NULL does nothing. */
BMO_API void bmo_cancel_free(bmo_cancel *token);

typedef int32_t bmo_phase;
enum { BMO_PHASE_READ = 1, BMO_PHASE_CHECK = 2, BMO_PHASE_PREPARE = 3, BMO_PHASE_SEARCH = 4, BMO_PHASE_WRITE = 5 };

/* "search" for BMO_PHASE_SEARCH; "unknown phase" for any other number. Static text. */
BMO_API const char *bmo_phase_name(bmo_phase phase);

/* Of this phase, `done` of `total` units are done. Units: bytes read (entries of a .mtx) or written, rows checked
 * or prepared, queries searched (section 9: points; BMO_LABELS_OTHER: searches). */
typedef struct bmo_progress {
    uint32_t struct_size;
    bmo_phase phase;
    int64_t done, total; /* 0 <= done <= total; total may be 0 */
} bmo_progress;

/* Called on the thread that made the call, with the ctx of the monitor. A non-zero result stops the call with
 * BMO_ECANCELED; bmo_error.callback_result has it. The callback must return: no exception, no longjmp, no
 * pthread_exit(). It may call the library. */
typedef int32_t (*bmo_progress_fn)(void *ctx, const bmo_progress *progress);

/* How a long call reports and is stopped. The monitor itself, progress and cancel may each be NULL: none. */
typedef struct bmo_monitor {
    uint32_t struct_size;
    int32_t interval_ms; /* least time between two reports; 0: 100. The end of a phase is always reported */
    bmo_progress_fn progress;
    void *ctx;
    bmo_cancel *cancel;
} bmo_monitor;

/* ---------------------------------------------------------------------------------------------------------------------
 * 5. Datasets
 */

/* Points, and what was prepared for searching them. Immutable. */
typedef struct bmo_dataset bmo_dataset;

/* BMO_COPY: the library copies the data, row-major. BMO_BORROW: it uses them in place. Borrowed data must stay valid
 * and unchanged until the last handle that refers to them is freed (see bmo_owner). Dense integers of more than 8
 * bits are converted: to F32 if no |value| is above 2^24, else to F64. Dense F16 and BF16 stay as they are, in half
 * the memory of F32. info.dtype of bmo_dataset_describe() is the type that is stored.
 *
 * BMO_TRANSPOSE is for bmo_dataset_open() alone: the columns of the file's matrix are the points. Add it to BMO_COPY or
 * BMO_BORROW. */
enum { BMO_COPY = 0, BMO_BORROW = 1, BMO_TRANSPOSE = 2 };

/* Whom to tell when borrowed memory is no longer needed. If the function that was given the owner succeeds,
 * release(ctx) is called exactly once, on the thread that drops the last reference to the memory. If the function
 * fails, release is never called. */
typedef void (*bmo_release_fn)(void *ctx);
typedef struct bmo_owner {
    uint32_t struct_size;
    uint32_t reserved;
    bmo_release_fn release; /* NULL: nothing to call */
    void *ctx;
} bmo_owner;

/* Dense points of any bmo_dtype. Coordinate j of point i is data[i * point_stride + j * coord_stride].
 * Row-major: strides 0, 0. An n x d matrix by columns (R, Fortran): 1, n. Values must be finite, and integers within
 * +-2^53. */
typedef struct bmo_dense {
    uint32_t struct_size;
    bmo_dtype dtype;
    const void *data; /* aligned as its type; may be NULL if n is 0 */
    int64_t n, d, point_stride, coord_stride;
} bmo_dense;

/* A dataset of n dense points of d coordinates.
 * owner: NULL, or whom to tell when the data are no longer needed. With BMO_COPY, and for converted types, the owner is
 * told before the call returns. monitor may be NULL.
 * Cost: one pass over the data.
 * Errors: BMO_EINVAL, BMO_ENONFINITE (row, col), BMO_EOVERFLOW (n * d, or its bytes), BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_dense(bmo_dataset **out, const bmo_dense *data, uint32_t flags, const bmo_owner *owner,
                          const bmo_monitor *monitor);

/* Which axis of a bmo_sparse is compressed: each pair of its pointers encloses the entries of one point, or of one
 * coordinate. */
enum {
    BMO_POINTS_COMPRESSED = 0, /* CSR of points; also R's dgCMatrix or Julia's SparseMatrixCSC with points in columns */
    BMO_COORDS_COMPRESSED = 1  /* CSC of points: transposed as it is copied */
};

/* Sparse points: most coordinates are 0. A line is a point if points are compressed, else a coordinate. The entries of
 * line i begin at pointers[i] - index_base in indices and values, and end before pointers[i + 1] - index_base. An index
 * says which coordinate (or point), counted from index_base.
 *
 *   order of entries    any
 *   repeated entries    summed in double, then rounded to the stored type
 *   0 and -0.0          count as no entry
 *   empty lines         allowed
 *   values              finite; integers and sums of integers within +-2^53 */
typedef struct bmo_sparse {
    uint32_t struct_size;
    int32_t orientation;                  /* BMO_POINTS_COMPRESSED or BMO_COORDS_COMPRESSED */
    int32_t index_base;                   /* 0 or 1: of pointers and indices */
    bmo_dtype pointer_dtype, index_dtype; /* BMO_I32 or BMO_I64 */
    bmo_dtype value_dtype;                /* any type; 0 if values is NULL */
    int64_t n, d, nnz;                    /* n and d below 2^31 */
    const void *pointers; /* n + 1, or d + 1: the first is index_base, the last index_base + nnz. NULL: no points */
    const void *indices;  /* nnz */
    const void *values;   /* nnz; NULL: all 1 */
} bmo_sparse;

/* A dataset of sparse points. Every pointer, index and value is checked. The arrays are never written.
 * BMO_BORROW uses the arrays in place if all of this holds:
 *
 *   - they are compressed by points, with index_base 0
 *   - indices are I32 and ascend strictly within each point
 *   - values are F32 or F64, and none is 0
 *
 * Otherwise the library makes a copy (see bytes_owned of bmo_dataset_info), and the owner is told before the call
 * returns. F32 and F64 keep their type. Other types become F32 if that is exact for every value, else F64. monitor may
 * be NULL.
 * Cost: one pass over the entries. A copy: two passes, and a sort of the points whose entries are not in order.
 * Memory of a copy: 8 or 12 bytes per entry, and 8 per point. Making it takes up to 12 more per entry, and 16 more per
 * point and per coordinate.
 * Errors: BMO_EINVAL (argument "data.pointers" or "data.indices", row, col), BMO_ENONFINITE (row, col), BMO_EOVERFLOW,
 * BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_sparse(bmo_dataset **out, const bmo_sparse *data, uint32_t flags, const bmo_owner *owner,
                           const bmo_monitor *monitor);

/* A dataset from a file.
 *
 *   file                     contents
 *   .npy                     NumPy, versions 1 to 3, two-dimensional (one-dimensional: a single point), C or Fortran
 *                            order, either order of bytes: f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 and bool
 *   .npz                     one array of NumPy's savez() or savez_compressed(). If there are several, the path names
 *                            one: "FILE.npz:ARRAY". A CSR or CSC matrix of scipy.sparse.save_npz() is a sparse
 *                            dataset
 *   .mtx                     MatrixMarket; each row is a point. coordinate: a sparse dataset, repeated entries are
 *                            summed. array: a dense one. real (double, float), integer (unsigned-integer, unsigned) or
 *                            pattern (all 1); general, symmetric, skew-symmetric. F32 if that is exact for every value,
 *                            else F64. The decimal separator is "." in every locale
 *   .csv, .tsv               text, one point per line; numbers are separated by commas (or semicolons) or tabs. If a
 *                            field of the first line is not a number, that line has the names of the columns. The first
 *                            column is taken as names of rows, and left out, in three cases: its first value is not a
 *                            number; its name is empty; or the first line has one field fewer than the others. F32 or
 *                            F64 as for .mtx
 *   .fvecs, .bvecs, .ivecs   vectors of f4, u1 or i4, each preceded by its length as i4
 *   .fbin, .u8bin, .i8bin    n and d as u4, then the n x d values as f4, u1 or i1, row-major
 *   .bmo                     what bmo_dataset_save() wrote, with its preparation. Its checksums are verified. Some rows
 *                            of the preparation (all, if they are few) are made again from the points and compared
 *
 * All but .npz and .bmo may be compressed with gzip (.gz, of one member or several). The first bytes of a file decide
 * its format. The formats .csv to .i8bin in the table have no magic number: the file's extension, in upper or lower
 * case, decides. A pipe is BMO_EIO. Of a .bmo's preparation, only what the table says is checked; the rest is
 * trusted. So open no .bmo from strangers.
 * flags: BMO_BORROW maps an uncompressed .npy, .fbin, .u8bin, .i8bin or .bmo into memory; the file must not change
 * until the last handle that refers to it (bmo_dataset, bmo_query) is freed. BMO_COPY reads it, and so does BMO_BORROW
 * if the file cannot be mapped. BMO_TRANSPOSE leaves out the preparation of a .bmo. monitor may be NULL.
 * Cost: one pass over the file. Some parts of a preparation are not written to a .bmo: bmo_dataset_save() lists them.
 * They are prepared again, on one thread. Memory: the data. While values are converted or transposed, also the values
 * as the file has them. While a .mtx, .csv or .tsv is read: at most 64 times its size as text + 32 MiB, whatever size
 * it announces.
 * Errors: BMO_EIO, BMO_EFORMAT, BMO_EVERSION (a .bmo of another version), BMO_EUNSUPPORTED (object or other types),
 * BMO_ENONFINITE, BMO_EINVAL (an integer beyond 2^53; flags), BMO_EOVERFLOW, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_open(bmo_dataset **out, const char *path, uint32_t flags, const bmo_monitor *monitor);

/* One more handle to the same dataset, freed on its own. */
BMO_TRY bmo_dataset_ref(bmo_dataset **out, const bmo_dataset *ds);

/* Drops a handle. Queries made from it keep working. NULL does nothing. */
BMO_API void bmo_dataset_free(bmo_dataset *ds);

enum { BMO_KIND_DENSE = 1, BMO_KIND_SPARSE = 2 };

typedef struct bmo_dataset_info {
    uint32_t struct_size;
    int32_t kind;            /* BMO_KIND_DENSE or BMO_KIND_SPARSE */
    int32_t box;             /* BMO_BOX_*: the box that it was prepared for; BMO_BOX_AUTO: not prepared */
    int32_t metric;          /* BMO_METRIC_*: the metric that it was prepared for; 0: any */
    bmo_dtype dtype;         /* as stored */
    int32_t reserved;
    int64_t n, d;
    int64_t nnz;             /* stored values: n * d of dense data, the values that are not 0 of sparse data */
    int64_t seed;            /* of the preparation; 0 if not prepared */
    uint64_t bytes_owned;    /* memory that it keeps: points, unless they are borrowed, and preparation */
    uint64_t bytes_borrowed; /* your memory, or a mapped file, that it refers to */
    uint64_t prepare_ns;     /* wall time of the preparation */
} bmo_dataset_info;

/* Fills *info (you set info->struct_size). */
BMO_TRY bmo_dataset_describe(const bmo_dataset *ds, bmo_dataset_info *info);

/* Writes the coordinates of the points rows[0..nrows) to out: nrows x d doubles, row-major. Rows may repeat. */
BMO_TRY bmo_dataset_copy_rows(const bmo_dataset *ds, const int64_t *rows, int64_t nrows, double *out);

/* ---------------------------------------------------------------------------------------------------------------------
 * 6. Config
 *
 * One table of parameters is behind the setters, the command line and every language binding; bmo_param_at() lists it.
 * A value out of range is BMO_EINVAL and changes nothing. Parameters that only experiments need are in section 11.
 *
 * metric            default l2
 *     l2              sqrt(sum (a - b)^2)
 *     sqeuclidean     sum (a - b)^2; "l2sq" means the same
 *     l1              sum |a - b|
 *     lp              (sum |a - b|^p)^(1/p), with the parameter p
 *     cosine          1 - <a,b> / (|a| |b|); 1 for a zero vector
 *     inner_product   -<a,b>: the largest product is nearest
 *     custom          sum of your callback rho(a_j, b_j): bmo_config_set_rho()
 * p                 default 2; 0.01 to 32. Exponent of lp
 * delta             default 0.01; 1e-300 to 0.5. Largest accepted probability of a wrong answer. Below 1e-37, points
 *                   are dropped only by bounds that cannot fail
 * delta_scope       default query
 *     query           each query has delta
 *     call            all queries of a call share delta
 * epsilon           default 0; 0 or more. For k-NN searches; ignored for queries whose max_distance (bmo_limits,
 *                   section 7) is finite. The r-th neighbor of an answer may be farther than the true r-th nearest:
 *     l2, sqeuclidean        by at most d * epsilon in the squared distance
 *     l1, custom             by at most d * epsilon
 *     lp                     by at most d * epsilon in distance^p
 *     cosine, inner_product  by at most epsilon
 * seed              default 0; any int64. Draws whatever is random (section 2). If you never set it, a bmo_query
 *                   on prepared data takes the seed of the preparation
 * threads           default 1; 0 to 1024. Threads of a call; 0: bmo_threads_available(). A search divides its queries
 *                   among them
 * method            default auto
 *     auto            bandit, or exact if that is expected to be faster
 *     bandit          samples, and never scans
 *     exact           computes every distance, or rules it out by a bound that cannot fail
 *     uniform         section 11
 * box               default auto. How a distance is sampled (a Monte Carlo box):
 *     dense           coordinates, in one random order for all points. For dense points; any metric
 *     rotated         box dense on points that were rotated at random; metrics: section 8. Pays if points differ in few
 *                     coordinates. Needs preparation
 *     projected       48 leading directions, along which the points differ most (singular vectors of a sample). A
 *                     point's coefficients are its products with them; its residual is the rest.
 *                     Coefficients and norms of residuals rule out most points for certain. Of the other points,
 *                     coordinates of the residuals are sampled. Needs preparation
 *     sketch          leading and random directions. They show a random part of each distance. The size of that
 *                     part has a known distribution. One test per point decides: the point is dropped, or its distance
 *                     is computed. For embeddings, and wherever the nearest neighbors are at about half to three
 *                     quarters of the usual distance. Needs preparation. With this box epsilon saves nothing, and the
 *                     instruction set (bmo_isa()) may change which answers are wrong
 *     sparse          for sparse points. Reads the coordinates where the query is not 0, its largest values first. The
 *                     other coordinates are not read: a sum that is stored for each point stands for them. For l1, l2,
 *                     sqeuclidean, and lp with p 1 or 2. Under any other metric, method auto scans the points
 *     sparse_union    section 11
 *     auto            in a search: the box that the data were prepared for; otherwise dense or sparse, as the points
 *                     are. In bmo_dataset_prepare(): see there
 * expected_queries  default 0, which means many; 0 to 2^63 - 1. How many queries you will ask. With box auto,
 *                   bmo_dataset_prepare() chooses the box by this number
 */

typedef int32_t bmo_param;
enum {
    BMO_PARAM_METRIC = 1,
    BMO_PARAM_METHOD = 2,
    BMO_PARAM_BOX = 3,
    BMO_PARAM_BANDIT = 4,
    BMO_PARAM_CONFIDENCE = 5,
    BMO_PARAM_SAMPLING = 6,
    BMO_PARAM_P = 7,
    BMO_PARAM_DELTA = 20,
    BMO_PARAM_DELTA_SCOPE = 21,
    BMO_PARAM_EPSILON = 22,
    BMO_PARAM_SIGMA = 23,
    BMO_PARAM_INIT_PULLS = 30,
    BMO_PARAM_ARMS_PER_ROUND = 31,
    BMO_PARAM_PULLS_PER_ROUND = 32,
    BMO_PARAM_MAX_PULLS = 33,
    BMO_PARAM_UNIFORM_PULLS = 34,
    BMO_PARAM_SEED = 40,
    BMO_PARAM_THREADS = 41,
    BMO_PARAM_EXPECTED_QUERIES = 42
};
enum {
    BMO_METRIC_L2 = 1,
    BMO_METRIC_SQEUCLIDEAN = 2,
    BMO_METRIC_L1 = 3,
    BMO_METRIC_LP = 4,
    BMO_METRIC_COSINE = 5,
    BMO_METRIC_INNER_PRODUCT = 6,
    BMO_METRIC_CUSTOM = 7
};
enum { BMO_SCOPE_QUERY = 1, BMO_SCOPE_CALL = 2 };
enum { BMO_METHOD_AUTO = 0, BMO_METHOD_BANDIT = 1, BMO_METHOD_EXACT = 2, BMO_METHOD_UNIFORM = 3 };
enum {
    BMO_BOX_AUTO = 0,
    BMO_BOX_DENSE = 1,
    BMO_BOX_SPARSE = 2,
    BMO_BOX_SPARSE_UNION = 3,
    BMO_BOX_ROTATED = 4,
    BMO_BOX_PROJECTED = 5,
    BMO_BOX_SKETCH = 6
};
/* The values of the parameters bandit, confidence and sampling: section 11. */
enum { BMO_BANDIT_AUTO = 0, BMO_BANDIT_UCB = 1, BMO_BANDIT_LUCB = 2, BMO_BANDIT_RACE = 3, BMO_BANDIT_LUCBPP = 4 };
enum {
    BMO_CONFIDENCE_AUTO = 0,
    BMO_CONFIDENCE_BETTING = 1,
    BMO_CONFIDENCE_EMPIRICAL = 2,
    BMO_CONFIDENCE_POOLED = 3,
    BMO_CONFIDENCE_SUBGAUSSIAN = 4,
    BMO_CONFIDENCE_BERNSTEIN = 5,
    BMO_CONFIDENCE_BETA = 6
};
enum {
    BMO_SAMPLING_AUTO = 0,
    BMO_SAMPLING_WITH_REPLACEMENT = 1,
    BMO_SAMPLING_WITHOUT_REPLACEMENT = 2,
    BMO_SAMPLING_IMPORTANCE = 3
};

/* A config with every parameter at its default. Free it with bmo_config_free(). A bmo_query keeps a copy. */
BMO_TRY bmo_config_create(bmo_config **out);

/* An independent copy. */
BMO_TRY bmo_config_copy(bmo_config **out, const bmo_config *config);

/* NULL does nothing. */
BMO_API void bmo_config_free(bmo_config *config);

/* Sets any parameter by its name and its value as text ("delta", "1e-3"; "metric", "l1"). The decimal separator is "."
 * in every locale. */
BMO_TRY bmo_config_set_text(bmo_config *config, const char *name, const char *value);

/* Sets an integer, or a choice by its BMO_* value. BMO_EINVAL for a real parameter. */
BMO_TRY bmo_config_set_i64(bmo_config *config, bmo_param param, int64_t value);

/* Sets a real, or an integer parameter from a whole number. BMO_EINVAL for a choice and for NaN. */
BMO_TRY bmo_config_set_f64(bmo_config *config, bmo_param param, double value);

/* Weights of the d coordinates: in a sum, the term of coordinate j is multiplied by weights[j]. For dense points, box
 * dense, and the metrics l2, sqeuclidean, l1 and lp. The array is copied. Each weight is finite and >= 0, and at least
 * one is above 0. A coordinate of weight 0 costs nothing. weights NULL with d 0 clears the weights. A dataset that is
 * prepared with a config keeps the config's weights, and every bmo_query on that dataset must have the same weights. */
BMO_TRY bmo_config_set_weights(bmo_config *config, const double *weights, int64_t d);

/* A coordinate distance of your own. For 0 <= i < count it sets out[i] to the distance in coordinate coord[i] from
 * a[i] of the query to b[i] of a point. count is a few thousand at most. Each value must be finite, >= 0, and the same
 * whenever it is asked again. A value that is not finite, or below 0, ends the call with BMO_ECALLBACK; row and col
 * tell the point and the coordinate. A non-zero result stops the call with BMO_ECALLBACK too; bmo_error.callback_result
 * has it. The callback must return: no exception, no longjmp. */
typedef int32_t (*bmo_rho_fn)(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                              double *out);
enum { BMO_CALLBACK_ANY_THREAD = 1 /* callable by several threads at once; without it searches have one thread */ };

/* Sets the callback of the metric custom. The callback gets owner->ctx, or NULL if owner is NULL. owner->release is
 * called when the last config and the last query with the callback are freed. rho NULL (and owner NULL) clears the
 * callback. */
BMO_TRY bmo_config_set_rho(bmo_config *config, bmo_rho_fn rho, uint32_t flags, const bmo_owner *owner);

/* Reads an integer or a choice. */
BMO_TRY bmo_config_get_i64(const bmo_config *config, bmo_param param, int64_t *value);

/* Reads a real or an integer. BMO_EOVERFLOW for an integer that no double equals. */
BMO_TRY bmo_config_get_f64(const bmo_config *config, bmo_param param, double *value);

/* Reads any parameter as text that bmo_config_set_text() takes back. *needed (may be NULL) gets the bytes of the text,
 * its final NUL included. buffer NULL with size 0 only asks, and is BMO_OK. A buffer that is too small is BMO_EINVAL,
 * and *needed is set. */
BMO_TRY bmo_config_get_text(const bmo_config *config, const char *name, char *buffer, size_t size, size_t *needed);

/* What a config is for: bits that add up. */
enum {
    BMO_CALL_KNN = 1,     /* k-NN searches and graphs */
    BMO_CALL_RADIUS = 2,  /* radius searches */
    BMO_CALL_KMEANS = 4,  /* section 9 */
    BMO_CALL_MEDOID = 8,  /* section 9 */
    BMO_CALL_ARMS = 16,   /* section 10 */
    BMO_CALL_PREPARE = 32 /* section 8 */
};

/* Tells whether every parameter that you set counts in at least one of `calls`. If one does not, the result is
 * BMO_EINVAL, and the message names that parameter and says when it counts:
 *   p                        with metric lp
 *   sigma                    with confidence subgaussian
 *   uniform_pulls            with method uniform
 *   expected_queries         with box auto
 *   init_pulls and the like  with their bandits
 * Other functions ignore a parameter that does not count, so that one config can serve many calls. */
BMO_TRY bmo_config_check(const bmo_config *config, uint32_t calls);

enum { BMO_PARAM_TYPE_I64 = 1, BMO_PARAM_TYPE_F64 = 2, BMO_PARAM_TYPE_CHOICE = 3 };

/* A line of the table of parameters. All texts are static. */
typedef struct bmo_param_info {
    uint32_t struct_size;
    bmo_param param;
    int32_t type;   /* BMO_PARAM_TYPE_* */
    uint32_t calls; /* BMO_CALL_* of the calls that read it */
    const char *name;             /* "metric" */
    const char *choices;          /* "l2|sqeuclidean|l1" of a choice, else "". Their order means nothing */
    const char *initial;          /* the default, as text */
    const char *summary;          /* one line */
    double lower_f64, upper_f64;  /* range of a real */
    int64_t lower_i64, upper_i64; /* range of an integer */
} bmo_param_info;

/* Line `position` of the table, from 0 to bmo_param_count() - 1. You set info->struct_size. */
BMO_API int32_t bmo_param_count(void);
BMO_TRY bmo_param_at(int32_t position, bmo_param_info *info);

/* ---------------------------------------------------------------------------------------------------------------------
 * 7. Searches
 */

/* A searcher: a dataset and a copy of a config, bound and checked once. Immutable; any number of calls may use it at
 * once. The query points come with each call.
 *
 *     bmo_dataset *dataset;                                     // return values are not checked here
 *     bmo_query *query;
 *     bmo_dense data = {.struct_size = sizeof data, .dtype = BMO_F32, .data = points, .n = 1000, .d = 256};
 *     bmo_dense asked = {.struct_size = sizeof asked, .dtype = BMO_F32, .data = queries, .n = 10, .d = 256};
 *     bmo_output out = {.struct_size = sizeof out, .index = index, .distance = distance, .capacity = 10 * 5};
 *     bmo_stats stats = {.struct_size = sizeof stats};
 *     bmo_dataset_dense(&dataset, &data, BMO_BORROW, NULL, NULL);
 *     bmo_query_create(&query, dataset, NULL, NULL);            // the config; NULL: the defaults
 *     bmo_query_knn_dense(query, &asked, 5, &out, NULL, &stats);
 *     printf("guarantee %d, gain %g\n", stats.guarantee, (double)stats.coord_ops_brute / (double)stats.coord_ops);
 *     bmo_query_free(query);
 *     bmo_dataset_free(dataset);
 */
typedef struct bmo_query bmo_query;

/* config NULL: the defaults. The query keeps a reference to the dataset. monitor may be NULL.
 * Cost: little on data that were prepared for this config. Otherwise cosine, inner product and the sparse boxes take a
 * pass over the points.
 * Errors: BMO_EINVAL if the parameters do not combine, or do not fit the preparation of the dataset; the message says
 * what to change. BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_query_create(bmo_query **out, const bmo_dataset *ds, const bmo_config *config, const bmo_monitor *monitor);

/* Which candidates a query has, by labels of the points. */
typedef int32_t bmo_label_rule;
enum {
    BMO_LABELS_SAME = 1,  /* the points with the query's label */
    BMO_LABELS_OTHER = 2  /* the points with another label than the query's */
};

/* Which points are candidates. Zero it, then set struct_size and what you want. Set rows or mask, not both; without
 * them all points are chosen. Labels may be any numbers. The arrays are read during the call only. */
typedef struct bmo_candidates {
    uint32_t struct_size;
    bmo_label_rule label_rule; /* 0: labels do not count */
    const int64_t *rows;       /* NULL, or the chosen points, in any order, each once */
    int64_t nrows;             /* 1 or more, if rows is not NULL */
    const uint8_t *mask;       /* NULL, or one byte per point of the dataset; not 0: chosen */
    const int32_t *labels;     /* with a label_rule: one label per point of the dataset. Else NULL */
} bmo_candidates;

/* A searcher whose candidates are the chosen points (by rows or mask). With a label_rule, the candidates of a query are
 * the chosen points that the rule allows. Indices are positions in ds.
 * For each query, the promise of section 2 covers the neighbors among its candidates. It fails if you chose rows, mask
 * or labels by answers of earlier searches with the same seed.
 * k is 1 to the number of chosen points, even if a query has fewer candidates. Then its last places have no neighbor.
 * Queries that are points of ds (bmo_query_knn_rows(), bmo_query_graph() and their radius forms) have the labels of
 * these points, chosen or not. For all other queries, set bmo_limits.query_labels. If no chosen point has the label of
 * a query, it finds nothing by BMO_LABELS_SAME, and any chosen point by BMO_LABELS_OTHER.
 * k-means and the medoid do not take such a searcher: see bmo_dataset_subset().
 *
 * Cost: the chosen points are copied with their preparation, as by bmo_dataset_subset(). With a label_rule, each label
 * is copied by itself, unless it has few points. Few means: fewer than 32, or than the square root of the number of
 * chosen points. Labels of few points have no preparation with BMO_LABELS_SAME. With BMO_LABELS_OTHER they are copied
 * together. If all points are chosen and there is no label_rule, nothing is copied, unless the coordinates of a point
 * lie apart. Each label with BMO_LABELS_SAME takes some KB besides.
 * What a query then costs:
 *   no label_rule      a search of the chosen points
 *   BMO_LABELS_SAME    a search of the points with its label. If they are few, a full scan of them; the queries of one
 *                      such label are scanned on one thread
 *   BMO_LABELS_OTHER   a search of the points of each other label, and one of all labels with few points together. If
 *                      m points of the latter have the query's label, up to k + 2 * m neighbors are found there
 * With BMO_LABELS_OTHER a row is finished by its last search. Until then the call keeps 16 * k bytes for each query. So
 * a call that is stopped has finished few rows, or none.
 * monitor may be NULL.
 * Errors: those of bmo_query_create() and bmo_dataset_subset(); BMO_EINVAL (a row out of range or twice, no candidate,
 * rows and mask, labels without label_rule or the reverse). */
BMO_TRY bmo_query_create_among(bmo_query **out, const bmo_dataset *ds, const bmo_config *config,
                               const bmo_candidates *candidates, const bmo_monitor *monitor);

/* NULL does nothing. */
BMO_API void bmo_query_free(bmo_query *query);

/* What was proved about an answer; larger is stronger. */
typedef int32_t bmo_guarantee;
enum {
    BMO_GUARANTEE_NONE = 0,
    BMO_GUARANTEE_HEURISTIC = 1,   /* usually right; delta is not a bound */
    BMO_GUARANTEE_CONDITIONAL = 2, /* proven if stats.assumption holds */
    BMO_GUARANTEE_PROVEN = 3,      /* right as section 2 says: with probability at least 1 - delta, whatever the data */
    BMO_GUARANTEE_EXACT = 4        /* every distance was computed, or ruled out by a bound that cannot fail */
};

/* "proven" for BMO_GUARANTEE_PROVEN; "unknown guarantee" for any other number. Static text. */
BMO_API const char *bmo_guarantee_name(bmo_guarantee guarantee);

/* What a search did. gain = coord_ops_brute / coord_ops. With weights, d below counts the coordinates whose weight is
 * not 0. */
typedef struct bmo_stats {
    uint32_t struct_size;
    bmo_guarantee guarantee;
    int32_t method, box, bandit, confidence, sampling, threads; /* what was used; 0: not used */
    const char *assumption;   /* static text; "" if none */
    const char *reason;       /* static text: why auto chose so; "" if nothing was left to auto */
    uint64_t queries, arms;   /* arms: candidates of one query; of bmo_query_create_among(): all chosen points */
    uint64_t rounds;          /* rounds of the bandit, over all queries */
    uint64_t coord_ops_sampled; /* coordinate operations spent on samples, estimates and bounds */
    uint64_t exact_evals;     /* distances computed in full */
    uint64_t coord_ops;       /* all evaluations of a coordinate distance: coord_ops_sampled + coord_ops_exact */
    uint64_t coord_ops_exact; /* those of the distances computed in full: d each, even if some were sampled before.
                               * Sparse points: only entries that were not sampled before */
    uint64_t coord_ops_brute; /* operations of the full scan: queries * arms * d. Sparse points: of each pair, the
                               * entries of the query and those of the point. With a label_rule, an arm is a point of
                               * a label that the query searched */
    uint64_t projection_ops;  /* operations that belong to no pair of points: rotating or projecting queries (k-means:
                               * points and centers) */
    int64_t seed;
    double delta, epsilon;
    uint64_t wall_ns;
    uint64_t arms_pruned;     /* projected box: pairs of query and arm ruled out by bounds that cannot fail, before a
                               * sample was read. epsilon raises this. Other boxes: 0 */
    uint64_t neighbors;       /* found: queries * k, or fewer if limits or labels leave fewer */
} bmo_stats;

/* Statistics of one query. The field of the same name in bmo_stats is the sum over the queries, plus what the call
 * spent on choosing a method. This layout is frozen, since arrays of it cross the ABI. */
typedef struct bmo_row_stats {
    uint64_t coord_ops;
    uint32_t rounds, exact_evals;
} bmo_row_stats;

/* Which neighbors count. Zero it, then set struct_size and what you want.
 *
 * max_distance: no neighbor is farther. A distance that equals it is within. Infinite: no limit. A limit saves work,
 * too: a point that is shown to be farther is dropped at once. epsilon is ignored for queries whose limit is finite. */
typedef struct bmo_limits {
    uint32_t struct_size;
    uint32_t reserved;          /* 0 */
    const double *max_distance; /* NULL: no limit. Not NaN */
    int64_t max_distance_count; /* 1: one for all queries; otherwise as many as there are queries. 0 if there is none */
    int64_t max_pairs;          /* radius searches: BMO_EOVERFLOW if the queries together have more; 0: any number.
                                 * Other searches: 0 */
    const int32_t *query_labels; /* the label of each query, if bmo_query_create_among() had a label_rule. NULL if it
                                  * had none, or if the queries are points of the dataset */
    int64_t query_label_count;  /* as many as there are queries; 0 if query_labels is NULL */
} bmo_limits;

/* Where a search writes. Neighbor r (0 <= r < k) of query i goes to element i * query_stride + r * rank_stride of index
 * and of distance. Neighbors ascend by distance, ties by index. Places without a neighbor have index -1, for every
 * index_base, and infinite distance. If a call is stopped (BMO_ECANCELED) or fails midway
 * (BMO_EOVERFLOW, BMO_ENOMEM, BMO_ECALLBACK), rows with done = 1 are complete and the others are untouched. */
typedef struct bmo_output {
    uint32_t struct_size;
    int32_t index_base;         /* added to each index: 0 or 1 */
    bmo_dtype index_dtype;      /* BMO_I32 or BMO_I64; 0: I64 */
    bmo_dtype distance_dtype;   /* BMO_F32 or BMO_F64; 0: F64. A distance beyond float32 in F32 is BMO_EOVERFLOW */
    void *index, *distance;     /* aligned as their types; either may be NULL */
    int64_t capacity;           /* elements of each buffer, checked before the search starts */
    int64_t query_stride, rank_stride; /* 0: contiguous, as in section 2. Two neighbors must not share an element */
    uint8_t *done;              /* NULL, or one per query: 0 once arguments are checked, 1 when its row is finished */
    bmo_row_stats *row_stats;   /* NULL, or one per query */
    const bmo_limits *limits;   /* NULL, or which neighbors count */
} bmo_output;

/* The searches. Candidates are all n points of the dataset, or those of bmo_query_create_among(). If the
 * queries are points of the dataset (_rows, _graph), a point is not a candidate of its own query, but a duplicate of it
 * is. The answer to a query is the k nearest candidates (within out->limits), ties by least index. stats->guarantee
 * says how sure that is, for every query of the call. Each distance that is written was computed in full. out, monitor
 * and stats may each be NULL, unless query_labels are needed. You set stats->struct_size; stats are filled on BMO_OK
 * only.
 *
 * Cost: stats.coord_ops. It is at most this many times the coordinate operations of the full scan:
 *   method exact                             1
 *   bandit race (section 11)                 1.1
 *   box sketch                               1.4; most of these operate on bytes
 *   bandit ucb, lucb, lucb++ (section 11)    about 2
 *
 * Memory while a call runs, for each thread:
 *   bandit race        up to 12 queries are searched together; fewer if there are 174,763 candidates or more. Each
 *                      query takes up to 64 bytes per candidate and 20 bytes per coordinate. With sampling importance
 *                      these are 72 and 50, and making the bmo_query takes 60 bytes per coordinate besides
 *   box sketch         up to 192 queries are searched together. Each takes 50 bytes per coordinate, and 4 per candidate
 *                      (the latter at most 260 KiB a query)
 *   ucb, lucb, lucb++  up to 300 bytes per candidate; confidence betting: 850, and 4 per sample
 * Points whose coordinates lie apart (coord_stride is not 1) take more. If they are not prepared, a call with many
 * queries makes one row-major copy of them for all threads. Many means: at least 16, and also at least n / 4 in a scan,
 * or n / 16 in a race. Besides, a scan of such points takes up to 24 MiB and 80 bytes per coordinate more for each
 * thread. With BMO_COPY points are row-major from the start.
 * Between calls a bmo_query keeps the memory of 1 to 16 of its threads. The more candidates, the fewer threads.
 *
 * Errors: BMO_EINVAL (k, capacity, strides, limits, a row out of range, d of the queries), BMO_ENONFINITE (row, col of
 * the queries), BMO_EOVERFLOW (a distance beyond the output's type), BMO_ENOMEM, BMO_ECANCELED, BMO_ECALLBACK. */

/* Queries: the points of another dataset with the same d. */
BMO_TRY bmo_query_knn(const bmo_query *query, const bmo_dataset *queries, int64_t k, const bmo_output *out,
                      const bmo_monitor *monitor, bmo_stats *stats);

/* queries->n dense queries of any type and strides with the same d. They are read during the call only. */
BMO_TRY bmo_query_knn_dense(const bmo_query *query, const bmo_dense *queries, int64_t k, const bmo_output *out,
                            const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: sparse points with the same d, as bmo_dataset_sparse() takes them. They are read during the call only.
 * Queries of either kind go with datasets of either kind. Against a dense dataset a query is made dense. */
BMO_TRY bmo_query_knn_sparse(const bmo_query *query, const bmo_sparse *queries, int64_t k, const bmo_output *out,
                             const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: the dataset's own points rows[0..nrows), which may repeat, candidates or not. */
BMO_TRY bmo_query_knn_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, int64_t k, const bmo_output *out,
                           const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: all n points of the dataset, candidates or not. The answer is the k-nearest-neighbor graph, n x k. To write
 * a large graph in pieces, call bmo_query_knn_rows() for one piece after another. delta_scope = call then holds for
 * each piece. */
BMO_TRY bmo_query_graph(const bmo_query *query, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                        bmo_stats *stats);

/* All neighbors within a distance. */
typedef struct bmo_neighbors bmo_neighbors;

/* The neighbors of query i are offset[i] to offset[i + 1] - 1: places in index and distance. They ascend by distance,
 * ties by index. Indices count from 0. */
typedef struct bmo_neighbors_view {
    uint32_t struct_size;
    uint32_t reserved;
    int64_t queries, pairs; /* pairs: offset[queries] */
    const int64_t *offset;  /* queries + 1 */
    const int64_t *index;   /* `pairs` elements; may be NULL if there are none */
    const double *distance; /* the same */
} bmo_neighbors_view;

/* The radius searches: for each query, all candidates within limits->max_distance (not NULL). Queries and
 * candidates are those of the k-NN search of the same name. A dataset prepared for any box can be searched (for
 * sparse_union: by method exact alone). A negative max_distance finds neighbors under inner_product only. An infinite
 * max_distance finds all candidates.
 *
 * Every neighbor that is reported is within the distance, for certain: its distance was computed. Each true neighbor is
 * missing with probability at most delta (section 2). epsilon is ignored. Method uniform is BMO_EINVAL. Unless the
 * method is exact, parameter bandit (section 11) must be auto or race, and box must not be sparse_union.
 *
 * Free *out with bmo_neighbors_free(). stats->neighbors: pairs.
 * Cost: as for the k-NN searches. Every neighbor is computed in full. Method auto first compares a few candidates. If
 * more than 1 in 40 of them is within the distance, auto scans.
 * Memory: 32 bytes per pair. Besides, each thread holds two copies of the neighbors of up to 12 queries, or of 128 in a
 * scan. Any number of threads may read *out.
 * Errors: as for the k-NN searches; BMO_EOVERFLOW (limits.max_pairs) if there are more pairs than that. */
BMO_TRY bmo_query_radius(const bmo_query *query, const bmo_dataset *queries, const bmo_limits *limits,
                         bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats);
BMO_TRY bmo_query_radius_dense(const bmo_query *query, const bmo_dense *queries, const bmo_limits *limits,
                               bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats);
BMO_TRY bmo_query_radius_sparse(const bmo_query *query, const bmo_sparse *queries, const bmo_limits *limits,
                                bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats);
BMO_TRY bmo_query_radius_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, const bmo_limits *limits,
                              bmo_neighbors **out, const bmo_monitor *monitor, bmo_stats *stats);
BMO_TRY bmo_query_radius_graph(const bmo_query *query, const bmo_limits *limits, bmo_neighbors **out,
                               const bmo_monitor *monitor, bmo_stats *stats);

/* The arrays, which are valid until the neighbors are freed. You set view->struct_size. */
BMO_TRY bmo_neighbors_read(const bmo_neighbors *neighbors, bmo_neighbors_view *view);

/* NULL does nothing. */
BMO_API void bmo_neighbors_free(bmo_neighbors *neighbors);

/* ---------------------------------------------------------------------------------------------------------------------
 * 8. Preparation and saved files
 */

/* A new dataset: the source, and what the box of the config needs. Preparing pays from a few dozen queries on if they
 * are asked one at a time. If they are asked together, it pays from several hundred queries on, since a scan for many
 * queries at once is fast. Box dense gives the same answers as without preparation, several times faster. config NULL:
 * the defaults.
 *
 *   box            prepares                                           memory beside the points   serves
 *   dense          the leading part of the random coordinate order,   n c values, c = d / 4      every metric
 *                  copied in blocks that the bandit reads in sequence
 *   rotated        a quarter of the D coordinates of the rotated      4 n c bytes, c = D / 4     l2 + sqeuclidean, or
 *                  points, as float32. D is the least power of 2                                 cosine +
 *                  that is d or more                                                             inner_product
 *   projected      48 leading directions of a sample of 1,024         2 n c bytes, c = d / 5,    l2 + sqeuclidean, or
 *                  points, the points' coefficients, and a fifth of   and up to 400 n + 450 d    cosine, or
 *                  the coordinates of the residuals. For 8,192 points                            inner_product
 *                  or more in clusters: also groups that one bound
 *                  can rule out
 *   sketch         w = 0.28 d directions, 512 at most: leading ones   n (w + 50) bytes,          l2 + sqeuclidean, or
 *                  and random ones; what they show of each point,     and 4 w d                  cosine, or
 *                  in whole numbers of 8 bits                                                    inner_product
 *   sparse,        the index that bmo_query_create() otherwise makes  as large as the points     as section 6 and 11
 *   sparse_union   each time                                                                     say
 *
 * c is at least 512, or all coordinates if they are fewer. Metrics joined by + are served together.
 *
 * If box auto finds scans fastest, and expected_queries is 0 (many) or at least 1,000, it prepares codes: the points as
 * whole numbers of 8 bits. With them a scan of one query under l2, sqeuclidean, cosine or inner_product reads n d
 * bytes, and the few points that are not ruled out. info.box is then BMO_BOX_DENSE. The codes serve the metric that
 * they were prepared for (l2 or sqeuclidean: both). Other metrics are searched as if the dataset were not prepared.
 *
 * If expected_queries is set, box auto prepares what is expected to take the least time in all, preparation included.
 * If no preparation is worth its cost, the new dataset is not prepared (info.box is BMO_BOX_AUTO). It then keeps
 * nothing of the config, not even the seed. expected_queries is ignored with weights and with method uniform. If it
 * is not set, box auto assumes many queries. It takes the first of these that fits:
 *   sparse      for sparse points
 *   projected   for n >= 2,000 dense points with d >= 1,024, if the metric allows it, and if a few leading directions
 *               tell the points apart
 *   sketch      for n >= 2,048 and d from 256 to 8,192, if the metric allows it, if the nearest points seem nearer
 *               than 0.75 times the usual distance, and if the processor has fast products of bytes
 *   dense       for other dense points, unless scans are expected to be faster: then codes as above, or nothing if the
 *               metric has no codes
 *
 * A bmo_query on a prepared dataset must have
 *   - the box that it was prepared for, or auto
 *   - a metric that the preparation serves (with codes, other metrics are allowed too)
 *   - the same weights
 *   - the same seed, or a config whose seed was never set.
 * Otherwise bmo_query_create() is BMO_EINVAL.
 *
 * Two kinds of dense points are copied in a narrower type, if that type holds every value:
 *   - whole numbers from 0 to 255, as bytes, whatever their type is (-0.0 becomes 0). The preparation is smaller, and
 *     searches are faster, with the same answers
 *   - doubles that are not row-major (columns of a matrix), as float32, row-major.
 * They are not copied if box is auto and expected_queries is small. If they are copied, info.dtype is the type of the
 * copy, which stands for the source from then on. Progress reports this copying as phase CHECK. Preparing a prepared
 * dataset starts again from its source, or from that copy. A source that was not copied stays referenced.
 *
 * Cost, on the config's threads, or on one where stated:
 *   every box   one pass over the data; projected: two
 *   rotated     2 n d log2(d) additions
 *   projected   48 n d multiply-adds for the coefficients; about 570,000 d on one thread for the directions; 100 n for
 *               each group, if there are groups (see the table). There are at most min(2 sqrt(n), 2,048) groups
 *   sketch      w n d multiply-adds; about (3 w + 4,000) w d on one thread for the directions
 * monitor may be NULL.
 * Errors: BMO_EINVAL, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_prepare(bmo_dataset **out, const bmo_dataset *source, const bmo_config *config,
                            const bmo_monitor *monitor);

/* A new dataset: the points rows[0..nrows) of ds, which may be in any order and may repeat. Point i of *out is point
 * rows[i] of ds. In this way you delete points, or search some of them. The points are copied. If ds is prepared, *out
 * is prepared for the same box, with the same seed and weights. The promise of section 2 holds unless you chose `rows`
 * by answers of earlier searches with that seed. monitor may be NULL.
 * Cost: one pass over these points. Their preparation is copied, except in these cases, in which it is made again on
 * one thread:
 *   - for boxes sketch, sparse and sparse_union, and for codes
 *   - for box projected under inner_product
 *   - for box rotated under l2, if the points with the largest values are left out.
 * Errors: BMO_EINVAL (a row out of range), BMO_ENONFINITE (borrowed points were changed), BMO_EOVERFLOW, BMO_ENOMEM,
 * BMO_ECANCELED. */
BMO_TRY bmo_dataset_subset(bmo_dataset **out, const bmo_dataset *ds, const int64_t *rows, int64_t nrows,
                           const bmo_monitor *monitor);

/* Writes the points, their preparation, and its box, seed and weights to a file for bmo_dataset_open(), in the
 * library's own format (.bmo). The file appears under its name when it is complete and on the disk. Until then, and if
 * the call fails, an older file of that name stays as it was. The new file takes the older one's mode. A link is
 * followed, also to a file that does not exist yet. A process that is killed leaves nothing; on file systems without
 * O_TMPFILE it leaves a file bmo-*.part, which blocks no later call. monitor may be NULL.
 * Memory: none, except a copy of dense points that are not row-major. Cost: writing the points and the preparation.
 * Not written, but made again when the file is opened: the index of the sparse boxes, what box sketch needs, and codes.
 * Errors: BMO_EINVAL, BMO_EIO (the path, or the disk), BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_save(const bmo_dataset *ds, const char *path, const bmo_monitor *monitor);

/* ---------------------------------------------------------------------------------------------------------------------
 * 9. k-means and medoid
 */

/* How centers start.
 *   PLUSPLUS  k-means++ (Arthur and Vassilvitskii, 2007): each next center is a point, drawn with probability
 *             proportional to its squared distance to the nearest center so far
 *   RANDOM    k different points
 *   GIVEN     the centers in `centers` */
enum { BMO_INIT_PLUSPLUS = 0, BMO_INIT_RANDOM = 1, BMO_INIT_GIVEN = 2 };

/* What bmo_query_kmeans() is to do, and where it writes. labels, inertia and iterations may each be NULL, and so may
 * centers unless init is BMO_INIT_GIVEN. */
typedef struct bmo_kmeans {
    uint32_t struct_size;
    int32_t init;             /* BMO_INIT_* */
    int32_t n_init;           /* starts; the one of least inertia is kept. 0: 1. With BMO_INIT_GIVEN: 0 or 1 */
    int32_t reserved;         /* 0 */
    int64_t k;                /* 1 to n, the points of the dataset */
    int64_t max_iter;         /* at most this many moves of the centers; 0: 100 */
    double tol;               /* > 0: ends when no center moved farther than this; 0: when no label changes */
    double *centers;          /* k x d, row-major: read with BMO_INIT_GIVEN, and written */
    int64_t centers_capacity; /* elements of it */
    int32_t *labels;          /* n: the center of each point, 0 to k - 1 */
    double *inertia;          /* sum of the squared distances of the points to their centers */
    int64_t *iterations;      /* moves of the centers, in the start that was kept */
    const int64_t *seed;      /* draws the starts; NULL: the seed of the query. Need not match prepared data */
} bmo_kmeans;

/* k-means of the dataset's points by Lloyd's algorithm. A step assigns every point to its nearest center. Between
 * steps, each center moves to the mean of its points, in double. Each label is the index of the point's nearest
 * returned center, on a tie the lowest index; labels are exact. Bounds that cannot fail rule out most centers. They
 * come from 48 leading directions, from distances computed in earlier steps, and from how far centers moved. The
 * distances to the remaining centers are computed. Method exact computes every distance.
 *
 * A center without points moves to the point that is farthest from its own center, among those that are not alone in
 * their cluster; ties by least index. If all those points lie exactly on their centers, the empty center stays where it
 * is. The mean of points that are all equal is that very point.
 *
 * The steps end by tol, by max_iter, or if the centers repeat, which rounding can cause. The last step is one more
 * assignment, so that the labels fit the returned centers. If that assignment changes labels, the returned centers are
 * the means of the clusters as they were before it.
 *
 * Parameters used: metric (l2 or sqeuclidean, which are the same here), method, threads, and seed unless run->seed is
 * set. weights (section 6) are BMO_EINVAL. Sparse points are compared with centers, which are dense, over all
 * coordinates. A dataset that was prepared for the projected box has the directions and coefficients already.
 *
 * stats: totals of all starts and steps, of choosing the starts, and of the inertia
 *   queries         points times steps
 *   arms            k
 *   guarantee       BMO_GUARANTEE_EXACT; bandit, confidence and sampling are 0
 *   projection_ops  48 d for each move of a center; for each point 48 d (d if prepared for the projected box)
 * Progress: points; `done` begins again at 0 with each pass over the points. Each step is such a pass.
 * Memory while it runs: 8 bytes for each pair of a point and a center, 260 a point, five copies of the centers, and a
 * row-major copy of points whose coordinates lie apart. While the directions are found, 12 bytes per coordinate of up
 * to 1,024 points, unless the data are prepared for the projected box.
 * Errors: BMO_EINVAL, BMO_ENONFINITE (row, col of the given centers), BMO_EOVERFLOW, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_query_kmeans(const bmo_query *query, const bmo_kmeans *run, const bmo_monitor *monitor, bmo_stats *stats);

typedef struct bmo_medoid {
    uint32_t struct_size;
    uint32_t reserved;    /* 0 */
    int64_t index;        /* of the point */
    double mean_distance; /* to the other points; 0 for a single point */
    const int64_t *seed;  /* you set it: draws the reference points; NULL: the seed of the query */
} bmo_medoid;

/* The medoid of the dataset's points: the point whose mean distance to the others is least, ties to the lowest index.
 * The result is wrong with probability at most delta. Points may be dense, with weights or without, or sparse.
 *
 * Points are ruled out by their distances to random reference points, which are the same for all. The test
 * bounds how much the distances of two points to one reference can differ: by the triangle inequality, or by what
 * follows from it for sqeuclidean and cosine. After n / 10 references, or if few points are ruled out, the mean
 * distances of the points that remain are computed in full. Under l2, sqeuclidean, l1 and cosine, bounds that cannot
 * fail come before that step, and leave few of these points.
 *
 * Method auto uses reference points for l2, sqeuclidean, l1, cosine and lp with p >= 1, if there are 64 points or
 * more; in all other cases it is method exact. Method bandit does what auto does with these metrics: below 64 points it
 * is method exact, too. With any other metric it is BMO_EINVAL. Method exact computes the mean of every point, unless a
 * bound that cannot fail rules the point out. Parameters used: metric, p, method, delta, seed, weights, box and
 * threads.
 *
 * stats
 *   queries, arms      1, n
 *   coord_ops_sampled  operations on distances to references, and on bounds
 *   exact_evals        points whose mean was computed. Method exact: n, even if bounds ruled some out
 *   coord_ops_brute    the operations of all n (n - 1) distances (sparse points: estimated from those computed)
 *   bandit, sampling   0
 * Progress: points that are settled. Memory while it runs: about 250 bytes per point, and 16 for each thread; at most
 * 128 MiB of distances; and a row-major copy of points whose coordinates lie apart.
 * Errors: BMO_EINVAL (no points; out), BMO_EOVERFLOW, BMO_ECALLBACK, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_query_medoid(const bmo_query *query, bmo_medoid *out, const bmo_monitor *monitor, bmo_stats *stats);

/* ---------------------------------------------------------------------------------------------------------------------
 * 10. Your own arms: the bandits alone, without points
 */

/* n arms. Each is a distribution that can be sampled, and perhaps its mean can be computed. Both callbacks run on the
 * thread that calls bmo_best_arms(), one at a time. If a callback returns non-zero, bmo_best_arms() stops with
 * BMO_ECALLBACK. bmo_error.callback_result is then the value returned, and bmo_error.row is the arm, if one is at
 * fault. Callbacks must return: no exception, no longjmp.
 *
 * pull   draws m new independent samples of each of count arms, and sets their sum and sum of squares. Rounding may
 *        change either by at most 1e-12 of the sum of the absolute values of its terms. All samples of one arm must be
 *        independent, and so must samples of different calls. The arms of one call may share random numbers. Use stream
 *        as a seed: every call has its own, and the same config gives the same ones in the same order.
 * exact  sets the mean itself. NULL: there is none, and every arm is sampled until the best are told apart. Equal arms
 *        cannot be told apart, nor means within about 1e-11 of their size. If there may be such arms, set epsilon or
 *        max_pulls. For close means it also helps to shift samples toward 0. */
enum {
    BMO_ARMS_MAXIMIZE = 4, /* the arms of largest mean are best; otherwise those of least mean */
    BMO_ARMS_BOUNDED = 8   /* every sample is in [lower, upper], of which one may be infinite */
};
typedef struct bmo_arms {
    uint32_t struct_size;
    uint32_t flags;
    int64_t n;
    void *ctx;
    uint64_t exact_cost; /* what an exact value costs, in samples; 1 or more, if exact is not NULL. After that many
                          * samples of an arm, its mean is computed instead. If costs differ by arm, give their mean */
    double lower, upper; /* with BMO_ARMS_BOUNDED */
    int32_t (*pull)(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum,
                    double *sumsq);
    int32_t (*exact)(void *ctx, int64_t arm, double *mean);
} bmo_arms;

/* Where the k best arms are written, best first by `mean`. The guarantee covers which arms these are, not their order.
 * With epsilon 0 it also covers the order of any two arms whose intervals (mean +- halfwidth) do not overlap. */
typedef struct bmo_best {
    uint32_t struct_size;
    uint32_t reserved;
    int64_t k;         /* 1 to n */
    int64_t *arm;      /* k elements each; any may be NULL */
    double *mean;      /* exact if it was computed, else of the samples */
    double *halfwidth; /* the true mean is within this of `mean`. 0: exact; infinite: nothing bounds it. With epsilon
                        * 0, the guarantee covers the set and all intervals together. So intervals that do not
                        * overlap prove an order. With another epsilon it covers the set alone */
} bmo_best;

/* The k best arms, with probability at least 1 - delta if stats->guarantee is BMO_GUARANTEE_PROVEN. config NULL: the
 * defaults. Parameters used:
 *
 *   delta, epsilon  the r-th best of the arms in the set is at most epsilon worse than the r-th best of all
 *   bandit          lucb++ (auto), lucb or ucb; race is BMO_EINVAL
 *   confidence
 *       betting           proven if samples have both bounds. If exact is not NULL, one bound is enough: lower if the
 *                         arms of least mean are best, upper with BMO_ARMS_MAXIMIZE
 *       bernstein         proven if samples are bounded on both sides
 *       subgaussian       proven given sigma
 *       empirical/pooled  heuristic
 *       auto              betting if it is proven, else empirical
 *   init_pulls, pulls_per_round, arms_per_round, sigma, seed
 *   max_pulls       at most this many samples of an arm; 0: exact_cost, or no limit if exact is NULL. If exact is NULL,
 *                   and an arm is still undecided after its last sample, the guarantee is BMO_GUARANTEE_NONE
 *   method          auto or bandit; exact: all n means are computed; uniform: uniform_pulls samples of each
 *
 * stats: coord_ops counts samples, and exact_cost for each exact value. coord_ops_brute is n * exact_cost, 0 without
 * exact. If max_pulls is exact_cost, coord_ops is at most about 2 n exact_cost.
 * Memory: about 150 bytes per arm.
 * Errors: BMO_EINVAL, BMO_ECALLBACK (also for sums that are not finite or outside the bounds), BMO_EOVERFLOW (n *
 * exact_cost), BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_best_arms(const bmo_arms *arms, const bmo_config *config, const bmo_best *out, const bmo_monitor *monitor,
                      bmo_stats *stats);

/* ---------------------------------------------------------------------------------------------------------------------
 * 11. Parameters for experiments
 *
 * These parameters choose the bandits and boxes of the literature, for comparison. docs/combinations.md in the sources
 * lists the combinations allowed, each with its guarantee. Others are BMO_EINVAL at bmo_query_create(). auto takes the
 * first line of that list that fits. With none of these parameters set, that line is the fastest proven choice.
 *
 * bandit            default auto: ucb if box is sparse_union, lucb++ if sampling is with_replacement, else race
 *     race            every arm is sampled until it is dropped or its distance is computed
 *     ucb             BMO UCB of the paper: the arms of lowest bound are sampled
 *     lucb            the worst of the best k and the best of the others are sampled
 *     lucb++          as lucb; half of delta goes to lower bounds of the k best arms, half to upper bounds of all
 * confidence        default auto: betting; beta with box sketch; empirical with ucb. What bounds an arm's mean
 *     betting         proven without any assumption about the data
 *     bernstein       proven, by the variance of the arm's samples and the range of the data
 *     beta            proven, by the distribution of what random directions show; box sketch alone
 *     subgaussian     sqrt(2 sigma^2 log(1 / alpha) / T) after T samples, where alpha is the arm's part of delta;
 *                     proven if sigma is right
 *     empirical       the same with the variance of the arm's samples; heuristic
 *     pooled          the same with the variance of all arms' first samples; heuristic
 * sampling          default auto: without_replacement with race, else with_replacement
 *     without_replacement  by the shared random order
 *     with_replacement     each arm on its own
 *     importance      without replacement; a coordinate is drawn in proportion to how far apart points are in it. The
 *                     heaviest coordinates are always read first. Pays if a few coordinates hold most of a
 *                     distance. Learned from 257 points, in bmo_query_create()
 * box               sparse_union: sparse points; a coin decides between coordinates of the query and of the point. l1,
 *                   l2, sqeuclidean, lp. By default the paper's method, which is heuristic; proven with confidence
 *                   betting
 * method            uniform: the same number of samples of every arm, and the k least estimates. No promise
 * sigma             default 0; 0 or more. For confidence subgaussian, which needs it: samples are sub-Gaussian with
 *                   this standard deviation. A sample is a term of the metric's sum, such as (a - b)^2 under l2
 * init_pulls        default 32; 1 to 2^31. ucb, lucb, lucb++: samples of every arm at first; pooled needs 2 or more
 * arms_per_round    default 32; 1 to 2^31. ucb: arms that are sampled in a round
 * pulls_per_round   default 256; 1 to 2^31. ucb, lucb, lucb++: samples that an arm takes in a round
 * max_pulls         default 0; 0 to 2^31. ucb, lucb, lucb++: samples after which an arm is computed in full. 0: d; with
 *                   sparse_union, the entries of the query and of an average point
 * uniform_pulls     default 256; 1 to 2^31. method uniform: samples of every arm
 */

#ifdef __cplusplus
}
#endif
#endif
