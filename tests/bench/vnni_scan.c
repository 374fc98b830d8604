/* The reference for an exact scan of bytes: a plain loop over AVX-512 VNNI products, tiles of points in cache against all
 * queries. best[i * k .. ]: the k least squared distances of query i, ascending. A query's bytes are those of the query xor
 * 128, d is a multiple of 64; point_terms[p] = |x|^2 - 256 sum(x), query_terms[i] = |q|^2. For speed.py. */
#include <immintrin.h>
#include <stdint.h>

static void offer(int64_t *best, int64_t k, int64_t sum) {
    if (sum >= best[k - 1])
        return;
    int64_t at = k - 1;
    for (; at > 0 && best[at - 1] > sum; --at)
        best[at] = best[at - 1];
    best[at] = sum;
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) void
vnni_scan(const uint8_t *points, const uint8_t *queries, const int64_t *point_terms, const int64_t *query_terms,
          int64_t n, int64_t count, int64_t d, int64_t k, int64_t *best) {
    for (int64_t first = 0; first < n; first += 64)
        for (int64_t i = 0; i < count; ++i)
            for (int64_t p = first; p < n && p < first + 64; ++p) {
                __m512i sum = _mm512_setzero_si512();
                for (int64_t j = 0; j < d; j += 64)
                    sum = _mm512_dpbusd_epi32(sum, _mm512_loadu_si512(points + p * d + j),
                                              _mm512_loadu_si512(queries + i * d + j));
                offer(best + i * k, k, point_terms[p] + query_terms[i] - 2 * (int64_t)_mm512_reduce_add_epi32(sum));
            }
}
