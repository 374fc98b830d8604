// usage: misuse [--seed SEED] [--count ROUNDS] [--one]
// Calls of the interface with arguments at random: structs of any size, NULL, strides, types, capacities and rows in and
// out of range. Each struct and buffer ends at a guard page. No call may crash, end with BMO_EINTERNAL, write beyond its
// buffers or, when it fails, write to its outputs. A finding names the seed that repeats it: misuse --seed SEED --one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "handles.hpp"
#include "random.hpp"
#include "rounds.hpp"

namespace {

constexpr int kCalls = 12; // of a round

void run_round(std::uint64_t seed);

constexpr Rounds kRounds = {
    .program = "misuse",
    .unit = "ROUNDS",
    .run = run_round,
    .seed_of = [](std::uint64_t base, std::uint64_t round) { return Random(base + round).next(); },
    .seconds = 60,
};

void find(const char *what, const char *detail) {
    find(kRounds, what, detail);
}

std::int32_t pull_ones(void *, const std::int64_t *, std::int64_t count, std::int64_t m, std::uint64_t, double *sum,
                       double *sumsq) {
    for (std::int64_t i = 0; i < count; ++i)
        sum[i] = sumsq[i] = static_cast<double>(m);
    return 0;
}

std::int32_t mean_of_one(void *, std::int64_t, double *mean) {
    *mean = 1;
    return 0;
}

std::int32_t rho_of_all(void *, const std::int64_t *, std::int64_t count, const double *, const double *, double *out) {
    std::fill_n(out, count, 1.0);
    return 0;
}

// One round: handles that calls make and use, and the calls.
class Round : private Arguments {
public:
    using Arguments::Arguments;

    void run() {
        make_dense(true);
        forget();
        make_query();
        for (int i = 0; i < kCalls; ++i) {
            forget();
            call();
            if (!are_intact())
                find("writes beyond", "or to an input");
        }
    }

private:
    void call() {
        switch (random_.below(23)) {
        case 0:
        case 1: return make_dense(random_.chance(0.5));
        case 2:
        case 3: return make_sparse();
        case 4: return prepare();
        case 5: return set_parameters();
        case 6: return get_parameters();
        case 7: return make_query();
        case 8:
        case 9: return search_rows();
        case 10: return search_dense();
        case 11: return search_sparse();
        case 12: return search_dataset();
        case 13: return search_graph();
        case 14: return cluster();
        case 15: return find_medoid();
        case 16: return find_arms();
        case 17: return read_dataset();
        case 18:
        case 19: return search_within();
        case 20:
        case 21: return make_query_among();
        default: return ask_small_things();
        }
    }

    // Checks what a call says, and whether it left alone what it must. Returns whether it succeeded.
    bool said(bmo_status status) {
        ++progress().tried;
        progress().succeeded += status == BMO_OK;
        if (status == BMO_EINTERNAL || status == BMO_ENOMEM || status < -11 || status > 0)
            find(bmo_status_name(status), bmo_last_error());
        else if (status != BMO_OK && *bmo_last_error() == '\0')
            find(bmo_status_name(status), "no message");
        return status == BMO_OK;
    }

    void begin(const char *name) { progress().call = name; }

    template <class Owner, class Handle>
    bool take(bmo_status status, Handle **at, Owner &owner) {
        const bool made = said(status);
        if (made)
            owner.reset(*at);
        else if (at && *at != no_handle<Handle>())
            find("a failing call writes a handle", "");
        return made;
    }

    std::int64_t some_n() {
        return random_.chance(0.1) ? random_.below(2) : random_.between(std::int64_t{2}, std::int64_t{30});
    }

    void make_dense(bool valid) {
        begin("bmo_dataset_dense");
        d_ = random_.between(std::int64_t{1}, std::int64_t{20});
        const bmo_dense made = dense(valid ? 12 : some_n(), d_);
        bmo_dataset **at = place_handle<bmo_dataset>();
        const auto flags = static_cast<std::uint32_t>(random_.chance(0.9) ? 0 : odd() | 2);
        take(bmo_dataset_dense(at, placed(made), flags, nullptr, nullptr), at, dataset_);
    }

