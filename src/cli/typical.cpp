#include "typical.hpp"

#include "stopwatch.hpp"

namespace bmo_command {

namespace {

std::int64_t find_medoid(const Dataset &glyphs, std::int64_t method, const bmo_monitor &monitor, double &ms) {
    const Config config = make_config();
    check(bmo_config_set_i64(config.get(), BMO_PARAM_METHOD, method));
    bmo_query *handle = nullptr;
    check(bmo_query_create(&handle, glyphs.get(), config.get(), nullptr));
    const Query query(handle);
    auto medoid = sized<bmo_medoid>();
    const Stopwatch watch;
    check(bmo_query_medoid(query.get(), &medoid, &monitor, nullptr));
    ms = watch.ms();
    return medoid.index;
}

} // namespace

Typical find_typical(const Dataset &glyphs, const bmo_monitor &monitor) {
    Typical typical;
    typical.row = find_medoid(glyphs, BMO_METHOD_BANDIT, monitor, typical.bandit_ms);
    typical.same = typical.row == find_medoid(glyphs, BMO_METHOD_EXACT, monitor, typical.scan_ms);
    return typical;
}

} // namespace bmo_command
