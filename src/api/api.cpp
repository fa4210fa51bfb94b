// The C ABI of sluice.h. It is thin: it reads the struct, checks it, and hands it on. Every function catches once, in
// guard.
#include <sluice/sluice.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "api/frame_checks.h"
#include "api/objects.h"
#include "api/route_table.h"
#include "base/structs.h"
#include "plan/extents.h"
#include "plan/plan_checks.h"
#include "routes/rejecting_plan.h"

namespace slu {
namespace {

bool isChained(const void* pNext, SluStructureType type) { return findInChain<void>(pNext, type) != nullptr; }

// Structs that describe one and the same thing exclude each other; one that completes another needs it.
void checkBufferChain(const SluBufferCreateInfo& info) {
  checkChain(
      info.pNext,
      {SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO, SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO,
       SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO,
       SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO, SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO},
      "buffer");
  const bool hasMemory = isChained(info.pNext, SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO);
  const bool hasFd = isChained(info.pNext, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO);
  const bool hasPointer = isChained(info.pNext, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO);
  const bool hasD3D12Memory = isChained(info.pNext, SLU_STRUCTURE_TYPE_D3D12_MEMORY_INFO);
  require(hasMemory + hasFd + hasPointer + hasD3D12Memory <= 1,
          "buffer.pNext: SluVulkanMemoryInfo, SluMemoryFdInfo, SluCudaBufferInfo and SluD3D12MemoryInfo exclude each "
          "other");
  require(!hasMemory || isChained(info.pNext, SLU_STRUCTURE_TYPE_VULKAN_BUFFER_INFO),
          "buffer.pNext: SluVulkanMemoryInfo needs an SluVulkanBufferInfo beside it");
  require(!hasD3D12Memory || isChained(info.pNext, SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO),
          "buffer.pNext: SluD3D12MemoryInfo needs an SluD3D12BufferInfo beside it");
  if (!isChained(info.pNext, SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO)) return;
  require(readHeader(info.pNext).pNext == nullptr,
          "buffer.pNext: SluVulkanAllocateInfo and other structs exclude each other");
  require(info.hostPointer == nullptr, "buffer.hostPointer: must be null with SluVulkanAllocateInfo");
}

void checkBuffer(const SluBufferCreateInfo& info) {
  checkBufferChain(info);
  require(info.size != UINT64_MAX,
          "buffer.size: is VK_WHOLE_SIZE or another 2^64 - 1, must be the bytes of the buffer");
  require(info.size != 0 && info.size % 4 == 0, "buffer.size: is ", info.size, ", must be a multiple of 4 and not 0");
  const auto address = reinterpret_cast<std::uintptr_t>(info.hostPointer);
  require(info.hostPointer != nullptr || info.pNext != nullptr,
          "buffer.hostPointer: is null, and no struct that describes memory is chained");
  require(address % 4 == 0, "buffer.hostPointer: is ", info.hostPointer, ", must be aligned to 4");
  require(info.hostPointer == nullptr || info.size <= UINTPTR_MAX - address, "buffer.size: is ", info.size,
          ", which reaches beyond the address space");
}

// Allocates what SluVulkanAllocateInfo asks for. Routes whose memory other routes can use are asked first.
void allocate(SluBuffer_T& buffer, SluBufferCreateInfo& info) {
  if (!isChained(info.pNext, SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO)) return;
  for (const bool isShared : {true, false}) {
    for (const RouteRow& row : routeRows()) {
      const std::unique_ptr<Route>& route = buffer.state->routes[row.route];
      if (!route || buffer.allocation || route->sharesAllocations() != isShared) continue;
      buffer.allocation = route->allocate(info);
    }
  }
  if (buffer.allocation) info = buffer.allocation->info;
}

bool reads(const RouteRow& row, SluStructureType type) {
  return std::ranges::find(row.bufferChain, type) != row.bufferChain.end();
}

// A call that succeeds takes the fd, so a route that reads it must have attached the buffer.
void checkFdTaken(const SluBuffer_T& buffer) {
  for (const RouteRow& row : routeRows()) {
    if (!reads(row, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO) || buffer.attachments[row.route]) continue;
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "buffer.pNext: SluMemoryFdInfo is for the ", row.name,
         " route, which is not available: ", buffer.state->reason(row.route));
  }
}

[[noreturn]] void failUnattached(const ContextState& state) {
  std::string reasons;
  for (const RouteRow& row : routeRows()) {
    if (row.bufferChain.empty()) continue;
    reasons += std::string("; ") + row.name + ": " +
               (state.routes[row.route] ? "finds nothing in the chain that it can use" : state.reason(row.route));
  }
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, "buffer.pNext: no route of the context can use the memory", reasons);
}

