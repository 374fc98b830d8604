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

// The failure that a step ends with; of status BMO_OK where it succeeds.
template <class Step>
bmo::Failure failure_of(const Step &step) {
    try {
        step();
    } catch (const bmo::Failure &failure) {
        return failure;
    }
    bmo::Failure none;
    none.status = BMO_OK;
    return none;
}
