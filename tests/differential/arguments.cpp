#include "arguments.hpp"

#include <cmath>
#include <limits>

namespace {

std::int32_t no_progress(void *, const bmo_progress *) {
    return 0;
}

std::int32_t stop_at_once(void *, const bmo_progress *) {
    return 7;
}

constexpr std::size_t size_of(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_U8:
    case BMO_I8: return 1;
    case BMO_I16:
    case BMO_U16:
    case BMO_F16:
    case BMO_BF16: return 2;
    case BMO_F32:
    case BMO_I32:
    case BMO_U32: return 4;
    default: return 8;
    }
}

template <class T>
void store(unsigned char *at, T value) {
    std::memcpy(at, &value, sizeof value);
}

// A whole number from 0 to 199. Those of 16 bits are its pattern, which is a small number, too.
void put(unsigned char *at, bmo_dtype dtype, std::int64_t value) {
    switch (dtype) {
    case BMO_F32: return store(at, static_cast<float>(value));
    case BMO_F64: return store(at, static_cast<double>(value));
    default: std::memcpy(at, &value, size_of(dtype)); // the lowest byte comes first
    }
}

} // namespace

Arguments::Arguments(std::uint64_t seed) : random_(seed) {
    for (auto &buffer : buffers_)
        buffer = std::make_unique<Guarded>(kMostBytes);
}

bool Arguments::are_intact() const {
    return std::all_of(buffers_.begin(), buffers_.begin() + static_cast<std::ptrdiff_t>(next_buffer_),
                       [](const auto &buffer) { return buffer->is_intact() && buffer->is_kept(); });
}

std::int64_t Arguments::odd() {
    const std::int64_t near = random_.between(std::int64_t{-2}, std::int64_t{2});
    switch (random_.below(5)) {
    case 0: return near;
    case 1: return std::numeric_limits<std::int64_t>::max() - random_.below(3);
    case 2: return std::numeric_limits<std::int64_t>::min() + random_.below(3);
    case 3: return (std::int64_t{1} << random_.below(62)) + near;
    default: return -(std::int64_t{1} << random_.below(62));
    }
}

// Out of range for sure, as sizes that must be refused before anything is read.
std::int64_t Arguments::refused_size() {
    return random_.pick<std::int64_t>({-1, -7, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 31,
                                       std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()});
}

bmo_dtype Arguments::some_dtype() {
    return static_cast<bmo_dtype>(random_.between(std::int64_t{BMO_F32}, std::int64_t{BMO_BF16}));
}

bmo_monitor *Arguments::monitor() {
    if (random_.chance(0.6))
        return nullptr;
    bmo_monitor made = sized<bmo_monitor>();
    made.interval_ms = random_.chance(0.8) ? 1 : odd32();
    made.progress = random_.pick<bmo_progress_fn>({nullptr, no_progress, no_progress, stop_at_once});
    bmo_cancel *token = nullptr;
    if (random_.chance(0.3) && bmo_cancel_create(&token) == BMO_OK) {
        token_.reset(token);
        if (random_.chance(0.3))
            bmo_cancel_request(token);
        made.cancel = token;
    }
    return placed(made);
}

const void *Arguments::values(bmo_dtype dtype, std::int64_t count, std::int64_t below) {
    Guarded &at = buffer();
    auto *bytes = at.place_array<unsigned char>(static_cast<std::size_t>(count) * size_of(dtype));
    for (std::int64_t i = 0; i < count; ++i)
        put(bytes + static_cast<std::size_t>(i) * size_of(dtype), dtype, random_.below(below));
    at.keep();
    return bytes;
}

