// Frames of a recorded route, whose results are compared with the CPU route's. Each form of plan for which a route may
// have kernels of its own has a stable and an unordered plan over the same records. Whether some of the bounds are kept
// depends on how the device rounds.
#pragma once

#include <string>
#include <vector>

#include "base/vulkan_memory.h"
#include "plan/layout.h"
#include "routes/vulkan_host/recorded_route.h"
#include "routes/vulkan_host/vulkan_buffer.h"

namespace slu {

class SelfTest {
 public:
  // name is that of the route, which outlives the test.
  SelfTest(RecordedRoute& route, SluRoute name);

  void record(VkCommandBuffer commands);

  // Call it once the commands have been executed. Throws SLU_ERROR_DRIVER with the first thing that is wrong.
  void check() const;

 private:
  struct Form;  // what a plan is made of, apart from its order
  static std::vector<Form> formsOf(SluRoute route);
  static PlanLayout layoutOf(const Form& form, SluOrder order, SluRoute route);

  // Where a frame writes one of its outputs, in bytes of the memory.
  struct Output {
    Binding Frame::*binding;  // null: that of the further stream
    const char* name;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint32_t unitBytes;  // of the units that unordered frames write in any order within a bucket; else 0
  };

  // One frame of a plan.
  struct Trial {
    PlanLayout layout;
    std::uint32_t offset;  // of records and outputs from multiples of 64 bytes
    std::uint32_t frame;   // its number; each finds what those before it left behind
    RoutePlan* plan;
    std::vector<Output> outputs;
  };

  // Returns where the outputs of the next trial begin.
  static std::uint64_t placeOutputs(Trial& trial, std::uint64_t begin);
  std::vector<std::uint32_t> initialWords() const;
  Frame frameOf(const Trial& trial, std::uint64_t address) const;
  // expected: the memory as the CPU route leaves it.
  void compare(const Trial& trial, const Output& output, const std::vector<std::uint32_t>& expected) const;
  // Places of kept records: the first one, and how many there are.
  struct Places {
    std::size_t first;
    std::size_t count;
  };
  static std::vector<Places> placesOf(const Trial& trial, const std::vector<std::uint32_t>& expected);
  static void sortBuckets(const std::vector<Places>& buckets, const Output& output, std::vector<std::uint32_t>& words);
  [[noreturn]] void failAt(const Trial& trial, const std::string& what) const;

  const Device& device_;
  const char* const name_;
  std::vector<std::unique_ptr<RoutePlan>> plans_;
  std::vector<Trial> trials_;
  DeviceBuffer memory_;  // mapped: the inputs, then the outputs of each trial
  VulkanBuffer buffer_;
};

}  // namespace slu
