// Versions of structs: a host that is older than the library, and one that is newer.
#include "base/structs.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "specimen.h"

namespace slu::test {
namespace {

// The second version of a struct whose first one ended before `added`.
struct Grown {
  SluStructureType sType;
  std::uint32_t structSize;
  const void* pNext;
  std::uint64_t first;
  std::uint64_t added;
};
constexpr std::uint32_t kFirstVersion = sizeof(Grown) - sizeof(std::uint64_t);
constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_FRAME_INFO;

Grown readGrown(const Grown& in) { return readStruct(&in, kType, kFirstVersion, "grown"); }

void expectRefused(const Grown& in, const std::string& field) {
  try {
    readGrown(in);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.result(), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(beginsWith(error.what(), field));
  }
}

TEST(ReadStruct, ExtendsAnOlderVersionByZeros) {
  const Grown in{kType, kFirstVersion, nullptr, 5, 6};
  const Grown out = readGrown(in);
  EXPECT_EQ(out.first, 5u);
  EXPECT_EQ(out.added, 0u);
}

TEST(ReadStruct, TakesTheSameVersionWhole) {
  const Grown out = readGrown({kType, sizeof(Grown), nullptr, 5, 6});
  EXPECT_EQ(out.first, 5u);
  EXPECT_EQ(out.added, 6u);
}

TEST(ReadStruct, RefusesWhatIsTooSmall) {
  expectRefused({kType, kFirstVersion - 1, nullptr, 5, 6}, "grown.structSize");
}

TEST(ReadStruct, RefusesAnotherType) {
  expectRefused({SLU_STRUCTURE_TYPE_ROUTE_INFO, sizeof(Grown), nullptr, 5, 6}, "grown.sType");
}

TEST(ReadStruct, RefusesNull) { EXPECT_THROW(readStruct<Grown>(nullptr, kType, kFirstVersion, "grown"), Error); }

TEST(WriteStruct, EndsWhereTheHostsVersionEnds) {
  Grown out{kType, kFirstVersion, &out, 5, 6};
  writeStruct(&out, Grown{SLU_STRUCTURE_TYPE_ROUTE_INFO, 1, nullptr, 50, 60});
  EXPECT_EQ(out.sType, kType);
  EXPECT_EQ(out.structSize, kFirstVersion);
  EXPECT_EQ(out.pNext, &out);
  EXPECT_EQ(out.first, 50u);
  EXPECT_EQ(out.added, 6u);
}

TEST(Chain, FindsByType) {
  const Grown second{SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, sizeof(Grown), nullptr, 1, 1};
  const Grown first{SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, sizeof(Grown), &second, 1, 1};
  EXPECT_EQ(findInChain<Grown>(&first, SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO), &second);
  EXPECT_EQ(findInChain<Grown>(&first, SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO), &first);
  EXPECT_EQ(findInChain<Grown>(&first, SLU_STRUCTURE_TYPE_FRAME_INFO), nullptr);
  EXPECT_EQ(findInChain<Grown>(nullptr, SLU_STRUCTURE_TYPE_FRAME_INFO), nullptr);
}

TEST(Chain, RefusesStrangersDuplicatesAndCircles) {
  const auto allowed = {SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO};
  Grown second{SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, sizeof(Grown), nullptr, 1, 1};
  const Grown first{SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO, sizeof(Grown), &second, 1, 1};
  EXPECT_NO_THROW(checkChain(&first, allowed, "grown"));
  EXPECT_NO_THROW(checkChain(nullptr, {}, "grown"));
  EXPECT_THROW(checkChain(&first, {}, "grown"), Error);
  second.pNext = &first;
  EXPECT_THROW(checkChain(&first, allowed, "grown"), Error);
  second.pNext = &second;
  EXPECT_THROW(checkChain(&first, allowed, "grown"), Error);
  second.pNext = nullptr;
  second.sType = SLU_STRUCTURE_TYPE_VULKAN_DEVICE_INFO;
  EXPECT_THROW(checkChain(&first, allowed, "grown"), Error);
  second.sType = static_cast<SluStructureType>(77);
  try {
    checkChain(&first, allowed, "grown");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("77"), std::string::npos) << error.what();
  }
}

// A struct of the ABI as a newer host knows it.
template <typename T>
struct Newer {
  T known;
  std::array<std::uint8_t, 24> tail;
};

template <typename T>
Newer<T> makeNewer(const T& known) {
  Newer<T> newer{known, {}};
  newer.known.structSize = sizeof(newer);
  return newer;
}

TEST(NewerHost, MayLeaveWhatIsUnknownHereZero) {
  auto contextInfo = makeNewer<SluContextCreateInfo>(SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo));
  Context context;
  EXPECT_EQ(sluCreateContext(&contextInfo.known, context.put(), nullptr), SLU_SUCCESS);
  contextInfo.tail[23] = 1;
  SluContext none = nullptr;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&contextInfo.known, &none, &message), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  EXPECT_TRUE(beginsWith(message.text, "context.structSize"));

  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  auto bufferInfo = makeNewer<SluBufferCreateInfo>(SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo));
  bufferInfo.known.size = 4;
  bufferInfo.known.hostPointer = specimen.memory.data();
  Buffer buffer;
  EXPECT_EQ(sluCreateBuffer(specimen.context, &bufferInfo.known, buffer.put()), SLU_SUCCESS);
  bufferInfo.tail[0] = 1;
  EXPECT_EQ(sluCreateBuffer(specimen.context, &bufferInfo.known, buffer.put()), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "buffer.structSize"));

  auto planInfo = makeNewer(specimen.planInfo);
  Plan plan;
  EXPECT_EQ(sluCreatePlan(specimen.context, &planInfo.known, plan.put()), SLU_SUCCESS);
  planInfo.tail[9] = 0x80;
  EXPECT_EQ(sluCreatePlan(specimen.context, &planInfo.known, plan.put()), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.structSize"));

  auto frame = makeNewer(specimen.frame);
  EXPECT_EQ(sluCompact(specimen.plan, &frame.known), SLU_SUCCESS);
  frame.tail[23] = 1;
  EXPECT_EQ(sluCompact(specimen.plan, &frame.known), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "frame.structSize"));
}

