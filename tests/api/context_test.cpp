// Contexts, buffers, messages and the order in which things are destroyed.
#include <sluice/sluice_cuda.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "api/objects.h"
#include "base/structs.h"
#include "specimen.h"

namespace slu::test {
namespace {

TEST(Names, AreThoseOfTheHeader) {
  EXPECT_STREQ(sluGetResultName(SLU_SUCCESS), "SLU_SUCCESS");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_INVALID_ARGUMENT), "SLU_ERROR_INVALID_ARGUMENT");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_OUT_OF_HOST_MEMORY), "SLU_ERROR_OUT_OF_HOST_MEMORY");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_OUT_OF_DEVICE_MEMORY), "SLU_ERROR_OUT_OF_DEVICE_MEMORY");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_MISSING_FEATURE), "SLU_ERROR_MISSING_FEATURE");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_ROUTE_UNAVAILABLE), "SLU_ERROR_ROUTE_UNAVAILABLE");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_DEVICE_LOST), "SLU_ERROR_DEVICE_LOST");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_DRIVER), "SLU_ERROR_DRIVER");
  EXPECT_STREQ(sluGetResultName(SLU_ERROR_INTERNAL), "SLU_ERROR_INTERNAL");
  EXPECT_STREQ(sluGetResultName(static_cast<SluResult>(-1000)), "unknown result");
  const char* routes[] = {"auto", "cpu", "vulkan", "cuda", "inline", "d3d12", "unknown"};
  for (int i = 0; i < 7; ++i) EXPECT_STREQ(sluGetRouteName(static_cast<SluRoute>(i)), routes[i]);
  EXPECT_EQ(sluGetVersion(), (0u << 22) | (1u << 12) | 0u);
}

TEST(Context, SaysWhichRoutesItHas) {
  LoggedContext context;
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CPU, &info), SLU_SUCCESS);
  EXPECT_EQ(info.route, SLU_ROUTE_CPU);
  EXPECT_EQ(info.available, 1u);
  EXPECT_STREQ(info.reason, "");
  for (const SluRoute route : {SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE, SLU_ROUTE_D3D12}) {
    ASSERT_EQ(sluGetRouteInfo(context, route, &info), SLU_SUCCESS);
    EXPECT_EQ(info.route, route);
    EXPECT_EQ(info.available, 0u);
    EXPECT_STRNE(info.reason, "");
  }
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &info), SLU_SUCCESS);
  EXPECT_EQ(info.route, SLU_ROUTE_CPU);
  EXPECT_EQ(info.available, 1u);
  for (const char* name : {"inline: ", "cuda: ", "vulkan: ", "d3d12: "})
    EXPECT_NE(std::strstr(info.reason, name), nullptr);

  ASSERT_EQ(context.log().size(), SLU_ROUTE_COUNT - 1);
  for (const LogLine& line : context.log()) EXPECT_EQ(line.severity, SLU_LOG_INFO);
  EXPECT_EQ(context.message(), "");
}

class FakeRoute : public Route {
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo&) override { return nullptr; }
  void checkUse(const RouteBuffer&, Use, const char*) const override {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout&) override {
    fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, "the fake route's sentence");
  }
};

TEST(Context, TakesTheBestRouteForAuto) {
  Specimen specimen;
  SluContext context = specimen.context;
  context->state->routes[SLU_ROUTE_VULKAN] = std::make_unique<FakeRoute>();
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(specimen.context, SLU_ROUTE_AUTO, &info), SLU_SUCCESS);
  EXPECT_EQ(info.route, SLU_ROUTE_VULKAN);
  EXPECT_NE(std::strstr(info.reason, "inline: "), nullptr);
  EXPECT_EQ(std::strstr(info.reason, "vulkan: "), nullptr) << "it is not better than itself";
  EXPECT_EQ(std::strstr(info.reason, "cuda: "), nullptr) << "a hand-off costs more than it brings";
  specimen.planInfo.route = SLU_ROUTE_AUTO;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(specimen.context.message(), "the fake route's sentence");
  EXPECT_EQ(specimen.plan.get(), nullptr);

  context->state->routes[SLU_ROUTE_CUDA] = std::move(context->state->routes[SLU_ROUTE_VULKAN]);
  ASSERT_EQ(sluGetRouteInfo(specimen.context, SLU_ROUTE_AUTO, &info), SLU_SUCCESS);
  EXPECT_EQ(info.route, SLU_ROUTE_CUDA) << "of a host with CUDA alone";
}

