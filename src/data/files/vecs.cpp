#include "data/files/vecs.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "data/files/ending.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr TypedEnding endings[] = {{".fvecs", BMO_F32}, {".bvecs", BMO_U8}, {".ivecs", BMO_I32}};

std::int64_t length_of(std::string_view bytes) {
    std::int32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    return length;
}

// The length of the next vector, which stays to be read; 0 at the end.
std::int64_t next_length(Source &source) {
    const std::string_view bytes = source.peek(sizeof(std::int32_t));
    if (bytes.empty())
        return 0;
    if (bytes.size() < sizeof(std::int32_t))
        fail(BMO_EFORMAT, "path", text(source.path(), ": the file ends within the length of a vector"));
    const std::int64_t length = length_of(bytes);
    if (length < 1)
        fail(BMO_EFORMAT, "path", text(source.path(), ": a vector has length ", length, "; expected 1 or more"));
    if (length > source.most())
        fail(BMO_EFORMAT, "path",
             text(source.path(), ": a vector has length ", length, ", but at most ", source.most(),
                  " bytes follow; the file seems to be cut short"));
    return length;
}

template <class T>
std::shared_ptr<const Dataset> read_typed(Source &source, bmo_dtype dtype, Watch &watch) {
    const std::int64_t d = next_length(source);
    if (d == 0)
        fail(BMO_EFORMAT, "path", text(source.path(), ": the file is empty"));
    const std::int64_t record =
        static_cast<std::int64_t>(sizeof(std::int32_t)) + d * static_cast<std::int64_t>(sizeof(T));
    auto values = std::make_shared<std::vector<T>>();
    std::vector<char> bytes;
    std::int64_t n = 0;
    watch.begin(BMO_PHASE_READ, source.most());
    for (std::int64_t length = d; length != 0; length = next_length(source), ++n) {
        if (length != d)
            fail(BMO_EFORMAT, "path",
                 text(source.path(), ": vector ", Position{n}, kCountedFrom0, " has length ", length, "; expected ", d,
                      " as those before"));
        if (record > source.most())
            fail(BMO_EFORMAT, "path",
                 text(source.path(), ": the file ends within vector ", Position{n}, kCountedFrom0));
        bytes.resize(static_cast<std::size_t>(record));
        source.read_all(bytes.data(), record, watch);
        values->resize(values->size() + static_cast<std::size_t>(d));
        std::memcpy(values->data() + n * d, bytes.data() + sizeof(std::int32_t),
                    static_cast<std::size_t>(d) * sizeof(T));
    }
    watch.finish();
    const DenseView points = row_major(dtype, values->data(), n, d);
    return adopt_dense(points, std::move(values), watch);
}

} // namespace

bool is_vecs(std::string_view path) {
    return ending_of(path, endings) != nullptr;
}

std::shared_ptr<const Dataset> read_vecs(Source &source, bool, Watch &watch) {
    switch (ending_of(source.path(), endings)->dtype) {
    case BMO_F32: return read_typed<float>(source, BMO_F32, watch);
    case BMO_U8: return read_typed<std::uint8_t>(source, BMO_U8, watch);
    default: return read_typed<std::int32_t>(source, BMO_I32, watch);
    }
}

} // namespace bmo
