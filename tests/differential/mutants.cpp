// usage: mutants [--seed SEED] [--count MUTANTS] [--one]
// .bmo files that are changed at random, with checksums that are right: opened copied and mapped, searched, clustered and
// saved again. What they hold may be wrong, so that answers may be; but nothing crashes, hangs or ends with
// BMO_EINTERNAL. A finding names the seed that repeats it: mutants --seed SEED --one.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "../fuzz/saved_bytes.hpp"
#include "handles.hpp"
#include "random.hpp"
#include "rounds.hpp"
#include "settings.hpp"

namespace {

constexpr std::int64_t kMostValues = 1 << 20;

void run_mutant(std::uint64_t seed);

constexpr Rounds kRounds = {
    .program = "mutants", .unit = "MUTANTS", .run = run_mutant, .seed_of = part_of, .seconds = 60};

void find(const char *what, const char *detail) {
    find(kRounds, what, detail);
}

void check(bmo_status status, const char *call) {
    if (status == BMO_EINTERNAL || status == BMO_ENOMEM || (status != BMO_OK && *bmo_last_error() == '\0'))
        find(call, bmo_last_error());
}

// A dataset to be saved: its kind, type, box and metric.
struct Kind {
    bool is_sparse;
    bmo_dtype dtype;
    std::int32_t box, metric;
    bool with_weights;
    std::int64_t n, d;
};

constexpr Kind kKinds[] = {
    {false, BMO_F32, 0, BMO_METRIC_L2, false, 30, 20},
    {false, BMO_U8, 0, BMO_METRIC_L2, false, 30, 20},
    {false, BMO_F64, BMO_BOX_DENSE, BMO_METRIC_L2, false, 40, 60},
    {false, BMO_F32, BMO_BOX_DENSE, BMO_METRIC_L1, true, 40, 60},
    {false, BMO_U8, BMO_BOX_DENSE, BMO_METRIC_COSINE, false, 40, 60},
    {false, BMO_F32, BMO_BOX_ROTATED, BMO_METRIC_L2, false, 40, 60},
    {false, BMO_F32, BMO_BOX_ROTATED, BMO_METRIC_COSINE, false, 40, 60},
    {false, BMO_F32, BMO_BOX_PROJECTED, BMO_METRIC_L2, false, 90, 70},
    {false, BMO_U8, BMO_BOX_PROJECTED, BMO_METRIC_L2, false, 90, 70},
    {false, BMO_F32, BMO_BOX_PROJECTED, BMO_METRIC_COSINE, false, 90, 70},
    {false, BMO_F64, BMO_BOX_PROJECTED, BMO_METRIC_INNER_PRODUCT, false, 90, 70},
    {false, BMO_F32, BMO_BOX_SKETCH, BMO_METRIC_L2, false, 90, 70},
    {false, BMO_F64, BMO_BOX_SKETCH, BMO_METRIC_INNER_PRODUCT, false, 90, 70},
    {true, BMO_F32, 0, BMO_METRIC_L2, false, 30, 40},
    {true, BMO_F64, BMO_BOX_SPARSE, BMO_METRIC_L2, false, 30, 40},
    {true, BMO_F32, BMO_BOX_SPARSE_UNION, BMO_METRIC_L1, false, 30, 40},
};

// Points in a few clusters, so that k-means has steps to make.
std::vector<double> clustered(const Kind &kind) {
    Random random(static_cast<std::uint64_t>(kind.box) + 3);
    std::vector<double> values;
    for (std::int64_t i = 0; i < kind.n; ++i) {
        Random center(static_cast<std::uint64_t>(i % 4));
        for (std::int64_t j = 0; j < kind.d; ++j)
            values.push_back(100 + 30 * center.normal() + 5 * random.normal());
    }
    if (kind.is_sparse)
        for (double &value : values)
            value = random.chance(0.7) ? 0 : value;
    return values;
}

template <class T>
std::string bytes_as(const std::vector<double> &values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(std::clamp(values[i], 0.0, 255.0));
        std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
    return bytes;
}

bmo_status make_dense(bmo_dataset **dataset, const Kind &kind, const std::vector<double> &values) {
    const std::string bytes = kind.dtype == BMO_U8    ? bytes_as<std::uint8_t>(values)
                              : kind.dtype == BMO_F32 ? bytes_as<float>(values)
                                                      : bytes_as<double>(values);
    bmo_dense dense = sized<bmo_dense>();
    dense.dtype = kind.dtype;
    dense.data = bytes.data();
    dense.n = kind.n;
    dense.d = kind.d;
    return bmo_dataset_dense(dataset, &dense, BMO_COPY, nullptr, nullptr);
}

bmo_status make_sparse(bmo_dataset **dataset, const Kind &kind, const std::vector<double> &values) {
    std::vector<std::int64_t> pointers = {0};
    std::vector<std::int32_t> indices;
    std::vector<double> entries;
    for (std::int64_t i = 0; i < kind.n; ++i) {
        for (std::int64_t j = 0; j < kind.d; ++j)
            if (values[static_cast<std::size_t>(i * kind.d + j)] != 0) {
                indices.push_back(static_cast<std::int32_t>(j));
                entries.push_back(values[static_cast<std::size_t>(i * kind.d + j)]);
            }
        pointers.push_back(static_cast<std::int64_t>(indices.size()));
    }
    const std::string bytes = kind.dtype == BMO_F32 ? bytes_as<float>(entries) : bytes_as<double>(entries);
    bmo_sparse sparse = sized<bmo_sparse>();
    sparse.pointer_dtype = BMO_I64;
    sparse.index_dtype = BMO_I32;
    sparse.value_dtype = kind.dtype;
    sparse.n = kind.n;
    sparse.d = kind.d;
    sparse.nnz = static_cast<std::int64_t>(indices.size());
    sparse.pointers = pointers.data();
    sparse.indices = indices.data();
    sparse.values = bytes.data();
    return bmo_dataset_sparse(dataset, &sparse, BMO_COPY, nullptr, nullptr);
}

DatasetHandle made(const Kind &kind) {
    bmo_dataset *plain = nullptr, *dataset = nullptr;
    const std::vector<double> values = clustered(kind);
    if ((kind.is_sparse ? make_sparse(&plain, kind, values) : make_dense(&plain, kind, values)) != BMO_OK)
        std::abort();
    DatasetHandle handle(plain);
    if (kind.box == 0)
        return handle;
    Settings settings;
    settings.metric.id = kind.metric;
    settings.box = kind.box;
    settings.seed = 5;
    if (kind.with_weights)
        settings.metric.weights.assign(static_cast<std::size_t>(kind.d), 1.5);
    if (bmo_dataset_prepare(&dataset, plain, make_config(settings).get(), nullptr) != BMO_OK)
        std::abort();
    return DatasetHandle(dataset);
}

std::string scratch_path() {
    return "/dev/shm/bmo-mutants-" + std::to_string(getpid()) + ".bmo";
}

std::string saved(const Kind &kind) {
    const std::string path = scratch_path();
    if (bmo_dataset_save(made(kind).get(), path.c_str(), nullptr) != BMO_OK)
        std::abort();
    std::string bytes;
    FILE *file = std::fopen(path.c_str(), "rb");
    for (int byte; file && (byte = std::getc(file)) != EOF;)
        bytes.push_back(static_cast<char>(byte));
    if (!file || std::fclose(file) != 0)
        std::abort();
    unlink(path.c_str());
    return bytes;
}

// One change of a file.
class Mutation {
public:
    Mutation(std::string &bytes, Random &random) : bytes_(bytes), random_(random) {}