// What auto picks, and why, in a context for hosts with these SluHostFlagBits where these routes are available.
SluRouteInfo autoRoute(SluFlags hostFlags, const std::vector<SluRoute>& available) {
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.hostFlags = hostFlags;
  Context context;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
  for (const SluRoute route : available) context.get()->state->routes[route] = std::make_unique<FakeRoute>();
  auto picked = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &picked), SLU_SUCCESS);
  return picked;
}

TEST(HostFlags, DecideAmongTheRoutesThatAreThere) {
  constexpr SluFlags kRecords = SLU_HOST_RECORDS_BIT, kEnqueues = SLU_HOST_ENQUEUES_BIT;
  constexpr SluFlags kRecordsD3D12 = SLU_HOST_RECORDS_D3D12_BIT;
  const std::vector<SluRoute> all = {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_D3D12, SLU_ROUTE_CUDA};
  const std::pair<SluFlags, std::vector<SluRoute>> orders[] = {
      {0, all},
      {kRecords, {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN}},
      {kEnqueues, {SLU_ROUTE_CUDA}},
      {kRecordsD3D12, {SLU_ROUTE_D3D12}},
      {kRecords | kEnqueues, {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA}},
      {kRecords | kEnqueues | kRecordsD3D12, all}};
  for (const auto& [flags, order] : orders) {
    for (unsigned subset = 0; subset < 16; ++subset) {
      std::vector<SluRoute> available;
      for (unsigned i = 0; i < all.size(); ++i) {
        if ((subset >> i & 1) != 0) available.push_back(all[i]);
      }
      const auto best = std::find_first_of(order.begin(), order.end(), available.begin(), available.end());
      const SluRouteInfo picked = autoRoute(flags, available);
      EXPECT_EQ(picked.route, best == order.end() ? SLU_ROUTE_CPU : *best)
          << "flags " << flags << ", routes " << subset;
      EXPECT_EQ(picked.available, 1u);
    }
  }
}

TEST(HostFlags, AreTheReasonWhereTheyExcludeARoute) {
  const std::vector<SluRoute> all = {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_D3D12, SLU_ROUTE_CUDA};
  EXPECT_STREQ(autoRoute(SLU_HOST_ENQUEUES_BIT, all).reason,
               "inline: the host does not call sluCmdCompact (context.hostFlags); "
               "vulkan: the host does not call sluCmdCompact (context.hostFlags); "
               "d3d12: the host does not call sluCmdCompactD3D12 (context.hostFlags)");
  EXPECT_STREQ(autoRoute(SLU_HOST_RECORDS_BIT, all).reason, "");
  const std::string recorded = autoRoute(SLU_HOST_RECORDS_BIT, {SLU_ROUTE_CUDA}).reason;
  EXPECT_NE(recorded.find("cuda: the host does not call sluEnqueueCompact (context.hostFlags)"), std::string::npos)
      << recorded;
  EXPECT_EQ(recorded.find("sluCmdCompact "), std::string::npos) << recorded;
}

// Stands in for the CPU route: notes how each binding is used, and refuses one of them.
class PickyRoute : public Route {
 public:
  explicit PickyRoute(std::string refused) : refused_(std::move(refused)) {}
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo&) override { return nullptr; }
  void checkUse(const RouteBuffer&, Use use, const char* field) const override {
    uses.push_back({field, use});
    if (field == refused_) fail(SLU_ERROR_INVALID_ARGUMENT, field, ": lacks a usage");
  }
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout&) override { return nullptr; }

  mutable std::vector<std::pair<std::string, Use>> uses;

 private:
  std::string refused_;
};

