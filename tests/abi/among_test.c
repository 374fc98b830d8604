/* bmo_query_create_among: the nearest of chosen candidates, against distances by plain loops over whole numbers. */
#include "abi.h"
#include "prepared_box.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 900, DIMENSION = 130, ASKED = 12, NEIGHBORS = 6 };

/* What is chosen, in a form that loops can ask. */
typedef struct Choice {
    bmo_label_rule rule;
    const uint8_t *mask; /* NULL: all */
    int32_t *labels;
} Choice;

typedef struct Questions {
    Points points; /* of the dataset */
    Points asked;  /* in none */
    int32_t asked_labels[ASKED];
    int64_t rows[ASKED];
    int own;            /* the rows are asked about, not the others */
    const char *metric; /* l2, l1, inner_product, cosine */
} Questions;

static int is_candidate(const Choice *choice, const Questions *questions, int64_t query, int64_t point) {
    if ((choice->mask && !choice->mask[point]) || (questions->own && point == questions->rows[query]))
        return 0;
    if (choice->rule == 0)
        return 1;
    const int32_t label = questions->own ? choice->labels[questions->rows[query]] : questions->asked_labels[query];
    return (choice->labels[point] == label) == (choice->rule == BMO_LABELS_SAME);
}

/* A sum whose order is that of the distances, and the distance. Exact, but for the last digits of a cosine. */
static double true_sum(const char *metric, const uint8_t *a, const uint8_t *b, int64_t d) {
    int64_t squares = 0, absolute = 0, product = 0, of_a = 0, of_b = 0;
    for (int64_t j = 0; j < d; ++j) {
        const int64_t apart = (int64_t)a[j] - b[j];
        squares += apart * apart;
        absolute += llabs(apart);
        product += (int64_t)a[j] * b[j];
        of_a += (int64_t)a[j] * a[j];
        of_b += (int64_t)b[j] * b[j];
    }
    if (strcmp(metric, "l1") == 0)
        return (double)absolute;
    if (strcmp(metric, "inner_product") == 0)
        return (double)-product;
    return strcmp(metric, "cosine") == 0
               ? (double)(1 - (long double)product / (sqrtl((long double)of_a) * sqrtl((long double)of_b)))
               : (double)squares;
}

static double true_distance(const char *metric, double sum) {
    return strcmp(metric, "l2") == 0 ? sqrt(sum) : sum;
}

/* Sums to the candidates, and how many these are; infinite to all others. */
static int64_t true_sums(const Choice *choice, const Questions *questions, int64_t query, double *sums) {
    const int64_t d = questions->points.d;
    const uint8_t *a =
        questions->own ? questions->points.at + questions->rows[query] * d : questions->asked.at + query * d;
    int64_t candidates = 0;
    for (int64_t i = 0; i < questions->points.n; ++i) {
        const int counts = is_candidate(choice, questions, query, i);
        sums[i] = counts ? true_sum(questions->metric, a, questions->points.at + i * d, d) : INFINITY;
        candidates += counts;
    }
    return candidates;
}

static bmo_limits limits_of(const Choice *choice, const Questions *questions, const double *max_distance) {
    const int labeled = choice->rule != 0 && !questions->own;
    return (bmo_limits){.struct_size = sizeof(bmo_limits),
                        .max_distance = max_distance,
                        .max_distance_count = max_distance ? 1 : 0,
                        .query_labels = labeled ? questions->asked_labels : NULL,
                        .query_label_count = labeled ? ASKED : 0};
}

static void check_knn(const bmo_query *query, const Choice *choice, const Questions *questions) {
    int64_t index[ASKED * NEIGHBORS], found = 0;
    double distance[ASKED * NEIGHBORS], squares[POINTS];
    uint8_t done[ASKED];
    bmo_row_stats row_stats[ASKED];
    const bmo_limits limits = limits_of(choice, questions, NULL);
    const bmo_dense asked = points_dense(&questions->asked);
    bmo_output out = output_to(index, distance, ASKED * NEIGHBORS);
    bmo_stats stats = {.struct_size = sizeof stats};
    out.limits = &limits;
    out.done = done;
    out.row_stats = row_stats;
    if (questions->own)
        assert_ok(bmo_query_knn_rows(query, questions->rows, ASKED, NEIGHBORS, &out, NULL, &stats));
    else
        assert_ok(bmo_query_knn_dense(query, &asked, NEIGHBORS, &out, NULL, &stats));
    uint64_t coord_ops = 0;
    for (int64_t i = 0; i < ASKED; ++i) {
        int64_t nearest_points[NEIGHBORS];
        const int64_t candidates = true_sums(choice, questions, i, squares);
        least(squares, POINTS, -1, NEIGHBORS, nearest_points);
        for (int64_t r = 0; r < NEIGHBORS; ++r) {
            const int64_t at = i * NEIGHBORS + r;
            const int is_there = r < candidates;
            if (strcmp(questions->metric, "cosine") != 0)
                assert_int_equal(index[at], is_there ? nearest_points[r] : -1);
            if (is_there) {
                const double truth = true_distance(questions->metric, squares[nearest_points[r]]);
                assert_true(fabs(distance[at] - truth) <= 1e-12 * fabs(truth));
            } else {
                assert_true(index[at] == -1 && distance[at] == INFINITY);
            }
            found += is_there;
        }
        assert_int_equal(done[i], 1);
        coord_ops += row_stats[i].coord_ops;
    }
    assert_int_equal(stats.neighbors, found);
    assert_int_equal(stats.queries, ASKED);
    assert_true(coord_ops <= stats.coord_ops);
}

