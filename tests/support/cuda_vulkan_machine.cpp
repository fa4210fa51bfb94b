// The CUDA route on a Vulkan host's buffers. Each execution is one hand-off: Vulkan writes and releases, CUDA compacts,
// Vulkan acquires and reads.
#include <iostream>

#include "machine.h"
#include "shared_buffers.h"
#include "vulkan_host.h"

namespace slu::test {
namespace {

DeviceFeatures featuresOf(const VulkanInstance& instance) {
  const SluVulkanRequirements cuda = requirementsOf(instance, SLU_ROUTE_CUDA);
  DeviceFeatures features(requirementsOf(instance));
  features.add(cuda);
  return features;
}

class CudaVulkanMachine : public Machine {
 public:
  CudaVulkanMachine() : device_(instance_, featuresOf(instance_)) {
    const SluVulkanDeviceInfo vulkan = device_.info();
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    test::require(context_, sluGetVulkanTimelines(context_, &timelines_), "sluGetVulkanTimelines");
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_CUDA);
    std::cout << "Vulkan and CUDA device: " << describeDevice(instance_)
              << "; validation layer: " << (instance_.isValidated ? "on" : "missing") << "\n";
  }
  SluRoute route() const override { return SLU_ROUTE_CUDA; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override;
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  void dropPlans() override { plans_->clear(); }

  const VulkanDevice& device() const { return device_; }
  VkBufferUsageFlags usage() const { return allUsages(instance_); }
  const SluVulkanTimelines& timelines() const { return timelines_; }
  std::uint64_t nextValue() { return ++lastValue_; }

  Random random;

 private:
  VulkanInstance instance_;
  VulkanDevice device_;
  Context context_;
  SluVulkanTimelines timelines_ = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  std::uint64_t lastValue_ = 0;
  std::unique_ptr<PlanCache> plans_;
};

std::vector<std::uint64_t> sizesOf(const Scene& scene) {
  std::vector<std::uint64_t> sizes;
  for (const Bytes& memory : scene.memories) sizes.push_back(memory.size());
  return sizes;
}

class CudaVulkanSession : public Session {
 public:
  CudaVulkanSession(CudaVulkanMachine& machine, const Scene& scene)
      : machine_(machine),
        device_(machine.device()),
        shared_(device_, machine.context(), sizesOf(scene), machine.usage(),
                pickWays(scene.memories.size(), machine.random)) {
    for (const Bytes& memory : scene.memories) {
      staging_.push_back(
          std::make_unique<VulkanBuffer>(device_, memory.size(), machine.usage(), VulkanBuffer::Kind::mapped));
    }
    for (const FrameSpec& frame : scene.frames) {
      const auto bufferOf = [this](std::uint32_t memory) { return shared_.registered().at(memory); };
      frames_.push_back({machine.plan(scene.planOf(frame)), std::make_unique<FrameArguments>(frame, bufferOf)});
    }
    write_ = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    recordWrite();
    check(device_.functions.vkEndCommandBuffer(write_), "vkEndCommandBuffer");
    read_ = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    recordRead();
    check(device_.functions.vkEndCommandBuffer(read_), "vkEndCommandBuffer");
  }

  ~CudaVulkanSession() override {
    for (VkCommandBuffer commands : {write_, read_}) device_.freeCommands(commands);
  }

  void execute(std::vector<Bytes>& memories, std::uint32_t times) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::copy(memories[i].begin(), memories[i].end(), staging_[i]->mapped);
    }
    const std::uint64_t value = machine_.nextValue();
    device_.enqueue({write_}, {}, 0, {machine_.timelines().released, value});
    const std::size_t count = frames_.size() * times;
    for (std::size_t i = 0; i < count; ++i) {
      const EnqueuedFrame& frame = frames_[i % frames_.size()];
      enqueuePlan(machine_.context(), frame.plan, nullptr, *frame.arguments->get(), i == 0 ? value : 0,
                  i + 1 == count ? value : 0);
    }
    device_.submit({read_}, {machine_.timelines().compacted, value}, VK_PIPELINE_STAGE_TRANSFER_BIT);
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::copy_n(staging_[i]->mapped, memories[i].size(), memories[i].begin());
    }
  }

 private:
  struct EnqueuedFrame {
    SluPlan plan;
    std::unique_ptr<FrameArguments> arguments;
  };

  SluTransferInfo transfer(VkAccessFlags access) const {
    return transferOf(shared_, device_, VK_PIPELINE_STAGE_TRANSFER_BIT, access);
  }

  void recordWrite() const {
    for (std::size_t i = 0; i < staging_.size(); ++i) {
      const VkBufferCopy all{0, 0, staging_[i]->size};
      device_.functions.vkCmdCopyBuffer(write_, staging_[i]->handle, shared_.buffer(i), 1, &all);
    }
    const SluTransferInfo release = transfer(VK_ACCESS_TRANSFER_WRITE_BIT);
    test::require(machine_.context(), sluCmdRelease(machine_.context(), write_, &release), "sluCmdRelease");
  }

  void recordRead() const {
    const SluTransferInfo acquire = transfer(VK_ACCESS_TRANSFER_READ_BIT);
    test::require(machine_.context(), sluCmdAcquire(machine_.context(), read_, &acquire), "sluCmdAcquire");
    for (std::size_t i = 0; i < staging_.size(); ++i) {
      const VkBufferCopy all{0, 0, staging_[i]->size};
      device_.functions.vkCmdCopyBuffer(read_, shared_.buffer(i), staging_[i]->handle, 1, &all);
    }
    device_.barrier(read_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
  }

  CudaVulkanMachine& machine_;
  const VulkanDevice& device_;
  SharedBuffers shared_;
  std::vector<std::unique_ptr<VulkanBuffer>> staging_;
  std::vector<EnqueuedFrame> frames_;
  VkCommandBuffer write_ = VK_NULL_HANDLE;
  VkCommandBuffer read_ = VK_NULL_HANDLE;
};

std::unique_ptr<Session> CudaVulkanMachine::record(const Scene& scene) {
  return std::make_unique<CudaVulkanSession>(*this, scene);
}

}  // namespace

std::unique_ptr<Machine> makeCudaVulkanMachine() { return std::make_unique<CudaVulkanMachine>(); }

}  // namespace slu::test
