#include "cmocka.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "boxes/order.hpp"
#include "util/xoshiro.hpp"

namespace xoshiro_test {

using bmo::Xoshiro256pp;

// The authors' program, started at the state 1, 2, 3, 4; SplitMix64's at 1234567.
void the_published_vectors(void **) {
    const std::uint64_t xoshiro[] = {41943041,
                                     58720359,
                                     3588806011781223,
                                     3591011842654386,
                                     9228616714210784205u,
                                     9973669472204895162u,
                                     14011001112246962877u,
                                     12406186145184390807u,
                                     15849039046786891736u,
                                     10450023813501588000u};
    Xoshiro256pp random(Xoshiro256pp::State{1, 2, 3, 4});
    for (const std::uint64_t expected : xoshiro)
        assert_true(random.next() == expected);

    const std::uint64_t split[] = {6457827717110365317, 3203168211198807973, 9817491932198370423u, 4593380528125082431,
                                   16408922859458223821u};
    bmo::SplitMix64 mix(1234567);
    for (const std::uint64_t expected : split)
        assert_true(mix.next() == expected);
}

// A step is linear over GF(2). The state is the 256 low bits of what a reader of the algorithm would write down.
using Vector = std::array<std::uint64_t, 4>;
using Matrix = std::array<Vector, 256>; // column i: what becomes of bit i

Vector step(Vector s) {
    const std::uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = std::rotl(s[3], 45);
    return s;
}

Vector image(const Matrix &matrix, const Vector &vector) {
    Vector sum{};
    for (std::size_t bit = 0; bit < 256; ++bit)
        if (vector[bit / 64] >> (bit % 64) & 1)
            for (std::size_t word = 0; word < 4; ++word)
                sum[word] ^= matrix[bit][word];
    return sum;
}

void a_jump_is_two_to_the_128_steps(void **) {
    Matrix power;
    for (std::size_t bit = 0; bit < 256; ++bit) {
        Vector one{};
        one[bit / 64] = std::uint64_t{1} << (bit % 64);
        power[bit] = step(one);
    }
    for (int doubling = 0; doubling < 128; ++doubling) {
        Matrix square;
        for (std::size_t bit = 0; bit < 256; ++bit)
            square[bit] = image(power, power[bit]);
        power = square;
    }
    const Vector start = {0x0123456789abcdef, 42, 0xfedcba9876543210, 7};
    Xoshiro256pp jumped(start), stepped(image(power, start));
    jumped.jump();
    for (int i = 0; i < 8; ++i)
        assert_true(jumped.next() == stepped.next());
}

void below_is_uniform(void **) {
    // Pearson's statistic with 6 degrees of freedom exceeds 40 with probability 4.6e-7.
    constexpr int kDraws = 700000;
    std::array<int, 7> count{};
    Xoshiro256pp random(20261127);
    for (int i = 0; i < kDraws; ++i)
        ++count[random.below(7)];
    double statistic = 0;
    for (const int seen : count)
        statistic += (seen - kDraws / 7.0) * (seen - kDraws / 7.0) / (kDraws / 7.0);
    assert_true(statistic < 40);
    assert_int_equal(random.below(1), 0);
}

void an_order_is_a_permutation_of_its_seed(void **) {
    const bmo::Order order = bmo::random_order(1000, 5);
    assert_int_equal(std::set(order.begin(), order.end()).size(), 1000);
    assert_int_equal(*std::min_element(order.begin(), order.end()), 0);
    assert_true(order == bmo::random_order(1000, 5));
    assert_false(order == bmo::random_order(1000, 6));
    assert_true(bmo::random_order(1, -1) == bmo::Order{0});
}

// Each of the 24 orders of four coordinates over 24,000 seeds: Pearson's statistic with 23 degrees of freedom exceeds
// 78 with probability 6e-8.
void orders_are_equally_likely(void **) {
    std::array<int, 256> count{};
    for (std::int64_t seed = 0; seed < 24000; ++seed) {
        const bmo::Order order = bmo::random_order(4, seed);
        ++count[static_cast<std::size_t>(order[0] + 4 * order[1] + 16 * order[2] + 64 * order[3])];
    }
    double statistic = 0;
    int orders = 0;
    for (const int seen : count)
        if (seen > 0) {
            ++orders;
            statistic += (seen - 1000.0) * (seen - 1000.0) / 1000;
        }
    assert_int_equal(orders, 24);
    assert_true(statistic < 78);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors),     cmocka_unit_test(a_jump_is_two_to_the_128_steps),
        cmocka_unit_test(below_is_uniform),          cmocka_unit_test(an_order_is_a_permutation_of_its_seed),
        cmocka_unit_test(orders_are_equally_likely),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace xoshiro_test
