#include "app/benchmark.h"

#include <cstdio>
#include <cstring>

#include "app/benchmark_results.h"
#include "app/create.h"
#include "frame/context.h"
#include "frame/frame_loop.h"
#include "inspect/inspection.h"
#include "options/replay.h"
#include "report/report.h"

namespace demo {
namespace {

constexpr SluRoute kRoutes[] = {SLU_ROUTE_CPU, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE};
constexpr SluOrder kOrders[] = {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE};
// During these frames caches fill and clocks rise.
constexpr uint32_t kWarmUpFrames = 20;

// Shows the path from its first frame on, after the frames that do not count.
class BenchmarkPresenter final : public Presenter {
 public:
  BenchmarkPresenter(const Scene& scene, const Options& options) : options_(options), replay_(scene, options) {}

  std::optional<FrameRequest> begin(uint32_t, uint32_t) override {
    if (begun_ == kWarmUpFrames + options_.frameCount) return std::nullopt;
    const uint32_t frame = begun_++;
    return replay_.request(frame < kWarmUpFrames ? 0 : frame - kWarmUpFrames);
  }
  void retire(const FrameReport& report, const std::byte*) override {
    if (retired_++ >= kWarmUpFrames) reports_.push_back(report);
  }

  std::vector<FrameReport> takeReports() { return std::move(reports_); }

 private:
  const Options& options_;
  Replay replay_;
  uint32_t begun_ = 0, retired_ = 0;
  std::vector<FrameReport> reports_;
};

// A device that runs one route.
struct RouteDevice {
  RouteDevice(const Instance& instance, const Options& options, SluRoute route)
      : device(instance, choosePhysicalDevice(instance, "--device", options.device), route, VK_NULL_HANDLE,
               options.deviceFlags),
        context(createContext(device)),
        resolved(resolveRoute(context, route)) {}

  Device device;
  slu::Context context;
  SluRoute resolved;
  uint64_t frames = 0;
};

std::string firstDifference(const std::vector<FrameReport>& frames, const std::vector<FrameReport>& verified) {
  for (size_t frame = 0; frame < frames.size(); ++frame) {
    const SluStatistics &counts = frames[frame].statistics, &expected = verified[frame].statistics;
    if (!verified[frame].differences.empty())
      return sentence("frame ", frame, ": ", verified[frame].differences.front());
    if (std::memcmp(&counts, &expected, sizeof(counts)) != 0)
      return sentence("frame ", frame, ": kept ", counts.keptCount, " of ", counts.demandedCount,
                      " that passed, where the verified run kept ", expected.keptCount, " of ", expected.demandedCount);
  }
  return {};
}

class Benchmark {
 public:
  Benchmark(const Instance& instance, const Options& options) : instance_(instance), options_(options) {}

  ExitCode run();

 private:
  RouteResult measure(SluRoute route, BenchmarkWorkload& workload);
  std::vector<FrameReport> runFrames(RouteDevice& on, BenchmarkWorkload& workload, bool verify);
  void describe(const RouteResult& result, SluOrder order) const;

  const Instance& instance_;
  Options options_;
  BenchmarkDevice device_;
};

ExitCode Benchmark::run() {
  std::ofstream stream = openResults("--benchmark", options_.benchmark);
  std::vector<BenchmarkWorkload> workloads;
  uint32_t measured = 0, wrong = 0;
  for (const SluOrder order : kOrders) {
    BenchmarkWorkload workload = {order};
    for (const SluRoute route : kRoutes) {
      workload.routes.push_back(measure(route, workload));
      const RouteResult& result = workload.routes.back();
      measured += result.status == RouteStatus::Measured;
      wrong += result.status == RouteStatus::Wrong;
      describe(result, order);
    }
    workloads.push_back(std::move(workload));
  }
  if (!measured && !wrong) failRuntime("--benchmark: no route is available: ", workloads.front().routes.front().reason);
  writeBenchmark(stream, options_, device_, workloads);
  return wrong ? ExitCode::Mismatch : ExitCode::Good;
}

RouteResult Benchmark::measure(SluRoute route, BenchmarkWorkload& workload) {
  RouteResult result = {route, RouteStatus::Refused, {}};
  std::optional<RouteDevice> on;
  try {
    on.emplace(instance_, options_, route);
  } catch (const Failure& refusal) {
    if (refusal.cause() == Cause::BadInput) throw;
    result.reason = refusal.what();
    return result;
  }
  device_ = {on->device.properties().deviceName, driverOf(on->device.physical()).driverInfo, on->device.isCpu()};
  if (!options_.instanceCount) options_.instanceCount = defaultInstanceCount(options_, device_.isCpu);
  if (!on->device.timestampValidBits() && route != SLU_ROUTE_CPU) {
    result.reason = "the device's queue has no timestamps";
    return result;
  }
  const std::vector<FrameReport> verified = runFrames(*on, workload, true);
  result.frames = runFrames(*on, workload, false);
  result.reason = firstDifference(result.frames, verified);
  result.status = result.reason.empty() ? RouteStatus::Measured : RouteStatus::Wrong;
  return result;
}

// Both runs create everything again, so that a scene whose state depends on its past starts the same.
std::vector<FrameReport> Benchmark::runFrames(RouteDevice& on, BenchmarkWorkload& workload, bool verify) {
  Options options = options_;
  options.order = workload.order;
  options.verify = verify;
  const Renderer renderer(on.device, {options.width, options.height});
  const std::unique_ptr<Scene> scene = createScene(on.device, renderer, on.resolved, options);
  const std::unique_ptr<Compaction> compaction = createCompaction(on.device, on.context, on.resolved, *scene, options);
  const CompactionRequest& request = compaction->request();
  workload.recordBytes = request.plan.recordStride;
  workload.recordCount = request.plan.maxRecordCount;
  workload.bucketCount = compaction->bucketCount();
  workload.outputs = writes(request.plan.outputs, Channel::KeptRecords) ? "records" : "indices";
  BenchmarkPresenter presenter(*scene, options);
  Inspection inspection(on.device, renderer, *scene, *compaction, nullptr, verify);
  on.frames = FrameLoop({on.device, renderer, *scene, *compaction, inspection, nullptr, on.frames}).run(presenter);
  return presenter.takeReports();
}

void Benchmark::describe(const RouteResult& result, SluOrder order) const {
  const char* route = sluGetRouteName(result.route);
  if (result.status == RouteStatus::Wrong)
    std::fprintf(stderr, "sluice-demo: route %s, %s: %s\n", route, orderName(order), result.reason.c_str());
  if (options_.quiet || result.status == RouteStatus::Wrong) return;
  std::printf("route     %s, %s%s%s\n", route, orderName(order), result.reason.empty() ? "" : ": ",
              result.reason.c_str());
  printTimes(result.frames);
  std::fflush(stdout);
}

}  // namespace

ExitCode runBenchmark(const Instance& instance, const Options& options) { return Benchmark(instance, options).run(); }

}  // namespace demo