static void check_radius(const bmo_query *query, const Choice *choice, const Questions *questions) {
    double squares[POINTS], most = 0;
    for (int64_t i = 0; i < ASKED; ++i) { /* a distance that some candidates have */
        int64_t tenth[10];
        if (true_sums(choice, questions, i, squares) < 10)
            continue;
        least(squares, POINTS, -1, 10, tenth);
        most = true_distance(questions->metric, squares[tenth[9]]) * (1 + 1e-9);
    }
    const bmo_limits limits = limits_of(choice, questions, &most);
    const bmo_dense asked = points_dense(&questions->asked);
    bmo_neighbors *within = NULL;
    bmo_neighbors_view view = {.struct_size = sizeof view};
    if (questions->own)
        assert_ok(bmo_query_radius_rows(query, questions->rows, ASKED, &limits, &within, NULL, NULL));
    else
        assert_ok(bmo_query_radius_dense(query, &asked, &limits, &within, NULL, NULL));
    assert_ok(bmo_neighbors_read(within, &view));
    for (int64_t i = 0; i < ASKED; ++i) {
        int64_t at = view.offset[i], count = 0;
        true_sums(choice, questions, i, squares);
        for (int64_t j = 0; j < POINTS; ++j)
            count += true_distance(questions->metric, squares[j]) <= most;
        assert_int_equal(view.offset[i + 1] - at, count);
        for (; at < view.offset[i + 1]; ++at)
            assert_true(view.distance[at] <= most && true_distance(questions->metric, squares[view.index[at]]) <= most);
    }
    bmo_neighbors_free(within);
}

/* Labels of `kinds` kinds, of which the first have most points. */
static int32_t label_at(int64_t i, int64_t kinds) {
    const int64_t draw = (i * 7919 + 13) % POINTS;
    return (int32_t)(draw < POINTS / 2 ? draw % (kinds < 3 ? kinds : 3) : draw % kinds);
}

static void check_choices(const bmo_dataset *dataset, const bmo_config *config, Questions *questions, int radius) {
    static const int64_t kinds[] = {1, 4, 60, POINTS};
    uint8_t mask[POINTS];
    int32_t labels[POINTS];
    for (int64_t i = 0; i < POINTS; ++i)
        mask[i] = i % 3 == 0 ? 0 : (uint8_t)(1 + i % 200);
    for (size_t kind = 0; kind < COUNT(kinds); ++kind) {
        for (int64_t i = 0; i < POINTS; ++i)
            labels[i] = label_at(i, kinds[kind]);
        for (int64_t i = 0; i < ASKED; ++i) /* the last label is no point's */
            questions->asked_labels[i] = i + 1 < ASKED ? (int32_t)(i * 11 % kinds[kind]) : -5;
        for (int variant = 0; variant < 12; ++variant) {
            const Choice choice = {.rule = variant % 3, .mask = variant / 3 % 2 ? mask : NULL, .labels = labels};
            if (choice.rule == 0 && kind > 0)
                continue;
            questions->own = variant / 6;
            const bmo_candidates candidates = {.struct_size = sizeof candidates,
                                               .label_rule = choice.rule,
                                               .mask = choice.mask,
                                               .labels = choice.rule == 0 ? NULL : labels};
            bmo_query *query = NULL;
            assert_ok(bmo_query_create_among(&query, dataset, config, &candidates, NULL));
            check_knn(query, &choice, questions);
            if (radius)
                check_radius(query, &choice, questions);
            bmo_query_free(query);
        }
    }
}

/* The bandit at delta 1e-9, and one parameter more. */
static bmo_config *sure_config(const char *name, const char *value) {
    bmo_config *config = box_config("auto", "0");
    assert_ok(bmo_config_set_text(config, name, value));
    return config;
}

static Questions questions_create(void) {
    Questions questions = {
        .points = points_create(POINTS, DIMENSION, 5), .asked = points_create(ASKED, DIMENSION, 6), .metric = "l2"};
    for (int64_t i = 0; i < ASKED; ++i)
        questions.rows[i] = i * 71 % POINTS;
    return questions;
}

static void questions_free(Questions questions) {
    points_free(questions.asked);
    points_free(questions.points);
}

