#include "cli/hdf5/file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "cli/failure.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

herr_t keep_innermost(unsigned depth, const H5E_error2_t *error, void *reason) noexcept {
    if (depth == 0 && error->desc)
        *static_cast<const char **>(reason) = error->desc;
    return 0;
}

void check_file(const std::string &path) {
    if (access(path.c_str(), R_OK) != 0)
        fail(text(path, ": cannot be opened: ", std::generic_category().message(errno)));
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed))
        fail(text(path, " is a directory, a pipe or a device; expected a regular file"));
}

// The standard input is kept in a file without a name. HDF5 needs one, unless it reads the whole file into memory.
bool has_name(const std::string &path) {
    std::error_code failed;
    return !std::filesystem::canonical(path, failed).empty() && !failed;
}

Hdf5Id open_file(const std::string &path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // failures have one line, which is not HDF5's
    check_file(path);
    const Hdf5Id access_list(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access_list.get(), true, true); // some file systems have no locks
    if (!has_name(path))
        H5Pset_fapl_core(access_list.get(), std::size_t{1} << 20, false);
    Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access_list.get()));
    if (!file)
        fail(text(path, ": cannot be opened as HDF5: ", hdf5_reason()));
    return file;
}

// Called for a link to another file: notes its name, and refuses to follow.
herr_t refuse_to_follow(const char *, const char *, const char *file, const char *, unsigned *, hid_t,
                        void *where) noexcept {
    try {
        *static_cast<std::string *>(where) = file;
    } catch (...) { // HDF5 is in C; without a name the failure is told as any other
    }
    return -1;
}

Hdf5Id without_other_files(std::string &where) {
    Hdf5Id access_list(H5Pcreate(H5P_LINK_ACCESS));
    H5Pset_elink_cb(access_list.get(), refuse_to_follow, &where);
    return access_list;
}

// Each link on the way has to be there before HDF5 is asked for the next one.
bool is_there(hid_t file, const std::string &object, hid_t access_list) {
    for (std::size_t end = 0; end != std::string::npos;) {
        end = object.find('/', end + 1);
        const std::string way = object.substr(0, end);
        if (way.find_first_not_of('/') != std::string::npos && H5Lexists(file, way.c_str(), access_list) <= 0)
            return false;
    }
    return true;
}

} // namespace

std::string hdf5_reason() {
    const char *reason = nullptr;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, static_cast<void *>(&reason));
    return reason && *reason ? reason : "HDF5 gives no reason";
}

Hdf5File::Hdf5File(const std::string &path) : path_(path), file_(open_file(path)) {}

std::string Hdf5File::name_of(const std::string &object) const {
    return text(path_, ":", object);
}

bool Hdf5File::has(const std::string &object) const {
    std::string elsewhere;
    return is_there(get(), object, without_other_files(elsewhere).get());
}

Hdf5Id Hdf5File::open(const std::string &object) const {
    std::string elsewhere;
    const Hdf5Id access_list = without_other_files(elsewhere);
    const bool exists = is_there(get(), object, access_list.get());
    Hdf5Id opened(exists ? H5Oopen(get(), object.c_str(), access_list.get()) : H5I_INVALID_HID);
    if (!elsewhere.empty())
        fail(text(name_of(object), ": is a link to the file ", elsewhere, "; expected values in this file"));
    if (!exists)
        fail(text(name_of(object), ": there is no such dataset or group"));
    if (!opened)
        fail(text(name_of(object), ": cannot be opened: ", hdf5_reason()));
    return opened;
}

} // namespace bmo_command
