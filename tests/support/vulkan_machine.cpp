#include <cstdlib>
#include <cstring>
#include <iostream>

#include "machine.h"
#include "vulkan_host.h"

namespace slu::test {
namespace {

std::uint32_t numberFromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

enum class Buffers { asTheRouteLikes, bound };

// What the route asks for; less, where a test wants to see it do without.
DeviceFeatures featuresFor(const VulkanInstance& instance, SluRoute route, Buffers buffers) {
  const SluVulkanRequirements requirements = requirementsOf(instance, route);
  DeviceFeatures features(requirements);
  if (buffers == Buffers::bound) {
    features.bindBuffers(requirements);
    if (numberFromEnvironment("SLUICE_TEST_NO_PUSH_DESCRIPTORS") != 0) features.extensions.clear();
  }
  if (numberFromEnvironment("SLUICE_TEST_NO_INT64_ATOMICS") != 0) features.vulkan12.shaderBufferInt64Atomics = VK_FALSE;
  return features;
}

class VulkanMachine : public Machine {
 public:
  // other: of every second frame. flags: of SluVulkanDeviceInfo.
  VulkanMachine(SluRoute route, SluRoute other, QueueKind queue, Buffers buffers = Buffers::asTheRouteLikes,
                SluFlags flags = 0)
      : route_(route), device_(instance_, featuresFor(instance_, route, buffers), queue), usage_(allUsages(instance_)) {
    if (buffers == Buffers::bound) usage_ &= ~VkBufferUsageFlags{VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};

    SluVulkanDeviceInfo vulkan = device_.info();
    vulkan.emulatedSubgroupSize = numberFromEnvironment("SLUICE_TEST_EMULATED_SUBGROUPS");
    vulkan.flags = flags;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    plans_ = std::make_unique<PlanCache>(context_, route);
    otherPlans_ = std::make_unique<PlanCache>(context_, other);
    std::cout << "Vulkan device: " << describeDevice(instance_);
    if (vulkan.emulatedSubgroupSize != 0) std::cout << ", emulated: " << vulkan.emulatedSubgroupSize;
    std::cout << "; validation layer: " << (instance_.isValidated ? "on" : "missing") << "\n";
  }
  SluRoute route() const override { return route_; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override;
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  SluPlan otherPlan(const PlanSpec& spec) { return otherPlans_->get(spec); }
  void dropPlans() override {
    plans_->clear();
    otherPlans_->clear();
  }

  const VulkanDevice& device() const { return device_; }
  VkBufferUsageFlags usage() const { return usage_; }

  // Discrete devices reach host memory through a bus, so frames work on device memory there.
  bool copies() const {
    return instance_.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU ||
           numberFromEnvironment("SLUICE_TEST_DEVICE_LOCAL") != 0;
  }

 private:
  const SluRoute route_;
  VulkanInstance instance_;
  VulkanDevice device_;
  VkBufferUsageFlags usage_;
  Context context_;
  std::unique_ptr<PlanCache> plans_;
  std::unique_ptr<PlanCache> otherPlans_;
};

// A scene's memory: mapped, and a copy in device memory where frames should not work on mapped memory.
struct SessionMemory {
  SessionMemory(const VulkanMachine& machine, std::uint64_t size)
      : mapped(machine.device(), size, machine.usage(), VulkanBuffer::Kind::mapped) {
    if (machine.copies()) {
      local = std::make_unique<VulkanBuffer>(machine.device(), size, machine.usage(), VulkanBuffer::Kind::deviceLocal);
    }
    require(machine.context(), registerBuffer(machine.context(), local ? *local : mapped, registered.put()),
            "sluCreateBuffer");
  }
  VulkanBuffer mapped;
  std::unique_ptr<VulkanBuffer> local;
  Buffer registered;
};

// What frames that are submitted again bring, for the most views and streams, and for their rejects.
constexpr std::uint64_t kTransientStride = 32768;

class VulkanSession : public Session {
 public:
  VulkanSession(VulkanMachine& machine, const Scene& scene)
      : machine_(machine),
        device_(machine.device()),
        scene_(scene),
        transient_(device_, kTransientStride * scene.frames.size(),
                   machine.usage() | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, VulkanBuffer::Kind::mapped) {
    require(machine.context(),
            registerBuffer(machine.context(), transient_, registeredTransient_.put(), transient_.mapped),
            "sluCreateBuffer");
    for (const Bytes& memory : scene.memories) {
      memories_.push_back(std::make_unique<SessionMemory>(machine, memory.size()));
    }
    upload_ = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    recordUpload();
    check(device_.functions.vkEndCommandBuffer(upload_), "vkEndCommandBuffer");
    frames_ = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    recordFrames(scene);
    check(device_.functions.vkEndCommandBuffer(frames_), "vkEndCommandBuffer");
    download_ = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    recordDownload();
    check(device_.functions.vkEndCommandBuffer(download_), "vkEndCommandBuffer");
  }