void attach(SluBuffer_T& buffer, const SluBufferCreateInfo& info) {
  bool attached = false;
  for (const RouteRow& row : routeRows()) {
    const std::unique_ptr<Route>& route = buffer.state->routes[row.route];
    if (route) buffer.attachments[row.route] = route->attachBuffer(info);
    attached = attached || buffer.attachments[row.route] != nullptr;
  }
  if (isChained(info.pNext, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO)) checkFdTaken(buffer);
  if (!attached) failUnattached(*buffer.state);
}

Route& availableRoute(const ContextState& state, SluRoute route) {
  if (!state.routes[route]) {
    fail(state.refusals[route], "plan.route: ", sluGetRouteName(route), " is not available: ", state.reason(route));
  }
  return *state.routes[route];
}

// Returns the route of a plan. For auto it is the best one that takes the predicate, or the best of all if none does.
SluRoute routeOfPlan(const ContextState& state, const SluPlanCreateInfo& info) {
  if (info.route != SLU_ROUTE_AUTO) return info.route;
  for (const RouteRow& row : routeRows()) {
    if (state.mayPick(row.route) && takesPredicate(info, row.predicates())) return row.route;
  }
  return state.resolve(SLU_ROUTE_AUTO);
}

SluPlanProperties propertiesOf(const SluPlan_T& plan) {
  const OutputBytes bytes = outputBytes(plan.layout, plan.layout.maxViewCount);
  SluPlanProperties properties{};
  properties.route = plan.route;
  properties.bucketCount = plan.layout.ownBucketCount();
  properties.outputsPerView = plan.layout.outputsPerView;
  properties.tileRecords = plan.routePlan->tileRecords();
  properties.scratchBytes = plan.routePlan->scratchBytes();
  properties.indicesBytes = bytes.indices;
  properties.keptRecordsBytes = bytes.keptRecords;
  properties.drawsBytes = bytes.draws;
  properties.drawCountsBytes = bytes.drawCounts;
  properties.statisticsBytes = bytes.statistics;
  properties.bucketCountsBytes = bytes.bucketCounts;
  properties.drawNeeds = plan.layout.drawNeeds;
  properties.transientBytes = plan.routePlan->transientBytes(plan.layout.maxViewCount);
  properties.lodStatesBytes = lodStateBytes(plan.layout, plan.layout.maxRecordCount, plan.layout.maxViewCount);
  for (std::size_t i = 0; i < plan.layout.streams.size(); ++i) {
    properties.streamBytes[i] = streamOutputBytes(plan.layout, plan.layout.streams[i], plan.layout.maxViewCount);
  }
  properties.rejectsBytes = bytes.rejects;
  properties.rejectCountsBytes = bytes.rejectCounts;
  properties.visibilityBytes = visibilityBytes(plan.layout, plan.layout.maxRecordCount, plan.layout.maxViewCount);
  return properties;
}

}  // namespace

SluResult runPlan(SluPlan plan, const SluFrameInfo* info, void* target, const char* verb) noexcept {
  if (plan == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*plan->state, [&] {
    const RouteRow& row = rowOf(plan->route);
    if (std::strcmp(row.verb, verb) != 0) {
      fail(SLU_ERROR_ROUTE_UNAVAILABLE, "plan.route: the plan is one of the ", row.name, " route, whose verb is ",
           row.verb, ", not ", verb);
    }
    require(target != nullptr || row.targetName == nullptr, row.targetName, ": is null");
    constexpr std::uint32_t kFirstVersion = offsetof(SluFrameInfo, transient);
    const auto frameInfo = readStruct(info, SLU_STRUCTURE_TYPE_FRAME_INFO, kFirstVersion, "frame");
    Frame frame;
    checkFrame(frameInfo, *plan, target, frame);
    plan->routePlan->run(frame, target);
  });
}

}  // namespace slu

