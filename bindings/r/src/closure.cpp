#include "closure.h"

#include <algorithm>

namespace rbmo {
namespace {

SEXP copy_of(const double *values, int64_t count) {
    SEXP vector = Rf_allocVector(REALSXP, static_cast<R_xlen_t>(count));
    std::copy_n(values, count, REAL(vector));
    return vector;
}

SEXP numbers_from_one(const int64_t *numbers, int64_t count) {
    SEXP vector = Rf_allocVector(REALSXP, static_cast<R_xlen_t>(count));
    std::transform(numbers, numbers + count, REAL(vector),
                   [](int64_t number) { return static_cast<double>(number) + 1; });
    return vector;
}

// Copies so many numbers of an R value; else what is wrong with it.
std::string read_numbers(SEXP value, int64_t count, double *out) {
    const bool numbers = (Rf_isNumeric(value) || Rf_isLogical(value)) && !Rf_isFactor(value);
    if (!numbers || Rf_xlength(value) != count)
        return "gave " + std::to_string(Rf_xlength(value)) + " of type " + Rf_type2char(TYPEOF(value)) + "; expected " +
               std::to_string(count) + " numbers";
    SEXP real = PROTECT(Rf_coerceVector(value, REALSXP));
    std::copy_n(REAL(real), count, out);
    UNPROTECT(1);
    return "";
}

int32_t coordinate_distances(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                             double *out) {
    auto *closure = static_cast<Closure *>(ctx);
    return closure->run([&] {
        SEXP left = PROTECT(copy_of(a, count));
        SEXP right = PROTECT(copy_of(b, count));
        SEXP numbers = PROTECT(numbers_from_one(coord, count));
        SEXP call = PROTECT(Rf_lang4(closure->function(), left, right, numbers));
        SEXP distances = PROTECT(Rf_eval(call, R_GlobalEnv));
        std::string wrong = read_numbers(distances, count, out);
        UNPROTECT(5);
        return wrong.empty() ? wrong : "metric " + wrong + ", one for each coordinate";
    });
}

} // namespace

int32_t Closure::run(const std::function<std::string()> &step) noexcept {
    try {
        Rcpp::unwindProtect([&] {
            wrong_ = step();
            return R_NilValue;
        });
        return wrong_.empty() ? 0 : 1;
    } catch (...) {
        stopped_ = std::current_exception();
        return 1;
    }
}

void Closure::resume() const {
    if (stopped_)
        std::rethrow_exception(stopped_);
    if (!wrong_.empty())
        refuse(BMO_ECALLBACK, "metric", -1, -1, wrong_.c_str());
}

void set_metric(bmo_config &config, Closure &closure) {
    bmo_owner owner{};
    owner.struct_size = sizeof owner;
    owner.ctx = &closure;
    check(bmo_config_set_rho(&config, coordinate_distances, 0, &owner));
}

} // namespace rbmo