TEST(Route, IsAskedAboutEveryUse) {
  Specimen specimen;
  specimen.planInfo.flags = SLU_PLAN_IN_PLACE_BIT;
  specimen.planInfo.bounds.transformStride = 36;
  specimen.frame.transforms = specimen.place(8 * 36);
  specimen.planInfo.cullFlags |= SLU_CULL_LAYERS_BIT;
  specimen.planInfo.layers.stride = 4;
  specimen.frame.layers = specimen.place(8 * 4);
  specimen.planInfo.meshes.stride = 4;
  specimen.planInfo.draws = {SLU_DRAW_INSTANCES, 28, 0};
  for (SluBucket& bucket : specimen.buckets) bucket.draw = {};
  specimen.frame.meshes = specimen.place(2 * 4);
  specimen.frame.meshCount = 2;
  specimen.frame.liveMeshCount = specimen.place(4);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  SluContext context = specimen.context;
  auto route = std::make_unique<PickyRoute>("frame.bucketCounts");
  const PickyRoute& picky = *route;
  context->state->routes[SLU_ROUTE_CPU] = std::move(route);
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(specimen.context.message(), "frame.bucketCounts: lacks a usage");
  const std::vector<std::pair<std::string, Use>> expected = {
      {"frame.liveCount", Use::input},    {"frame.records", Use::copiedInput}, {"frame.bounds", Use::input},
      {"frame.transforms", Use::input},   {"frame.flags", Use::input},         {"frame.layers", Use::input},
      {"frame.meshes", Use::input},       {"frame.liveMeshCount", Use::input}, {"frame.indices", Use::output},
      {"frame.keptRecords", Use::output}, {"frame.draws", Use::drawArguments}, {"frame.drawCounts", Use::drawArguments},
      {"frame.statistics", Use::output},  {"frame.bucketCounts", Use::output}};
  EXPECT_EQ(picky.uses, expected);
}

TEST(Verb, IsThatOfThePlansRoute) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  SluPlan plan = specimen.plan;
  plan->route = SLU_ROUTE_VULKAN;
  EXPECT_EQ(sluCompact(plan, &specimen.frame), SLU_ERROR_ROUTE_UNAVAILABLE);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.route"));
  EXPECT_NE(specimen.context.message().find("sluCmdCompact"), std::string::npos) << specimen.context.message();
}

struct ContextCase {
  const char* name;
  const char* field;
  void (*spoil)(SluContextCreateInfo& info);
};

TEST(ContextFields, AreChecked) {
  const ContextCase cases[] = {
      {"sType", "context.sType", [](SluContextCreateInfo& i) { i.sType = SLU_STRUCTURE_TYPE_FRAME_INFO; }},
      {"structSize", "context.structSize",
       [](SluContextCreateInfo& i) { i.structSize = offsetof(SluContextCreateInfo, hostFlags) - 8; }},
      {"hostFlags", "context.hostFlags", [](SluContextCreateInfo& i) { i.hostFlags = 8; }},
      {"hostFlagsOneOfThem", "context.hostFlags",
       [](SluContextCreateInfo& i) { i.hostFlags = SLU_HOST_RECORDS_BIT | 1u << 31; }},
      {"pNext", "context.pNext", [](SluContextCreateInfo& i) {
         static const SluBufferCreateInfo chained = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
         i.pNext = &chained;
       }}};
  for (const ContextCase& c : cases) {
    SCOPED_TRACE(c.name);
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    c.spoil(info);
    SluContext context = nullptr;
    SluMessage message{};
    EXPECT_EQ(sluCreateContext(&info, &context, &message), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(context, nullptr);
    EXPECT_TRUE(beginsWith(message.text, c.field));
    EXPECT_EQ(sluCreateContext(&info, &context, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  }
}

TEST(ContextFields, LogReceivesTheSentence) {
  std::string logged;
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &info;
  info.logUserData = &logged;
  info.log = [](void* userData, SluLogSeverity severity, const char* message) {
    if (severity == SLU_LOG_ERROR) *static_cast<std::string*>(userData) = message;
  };
  SluContext context = nullptr;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, &context, &message), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(message.text, "context.pNext"));
  EXPECT_EQ(logged, message.text);
}

TEST(ContextArguments, NullsAreRefused) {
  const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluContext context = nullptr;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(nullptr, &context, &message), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(message.text, "context"));
  EXPECT_EQ(sluCreateContext(&info, nullptr, &message), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(message.text, "context"));
  EXPECT_EQ(context, nullptr);
  EXPECT_STREQ(sluGetErrorMessage(nullptr), "");
  sluDestroyContext(nullptr);
}