using namespace slu;

SluResult sluCreateContext(const SluContextCreateInfo* info, SluContext* context, SluMessage* message) {
  SluContextCreateInfo read{};
  const auto onFailure = [&](const char* sentence) noexcept {
    if (message != nullptr) copyMessage(message->text, sentence);
    if (read.log != nullptr) read.log(read.logUserData, SLU_LOG_ERROR, sentence);
  };
  return guardWith(onFailure, [&] {
    constexpr std::uint32_t kFirstVersion = offsetof(SluContextCreateInfo, hostFlags);
    read = readStruct(info, SLU_STRUCTURE_TYPE_CONTEXT_CREATE_INFO, kFirstVersion, "context");
    require(context != nullptr, "context: the pointer that receives the handle is null");
    *context = new SluContext_T{makeContextState(read)};
  });
}

void sluDestroyContext(SluContext context) { delete context; }

const char* sluGetErrorMessage(SluContext context) {
  return context == nullptr ? "" : context->state->errorTexts.get();
}

SluResult sluGetRouteInfo(SluContext context, SluRoute route, SluRouteInfo* info) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  const ContextState& state = *context->state;
  return guard(*context->state, [&] {
    checkOutput(info, SLU_STRUCTURE_TYPE_ROUTE_INFO, sizeof(*info), "routeInfo");
    checkEnum(route, SLU_ROUTE_COUNT - 1, "route");
    SluRouteInfo filled{};
    filled.route = state.resolve(route);
    filled.available = state.routes[filled.route] ? 1 : 0;
    copyMessage(filled.reason, state.reason(route).c_str());
    writeStruct(info, filled);
  });
}

SluResult sluCreateBuffer(SluContext context, const SluBufferCreateInfo* info, SluBuffer* buffer) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    auto read = readStruct(info, SLU_STRUCTURE_TYPE_BUFFER_CREATE_INFO, sizeof(*info), "buffer");
    require(buffer != nullptr, "buffer: the pointer that receives the handle is null");
    checkBuffer(read);
    auto created = std::make_unique<SluBuffer_T>();
    created->state = context->state;
    created->size = read.size;
    allocate(*created, read);
    attach(*created, read);
    for (const auto& attachment : created->attachments) {
      if (attachment) attachment->accept();
    }
    *buffer = created.release();
  });
}

void sluDestroyBuffer(SluBuffer buffer) { delete buffer; }

SluResult sluCreatePlan(SluContext context, const SluPlanCreateInfo* info, SluPlan* plan) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    constexpr std::uint32_t kFirstVersion = offsetof(SluPlanCreateInfo, framesInFlight);
    const auto read = readStruct(info, SLU_STRUCTURE_TYPE_PLAN_CREATE_INFO, kFirstVersion, "plan");
    require(plan != nullptr, "plan: the pointer that receives the handle is null");
    checkEnum(read.route, SLU_ROUTE_COUNT - 1, "plan.route");
    auto created = std::make_unique<SluPlan_T>();
    created->state = context->state;
    created->route = routeOfPlan(*context->state, read);
    Route& route = availableRoute(*context->state, created->route);
    created->layout = checkPlan(read, rowOf(created->route).predicates());
    context->state->checkDrawNeeds(created->layout.drawNeeds);
    created->routePlan = createPlan(route, created->layout);
    *plan = created.release();
  });
}

void sluDestroyPlan(SluPlan plan) { delete plan; }

SluResult sluGetPlanProperties(SluPlan plan, SluPlanProperties* properties) {
  if (plan == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*plan->state, [&] {
    constexpr std::uint32_t kFirstVersion = offsetof(SluPlanProperties, drawNeeds);
    checkOutput(properties, SLU_STRUCTURE_TYPE_PLAN_PROPERTIES, kFirstVersion, "properties");
    writeStruct(properties, propertiesOf(*plan));
  });
}

SluResult sluCompact(SluPlan plan, const SluFrameInfo* frame) { return runPlan(plan, frame, nullptr, "sluCompact"); }
