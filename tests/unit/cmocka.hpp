// cmocka for C++, and the check that a step is refused.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include <cmocka.h>
}
#undef fail

#include "util/failure.hpp"

// The failure that a step ends with, its message without marks; of status BMO_OK if it succeeds.
template <class Step>
bmo::Failure failure_of(const Step &step) {
    try {
        step();
    } catch (bmo::Failure &failure) {
        std::erase_if(failure.message, bmo::is_mark);
        return failure;
    }
    bmo::Failure none;
    none.status = BMO_OK;
    return none;
}
