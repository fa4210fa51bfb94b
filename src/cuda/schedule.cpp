#include "cuda/schedule.h"

#include <algorithm>

#include "plan/frame_block.h"

namespace slu {
namespace {

static_assert(sizeof(cuda::Arguments) <= 4096, "what a launch takes on every architecture");

constexpr std::uint64_t kRejectedOffset = 256;
constexpr std::uint64_t kDemandedOffset = kRejectedOffset + SLU_MAX_VIEWS * SLU_REJECTS_COUNT * 4;
static_assert(sizeof(cuda::Progress) <= kRejectedOffset);

// Records of 4 bytes that decide for themselves and are written as records.
bool isNarrow(const PlanLayout& layout) {
  const bool testsRecord = layout.live.test >= SLU_LIVE_NON_EMPTY && layout.live.test <= SLU_LIVE_POSITIVE_FLOAT;
  const SluFlags emitted = layout.outputs & (SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT);
  return layout.recordStride == 4 && testsRecord && !layout.needsViews() && layout.key.keyCount == 1 &&
         emitted == SLU_OUTPUT_RECORDS_BIT;
}

CudaKernel chooseKernel(const PlanLayout& layout) {
  const bool stable = layout.order == SLU_ORDER_STABLE;
  if (layout.bucketCount() > 1) return stable ? CudaKernel::scatterBuckets : CudaKernel::compactBuckets;
  if (isNarrow(layout)) return stable ? CudaKernel::compactNarrowStable : CudaKernel::compactNarrow;
  return stable ? CudaKernel::compactGeneralStable : CudaKernel::compactGeneral;
}

std::uint32_t recordsPerTile(CudaKernel kernel) {
  const bool narrow = kernel == CudaKernel::compactNarrow || kernel == CudaKernel::compactNarrowStable;
  return blockThreads(kernel) * (narrow ? 16 : 4);
}

std::uint64_t segmentCount(const PlanLayout& layout) {
  return std::uint64_t{layout.maxViewCount} * layout.bucketCount();
}

}  // namespace

std::uint32_t blockThreads(CudaKernel kernel) { return kernel == CudaKernel::compactNarrowStable ? 512 : 256; }

CudaSchedule::CudaSchedule(const PlanLayout& layout)
    : layout_(layout),
      kernel_(chooseKernel(layout)),
      tileRecords_(recordsPerTile(kernel_)),
      maxTileCount_(divideUp(layout.maxRecordCount, tileRecords_)),
      maxChunkCount_(kernel_ == CudaKernel::scatterBuckets ? maxChunkCount(layout, tileRecords_) : 0),
      statusOffset_((kDemandedOffset + 4 * segmentCount(layout) + 7) / 8 * 8),
      statusBytes_(layout.order != SLU_ORDER_STABLE ? 0
                   : maxChunkCount_ != 0            ? 4 * segmentCount(layout) * maxChunkCount_
                                                    : 8ull * layout.maxViewCount * maxTileCount_) {
  cuda::PlanConstants& plan = constant_.plan;
  plan.recordWords = layout.recordStride / 4;
  plan.liveTest = static_cast<std::uint32_t>(layout.live.test);
  plan.cullFlags = layout.cullFlags;
  plan.sphereSource = static_cast<std::uint32_t>(layout.bounds.source);
  plan.transformFlags = layout.bounds.transformFlags;
  plan.keyed = layout.key.keyCount > 1 ? 1 : 0;
  plan.lodCount = layout.key.lodCount;
  plan.outputs = layout.outputs;
  fillPlanPart(constant_.frame, layout);
}

std::uint64_t CudaSchedule::stagingBytes() const {
  return layout_.inPlace ? std::uint64_t{layout_.maxRecordCount} * layout_.recordStride : 0;
}

void CudaSchedule::place(std::uint64_t scratch, std::uint64_t table, std::uint64_t staging,
                         std::uint32_t residentBlocks) {
  FrameBlock& block = constant_.frame;
  block.buckets = table;
  block.ticket = scratch;
  block.rejected = scratch + kRejectedOffset;
  block.demanded = scratch + kDemandedOffset;
  block.chunks = scratch + statusOffset_;
  staging_ = staging;
  residentBlocks_ = residentBlocks;
}

std::uint32_t CudaSchedule::tileCount(const Frame& frame) const {
  return std::max(divideUp(frame.recordCount, tileRecords_), 1u);
}

std::uint32_t CudaSchedule::chunkCount(const Frame& frame) const { return std::min(tileCount(frame), maxChunkCount_); }

cuda::Arguments CudaSchedule::arguments(const Frame& frame) const {
  cuda::Arguments arguments = constant_;
  fillFramePart(arguments.frame, layout_, frame, layout_.inPlace ? staging_ : frame.records.address);
  arguments.frame.chunkCount = maxChunkCount_ != 0 ? chunkCount(frame) : maxTileCount_;
  return arguments;
}

CudaLaunches CudaSchedule::launches(const Frame& frame) const {
  if (kernel_ != CudaKernel::scatterBuckets) {
    return {{{{kernel_, std::min(tileCount(frame), residentBlocks_), frame.viewCount}}}, 1};
  }
  const std::uint32_t chunks = chunkCount(frame);
  return {{{{CudaKernel::countBuckets, chunks, frame.viewCount},
            {CudaKernel::scanBuckets, layout_.bucketCount(), frame.viewCount},
            {CudaKernel::scatterBuckets, chunks, frame.viewCount}}},
          3};
}

}  // namespace slu
