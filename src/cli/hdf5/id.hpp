// An object of HDF5, closed by its owner.
#pragma once

#include <hdf5.h>
#include <utility>

namespace bmo_command {

class Hdf5Id {
public:
    explicit Hdf5Id(hid_t id) : id_(id) {}
    ~Hdf5Id() {
        if (id_ >= 0)
            H5Idec_ref(id_);
    }
    Hdf5Id(Hdf5Id &&other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
    Hdf5Id &operator=(Hdf5Id &&other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    Hdf5Id(const Hdf5Id &) = delete;
    Hdf5Id &operator=(const Hdf5Id &) = delete;

    hid_t get() const { return id_; }
    // Whether HDF5 gave one.
    explicit operator bool() const { return id_ >= 0; }

private:
    hid_t id_;
};

} // namespace bmo_command
