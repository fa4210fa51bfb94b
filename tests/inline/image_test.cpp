// The kernels that the library holds for CUDA's driver and Vulkan's, and their names.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/kernel_image.h"
#include "kernels/kernel_names.h"
#include "kernels/table.h"

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

// Of an architecture that each GPU of the build takes, and of the kernels that the route can launch alone.
TEST(InlineImage, IsAlsoPtx) {
  const std::string text = kernelPtx();
  EXPECT_EQ(text.find('\0'), std::string::npos);
  const std::string target = "\n.target sm_";
  const std::size_t at = text.find(target);
  ASSERT_NE(at, std::string::npos);
  const int architecture = std::stoi(text.substr(at + target.size()));
  EXPECT_GE(architecture, 75);
  for (const int other : {SLUICE_CUDA_ARCHITECTURES}) EXPECT_LE(architecture, other);
  for (const KernelRow& row : kernelTable()) {
    const bool isThere = text.find(".entry " + kernelName(row.kernel) + "(") != std::string::npos;
    EXPECT_EQ(isThere, row.sharedBytes(row.leastBytes, 1) <= kPortableSharedBytes) << row.name;
  }
}

}  // namespace
}  // namespace slu::test
