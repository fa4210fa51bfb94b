#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/rates.h"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

const char* name(Role role) {
  switch (role) {
    case Role::Copy:
      return "copy";
    case Role::Baseline:
      return "baseline";
    case Role::Candidate:
      return "candidate";
    case Role::Study:
      return "study";
  }
  return "unknown";
}

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json gpuJson(const GpuDescription& gpu) {
  Json json;
  json["name"] = gpu.name;
  json["computeCapability"] = gpu.computeCapability;
  json["multiprocessors"] = gpu.multiprocessorCount;
  json["l2Bytes"] = gpu.cacheBytes;
  json["memoryBytes"] = gpu.memoryBytes;
  json["coreClockMHz"] = gpu.coreClockMHz;
  json["memoryClockMHz"] = gpu.memoryClockMHz;
  json["driver"] = textOrNull(gpu.driver);
  json["cudaDriver"] = gpu.cudaDriver;
  json["cudaRuntime"] = gpu.cudaRuntime;
  return json;
}

Json hostJson(const HostDescription& host) {
  Json json;
  json["name"] = host.name;
  json["threads"] = host.threadCount;
  json["memoryBytes"] = host.memoryBytes;
  return json;
}

Json vulkanJson(const VulkanDescription& vulkan) {
  Json json;
  json["name"] = vulkan.name;
  json["driver"] = vulkan.driver;
  json["apiVersion"] = vulkan.apiVersion;
  json["isGpu"] = vulkan.isGpu;
  json["queueDraws"] = vulkan.queueDraws;
  json["timestampNanoseconds"] = vulkan.timestampPeriod;
  return json;
}

Json devicesJson(const Devices& devices) {
  Json json = Json::object();
  if (devices.host) json[name(ArenaId::Host)] = hostJson(*devices.host);
  for (const auto& [arena, vulkan] : devices.vulkan) json[name(arena)] = vulkanJson(vulkan);
  if (devices.gpu) json[name(ArenaId::Cuda)] = gpuJson(*devices.gpu);
  return json;
}

// Names the machine in the same form in all results: the GPU of CUDA, else the device of Vulkan and the CUDA of this
// build, else the processors. What the machine lacks is null. A driver that is not known is left out.
Json machineJson(const Devices& devices) {
  Json json = {{"name", devices.host ? devices.host->name : ""}, {"driver", nullptr}, {"cuda", nullptr}};
  if (devices.gpu) {
    json = {
        {"name", devices.gpu->name}, {"driver", devices.gpu->driver}, {"cuda", versionText(devices.gpu->cudaRuntime)}};
  } else if (!devices.vulkan.empty()) {
    const VulkanDescription& vulkan = devices.vulkan.begin()->second;
    json = {{"name", vulkan.name}, {"driver", vulkan.driverVersion}, {"cuda", nullptr}};
    if (vulkan.isGpu) json["cuda"] = textOrNull(BENCH_CUDA_VERSION);
  }
  if (json["driver"] == "") json.erase("driver");
  return json;
}

Json refusalsJson(const std::vector<ArenaRefusal>& refusals) {
  Json json = Json::object();
  for (const ArenaRefusal& refusal : refusals) json[name(refusal.arena)] = refusal.reason;
  return json;
}

Json timesJson(const Summary& summary, const std::vector<double>& samples) {
  Json json;
  json["median"] = summary.median;
  json["percentile10"] = summary.percentile10;
  json["percentile90"] = summary.percentile90;
  json["samples"] = samples;
  return json;
}

Json competitorJson(const RunResult& run, const WorkloadResult& result, const CompetitorResult& competitor) {
  Json json;
  json["name"] = competitor.competitor;
  json["arena"] = name(competitor.arena);
  json["role"] = name(competitor.role);
  json["status"] = name(competitor.status);
  if (competitor.status != Status::Measured) {
    json["reason"] = competitor.reason;
    return json;
  }
  const Rates rates = ratesOf(result, competitor);
  json["framesPerSample"] = competitor.framesPerSample;
  json["microseconds"] = timesJson(rates.microseconds, competitor.samples);
  json["bytes"] = rates.bytes;
  json["gigabytesPerSecond"] = rates.gigabytesPerSecond;
  for (const PhaseResult& phase : competitor.phases)
    json["phases"].push_back({{"name", phase.name}, {"microseconds", phase.microseconds}});
  json["ofCopy"] = orNull(rates.ofCopy);
  json["vsBaseline"] = orNull(rates.ofBaseline);
  if (result.workload.viewCount > 1) json["ofOneView"] = orNull(timesOfOneView(run, result, competitor));
  return json;
}

Json reductionJson(const ReductionResult& reduction) {
  Json json;
  json["method"] = reduction.method;
  json["keys"] = reduction.order;
  json["type"] = reduction.type;
  json["status"] = reduction.wrong.empty() ? "measured" : "wrong";
  if (!reduction.wrong.empty()) {
    json["reason"] = reduction.wrong;
    return json;
  }
  json["microseconds"] = timesJson(summarize(reduction.samples), reduction.samples);
  return json;
}

