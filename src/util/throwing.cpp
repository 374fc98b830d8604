#include "util/throwing.hpp"

#include <cstdlib>
#include <exception>

namespace bmo {
namespace {

BMO_THREAD_LOCAL bool ready = false;

} // namespace

bool can_throw() noexcept {
    if (ready)
        return true;
    // Room for those data is asked for in a way that may fail, and then left to them.
    constexpr std::size_t more_than_enough = 4096;
    void *const room = std::malloc(more_than_enough);
    if (!room)
        return false;
    std::free(room);
    [[maybe_unused]] const volatile int used = std::uncaught_exceptions();
    ready = true;
    return true;
}

} // namespace bmo