static void neighbors_are_those_of_the_candidates(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"method", "exact"}, {"bandit", "race"}, {"threads", "3"}, {"delta_scope", "call"}};
    Questions questions = questions_create();
    bmo_dataset *dataset = points_dataset(&questions.points);
    for (size_t i = 0; i < COUNT(settings); ++i) {
        bmo_config *config = sure_config(settings[i][0], settings[i][1]);
        check_choices(dataset, config, &questions, 1);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
    questions_free(questions);
}

static void prepared_points_serve(void **state) {
    (void)state;
    static const char *const boxes[] = {"dense", "rotated", "projected", "sketch"};
    Questions questions = questions_create();
    bmo_dataset *source = points_dataset(&questions.points);
    for (size_t i = 0; i < COUNT(boxes); ++i) {
        bmo_config *config = box_config(boxes[i], "7");
        bmo_dataset *prepared = dataset_prepare(source, config);
        check_choices(prepared, config, &questions, 1);
        bmo_dataset_free(prepared);
        bmo_config_free(config);
    }
    bmo_dataset_free(source);
    questions_free(questions);
}

static void sparse_points_have_candidates(void **state) {
    (void)state;
    Questions questions = questions_create();
    bmo_sparse sparse = points_sparse(&questions.points);
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
    check_choices(dataset, NULL, &questions, 1);
    bmo_dataset_free(dataset);
    sparse_free(sparse);
    questions_free(questions);
}

/* Candidates by rows, in any order, are those of a mask. The graph has a row for every point. */
static void graphs_have_all_points(void **state) {
    (void)state;
    enum { CHOSEN = POINTS / 4 };
    Questions questions = questions_create();
    bmo_dataset *dataset = points_dataset(&questions.points);
    int64_t chosen[CHOSEN], *index = allocate(POINTS * 2, sizeof *index);
    double *squares = allocate(POINTS, sizeof *squares);
    uint8_t mask[POINTS] = {0};
    for (int64_t i = 0; i < CHOSEN; ++i) {
        chosen[i] = (i * 7 * 4 + 2) % POINTS;
        mask[chosen[i]] = 1;
    }
    const bmo_candidates candidates = {.struct_size = sizeof candidates, .rows = chosen, .nrows = CHOSEN};
    bmo_query *query = NULL;
    assert_ok(bmo_query_create_among(&query, dataset, NULL, &candidates, NULL));
    const bmo_output out = output_to(index, NULL, POINTS * 2);
    assert_ok(bmo_query_graph(query, 2, &out, NULL, NULL));
    const Choice choice = {.mask = mask};
    questions.own = 1;
    for (int64_t i = 0; i < POINTS; ++i) {
        int64_t two[2];
        questions.rows[0] = i;
        true_sums(&choice, &questions, 0, squares);
        least(squares, POINTS, -1, 2, two);
        assert_memory_equal(index + 2 * i, two, sizeof two);
    }
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    free(squares);
    free(index);
    questions_free(questions);
}

static void every_metric_and_bandit_has_candidates(void **state) {
    (void)state;
    static const char *const metrics[] = {"l1", "inner_product", "cosine"};
    static const char *const bandits[] = {"ucb", "lucb", "lucb++"};
    Questions questions = questions_create();
    for (int64_t i = 0; i < POINTS * DIMENSION; ++i) /* no zero vector */
        questions.points.at[i] |= 1;
    bmo_dataset *dataset = points_dataset(&questions.points);
    for (size_t i = 0; i < COUNT(metrics); ++i) {
        bmo_config *config = sure_config("metric", metrics[i]);
        questions.metric = metrics[i];
        check_choices(dataset, config, &questions, strcmp(metrics[i], "inner_product") != 0);
        bmo_config_free(config);
    }
    questions.metric = "l2";
    for (size_t i = 0; i < COUNT(bandits); ++i) {
        bmo_config *config = sure_config("bandit", bandits[i]);
        check_choices(dataset, config, &questions, 0);
        bmo_config_free(config);
    }
    bmo_dataset_free(dataset);
    questions_free(questions);
}

/* Points that lie in columns. */
static void columns_have_candidates(void **state) {
    (void)state;
    Questions questions = questions_create();
    float *values = points_as(&questions.points, BMO_F32, 1, POINTS);
    const bmo_dense columns = {.struct_size = sizeof columns,
                               .dtype = BMO_F32,
                               .data = values,
                               .n = POINTS,
                               .d = DIMENSION,
                               .point_stride = 1,
                               .coord_stride = POINTS};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &columns, BMO_BORROW, NULL, NULL));
    check_choices(dataset, NULL, &questions, 1);
    bmo_dataset_free(dataset);
    free(values);
    questions_free(questions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbors_are_those_of_the_candidates),  cmocka_unit_test(prepared_points_serve),
        cmocka_unit_test(sparse_points_have_candidates),          cmocka_unit_test(graphs_have_all_points),
        cmocka_unit_test(every_metric_and_bandit_has_candidates), cmocka_unit_test(columns_have_candidates),
    };
    return cmocka_run_group_tests_name("among", tests, NULL, NULL);
}
