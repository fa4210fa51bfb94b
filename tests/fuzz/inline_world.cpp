// The inline route on a driver that is played: Mesa's CPU driver, and the kernels' own source on the CPU.
#include <sluice/sluice_vulkan.h>

#include <cstdlib>

#include "api/objects.h"
#include "expect.h"
#include "inline/fake_kernels.h"
#include "world.h"

namespace slu::fuzz {
namespace {

using test::VulkanBuffer;

// Layers are for what hosts do wrong, and slow; a GPU's addresses are not the CPU's. An input always gives the same
// schedule of threads.
void prepareEnvironment() {
  setenv("SLUICE_TEST_SEED", "1", 0);
  setenv("VK_LAYER_PATH", "/nonexistent", 1);
  unsetenv("SLUICE_REQUIRE_VALIDATION");
  setenv("SLUICE_TEST_DEVICE", "llvmpipe", 0);
}

// Mapped buffers that are used again and again: a block is the beginning of one.
class BufferPool {
 public:
  explicit BufferPool(const test::VulkanDevice& device) : device_(device) {}

  std::unique_ptr<VulkanBuffer> take() {
    if (free_.empty()) {
      return std::make_unique<VulkanBuffer>(device_, World::kMaxBlockBytes, allUsages(device_.instance),
                                            VulkanBuffer::Kind::mapped);
    }
    std::unique_ptr<VulkanBuffer> buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
  }
  void giveBack(std::unique_ptr<VulkanBuffer> buffer) { free_.push_back(std::move(buffer)); }

 private:
  const test::VulkanDevice& device_;
  std::vector<std::unique_ptr<VulkanBuffer>> free_;
};

class VulkanBlock final : public Block {
 public:
  VulkanBlock(BufferPool& pool, std::unique_ptr<VulkanBuffer> buffer, std::uint64_t bytes)
      : Block(buffer->mapped, bytes), pool_(pool), buffer_(std::move(buffer)) {
    info_.buffer = buffer_->handle;
    info_.usage = buffer_->usage;
  }
  ~VulkanBlock() override { pool_.giveBack(std::move(buffer_)); }
  const void* chain() const override { return &info_; }

 private:
  BufferPool& pool_;
  std::unique_ptr<VulkanBuffer> buffer_;
  SluVulkanBufferInfo info_ = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
};

class InlineWorld final : public World {
 public:
  // With little shared memory, as where the queue draws, and with much.
  InlineWorld() : device_(instance_), kernels_(device_), pool_(device_) {
    addContext();
    kernels_.driver().hasGraphics = false;
    addContext();
  }
  SluRoute route() const override { return SLU_ROUTE_INLINE; }
  std::uint32_t mostTests() const override { return 2048; }  // kernels on the CPU take milliseconds
  std::uint32_t mostFrames() const override { return 3; }
  std::uint32_t mostBuilds() const override { return 3; }
  const std::vector<LoggedContext>& contexts() const override { return contexts_; }
  std::unique_ptr<Block> makeBlock(std::uint64_t bytes) override {
    return std::make_unique<VulkanBlock>(pool_, pool_.take(), bytes);
  }
  SluResult run(SluPlan plan, const SluFrameInfo* frame) override;
  SluResult build(SluPyramid pyramid, const SluPyramidBuildInfo* build) override;

 private:
  void addContext();

  test::VulkanInstance instance_;
  test::VulkanDevice device_;
  test::FakeKernels kernels_;
  BufferPool pool_;
  std::vector<LoggedContext> contexts_;
};

void InlineWorld::addContext() {
  const SluVulkanDeviceInfo vulkan = kernels_.info();
  LoggedContext& context = contexts_.emplace_back();
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &vulkan;
  info.log = ErrorLog::note;
  info.logUserData = context.log.get();
  SluMessage message{};
  expect(sluCreateContext(&info, context.handle.put(), &message) == SLU_SUCCESS, message.text);
  ContextState& state = *context.handle.get()->state;
  expect(state.routes[SLU_ROUTE_INLINE] != nullptr, "no inline route: ", state.reason(SLU_ROUTE_INLINE));
  // Its plans compile for seconds, and nothing executes their frames.
  state.routes[SLU_ROUTE_VULKAN].reset();
  state.refuse(SLU_ROUTE_VULKAN, SLU_ERROR_ROUTE_UNAVAILABLE, "it is left out");
}

SluResult InlineWorld::run(SluPlan plan, const SluFrameInfo* frame) {
  const VkCommandBuffer commands = device_.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  const SluResult result = sluCmdCompact(plan, commands, frame);
  expect(result == SLU_SUCCESS || kernels_.launches(commands).empty(), "a frame that failed was recorded");
  if (result == SLU_SUCCESS) kernels_.execute(commands);
  const std::vector<std::string> complaints = kernels_.complaints();
  expect(complaints.empty(), "a recording is malformed: ", complaints.empty() ? "" : complaints.front());
  kernels_.forget(commands);
  device_.freeCommands(commands);
  return result;
}

// Builds are shaders, which Mesa's driver executes. It executes what a build that fails left behind, too.
SluResult InlineWorld::build(SluPyramid pyramid, const SluPyramidBuildInfo* build) {
  SluResult result = SLU_SUCCESS;
  device_.runOnce([&](VkCommandBuffer commands) {
    result = sluCmdBuildPyramid(pyramid, commands, build);
    expect(kernels_.launches(commands).empty(), "a build launches kernels of CUDA");
    kernels_.forget(commands);
  });
  return result;
}

}  // namespace

// Never destroyed: drivers are unloaded while a leak checker looks on.
World& theWorld() {
  static World* const world = [] {
    prepareEnvironment();
    return new InlineWorld;
  }();
  return *world;
}

}  // namespace slu::fuzz
