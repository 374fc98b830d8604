// The instruction sets that kernels_simd.cpp is compiled for. With a sanitizer each takes minutes: BMO_AVX2_ALONE leaves one.
#pragma once

#include "simd/kernels.hpp"

#if defined(__x86_64__)
namespace bmo::N_AVX2 {
Kernels make_kernels();
}
#ifndef BMO_AVX2_ALONE
namespace bmo::N_SSE4 {
Kernels make_kernels();
}
namespace bmo::N_AVX3 {
Kernels make_kernels();
}
namespace bmo::N_AVX3_DL {
Kernels make_kernels();
}
#endif
#elif defined(__aarch64__)
namespace bmo::N_NEON {
Kernels make_kernels();
}
#endif
