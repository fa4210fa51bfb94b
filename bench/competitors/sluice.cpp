// Sluice's CUDA route through the public API.
#include <sluice/sluice_cuda.h>

#include "arena/sluice_plan.h"
#include "competitors/all.h"
#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"

namespace bench {
namespace {

slu::Context makeContext(int device) {
  auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  cuda.device = device;
  return makeSluiceContext(&cuda, SLU_ROUTE_CUDA);
}

class SluiceFrames : public PreparedCompetitor {
 public:
  SluiceFrames(int device, const PlanChoices& choices, const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload),
        choices_(choices),
        context_(makeContext(device)),
        plan_(makeSluicePlan(context_, SLU_ROUTE_CUDA, workload, buffers.bucketCapacity, choices)),
        views_(sluiceViews(workload)),
        meshWords_(meshWords(choices, workload)),
        meshes_(meshWords_.size() * sizeof(uint32_t)),
        draws_(workload.drawPlaceCount()),
        drawCounts_(workload.drawCountCount()),
        statistics_(workload.viewCount * sizeof(SluStatistics)) {
    upload(meshes_.get(), meshWords_);
    for (const FrameSet& set : buffers.sets) frames_.push_back(makeFrame(set, buffers.bucketCapacity));
    clearOverflow(nullptr);
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    require(context_, sluEnqueueCompact(plan_, stream, &frames_[set]), "sluEnqueueCompact");
  }

  void poison(cudaStream_t stream) override {
    draws_.poison(stream);
    drawCounts_.poison(stream);
    check(cudaMemsetAsync(statistics_.get(), kPoisonByte, statistics_.bytes(), stream), "cudaMemsetAsync");
    clearOverflow(stream);
  }

  std::vector<DrawCommand> draws() const override { return draws_.read(); }
  std::vector<uint32_t> drawCounts() const override { return drawCounts_.read(); }

  std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const override {
    return sluiceDifference(workload_, keptCounts,
                            download<SluStatistics>(statistics_.get(), choices_.statistics ? workload_.viewCount : 0));
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
    SluFrameInfo frame = makeSluiceFrame(choices_, workload_, views_, bind(set.input, workload_.inputBytes()),
                                         bind(set.output, elementsBytesFor(workload_, bucketCapacity)),
                                         bind(meshes_.get(), meshes_.bytes()));
    if (!workload_.isMerged()) frame.draws = bind(draws_.device(), draws_.bytes());
    frame.drawCounts = bind(drawCounts_.device(), drawCounts_.bytes());
    if (choices_.statistics) frame.statistics = bind(statistics_.get(), statistics_.bytes());
    return frame;
  }

  void clearOverflow(cudaStream_t stream) {
    check(cudaMemset2DAsync(&statistics_.as<SluStatistics>()->overflow, sizeof(SluStatistics), 0, sizeof(uint32_t),
                            workload_.viewCount, stream),
          "cudaMemset2DAsync");
  }

  const Workload workload_;
  const PlanChoices choices_;
  slu::Context context_;
  slu::Plan plan_;
  const std::vector<SluView> views_;
  const std::vector<uint32_t> meshWords_;
  DeviceMemory meshes_;
  DrawArguments draws_;
  DrawCounts drawCounts_;
  DeviceMemory statistics_;
  std::vector<slu::Buffer> registered_;
  std::vector<SluFrameInfo> frames_;  // per set
};

class Sluice : public Competitor {
 public:
  Sluice(int device, const PlanChoices& choices) : device_(device), choices_(choices) {}

  std::string name() const override { return "sluice" + suffixOf(choices_); }
  Role role() const override { return Role::Candidate; }
  bool isSluice() const override { return true; }
  std::string refusal(const Workload& workload) const override { return planRefusal(choices_, workload); }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<SluiceFrames>(device_, choices_, workload, buffers);
  }

 private:
  const int device_;
  const PlanChoices choices_;
};

}  // namespace

std::unique_ptr<Competitor> makeSluice(int device, const PlanChoices& choices) {
  return std::make_unique<Sluice>(device, choices);
}

}  // namespace bench
