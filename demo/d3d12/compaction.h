// How a Direct3D 12 host embeds Sluice. Points that are dead or outside the frustum are left out. The others are drawn by
// one command for each kind of which something is left.
#pragma once

#include <sluice/sluice_d3d12.h>

#include <array>
#include <cstring>
#include <sluice/sluice.hpp>
#include <span>

#include "base/failure.h"
#include "d3d12/galaxy.h"
#include "hosting/d3d12.h"

namespace demo {

constexpr uint32_t kFramesInFlight = 3;

// The library writes it, and ExecuteIndirect reads it.
struct Draws {
  D3D12_DRAW_ARGUMENTS commands[kKindCount];
  uint32_t count;  // of the commands that draw something; they come first
};

using hosting::check;  // of Direct3D's calls
inline void check(SluResult result, SluContext context) {
  if (result != SLU_SUCCESS) failRuntime(sluGetErrorMessage(context));
}

// The plan is created for the GPU, and for the CPU to compare with.
inline slu::Plan createPlan(SluContext context, SluRoute route, std::span<const Point> points) {
  std::array<SluBucket, kKindCount> buckets = {};  // a bucket has room for all points of its kind: none is dropped
  for (SluBucket& bucket : buckets) bucket.draw.elementCount = 4;  // the corners of a square
  for (const Point& point : points) ++buckets[point.colour >> kKindShift].capacity;

  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.order = SLU_ORDER_UNORDERED;  // the faster one: light adds up to the same in any order
  info.recordStride = sizeof(Point);
  info.maxRecordCount = static_cast<uint32_t>(points.size());
  info.live = {SLU_LIVE_POSITIVE_FLOAT, offsetof(Point, life), 0};
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.bounds.source = SLU_BOUNDS_IN_RECORD;
  info.bounds.offset = offsetof(Point, center);
  info.key = {kKindCount, offsetof(Point, colour), kKindShift, 0, 0};
  info.bucketCount = kKindCount;
  info.buckets = buckets.data();
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  info.draws = {SLU_DRAW_INSTANCES, sizeof(D3D12_DRAW_ARGUMENTS), SLU_DRAWS_SKIP_EMPTY_BIT};
  info.framesInFlight = kFramesInFlight;  // the plan keeps the data of this many frames
  slu::Plan plan;
  check(sluCreatePlan(context, &info, plan.put()), context);
  return plan;
}

inline SluFrameInfo frameOf(const SluView& view, size_t count, SluBuffer points, SluBuffer visible, SluBuffer draws) {
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = static_cast<uint32_t>(count);
  frame.viewCount = 1;
  frame.views = &view;
  frame.records = {points, 0};
  frame.indices = {visible, 0};
  frame.draws = {draws, offsetof(Draws, commands)};
  frame.drawCounts = {draws, offsetof(Draws, count)};
  return frame;
}

// A buffer of the host's that the library knows.
struct SharedBuffer {
  ComPtr<ID3D12Resource> resource;
  slu::Buffer handle;
};

class Compaction {
 public:
  Compaction(Gpu& gpu, std::span<const Point> points) : pointCount_(points.size()) {
    auto device = SLU_INIT(D3D12_DEVICE_INFO, SluD3D12DeviceInfo);
    device.device = gpu.get();
    device.commandListType = D3D12_COMMAND_LIST_TYPE_DIRECT;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &device;
    SluMessage message = {};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) failRuntime(message.text);
    points_ = makeShared(gpu, points.size_bytes(), L"points");
    visible_ = makeShared(gpu, points.size() * sizeof(uint32_t), L"visible points");
    draws_ = makeShared(gpu, sizeof(Draws), L"draws");
    gpu.upload(points_.resource.Get(), points.data(), points.size_bytes());
    plan_ = createPlan(context_, SLU_ROUTE_D3D12, points);  // compiles kernels, which takes seconds
  }

  SluContext context() const { return context_; }
  ID3D12Resource* points() const { return points_.resource.Get(); }
  ID3D12Resource* visible() const { return visible_.resource.Get(); }  // indices of points, kind by kind
  ID3D12Resource* draws() const { return draws_.resource.Get(); }      // a struct Draws
  uint32_t visibleBytes() const { return static_cast<uint32_t>(pointCount_ * sizeof(uint32_t)); }

  void record(ID3D12GraphicsCommandList* list, const SluView& view) {
    const SluFrameInfo frame = frameOf(view, pointCount_, points_.handle, visible_.handle, draws_.handle);
    // Buffers are in COMMON when a list begins. Their first use in this call promotes inputs to
    // NON_PIXEL_SHADER_RESOURCE, in which the vertex shader may read them, too, and outputs to UNORDERED_ACCESS.
    check(sluCmdCompactD3D12(plan_, list, &frame), context_);
    // The host says what it does with the outputs, here draws and copies. Nothing brings the buffers back, since they
    // decay to COMMON when the list has been executed. So the next frame on this queue needs no barrier either.
    transition(list, draws(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
               D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT | D3D12_RESOURCE_STATE_COPY_SOURCE);
    transition(list, visible(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
               D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER | D3D12_RESOURCE_STATE_COPY_SOURCE);
  }

 private:
  // Each input and each output has a resource of its own, since a resource has one state at a time.
  SharedBuffer makeShared(Gpu& gpu, uint64_t size, const wchar_t* name) const {
    SharedBuffer shared = {gpu.makeBuffer(size, D3D12_HEAP_TYPE_DEFAULT, name), {}};
    auto part = SLU_INIT(D3D12_BUFFER_INFO, SluD3D12BufferInfo);
    part.resource = shared.resource.Get();
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &part;
    info.size = size;
    check(sluCreateBuffer(context_, &info, shared.handle.put()), context_);
    return shared;
  }

  size_t pointCount_;
  slu::Context context_;
  SharedBuffer points_, visible_, draws_;
  slu::Plan plan_;
};

}  // namespace demo
