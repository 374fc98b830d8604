// The library as a whole: version, instruction set, threads.
#include "api/guard.hpp"
#include "simd/kernels.hpp"
#include "util/parallel.hpp"

#define BMO_TEXT_OF(number) #number
#define BMO_DOTTED(major, minor, patch) BMO_TEXT_OF(major) "." BMO_TEXT_OF(minor) "." BMO_TEXT_OF(patch)

static_assert(sizeof(std::size_t) == 8 && sizeof(void *) == 8,
              "libbmo is for 64-bit systems: sizes of 64 bits are used as sizes of memory");

int32_t bmo_version(void) {
    return 1000000 * BMO_VERSION_MAJOR + 1000 * BMO_VERSION_MINOR + BMO_VERSION_PATCH;
}

const char *bmo_version_string(void) {
    return BMO_DOTTED(BMO_VERSION_MAJOR, BMO_VERSION_MINOR, BMO_VERSION_PATCH);
}

const char *bmo_isa(void) {
    return bmo::isa_name();
}

int32_t bmo_threads_available(void) {
    const bmo::Uncancelable until_the_end;
    if (!bmo::can_throw())
        return 1;
    try {
        return bmo::threads_available();
    } catch (...) { // no memory to read the quota
        return 1;
    }
}
