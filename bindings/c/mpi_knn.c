/* The k nearest points of queries, of points that lie on many machines:
 *
 *     mpirun -n 8 mpi_knn POINTS QUERIES K [PARAMETER=VALUE ...]
 *
 * POINTS is a .npy file that every rank can read, of which each maps its slice; or a name with #, such as
 * shard-#####.bmo: each rank opens the file with its number in that place, prepared or not. QUERIES is anything that
 * bmo_dataset_open() reads. Rank 0 prints a line for each query: its index, then the index and the distance of each
 * neighbor. Points are counted over all ranks.
 *
 * The answer has the promise of one machine, at the same delta: docs/statistics.md, "Shards". Even ranks search the first
 * half of the queries while odd ones search the second. Then they change, and start with the k-th distance that the
 * others found. Each rank sends 16 bytes for a neighbor, up a tree, and no point. */
#include <bmo.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "example.h"
#include "npy.h"

typedef struct Neighbor {
    double distance;
    int64_t index; /* -1: none */
} Neighbor;

static int rank, ranks;
static int64_t k;

/* Ends the program on all ranks. */
static void stop(const char *what, const char *why) {
    fprintf(stderr, "mpi_knn: rank %d: %s: %s\n", rank, what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(bmo_status status, const char *what) {
    if (status)
        stop(what, bmo_last_error());
}

static void *memory(int64_t count, size_t size) {
    void *room = count >= 0 && (uint64_t)count <= SIZE_MAX / size ? malloc((size_t)count * size + 1) : NULL;
    if (!room)
        stop("answers", "out of memory");
    return room;
}

/* This rank's rows of a .npy file, mapped; *first: the number of the first. The mapping lasts as long as the program. */
static bmo_dataset *map_slice(const char *path, int64_t *first) {
    bmo_dense matrix = {.struct_size = sizeof matrix};
    bmo_dataset *dataset = NULL;
    struct stat about;
    int64_t data = 0;
    int bytes = 0;
    const int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &about))
        stop(path, strerror(errno));
    unsigned char *begin = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0); /* no page is read yet */
    if (begin == MAP_FAILED)
        stop(path, strerror(errno));
    if (!read_npy_header(begin, about.st_size, &matrix, &data, &bytes))
        stop(path, "expected a .npy file of a matrix in C order, of numbers in this machine's order of bytes");
    const int64_t share = matrix.n / ranks, more = matrix.n % ranks;
    *first = rank * share + (rank < more ? rank : more);
    matrix.n = share + (rank < more ? 1 : 0);
    matrix.data = begin + data + *first * matrix.d * bytes;
    check(bmo_dataset_dense(&dataset, &matrix, BMO_BORROW, NULL, NULL), path);
    close(file);
    return dataset;
}

