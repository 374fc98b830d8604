// usage: misuse [--seed SEED] [--count ROUNDS] [--one]
// Calls of the interface with arguments at random: structs of any size, NULL, strides, types, capacities and rows in and
// out of range. Each struct and buffer ends at a guard page. No call may crash, end with BMO_EINTERNAL, write beyond its
// buffers or, when it fails, write to its outputs. A finding names the seed that repeats it: misuse --seed SEED --one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "guarded.hpp"
#include "handles.hpp"
#include "random.hpp"
#include "rounds.hpp"

namespace {

constexpr std::size_t kBuffers = 16, kMostBytes = 1 << 16;
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

struct FreeToken {
    void operator()(bmo_cancel *token) const { bmo_cancel_free(token); }
};

std::int32_t no_progress(void *, const bmo_progress *) {
    return 0;
}

std::int32_t stop_at_once(void *, const bmo_progress *) {
    return 7;
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
class Round {
public:
    explicit Round(std::uint64_t seed) : random_(seed) {
        for (auto &buffer : buffers_)
            buffer = std::make_unique<Guarded>(kMostBytes);
    }

    void run() {
        make_dense(true);
        next_buffer_ = 0;
        make_query();
        for (int i = 0; i < kCalls; ++i) {
            next_buffer_ = 0;
            call();
            for (std::size_t used = 0; used < next_buffer_; ++used)
                if (!buffers_[used]->is_intact() || !buffers_[used]->is_kept())
                    find("writes beyond", "or to an input");
        }
    }

private:
    void call() {
        switch (random_.below(19)) {
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
        default: return ask_small_things();
        }
    }

    Guarded &buffer() { return *buffers_[next_buffer_++]; }

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

    std::int64_t odd() {
        const std::int64_t near = random_.between(std::int64_t{-2}, std::int64_t{2});
        switch (random_.below(5)) {
        case 0: return near;
        case 1: return std::numeric_limits<std::int64_t>::max() - random_.below(3);
        case 2: return std::numeric_limits<std::int64_t>::min() + random_.below(3);
        case 3: return (std::int64_t{1} << random_.below(62)) + near;
        default: return -(std::int64_t{1} << random_.below(62));
        }
    }
    std::int32_t odd32() { return static_cast<std::int32_t>(odd()); }

    // Out of range for sure, as sizes that must be refused before anything is read.
    std::int64_t refused_size() {
        return random_.pick<std::int64_t>({-1, -7, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 31,
                                           std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()});
    }

    bool rarely() { return random_.chance(0.06); }

    // The struct as a program of another version would have it, at the end of a page; NULL at times.
    template <class Struct>
    Struct *placed(Struct filled, bool may_be_null = true) {
        if (may_be_null && rarely())
            return nullptr;
        std::size_t size = sizeof filled;
        if (rarely()) // shorter: what is beyond is not there
            size = 8 * static_cast<std::size_t>(
                           random_.between(std::int64_t{1}, static_cast<std::int64_t>(sizeof filled / 8)));
        else if (rarely()) // longer
            size += 8 * static_cast<std::size_t>(random_.between(std::int64_t{1}, std::int64_t{8}));
        auto *at = static_cast<unsigned char *>(buffer().place(size));
        std::memset(at, rarely() ? 1 : 0, size);
        filled.struct_size = rarely() ? random_.pick<std::uint32_t>({0, 1, 4, 7}) : static_cast<std::uint32_t>(size);
        std::memcpy(at, &filled, std::min(size, sizeof filled));
        return reinterpret_cast<Struct *>(at);
    }

    bmo_monitor *monitor() {
        if (random_.chance(0.6))
            return nullptr;
        bmo_monitor made = sized<bmo_monitor>();
        made.interval_ms = random_.chance(0.8) ? 1 : odd32();
        made.progress = random_.pick<bmo_progress_fn>({nullptr, no_progress, no_progress, stop_at_once});
        if (random_.chance(0.3)) {
            bmo_cancel *token = nullptr;
            said(bmo_cancel_create(&token));
            token_.reset(token);
            if (random_.chance(0.3))
                bmo_cancel_request(token);
            made.cancel = token;
        }
        return placed(made);
    }

    bmo_stats *stats() { return random_.chance(0.3) ? nullptr : placed(sized<bmo_stats>()); }

    static std::size_t size_of(bmo_dtype dtype) {
        return dtype == BMO_U8 ? 1 : dtype == BMO_F32 || dtype == BMO_I32 ? 4 : 8;
    }

    void put(unsigned char *at, bmo_dtype dtype, double value) {
        switch (dtype) {
        case BMO_F32: return store(at, static_cast<float>(value));
        case BMO_F64: return store(at, value);
        case BMO_U8: return store(at, static_cast<std::uint8_t>(value));
        case BMO_I32: return store(at, static_cast<std::int32_t>(value));
        default: return store(at, static_cast<std::int64_t>(value));
        }
    }
    template <class T>
    static void store(unsigned char *at, T value) {
        std::memcpy(at, &value, sizeof value);
    }

    // An array that the library may read and not write.
    const void *values(bmo_dtype dtype, std::int64_t count, std::int64_t below) {
        Guarded &at = buffer();
        auto *bytes = at.place_array<unsigned char>(static_cast<std::size_t>(count) * size_of(dtype));
        for (std::int64_t i = 0; i < count; ++i)
            put(bytes + static_cast<std::size_t>(i) * size_of(dtype), dtype, static_cast<double>(random_.below(below)));
        at.keep();
        return bytes;
    }

    bmo_dtype some_dtype() { return static_cast<bmo_dtype>(random_.between(std::int64_t{1}, std::int64_t{5})); }

    // Points as the buffer has them; or fields that nothing can be read by.
    bmo_dense dense(std::int64_t n, std::int64_t d) {
        bmo_dense made = sized<bmo_dense>();
        made.dtype = some_dtype();
        made.n = n;
        made.d = d;
        const std::int64_t inner = random_.between(std::int64_t{1}, std::int64_t{3});
        const bool columns = random_.chance(0.3), plain = random_.chance(0.4);
        made.coord_stride = plain ? 0 : columns ? n : inner;
        made.point_stride = plain ? 0 : columns ? 1 : d * inner;
        made.data = values(
            made.dtype, plain || columns ? n * d : std::max<std::int64_t>(0, (n - 1) * d * inner + (d - 1) * inner + 1),
            200);
        if (n == 0 && random_.chance(0.5))
            made.data = nullptr;
        if (random_.chance(0.6))
            return made;
        switch (random_.below(6)) {
        case 0: made.dtype = random_.pick<bmo_dtype>({0, -1, 12, 99}); break;
        case 1: made.n = refused_size(); break;
        case 2: made.d = random_.chance(0.5) ? 0 : refused_size(); break;
        case 3: made.data = n > 0 ? nullptr : made.data; break;
        case 4: made.point_stride = -random_.between(std::int64_t{1}, std::int64_t{9}); break;
        default: made.coord_stride = std::numeric_limits<std::int64_t>::min(); break;
        }
        return made;
    }

    bmo_sparse sparse(std::int64_t n, std::int64_t d) {
        bmo_sparse made = sized<bmo_sparse>();
        const bool by_coordinate = random_.chance(0.4);
        const std::int64_t lines = by_coordinate ? d : n, length = by_coordinate ? n : d, base = random_.below(2);
        made.orientation = by_coordinate;
        made.index_base = static_cast<std::int32_t>(base);
        made.pointer_dtype = random_.pick<bmo_dtype>({BMO_I32, BMO_I64});
        made.index_dtype = random_.pick<bmo_dtype>({BMO_I32, BMO_I64});
        made.value_dtype = some_dtype();
        made.n = n;
        made.d = d;
        made.nnz = length > 0 ? random_.below(40) : 0;
        made.pointers = pointers(made, lines);
        made.indices = indices(made, length);
        made.values = random_.chance(0.2) ? nullptr : values(made.value_dtype, made.nnz, 9);
        if (!made.values)
            made.value_dtype = 0;
        if (random_.chance(0.6))
            return made;
        switch (random_.below(6)) {
        case 0: made.orientation = odd32() | 2; break;
        case 1: made.index_base = odd32() | 2; break;
        case 2: made.pointer_dtype = random_.pick<bmo_dtype>({0, BMO_F32, 77}); break;
        case 3: made.n = refused_size(); break;
        case 4: made.nnz = -1 - random_.below(9); break;
        default: (made.nnz > 0 ? made.indices : made.pointers) = nullptr; break;
        }
        return made;
    }

    const void *pointers(const bmo_sparse &made, std::int64_t lines) {
        std::vector<std::int64_t> at(static_cast<std::size_t>(lines) + 1);
        for (std::int64_t &pointer : at)
            pointer = random_.below(made.nnz + 1);
        std::ranges::sort(at);
        at.front() = 0;
        at.back() = made.nnz;
        if (random_.chance(0.1))
            at[static_cast<std::size_t>(random_.below(lines + 1))] = odd();
        return positions(made.pointer_dtype, at, made.index_base);
    }

    const void *indices(const bmo_sparse &made, std::int64_t length) {
        std::vector<std::int64_t> at(static_cast<std::size_t>(made.nnz));
        for (std::int64_t &index : at)
            index = random_.below(length);
        if (made.nnz > 0 && random_.chance(0.1))
            at[static_cast<std::size_t>(random_.below(made.nnz))] = random_.chance(0.5) ? length : odd();
        return positions(made.index_dtype, at, made.index_base);
    }

    const void *positions(bmo_dtype dtype, const std::vector<std::int64_t> &from, std::int64_t base) {
        Guarded &at = buffer();
        auto *bytes = at.place_array<unsigned char>(from.size() * size_of(dtype));
        for (std::size_t i = 0; i < from.size(); ++i) {
            const auto value =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(from[i]) + static_cast<std::uint64_t>(base));
            if (dtype == BMO_I32)
                store(bytes + i * 4, static_cast<std::int32_t>(value));
            else
                store(bytes + i * 8, value);
        }
        at.keep();
        return bytes;
    }

    // A place for a handle; a failing call leaves it as it is.
    template <class Handle>
    Handle **place_handle() {
        auto **at = static_cast<Handle **>(buffer().place(sizeof(Handle *)));
        *at = reinterpret_cast<Handle *>(std::uintptr_t{0x5a5a});
        return rarely() ? nullptr : at;
    }

    template <class Owner, class Handle>
    void take(bmo_status status, Handle **at, Owner &owner) {
        if (said(status))
            owner.reset(*at);
        else if (at && *at != reinterpret_cast<Handle *>(std::uintptr_t{0x5a5a}))
            find("a failing call writes a handle", "");
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

    // A text at the end of a page.
    const char *text(const std::string &text) {
        if (rarely())
            return nullptr;
        Guarded &at = buffer();
        auto *place = static_cast<char *>(at.place(text.size() + 1));
        std::memcpy(place, text.c_str(), text.size() + 1);
        at.keep();
        return place;
    }

    std::string some_word() {
        return random_.pick<const char *>({"metric",     "method",
                                           "box",        "bandit",
                                           "confidence", "sampling",
                                           "p",          "delta",
                                           "epsilon",    "seed",
                                           "threads",    "sqeuclidean",
                                           "l1",         "cosine",
                                           "lp",         "custom",
                                           "race",       "ucb",
                                           "lucb++",     "exact",
                                           "uniform",    "1e-3",
                                           "0.5",        "7",
                                           "-1",         "1e999",
                                           "nan",        "",
                                           "dense",      "rotated",
                                           "projected",  "sparse",
                                           "importance", "replace",
                                           "\xff\xfe",   "init_pulls",
                                           "1e-300",     "999999999999999999999"});
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
        take(bmo_query_create(at, dataset_.get(), random_.chance(0.5) ? nullptr : config_.get(), nullptr), at, query_);
        bmo_dataset_info info = sized<bmo_dataset_info>();
        if (query_ && bmo_dataset_describe(dataset_.get(), &info) == BMO_OK) {
            query_n_ = info.n;
            query_d_ = info.d;
        }
    }

    std::int64_t some_k() {
        return random_.chance(0.8) ? random_.between(std::int64_t{1}, std::max<std::int64_t>(1, query_n_)) : odd();
    }

    // Buffers of as many elements as the capacity says.
    bmo_output *output(std::int64_t queries, std::int64_t k) {
        if (random_.chance(0.1))
            return nullptr;
        bmo_output out = sized<bmo_output>();
        out.index_base = rarely() ? odd32() : static_cast<std::int32_t>(random_.below(2));
        out.index_dtype = rarely() ? odd32() : random_.pick<bmo_dtype>({0, BMO_I32, BMO_I64});
        out.distance_dtype = rarely() ? odd32() : random_.pick<bmo_dtype>({0, BMO_F32, BMO_F64});
        const std::int64_t whole = std::clamp<std::int64_t>(k, 0, 40) * queries;
        out.capacity = random_.chance(0.8) ? whole : random_.below(whole + 1);
        if (random_.chance(0.2)) {
            out.query_stride = random_.chance(0.5) ? 1 : odd();
            out.rank_stride = random_.chance(0.5) ? queries : odd();
        }
        const auto elements = static_cast<std::size_t>(out.capacity);
        out.index = rarely() ? nullptr : buffer().place(elements * (out.index_dtype == BMO_I32 ? 4 : 8));
        out.distance = rarely() ? nullptr : buffer().place(elements * (out.distance_dtype == BMO_F32 ? 4 : 8));
        if (rarely())
            out.capacity = -1 - random_.below(3);
        out.done =
            random_.chance(0.5) ? nullptr : buffer().place_array<std::uint8_t>(static_cast<std::size_t>(queries));
        out.row_stats =
            random_.chance(0.5) ? nullptr : buffer().place_array<bmo_row_stats>(static_cast<std::size_t>(queries));
        return placed(out);
    }

    void search_rows() {
        begin("bmo_query_knn_rows");
        const std::int64_t count = random_.below(5), k = some_k();
        auto *rows = buffer().place_array<std::int64_t>(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            rows[i] = random_.chance(0.9) ? random_.below(std::max<std::int64_t>(1, query_n_)) : odd();
        buffers_[next_buffer_ - 1]->keep();
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
        auto *rows = buffer().place_array<std::int64_t>(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
            rows[i] = random_.chance(0.9) ? random_.below(std::max<std::int64_t>(1, info.n)) : odd();
        said(bmo_dataset_copy_rows(dataset_.get(), rows, rarely() ? -1 : count,
                                   rarely() ? nullptr
                                            : buffer().place_array<double>(static_cast<std::size_t>(count * info.d))));
        said(bmo_dataset_describe(rarely() ? nullptr : dataset_.get(), placed(sized<bmo_dataset_info>())));
        bmo_dataset **at = place_handle<bmo_dataset>();
        DatasetHandle second;
        take(bmo_dataset_ref(at, rarely() ? nullptr : dataset_.get()), at, second);
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

    Random random_;
    std::array<std::unique_ptr<Guarded>, kBuffers> buffers_;
    std::size_t next_buffer_ = 0;
    std::int64_t d_ = 1, query_n_ = 0, query_d_ = 1;
    std::unique_ptr<bmo_cancel, FreeToken> token_;
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
