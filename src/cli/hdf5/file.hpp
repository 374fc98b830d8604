// An HDF5 file that is read, and the objects in it.
#pragma once

#include <string>

#include "cli/hdf5/id.hpp"

namespace bmo_command {

// What HDF5 says of its last failure: the innermost cause.
std::string hdf5_reason();

class Hdf5File {
public:
    explicit Hdf5File(const std::string &path);

    hid_t get() const { return file_.get(); }
    const std::string &path() const { return path_; }
    // How messages name an object.
    std::string name_of(const std::string &object) const;
    // Whether there is a link of this path, which may lead nowhere.
    bool has(const std::string &object) const;
    // A dataset or a group of this file; not of another one that a link leads to.
    Hdf5Id open(const std::string &object) const;

private:
    std::string path_;
    Hdf5Id file_;
};

} // namespace bmo_command