  ~VulkanSession() override {
    for (VkCommandBuffer commands : {upload_, frames_, download_}) device_.freeCommands(commands);
  }

  void execute(std::vector<Bytes>& memories, std::uint32_t times) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::memcpy(memories_[i]->mapped.mapped, memories[i].data(), memories[i].size());
    }
    std::vector<VkCommandBuffer> commands(times, frames_);
    commands.insert(commands.begin(), upload_);
    commands.push_back(download_);
    device_.submit(commands);
    readMemories(memories);
  }

  void endure(std::vector<Bytes>& memories, const Endurance& endurance) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::memcpy(memories_[i]->mapped.mapped, memories[i].data(), memories[i].size());
    }
    device_.submit({upload_});
    std::vector<std::unique_ptr<Slot>> slots;
    for (std::uint32_t i = 0; i < Endurance::kInFlight; ++i) {
      slots.push_back(std::make_unique<Slot>(machine_, endurance.mostBytes()));
    }
    for (std::uint64_t i = 0; i < endurance.frameCount + slots.size(); ++i) {
      Slot& slot = *slots[i % slots.size()];
      if (slot.commands != VK_NULL_HANDLE) {
        slot.await();
        endurance.judge(slot.frame, slot.told.mapped);
      }
      if (i >= endurance.frameCount) continue;
      slot.frame = endurance.frameAt(i);
      slot.commands = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      recordFrame(slot.commands, scene_.frames[slot.frame], machine_.plan(scene_.planOf(scene_.frames[slot.frame])),
                  {});
      recordTold(slot.commands, endurance.told[slot.frame], slot.told);
      check(device_.functions.vkEndCommandBuffer(slot.commands), "vkEndCommandBuffer");
      device_.enqueue({slot.commands}, {}, 0, {}, slot.fence);
    }
    device_.submit({download_});
    readMemories(memories);
  }

 private:
  // One of the frames in flight.
  struct Slot {
    Slot(const VulkanMachine& machine, std::uint64_t bytes)
        : device(machine.device()), told(device, bytes, machine.usage(), VulkanBuffer::Kind::mapped) {
      VkFenceCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
      check(device.functions.vkCreateFence(device.handle, &info, nullptr, &fence), "vkCreateFence");
    }
    ~Slot() {
      if (commands != VK_NULL_HANDLE) device.functions.vkWaitForFences(device.handle, 1, &fence, VK_TRUE, ~0ull);
      device.functions.vkDestroyFence(device.handle, fence, nullptr);
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    void await() {
      check(device.functions.vkWaitForFences(device.handle, 1, &fence, VK_TRUE, ~0ull), "vkWaitForFences");
      check(device.functions.vkResetFences(device.handle, 1, &fence), "vkResetFences");
      device.freeCommands(commands);
      commands = VK_NULL_HANDLE;
    }

    const VulkanDevice& device;
    VulkanBuffer told;
    VkFence fence = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;  // while it is in flight
    std::size_t frame = 0;
  };

  void readMemories(std::vector<Bytes>& memories) const {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::memcpy(memories[i].data(), memories_[i]->mapped.mapped, memories[i].size());
    }
  }

  void recordUpload() const {
    for (const auto& memory : memories_) {
      if (memory->local == nullptr) continue;
      const VkBufferCopy all{0, 0, memory->local->size};
      device_.functions.vkCmdCopyBuffer(upload_, memory->mapped.handle, memory->local->handle, 1, &all);
    }
    device_.barrier(upload_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES,
                    SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
  }

  void recordFrames(const Scene& scene) const {
    bool isSecond = false;
    SluBinding transient{registeredTransient_, 0};
    for (const FrameSpec& frame : scene.frames) {
      const PlanSpec& spec = scene.planOf(frame);
      recordFrame(frames_, frame, isSecond ? machine_.otherPlan(spec) : machine_.plan(spec), transient);
      isSecond = !isSecond;
      transient.offset += kTransientStride;
    }
  }

  // transient: none for plans that have slots of their own.
  void recordFrame(VkCommandBuffer commands, const FrameSpec& frame, SluPlan plan, SluBinding transient) const {
    const FrameArguments arguments(frame,
                                   [this](std::uint32_t memory) { return memories_.at(memory)->registered.get(); });
    SluFrameInfo info = *arguments.get();
    info.transient = transient;
    require(machine_.context(), sluCmdCompact(plan, commands, &info), "sluCmdCompact");
  }

  void recordTold(VkCommandBuffer commands, const std::vector<Endurance::Range>& ranges,
                  const VulkanBuffer& told) const {
    device_.barrier(commands, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_TRANSFER_READ_BIT);
    std::uint64_t offset = 0;
    for (const Endurance::Range& range : ranges) {
      const SessionMemory& memory = *memories_.at(range.place.memory);
      const VkBufferCopy copy{range.place.offset, offset, range.bytes};
      device_.functions.vkCmdCopyBuffer(commands, memory.local ? memory.local->handle : memory.mapped.handle,
                                        told.handle, 1, &copy);
      offset += range.bytes;
    }
    device_.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
  }

  void recordDownload() const {
    device_.barrier(download_, SLU_VULKAN_OUTPUT_STAGES, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    for (const auto& memory : memories_) {
      if (memory->local == nullptr) continue;
      const VkBufferCopy all{0, 0, memory->local->size};
      device_.functions.vkCmdCopyBuffer(download_, memory->local->handle, memory->mapped.handle, 1, &all);
    }
    device_.barrier(download_, SLU_VULKAN_OUTPUT_STAGES | VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
  }

  VulkanMachine& machine_;
  const VulkanDevice& device_;
  const Scene& scene_;
  std::vector<std::unique_ptr<SessionMemory>> memories_;
  VulkanBuffer transient_;
  Buffer registeredTransient_;
  VkCommandBuffer upload_ = VK_NULL_HANDLE;
  VkCommandBuffer frames_ = VK_NULL_HANDLE;
  VkCommandBuffer download_ = VK_NULL_HANDLE;
};

std::unique_ptr<Session> VulkanMachine::record(const Scene& scene) {
  return std::make_unique<VulkanSession>(*this, scene);
}

}  // namespace

std::unique_ptr<Machine> makeVulkanMachine() {
  return std::make_unique<VulkanMachine>(SLU_ROUTE_VULKAN, SLU_ROUTE_VULKAN, QueueKind::any);
}

std::unique_ptr<Machine> makeBoundMachine() {
  const bool several = numberFromEnvironment("SLUICE_TEST_SEVERAL_DISPATCHES") != 0;
  return std::make_unique<VulkanMachine>(SLU_ROUTE_VULKAN, SLU_ROUTE_VULKAN, QueueKind::any, Buffers::bound,
                                         several ? SLU_VULKAN_SEVERAL_DISPATCHES_BIT : 0);
}

std::unique_ptr<Machine> makeDispatchesMachine() {
  return std::make_unique<VulkanMachine>(SLU_ROUTE_VULKAN, SLU_ROUTE_VULKAN, QueueKind::any, Buffers::asTheRouteLikes,
                                         SLU_VULKAN_SEVERAL_DISPATCHES_BIT);
}

std::unique_ptr<Machine> makeInlineMachine() {
  return std::make_unique<VulkanMachine>(SLU_ROUTE_INLINE, SLU_ROUTE_INLINE, QueueKind::computeAlone);
}

std::unique_ptr<Machine> makeMixedMachine() {
  return std::make_unique<VulkanMachine>(SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, QueueKind::any);
}

}  // namespace slu::test
