// VkBuffers whose memory CUDA shares, had in every way that a host may have them.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <sluice/sluice.hpp>
#include <vector>

#include "random.h"
#include "vulkan_host.h"

namespace slu::test {

enum class Sharing { dedicated, pooled, foreign, allocated };

// The same number of registered buffers as of sizes, each shared in a way that random picks, or all in the one given.
class SharedBuffers {
 public:
  SharedBuffers(const VulkanDevice& device, SluContext context, const std::vector<std::uint64_t>& sizes,
                VkBufferUsageFlags usage, const std::vector<Sharing>& ways);
  ~SharedBuffers();
  SharedBuffers(const SharedBuffers&) = delete;
  SharedBuffers& operator=(const SharedBuffers&) = delete;

  const std::vector<SluBuffer>& registered() const { return handles_; }
  VkBuffer buffer(std::size_t i) const { return sluGetVulkanBuffer(handles_[i]); }

 private:
  VkBuffer createBuffer(std::uint64_t size);
  VkDeviceMemory allocate(std::uint64_t bytes, std::uint32_t typeBits, VkBuffer dedicatedTo);
  void bindAndRegister(std::size_t i, VkBuffer buffer, SluVulkanMemoryInfo memory);
  void makeDedicated(std::size_t i, bool byFd);
  void makePool(const std::vector<std::size_t>& members);
  void makeAllocated(std::size_t i);
  void registerForeign(std::size_t i, VkBuffer buffer, const SluVulkanMemoryInfo& memory);
  void create(std::size_t i, const void* pNext);
  void destroy();

  const VulkanDevice& device_;
  SluContext context_;
  const std::vector<std::uint64_t> sizes_;
  VkBufferUsageFlags usage_;
  std::vector<VkBuffer> buffers_;  // the host's own
  std::vector<VkDeviceMemory> memories_;
  std::vector<Buffer> registered_;
  std::vector<SluBuffer> handles_;
};

// A way for each of count buffers.
std::vector<Sharing> pickWays(std::size_t count, Random& random);

// Of all the buffers, on the device's queue; for release and acquire. It points into shared.
SluTransferInfo transferOf(const SharedBuffers& shared, const VulkanDevice& device, VkPipelineStageFlags stages,
                           VkAccessFlags access);

// A frame of a plan of the CUDA route, between the values of a hand-off; 0: it does not wait, or signal.
void enqueuePlan(SluContext context, SluPlan plan, CUstream_st* stream, SluFrameInfo frame, std::uint64_t waitValue,
                 std::uint64_t signalValue);

// How many frames a long run has: SLUICE_TEST_FRAMES, or else standard.
std::uint64_t frameCount(std::uint64_t standard);

}  // namespace slu::test
