#include "search/bmo_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "boxes/dense/weights.hpp"
#include "data/boxes.hpp"
#include "data/files/npz.hpp"
#include "data/files/sections.hpp"
#include "data/sparse_input.hpp"
#include "search/box_table.hpp"
#include "util/checked.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

// The section `meta`.
struct Meta {
    std::int32_t kind = 0, dtype = 0, pointer_dtype = 0, box = 0, metric = 0, reserved = 0;
    std::int64_t n = 0, d = 0, nnz = 0, seed = 0, more = 0;
};
static_assert(sizeof(Meta) == 64);

Meta meta_of(const Dataset &data) {
    Meta meta;
    meta.kind = static_cast<std::int32_t>(data.kind);
    meta.dtype = data.points().dtype();
    meta.pointer_dtype = data.kind == Kind::sparse ? data.sparse.pointer_dtype : 0;
    meta.n = data.n();
    meta.d = data.d();
    meta.nnz = data.nnz();
    if (!data.prepared)
        return meta;
    meta.box = static_cast<std::int32_t>(data.prepared->box);
    meta.metric = static_cast<std::int32_t>(data.prepared->metric);
    meta.seed = data.prepared->seed;
    return meta;
}

SectionSource dense_section(const DenseView &points, Watch &watch) {
    const std::int64_t bytes = points.n * points.d * static_cast<std::int64_t>(dtype_size(points.dtype));
    if (points.coord_stride == 1 && (points.point_stride == points.d || points.n <= 1))
        return {SectionKind::dense_values, points.data, bytes, nullptr};
    const std::shared_ptr<const Dataset> copy = make_dense(points, false, nullptr, watch);
    return {SectionKind::dense_values, copy->dense.data, bytes, copy->memory};
}

void add_sparse(const SparseView &points, std::vector<SectionSource> &sections) {
    if (points.n == 0) {
        sections.push_back(SectionSource::of(SectionKind::sparse_pointers, std::vector<std::int64_t>{0}));
        return;
    }
    const auto pointer_size = static_cast<std::int64_t>(dtype_size(points.pointer_dtype));
    const auto value_size = static_cast<std::int64_t>(dtype_size(points.dtype));
    sections.push_back({SectionKind::sparse_pointers, points.pointers, (points.n + 1) * pointer_size, nullptr});
    sections.push_back({SectionKind::sparse_indices, points.indices,
                        points.nnz() * static_cast<std::int64_t>(sizeof(std::int32_t)), nullptr});
    sections.push_back({SectionKind::sparse_values, points.values, points.nnz() * value_size, nullptr});
}

std::shared_ptr<const Dataset> restore_dense_points(const Sections &sections, const Meta &meta, Watch &watch) {
    const std::size_t size = dtype_size(meta.dtype);
    std::int64_t values;
    if (!is_stored(meta.dtype) || __builtin_mul_overflow(meta.n, meta.d, &values) ||
        sections.bytes(SectionKind::dense_values) / static_cast<std::int64_t>(size) != values ||
        sections.bytes(SectionKind::dense_values) % static_cast<std::int64_t>(size) != 0)
        sections.fail_format(text("its points are not ", meta.n, " times ", meta.d, "; the file is damaged"));
    const Memory memory = sections.memory(SectionKind::dense_values);
    return adopt_dense(row_major(meta.dtype, memory.get(), meta.n, meta.d), memory, watch);
}

std::shared_ptr<const Dataset> restore_sparse_points(const Sections &sections, const Meta &meta, Watch &watch) {
    if ((meta.dtype != BMO_F32 && meta.dtype != BMO_F64) ||
        (meta.pointer_dtype != BMO_I32 && meta.pointer_dtype != BMO_I64) || meta.nnz < 0)
        sections.fail_format("its points have types that sparse points do not; the file is damaged");
    SparseInput input;
    input.pointer_dtype = meta.n == 0 ? BMO_I64 : meta.pointer_dtype;
    input.value_dtype = meta.dtype;
    input.n = meta.n;
    input.d = meta.d;
    input.nnz = meta.nnz;
    struct Arrays {
        Memory pointers, indices, values;
    };
    const auto arrays = std::make_shared<Arrays>();
    const auto take = [&](SectionKind kind, std::int64_t count, bmo_dtype dtype, Memory &array) {
        if (count == 0)
            return static_cast<const void *>(nullptr);
        const void *from = dtype_size(dtype) == 4
                               ? static_cast<const void *>(sections.values<std::int32_t>(kind, count))
                               : sections.values<std::int64_t>(kind, count);
        array = sections.memory(kind);
        return from;
    };
    input.pointers = take(SectionKind::sparse_pointers, meta.n + 1, input.pointer_dtype, arrays->pointers);
    input.indices = take(SectionKind::sparse_indices, meta.nnz, BMO_I32, arrays->indices);
    input.values = take(SectionKind::sparse_values, meta.nnz, meta.dtype, arrays->values);
    return make_sparse(input, true, arrays, "path", watch);
}

