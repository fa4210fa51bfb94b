#include "simt_machine.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "api/objects.h"

namespace slu::test {
namespace {

constexpr int kGarbage = 0xa5;

// Host memory aligned as device allocations are.
class AlignedMemory {
 public:
  explicit AlignedMemory(std::uint64_t bytes) : blocks_((bytes + 15) / 16) {}
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(blocks_.data()); }
  void* pointer() { return blocks_.data(); }

 private:
  struct alignas(16) Block {
    std::uint8_t bytes[16];
  };
  std::vector<Block> blocks_;  // zeroed
};

class SimtPlan final : public RoutePlan {
 public:
  // residentBlocks: few enough that they take several tiles each.
  SimtPlan(const PlanLayout& layout, std::uint32_t residentBlocks, const SimtOptions& options,
           const LaunchLimits& limits)
      : layout_(layout),
        options_(options),
        schedule_(layout_, options.sharedMemory, limits),
        scratch_(schedule_.scratchBytes()),
        table_(schedule_.tableBytes()),
        staging_(schedule_.stagingBytes()),
        lists_(schedule_.listBytes()) {
    // Both functions forbid null pointers, of no bytes, too.
    if (schedule_.tableBytes() != 0) std::memcpy(table_.pointer(), layout_.buckets.data(), schedule_.tableBytes());
    if (schedule_.listBytes() != 0) std::memset(lists_.pointer(), kGarbage, schedule_.listBytes());
    schedule_.place(scratch_.address(), table_.address(), staging_.address(), residentBlocks, residentBlocks);
    schedule_.placeLists(lists_.address());
  }

  void run(const Frame& frame, void*) override {
    if (layout_.inPlace && frame.recordCount != 0) {
      const auto* from = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(frame.records.address));
      std::memcpy(staging_.pointer(), from, std::size_t{frame.recordCount} * layout_.recordStride);
    }
    schedule_.forEachLaunch(frame, [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
      if (layout_.predicate.launch == nullptr || !evaluates(launch.kernel)) return options_.launch(launch, arguments);
      layout_.predicate.launch(static_cast<std::uint32_t>(launch.kernel), launch.x, launch.y, &arguments, nullptr);
    });
  }

  std::uint64_t tileRecords() const override { return schedule_.tileRecords(); }
  std::uint64_t scratchBytes() const override { return schedule_.scratchBytes(); }

 private:
  const PlanLayout layout_;
  const SimtOptions& options_;
  CudaSchedule schedule_;
  AlignedMemory scratch_;
  AlignedMemory table_;
  AlignedMemory staging_;
  AlignedMemory lists_;
};

// On host memory.
class SimtRoute final : public Route {
 public:
  explicit SimtRoute(const SimtOptions& options) : options_(options) {}

  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override {
    auto buffer = std::make_unique<RouteBuffer>();
    buffer->address = reinterpret_cast<std::uintptr_t>(info.hostPointer);
    return buffer;
  }
  void checkUse(const RouteBuffer&, Use, const char*) const override {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    const std::uint32_t number = planCount_++;
    const std::uint32_t blocks = options_.residentBlocks;
    LaunchLimits limits = launchLimits(options_);
    if (!options_.viewsFrom && number % 2 != 0) limits.viewsFrom = std::numeric_limits<std::uint64_t>::max();
    if (!options_.mostDecisionBytes && number % 3 == 1) limits.mostDecisionBytes = 0;
    if (!options_.mostListBytes && number % 3 == 2) limits.mostListBytes = 0;
    return std::make_unique<SimtPlan>(layout, blocks != 0 ? blocks : 1 + number % 3, options_, limits);
  }

 private:
  const SimtOptions options_;
  std::uint32_t planCount_ = 0;
};

class SimtMachine;

class SimtSession : public Session {
 public:
  SimtSession(SimtMachine& machine, const Scene& scene) : machine_(machine), scene_(scene) {}
  void execute(std::vector<Bytes>& memories, std::uint32_t times) override;

 private:
  SimtMachine& machine_;
  const Scene& scene_;
};

class SimtMachine : public Machine {
 public:
  explicit SimtMachine(const SimtOptions& options) {
    const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    context_.get()->state->routes[SLU_ROUTE_CUDA] = std::make_unique<SimtRoute>(options);
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_CUDA);
  }
  SluRoute route() const override { return SLU_ROUTE_CUDA; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override { return std::make_unique<SimtSession>(*this, scene); }
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  void dropPlans() override { plans_->clear(); }

 private:
  Context context_;
  std::unique_ptr<PlanCache> plans_;
};

void SimtSession::execute(std::vector<Bytes>& memories, std::uint32_t times) {
  const HostFrames frames(machine_.context(), memories);
  const auto enqueue = [](SluPlan plan, const SluFrameInfo* info) { return sluEnqueueCompact(plan, nullptr, info); };
  for (std::uint32_t i = 0; i < times; ++i) {
    for (const FrameSpec& frame : scene_.frames) frames.run(machine_.plan(scene_.planOf(frame)), frame, enqueue);
  }
}

}  // namespace

LaunchLimits launchLimits(const SimtOptions& options) {
  constexpr std::uint32_t kEnough = 1u << 20;
  const bool isScarce = options.sharedMemory == SharedMemory::scarce;
  return {.sortedBytes = isScarce ? kPortableSharedBytes : kEnough,
          .pipedBytes = isScarce ? 0 : kEnough,
          .pipedFrom = options.pipedFrom,
          .viewsFrom = options.viewsFrom.value_or(0),
          .mostDecisionBytes = options.mostDecisionBytes.value_or(LaunchLimits{}.mostDecisionBytes),
          .mostListBytes = options.mostListBytes.value_or(LaunchLimits{}.mostListBytes)};
}

std::unique_ptr<Machine> makeSimtMachine(const SimtOptions& options) { return std::make_unique<SimtMachine>(options); }

}  // namespace slu::test