    void change() {
        switch (random_.below(9)) {
        case 0: return flip_bits();
        case 1: return put_in_meta();
        case 2: return put_in_table();
        case 3: return swap_entries();
        case 4: return repeat_entry();
        case 5: return remove_entry();
        case 6: return change_length();
        case 7: return copy_range();
        default: return put_in_sections();
        }
    }

private:
    std::size_t somewhere(std::size_t from, std::size_t to, std::size_t step) {
        return from + step * static_cast<std::size_t>(random_.below(static_cast<std::int64_t>((to - from) / step)));
    }

    std::uint32_t count() const {
        return std::min<std::uint32_t>(static_cast<std::uint32_t>(number_at(bytes_, 8) >> 32), 126);
    }
    void set_count(std::uint32_t count) { std::memcpy(bytes_.data() + 12, &count, sizeof count); }
    std::size_t entry(std::uint32_t i) const { return kEntry + kEntry * i; }
    std::uint32_t some_entry() { return static_cast<std::uint32_t>(random_.below(std::max<std::int64_t>(1, count()))); }

    void put(std::size_t at, std::uint64_t value, std::size_t size) {
        if (at + size <= bytes_.size())
            std::memcpy(bytes_.data() + at, &value, size);
    }

    std::uint64_t odd_number() {
        const std::int64_t near = random_.between(std::int64_t{-2}, std::int64_t{2});
        switch (random_.below(6)) {
        case 0: return static_cast<std::uint64_t>(near);
        case 1: return static_cast<std::uint64_t>((std::int64_t{1} << random_.below(63)) + near);
        case 2: return bytes_.size() + static_cast<std::uint64_t>(near);
        case 3: return random_.next();
        case 4: return static_cast<std::uint64_t>(random_.below(100));
        default: return number_at(bytes_, somewhere(0, bytes_.size() - 8, 4)) + static_cast<std::uint64_t>(near);
        }
    }

