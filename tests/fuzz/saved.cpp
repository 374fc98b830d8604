// .bmo files under any bytes, as they are and with all checksums made right: opened, read, searched and clustered by the
// library's public functions.
//
// Built for libFuzzer, or with a main of its own that runs the files it is given.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bmo.h"
#include "saved_bytes.hpp"

namespace {

[[noreturn]] void find(const char *what) {
    std::fprintf(stderr, "%s: %s\n", what, bmo_last_error());
    std::abort();
}

// What went wrong is wrong with the file, and said.
void check_refusal(bmo_status status) {
    if (status == BMO_EINTERNAL || status == BMO_ENOMEM || *bmo_last_error() == '\0')
        find("a failure is none of the file");
}

void check_rows(const bmo_dataset *dataset, const bmo_dataset_info &info) {
    std::vector<double> row(static_cast<std::size_t>(info.d));
    for (std::int64_t i = 0; i < info.n; ++i) {
        if (bmo_dataset_copy_rows(dataset, &i, 1, row.data()) != BMO_OK)
            find("a row cannot be read");
        for (const double value : row)
            if (!std::isfinite(value))
                find("a value is not finite");
    }
}

void check_search(const bmo_dataset *dataset, const bmo_dataset_info &info) {
    bmo_config *config = nullptr;
    bmo_query *query = nullptr;
    if (bmo_config_create(&config) != BMO_OK || bmo_config_set_text(config, "method", "bandit") != BMO_OK ||
        bmo_config_set_i64(config, BMO_PARAM_METRIC, info.metric == 0 ? BMO_METRIC_L2 : info.metric) != BMO_OK)
        find("a parameter cannot be set");
    const bmo_status created = bmo_query_create(&query, dataset, config, nullptr);
    if (created == BMO_OK) {
        std::int64_t index = -1;
        double dist = -1;
        bmo_output out{};
        out.struct_size = sizeof out;
        out.index = &index;
        out.distance = &dist;
        out.capacity = 1;
        const std::int64_t row = info.n / 2;
        const bmo_status status = bmo_query_knn_rows(query, &row, 1, 1, &out, nullptr, nullptr);
        if (status != BMO_OK)
            check_refusal(status);
        else if (index < 0 || index >= info.n || std::isnan(dist))
            find("an answer is none");
    } else {
        check_refusal(created);
    }
    bmo_query_free(query);
    bmo_config_free(config);
}

bmo_query *query_on(const bmo_dataset *dataset, const bmo_dataset_info &info) {
    bmo_config *config = nullptr;
    bmo_query *query = nullptr;
    if (bmo_config_create(&config) != BMO_OK ||
        bmo_config_set_i64(config, BMO_PARAM_METRIC, info.metric == 0 ? BMO_METRIC_L2 : info.metric) != BMO_OK)
        find("a parameter cannot be set");
    const bmo_status created = bmo_query_create(&query, dataset, config, nullptr);
    if (created != BMO_OK)
        check_refusal(created);
    bmo_config_free(config);
    return query;
}

void check_clusters(const bmo_dataset *dataset, const bmo_dataset_info &info) {
    bmo_query *query = query_on(dataset, info);
    if (!query)
        return;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(info.n), -1);
    bmo_kmeans run{};
    run.struct_size = sizeof run;
    run.k = info.n < 3 ? info.n : 3;
    run.max_iter = 5;
    run.labels = labels.data();
    const bmo_status clustered = bmo_query_kmeans(query, &run, nullptr, nullptr);
    if (clustered != BMO_OK)
        check_refusal(clustered);
    else
        for (const std::int32_t label : labels)
            if (label < 0 || label >= run.k)
                find("a label is none");
    bmo_medoid medoid{};
    medoid.struct_size = sizeof medoid;
    const bmo_status found = bmo_query_medoid(query, &medoid, nullptr, nullptr);
    if (found != BMO_OK)
        check_refusal(found);
    else if (medoid.index < 0 || medoid.index >= info.n)
        find("a medoid is none");
    bmo_query_free(query);
}

void open(std::string_view bytes) {
    constexpr std::int64_t kMostValues = 1 << 20;
    const MemoryFile file(bytes);
    for (const std::uint32_t flags : {BMO_COPY, BMO_BORROW}) {
        bmo_dataset *dataset = nullptr;
        const bmo_status status = bmo_dataset_open(&dataset, file.path().c_str(), flags, nullptr);
        if (status != BMO_OK) {
            check_refusal(status);
            continue;
        }
        bmo_dataset_info info{};
        info.struct_size = sizeof info;
        if (bmo_dataset_describe(dataset, &info) != BMO_OK)
            find("a dataset cannot be described");
        if (info.n > 0 && info.n <= kMostValues / info.d) {
            check_rows(dataset, info);
            if (info.n > 1)
                check_search(dataset, info);
            check_clusters(dataset, info);
        }
        bmo_dataset_free(dataset);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char *>(data), size);
    open(bytes);
    if (size >= kHead)
        open(sealed(bytes));
    return 0;
}
