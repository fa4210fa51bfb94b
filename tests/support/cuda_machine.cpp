// The CUDA route on plain device memory. A scene's frames are captured into a graph once and replayed.
#include <iostream>

#include "cuda_memory.h"

namespace slu::test {
namespace {

class CudaMachine : public Machine {
 public:
  CudaMachine() {
    const auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &cuda;
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    test::require(context_, sluGetRouteInfo(context_, SLU_ROUTE_CUDA, &route), "sluGetRouteInfo");
    if (route.available == 0) throw Unavailable(route.reason);
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_CUDA);
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, cuda.device), "cudaGetDeviceProperties");
    std::cout << "CUDA device: " << properties.name << "\n";
  }
  SluRoute route() const override { return SLU_ROUTE_CUDA; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override;
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  void dropPlans() override { plans_->clear(); }

 private:
  Context context_;
  std::unique_ptr<PlanCache> plans_;
};

class CudaSession : public Session {
 public:
  CudaSession(CudaMachine& machine, const Scene& scene) : machine_(machine), scene_(scene) {
    for (const Bytes& memory : scene.memories) {
      memories_.push_back(std::make_unique<CudaMemory>(machine.context(), memory.size()));
    }
    for (const FrameSpec& frame : scene.frames) machine.plan(scene.planOf(frame));  // allocates: not while capturing
    check(cudaStreamCreate(&stream_), "cudaStreamCreate");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    for (const FrameSpec& frame : scene.frames) {
      const FrameArguments arguments(frame,
                                     [this](std::uint32_t memory) { return memories_.at(memory)->registered.get(); });
      test::require(machine.context(), sluEnqueueCompact(machine.plan(scene.planOf(frame)), stream_, arguments.get()),
                    "sluEnqueueCompact");
    }
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&frames_, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }

  ~CudaSession() override {
    cudaGraphExecDestroy(frames_);
    cudaStreamDestroy(stream_);
  }

  void execute(std::vector<Bytes>& memories, std::uint32_t times) override {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      check(cudaMemcpyAsync(memories_[i]->pointer, memories[i].data(), memories[i].size(), cudaMemcpyHostToDevice,
                            stream_),
            "cudaMemcpyAsync");
    }
    for (std::uint32_t i = 0; i < times; ++i) check(cudaGraphLaunch(frames_, stream_), "cudaGraphLaunch");
    readMemories(memories);
  }

  void endure(std::vector<Bytes>& memories, const Endurance& endurance) override {
    execute(memories, 0);
    struct Slot {
      std::shared_ptr<void> told;
      std::shared_ptr<CUevent_st> isDone;
      std::size_t frame = 0;
    };
    std::vector<Slot> slots(Endurance::kInFlight);
    for (Slot& slot : slots) {
      slot.told = allocateCuda(CudaMemoryKind::pinned, endurance.mostBytes());
      cudaEvent_t event = nullptr;
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
      slot.isDone = std::shared_ptr<CUevent_st>(event, cudaEventDestroy);
    }
    for (std::uint64_t i = 0; i < endurance.frameCount + slots.size(); ++i) {
      Slot& slot = slots[i % slots.size()];
      if (i >= slots.size()) {
        check(cudaEventSynchronize(slot.isDone.get()), "cudaEventSynchronize");
        if (i - slots.size() < endurance.frameCount) {
          endurance.judge(slot.frame, static_cast<const std::uint8_t*>(slot.told.get()));
        }
      }
      if (i >= endurance.frameCount) continue;
      slot.frame = endurance.frameAt(i);
      const FrameSpec& frame = scene_.frames[slot.frame];
      const FrameArguments arguments(frame,
                                     [this](std::uint32_t memory) { return memories_.at(memory)->registered.get(); });
      test::require(machine_.context(),
                    sluEnqueueCompact(machine_.plan(scene_.planOf(frame)), stream_, arguments.get()),
                    "sluEnqueueCompact");
      std::uint8_t* to = static_cast<std::uint8_t*>(slot.told.get());
      for (const Endurance::Range& range : endurance.told[slot.frame]) {
        const void* from =
            static_cast<const std::uint8_t*>(memories_[range.place.memory]->pointer) + range.place.offset;
        check(cudaMemcpyAsync(to, from, range.bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
        to += range.bytes;
      }
      check(cudaEventRecord(slot.isDone.get(), stream_), "cudaEventRecord");
    }
    readMemories(memories);
  }

 private:
  void readMemories(std::vector<Bytes>& memories) const {
    for (std::size_t i = 0; i < memories.size(); ++i) {
      check(cudaMemcpyAsync(memories[i].data(), memories_[i]->pointer, memories[i].size(), cudaMemcpyDeviceToHost,
                            stream_),
            "cudaMemcpyAsync");
    }
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

  CudaMachine& machine_;
  const Scene& scene_;
  std::vector<std::unique_ptr<CudaMemory>> memories_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t frames_ = nullptr;
};

std::unique_ptr<Session> CudaMachine::record(const Scene& scene) { return std::make_unique<CudaSession>(*this, scene); }

}  // namespace

std::unique_ptr<Machine> makeCudaMachine() { return std::make_unique<CudaMachine>(); }

}  // namespace slu::test
