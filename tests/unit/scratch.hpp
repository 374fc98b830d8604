// Files that a test writes for itself, gone when it ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "bmo-test-XXXXXX").string();
        directory_ = mkdtemp(name.data());
    }
    ~Scratch() { std::filesystem::remove_all(directory_); }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;

    const std::filesystem::path &directory() const { return directory_; }

    // The path of a file of these bytes; an older one is replaced.
    std::string file(std::string_view bytes, const char *name = "data") const {
        std::string path = (directory_ / name).string();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }

private:
    std::filesystem::path directory_;
};

inline std::string file_bytes(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
