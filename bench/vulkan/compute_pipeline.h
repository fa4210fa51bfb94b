// A compute shader that finds its buffers by addresses in push constants.
#pragma once

#include <span>

#include "vulkan/vulkan_device.h"

namespace bench {

class ComputePipeline {
 public:
  // constants: specialization constants 0, 1 and so on.
  ComputePipeline(const VulkanDevice& device, std::span<const uint32_t> code, uint32_t pushBytes,
                  std::span<const uint32_t> constants);

  // push: the pushBytes.
  void recordBind(VkCommandBuffer commands, const void* push) const;
  // Binds, and dispatches groupCount workgroups or a few more, in equal rows that every device allows. The number of a
  // group is gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x. groupCount: not 0.
  void record(VkCommandBuffer commands, const void* push, uint32_t groupCount) const;

 private:
  const uint32_t pushBytes_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

}  // namespace bench
