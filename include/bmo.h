/* libbmo: exact nearest neighbors in thousands of dimensions by bandit-based Monte Carlo optimization.
 *
 * Finding the k nearest of n points in d dimensions costs n * d evaluations of a coordinate distance rho_j(q_j, x_ij)
 * ("coordinate operations"). libbmo treats each point as the arm of a bandit, samples coordinates of its distance (a
 * Monte Carlo box), drops an arm as soon as the evidence says that it cannot be among the k nearest, and computes what
 * is left exactly. The neighbors are the exact ones with probability at least 1 - delta, usually at about a hundredth
 * of the operations. Method: Bagaria, Baharav, Kamath, Tse, "Bandit-Based Monte Carlo Optimization for Nearest
 * Neighbors" (2021); the test by betting: Waudby-Smith, Ramdas, "Estimating means of bounded random variables by
 * betting" (2024). docs/statistics.md has the proofs.
 *
 * A first program (bindings/c has whole ones):
 *
 *     bmo_dense x = {.struct_size = sizeof x, .dtype = BMO_F32, .data = matrix, .n = n, .d = d};
 *     bmo_dataset *data; bmo_query *query;
 *     if (bmo_dataset_dense(&data, &x, BMO_BORROW, NULL, NULL) || bmo_query_create(&query, data, NULL, NULL))
 *         return fprintf(stderr, "%s\n", bmo_last_error()), 1;
 *     int64_t index[5 * 10]; double dist[5 * 10];               // the 5 nearest of the first 10 points
 *     bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = 50};
 *     int64_t rows[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
 *     if (bmo_query_knn_rows(query, rows, 10, 5, &out, NULL, NULL)) return fprintf(stderr, "%s\n", bmo_last_error()), 1;
 *     bmo_query_free(query); bmo_dataset_free(data);
 *
 * RULES THAT HOLD FOR EVERY FUNCTION
 *
 *  Errors     A function that can fail returns a bmo_status: BMO_OK (0), or a negative code. On failure outputs are
 *             untouched (except the rows that a stopped search had finished, see bmo_output), and bmo_error_detail()
 *             tells argument, row, column and message. Nothing prints, throws, exits, aborts or handles a signal.
 *  Ownership  The library keeps no pointer of the caller past the call, with two exceptions: data passed with
 *             BMO_BORROW, and the ctx of a callback rho (see bmo_owner). A config is copied into the query. Handles are
 *             reference counted inside: they may be freed in any order; freeing NULL does nothing.
 *  Threads    bmo_dataset, bmo_query, bmo_cancel: any number of threads at once. bmo_config: one thread at a time.
 *             Callbacks run on the thread that made the call, unless their flags say BMO_CALLBACK_ANY_THREAD. Threads
 *             that a call starts end with it. pthread_cancel() takes effect when the call has returned.
 *             After fork() the child may use everything that existed before.
 *  Structs    Passed by pointer. The first field is struct_size = sizeof(the struct): a struct grows only at its end,
 *             so that a program built with an older header keeps working. Zero it before filling it; a field that is 0
 *             means the default. One that is larger than the library's, with a non-zero tail, is BMO_EVERSION.
 *  Strides    In elements, positive. 0 means contiguous row-major: for the inner axis (coordinates, ranks) 1, for the
 *             outer one (points, queries) the inner length times the inner stride. The stride of an axis of length 1
 *             is ignored.
 *  Sizes      n >= 0 points, d >= 1 coordinates, each at most 2^31 - 1 (n * d may be more); 1 <= k <=
 *             candidates. Zero queries is BMO_OK and does nothing.
 *  Precision  Distances come from differences in double, never from norms minus products, and depend on no other row or
 *             query but in their last digits (2^-48 of a distance). Values may be of any size: BMO_EOVERFLOW is of a
 *             distance that is beyond its type. A cosine distance below 2.2e-308 may count as 0.
 *  Same answer  Same data, config and seed: the same neighbors, distances and operation counts for any number of
 *             threads and any instruction set.
 *
 * WHAT THE PROBABILITY IS OVER
 *
 *  Over the seed, for data and queries that were fixed before it. Each query errs with probability at most delta. The
 *  queries of one seed share one random order of the coordinates: they err together more often than independent ones
 *  would. Repeating a query with the same seed repeats its answer, right or wrong. Whoever knows the seed can build a
 *  query that fails. Near-ties never cause an error: they cost up to a full scan. BMO_SCOPE_CALL makes delta bound the
 *  probability that any answer of the call is wrong.
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
 * 1. Status
 */

typedef int32_t bmo_status;
enum {
    BMO_OK = 0,
    BMO_EINVAL = -1,       /* an argument is out of its range; the message says which, its value and what is expected */
    BMO_ENOMEM = -2,       /* memory ran out; nothing was changed */
    BMO_EIO = -3,          /* a file could not be opened, read or mapped; the message carries the system's reason */
    BMO_EFORMAT = -4,      /* a file is not what its name or header says */
    BMO_EVERSION = -5,     /* a struct or a file comes from a newer version of the library */
    BMO_EUNSUPPORTED = -6, /* well formed, but not something this library reads */
    BMO_ENONFINITE = -7,   /* NaN or infinity in the data or the queries: row and col say where */
    BMO_EOVERFLOW = -8,    /* a product of sizes, or a distance, is beyond its type */
    BMO_ECANCELED = -9,    /* stopped by bmo_cancel_request() or by the progress callback */
    BMO_ECALLBACK = -10,   /* a callback stopped the call, or said what it must not */
    BMO_EINTERNAL = -99    /* a bug in the library: please report the message */
};

/* What the last failing call of this thread said, in parts, so that a language with 1-based or column-wise positions
 * can word its own message. */
