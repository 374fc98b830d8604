// What a caller lends to a handle, and how it is given back.
#pragma once

#include "api/structs.hpp"

namespace bmo {

// A caller's bmo_owner, or none: told when the last reference goes, if the call that took it succeeded.
class Release {
public:
    explicit Release(const bmo_owner *owner) {
        if (!owner)
            return;
        owner_ = read_struct(owner, "owner");
        if (owner_.reserved != 0)
            refuse("owner.reserved", owner_.reserved, "0");
    }
    ~Release() {
        if (armed_ && owner_.release)
            owner_.release(owner_.ctx);
    }
    Release(const Release &) = delete;
    Release &operator=(const Release &) = delete;

    void arm() noexcept { armed_ = true; }
    void *ctx() const noexcept { return owner_.ctx; }

private:
    bmo_owner owner_{};
    bool armed_ = false;
};

} // namespace bmo