TEST(RouteInfoFields, AreChecked) {
  LoggedContext context;
  const auto good = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  const auto expectRefused = [&](SluRouteInfo info, SluRoute route, const char* field) {
    std::strcpy(info.reason, "untouched");
    EXPECT_EQ(sluGetRouteInfo(context, route, &info), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(beginsWith(context.message(), field));
    EXPECT_STREQ(info.reason, "untouched");
  };
  SluRouteInfo info = good;
  info.sType = SLU_STRUCTURE_TYPE_PLAN_PROPERTIES;
  expectRefused(info, SLU_ROUTE_CPU, "routeInfo.sType");
  info = good;
  info.structSize = 16;
  expectRefused(info, SLU_ROUTE_CPU, "routeInfo.structSize");
  info = good;
  info.pNext = &info;
  expectRefused(info, SLU_ROUTE_CPU, "routeInfo.pNext");
  expectRefused(good, static_cast<SluRoute>(SLU_ROUTE_COUNT), "route");
  EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CPU, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(context.message(), "routeInfo"));
  EXPECT_EQ(sluGetRouteInfo(nullptr, SLU_ROUTE_CPU, &info), SLU_ERROR_INVALID_ARGUMENT);
}

TEST(PropertiesFields, AreChecked) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  const auto good = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  const auto expectRefused = [&](SluPlanProperties properties, const char* field) {
    properties.indicesBytes = 77;
    EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(beginsWith(specimen.context.message(), field));
    EXPECT_EQ(properties.indicesBytes, 77u);
  };
  SluPlanProperties properties = good;
  properties.sType = SLU_STRUCTURE_TYPE_ROUTE_INFO;
  expectRefused(properties, "properties.sType");
  properties = good;
  properties.structSize = offsetof(SluPlanProperties, drawNeeds) - 8;
  expectRefused(properties, "properties.structSize");
  properties.structSize = offsetof(SluPlanProperties, drawNeeds);  // the first version
  properties.drawNeeds = 77;
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.drawNeeds, 77u);
  properties = good;
  properties.pNext = &properties;
  expectRefused(properties, "properties.pNext");
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "properties"));
}

struct BufferCase {
  const char* name;
  const char* field;
  void (*spoil)(SluBufferCreateInfo& info);
  SluResult result = SLU_ERROR_INVALID_ARGUMENT;
};

SluBufferCreateInfo* chainedBufferInfo(SluStructureType type) {
  static SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.sType = type;
  return &info;
}

TEST(BufferFields, AreChecked) {
  using Info = SluBufferCreateInfo;
  const BufferCase cases[] = {
      {"sType", "buffer.sType", [](Info& i) { i.sType = SLU_STRUCTURE_TYPE_ROUTE_INFO; }},
      {"structSize", "buffer.structSize", [](Info& i) { i.structSize = 16; }},
      {"pNext", "buffer.pNext", [](Info& i) { i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_FRAME_INFO); }},
      {"pNextMemoryAlone", "buffer.pNext",
       [](Info& i) { i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO); }},
      {"pNextHeapAlone", "buffer.pNext: SluD3D12MemoryInfo needs an SluD3D12BufferInfo",
       [](Info& i) { i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO); }},
      {"hostPointerAllocated", "buffer.hostPointer",
       [](Info& i) { i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO); }},
      {"pNextAllocateWithoutRoute", "buffer.pNext",
       [](Info& i) {
         i.hostPointer = nullptr;
         i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO);
       },
       SLU_ERROR_ROUTE_UNAVAILABLE},
      {"pNextWithoutRoute", "buffer.pNext",
       [](Info& i) {
         i.hostPointer = nullptr;
         i.pNext = chainedBufferInfo(SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO);
       },
       SLU_ERROR_ROUTE_UNAVAILABLE},
      {"sizeZero", "buffer.size", [](Info& i) { i.size = 0; }},
      {"sizeOdd", "buffer.size", [](Info& i) { i.size = 30; }},
      {"sizeLarge", "buffer.size", [](Info& i) { i.size = ~std::uint64_t{0} - 3; }},
      {"hostPointerNull", "buffer.hostPointer", [](Info& i) { i.hostPointer = nullptr; }},
      {"hostPointerOdd", "buffer.hostPointer", [](Info& i) { i.hostPointer = static_cast<char*>(i.hostPointer) + 1; }},
  };
  for (const BufferCase& c : cases) {
    SCOPED_TRACE(c.name);
    LoggedContext context;
    std::uint32_t memory[8];
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = sizeof(memory);
    info.hostPointer = memory;
    Buffer good;
    ASSERT_EQ(sluCreateBuffer(context, &info, good.put()), SLU_SUCCESS);
    c.spoil(info);
    SluBuffer buffer = good;
    EXPECT_EQ(sluCreateBuffer(context, &info, &buffer), c.result);
    EXPECT_EQ(buffer, good.get());
    EXPECT_TRUE(beginsWith(context.message(), c.field));
    EXPECT_EQ(context.log().back().text, context.message());
  }
}

