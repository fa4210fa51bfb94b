// The kernels that the library holds for Vulkan drivers, and their names.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "inline/kernel_image.h"
#include "inline/kernel_names.h"

namespace slu::test {
namespace {

TEST(InlineImage, IsAFatBinary) {
  const std::span<const char> image = kernelImage();
  ASSERT_GT(image.size(), 1000u);
  EXPECT_EQ(std::memcmp(image.data(), "\x50\xed\x55\xba", 4), 0);
  std::uint64_t bytes = 0;  // behind magic, version and the header's own size: 16 bytes
  std::memcpy(&bytes, image.data() + 8, sizeof(bytes));
  EXPECT_EQ(bytes + 16, image.size());
}

// nvcc registers the same kernels with the CUDA runtime, by names that the library's file holds as text.
TEST(InlineImage, NamesAreTheCompilers) {
  std::ifstream file(SLUICE_LIBRARY, std::ios::binary);
  const std::string library{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(library.empty()) << SLUICE_LIBRARY;
  for (unsigned kernel = 0; kernel < kCudaKernelCount; ++kernel) {
    const std::string name = kernelName(static_cast<CudaKernel>(kernel));
    EXPECT_NE(library.find(name + '\0'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace slu::test
