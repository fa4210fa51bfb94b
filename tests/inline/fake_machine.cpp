#include "fake_machine.h"

#include <gtest/gtest.h>

#include <cstring>

namespace slu::test {
namespace {

class FakeMachine : public Machine {
 public:
  explicit FakeMachine(const FakeDriver& driver) : device_(instance_), kernels_(device_, driver) {
    if (instance_.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
      throw Unavailable("a GPU's addresses are not the CPU's, which executes what the fake records");
    }
    const SluVulkanDeviceInfo vulkan = kernels_.info();
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_INLINE);
  }
  ~FakeMachine() override {
    plans_.reset();
    context_.reset();
    if (kernels_.aliveCount() != 0) ADD_FAILURE() << kernels_.aliveCount() << " modules or functions are left behind";
  }

  SluRoute route() const override { return SLU_ROUTE_INLINE; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override;
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  void dropPlans() override { plans_->clear(); }

  const VulkanDevice& device() const { return device_; }
  FakeKernels& kernels() { return kernels_; }

 private:
  VulkanInstance instance_;
  VulkanDevice device_;
  FakeKernels kernels_;
  Context context_;
  std::unique_ptr<PlanCache> plans_;
};

// On mapped memory. The command buffer is never submitted: the CPU executes what the fake noted.
class FakeSession : public Session {
 public:
  FakeSession(FakeMachine& machine, const Scene& scene) : machine_(machine), memories_(scene.memories.size()) {
    const VkBufferUsageFlags usage = allUsages(machine.device().instance);
    for (std::size_t i = 0; i < memories_.size(); ++i) {
      Memory& memory = memories_[i];
      memory.buffer =
          std::make_unique<VulkanBuffer>(machine.device(), scene.memories[i].size(), usage, VulkanBuffer::Kind::mapped);
      require(machine.context(), registerBuffer(machine.context(), *memory.buffer, memory.registered.put()),
              "sluCreateBuffer");
    }
    commands_ = machine.device().beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    for (const FrameSpec& frame : scene.frames) {
      const FrameArguments arguments(frame,
                                     [this](std::uint32_t memory) { return memories_.at(memory).registered.get(); });
      require(machine.context(), sluCmdCompact(machine.plan(scene.planOf(frame)), commands_, arguments.get()),
              "sluCmdCompact");
    }
    check(machine.device().functions.vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
  }
  ~FakeSession() override {
    machine_.kernels().forget(commands_);
    machine_.device().freeCommands(commands_);
  }

  void execute(std::vector<Bytes>& memories, std::uint32_t times) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::memcpy(memories_[i].buffer->mapped, memories[i].data(), memories[i].size());
    }
    for (std::uint32_t i = 0; i < times; ++i) machine_.kernels().execute(commands_);
    for (std::size_t i = 0; i < memories.size(); ++i) {
      std::memcpy(memories[i].data(), memories_[i].buffer->mapped, memories[i].size());
    }
    if (!machine_.kernels().complaints().empty()) throw std::runtime_error(machine_.kernels().complaints().front());
  }

 private:
  struct Memory {
    std::unique_ptr<VulkanBuffer> buffer;
    Buffer registered;
  };
  FakeMachine& machine_;
  std::vector<Memory> memories_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

std::unique_ptr<Session> FakeMachine::record(const Scene& scene) { return std::make_unique<FakeSession>(*this, scene); }

}  // namespace

std::unique_ptr<Machine> makeFakeMachine(const FakeDriver& driver) { return std::make_unique<FakeMachine>(driver); }

}  // namespace slu::test
