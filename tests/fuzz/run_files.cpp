// Runs a fuzz target over the files of a folder once, without a fuzzer: what was found stays found with any compiler.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerInitialize(int* argumentCount, char*** arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argumentCount, char** arguments) try {
  if (argumentCount != 2) throw std::runtime_error("names no folder");
  LLVMFuzzerInitialize(&argumentCount, &arguments);
  int fileCount = 0;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    std::printf("%s\n", entry.path().filename().c_str());
    std::fflush(stdout);  // names the input that aborts
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++fileCount;
  }
  if (fileCount == 0) throw std::runtime_error(std::string(arguments[1]) + " holds no file");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "run_files: %s\n", error.what());
  return 1;
}
