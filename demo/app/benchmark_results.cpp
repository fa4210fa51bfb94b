#include "app/benchmark_results.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "report/frame_times.h"
#include "report/report.h"

namespace demo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kArena = "frame";

const char* statusName(RouteStatus status) {
  if (status == RouteStatus::Measured) return "measured";
  return status == RouteStatus::Refused ? "refused" : "wrong";
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

Json summaryJson(const std::vector<double>& values) {
  return {{"median", percentile(values, 0.5)},
          {"percentile10", percentile(values, 0.1)},
          {"percentile25", percentile(values, 0.25)},
          {"percentile75", percentile(values, 0.75)},
          {"percentile90", percentile(values, 0.9)}};
}

Json summariesJson(const std::vector<FrameTime>& times, const std::vector<FrameReport>& frames) {
  Json json = Json::object();
  for (const FrameTime& time : times)
    if (const std::vector<double> values = time.all(frames); !values.empty()) json[time.name] = summaryJson(values);
  return json;
}

// Returns the time from the records to the draws, on the GPU or on the host.
FrameTime compactionTime() {
  return {"compact", [](const FrameReport& frame) {
            const auto& gpu = frame.gpuMicroseconds[static_cast<size_t>(Stage::Compact)];
            return gpu ? gpu : frame.hostCompactMicroseconds;
          }};
}

void addPhase(Json& phases, const char* name, const std::vector<double>& values) {
  if (!values.empty()) phases.push_back({{"name", name}, {"microseconds", percentile(values, 0.5)}});
}

// Returns the phases of a frame, in the order in which they run.
Json phasesJson(const std::vector<FrameReport>& frames) {
  std::vector<FrameTime> stages = gpuTimes();
  stages[static_cast<size_t>(Stage::Compact)] = compactionTime();
  Json phases = Json::array();
  for (const FrameTime& stage : stages) addPhase(phases, stage.name, stage.all(frames));
  return phases;
}

Json routeJson(const RouteResult& result) {
  Json json;
  json["name"] = sluGetRouteName(result.route);
  json["arena"] = kArena;
  json["role"] = "candidate";
  json["status"] = statusName(result.status);
  if (result.status != RouteStatus::Measured) {
    json["reason"] = result.reason;
    return json;
  }
  const std::vector<double> samples = compactionTime().all(result.frames);
  json["framesPerSample"] = 1;
  json["microseconds"] = summaryJson(samples);
  json["microseconds"]["samples"] = samples;
  json["phases"] = phasesJson(result.frames);
  json["gpuMicroseconds"] = summariesJson(gpuTimes(), result.frames);
  json["hostMicroseconds"] = summariesJson(hostTimes(), result.frames);
  return json;
}

// Describes device and build like `sluice-bench --json`, with the CUDA that this program was built with.
Json machineJson(const BenchmarkDevice& device) {
  const bool hasCuda = !device.isCpu && *DEMO_CUDA_VERSION != 0;
  return {
      {"name", device.name}, {"driver", device.driver}, {"cuda", hasCuda ? Json(DEMO_CUDA_VERSION) : Json(nullptr)}};
}

// Returns the median of the first route that was measured.
double medianKept(const BenchmarkWorkload& workload) {
  std::vector<double> kept;
  for (const RouteResult& result : workload.routes) {
    if (result.status != RouteStatus::Measured) continue;
    for (const FrameReport& frame : result.frames) kept.push_back(frame.statistics.keptCount);
    break;
  }
  return kept.empty() ? 0.0 : percentile(kept, 0.5);
}

Json workloadJson(const Options& options, const BenchmarkWorkload& workload) {
  const double kept = medianKept(workload);
  Json json;
  json["name"] = sentence(sceneName(options.scene), " x ", options.instanceCount, ", ", options.width, 'x',
                          options.height, ", ", orderName(workload.order), options.hasMatrices ? ", matrices" : "");
  json["recordBytes"] = workload.recordBytes;
  json["recordCount"] = workload.recordCount;
  json["survivalPercent"] = workload.recordCount ? 100.0 * kept / workload.recordCount : 0.0;
  json["pattern"] = "scene";
  json["buckets"] = workload.bucketCount;
  json["order"] = orderName(workload.order);
  json["outputs"] = workload.outputs;
  json["scene"] = sceneName(options.scene);
  json["path"] = options.path.empty() ? Json(nullptr) : Json(options.path.string());
  json["size"] = {options.width, options.height};
  json["capacityScale"] = options.capacityScale;
  json["kept"] = kept;
  json["competitors"] = Json::array();
  for (const RouteResult& result : workload.routes) json["competitors"].push_back(routeJson(result));
  return json;
}

}  // namespace

void writeBenchmark(std::ofstream& stream, const Options& options, const BenchmarkDevice& device,
                    const std::vector<BenchmarkWorkload>& workloads) {
  Json json;
  json["program"] = "sluice-demo " DEMO_VERSION;
  json["date"] = now();
  json["machine"] = machineJson(device);
  json["gpu"] = nullptr;
  json["devices"][kArena] = {{"name", device.name}, {"isGpu", !device.isCpu}};
  json["mode"] = "frames";
  json["repetitions"] = options.frameCount;
  json["workloads"] = Json::array();
  for (const BenchmarkWorkload& workload : workloads) json["workloads"].push_back(workloadJson(options, workload));
  // A path may hold bytes that are not UTF-8.
  stream << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) failInput("--benchmark: file ", options.benchmark.string(), " cannot be written");
}

}  // namespace demo
