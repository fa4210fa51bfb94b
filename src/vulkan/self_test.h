// Frames of a recorded route whose outcome is known: a stable and an unordered one over the same records.
#pragma once

#include <array>
#include <vector>

#include "plan/layout.h"
#include "vulkan/recorded_route.h"
#include "vulkan/vulkan_buffer.h"

namespace slu {

class SelfTest {
 public:
  // name: that of the route, which outlives the test.
  SelfTest(RecordedRoute& route, SluRoute name);

  void record(VkCommandBuffer commands);

  // Once the commands have been executed. Throws SLU_ERROR_DRIVER with the first thing that is wrong.
  void check() const;

 private:
  void checkOrder(SluOrder order) const;

  const Device& device_;
  const char* const name_;
  DeviceBuffer memory_;  // mapped: the records, then per order the kept indices and the statistics
  VulkanBuffer buffer_;
  std::array<std::unique_ptr<RoutePlan>, 2> plans_;  // by SluOrder
  std::vector<std::uint32_t> kept_;                  // indices, in their order
};

}  // namespace slu