Json occlusionJson(const OcclusionResult& occlusion) {
  Json json;
  json["method"] = occlusion.method;
  json["work"] = occlusion.work;
  json["records"] = occlusion.records;
  json["last"] = textOrNull(occlusion.last);
  json["recordCount"] = occlusion.recordCount;
  json["width"] = occlusion.width;
  json["height"] = occlusion.height;
  json["inFrustum"] = occlusion.inFrustum;
  json["visible"] = occlusion.visible;
  json["showing"] = occlusion.showing;
  json["status"] = occlusion.wrong.empty() ? "measured" : "wrong";
  if (!occlusion.wrong.empty()) {
    json["reason"] = occlusion.wrong;
    return json;
  }
  json["keptByFrames"] = occlusion.kept;
  json["compulsoryBytes"] = occlusion.bytes;
  json["microseconds"] = timesJson(summarize(occlusion.samples), occlusion.samples);
  json["copyMicroseconds"] = timesJson(summarize(occlusion.copySamples), occlusion.copySamples);
  return json;
}

Json handoffJson(const HandoffResult& handoff) {
  Json json;
  json["work"] = name(handoff.work);
  json["route"] = handoff.route;
  json["path"] = handoff.path;
  json["latency"] = handoff.latency;
  json["status"] = name(handoff.status);
  if (handoff.status != Status::Measured) {
    json["reason"] = handoff.reason;
    return json;
  }
  if (handoff.work != HandoffWork::HandoffAlone)
    json["frameMicroseconds"] = timesJson(summarize(handoff.frameSamples), handoff.frameSamples);
  json["gapMicroseconds"] = timesJson(summarize(handoff.gapSamples), handoff.gapSamples);
  json["hostMicroseconds"] = timesJson(summarize(handoff.hostSamples), handoff.hostSamples);
  if (!handoff.addedSamples.empty())
    json["deltaMicroseconds"] = timesJson(summarize(handoff.addedSamples), handoff.addedSamples);
  for (const VerbTimes& verb : handoff.verbs)
    json["verbs"].push_back({{"name", verb.verb}, {"microseconds", timesJson(summarize(verb.samples), verb.samples)}});
  return json;
}

Json hostCostJson(const HostCost& cost) {
  Json json;
  json["competitor"] = cost.competitor;
  json["arena"] = name(cost.arena);
  json["workload"] = describe(cost.workload);
  json["callsPerSample"] = cost.callsPerSample;
  json["microseconds"] = timesJson(summarize(cost.samples), cost.samples);
  return json;
}

Json workloadJson(const RunResult& run, const WorkloadResult& result) {
  const Workload& workload = result.workload;
  Json json;
  json["name"] = describe(workload);
  json["recordBytes"] = workload.recordBytes;
  json["recordCount"] = workload.recordCount;
  json["survivalPercent"] = workload.survivalPercent;
  json["pattern"] = name(workload.pattern);
  json["buckets"] = workload.bucketCount;
  json["order"] = name(workload.order);
  json["outputs"] = name(workload.outputs);
  json["predicate"] = name(workload.predicate);
  json["views"] = workload.viewCount;
  json["placement"] = name(workload.placement);
  json["groups"] = workload.groupCount;
  if (const std::string refusal = refusalOfAll(result); !refusal.empty()) {
    json["refusal"] = refusal;
    return json;
  }
  if (!result.refusals.empty()) json["refusals"] = refusalsJson(result.refusals);
  const Traffic traffic = trafficOf(workload, result.keptCount);
  json["kept"] = result.keptCount;
  json["compulsoryBytes"] = traffic.bytes;
  json["wholeRecordBytes"] = traffic.wholeBytes;
  if (result.setCount != 0) {
    json["l2"] = name(result.residence);
    json["sets"] = result.setCount;
  }
  json["competitors"] = Json::array();
  for (const CompetitorResult& competitor : result.competitors)
    json["competitors"].push_back(competitorJson(run, result, competitor));
  return json;
}

}  // namespace

std::string jsonReport(const RunResult& run, const std::string& date) {
  Json json;
  json["program"] = "sluice-bench " BENCH_VERSION;
  json["date"] = date;
  json["machine"] = machineJson(run.devices);
  json["gpu"] = run.devices.gpu ? gpuJson(*run.devices.gpu) : Json(nullptr);
  json["devices"] = devicesJson(run.devices);
  json["skipped"] = refusalsJson(run.skipped);
  json["mode"] = name(run.settings.mode);
  json["cold"] = run.settings.cold;
  json["statistics"] = run.settings.statistics;
  json["quick"] = run.settings.quick;
  json["repetitions"] = run.settings.repetitionCount;
  json["seed"] = run.settings.seed;
  json["workloads"] = Json::array();
  for (const WorkloadResult& result : run.workloads) json["workloads"].push_back(workloadJson(run, result));
  for (const ReductionResult& reduction : run.reductions) json["reductions"].push_back(reductionJson(reduction));
  for (const HandoffResult& handoff : run.handoffs) json["handoffs"].push_back(handoffJson(handoff));
  for (const OcclusionResult& occlusion : run.occlusions) json["occlusions"].push_back(occlusionJson(occlusion));
  json["hostCosts"] = Json::array();
  for (const HostCost& cost : run.hostCosts) json["hostCosts"].push_back(hostCostJson(cost));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bench
