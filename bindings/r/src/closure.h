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
    // argument: what the user knows the function as.
    Closure(SEXP function, const char *argument) : function_(function), argument_(argument) {}

    SEXP function() const { return function_; }

    // 0, or 1 where R or the step stopped it: what a callback returns. The step may use R's C interface alone, for no
    // exception may pass through R; it says what is wrong with a result, or "".
    int32_t run(const std::function<std::string()> &step) noexcept;

    // Goes on with what stopped R, or refuses the result that a step found wrong.
    void resume() const;

private:
    SEXP function_;
    const char *argument_;
    std::exception_ptr stopped_;
    std::string wrong_;
};

// The metric custom: function(a, b, j) gives the coordinate distances of coordinates j, from 1.
void set_metric(bmo_config &config, Closure &closure);

// Arms whose samples and means are values of functions: pull(arms, m) gives m samples of each, a row an arm; exact(arm), which
// may be R's NULL, the mean itself.
struct Arms {
    Arms(SEXP pull_function, SEXP exact_function) : pull(pull_function, "pull"), exact(exact_function, "exact") {}
    Arms(const Arms &) = delete;
    Arms &operator=(const Arms &) = delete;

    bmo_arms c_arms();
    void resume() const {
        pull.resume();
        exact.resume();
    }

    Closure pull, exact;
};

} // namespace rbmo
