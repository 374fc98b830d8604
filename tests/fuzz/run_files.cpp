// Runs a fuzz target over the files of directories, as TAP: what libFuzzer's main does with files, for any compiler.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

int main(int count, char **directories) {
    int files = 0;
    for (int i = 1; i < count; ++i)
        for (const auto &entry : std::filesystem::directory_iterator(directories[i])) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
            std::printf("ok %d - %s\n", ++files, entry.path().filename().c_str());
        }
    std::printf("1..%d\n", files);
    return files > 0 ? 0 : 1;
}
