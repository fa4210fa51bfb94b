// Says what a competitor of the Vulkan arena implements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/contestant.h"
#include "arena/sluice_plan.h"
#include "vulkan/vulkan_buffer.h"
#include "workload/frame.h"

namespace bench {

// An input, and the output of frames over it. Bucket b begins at element b * bucketCapacity.
struct VulkanFrame {
  const VulkanBuffer& input;
  const VulkanBuffer& output;
  uint32_t bucketCapacity;
};

// A competitor that is ready to run one workload. It holds all memory that frames need, except input and output.
class PreparedVulkanCompetitor : public FrameOutcome {
 public:
  // Records one frame: everything from the input to a complete draw, with the reset of counters. A frameBarrier stands
  // before and after it. The commands may be submitted many times.
  virtual void record(VkCommandBuffer commands) = 0;

  // The stages of its frames, for the barriers between them.
  virtual VkPipelineStageFlags stages() const { return kFrameStages; }

  // Overwrites what the latest frame wrote outside the output, so that it cannot pass for the next frame's result.
  virtual void recordPoison(VkCommandBuffer commands) = 0;
};

class VulkanCompetitor : public Contestant {
 public:
  // Returns whether it can run on this device.
  virtual bool runsOn(const VulkanDevice& device) const {
    static_cast<void>(device);
    return true;
  }

  // The device and the frame's buffers outlive the result.
  virtual std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                            const VulkanFrame& frame) const = 0;
};

std::unique_ptr<VulkanCompetitor> makeVulkanCopy();
std::unique_ptr<VulkanCompetitor> makeVulkanCopyShader();
std::unique_ptr<VulkanCompetitor> makeVulkanAppend();
std::unique_ptr<VulkanCompetitor> makeVulkanBevy();
std::unique_ptr<VulkanCompetitor> makeVulkanNiagara();
// deviceFlags: SluVulkanDeviceFlagBits.
std::unique_ptr<VulkanCompetitor> makeSluiceVulkan(SluRoute route, SluFlags deviceFlags, const PlanChoices& choices);

// Sluice's routes compete with each of the choices, and its Vulkan route with each of deviceFlags, too.
std::vector<std::unique_ptr<VulkanCompetitor>> makeVulkanCompetitors(const std::vector<PlanChoices>& choices,
                                                                     const std::vector<SluFlags>& deviceFlags);

// Downloads the commands of a buffer of draws.
std::vector<DrawCommand> readDraws(const VulkanBuffer& draws);

}  // namespace bench
