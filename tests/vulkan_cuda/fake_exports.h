// What a Vulkan driver must have besides memory export for CUDA to share with it, played for drivers without it
// (lavapipe): semaphores that export. Memory is exported for real, but buffers may be made to ask for more of it. And a
// look at the barriers that are recorded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shim.h"

namespace slu::test {

struct RecordedBarriers {
  VkPipelineStageFlags from, to;
  std::vector<VkBufferMemoryBarrier> buffers;
};

// One at a time, over a shim.
class FakeExports {
 public:
  explicit FakeExports(const Shim& shim);
  ~FakeExports();
  FakeExports(const FakeExports&) = delete;
  FakeExports& operator=(const FakeExports&) = delete;

  PFN_vkGetInstanceProcAddr entry() const;

  bool exportsTimelines = true;
  int semaphoreFdsLeft = 1000;   // exports of a semaphore that succeed; later ones fail and leave garbage
  std::uint64_t extraBytes = 0;  // that each buffer needs of its memory, besides what the driver asks for
  bool isDedicatedOnly = false;  // each buffer needs an allocation of its own
  bool forwardsBarriers = true;  // to the driver and its validation
  std::vector<RecordedBarriers> barriers;
  std::vector<std::string> labels;  // begun; "" where one ended

  PFN_vkGetInstanceProcAddr next = nullptr;
};

}  // namespace slu::test