// hostFlags came later: what lies behind the struct of an older host is not read.
TEST(OlderHost, HasNoHostFlags) {
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.structSize = offsetof(SluContextCreateInfo, hostFlags);
  info.hostFlags = ~0u;
  Context context;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
}

// Mesh tables came later: where their first word lies a host that knows none has a zero.
TEST(OlderHost, HasNoMeshTable) {
  Specimen specimen;
  constexpr std::size_t kFlags = offsetof(SluPlanCreateInfo, lod) + offsetof(SluLod, flags);
  std::memset(&specimen.planInfo.lod.flags, 0xff, sizeof(SluPlanCreateInfo) - kFlags);
  specimen.planInfo.structSize = static_cast<std::uint32_t>(kFlags);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  std::memset(&specimen.frame.meshes, 0xff, sizeof(SluFrameInfo) - offsetof(SluFrameInfo, meshes));
  specimen.frame.structSize = offsetof(SluFrameInfo, meshes);
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
}

// So did layers.
TEST(OlderHost, HasNoLayers) {
  Specimen specimen;
  std::memset(&specimen.planInfo.layers, 0xff, sizeof(SluLayers));
  specimen.planInfo.structSize = offsetof(SluPlanCreateInfo, layers);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  std::memset(&specimen.frame.layers, 0xff, sizeof(SluBinding));
  specimen.frame.structSize = offsetof(SluFrameInfo, layers);
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
}

// So did streams that records share.
TEST(OlderHost, HasNoIndices) {
  Specimen specimen;
  std::memset(&specimen.planInfo.indices, 0xff, sizeof(SluIndices));
  specimen.planInfo.structSize = offsetof(SluPlanCreateInfo, indices);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  std::memset(&specimen.frame.boundsCount, 0xff, sizeof(SluFrameInfo) - offsetof(SluFrameInfo, boundsCount));
  specimen.frame.structSize = offsetof(SluFrameInfo, boundsCount);
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
}