const std::int64_t *Arguments::row_numbers(std::int64_t count, std::int64_t n) {
    auto *rows = buffer().place_array<std::int64_t>(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        rows[i] = random_.chance(0.9) ? random_.below(std::max<std::int64_t>(1, n)) : odd();
    keep_last();
    return rows;
}

bmo_dense Arguments::dense(std::int64_t n, std::int64_t d) {
    bmo_dense made = sized<bmo_dense>();
    made.dtype = some_dtype();
    made.n = n;
    made.d = d;
    const std::int64_t inner = random_.between(std::int64_t{1}, std::int64_t{3});
    const bool columns = random_.chance(0.3), plain = random_.chance(0.4);
    made.coord_stride = plain ? 0 : columns ? n : inner;
    made.point_stride = plain ? 0 : columns ? 1 : d * inner;
    made.data =
        values(made.dtype,
               plain || columns ? n * d : std::max<std::int64_t>(0, (n - 1) * d * inner + (d - 1) * inner + 1), 200);
    if (n == 0 && random_.chance(0.5))
        made.data = nullptr;
    if (random_.chance(0.6))
        return made;
    switch (random_.below(6)) {
    case 0: made.dtype = random_.pick<bmo_dtype>({0, -1, BMO_BF16 + 1, 99}); break;
    case 1: made.n = refused_size(); break;
    case 2: made.d = random_.chance(0.5) ? 0 : refused_size(); break;
    case 3: made.data = n > 0 ? nullptr : made.data; break;
    case 4: made.point_stride = -random_.between(std::int64_t{1}, std::int64_t{9}); break;
    default: made.coord_stride = std::numeric_limits<std::int64_t>::min(); break;
    }
    return made;
}

bmo_sparse Arguments::sparse(std::int64_t n, std::int64_t d) {
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

const void *Arguments::pointers(const bmo_sparse &made, std::int64_t lines) {
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

const void *Arguments::indices(const bmo_sparse &made, std::int64_t length) {
    std::vector<std::int64_t> at(static_cast<std::size_t>(made.nnz));
    for (std::int64_t &index : at)
        index = random_.below(length);
    if (made.nnz > 0 && random_.chance(0.1))
        at[static_cast<std::size_t>(random_.below(made.nnz))] = random_.chance(0.5) ? length : odd();
    return positions(made.index_dtype, at, made.index_base);
}

const void *Arguments::positions(bmo_dtype dtype, const std::vector<std::int64_t> &from, std::int64_t base) {
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

bmo_output *Arguments::output(std::int64_t queries, std::int64_t k) {
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
    out.done = random_.chance(0.5) ? nullptr : buffer().place_array<std::uint8_t>(static_cast<std::size_t>(queries));
    out.row_stats =
        random_.chance(0.5) ? nullptr : buffer().place_array<bmo_row_stats>(static_cast<std::size_t>(queries));
    out.limits = random_.chance(0.6) ? nullptr : limits(queries);
    return placed(out);
}

// Distances of the points lie about 0 to 2000.
const bmo_limits *Arguments::limits(std::int64_t queries) {
    bmo_limits made = sized<bmo_limits>();
    made.reserved = rarely() ? 1 : 0;
    made.max_distance_count = random_.chance(0.5) ? 1 : queries;
    auto *distances = buffer().place_array<double>(static_cast<std::size_t>(made.max_distance_count));
    for (std::int64_t i = 0; i < made.max_distance_count; ++i)
        distances[i] = random_.chance(0.8) ? static_cast<double>(random_.below(2000))
                                           : random_.pick({0.0, -1.0, 1e-320, 1e300, HUGE_VAL, -HUGE_VAL});
    if (rarely() && made.max_distance_count > 0)
        distances[0] = std::nan("");
    keep_last();
    made.max_distance = rarely() ? nullptr : distances;
    if (rarely())
        made.max_distance_count = odd() | 64; // of no round's queries
    if (random_.chance(0.3)) {
        made.query_labels = labels(queries);
        made.query_label_count = rarely() ? odd() : queries;
    }
    made.max_pairs = random_.chance(0.8) ? 0 : random_.chance(0.5) ? random_.below(20) : odd();
    return placed(made);
}

const std::int32_t *Arguments::labels(std::int64_t count) {
    auto *made = buffer().place_array<std::int32_t>(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        made[i] = static_cast<std::int32_t>(random_.below(4));
    keep_last();
    return made;
}

const char *Arguments::text(const std::string &text) {
    if (rarely())
        return nullptr;
    Guarded &at = buffer();
    auto *place = static_cast<char *>(at.place(text.size() + 1));
    std::memcpy(place, text.c_str(), text.size() + 1);
    at.keep();
    return place;
}

std::string Arguments::some_word() {
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
