// Threads that record frames of different plans of a Vulkan host at once.
#pragma once

#include "../vulkan/fixture.h"
#include "work.h"

namespace slu::test {

class RecordingThreads : public VulkanTest, public testing::WithParamInterface<bool> {
 protected:
  // What a thread has: the memories of its scene, and a command buffer in a pool of its own, as Vulkan asks of a thread.
  struct Host {
    Host(SluContext context, SluRoute route, const VulkanDevice& device, const Work& work);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    void record(const Work& work, std::uint32_t thread, Lockstep& lockstep);
    std::vector<Bytes> contents() const;

    SluContext context;
    Plan plan;
    std::vector<std::unique_ptr<VulkanBuffer>> memories;
    std::vector<Buffer> registered;
    VkCommandBuffer commands = VK_NULL_HANDLE;

   private:
    const VulkanDevice& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
  };

  // Fills works, and records them all into the command buffers of hosts.
  void recordAtOnce(SluRoute route, const SluVulkanDeviceInfo& device);
  void closeAll();
  void TearDown() override;

  Random random;
  std::vector<Work> works;
  std::vector<std::unique_ptr<Host>> hosts;

 private:
  std::vector<Context> contexts_;
};

}  // namespace slu::test