    std::uint64_t odd_real(std::size_t size) {
        const double value = random_.pick({0.0, -0.0, -1.0, 1e-310, 1e-40, 1e30, 1e300, -1e300, HUGE_VAL, std::nan(""),
                                           random_.normal(), 1e6 * random_.normal()});
        return size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                         : std::bit_cast<std::uint64_t>(value);
    }

    void flip_bits() {
        for (std::int64_t i = random_.between(std::int64_t{1}, std::int64_t{8}); i > 0; --i)
            bytes_[somewhere(0, bytes_.size(), 1)] ^= static_cast<char>(1 << random_.below(8));
    }

    // The first section tells sizes, types and the box.
    void put_in_meta() { put(somewhere(kHead, kHead + 64, 4), odd_number(), random_.pick<std::size_t>({4, 8})); }

    void put_in_table() {
        put(entry(some_entry()) + somewhere(0, 24, 4), odd_number(), random_.pick<std::size_t>({4, 8}));
    }

    void swap_entries() {
        const std::size_t a = entry(some_entry()), b = entry(some_entry());
        const std::size_t first = random_.pick<std::size_t>({0, 0, 4}), size = random_.pick<std::size_t>({4, 32});
        for (std::size_t i = first; i < std::min(first + size, kEntry); ++i)
            std::swap(bytes_[a + i], bytes_[b + i]);
    }

    void repeat_entry() {
        const std::uint32_t to = random_.chance(0.5) ? std::min(count(), 125U) : some_entry();
        std::memmove(bytes_.data() + entry(to), bytes_.data() + entry(some_entry()), kEntry);
        if (to == count())
            set_count(to + 1);
    }

    void remove_entry() {
        const std::uint32_t gone = some_entry(), entries = count();
        for (std::uint32_t i = gone; i + 1 < entries; ++i)
            std::memmove(bytes_.data() + entry(i), bytes_.data() + entry(i + 1), kEntry);
        if (entries > 0)
            set_count(entries - 1);
    }

    void change_length() {
        const std::size_t at = entry(some_entry()) + 16;
        const auto by = static_cast<std::uint64_t>(random_.pick<std::int64_t>({-64, -8, -4, -1, 1, 4, 8, 64, 4096}));
        put(at, number_at(bytes_, at) + by, 8);
        if (random_.chance(0.5))
            bytes_.resize(std::max(kHead, bytes_.size() + by));
    }

    void copy_range() {
        const std::size_t length = somewhere(1, std::min<std::size_t>(bytes_.size() - kHead, 4096) + 2, 1);
        const std::size_t most = bytes_.size() - std::min(length, bytes_.size() - kHead) + 1;
        std::memmove(bytes_.data() + somewhere(kHead, most, 1), bytes_.data() + somewhere(kHead, most, 1),
                     std::min(length, bytes_.size() - kHead));
    }

    void put_in_sections() {
        const std::size_t size = random_.pick<std::size_t>({4, 8});
        for (std::int64_t i = random_.pick({1, 1, 4, 50}); i > 0; --i)
            put(somewhere(kHead, bytes_.size(), 4), random_.chance(0.5) ? odd_number() : odd_real(size), size);
    }

