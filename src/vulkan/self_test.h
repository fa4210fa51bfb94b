// Frames of a recorded route whose outcome is known: for each form of plan that a route may have kernels of its own
// for, a stable and an unordered one over the same records.
#pragma once

#include <span>
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
  struct Form {
    std::uint32_t stride;          // of the records
    std::uint32_t maxRecordCount;  // that the plan is made for
    SluOutputFlagBits output;      // indices or records

    std::uint64_t outputBytes() const;
  };
  static std::span<const Form> formsOf(SluRoute route);

  // One frame of a plan.
  struct Trial {
    const Form& form;
    SluOrder order;
    std::uint32_t frame;  // 1 meets what 0 left behind
    std::uint64_t statisticsOffset;
    std::uint64_t outputOffset;
    RoutePlan* plan;
  };

  void check(const Trial& trial) const;
  std::vector<std::uint32_t> readIndices(const Trial& trial, std::size_t count) const;
  [[noreturn]] void failAt(const Trial& trial, const std::string& what) const;

  const Device& device_;
  const char* const name_;
  std::vector<std::unique_ptr<RoutePlan>> plans_;
  std::vector<Trial> trials_;
  DeviceBuffer memory_;  // mapped: the input, then statistics and output of each trial
  VulkanBuffer buffer_;
};

}  // namespace slu
