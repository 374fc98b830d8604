#include <bmo.h>
#include <inttypes.h>
#include <stdio.h>

enum { QUERIES = 2, K = 4 };

static bmo_status search(const bmo_query *query) {
    /* The first picture is that of the exclamation mark. */
    const int64_t rows[QUERIES] = {'Q' - '!', '8' - '!'};
    int64_t index[QUERIES * K];
    double distance[QUERIES * K];
    const bmo_output out = {.struct_size = sizeof out,
                            .index = index,
                            .distance = distance,
                            .capacity = QUERIES * K};
    bmo_stats stats = {.struct_size = sizeof stats};
    const bmo_status status =
        bmo_query_knn_rows(query, rows, QUERIES, K, &out, NULL, &stats);
    if (status)
        return status;
    for (int i = 0; i < QUERIES * K; i++)
        printf("picture %" PRId64 ": picture %" PRId64 " at distance %g\n",
               rows[i / K], index[i], distance[i]);
    puts(stats.guarantee >= BMO_GUARANTEE_PROVEN ? "proven" : "not proven");
    return BMO_OK;
}

int main(void) {
    bmo_config *config = NULL;
    bmo_dataset *pictures = NULL, *prepared = NULL;
    bmo_query *query = NULL;
    bmo_status status = bmo_config_create(&config);
    if (!status)
        status = bmo_config_set_text(config, "metric", "l1");
    if (!status)
        status = bmo_dataset_open(&pictures, "glyphs.npy.gz", BMO_COPY, NULL);
    if (!status)
        status = bmo_dataset_prepare(&prepared, pictures, config, NULL);
    if (!status)
        status = bmo_query_create(&query, prepared, config, NULL);
    if (!status)
        status = search(query);
    if (status)
        fprintf(stderr, "%s\n", bmo_last_error());
    bmo_query_free(query);
    bmo_dataset_free(prepared);
    bmo_dataset_free(pictures);
    bmo_config_free(config);
    return status != BMO_OK;
}
