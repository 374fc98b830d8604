// The place of points.cpp in a command that is built without HDF5.
#include "cli/failure.hpp"
#include "cli/hdf5/points.hpp"
#include "cli/text.hpp"

namespace bmo_command {

Hdf5Points read_hdf5(const std::string &path, bool, Progress &) {
    fail(text(path,
              ": is HDF5, which this bmo was built without; install libhdf5-dev and build it with -Dhdf5=enabled"));
}

} // namespace bmo_command
