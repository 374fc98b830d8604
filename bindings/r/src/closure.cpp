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
        return "gave " + std::to_string(Rf_xlength(value)) + " of type " +
               (Rf_isFactor(value) ? "factor" : Rf_type2char(TYPEOF(value))) + "; expected " + std::to_string(count) +
               (count == 1 ? " number" : " numbers");
    SEXP real = PROTECT(Rf_coerceVector(value, REALSXP));
    std::copy_n(REAL(real), count, out);
    UNPROTECT(1);
    return "";
}

// A matrix of another shape than rows x cols is no answer, though it may hold as many numbers.
std::string wrong_shape(SEXP value, int64_t rows, int64_t cols) {
    if (!Rf_isMatrix(value) || (Rf_nrows(value) == rows && Rf_ncols(value) == cols))
        return "";
    return "gave a " + std::to_string(Rf_nrows(value)) + " x " + std::to_string(Rf_ncols(value)) +
           " matrix; expected " + std::to_string(rows) + " rows and " + std::to_string(cols) + " columns";
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

int32_t pull_samples(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t, double *sum, double *sumsq) {
    Closure &closure = static_cast<Arms *>(ctx)->pull;
    return closure.run([&] {
        SEXP asked = PROTECT(numbers_from_one(arms, count));
        SEXP times = PROTECT(Rf_ScalarReal(static_cast<double>(m)));
        SEXP call = PROTECT(Rf_lang3(closure.function(), asked, times));
        SEXP value = PROTECT(Rf_eval(call, R_GlobalEnv));
        SEXP samples = PROTECT(Rf_allocVector(REALSXP, static_cast<R_xlen_t>(count * m)));
        std::string wrong = wrong_shape(value, count, m);
        if (wrong.empty())
            wrong = read_numbers(value, count * m, REAL(samples));
        for (int64_t i = 0; wrong.empty() && i < count; ++i) {
            sum[i] = sumsq[i] = 0;
            for (int64_t s = 0; s < m; ++s) {
                const double sample = REAL(samples)[s * count + i];
                sum[i] += sample;
                sumsq[i] += sample * sample;
            }
        }
        UNPROTECT(5);
        return wrong.empty()
                   ? wrong
                   : "pull " + wrong + ", " + std::to_string(m) + " for each of " + std::to_string(count) + " arms";
    });
}

int32_t exact_mean(void *ctx, int64_t arm, double *mean) {
    Closure &closure = static_cast<Arms *>(ctx)->exact;
    return closure.run([&] {
        SEXP asked = PROTECT(Rf_ScalarReal(static_cast<double>(arm) + 1));
        SEXP call = PROTECT(Rf_lang2(closure.function(), asked));
        SEXP value = PROTECT(Rf_eval(call, R_GlobalEnv));
        std::string wrong = read_numbers(value, 1, mean);
        UNPROTECT(3);
        return wrong.empty() ? wrong : "exact " + wrong;
    });
}

} // namespace

bmo_arms Arms::c_arms() {
    bmo_arms arms{};
    arms.struct_size = sizeof arms;
    arms.ctx = this;
    arms.pull = pull_samples;
    arms.exact = Rf_isNull(exact.function()) ? nullptr : exact_mean;
    return arms;
}

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
        refuse(BMO_ECALLBACK, argument_, wrong_.c_str());
}

void set_metric(bmo_config &config, Closure &closure) {
    bmo_owner owner{};
    owner.struct_size = sizeof owner;
    owner.ctx = &closure;
    check(bmo_config_set_rho(&config, coordinate_distances, 0, &owner));
}

} // namespace rbmo