Settings settings_of(const Sections &sections, const Meta &meta) {
    Settings settings;
    settings.box = meta.box;
    settings.metric = meta.metric;
    settings.seed = meta.seed;
    if (sections.has(SectionKind::weights)) {
        const auto *weights = sections.values<double>(SectionKind::weights, meta.d);
        check_weights({weights, static_cast<std::size_t>(meta.d)});
        settings.weights = std::make_shared<const std::vector<double>>(weights, weights + meta.d);
    }
    return settings;
}

Meta read_meta(const Sections &sections) {
    const Meta meta = *sections.values<Meta>(SectionKind::meta, 1);
    const bool dense = meta.kind == static_cast<std::int32_t>(Kind::dense);
    if ((!dense && meta.kind != static_cast<std::int32_t>(Kind::sparse)) || meta.n < 0 || meta.n > kLargestSide ||
        meta.d < 1 || meta.d > kLargestSide)
        sections.fail_format("what it says of its points is out of range; the file is damaged");
    const bool fits = box_traits(meta.box).of_sparse_points != dense;
    if (meta.box != BMO_BOX_AUTO && !(fits && is_box(meta.box)))
        fail(BMO_EVERSION, "path",
             text(sections.path(), ": the file was prepared for a box that this library does not know"));
    return meta;
}

std::shared_ptr<const Dataset> restore(const Sections &sections, Watch &watch) {
    const Meta meta = read_meta(sections);
    const bool dense = meta.kind == static_cast<std::int32_t>(Kind::dense);
    auto data = std::make_shared<Dataset>(dense ? *restore_dense_points(sections, meta, watch)
                                                : *restore_sparse_points(sections, meta, watch));
    const std::uint64_t bytes = std::exchange(data->bytes_owned, 0) + std::exchange(data->bytes_borrowed, 0);
    if (sections.mapped())
        data->bytes_borrowed = static_cast<std::uint64_t>(sections.file_bytes());
    else
        data->bytes_owned = bytes;
    if (meta.box == BMO_BOX_AUTO)
        return data;
    const BoxEntry &entry = box_entry(meta.box);
    const Settings settings = settings_of(sections, meta);
    data->prepared =
        entry.restore ? entry.restore(*data, settings, sections, watch) : entry.prepare(*data, settings, 1, watch);
    return data;
}

// Whatever is wrong with the content is wrong with the file.
std::shared_ptr<const Dataset> read_saved(const std::string &path, bool borrow, Watch &watch) {
    const Sections sections(path, borrow, watch);
    try {
        return restore(sections, watch);
    } catch (const Failure &failure) {
        const bmo_status of_content[] = {BMO_EINVAL, BMO_ENONFINITE, BMO_EOVERFLOW, BMO_EUNSUPPORTED};
        if (std::ranges::find(of_content, failure.status) != std::end(of_content))
            sections.fail_format(failure.message + "; the file is damaged");
        throw;
    }
}

} // namespace

void save_dataset(const Dataset &data, const std::string &path, Watch &watch) {
    std::vector<SectionSource> sections = {SectionSource::of(SectionKind::meta, std::vector<Meta>{meta_of(data)})};
    if (data.kind == Kind::dense)
        sections.push_back(dense_section(data.dense, watch));
    else
        add_sparse(data.sparse, sections);
    if (data.prepared) {
        if (data.prepared->weights)
            sections.push_back(SectionSource::of(SectionKind::weights, *data.prepared->weights));
        for (SectionSource &section : data.prepared->sections())
            sections.push_back(std::move(section));
    }
    write_sections(path, sections, watch);
}

std::shared_ptr<const Dataset> open_any_dataset(const std::string &path, bool borrow, Watch &watch) {
    return has_sections(npz_path(path).file) ? read_saved(path, borrow, watch) : open_dataset(path, borrow, watch);
}

} // namespace bmo