    void make_sparse() {
        begin("bmo_dataset_sparse");
        const bmo_sparse made = sparse(some_n(), random_.between(std::int64_t{1}, std::int64_t{20}));
        bmo_dataset **at = place_handle<bmo_dataset>();
        take(bmo_dataset_sparse(at, placed(made), BMO_COPY, nullptr, nullptr), at, dataset_);
        learn_sizes();
    }

    void learn_sizes() {
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (dataset_ && bmo_dataset_describe(dataset_.get(), &info) == BMO_OK)
            d_ = info.d;
    }

    void prepare() {
        begin("bmo_dataset_prepare");
        bmo_dataset **at = place_handle<bmo_dataset>();
        take(bmo_dataset_prepare(at, dataset_.get(), config_.get(), monitor()), at, dataset_);
    }

    void set_parameters() {
        begin("bmo_config_set");
        if (!config_ || random_.chance(0.2)) {
            bmo_config **at = place_handle<bmo_config>();
            take(random_.chance(0.3) ? bmo_config_copy(at, config_.get()) : bmo_config_create(at), at, config_);
        }
        const auto param = static_cast<bmo_param>(random_.chance(0.8) ? random_.below(44) : odd());
        said(bmo_config_set_i64(config_.get(), param, random_.chance(0.7) ? random_.below(8) : odd()));
        said(bmo_config_set_f64(config_.get(), param,
                                random_.pick({0.5, 1.0, 1e-9, 3.0, -1.0, HUGE_VAL, std::nan("")})));
        const char *name = text(some_word());
        said(bmo_config_set_text(config_.get(), name, text(some_word())));
        if (random_.chance(0.3)) {
            const std::int64_t count = random_.below(22);
            const auto *weights = static_cast<const double *>(values(BMO_F64, count, 3));
            said(bmo_config_set_weights(config_.get(), rarely() ? nullptr : weights, rarely() ? -count : count));
        }
        if (random_.chance(0.2))
            said(bmo_config_set_rho(config_.get(), rarely() ? nullptr : rho_of_all,
                                    static_cast<std::uint32_t>(random_.below(3)),
                                    random_.chance(0.5) ? nullptr : placed(sized<bmo_owner>())));
    }

    void get_parameters() {
        begin("bmo_config_get");
        const auto param = static_cast<bmo_param>(random_.chance(0.8) ? random_.below(44) : odd());
        said(bmo_config_get_i64(config_.get(), param, rarely() ? nullptr : buffer().place_array<std::int64_t>(1)));
        said(bmo_config_get_f64(config_.get(), param, rarely() ? nullptr : buffer().place_array<double>(1)));
        const auto size = static_cast<std::size_t>(random_.below(12));
        const char *name = text(some_word());
        said(bmo_config_get_text(config_.get(), name, buffer().place_array<char>(size), size,
                                 rarely() ? nullptr : buffer().place_array<std::size_t>(1)));
        said(bmo_param_at(random_.chance(0.8) ? static_cast<std::int32_t>(random_.below(bmo_param_count())) : odd32(),
                          placed(sized<bmo_param_info>())));
    }

    void make_query() {
        begin("bmo_query_create");
        bmo_query **at = place_handle<bmo_query>();
        const bool made = take(
            bmo_query_create(at, dataset_.get(), random_.chance(0.5) ? nullptr : config_.get(), nullptr), at, query_);
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (made && bmo_dataset_describe(dataset_.get(), &info) == BMO_OK) { // otherwise the query stays as it was
            query_n_ = info.n;
            query_d_ = info.d;
        }
    }

