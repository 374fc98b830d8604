#include "simd/kernels.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "simd/targets.hpp"

namespace bmo {
namespace {

struct Target {
    const char *name;
    bool runs;
    Kernels (*make)();
};

Kernels scalar_kernels() {
    return kScalarKernels;
}

#if defined(__x86_64__)
bool has_avx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
}

#ifndef BMO_AVX2_ALONE
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512vl");
}

bool has_avx512vnni() {
    return has_avx512() && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("vpclmulqdq");
}
#endif
#endif

// The tables of what this processor runs, best first.
const std::vector<Kernels> &available() {
    static const std::vector<Kernels> tables = [] {
        const Target targets[] = {
#if defined(__x86_64__)
#ifndef BMO_AVX2_ALONE
            {"avx512vnni", has_avx512vnni(), N_AVX3_DL::make_kernels},
            {"avx512", has_avx512(), N_AVX3::make_kernels},
#endif
            {"avx2", has_avx2(), N_AVX2::make_kernels},
#ifndef BMO_AVX2_ALONE
            {"sse4", __builtin_cpu_supports("sse4.2") != 0, N_SSE4::make_kernels},
#endif
#elif defined(__aarch64__)
            {"neon", true, N_NEON::make_kernels},
#endif
            {"scalar", true, scalar_kernels},
        };
        std::vector<Kernels> found;
        for (const Target &target : targets)
            if (target.runs) {
                found.push_back(target.make());
                found.back().name = target.name;
            }
        return found;
    }();
    return tables;
}

} // namespace

const Kernels *kernels_named(const char *name) {
    for (const Kernels &table : available())
        if (std::strcmp(table.name, name) == 0)
            return &table;
    return nullptr;
}

const Kernels &kernels() {
    static const Kernels &chosen = [&]() -> const Kernels & {
        const char *wanted = std::getenv("BMO_ISA");
        const Kernels *lowered = wanted ? kernels_named(wanted) : nullptr;
        return lowered ? *lowered : available().front();
    }();
    return chosen;
}

const char *isa_name() {
    return kernels().name;
}

} // namespace bmo
