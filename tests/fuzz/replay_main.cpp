// Feeds files to a fuzz target: every file of the folders given, in the order of their names. For compilers without
// libFuzzer, and as a test that what once went wrong does so no more. A target that fails aborts with the file's name
// on stderr.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz_target.hpp"

int main(int argc, char** argv) {
  std::vector<std::string> files;
  for (int k = 1; k < argc; ++k) {
    if (std::filesystem::is_regular_file(argv[k])) files.emplace_back(argv[k]);
    if (!std::filesystem::is_directory(argv[k])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[k])) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::fprintf(stderr, "%s\n", file.c_str());
    // A copy without a byte to spare, so that the address sanitizer sees every step beyond it.
    const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(copy.data(), copy.size());
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
