#include "prepared_box.h"

#include "abi.h"

bmo_config *box_config(const char *box, const char *seed) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", box));
    assert_ok(bmo_config_set_text(config, "method", "bandit"));
    assert_ok(bmo_config_set_text(config, "delta", "1e-9"));
    assert_ok(bmo_config_set_text(config, "seed", seed));
    return config;
}

const Box rotated = {"rotated", BMO_BOX_ROTATED, 2 * LEVELS *PADDED, 2 * LEVELS *PADDED};
const Box sketch = {"sketch", BMO_BOX_SKETCH, 0, 512 * D};
const Box projected = {"projected", BMO_BOX_PROJECTED, 48 * D, 2 * 48 * D};

bmo_dataset *dataset_prepare(const bmo_dataset *source, const bmo_config *config) {
    bmo_dataset *prepared = NULL;
    assert_ok(bmo_dataset_prepare(&prepared, source, config, NULL));
    return prepared;
}

bmo_query *query_with(const bmo_dataset *dataset, const bmo_config *config) {
    bmo_query *query = NULL;
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    return query;
}

bmo_output output_to(int64_t *index, double *dist, int64_t capacity) {
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = capacity};
    return out;
}

Points few_differences(uint64_t seed) {
    Points points = points_create(N, D, seed);
    for (int64_t i = 1; i < N; ++i) {
        const int64_t differences = i % 100 == 7 ? 10 + i / 100 : 40 + i % 40;
        memcpy(points.at + i * D, points.at, D);
        for (int64_t t = 0; t < differences; ++t)
            points.at[i * D + (i * 131 + t * 7919) % D] ^= (uint8_t)(1 + t % 2);
    }
    return points;
}