    std::string &bytes_;
    Random &random_;
};

void search(const bmo_dataset *dataset, const bmo_dataset_info &info, Random &random) {
    Settings settings;
    settings.metric.id =
        info.metric != 0 ? info.metric : static_cast<std::int32_t>(random.between(std::int64_t{1}, std::int64_t{6}));
    settings.metric.p = 3;
    settings.method =
        random.pick<std::int32_t>({BMO_METHOD_BANDIT, BMO_METHOD_EXACT, BMO_METHOD_AUTO, BMO_METHOD_UNIFORM});
    settings.bandit = info.box > BMO_BOX_SPARSE_UNION ? 0 : static_cast<std::int32_t>(random.below(5));
    settings.delta = random.pick({1e-6, 0.1});
    settings.seed = info.seed;
    settings.threads = random.pick({1, 1, 1, 3});
    bmo_query *query = nullptr;
    const bmo_status created = bmo_query_create(&query, dataset, make_config(settings).get(), nullptr);
    const QueryHandle handle(query);
    if (created != BMO_OK)
        return check(created, "bmo_query_create");
    const std::int64_t k = random.between(std::int64_t{1}, std::min<std::int64_t>(info.n - 1, 9));
    std::vector<std::int64_t> index(static_cast<std::size_t>(k), -1), rows = {random.below(info.n)};
    std::vector<double> dist(static_cast<std::size_t>(k));
    bmo_output out = sized<bmo_output>();
    out.index = index.data();
    out.distance = dist.data();
    out.capacity = k;
    const bmo_status status = bmo_query_knn_rows(query, rows.data(), 1, k, &out, nullptr, nullptr);
    check(status, "bmo_query_knn_rows");
    for (std::size_t i = 0; status == BMO_OK && i < index.size(); ++i)
        if (index[i] < 0 || index[i] >= info.n || std::isnan(dist[i]))
            find("an answer is none", "");
}

void cluster(const bmo_dataset *dataset, const bmo_dataset_info &info, Random &random) {
    Settings settings;
    settings.seed = info.seed;
    settings.method = random.pick<std::int32_t>({BMO_METHOD_AUTO, BMO_METHOD_AUTO, BMO_METHOD_EXACT});
    bmo_query *query = nullptr;
    const bmo_status created = bmo_query_create(&query, dataset, make_config(settings).get(), nullptr);
    const QueryHandle handle(query);
    if (created != BMO_OK)
        return check(created, "bmo_query_create");
    std::vector<std::int32_t> labels(static_cast<std::size_t>(info.n), -1);
    bmo_kmeans run = sized<bmo_kmeans>();
    run.k = random.between(std::int64_t{1}, std::min<std::int64_t>(info.n, 12));
    run.init = random.pick<std::int32_t>({BMO_INIT_PLUSPLUS, BMO_INIT_RANDOM});
    run.max_iter = 20;
    run.labels = labels.data();
    const bmo_status status = bmo_query_kmeans(query, &run, nullptr, nullptr);
    check(status, "bmo_query_kmeans");
    for (std::size_t i = 0; status == BMO_OK && i < labels.size(); ++i)
        if (labels[i] < 0 || labels[i] >= run.k)
            find("a label is none", "");
    bmo_medoid medoid = sized<bmo_medoid>();
    const bmo_status found = bmo_query_medoid(query, &medoid, nullptr, nullptr);
    check(found, "bmo_query_medoid");
    if (found == BMO_OK && (medoid.index < 0 || medoid.index >= info.n))
        find("a medoid is none", "");
}

void save_again(const bmo_dataset *dataset) {
    const std::string path = scratch_path();
    const bmo_status status = bmo_dataset_save(dataset, path.c_str(), nullptr);
    check(status, "bmo_dataset_save");
    bmo_dataset *again = nullptr;
    if (status == BMO_OK)
        check(bmo_dataset_open(&again, path.c_str(), BMO_BORROW, nullptr), "bmo_dataset_open");
    bmo_dataset_free(again);
    unlink(path.c_str());
}

void use(const bmo_dataset *dataset, Random &random) {
    bmo_dataset_info info = sized<bmo_dataset_info>();
    check(bmo_dataset_describe(dataset, &info), "bmo_dataset_describe");
    if (info.n < 2 || info.n > kMostValues / info.d)
        return;
    ++progress().succeeded;
    std::vector<double> row(static_cast<std::size_t>(info.d));
    for (std::int64_t i = 0; i < info.n; ++i)
        check(bmo_dataset_copy_rows(dataset, &i, 1, row.data()), "bmo_dataset_copy_rows");
    for (int i = 0; i < 6; ++i)
        search(dataset, info, random);
    if (info.n * info.d <= kMostValues / 16)
        cluster(dataset, info, random);
    if (random.chance(0.2))
        save_again(dataset);
}

// Made once, before there are children.
const std::vector<std::string> &files_to_change() {
    static const std::vector<std::string> files = [] {
        std::vector<std::string> all;
        for (const Kind &kind : kKinds)
            all.push_back(saved(kind));
        return all;
    }();
    return files;
}

void run_mutant(std::uint64_t seed) {
    const std::vector<std::string> &files = files_to_change();
    Random random(seed);
    std::string bytes = files[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(files.size())))];
    Mutation mutation(bytes, random);
    for (std::int64_t i = random.pick({1, 1, 1, 2, 3}); i > 0; --i)
        mutation.change();
    const MemoryFile file(sealed(std::move(bytes)));
    for (const std::uint32_t flags : {BMO_COPY, BMO_BORROW}) {
        bmo_dataset *dataset = nullptr;
        const bmo_status status = bmo_dataset_open(&dataset, file.path().c_str(), flags, nullptr);
        const DatasetHandle handle(dataset);
        check(status, "bmo_dataset_open");
        if (status == BMO_OK)
            use(dataset, random);
    }
}

} // namespace

int main(int argc, char **argv) {
    files_to_change();
    const std::uint64_t mutants = run_rounds(kRounds, argc, argv);
    std::printf("%llu mutants, %llu of them opened (copied and mapped counted apart), %llu findings\n",
                static_cast<unsigned long long>(mutants), static_cast<unsigned long long>(progress().succeeded),
                static_cast<unsigned long long>(progress().findings));
    return progress().findings == 0 ? 0 : 1;
}
