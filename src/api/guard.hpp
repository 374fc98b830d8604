// The border between exceptions and statuses: no exception leaves a function of the ABI.
#pragma once

#include <string_view>

#include "bmo.h"
#include "util/failure.hpp"

namespace bmo {

// Within a catch clause: keeps the exception as this thread's last error and returns its status. Allocates nothing.
bmo_status record_failure() noexcept;

template <class Call>
bmo_status guard(const Call &call) noexcept {
    try {
        call();
        return BMO_OK;
    } catch (...) {
        return record_failure();
    }
}

inline void require(const void *pointer, std::string_view argument) {
    if (!pointer)
        fail(BMO_EINVAL, argument, text(argument, " is NULL"));
}

inline void require_path(const char *path) {
    require(path, "path");
    if (!*path)
        fail(BMO_EINVAL, "path", "path is empty; expected the name of a file");
}

} // namespace bmo
