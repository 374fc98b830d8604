/* All pairs of points in a file that are within a distance of each other:
 *
 *     radius FILE DISTANCE [PARAMETER=VALUE...]
 *
 * FILE is anything that bmo_dataset_open() reads, and `bmo params` lists the parameters. A line is printed for each pair: both
 * indices, and the distance. Each pair appears twice, once from either side. */
#include <bmo.h>
#include <inttypes.h>
#include <string.h>

#include "example.h"

/* Sets what "name=value" says. */
static bmo_status set(bmo_config *config, char *assignment) {
    char *value = strchr(assignment, '=');
    if (!value)
        return bmo_config_set_text(config, assignment, "");
    *value = '\0';
    return bmo_config_set_text(config, assignment, value + 1);
}

static bmo_status print_pairs(const bmo_neighbors *found) {
    bmo_neighbors_view view = {.struct_size = sizeof view};
    const bmo_status status = bmo_neighbors_read(found, &view);
    for (int64_t i = 0; i < view.queries; i++)
        for (int64_t at = view.offset[i]; at < view.offset[i + 1]; at++)
            printf("%" PRId64 " %" PRId64 " %.17g\n", i, view.index[at], view.distance[at]);
    return status;
}

static bmo_status search(const char *path, const bmo_config *config, double distance) {
    const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &distance, .max_distance_count = 1};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    bmo_neighbors *found = NULL;

    bmo_status status = bmo_dataset_open(&dataset, path, BMO_COPY, NULL);
    if (!status)
        status = bmo_query_create(&query, dataset, config, NULL);
    if (!status)
        status = bmo_query_radius_graph(query, &limits, &found, NULL, NULL);
    if (!status)
        status = print_pairs(found);

    bmo_neighbors_free(found);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return fail("radius", "usage: radius FILE DISTANCE [PARAMETER=VALUE...]");
    char *end;
    const double distance = strtod(argv[2], &end);
    if (end == argv[2] || *end != '\0')
        return fail("radius", "DISTANCE is %s; expected a number", argv[2]);
    bmo_config *config = NULL;
    bmo_status status = bmo_config_create(&config);
    for (int i = 3; !status && i < argc; i++)
        status = set(config, argv[i]);
    if (!status)
        status = search(argv[1], config, distance);
    bmo_config_free(config);
    return status ? fail("radius", "%s", bmo_last_error()) : 0;
}