/* The file with this rank's number in the place of #####. */
static bmo_dataset *open_shard(const char *pattern, int64_t *first) {
    char path[PATH_MAX];
    const char *number = strchr(pattern, '#');
    const int width = (int)strspn(number, "#"), before = (int)(number - pattern);
    if (snprintf(path, sizeof path, "%.*s%0*d%s", before, pattern, width, rank, number + width) >= PATH_MAX)
        stop(pattern, "is too long");
    bmo_dataset *dataset = NULL;
    bmo_dataset_info info = {.struct_size = sizeof info};
    check(bmo_dataset_open(&dataset, path, BMO_BORROW, NULL), path);
    check(bmo_dataset_describe(dataset, &info), path);
    *first = 0;
    MPI_Exscan(&info.n, first, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return dataset;
}

static int64_t choice(const bmo_config *config, bmo_param param) {
    int64_t value = 0;
    check(bmo_config_get_i64(config, param, &value), "parameters");
    return value;
}

/* The parameters. Each test has level delta / k, also where there are fewer than k points; and each of the m queries its
 * share of delta_scope=call, since a search here has some of them. Below 1e-37 no test drops a point. */
static bmo_config *read_parameters(char **words, int count, int64_t wanted, int64_t m) {
    bmo_config *config = NULL;
    double delta;
    check(bmo_config_create(&config), "parameters");
    for (int i = 0; i < count; i++) {
        char *value = strchr(words[i], '=');
        if (!value)
            stop(words[i], "expected PARAMETER=VALUE");
        *value = '\0';
        check(bmo_config_set_text(config, words[i], value + 1), words[i]);
    }
    const int64_t bandit = choice(config, BMO_PARAM_BANDIT);
    if ((bandit != BMO_BANDIT_AUTO && bandit != BMO_BANDIT_RACE) ||
        choice(config, BMO_PARAM_CONFIDENCE) > BMO_CONFIDENCE_BETTING ||
        choice(config, BMO_PARAM_SAMPLING) == BMO_SAMPLING_WITH_REPLACEMENT ||
        choice(config, BMO_PARAM_BOX) == BMO_BOX_SPARSE_UNION || choice(config, BMO_PARAM_METHOD) == BMO_METHOD_UNIFORM)
        stop("parameters", "expected those of the race, which alone divides among ranks without a loss");
    check(bmo_config_get_f64(config, BMO_PARAM_DELTA, &delta), "delta");
    if (choice(config, BMO_PARAM_DELTA_SCOPE) == BMO_SCOPE_CALL && m > 0)
        delta /= (double)m;
    if (wanted > 0 && wanted < k)
        delta = nextafter(delta * (double)wanted / (double)k, 0);
    check(bmo_config_set_f64(config, BMO_PARAM_DELTA, fmax(1e-300, delta)), "delta");
    check(bmo_config_set_i64(config, BMO_PARAM_DELTA_SCOPE, BMO_SCOPE_QUERY), "delta_scope");
    return config;
}

/* Two lists that ascend by distance, ties by index, become the first k of both. */
static void merge(void *in, void *inout, int *rows, MPI_Datatype *type) {
    (void)type;
    Neighbor *kept = memory(k, sizeof *kept);
    for (int row = 0; row < *rows; row++) {
        const Neighbor *a = (const Neighbor *)in + row * k, *b = (const Neighbor *)inout + row * k;
        for (int64_t i = 0; i < k; i++)
            kept[i] = a->distance < b->distance || (a->distance == b->distance && a->index < b->index) ? *a++ : *b++;
        memcpy((Neighbor *)inout + row * k, kept, (size_t)k * sizeof *kept);
    }
    free(kept);
}

/* Adds what this rank has to the rows of count queries, none farther than limits. */
static void search(const bmo_query *query, const bmo_dense *all, int64_t from, int64_t count, int64_t wanted,
                   int64_t first, const double *limits, Neighbor *rows) {
    int64_t *index = memory(count * wanted, sizeof *index);
    double *distance = memory(count * wanted, sizeof *distance);
    const bmo_limits within = {.struct_size = sizeof within, .max_distance = limits, .max_distance_count = count};
    const bmo_output out = {.struct_size = sizeof out,
                            .index = index,
                            .distance = distance,
                            .capacity = count * wanted,
                            .limits = limits ? &within : NULL};
    bmo_dense queries = *all;
    queries.data = (const double *)all->data + from * all->d;
    queries.n = count;
    if (wanted && count)
        check(bmo_query_knn_dense(query, &queries, wanted, &out, NULL, NULL), "search");
    for (int64_t i = 0; i < count; i++)
        for (int64_t r = 0; r < wanted; r++)
            if (index[i * wanted + r] >= 0)
                rows[(from + i) * k + r] = (Neighbor){distance[i * wanted + r], first + index[i * wanted + r]};
    free(index);
    free(distance);
}

/* Twice what the last digits of a distance may differ by: another rank's k-th neighbor must not fall for them. */
static double raised(double distance, const bmo_config *config, int64_t d) {
    double p;
    check(bmo_config_get_f64(config, BMO_PARAM_P, &p), "p");
    return distance + fabs(distance) * (64 + (double)d / 8) * 0x1p-52 / fmin(p, 1) + DBL_MIN;
}

static void print_rows(const Neighbor *rows, int64_t m) {
    for (int64_t i = 0; i < m; i++) {
        printf("%" PRId64, i);
        for (int64_t at = i * k; at < (i + 1) * k; at++)
            printf(" %" PRId64 " %.17g", rows[at].index, rows[at].distance);
        printf("\n");
    }
}

static void search_all(const bmo_dataset *points, int64_t first, const bmo_dense *queries, char **words, int count) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    check(bmo_dataset_describe(points, &info), "points");
    int64_t n = info.n, m = queries->n, half = m / 2;
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (info.d != queries->d)
        stop("queries", "have another number of coordinates than the points of this rank");
    if (k < 1 || k > n)
        stop("K", "expected 1 to the number of all points");
    if (m > INT_MAX || k > INT_MAX / (int64_t)sizeof(Neighbor))
        stop("K", "or the number of queries is too large for a message of MPI");
    const int64_t wanted = k < info.n ? k : info.n;
    bmo_config *config = read_parameters(words, count, wanted, m);
    bmo_query *query = NULL;
    check(bmo_query_create(&query, points, config, NULL), "parameters");

    MPI_Datatype row;
    MPI_Op nearest;
    MPI_Type_contiguous((int)(k * (int64_t)sizeof(Neighbor)), MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Op_create(merge, 1, &nearest);
    Neighbor *own = memory(m * k, sizeof *own), *found = memory(m * k, sizeof *found);
    double *limits = memory(m, sizeof *limits);
    for (int64_t i = 0; i < m * k; i++)
        own[i] = (Neighbor){HUGE_VAL, -1};
    const int64_t begin[2] = {0, half}, size[2] = {half, m - half};
    search(query, queries, begin[rank % 2], size[rank % 2], wanted, first, NULL, own);
    MPI_Allreduce(own, found, (int)m, row, nearest, MPI_COMM_WORLD);
    for (int64_t i = 0; i < m; i++)
        limits[i] = raised(found[i * k + k - 1].distance, config, info.d);
    search(query, queries, begin[1 - rank % 2], size[1 - rank % 2], wanted, first, limits + begin[1 - rank % 2], own);
    MPI_Reduce(own, found, (int)m, row, nearest, 0, MPI_COMM_WORLD);
    if (rank == 0)
        print_rows(found, m);

    MPI_Op_free(&nearest);
    MPI_Type_free(&row);
    bmo_query_free(query);
    bmo_config_free(config);
    free(own), free(found), free(limits);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4)
        stop("usage", "mpi_knn POINTS QUERIES K [PARAMETER=VALUE ...]");
    k = count_of(argv[3]);
    int64_t first = 0;
    bmo_dataset *points = strchr(argv[1], '#') ? open_shard(argv[1], &first) : map_slice(argv[1], &first),
                *asked = NULL;
    bmo_dataset_info info = {.struct_size = sizeof info};
    check(bmo_dataset_open(&asked, argv[2], BMO_BORROW, NULL), argv[2]);
    check(bmo_dataset_describe(asked, &info), argv[2]);
    int64_t *rows = memory(info.n, sizeof *rows);
    double *values = memory(info.n * info.d, sizeof *values);
    for (int64_t i = 0; i < info.n; i++)
        rows[i] = i;
    check(bmo_dataset_copy_rows(asked, rows, info.n, values), argv[2]);
    const bmo_dense queries = {
        .struct_size = sizeof queries, .dtype = BMO_F64, .data = values, .n = info.n, .d = info.d};
    search_all(points, first, &queries, argv + 4, argc - 4);
    bmo_dataset_free(asked);
    bmo_dataset_free(points);
    free(rows);
    free(values);
    MPI_Finalize();
    return 0;
}