typedef struct bmo_error {
    uint32_t struct_size;
    bmo_status status;       /* BMO_OK where no call of this thread has failed yet */
    int64_t row, col;        /* 0-based point and coordinate; -1: none */
    int32_t callback_result; /* what the caller's callback returned when it stopped the call; else 0 */
    int32_t reserved;
    const char *argument;    /* the argument, field or parameter at fault: "k", "out.capacity", "delta"; "" if none;
                              * valid like message */
    const char *message;     /* one line of UTF-8 without control characters ('?' stands for what is none of it); valid
                              * on this thread until its next failing call; never NULL */
} bmo_error;

/* "BMO_EINVAL" for BMO_EINVAL; "unknown status" for a value that is none. Static text. */
BMO_API const char *bmo_status_name(bmo_status status);

/* The message of this thread's last failing call; "" if there was none. Valid until the thread's next failing call. */
BMO_API const char *bmo_last_error(void);

/* Fills *error (error->struct_size set by the caller). NULL does nothing. */
BMO_API void bmo_error_detail(bmo_error *error);

/* ---------------------------------------------------------------------------------------------------------------------
 * 2. Library. These cannot fail.
 */

/* The version of the library that runs: 1000000 * major + 1000 * minor + patch. */
BMO_API int32_t bmo_version(void);

/* The same as text, "0.1.0". Static. */
BMO_API const char *bmo_version_string(void);

/* The instruction set in use: "avx512vnni", "avx512", "avx2", "sse4", "neon" or "scalar". The best that the processor
 * has; the environment variable BMO_ISA, read once, lowers it (a name that the processor lacks is ignored). */
BMO_API const char *bmo_isa(void);

/* How many threads the parameter "threads" = 0 uses: the least of the processors that this thread may run on and the
 * quota of its control group. At least 1. What was read of the quota counts for a second, in the whole process. */
BMO_API int32_t bmo_threads_available(void);

/* ---------------------------------------------------------------------------------------------------------------------
 * 3. Long calls: progress and cancel
 */

/* A flag that stops running calls. */
typedef struct bmo_cancel bmo_cancel;

/* *out is freed with bmo_cancel_free(). */
BMO_TRY bmo_cancel_create(bmo_cancel **out);

/* Every call that has this token ends with BMO_ECANCELED, within 50 ms of its own work. From any thread or any signal
 * handler. Stays requested until reset. NULL does nothing. */
BMO_API void bmo_cancel_request(bmo_cancel *token);

/* Makes the token usable again. NULL does nothing. */
BMO_API void bmo_cancel_reset(bmo_cancel *token);

/* A running call keeps its own reference, so that freeing early is safe. NULL does nothing. */
BMO_API void bmo_cancel_free(bmo_cancel *token);

typedef int32_t bmo_phase;
enum { BMO_PHASE_READ = 1, BMO_PHASE_CHECK = 2, BMO_PHASE_PREPARE = 3, BMO_PHASE_SEARCH = 4, BMO_PHASE_WRITE = 5 };

/* done of total units of this phase: bytes when reading (entries of a .mtx) or writing, rows when checking or preparing,
 * queries when searching. */
typedef struct bmo_progress {
    uint32_t struct_size;
    bmo_phase phase;
    int64_t done, total;
} bmo_progress;

/* Called on the thread that made the call, with ctx of the monitor. Non-zero stops the call with BMO_ECANCELED and is
 * found again in bmo_error.callback_result. It must return: no exception, no longjmp, no pthread_exit(). It may call the
 * library. */
typedef int32_t (*bmo_progress_fn)(void *ctx, const bmo_progress *progress);

/* How a long call reports and is stopped. NULL for the whole monitor, progress or cancel means: none. */
typedef struct bmo_monitor {
    uint32_t struct_size;
    int32_t interval_ms; /* least time between two reports; 0: 100. The end of a phase is reported in any case */
    bmo_progress_fn progress;
    void *ctx;
    bmo_cancel *cancel;
} bmo_monitor;

/* ---------------------------------------------------------------------------------------------------------------------
 * 4. Data
 */

typedef int32_t bmo_dtype;
enum { BMO_F32 = 1, BMO_F64 = 2, BMO_U8 = 3, BMO_I32 = 4, BMO_I64 = 5 };

/* Points of any of these types; element (point i, coordinate j) is at data[i * point_stride + j * coord_stride].
 * Row-major: strides 0, 0 or d, 1. Column-major (R, Fortran): 1, n. Values must be finite; integers within +-2^53. */
typedef struct bmo_dense {
    uint32_t struct_size;
    bmo_dtype dtype;
    const void *data; /* aligned as its type; may be NULL where n is 0 */
    int64_t n, d, point_stride, coord_stride;
} bmo_dense;

/* Who keeps borrowed memory alive. After a call that SUCCEEDED, release(ctx) is called exactly once, on the thread that
 * drops the last reference to the memory; after a call that failed, never. */
typedef void (*bmo_release_fn)(void *ctx);
typedef struct bmo_owner {
    uint32_t struct_size;
    uint32_t reserved;
    bmo_release_fn release; /* NULL: nothing to call */
    void *ctx;
} bmo_owner;

/* Points, and what was prepared for searching them. Immutable. */
typedef struct bmo_dataset bmo_dataset;

/* The metric, the Monte Carlo box, the bandit and its promise: section 5. */
typedef struct bmo_config bmo_config;

/* BMO_COPY: the data are copied, row-major. BMO_BORROW: they are used where they are, and must stay valid and unchanged
 * until the last handle that refers to them is freed (see bmo_owner). I32 and I64 are always converted: to F32 where
 * that is exact for every value, else to F64; bmo_dataset_info tells which. */
enum { BMO_COPY = 0, BMO_BORROW = 1 };

/* A dataset of n points of d coordinates. owner: NULL, or who is told when the data are no longer needed; with BMO_COPY
 * (and converted types) that is before the call returns. Cost: one pass over the data.
 * Errors: BMO_EINVAL, BMO_ENONFINITE (row, col), BMO_EOVERFLOW (n * d, or its bytes), BMO_ENOMEM. */
BMO_TRY bmo_dataset_dense(bmo_dataset **out, const bmo_dense *data, uint32_t flags, const bmo_owner *owner);

