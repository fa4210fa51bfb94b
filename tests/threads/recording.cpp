#include "recording.h"

#include <algorithm>

namespace slu::test {

RecordingThreads::Host::Host(SluContext host, SluRoute route, const VulkanDevice& device, const Work& work)
    : context(host), plan(work.createPlan(host, route)), registered(work.scene.memories.size()), device_(device) {
  for (std::size_t i = 0; i < registered.size(); ++i) {
    const Bytes& bytes = work.scene.memories[i];
    memories.push_back(
        std::make_unique<VulkanBuffer>(device, bytes.size(), allUsages(device.instance), VulkanBuffer::Kind::mapped));
    std::copy(bytes.begin(), bytes.end(), memories[i]->mapped);
    require(context, registerBuffer(context, *memories[i], registered[i].put()), "sluCreateBuffer");
  }
  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  poolInfo.queueFamilyIndex = device.queueFamily;
  check(device.functions.vkCreateCommandPool(device.handle, &poolInfo, nullptr, &pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocateInfo.commandPool = pool_;
  allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocateInfo.commandBufferCount = 1;
  check(device.functions.vkAllocateCommandBuffers(device.handle, &allocateInfo, &commands), "vkAllocateCommandBuffers");
}

RecordingThreads::Host::~Host() { device_.functions.vkDestroyCommandPool(device_.handle, pool_, nullptr); }

void RecordingThreads::Host::record(const Work& work, std::uint32_t thread, Lockstep& lockstep) {
  const FrameArguments arguments(work.scene.frames[0],
                                 [&](std::uint32_t memory) { return registered.at(memory).get(); });
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  EXPECT_EQ(device_.functions.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  Work::repeat(context, *arguments.get(), thread, lockstep,
               [&](const SluFrameInfo* frame) { return sluCmdCompact(plan, commands, frame); });
  EXPECT_EQ(device_.functions.vkEndCommandBuffer(commands), VK_SUCCESS);
}

std::vector<Bytes> RecordingThreads::Host::contents() const {
  std::vector<Bytes> bytes;
  for (const auto& memory : memories) bytes.emplace_back(memory->mapped, memory->mapped + memory->size);
  return bytes;
}

void RecordingThreads::recordAtOnce(SluRoute route, const SluVulkanDeviceInfo& info) {
  const bool isShared = GetParam();
  works = makeWorks(random);
  contexts_.resize(kThreads);
  hosts.resize(kThreads);
  const auto open = [&](std::uint32_t thread) {
    Context& context = contexts_[isShared ? 0 : thread];
    if (context.get() == nullptr) context = makeContext(info);
    hosts[thread] = std::make_unique<Host>(context, route, device(), works[thread]);
  };
  for (std::uint32_t i = 0; isShared && i < kThreads; ++i) open(i);
  runAtOnce([&](std::uint32_t thread, Lockstep& lockstep) {
    lockstep.wait();
    if (!isShared) open(thread);
    hosts[thread]->record(works[thread], thread, lockstep);
  });
}

void RecordingThreads::closeAll() {
  hosts.clear();
  contexts_.clear();
}

void RecordingThreads::TearDown() {
  closeAll();
  VulkanTest::TearDown();
}

}  // namespace slu::test
