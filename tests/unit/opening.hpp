// Files opened as datasets, and what is expected of them.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cmocka.hpp"
#include "data/dataset.hpp"

inline std::shared_ptr<const bmo::Dataset> open_file(const std::string &path, bool borrow = false) {
    bmo::Watch watch;
    return bmo::open_dataset(path, borrow, watch);
}

// The failure of both ways to open a file, which must agree. It names the file.
inline bmo::Failure open_failure(const std::string &path) {
    const bmo::Failure copied = failure_of([&] { open_file(path, false); });
    const bmo::Failure mapped = failure_of([&] { open_file(path, true); });
    assert_int_equal(copied.status, mapped.status);
    assert_string_equal(copied.message.c_str(), mapped.message.c_str());
    if (copied.status != BMO_OK) {
        assert_non_null(strstr(copied.message.c_str(), path.c_str()));
        assert_string_equal(copied.argument.c_str(), "path");
    }
    return copied;
}

inline bmo_status status_of(const std::string &path) {
    return open_failure(path).status;
}

// Row-major, of every point.
inline std::vector<double> values_of(const bmo::Dataset &dataset) {
    std::vector<double> values(static_cast<std::size_t>(dataset.n() * dataset.d()));
    for (std::int64_t i = 0; i < dataset.n(); ++i)
        bmo::load_point(dataset.points(), i, values.data() + i * dataset.d());
    return values;
}

// A file of two points with three coordinates.
inline std::shared_ptr<const bmo::Dataset> expect_two_points(const std::string &path, bool borrow, bmo_dtype dtype,
                                                             const std::vector<double> &values) {
    const auto dataset = open_file(path, borrow);
    assert_int_equal(dataset->n(), 2);
    assert_int_equal(dataset->d(), 3);
    assert_int_equal(dataset->dense.dtype, dtype);
    assert_true(values_of(*dataset) == values);
    return dataset;
}