/* Which axis of a bmo_sparse is compressed: its pointers delimit the entries of one point, or of one coordinate. */
enum {
    BMO_POINTS_COMPRESSED = 0, /* CSR of points; also a dgCMatrix (R) or SparseMatrixCSC (Julia) with points in columns */
    BMO_COORDS_COMPRESSED = 1  /* CSC of points: transposed as it is copied */
};

/* Points most of whose coordinates are 0. Line i (a point, or a coordinate) has the entries pointers[i] - index_base to
 * pointers[i + 1] - index_base - 1 of indices (which coordinate, or point, from index_base) and values. Entries may come
 * in any order; repeated ones are summed (in double, then rounded to the type that is stored); 0 and -0.0 are no
 * entries; a line may be empty. Values must be finite, integers and sums of integers within +-2^53. */
typedef struct bmo_sparse {
    uint32_t struct_size;
    int32_t orientation;   /* BMO_POINTS_COMPRESSED or BMO_COORDS_COMPRESSED */
    int32_t index_base;    /* 0 or 1: of pointers and indices */
    bmo_dtype pointer_dtype, index_dtype; /* BMO_I32 or BMO_I64 */
    bmo_dtype value_dtype; /* any type; 0 where values is NULL */
    int64_t n, d, nnz;     /* n and d below 2^31 */
    const void *pointers;  /* n + 1, or d + 1: the first is index_base, the last index_base + nnz. NULL: no points */
    const void *indices;   /* nnz */
    const void *values;    /* nnz; NULL: all 1 */
} bmo_sparse;

/* A dataset of sparse points. Every pointer, index and value is checked; the arrays are never written. BMO_BORROW uses
 * them as they are where they can be: by points, index_base 0, I32 indices that ascend strictly within each point, F32
 * or F64 values none of which is 0. Anything else becomes a copy, as bytes_owned of bmo_dataset_info tells; owner is told
 * then before the call returns. F32 and F64 keep their type; other types become F32 where that is exact for every value,
 * else F64. Cost: one pass over the entries, two and a sort of unsorted points for a copy. Memory of a copy: 8 or 12
 * bytes an entry and 8 a point, while it is made up to 12 bytes an entry and 16 a point and a coordinate more.
 * Errors: BMO_EINVAL (argument "data.pointers" or "data.indices", row, col), BMO_ENONFINITE (row, col), BMO_EOVERFLOW,
 * BMO_ENOMEM. */
BMO_TRY bmo_dataset_sparse(bmo_dataset **out, const bmo_sparse *data, uint32_t flags, const bmo_owner *owner);

/* A dataset from a file:
 *   .npy     NumPy, versions 1 to 3, two-dimensional (one-dimensional: a single point), C or Fortran order, little-endian
 *            f4 f8 i4 i8, and u1 (and bool, as u1) with any mark of the order of bytes
 *   .mtx     MatrixMarket, a row a point: coordinate (a sparse dataset; repeated entries are summed) or array (a dense
 *            one); real (double, float), integer (unsigned-integer, unsigned) or pattern (all 1); general,
 *            symmetric or skew-symmetric. F32 where that is exact for
 *            every value, else F64. The decimal separator is "." in every locale
 *   .fvecs, .bvecs, .ivecs  vectors of f4, u1 or i4, each behind its length as i4
 * each as it is or compressed with gzip (.gz, of one member or several), and
 *   .bmo     what bmo_dataset_save() wrote: prepared, if it was, and checked against its checksums. Of what was prepared,
 *            some rows (all, if they are few) are made again from the points and compared. What is not compared is
 *            trusted, and so is that the order was drawn at random: do not open a .bmo from whom you do not trust
 * The first bytes tell which, not the name; only
 * .fvecs, .bvecs and .ivecs, which have no mark of their own, go by the end of their name (.gz apart), also in capitals.
 * A pipe is BMO_EIO. flags: BMO_BORROW
 * maps a plain .npy or a .bmo into memory (the file must not change meanwhile); BMO_COPY, and whatever cannot be mapped,
 * reads it. monitor may be NULL.
 * Cost: one pass over the file. Memory: that of the data; while integers are read also the file's own form of them, while
 * a .mtx is read at most 64 times its size as text and 32 MiB, whatever sizes it announces (a .mtx of more than 2^20
 * points and a point a byte is BMO_EFORMAT).
 * Errors: BMO_EIO, BMO_EFORMAT, BMO_EVERSION (a .bmo of another version of the format), BMO_EUNSUPPORTED (big-endian,
 * object or other types), BMO_ENONFINITE, BMO_EINVAL (an integer beyond 2^53), BMO_EOVERFLOW, BMO_ENOMEM,
 * BMO_ECANCELED. */
BMO_TRY bmo_dataset_open(bmo_dataset **out, const char *path, uint32_t flags, const bmo_monitor *monitor);

