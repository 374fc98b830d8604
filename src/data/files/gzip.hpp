// What a source holds compressed with deflate, as gzip wraps it or bare.
#pragma once

#include <memory>
#include <string_view>

#include "data/files/source.hpp"

namespace bmo {

bool is_gzip(std::string_view first_bytes);

class Gunzip final : public Source {
public:
    // bare: the deflate data of an archive, which end where the source does.
    Gunzip(Source &compressed, Watch &watch, bool bare = false);
    ~Gunzip() override;
    Gunzip(const Gunzip &) = delete;
    Gunzip &operator=(const Gunzip &) = delete;

    const std::string &path() const override { return compressed_.path(); }
    std::int64_t most() const override;

private:
    struct Inflater;

    std::size_t fetch(void *to, std::size_t size) override;
    [[noreturn]] void fail_format(const char *what) const;
    bool refill();
    bool next_member();

    Source &compressed_;
    Watch &watch_;
    std::unique_ptr<Inflater> inflater_;
    bool bare_;
    bool ended_ = false;
};

} // namespace bmo