    void make_query_among() {
        begin("bmo_query_create_among");
        bmo_query **at = place_handle<bmo_query>();
        const bmo_candidates *chosen = candidates();
        const bool made = take(bmo_query_create_among(at, dataset_.get(), random_.chance(0.5) ? nullptr : config_.get(),
                                                      rarely() ? nullptr : chosen, monitor()),
                               at, query_);
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (made && bmo_dataset_describe(dataset_.get(), &info) == BMO_OK) {
            query_n_ = info.n;
            query_d_ = info.d;
        }
    }

    // Of the dataset's points.
    const bmo_candidates *candidates() {
        bmo_dataset_info info = sized<bmo_dataset_info>();
        const std::int64_t n = dataset_ && bmo_dataset_describe(dataset_.get(), &info) == BMO_OK ? info.n : 0;
        bmo_candidates made = sized<bmo_candidates>();
        made.label_rule = static_cast<bmo_label_rule>(random_.chance(0.9) ? random_.below(3) : odd32());
        if (made.label_rule != 0 || rarely())
            made.labels = rarely() ? nullptr : labels(n);
        if (random_.chance(0.4)) {
            made.nrows = random_.below(5);
            made.rows = row_numbers(made.nrows, n);
        } else if (random_.chance(0.4)) {
            made.mask = static_cast<const std::uint8_t *>(values(BMO_U8, n, 2));
        }
        if (rarely())
            made.nrows = made.rows ? -1 - made.nrows : odd();
        return placed(made);
    }

    std::int64_t some_k() {
        return random_.chance(0.8) ? random_.between(std::int64_t{1}, std::max<std::int64_t>(1, query_n_)) : odd();
    }

    void search_rows() {
        begin("bmo_query_knn_rows");
        const std::int64_t count = random_.below(5), k = some_k();
        const std::int64_t *rows = row_numbers(count, query_n_);
        bmo_output *out = output(count, k);
        said(bmo_query_knn_rows(query_.get(), rarely() ? nullptr : rows, rarely() ? -1 - count : count, k, out,
                                monitor(), stats()));
    }

    void search_dense() {
        begin("bmo_query_knn_dense");
        const std::int64_t count = random_.below(5), k = some_k();
        const bmo_dense queries = dense(count, rarely() ? query_d_ + 1 : query_d_);
        bmo_output *out = output(count, k);
        said(bmo_query_knn_dense(query_.get(), placed(queries), k, out, monitor(), stats()));
    }

    void search_sparse() {
        begin("bmo_query_knn_sparse");
        const std::int64_t count = random_.below(5), k = some_k();
        const bmo_sparse queries = sparse(count, rarely() ? query_d_ + 1 : query_d_);
        bmo_output *out = output(count, k);
        said(bmo_query_knn_sparse(query_.get(), placed(queries), k, out, monitor(), stats()));
    }

    void search_dataset() {
        begin("bmo_query_knn");
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (!dataset_ || bmo_dataset_describe(dataset_.get(), &info) != BMO_OK)
            return;
        const std::int64_t k = some_k();
        bmo_output *out = output(info.n, k);
        said(bmo_query_knn(query_.get(), rarely() ? nullptr : dataset_.get(), k, out, monitor(), stats()));
    }

    void search_graph() {
        begin("bmo_query_graph");
        const std::int64_t k = some_k();
        bmo_output *out = output(query_n_, k);
        said(bmo_query_graph(query_.get(), k, out, monitor(), stats()));
    }