/* Writes the points, and what was prepared of them, to a file of the library's own format (.bmo) for bmo_dataset_open().
 * With it are kept the box, the seed and the weights that it was prepared with. The file appears under its name when it
 * is complete and on the disk; before, and where the call fails, an older file of that name stays as it was. The new file
 * takes the older one's mode; a link is followed, also to a file that is not there yet. A process that is killed leaves
 * nothing; on file systems without O_TMPFILE it leaves a file bmo-*.part, which is in nobody's way. monitor may be NULL.
 * Memory: none, but for a copy of dense points that are not row-major. Cost: writing the points and the
 * preparation; what the sparse boxes need is not written, but made again as the file is opened.
 * Errors: BMO_EINVAL, BMO_EIO (the path, or the disk), BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_save(const bmo_dataset *ds, const char *path, const bmo_monitor *monitor);

/* A new dataset: source, and what the box of the config needs beside it. For the dense box: the leading part of the
 * random coordinate order of the config's seed, copied in blocks so that a round of the bandit reads memory in sequence.
 * The answers are the same as without, and come several times sooner; it pays from a few dozen queries on. For the
 * rotated box, which needs it: the rotated points as float32, a quarter of them (see docs/statistics.md). For the projected
 * box, which needs it: 48 leading directions of a sample of 1,024 points, the points' shares of them, and a fifth of the
 * coordinates of what is left, in 16 bits; from 8,192 points on, where the shares are in clusters, also groups of points that
 * fall together. A query on a prepared dataset must have the box (or auto) and the seed (or a config in which no seed was
 * ever set) that it was prepared with (BMO_EINVAL otherwise); its metric
 * is free but for what the box is for; points that were rotated serve either l2 and sqeuclidean, or cosine and inner_product, and
 * those of the projected box l2 and sqeuclidean, or cosine, or inner_product, as the config that they were prepared with. cosine and
 * inner_product need the norms of all points: dense data prepared with one of them keep these, otherwise every
 * bmo_query_create() takes a pass over the data.
 * For the sparse boxes: their index, which every bmo_query_create() on data that are not prepared makes
 * anew for itself; any metric.
 * Unless so few queries are expected that it does not pay:
 * Dense points all of whose values are whole numbers from 0 to 255 (-0.0 is 0) are copied as bytes, whatever their type is:
 * n d bytes, a smaller preparation, and faster searches with the same answers. Doubles whose coordinates are apart in memory
 * (columns of a matrix) are copied row-major as float32, if that holds each of them. Then info.dtype is the type of the
 * copy, which stands for the source from then on. To find that out is phase CHECK.
 * Preparing a prepared dataset starts again from its source, or from that copy. A source that was not copied stays
 * referenced. config NULL: the defaults. With box auto and expected_queries, where few queries do not pay for it, what
 * comes back is not prepared (info.box is BMO_BOX_AUTO): it keeps nothing of the config, not the seed, and searches of it
 * are what auto makes of such data.
 * Threads: the config's. Memory: see bytes_owned. Cost: one pass over the data, projected two; rotated: n transforms of
 * 2 d log2(d) additions; projected: 48 n d multiply-adds, some 10 times 56 x 1,024 d of one thread for the directions, and
 * 100 n for each group that there is in the end: 2 sqrt(n), but 2,048 at most.
 * Errors: BMO_EINVAL, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_dataset_prepare(bmo_dataset **out, const bmo_dataset *source, const bmo_config *config, const bmo_monitor *monitor);

/* One more handle to the same dataset, freed on its own. */
BMO_TRY bmo_dataset_ref(bmo_dataset **out, const bmo_dataset *ds);

/* Drops a handle. Queries made from it go on working. NULL does nothing. */
BMO_API void bmo_dataset_free(bmo_dataset *ds);

typedef struct bmo_dataset_info {
    uint32_t struct_size;
    int32_t kind;  /* 1: dense; 2: sparse */
    int32_t box;   /* BMO_BOX_*: prepared for it; BMO_BOX_AUTO: not prepared */
    int32_t metric; /* BMO_METRIC_* that the preparation is for; 0: any */
    bmo_dtype dtype; /* as stored */
    int32_t reserved;
    int64_t n, d;
    int64_t nnz;  /* stored values: n * d for dense data, those that are not 0 for sparse data */
    int64_t seed; /* of the preparation; 0 where not prepared */
    uint64_t bytes_owned;    /* memory held by this handle's data and preparation, the source included */
    uint64_t bytes_borrowed; /* memory of the caller, or a mapped file, that it refers to */
    uint64_t prepare_ns;     /* wall time of the preparation */
} bmo_dataset_info;

/* Fills *info (info->struct_size set by the caller). */
BMO_TRY bmo_dataset_describe(const bmo_dataset *ds, bmo_dataset_info *info);

/* Writes the coordinates of the points rows[0..nrows) to out, nrows x d, row-major, as double. Rows may repeat. */
BMO_TRY bmo_dataset_copy_rows(const bmo_dataset *ds, const int64_t *rows, int64_t nrows, double *out);