// So did more planes than six.
TEST(OlderHost, HasNoMorePlanes) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  std::memset(&specimen.frame.morePlanes, 0xff, sizeof(SluFrameInfo) - offsetof(SluFrameInfo, morePlanes));
  specimen.frame.structSize = offsetof(SluFrameInfo, morePlanes);
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
}

// So did states of LODs.
TEST(OlderHost, HasNoLodStates) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  constexpr std::size_t kStates = offsetof(SluFrameInfo, lastLodStates);
  std::memset(&specimen.frame.lastLodStates, 0xff, sizeof(SluFrameInfo) - kStates);
  specimen.frame.structSize = kStates;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  properties.structSize = offsetof(SluPlanProperties, lodStatesBytes);
  properties.lodStatesBytes = 7;
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(properties.lodStatesBytes, 7u);
}

// Padding would differ from compiler to compiler, and hosts pass arrays of these.
TEST(Structs, HaveNoPadding) {
  EXPECT_EQ(sizeof(SluLod), 2u * 4);
  EXPECT_EQ(sizeof(SluMeshes), 9u * 4);
  EXPECT_EQ(sizeof(SluView), (24u + 3 + 3 + SLU_MAX_LODS - 1 + 3 + 3) * 4);
  EXPECT_EQ(sizeof(SluMorePlanes), (1u + 24) * 4);
  EXPECT_EQ(sizeof(SluStatistics), 64u);
  EXPECT_EQ(offsetof(SluStatistics, rejectedCount) + SLU_REJECT_COUNT * 4, 64u);
  EXPECT_EQ(sizeof(SluPlanCreateInfo), offsetof(SluPlanCreateInfo, lod) + sizeof(SluLod) + sizeof(SluMeshes) +
                                           sizeof(SluLayers) + sizeof(SluIndices) + 2 * 4 + sizeof(SluGroups) + 2 * 4 +
                                           sizeof(void*) + sizeof(SluRejects) + sizeof(SluCones));
  EXPECT_EQ(sizeof(SluRejects), 2u * 4);
  EXPECT_EQ(sizeof(SluCones), 2u * 4);
  EXPECT_EQ(sizeof(SluOcclusionView), (16u + 2) * 4);
  EXPECT_EQ(sizeof(SluOcclusionInfo),
            2u * 4 + sizeof(void*) + 2 * 4 + sizeof(void*) + sizeof(SluBinding) + 4 * 4 + 2 * sizeof(SluBinding));
  EXPECT_EQ(sizeof(SluStream), 3u * 4);
  EXPECT_EQ(sizeof(SluStreamBinding), 2 * sizeof(SluBinding));
  EXPECT_EQ(sizeof(SluFrameInfo),
            offsetof(SluFrameInfo, transient) + 8 * sizeof(SluBinding) + 12 * 4 + 2 * sizeof(void*));
}

TEST(NewerHost, KeepsTheTailOfItsOutputs) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  auto properties = makeNewer<SluPlanProperties>(SLU_INIT(PLAN_PROPERTIES, SluPlanProperties));
  properties.tail.fill(9);
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties.known), SLU_SUCCESS);
  EXPECT_EQ(properties.known.structSize, sizeof(properties));
  EXPECT_EQ(properties.known.bucketCount, 6u);
  auto route = makeNewer<SluRouteInfo>(SLU_INIT(ROUTE_INFO, SluRouteInfo));
  route.tail.fill(9);
  EXPECT_EQ(sluGetRouteInfo(specimen.context, SLU_ROUTE_CPU, &route.known), SLU_SUCCESS);
  EXPECT_EQ(route.known.available, 1u);
  for (std::size_t i = 0; i < properties.tail.size(); ++i) {
    EXPECT_EQ(properties.tail[i], 9);
    EXPECT_EQ(route.tail[i], 9);
  }
}

}  // namespace
}  // namespace slu::test
