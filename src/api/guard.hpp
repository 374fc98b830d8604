// The border between exceptions and statuses: no exception leaves a function of the ABI.
#pragma once

#include <pthread.h>
#include <string_view>

#include "bmo.h"
#include "util/failure.hpp"
#include "util/throwing.hpp"

namespace bmo {

// Within a catch clause: keeps the exception as this thread's last error and returns its status. A thread's first error
// takes memory; if there is none, that is its error.
bmo_status record_failure() noexcept;

// Keeps BMO_ENOMEM as this thread's last error and returns it.
bmo_status record_no_memory() noexcept;

// A thread that is to be canceled is so after the call: its unwinding cannot pass through a function of C.
class Uncancelable {
public:
    Uncancelable() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~Uncancelable() { pthread_setcancelstate(before_, nullptr); }
    Uncancelable(const Uncancelable &) = delete;
    Uncancelable &operator=(const Uncancelable &) = delete;

private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

template <class Call>
bmo_status guard(const Call &call) noexcept {
    const Uncancelable until_the_end;
    if (!can_throw())
        return record_no_memory();
    try {
        call();
        return BMO_OK;
    } catch (...) {
        return record_failure();
    }
}

inline void require(const void *pointer, std::string_view argument) {
    if (!pointer)
        fail(BMO_EINVAL, argument, text(Word{argument}, " is NULL"));
}

inline void require_path(const char *path) {
    require(path, "path");
    if (!*path)
        fail(BMO_EINVAL, "path", "path is empty; expected the name of a file");
}

} // namespace bmo