/* ---------------------------------------------------------------------------------------------------------------------
 * 5. Config
 *
 * One table of parameters, enumerable at run time, is behind the setters, the command line and every language binding.
 * A value out of range is BMO_EINVAL and changes nothing.
 *
 *   name         type    default  values
 *   metric       choice  l2       l2: sqrt(sum (a-b)^2); sqeuclidean: sum (a-b)^2; l1: sum |a-b|; lp: (sum |a-b|^p)^(1/p);
 *                                 cosine: 1 - <a,b> / (|a| |b|), 1 for a zero vector; inner_product: -<a,b>;
 *                                 custom: the sum of what the callback of bmo_config_set_rho() says
 *   method       choice  auto     bandit; exact: the full scan; auto: the bandit, or the scan where that is cheaper;
 *                                 uniform: as many samples of every arm, the k least estimates: no promise
 *   box          choice  auto     dense: coordinates in one shared random order; rotated: the same after a random rotation
 *                                 that spreads differences which sit in few coordinates (l2, sqeuclidean, cosine and
 *                                 inner_product, prepared data); projected: the shares of the distance in 48 leading
 *                                 directions first, which with the norms of what is left put most points out of
 *                                 question for certain, then coordinates of what is left (the metrics of rotated);
 *                                 sparse: of sparse points, the overlap with the query's coordinates, its heaviest
 *                                 ones first (l1, sqeuclidean, l2; the other metrics are scanned); sparse_union: the same
 *                                 points, coordinates of the query or of the point as a coin falls (l1, sqeuclidean, l2, lp);
 *                                 auto: what the dataset was prepared for, or dense or sparse as the points are. To
 *                                 prepare for: projected, where the metric is one of its own, for dense points from 2,000
 *                                 points of 1,024 coordinates on, which other metrics are searched without; or as
 *                                 expected_queries has it
 *   bandit       choice  auto     race: every arm sampled until it is dropped or finished; ucb: the paper's BMO UCB, the
 *                                 arms of lowest bound; lucb: the worst of the best against the best of the others;
 *                                 lucb++: the same with delta shared between k and n - k arms
 *   confidence   choice  auto     what bounds an arm's mean. betting: proven without any assumption on the data;
 *                                 bernstein: proven, by the variance of an arm's samples and the range of the data;
 *                                 sigma: sqrt(2 sigma^2 log(2 / delta') / T), given that sigma is right; empirical:
 *                                 the same with the variance of an arm's samples; pooled: with that of all arms' first
 *                                 samples: heuristic
 *   sampling     choice  auto     without_replacement: without replacement, by the shared order; replace: with replacement, each arm
 *                                 on its own; importance: as without_replacement, but coordinates in proportion to how far apart
 *                                 points are there, and those that hold most beforehand, in full: pays where a few
 *                                 coordinates hold most of a distance. Learned from 257 points when the query is made
 *   p            real    2        [0.01, 32]: exponent of lp
 *   delta        real    0.01     [1e-300, 0.5]: probability that an answer is wrong; below
 *                                 about 1e-37 betting drops no point: distances are computed
 *   delta_scope  choice  query    query: each query has delta; call: all queries of a call share it
 *   epsilon      real    0        >= 0: the r-th distance may exceed the true one by epsilon (PAC), in units of the mean
 *                                 coordinate distance: for l2 and sqeuclidean the squared distance / d, l1 and custom the
 *                                 distance / d, lp the distance^p / d. cosine, inner_product: of the distance itself
 *   sigma        real    0        >= 0: of confidence subgaussian: samples are sub-Gaussian with this standard deviation, in units
 *                                 of a coordinate distance (l2 and sqeuclidean: squared). Must then be set
 *   init_pulls   integer 32       [1, 2^31]: of ucb and lucb: samples of every arm at first; pooled: 2 or more
 *   arms_per_round  integer 32    [1, 2^31]: of ucb: arms that are sampled in a round
 *   pulls_per_round integer 256   [1, 2^31]: of ucb and lucb: samples that each of them takes
 *   max_pulls    integer 0        [0, 2^31]: of ucb and lucb: samples after which an arm is computed in full; 0: d,
 *                                 of sparse_union as many as the query and a usual point have entries
 *   uniform_pulls   integer 256   [1, 2^31]: of method uniform: samples of every arm
 *   seed         integer 0        any: the random order. Same seed, same answer. Where it was never set, a query on
 *                                 prepared data has the seed of the preparation
 *   threads      integer 1        [0, 1024]; 0: bmo_threads_available()
 *   expected_queries  integer 0   [0, 2^63 - 1]: of bmo_dataset_prepare() with box auto: how many queries will be asked of
 *                                 what it returns, so that it prepares what the fewest seconds are to be expected from, its
 *                                 own included: for the dense, the rotated or the projected box, or nothing (of lp, custom,
 *                                 cosine and inner_product: what 0 prepares, or nothing; with method exact nothing; of
 *                                 sparse points nothing below 256). With weights, and for method uniform, it is not
 *                                 minded. 0: not known, and so many that preparing pays
 *
 * Combinations: docs/combinations.md lists them with their guarantees; any other is BMO_EINVAL at bmo_query_create().
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
enum { BMO_METRIC_L2 = 1, BMO_METRIC_SQEUCLIDEAN = 2, BMO_METRIC_L1 = 3, BMO_METRIC_LP = 4, BMO_METRIC_COSINE = 5,
       BMO_METRIC_INNER_PRODUCT = 6, BMO_METRIC_CUSTOM = 7 };
enum { BMO_METHOD_AUTO = 0, BMO_METHOD_BANDIT = 1, BMO_METHOD_EXACT = 2, BMO_METHOD_UNIFORM = 3 };
enum { BMO_BOX_AUTO = 0, BMO_BOX_DENSE = 1, BMO_BOX_SPARSE = 2, BMO_BOX_SPARSE_UNION = 3, BMO_BOX_ROTATED = 4,
       BMO_BOX_PROJECTED = 5 };
enum { BMO_BANDIT_AUTO = 0, BMO_BANDIT_UCB = 1, BMO_BANDIT_LUCB = 2, BMO_BANDIT_RACE = 3, BMO_BANDIT_LUCBPP = 4 };
enum {
    BMO_CONFIDENCE_AUTO = 0,
    BMO_CONFIDENCE_BETTING = 1,
    BMO_CONFIDENCE_EMPIRICAL = 2,
    BMO_CONFIDENCE_POOLED = 3,
    BMO_CONFIDENCE_SUBGAUSSIAN = 4,
    BMO_CONFIDENCE_BERNSTEIN = 5
};
enum { BMO_SAMPLING_AUTO = 0, BMO_SAMPLING_WITH_REPLACEMENT = 1, BMO_SAMPLING_WITHOUT_REPLACEMENT = 2, BMO_SAMPLING_IMPORTANCE = 3 };
enum { BMO_SCOPE_QUERY = 1, BMO_SCOPE_CALL = 2 };
enum { BMO_PARAM_TYPE_I64 = 1, BMO_PARAM_TYPE_F64 = 2, BMO_PARAM_TYPE_CHOICE = 3 };

typedef struct bmo_param_info {
    uint32_t struct_size;
    bmo_param param;
    int32_t type; /* BMO_PARAM_TYPE_* */
    uint32_t reserved;
    const char *name;    /* "metric" */
    const char *choices; /* "l2|sqeuclidean|l1|lp" for a choice, else "". Positions are not values: set choices by text */
    const char *initial; /* the default, as text */
    const char *summary; /* one line */
    double lower_f64, upper_f64;   /* range of a real */
    int64_t lower_i64, upper_i64;  /* range of an integer */
} bmo_param_info; /* all texts are static */

/* A config with every parameter at its default; freed with bmo_config_free(). */
BMO_TRY bmo_config_create(bmo_config **out);

/* An independent copy. */
BMO_TRY bmo_config_copy(bmo_config **out, const bmo_config *config);

/* NULL does nothing. */
BMO_API void bmo_config_free(bmo_config *config);

/* Sets an integer, or a choice by its BMO_* value. BMO_EINVAL for a real parameter. */
BMO_TRY bmo_config_set_i64(bmo_config *config, bmo_param param, int64_t value);

