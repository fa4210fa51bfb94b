// Sluice's CUDA route through the public API: what a renderer wants of a frame is the kept records or indices, a draw
// command per bucket and the draw count.
#include <sluice/sluice_cuda.h>

#include <sluice/sluice.hpp>

#include "competitors/all.h"
#include "cuda_objects.h"
#include "draw_arguments.h"

namespace bench {
namespace {

void require(SluContext context, SluResult result, const char* call) {
  if (result != SLU_SUCCESS) failRuntime(call, ": ", sluGetErrorMessage(context));
}

slu::Context makeContext(int device) {
  auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  cuda.device = device;
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &cuda;
  slu::Context context;
  SluMessage message{};
  if (sluCreateContext(&info, context.put(), &message) != SLU_SUCCESS) failRuntime("sluCreateContext: ", message.text);
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route), "sluGetRouteInfo");
  if (route.available == 0) failRuntime("Sluice's CUDA route is not available: ", route.reason);
  return context;
}

slu::Plan makePlan(SluContext context, const Workload& workload, uint32_t bucketCapacity, bool statistics) {
  SluBucket bucket{};
  bucket.capacity = bucketCapacity;
  bucket.draw.elementCount = kDrawVertexCount;
  const std::vector<SluBucket> buckets(workload.bucketCount, bucket);

  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CUDA;
  info.order = workload.order == Order::Stable ? SLU_ORDER_STABLE : SLU_ORDER_UNORDERED;
  info.recordStride = workload.recordBytes;
  info.maxRecordCount = workload.recordCount;
  info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  info.key.keyCount = workload.bucketCount;
  info.key.offset = workload.bucketCount > 1 ? 4 : 0;
  info.bucketCount = workload.bucketCount;
  info.buckets = buckets.data();
  info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  info.outputs |= workload.outputs == Outputs::Indices ? SLU_OUTPUT_INDICES_BIT : SLU_OUTPUT_RECORDS_BIT;
  if (statistics) info.outputs |= SLU_OUTPUT_STATISTICS_BIT;
  info.draws.type = SLU_DRAW_INSTANCES;
  info.draws.stride = sizeof(DrawCommand);
  slu::Plan plan;
  require(context, sluCreatePlan(context, &info, plan.put()), "sluCreatePlan");
  return plan;
}

class SluiceFrames : public PreparedCompetitor {
 public:
  SluiceFrames(const CompetitorSettings& settings, const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload),
        statisticsOn_(settings.statistics),
        context_(makeContext(settings.device)),
        plan_(makePlan(context_, workload, buffers.bucketCapacity, settings.statistics)),
        draws_(workload.bucketCount),
        drawCount_(sizeof(uint32_t)),
        statistics_(sizeof(SluStatistics)) {
    for (const FrameSet& set : buffers.sets) frames_.push_back(makeFrame(set, buffers.bucketCapacity));
    clearOverflow(nullptr);
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    require(context_, sluEnqueueCompact(plan_, stream, &frames_[set]), "sluEnqueueCompact");
  }

  void poison(cudaStream_t stream) override {
    draws_.poison(stream);
    check(cudaMemsetAsync(drawCount_.get(), kPoisonByte, drawCount_.bytes(), stream), "cudaMemsetAsync");
    check(cudaMemsetAsync(statistics_.get(), kPoisonByte, statistics_.bytes(), stream), "cudaMemsetAsync");
    clearOverflow(stream);
  }

  std::vector<DrawCommand> draws() const override { return draws_.read(); }

  std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const override {
    const uint32_t drawCount = download<uint32_t>(drawCount_.get(), 1).front();
    if (drawCount != workload_.bucketCount)
      return sentence("the draw count is ", drawCount, ", expected ", workload_.bucketCount);
    return statisticsOn_ ? statisticsDifference(keptCounts) : std::nullopt;
  }

 private:
  SluBinding bind(const void* pointer, uint64_t bytes) {
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = const_cast<void*>(pointer);
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = bytes;
    slu::Buffer buffer;
    require(context_, sluCreateBuffer(context_, &info, buffer.put()), "sluCreateBuffer");
    registered_.push_back(std::move(buffer));
    return {registered_.back(), 0};
  }

  SluFrameInfo makeFrame(const FrameSet& set, uint32_t bucketCapacity) {
    const uint64_t outputBytes = uint64_t{bucketCapacity} * workload_.bucketCount * workload_.elementBytes();
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = workload_.recordCount;
    frame.viewCount = 1;
    frame.records = bind(set.input, workload_.inputBytes());
    (workload_.outputs == Outputs::Indices ? frame.indices : frame.keptRecords) = bind(set.output, outputBytes);
    frame.draws = bind(draws_.device(), draws_.bytes());
    frame.drawCounts = bind(drawCount_.get(), drawCount_.bytes());
    if (statisticsOn_) frame.statistics = bind(statistics_.get(), statistics_.bytes());
    return frame;
  }

  void clearOverflow(cudaStream_t stream) {
    check(cudaMemsetAsync(&statistics_.as<SluStatistics>()->overflow, 0, sizeof(uint32_t), stream), "cudaMemsetAsync");
  }

  std::optional<std::string> statisticsDifference(const std::vector<uint32_t>& keptCounts) const {
    uint32_t kept = 0;
    for (const uint32_t count : keptCounts) kept += count;
    const SluStatistics found = download<SluStatistics>(statistics_.get(), 1).front();
    if (found.inputCount == workload_.recordCount && found.demandedCount == kept && found.keptCount == kept &&
        found.drawCount == workload_.bucketCount && found.overflow == 0 &&
        found.rejectedCount[SLU_REJECT_NOT_LIVE] == workload_.recordCount - kept)
      return std::nullopt;
    return sentence("the statistics are input ", found.inputCount, ", demanded ", found.demandedCount, ", kept ",
                    found.keptCount, ", draws ", found.drawCount, ", overflow ", found.overflow, ", not live ",
                    found.rejectedCount[SLU_REJECT_NOT_LIVE], "; expected ", kept, " kept of ", workload_.recordCount);
  }

  const Workload workload_;
  const bool statisticsOn_;
  slu::Context context_;
  slu::Plan plan_;
  DrawArguments draws_;
  DeviceMemory drawCount_;
  DeviceMemory statistics_;
  std::vector<slu::Buffer> registered_;
  std::vector<SluFrameInfo> frames_;  // per set
};

class Sluice : public Competitor {
 public:
  explicit Sluice(const CompetitorSettings& settings) : settings_(settings) {}

  std::string name() const override { return "sluice"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload&) const override { return {}; }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<SluiceFrames>(settings_, workload, buffers);
  }

 private:
  const CompetitorSettings settings_;
};

}  // namespace

std::unique_ptr<Competitor> makeSluice(const CompetitorSettings& settings) {
  return std::make_unique<Sluice>(settings);
}

}  // namespace bench
