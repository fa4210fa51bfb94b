// Several threads record, or run, frames of different plans of one context at once.
#include <thread>

#include "fixture.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kThreads = 6;
constexpr std::uint32_t kRounds = 40;
constexpr std::uint32_t kMostRecords = 3'000;

// What a thread works on: a plan of its own, a frame, and the memory of both.
struct Work {
  Work(SluContext context, SluRoute route, Random& random) : context_(context) {
    PlanSpec spec = makeRandomPlan(kMostRecords, random);
    spec.info.flags = 0;  // a frame that is executed again finds the records as they were
    scene =
        makeScene(spec, makeInput(spec, random.below(spec.info.maxRecordCount + 1), Pattern::half, random), 1, random);
    require(context, sluCreatePlan(context, PlanArguments(spec, route).get(), plan.put()), "sluCreatePlan");
  }

  // Runs the frame by verb(plan, frame), between calls that fail, whose sentences are this thread's.
  template <typename Verb>
  void repeat(const SluFrameInfo& frame, std::uint32_t thread, const Verb& verb) {
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      SluFrameInfo wrong = frame;
      wrong.viewCount = 100 + thread;
      EXPECT_EQ(verb(SluPlan(plan), &wrong), SLU_ERROR_INVALID_ARGUMENT);
      EXPECT_NE(std::string(sluGetErrorMessage(context_)).find("is " + std::to_string(100 + thread)),
                std::string::npos);
      EXPECT_EQ(verb(SluPlan(plan), &frame), SLU_SUCCESS) << sluGetErrorMessage(context_);
    }
  }

  Scene scene;
  Plan plan;

 private:
  SluContext context_;
};

class Threads : public VulkanTest {
 protected:
  void TearDown() override {
    works.clear();
    context.reset();
    VulkanTest::TearDown();
  }

  // Creating is for one thread at a time.
  void makeWorks(SluRoute route) {
    context = makeContext();
    for (std::uint32_t i = 0; i < kThreads; ++i) works.push_back(std::make_unique<Work>(context, route, random));
  }

  template <typename Body>
  void runAll(const Body& body) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < kThreads; ++i) threads.emplace_back([&body, i] { body(i); });
    for (std::thread& thread : threads) thread.join();
  }

  Random random;
  Context context;
  std::vector<std::unique_ptr<Work>> works;
};

// A command buffer in a pool of its own, as Vulkan asks of a thread.
class Recorder {
 public:
  explicit Recorder(const VulkanDevice& device) : device_(device) {
    VkCommandPoolCreateInfo poolInfo{};
    poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    poolInfo.queueFamilyIndex = device.queueFamily;
    check(device.functions.vkCreateCommandPool(device.handle, &poolInfo, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo allocateInfo{};
    allocateInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocateInfo.commandPool = pool_;
    allocateInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocateInfo.commandBufferCount = 1;
    check(device.functions.vkAllocateCommandBuffers(device.handle, &allocateInfo, &commands),
          "vkAllocateCommandBuffers");
  }
  ~Recorder() { device_.functions.vkDestroyCommandPool(device_.handle, pool_, nullptr); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  VkCommandBuffer commands = VK_NULL_HANDLE;

 private:
  const VulkanDevice& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

// A scene's memories as buffers of the context.
struct SceneBuffers {
  SceneBuffers(SluContext context, const VulkanDevice& device, const Scene& scene) : registered(scene.memories.size()) {
    for (std::size_t i = 0; i < scene.memories.size(); ++i) {
      const Bytes& bytes = scene.memories[i];
      memories.push_back(
          std::make_unique<VulkanBuffer>(device, bytes.size(), allUsages(device.instance), VulkanBuffer::Kind::mapped));
      std::copy(bytes.begin(), bytes.end(), memories[i]->mapped);
      require(context, registerBuffer(context, *memories[i], registered[i].put()), "sluCreateBuffer");
    }
  }
  std::vector<Bytes> contents() const {
    std::vector<Bytes> bytes;
    for (const auto& memory : memories) bytes.emplace_back(memory->mapped, memory->mapped + memory->size);
    return bytes;
  }

  std::vector<std::unique_ptr<VulkanBuffer>> memories;
  std::vector<Buffer> registered;
};

TEST_F(Threads, RecordDifferentPlansAtOnce) {
  makeWorks(SLU_ROUTE_VULKAN);
  std::vector<std::unique_ptr<SceneBuffers>> buffers;
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const auto& work : works) {
    buffers.push_back(std::make_unique<SceneBuffers>(context, device(), work->scene));
    recorders.push_back(std::make_unique<Recorder>(device()));
  }
  runAll([&](std::uint32_t thread) {
    Work& work = *works[thread];
    const FrameArguments arguments(work.scene.frames[0],
                                   [&](std::uint32_t memory) { return buffers[thread]->registered.at(memory).get(); });
    const VkCommandBuffer commands = recorders[thread]->commands;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    EXPECT_EQ(device().functions.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
    work.repeat(*arguments.get(), thread,
                [&](SluPlan plan, const SluFrameInfo* frame) { return sluCmdCompact(plan, commands, frame); });
    EXPECT_EQ(device().functions.vkEndCommandBuffer(commands), VK_SUCCESS);
  });
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    device().submit({recorders[i]->commands});
    std::vector<Bytes> actual = buffers[i]->contents();
    EXPECT_TRUE(agreesWithReference(works[i]->scene, actual));
  }
}

TEST_F(Threads, RunDifferentPlansOfTheCpuRouteAtOnce) {
  makeWorks(SLU_ROUTE_CPU);
  std::vector<std::vector<Bytes>> memories;
  for (const auto& work : works) memories.push_back(work->scene.memories);
  std::vector<std::unique_ptr<HostFrames>> frames;
  for (std::vector<Bytes>& own : memories) frames.push_back(std::make_unique<HostFrames>(context, own));
  runAll([&](std::uint32_t thread) {
    Work& work = *works[thread];
    frames[thread]->run(work.plan, work.scene.frames[0], [&](SluPlan, const SluFrameInfo* frame) {
      work.repeat(*frame, thread, sluCompact);
      return SLU_SUCCESS;
    });
  });
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_TRUE(agreesWithReference(works[i]->scene, memories[i]));
}

}  // namespace
}  // namespace slu::test