/* Sets a real, or an integer parameter from a whole number. BMO_EINVAL for a choice and for NaN. */
BMO_TRY bmo_config_set_f64(bmo_config *config, bmo_param param, double value);

/* Sets any parameter by its name and its value as text ("delta", "1e-3"; "metric", "l1"). The decimal separator is "."
 * in every locale. */
BMO_TRY bmo_config_set_text(bmo_config *config, const char *name, const char *value);

/* Weights of the d coordinates, for l2, sqeuclidean, l1 and lp: rho becomes w_j |a - b|^p. They are copied; each finite and >= 0,
 * one at least above 0. A coordinate of weight 0 costs nothing. NULL and 0 clears them. A dataset that is prepared with a
 * config keeps its weights, and every query on it must have the same. */
BMO_TRY bmo_config_set_weights(bmo_config *config, const double *weights, int64_t d);

/* A coordinate distance of the caller: sets out[i] to rho of coordinate coord[i] between a[i], of the query, and b[i], of
 * a point, for 0 <= i < count (a few thousand). Each finite and >= 0, and the same whenever it is asked again; else the
 * call ends with BMO_ECALLBACK (row and col say of which point and coordinate). Non-zero stops the call with
 * BMO_ECALLBACK too, and is found again in bmo_error.callback_result. It must return: no exception, no longjmp. */
typedef int32_t (*bmo_rho_fn)(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                              double *out);
enum { BMO_CALLBACK_ANY_THREAD = 1 /* from several threads at once; else searches with it have one thread */ };

/* The callback of the metric custom, the distance of which is the sum of rho over the coordinates. owner: its ctx is that
 * of the callback, and its release is called when the last config and query with the callback are freed; NULL for a ctx
 * of NULL. rho NULL (and owner NULL) clears. */
BMO_TRY bmo_config_set_rho(bmo_config *config, bmo_rho_fn rho, uint32_t flags, const bmo_owner *owner);

/* Reads an integer or a choice. */
BMO_TRY bmo_config_get_i64(const bmo_config *config, bmo_param param, int64_t *value);

/* Reads a real or an integer. BMO_EOVERFLOW for an integer that no double is. */
BMO_TRY bmo_config_get_f64(const bmo_config *config, bmo_param param, double *value);

/* Reads any parameter as text that bmo_config_set_text() takes back. *needed (may be NULL) gets the bytes that the text
 * takes, its final NUL included; size 0 with buffer NULL only asks. A buffer too small is BMO_EINVAL, *needed set. */
BMO_TRY bmo_config_get_text(const bmo_config *config, const char *name, char *buffer, size_t size, size_t *needed);

/* The table: position 0 <= position < bmo_param_count(), in the order above. info->struct_size set by the caller. */
BMO_API int32_t bmo_param_count(void);
BMO_TRY bmo_param_at(int32_t position, bmo_param_info *info);

/* ---------------------------------------------------------------------------------------------------------------------
 * 6. Results
 */

/* What was proved of the answer; larger is stronger. */
typedef int32_t bmo_guarantee;
enum {
    BMO_GUARANTEE_NONE = 0,
    BMO_GUARANTEE_HEURISTIC = 1,   /* usually right; delta is not a bound */
    BMO_GUARANTEE_CONDITIONAL = 2, /* proven if stats.assumption holds */
    BMO_GUARANTEE_PROVEN = 3,      /* right with probability at least 1 - delta, whatever the data */
    BMO_GUARANTEE_EXACT = 4        /* every distance was computed, or ruled out by a bound that cannot fail */
};

/* What a search did. gain = coord_ops_brute / coord_ops. */
typedef struct bmo_stats {
    uint32_t struct_size;
    bmo_guarantee guarantee;
    int32_t method, box, bandit, confidence, sampling, threads; /* as resolved from auto */
    const char *assumption; /* static text; "" if none */
    const char *reason;     /* static text: why auto chose so; "" where nothing was left to it */
    uint64_t queries, arms; /* arms: candidates of one query */
    uint64_t rounds;        /* rounds of the bandit, over all queries */
    uint64_t pulls;         /* coordinate operations spent on sampling */
    uint64_t exact_evals;   /* distances computed in full */
    uint64_t coord_ops;       /* every evaluation of a coordinate distance: pulls + coord_ops_exact */
    uint64_t coord_ops_exact; /* those of the distances computed in full: d each, also for coordinates sampled before;
                               * with sparse points only what was not sampled before */
    uint64_t coord_ops_brute; /* what the full scan takes: queries * arms * d. With sparse points an entry is an operation,
                               * once for a query and a point: the scan takes those of both, and method exact no more */
    uint64_t projection_ops;     /* operations on the queries themselves, beyond coord_ops: what rotating or projecting
                               * them takes (not of points of the dataset: that was done as it was prepared); else 0 */
    int64_t seed;
    double delta, epsilon;
    uint64_t wall_ns;
    uint64_t arms_pruned; /* of the queries * arms candidates of a search with the projected box, those that bounds which
                            * cannot fail put out of question, alone or as a group, before a sample was read; exact_evals
                            * were computed, and samples settled the others. Counts what epsilon lets fall, too. Else 0 */
} bmo_stats;

/* Of one query. This layout is frozen, since arrays of it cross the ABI. */
typedef struct bmo_row_stats {
    uint64_t coord_ops;
    uint32_t rounds, exact_evals;
} bmo_row_stats;

/* Where a search writes: neighbor r (0 <= r < k) of query i at element i * query_stride + r * rank_stride of index and
 * dist. Neighbors ascend by distance, ties by index. When a call is stopped (BMO_ECANCELED) or fails midway
 * (BMO_EOVERFLOW, BMO_ENOMEM, BMO_ECALLBACK), rows with done = 1 are complete and the others are untouched. */