    // The radius searches: one of the five.
    void search_within() {
        begin("bmo_query_radius");
        bmo_neighbors **at = place_handle<bmo_neighbors>();
        const std::int64_t count = random_.below(5);
        switch (random_.below(5)) {
        case 0: {
            const bmo_dense queries = dense(count, rarely() ? query_d_ + 1 : query_d_);
            const bmo_limits *within = limits(count);
            return check_within(bmo_query_radius_dense(query_.get(), placed(queries), within, at, monitor(), stats()),
                                at, count);
        }
        case 1: {
            const bmo_sparse queries = sparse(count, rarely() ? query_d_ + 1 : query_d_);
            const bmo_limits *within = limits(count);
            return check_within(bmo_query_radius_sparse(query_.get(), placed(queries), within, at, monitor(), stats()),
                                at, count);
        }
        case 2: {
            const std::int64_t *rows = row_numbers(count, query_n_);
            const bmo_limits *within = limits(count);
            return check_within(
                bmo_query_radius_rows(query_.get(), rarely() ? nullptr : rows, count, within, at, monitor(), stats()),
                at, count);
        }
        case 3: {
            bmo_dataset_info info = sized<bmo_dataset_info>();
            if (!dataset_ || bmo_dataset_describe(dataset_.get(), &info) != BMO_OK)
                return;
            const bmo_limits *within = limits(info.n);
            return check_within(
                bmo_query_radius(query_.get(), rarely() ? nullptr : dataset_.get(), within, at, monitor(), stats()), at,
                info.n);
        }
        default: {
            const bmo_limits *within = limits(query_n_);
            return check_within(bmo_query_radius_graph(query_.get(), within, at, monitor(), stats()), at, query_n_);
        }
        }
    }

    void check_within(bmo_status status, bmo_neighbors **at, std::int64_t queries) {
        std::unique_ptr<bmo_neighbors, void (*)(bmo_neighbors *)> neighbors{nullptr, bmo_neighbors_free};
        take(status, at, neighbors);
        bmo_neighbors_view *view = placed(sized<bmo_neighbors_view>());
        if (!said(bmo_neighbors_read(neighbors.get(), view)) || view->struct_size < sizeof *view)
            return;
        if (view->queries != queries || view->offset[0] != 0 || view->offset[queries] != view->pairs)
            find("offsets are nonsense", "");
        for (std::int64_t i = 0; i < view->pairs; ++i)
            if (view->index[i] < 0 || view->index[i] >= query_n_ || std::isnan(view->distance[i]))
                find("a pair is nonsense", "");
    }

    void cluster() {
        begin("bmo_query_kmeans");
        bmo_kmeans run = sized<bmo_kmeans>();
        run.k = some_k();
        run.init = rarely() ? odd32() : static_cast<std::int32_t>(random_.below(3));
        run.n_init = rarely() ? -1 : static_cast<std::int32_t>(random_.below(3));
        run.reserved = rarely() ? odd32() : 0;
        run.max_iter = rarely() ? -odd() : random_.below(6);
        run.tol = rarely() ? random_.pick({-1.0, std::nan(""), HUGE_VAL}) : 0;
        const std::int64_t elements = std::clamp<std::int64_t>(run.k, 0, 40) * query_d_;
        run.centers_capacity = random_.chance(0.8) ? elements : random_.below(elements + 1);
        run.centers = rarely() ? nullptr : buffer().place_array<double>(static_cast<std::size_t>(run.centers_capacity));
        for (std::int64_t i = 0; run.centers && i < run.centers_capacity; ++i)
            run.centers[i] = static_cast<double>(random_.below(200));
        run.labels =
            random_.chance(0.2) ? nullptr : buffer().place_array<std::int32_t>(static_cast<std::size_t>(query_n_));
        run.inertia = random_.chance(0.2) ? nullptr : buffer().place_array<double>(1);
        run.iterations = random_.chance(0.2) ? nullptr : buffer().place_array<std::int64_t>(1);
        said(bmo_query_kmeans(query_.get(), placed(run), monitor(), stats()));
    }

    void find_medoid() {
        begin("bmo_query_medoid");
        said(bmo_query_medoid(query_.get(), placed(sized<bmo_medoid>()), monitor(), stats()));
    }