// In every build, with CUDA or without.
TEST(Handoff, SaysWhyThereIsNone) {
  LoggedContext context;
  const auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  EXPECT_EQ(sluEnqueueHandoff(context, nullptr, &handoff), SLU_ERROR_ROUTE_UNAVAILABLE);
  EXPECT_TRUE(beginsWith(context.message(), "context: the cuda route is not available"));
  EXPECT_EQ(sluEnqueueHandoff(nullptr, nullptr, &handoff), SLU_ERROR_INVALID_ARGUMENT);
}

TEST(BufferArguments, NullsAreRefused) {
  LoggedContext context;
  std::uint32_t memory[8];
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = sizeof(memory);
  info.hostPointer = memory;
  SluBuffer buffer = nullptr;
  EXPECT_EQ(sluCreateBuffer(nullptr, &info, &buffer), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCreateBuffer(context, nullptr, &buffer), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(context.message(), "buffer"));
  EXPECT_EQ(sluCreateBuffer(context, &info, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(context.message(), "buffer"));
  EXPECT_EQ(buffer, nullptr);
  sluDestroyBuffer(nullptr);
}

TEST(Lifetime, ContextMayGoFirst) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS);
  specimen.context.destroy();
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS);
  specimen.frame.viewCount = 0;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.log().back().text, "frame.viewCount"));
  specimen.buffers.clear();
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
}

TEST(Message, IsThatOfTheLatestFailure) {
  Specimen specimen;
  EXPECT_EQ(specimen.context.message(), "");
  specimen.planInfo.recordStride = 3;
  EXPECT_NE(specimen.createPlan(), SLU_SUCCESS);
  const std::string sentence = specimen.context.message();
  EXPECT_NE(sentence, "");
  specimen.planInfo.recordStride = 64;
  EXPECT_EQ(specimen.createPlan(), SLU_SUCCESS);
  EXPECT_EQ(specimen.context.message(), sentence);
  specimen.frame.viewCount = 9;
  EXPECT_NE(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "frame.viewCount"));
}

TEST(Message, IsCutToItsCapacity) {
  LoggedContext context;
  const std::string longSentence(2 * SLU_MESSAGE_CAPACITY, 'x');
  SluContext handle = context;
  const SluResult result = guard(*handle->state, [&] { fail(SLU_ERROR_DRIVER, longSentence); });
  EXPECT_EQ(result, SLU_ERROR_DRIVER);
  EXPECT_EQ(context.message(), longSentence.substr(0, SLU_MESSAGE_CAPACITY - 1));
}

TEST(Message, ForUnexpectedExceptions) {
  SluMessage message{};
  EXPECT_EQ(guard(&message, [] { throw std::runtime_error("surprise"); }), SLU_ERROR_INTERNAL);
  EXPECT_STREQ(message.text, "surprise");
  EXPECT_EQ(guard(&message, [] { throw 1; }), SLU_ERROR_INTERNAL);
  EXPECT_STRNE(message.text, "surprise");
  EXPECT_EQ(guard(&message, [] { throw std::bad_alloc(); }), SLU_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_STREQ(message.text, "out of host memory");
}

}  // namespace
}  // namespace slu::test