typedef struct bmo_output {
    uint32_t struct_size;
    int32_t index_base;    /* added to each index: 0 or 1 */
    bmo_dtype index_dtype; /* BMO_I32 or BMO_I64; 0: I64. BMO_EINVAL where the points are too many for I32 */
    bmo_dtype distance_dtype;  /* BMO_F32 or BMO_F64; 0: F64. A distance beyond float32 in F32 is BMO_EOVERFLOW */
    void *index, *dist;    /* aligned as their types; either may be NULL */
    int64_t capacity;      /* elements in each buffer, checked before the search starts */
    int64_t query_stride, rank_stride; /* both 0: k, 1. Elements of two neighbors must not coincide */
    uint8_t *done; /* NULL, or one a query: set to 0 once the arguments (not the queries' values) are checked, to 1 where
                    * the query's row is finished */
    bmo_row_stats *row_stats; /* NULL, or one a query */
} bmo_output;

/* ---------------------------------------------------------------------------------------------------------------------
 * 7. Query: a dataset and a copy of a config, bound and checked once. Immutable; any number of calls at once.
 */

typedef struct bmo_query bmo_query;

/* config NULL: the defaults. The dataset stays referenced. Errors: BMO_EINVAL where the parameters do not combine, or do
 * not fit what the dataset was prepared for; the message says what to change. */
BMO_TRY bmo_query_create(bmo_query **out, const bmo_dataset *ds, const bmo_config *config);

/* Not while a call on it runs. NULL does nothing. */
BMO_API void bmo_query_free(bmo_query *query);

/* The searches. Candidates are all n points of the dataset; in _rows and _graph a point is no candidate of its own query
 * (by index: a duplicate of it is). The answer of one query is that of the k candidates of least distance, ties by least
 * index, with the guarantee of stats->guarantee. out, monitor and stats may be NULL, each alone; stats->struct_size is
 * set by the caller, and filled on BMO_OK only.
 * Cost: see stats; at most 1.1 times the coordinate operations of the full scan, or, of ucb, lucb and lucb++, about twice.
 * Memory while the call runs: 28 bytes a candidate for each query that a thread has in hand (12, fewer from 174,763 candidates
 * on; with sampling importance 8 more), and 20 bytes a coordinate (with sampling importance up to 30 more, and 60 while the
 * query is made);
 * of ucb, lucb and lucb++, 60 to 110 bytes a candidate for each thread, and with confidence betting 850 and 4 a sample.
 * Errors: BMO_EINVAL (k beyond the candidates, capacity, strides, row out of range, d of the queries), BMO_ENONFINITE
 * (row, col of the queries), BMO_EOVERFLOW (a distance beyond the output's type), BMO_ENOMEM, BMO_ECANCELED,
 * BMO_ECALLBACK. */

