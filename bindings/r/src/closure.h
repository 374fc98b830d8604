// A function of R that the library calls back.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "library.h"

namespace rbmo {

// R leaves by a jump where its function fails or is interrupted. Here the jump is stopped, so that the library's frames
// end in order, and goes on when the call has returned.
class Closure {
public:
    explicit Closure(SEXP function) : function_(function) {}

    SEXP function() const { return function_; }

    // 0, or 1 where R or the step stopped it: what a callback returns. The step may use R's C interface alone, for no
    // exception may pass through R; it says what is wrong with a result, or "".
    int32_t run(const std::function<std::string()> &step) noexcept;

    // Goes on with what stopped R, or refuses the result that a step found wrong.
    void resume() const;

private:
    SEXP function_;
    std::exception_ptr stopped_;
    std::string wrong_;
};

// The metric custom: function(a, b, j) gives the coordinate distances of coordinates j, from 1.
void set_metric(bmo_config &config, Closure &closure);

} // namespace rbmo