    void find_arms() {
        begin("bmo_best_arms");
        bmo_arms arms = sized<bmo_arms>();
        arms.flags =
            rarely() ? static_cast<std::uint32_t>(odd()) : static_cast<std::uint32_t>(random_.pick({0, 4, 8, 12}));
        arms.n = random_.chance(0.8) ? random_.between(std::int64_t{1}, std::int64_t{20}) : -random_.below(3);
        arms.exact_cost = static_cast<std::uint64_t>(random_.below(100));
        if (rarely() && arms.n > 1)
            arms.exact_cost = std::numeric_limits<std::uint64_t>::max(); // equal arms are sampled as often;
        arms.lower = rarely() ? std::nan("") : 0;
        arms.upper = rarely() ? -1 : 2;
        arms.pull = rarely() ? nullptr : pull_ones;
        arms.exact = mean_of_one;
        bmo_best best = sized<bmo_best>();
        best.k = random_.chance(0.8) ? random_.between(std::int64_t{1}, std::max<std::int64_t>(1, arms.n)) : odd();
        const auto places = static_cast<std::size_t>(std::clamp<std::int64_t>(best.k, 0, 40));
        best.arm = rarely() ? nullptr : buffer().place_array<std::int64_t>(places);
        best.mean = rarely() ? nullptr : buffer().place_array<double>(places);
        best.halfwidth = rarely() ? nullptr : buffer().place_array<double>(places);
        const bmo_arms *asked = placed(arms);
        said(bmo_best_arms(asked, nullptr, placed(best), monitor(), stats()));
    }

    void read_dataset() {
        begin("bmo_dataset_copy_rows");
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (!dataset_ || bmo_dataset_describe(dataset_.get(), &info) != BMO_OK)
            return;
        const std::int64_t count = random_.below(4);
        const std::int64_t *rows = row_numbers(count, info.n);
        said(bmo_dataset_copy_rows(dataset_.get(), rows, rarely() ? -1 : count,
                                   rarely() ? nullptr
                                            : buffer().place_array<double>(static_cast<std::size_t>(count * info.d))));
        said(bmo_dataset_describe(rarely() ? nullptr : dataset_.get(), placed(sized<bmo_dataset_info>())));
        bmo_dataset **at = place_handle<bmo_dataset>();
        DatasetHandle second, some;
        take(bmo_dataset_ref(at, rarely() ? nullptr : dataset_.get()), at, second);
        begin("bmo_dataset_subset");
        const std::int64_t chosen = random_.below(6);
        const std::int64_t *of_subset = row_numbers(chosen, info.n);
        at = place_handle<bmo_dataset>();
        take(bmo_dataset_subset(at, rarely() ? nullptr : dataset_.get(), of_subset, rarely() ? -1 : chosen, nullptr),
             at, some);
    }

    void ask_small_things() {
        begin("small calls");
        bmo_error_detail(placed(sized<bmo_error>()));
        if (std::strlen(bmo_status_name(odd32())) == 0 || bmo_version() < 0 || bmo_threads_available() < 1)
            find("nonsense", "");
        bmo_cancel_request(nullptr);
        bmo_cancel_reset(token_.get());
        bmo_dataset *opened = nullptr;
        said(bmo_dataset_open(&opened, text(some_word()), static_cast<std::uint32_t>(random_.below(4)), monitor()));
        bmo_dataset_free(opened);
        said(bmo_dataset_save(dataset_.get(), text("/nowhere/" + some_word()), monitor()));
    }

    std::int64_t d_ = 1, query_n_ = 0, query_d_ = 1;
    DatasetHandle dataset_;
    ConfigHandle config_;
    QueryHandle query_;
};

void run_round(std::uint64_t seed) {
    Round(seed).run();
}

} // namespace

int main(int argc, char **argv) {
    run_rounds(kRounds, argc, argv);
    std::printf(
        "%llu calls, %llu of them successful, %llu findings\n", static_cast<unsigned long long>(progress().tried),
        static_cast<unsigned long long>(progress().succeeded), static_cast<unsigned long long>(progress().findings));
    return progress().findings == 0 ? 0 : 1;
}
