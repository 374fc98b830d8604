// Prints what BMO UCB takes of arms with normal means, n of them in as many dimensions: n, operations (a mean of five
// instances), those of the theorem, and (n + d) log^2(n d / delta), a line for each n.
#include <cstdio>

#include "made_arms.hpp"

int main() {
    constexpr int kInstances = 5;
    for (const std::int64_t n : {100, 316, 1000, 3162, 10000, 31623, 100000, 316228}) {
        double operations = 0, most = 0, growth = 0;
        for (std::uint64_t seed = 1; seed <= kInstances; ++seed) {
            const made::Problem problem = made::normal_means(n, seed);
            operations += made::play(problem, seed).operations / kInstances;
            most += problem.most_of_all() / kInstances;
            growth = made::n_plus_d_log_squared(problem);
        }
        std::printf("%lld %.6g %.6g %.6g\n", static_cast<long long>(n), operations, most, growth);
    }
}
