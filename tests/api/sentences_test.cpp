// Sentences of failures: they name the remedy, whatever the host's locale, and each thread has its own.
#include <future>
#include <locale>
#include <thread>

#include "api/objects.h"
#include "base/structs.h"
#include "specimen.h"

#ifndef _WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace slu::test {
namespace {

void expectHolds(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
}

TEST(Sentences, NameTheConstantOfAForgottenSType) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  SluPlanCreateInfo forgotten{};
  SluPlan plan = nullptr;
  EXPECT_EQ(sluCreatePlan(specimen.context, &forgotten, &plan), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(), {"plan.sType: is 0", "SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO",
                                           "SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo)"});
  specimen.frame.structSize = 0;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(), {"frame.structSize: is 0", "SLU_INIT(FRAME_INFO, SluFrameInfo)"});
}

// Every struct of the headers has its constant and its name.
TEST(Sentences, KnowEveryStruct) {
  const std::pair<SluStructureType, const char*> structs[] = {
      {SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO, "(CONTEXT_CREATE_INFO, SluContextCreateInfo)"},
      {SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO, "(BUFFER_CREATE_INFO, SluBufferCreateInfo)"},
      {SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO, "(PLAN_CREATE_INFO, SluPlanCreateInfo)"},
      {SLU_STRUCTURE_TYPE_FRAME_INFO, "(FRAME_INFO, SluFrameInfo)"},
      {SLU_STRUCTURE_TYPE_ROUTE_INFO, "(ROUTE_INFO, SluRouteInfo)"},
      {SLU_STRUCTURE_TYPE_PLAN_PROPERTIES, "(PLAN_PROPERTIES, SluPlanProperties)"},
      {SLU_STRUCTURE_TYPE_OCCLUSION_INFO, "(OCCLUSION_INFO, SluOcclusionInfo)"},
      {SLU_STRUCTURE_TYPE_PYRAMID_CREATE_INFO, "(PYRAMID_CREATE_INFO, SluPyramidCreateInfo)"},
      {SLU_STRUCTURE_TYPE_PYRAMID_PROPERTIES, "(PYRAMID_PROPERTIES, SluPyramidProperties)"},
      {SLU_STRUCTURE_TYPE_PYRAMID_BUILD_INFO, "(PYRAMID_BUILD_INFO, SluPyramidBuildInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_PYRAMID_INFO, "(VULKAN_PYRAMID_INFO, SluVulkanPyramidInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_DEPTH_INFO, "(VULKAN_DEPTH_INFO, SluVulkanDepthInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS, "(VULKAN_REQUIREMENTS, SluVulkanRequirements)"},
      {SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, "(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, "(VULKAN_BUFFER_INFO, SluVulkanBufferInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO, "(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_MERGE_INFO, "(VULKAN_MERGE_INFO, SluVulkanMergeInfo)"},
      {SLU_STRUCTURE_TYPE_CUDA_DEVICE_INFO, "(CUDA_DEVICE_INFO, SluCudaDeviceInfo)"},
      {SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO, "(CUDA_BUFFER_INFO, SluCudaBufferInfo)"},
      {SLU_STRUCTURE_TYPE_CUDA_PREDICATE_INFO, "(CUDA_PREDICATE_INFO, SluCudaPredicateInfo)"},
      {SLU_STRUCTURE_TYPE_PREDICATE_STATE, "(PREDICATE_STATE, SluPredicateState)"},
      {SLU_STRUCTURE_TYPE_CUDA_SOURCE_INFO, "(CUDA_SOURCE_INFO, SluCudaSourceInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO, "(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo)"},
      {SLU_STRUCTURE_TYPE_MEMORY_FD_INFO, "(MEMORY_FD_INFO, SluMemoryFdInfo)"},
      {SLU_STRUCTURE_TYPE_VULKAN_TIMELINES, "(VULKAN_TIMELINES, SluVulkanTimelines)"},
      {SLU_STRUCTURE_TYPE_HANDOFF_INFO, "(HANDOFF_INFO, SluHandoffInfo)"},
      {SLU_STRUCTURE_TYPE_TRANSFER_INFO, "(TRANSFER_INFO, SluTransferInfo)"},
      {SLU_STRUCTURE_TYPE_HLSL_SOURCE_INFO, "(HLSL_SOURCE_INFO, SluHlslSourceInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_DEVICE_INFO, "(D3D12_DEVICE_INFO, SluD3D12DeviceInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO, "(D3D12_BUFFER_INFO, SluD3D12BufferInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_PYRAMID_INFO, "(D3D12_PYRAMID_INFO, SluD3D12PyramidInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO, "(D3D12_DEPTH_INFO, SluD3D12DepthInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO, "(D3D12_MEMORY_INFO, SluD3D12MemoryInfo)"},
      {SLU_STRUCTURE_TYPE_D3D12_FENCES, "(D3D12_FENCES, SluD3D12Fences)"},
      {SLU_STRUCTURE_TYPE_D3D12_TRANSFER_INFO, "(D3D12_TRANSFER_INFO, SluD3D12TransferInfo)"}};
  const StructHeader header{};
  for (const auto& [type, name] : structs) {
    try {
      checkHeader(&header, type, {16, 16}, "info");
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      expectHolds(error.what(), {std::string("SLU_INIT") + name});
    }
  }
}

TEST(Sentences, SayWhatMayBeChained) {
  Specimen specimen;
  const SluFrameInfo stranger = SLU_INIT(FRAME_INFO, SluFrameInfo);
  specimen.planInfo.pNext = &stranger;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(),
              {"plan.pNext: SluFrameInfo, or another API's struct with sType 4, does not belong here; ",
               "chain only SluHostPredicateInfo, SluGlslSourceInfo, SluSpirvPredicateInfo, SluHlslSourceInfo, ",
               "SluCudaPredicateInfo, SluCudaSourceInfo"});
  StructHeader foreign{13, 64, nullptr};
  specimen.planInfo.pNext = nullptr;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  specimen.frame.pNext = &foreign;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(), {"frame.pNext: a struct with sType 13 does not belong here",
                                           "chain only SluPredicateState, SluOcclusionInfo"});
}

#ifndef _WIN32
// What lies behind a struct may not even be readable.
TEST(Sentences, DoNotLookFarBehindAStruct) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(pages) + page, page, PROT_NONE), 0);
  auto* info = reinterpret_cast<SluContextCreateInfo*>(static_cast<char*>(pages) + page - sizeof(SluContextCreateInfo));
  *info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  for (const std::uint32_t size : {std::uint32_t{sizeof(*info)} + kMostUnknownBytes + 1, 0x7fffffffu, 0xffffffffu}) {
    info->structSize = size;
    SluContext context = nullptr;
    SluMessage message{};
    EXPECT_EQ(sluCreateContext(info, &context, &message), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(beginsWith(message.text, "context.structSize"));
    EXPECT_EQ(context, nullptr);
  }
  munmap(pages, 2 * page);
}
#endif

TEST(Sentences, NameWholeSize) {
  Specimen specimen;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = UINT64_MAX;
  info.hostPointer = specimen.memory.data();
  SluBuffer buffer = nullptr;
  EXPECT_EQ(sluCreateBuffer(specimen.context, &info, &buffer), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(), {"buffer.size: is VK_WHOLE_SIZE", "the bytes of the buffer"});
}

TEST(Sentences, TellTheRemedyOfOverlaps) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  const SluFrameInfo good = specimen.frame;
  specimen.frame.drawCounts = specimen.frame.liveCount;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(),
              {"frame.drawCounts: ", "frame.liveCount", "cannot write the count that it reads"});
  specimen.frame = good;
  specimen.frame.keptRecords = specimen.frame.records;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  expectHolds(specimen.context.message(), {"frame.keptRecords: ", "frame.records", "SLU_PLAN_IN_PLACE_BIT"});
}

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
  char do_decimal_point() const override { return ','; }
};

TEST(Sentences, HoldPlainNumbersWhateverTheLocale) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  Plan plan;
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  specimen.planInfo.recordStride = 123456;
  sluCreatePlan(specimen.context, &specimen.planInfo, plan.put());
  const std::string stride = specimen.context.message();
  specimen.views[0].minDistance = -1234.5f;
  sluCompact(specimen.plan, &specimen.frame);
  const std::string distance = specimen.context.message();
  std::locale::global(before);
  expectHolds(stride, {"plan.recordStride: is 123456,"});
  expectHolds(distance, {"minDistance: is -1234.5,"});
}

