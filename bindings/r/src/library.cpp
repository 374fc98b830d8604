#include "library.h"

namespace rbmo {

void refuse(bmo_status status, const char *argument, double row, double col, const char *message) {
    const Rcpp::Environment package = Rcpp::Environment::namespace_env("bmo");
    const Rcpp::Function stop = package["stop_bmo"];
    stop(bmo_status_name(status), argument, row, col, message);
    throw Rcpp::exception(message);
}

void check(bmo_status status) {
    if (status == BMO_OK)
        return;
    bmo_error error{};
    error.struct_size = sizeof error;
    bmo_error_detail(&error);
    refuse(status, error.argument, static_cast<double>(error.row), static_cast<double>(error.col), error.message);
}

} // namespace rbmo

// [[Rcpp::export(rng = false)]]
Rcpp::List library_info() {
    return Rcpp::List::create(Rcpp::Named("version") = bmo_version_string(), Rcpp::Named("isa") = bmo_isa(),
                              Rcpp::Named("threads") = bmo_threads_available());
}
