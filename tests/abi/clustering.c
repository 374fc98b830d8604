#include "clustering.h"

#include <stdlib.h>

Clustering clustering_create(int64_t k, int64_t n, int64_t d) {
    const Clustering made = {.k = k,
                             .iterations = -1,
                             .inertia = -1,
                             .centers = allocate(k * d, sizeof(double)),
                             .labels = allocate(n, sizeof(int32_t))};
    return made;
}

void clustering_free(Clustering clustering) {
    free(clustering.centers);
    free(clustering.labels);
}

long double square_to_center(const Points *points, int64_t i, const double *center) {
    long double sum = 0;
    for (int64_t j = 0; j < points->d; ++j) {
        const long double apart = (long double)points->at[i * points->d + j] - (long double)center[j];
        sum += apart * apart;
    }
    return sum;
}

int32_t nearest_center(const Points *points, int64_t i, const Clustering *clustering) {
    int32_t best = 0;
    for (int32_t c = 1; c < clustering->k; ++c)
        if (square_to_center(points, i, clustering->centers + c * points->d) <
            square_to_center(points, i, clustering->centers + best * points->d))
            best = c;
    return best;
}

double inertia_of(const Points *points, const Clustering *clustering) {
    long double sum = 0;
    for (int64_t i = 0; i < points->n; ++i)
        sum += square_to_center(points, i, clustering->centers + clustering->labels[i] * points->d);
    return (double)sum;
}

/* Sums of bytes are exact, so that a mean is rounded once. A center without points stays. */
void move_to_means(const Points *points, Clustering *clustering) {
    for (int32_t c = 0; c < clustering->k; ++c)
        for (int64_t j = 0; j < points->d; ++j) {
            int64_t sum = 0, count = 0;
            for (int64_t i = 0; i < points->n; ++i)
                if (clustering->labels[i] == c) {
                    sum += points->at[i * points->d + j];
                    ++count;
                }
            if (count > 0)
                clustering->centers[c * points->d + j] = (double)sum / (double)count;
        }
}

/* From the centers that are there. */
void lloyd(const Points *points, Clustering *clustering, int64_t max_iter) {
    for (int64_t i = 0; i < points->n; ++i)
        clustering->labels[i] = -1;
    for (clustering->iterations = 0;; ++clustering->iterations) {
        int64_t changed = 0;
        for (int64_t i = 0; i < points->n; ++i) {
            const int32_t label = nearest_center(points, i, clustering);
            changed += label != clustering->labels[i];
            clustering->labels[i] = label;
        }
        if (changed == 0 || clustering->iterations == max_iter)
            break;
        move_to_means(points, clustering);
    }
    clustering->inertia = inertia_of(points, clustering);
}

void start_from_points(const Points *points, Clustering *clustering) {
    for (int64_t i = 0; i < clustering->k * points->d; ++i)
        clustering->centers[i] = points->at[i];
}

bmo_kmeans run_of(Clustering *clustering, int64_t d, int32_t init) {
    const bmo_kmeans run = {.struct_size = sizeof run,
                            .init = init,
                            .k = clustering->k,
                            .centers = clustering->centers,
                            .centers_capacity = clustering->k * d,
                            .labels = clustering->labels,
                            .inertia = &clustering->inertia,
                            .iterations = &clustering->iterations};
    return run;
}

static bmo_config *config_of(const char *const *settings) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    for (; settings && settings[0]; settings += 2)
        assert_ok(bmo_config_set_text(config, settings[0], settings[1]));
    return config;
}

bmo_dataset *prepared_of(const bmo_dataset *dataset, const char *const *settings) {
    bmo_config *config = config_of(settings);
    bmo_dataset *prepared = NULL;
    assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
    bmo_config_free(config);
    return prepared;
}

bmo_query *query_of(const bmo_dataset *dataset, const char *const *settings) {
    bmo_config *config = config_of(settings);
    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    bmo_config_free(config);
    return query;
}

bmo_query *query_on(const Points *points, const char *const *settings) {
    bmo_dataset *dataset = points_dataset(points);
    bmo_query *query = query_of(dataset, settings);
    bmo_dataset_free(dataset);
    return query;
}