// Each thread fails in its own way, over and over, and reads what it did wrong.
TEST(Sentences, AreTheCallingThreadsOwn) {
  Specimen specimen;
  specimen.context.mute();
  const SluContext context = specimen.context;
  const auto fail = [&](std::uint32_t size) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = size;
    SluBuffer buffer = nullptr;
    EXPECT_EQ(sluCreateBuffer(context, &info, &buffer), SLU_ERROR_INVALID_ARGUMENT);
  };
  fail(1);
  const char* const mine = sluGetErrorMessage(context);
  // Of a thread that is not the first: the sentence stays where it is while others fail for the first time.
  std::promise<const char*> kept;
  std::promise<void> release;
  std::thread keeper([&] {
    fail(7);
    kept.set_value(sluGetErrorMessage(context));
    release.get_future().wait();
  });
  const char* const keepers = kept.get_future().get();
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint32_t i = 0; i < 200; ++i) {
        const std::uint32_t size = thread * 1000 + i * 4 + 1;
        fail(size);
        expectHolds(sluGetErrorMessage(context), {"buffer.size: is " + std::to_string(size) + ","});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mine, sluGetErrorMessage(context));
  expectHolds(mine, {"buffer.size: is 1,"});
  expectHolds(keepers, {"buffer.size: is 7,"});
  release.set_value();
  keeper.join();
}

// The log has the whole reason, also where SluRouteInfo has no room for it.
TEST(Sentences, AreWholeInTheLog) {
  LoggedContext context;
  const std::string reason = std::string(2 * SLU_MESSAGE_CAPACITY, 'x') + "end";
  ContextState& state = *static_cast<SluContext>(context)->state;
  state.refuse(SLU_ROUTE_CUDA, SLU_ERROR_ROUTE_UNAVAILABLE, reason.c_str());
  state.logRoutes();
  bool found = false;
  for (const LogLine& line : context.log()) found = found || line.text == "route cuda: not available: " + reason;
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace slu::test
