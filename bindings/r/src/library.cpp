#include "library.h"

namespace rbmo {

void refuse(bmo_status status, const char *argument, const char *message) {
    own_function("stop_here")(bmo_status_name(status), argument, message);
    throw Rcpp::exception(message);
}

bmo_error last_error() {
    bmo_error error{};
    error.struct_size = sizeof error;
    bmo_error_detail(&error);
    return error;
}

Rcpp::Function own_function(const char *name) {
    return Rcpp::Environment::namespace_env("bmo")[name];
}

void check(bmo_status status) {
    if (status == BMO_OK)
        return;
    const bmo_error error = last_error();
    own_function("stop_in_library")(bmo_status_name(status), error.argument, static_cast<double>(error.row),
                                    static_cast<double>(error.col), error.marked);
    throw Rcpp::exception(error.message);
}

} // namespace rbmo

// [[Rcpp::export(rng = false)]]
Rcpp::List library_info() {
    return Rcpp::List::create(Rcpp::Named("version") = bmo_version_string(), Rcpp::Named("isa") = bmo_isa(),
                              Rcpp::Named("threads") = bmo_threads_available());
}
