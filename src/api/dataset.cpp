// bmo_dataset: points, and what was prepared for searching them.
#include <algorithm>
#include <string>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/owner.hpp"
#include "api/points.hpp"
#include "api/structs.hpp"
#include "data/transposed.hpp"
#include "search/bmo_file.hpp"
#include "search/preparation.hpp"
#include "search/subset.hpp"
#include "util/checked.hpp"

namespace bmo {

namespace {

bool is_borrow(std::uint32_t flags) {
    if (flags != BMO_COPY && flags != BMO_BORROW)
        refuse("flags", flags, "BMO_COPY or BMO_BORROW");
    return flags == BMO_BORROW;
}

struct OpenFlags {
    bool borrow, transpose;
};

OpenFlags open_flags(std::uint32_t flags) {
    if (flags > (BMO_BORROW | BMO_TRANSPOSE))
        refuse("flags", flags, "BMO_COPY or BMO_BORROW, and BMO_TRANSPOSE or not: 0 to 3");
    return {(flags & BMO_BORROW) != 0, (flags & BMO_TRANSPOSE) != 0};
}

bmo_dataset_info describe(const Dataset &data) {
    bmo_dataset_info info{};
    info.kind = static_cast<std::int32_t>(data.kind);
    info.dtype = data.points().dtype();
    info.n = data.n();
    info.d = data.d();
    info.nnz = data.nnz();
    info.bytes_owned = data.bytes_owned;
    info.bytes_borrowed = data.bytes_borrowed;
    if (!data.prepared)
        return info;
    info.box = static_cast<std::int32_t>(data.prepared->box);
    info.metric = static_cast<std::int32_t>(data.prepared->metric);
    info.seed = data.prepared->seed;
    info.bytes_owned += data.prepared->bytes;
    info.prepare_ns = data.prepared->prepare_ns;
    return info;
}

// If a path has characters that are marks in messages, messages about it have none.
template <class Work>
void without_marks_of(const std::string &path, const Work &work) {
    try {
        work();
    } catch (Failure &failure) {
        if (std::ranges::any_of(path, is_mark))
            std::ranges::replace_if(failure.message, is_mark, '?');
        throw;
    }
}

} // namespace

} // namespace bmo

bmo_status bmo_dataset_dense(bmo_dataset **out, const bmo_dense *data, uint32_t flags, const bmo_owner *owner,
                             const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        const bmo::DenseView view = bmo::view_of(data, "data");
        const bool borrow = bmo::is_borrow(flags);
        const auto release = std::make_shared<bmo::Release>(owner);
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_dataset{bmo::make_dense(view, borrow, release, watch)};
        release->arm();
    });
}

bmo_status bmo_dataset_sparse(bmo_dataset **out, const bmo_sparse *data, uint32_t flags, const bmo_owner *owner,
                              const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        const bmo::SparseInput input = bmo::input_of(data, "data");
        const bool borrow = bmo::is_borrow(flags);
        const auto release = std::make_shared<bmo::Release>(owner);
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_dataset{bmo::make_sparse(input, borrow, release, "data", watch)};
        release->arm();
    });
}

bmo_status bmo_dataset_open(bmo_dataset **out, const char *path, uint32_t flags, const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require_path(path);
        const bmo::OpenFlags how = bmo::open_flags(flags);
        bmo::Watch watch = bmo::watch_of(monitor);
        const std::string name = path;
        bmo::without_marks_of(name, [&] {
            std::shared_ptr<const bmo::Dataset> data = bmo::open_any_dataset(name, how.borrow, watch);
            if (how.transpose)
                data = bmo::transposed(std::move(data), name, how.borrow, watch);
            *out = new bmo_dataset{std::move(data)};
        });
    });
}

bmo_status bmo_dataset_save(const bmo_dataset *ds, const char *path, const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(ds, "ds");
        bmo::require_path(path);
        bmo::Watch watch = bmo::watch_of(monitor);
        const std::string name = path;
        bmo::without_marks_of(name, [&] { bmo::save_dataset(*ds->data, name, watch); });
    });
}

bmo_status bmo_dataset_prepare(bmo_dataset **out, const bmo_dataset *source, const bmo_config *config,
                               const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(source, "source");
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_dataset{bmo::prepare_dataset(*source->data, bmo::settings_of(config), watch)};
    });
}

bmo_status bmo_dataset_subset(bmo_dataset **out, const bmo_dataset *ds, const int64_t *rows, int64_t nrows,
                              const bmo_monitor *monitor) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        bmo::check_rows(rows, nrows, ds->data->n());
        bmo::check_side(nrows, "nrows", "nrows");
        bmo::checked_mul(bmo::checked_mul(nrows, ds->data->d(), "nrows"), sizeof(double), "nrows");
        bmo::Watch watch = bmo::watch_of(monitor);
        *out = new bmo_dataset{bmo::subset(*ds->data, {rows, static_cast<std::size_t>(nrows)}, watch)};
    });
}

bmo_status bmo_dataset_ref(bmo_dataset **out, const bmo_dataset *ds) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(ds, "ds");
        *out = new bmo_dataset(*ds);
    });
}

void bmo_dataset_free(bmo_dataset *ds) {
    delete ds;
}

bmo_status bmo_dataset_describe(const bmo_dataset *ds, bmo_dataset_info *info) {
    return bmo::guard([&] {
        bmo::require(ds, "ds");
        bmo::check_struct(info, "info");
        bmo::write_struct(info, bmo::describe(*ds->data));
    });
}

bmo_status bmo_dataset_copy_rows(const bmo_dataset *ds, const int64_t *rows, int64_t nrows, double *out) {
    return bmo::guard([&] {
        bmo::require(ds, "ds");
        const bmo::Dataset &data = *ds->data;
        bmo::check_rows(rows, nrows, data.n());
        if (nrows > 0)
            bmo::require(out, "out");
        bmo::checked_mul(bmo::checked_mul(nrows, data.d(), "nrows"), sizeof(double), "nrows");
        for (std::int64_t i = 0; i < nrows; ++i)
            bmo::load_point(data.points(), rows[i], out + i * data.d());
    });
}