/* Queries: the points of a dataset with the same d. */
BMO_TRY bmo_query_knn(const bmo_query *query, const bmo_dataset *points, int64_t k, const bmo_output *out,
                      const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: points->n points of any type and strides with the same d; read during the call only. */
BMO_TRY bmo_query_knn_dense(const bmo_query *query, const bmo_dense *points, int64_t k, const bmo_output *out,
                            const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: sparse points with the same d, as bmo_dataset_sparse() takes them; read during the call only. Dense and sparse
 * queries go with dense and sparse datasets alike: against a dense dataset a query is made dense. */
BMO_TRY bmo_query_knn_sparse(const bmo_query *query, const bmo_sparse *points, int64_t k, const bmo_output *out,
                             const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: the dataset's own points rows[0..nrows), which may repeat. */
BMO_TRY bmo_query_knn_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, int64_t k, const bmo_output *out,
                           const bmo_monitor *monitor, bmo_stats *stats);

/* Queries: every point of the dataset: the k-nearest-neighbor graph, n x k. */
BMO_TRY bmo_query_graph(const bmo_query *query, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                        bmo_stats *stats);

/* How centers start. PLUSPLUS: k-means++ (Arthur and Vassilvitskii, 2007): each next one a point, with probability
 * proportional to its squared distance to the nearest so far. RANDOM: k different points. GIVEN: those in `centers`. */
enum { BMO_INIT_PLUSPLUS = 0, BMO_INIT_RANDOM = 1, BMO_INIT_GIVEN = 2 };

/* What bmo_query_kmeans() is to do, and where it writes. centers may be NULL but with BMO_INIT_GIVEN; labels, inertia and
 * iterations may each be NULL. */
typedef struct bmo_kmeans {
    uint32_t struct_size;
    int32_t init;             /* BMO_INIT_* */
    int32_t n_init;           /* starts, of which the one of least inertia is kept; 0: 1. With BMO_INIT_GIVEN: 1 */
    int32_t reserved;         /* 0 */
    int64_t k;                /* 1 to n, the points of the dataset */
    int64_t max_iter;         /* moves of the centers at most; 0: 100 */
    double tol;               /* >= 0: ends also once no center moved farther than this; 0: once no label changes */
    double *centers;          /* k x d, row-major: read with BMO_INIT_GIVEN, and written */
    int64_t centers_capacity; /* elements in it */
    int32_t *labels;          /* n: the center of each point, 0 to k - 1 */
    double *inertia;          /* the sum of the points' squared distances to their centers */
    int64_t *iterations;      /* moves of the centers, in the start that was kept */
} bmo_kmeans;

/* k-means of the dataset's points by Lloyd's algorithm: each point to its nearest center, each center to the mean of its
 * points, in double. Labels are those of the nearest of the centers that are returned (as bmo_query_knn() with k = 1 on
 * these centers finds it), ties to the lowest. They are exact: bounds from 48 leading directions, from distances computed
 * in earlier steps and from how far centers moved since rule out most centers for certain, and the distances of the others
 * are computed. Method exact computes every distance. A center without points moves to the point that is farthest from its
 * own (the lowest of these), unless that is the only one of its cluster; where none is away from its center, it stays.
 * Of the config metric (l2 or sqeuclidean, which are the same here), method, seed and threads count; the points have no weights. Sparse points
 * are compared with centers, which are dense, over all coordinates. Of a dataset that was prepared for the projected box the
 * directions and the points' shares of them are at hand.
 * stats: of all starts and steps, choosing the starts and the inertia included. queries: points, once a step; arms: k;
 * projection_ops: 48 d for each point (d where the data are prepared for the projected box) and for each move of a center.
 * Progress: the points of one step after another. Memory while it runs: 8 bytes for each point and center, 224 a point, five
 * copies of the centers, and, where the data are not prepared for the projected box, 12 bytes a coordinate of up to 1,024
 * points while the directions are found.
 * Errors: BMO_EINVAL, BMO_ENONFINITE (row, col of the given centers), BMO_EOVERFLOW, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_query_kmeans(const bmo_query *query, const bmo_kmeans *run, const bmo_monitor *monitor, bmo_stats *stats);

typedef struct bmo_medoid {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */
    int64_t index;     /* of the point */
    double mean_distance;  /* to the other points; 0 of a single point */
} bmo_medoid;

/* The medoid of the dataset's points: the one whose mean distance to the others is least, ties to the lowest index. Wrong
 * with probability at most delta: distances to a few reference points, the same for all and ever more of them, rule points
 * out by a test (src/bandit/reference_arm.hpp) that needs to know how much farther from one of two points a third can be
 * than from the other, as the triangle inequality tells; what is left after a tenth of them is computed in full. Method auto is this for l2, sqeuclidean,
 * l1, cosine and lp with p >= 1, of 64 points or more, and exact elsewhere: every distance is computed. Points of every kind,
 * with weights or without. Of the config metric, p, method, delta, seed, weights, box and threads count.
 * stats: queries: 1; arms: n; pulls: operations on distances to references; exact_evals: points whose mean was computed;
 * coord_ops_brute: those of all n (n - 1) distances (of sparse points as those that were computed tell, on average).
 * Progress: points that are settled. Memory while it runs: about 250 bytes a point, and 128 MiB of distances at most.
 * Errors: BMO_EINVAL (no points; out), BMO_EOVERFLOW, BMO_ECALLBACK, BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_query_medoid(const bmo_query *query, bmo_medoid *out, const bmo_monitor *monitor, bmo_stats *stats);

/* ---------------------------------------------------------------------------------------------------------------------
 * 8. Arms of the caller's own: the bandits alone, without points
 */

/* n arms, each a distribution with a mean that can be sampled, and perhaps computed. Both callbacks run on the thread that
 * calls bmo_best_arms(), one at a time; non-zero stops the call with BMO_ECALLBACK and is found again in
 * bmo_error.callback_result (row: the arm, where one is at fault). They must return: no exception, no longjmp.
 *
 * pull   m new independent samples of each of count arms: their sum and their sum of squares (rounded by at most 1e-12 of
 *        the sums of their magnitudes). Samples of two calls are independent of each other, and so are those of one arm; but
 *        the arms of a call may share random numbers. stream is another number at every call and the same for the same
 *        config: a seed, so that a run can be repeated.
 * exact  the mean itself. NULL: there is none, and every arm is sampled until the best are told apart (which equal arms
 *        never are, nor means within about 1e-11 of their size: give an epsilon, or max_pulls, or shift samples toward 0). */
enum {
    BMO_ARMS_MAXIMIZE = 4, /* the arms of largest mean are wanted; else those of least mean */
    BMO_ARMS_BOUNDED = 8   /* no sample is outside [lower, upper], of which one may be infinite */
};
typedef struct bmo_arms {
    uint32_t struct_size;
    uint32_t flags;
    int64_t n;
    void *ctx;
    uint64_t exact_cost; /* samples that an exact value is worth: an arm is computed rather than sampled further */
    double lower, upper; /* with BMO_ARMS_BOUNDED */
    int32_t (*pull)(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum,
                    double *sumsq);
    int32_t (*exact)(void *ctx, int64_t arm, double *mean);
} bmo_arms;

/* Where the k best arms are written, best first by `mean`. The guarantee is of the set, not of the order. */
typedef struct bmo_best {
    uint32_t struct_size;
    uint32_t reserved;
    int64_t k;         /* 1 to n */
    int64_t *arm;      /* k of each; any may be NULL */
    double *mean;      /* exact where it was computed, else of the samples */
    double *halfwidth; /* the true mean is within this of `mean`; 0 where it is exact; infinite where nothing bounds it. As
                        * sure as the set, all of them together, if epsilon is 0: intervals that are apart prove an order */
} bmo_best;

/* The k best arms, with probability at least 1 - delta where stats->guarantee is BMO_GUARANTEE_PROVEN. What counts of the
 * config (NULL: the defaults):
 *   delta, epsilon  the r-th best of the arms in the set is at most epsilon worse than the r-th best of all
 *   bandit          lucb++ (auto), lucb or ucb
 *   confidence      betting: proven where samples are bounded on the side of the best (below, if the least are wanted) and
 *                   also on the other side or exact is there. bernstein: proven where they are bounded on both sides.
 *                   sigma: given it. empirical, pooled: heuristic. auto: betting where it is proven, else empirical
 *   init_pulls, pulls_per_round, arms_per_round, sigma, seed
 *   max_pulls       samples of an arm at most; 0: exact_cost, or without exact no limit. Where an arm has no more and was
 *                   not told apart, the guarantee is BMO_GUARANTEE_NONE
 *   method          auto or bandit; exact: all n computed; uniform: uniform_pulls samples of each
 * stats: coord_ops counts samples and exact_cost for each exact value; coord_ops_brute is n * exact_cost, 0 without exact;
 * of it coord_ops is about twice at most, where max_pulls is exact_cost.
 * Memory: about 150 bytes an arm.
 * Errors: BMO_EINVAL, BMO_ECALLBACK (also for sums that are not finite or outside the bounds), BMO_EOVERFLOW (n * exact_cost),
 * BMO_ENOMEM, BMO_ECANCELED. */
BMO_TRY bmo_best_arms(const bmo_arms *arms, const bmo_config *config, const bmo_best *out, const bmo_monitor *monitor,
                      bmo_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
