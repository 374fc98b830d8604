// What every file of the package needs of libbmo: owning pointers, and the library's errors as R conditions.
#pragma once

#include <bmo.h>

#include <memory>

#include <Rcpp.h>

namespace rbmo {

template <auto Free>
struct Freed {
    template <class Handle>
    void operator()(Handle *handle) const {
        Free(handle);
    }
};

using Config = std::unique_ptr<bmo_config, Freed<bmo_config_free>>;
using Dataset = std::unique_ptr<bmo_dataset, Freed<bmo_dataset_free>>;
using Query = std::unique_ptr<bmo_query, Freed<bmo_query_free>>;

// Throws an error of this package, which becomes an R error of class "bmo_error".
[[noreturn]] void refuse(bmo_status status, const char *argument, const char *message);

// What the last call that failed said.
bmo_error last_error();

// A function of this package's R code.
Rcpp::Function own_function(const char *name);

// Throws the error of the call that gave this status, if it failed.
void check(bmo_status status);

// A new handle, by a call that writes it: make<Config>([](bmo_config **out) { return bmo_config_create(out); }).
template <class Owner, class Call>
Owner make(const Call &call) {
    typename Owner::pointer handle = nullptr;
    check(call(&handle));
    return Owner(handle);
}

} // namespace rbmo
