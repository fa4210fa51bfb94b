#include "report/table.h"

#include <algorithm>
#include <cstdio>

#include "report/rates.h"

namespace bench {
namespace {

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof(text), pattern, arguments...);
  return text;
}

std::string percent(const std::optional<double>& part) { return part ? format("%.1f %%", *part * 100.0) : "-"; }

std::string times(const std::optional<double>& factor) { return factor ? format("%.2fx", *factor) : "-"; }

std::string line(const WorkloadResult& result, const CompetitorResult& competitor, int width) {
  const std::string workload = describe(result.workload);
  const std::string begin =
      format("%-*s %-15s %-18s ", width, workload.c_str(), name(competitor.arena), competitor.competitor.c_str());
  if (competitor.status != Status::Measured)
    return begin +
           format("%s: %.300s\n", competitor.status == Status::Wrong ? "WRONG" : "not run", competitor.reason.c_str());
  const Rates rates = ratesOf(result, competitor);
  return begin + format("%10.2f %10.2f %10.2f %8.*f %8s %8s  %s\n", rates.microseconds.median,
                        rates.microseconds.percentile10, rates.microseconds.percentile90,
                        rates.gigabytesPerSecond < 1 ? 3 : 1, rates.gigabytesPerSecond, percent(rates.ofCopy).c_str(),
                        times(rates.ofBaseline).c_str(),
                        competitor.arena == ArenaId::Cuda ? name(result.residence) : "-");
}

std::string pathText(const HandoffResult& handoff) {
  if (handoff.work == HandoffWork::NoCompaction) return name(handoff.work);
  return handoff.path + (handoff.work == HandoffWork::HandoffAlone ? ", alone" : "");
}

std::string line(const HandoffResult& handoff) {
  const std::string begin = format("hand-off, %-7s %-26s %s ", handoff.route.c_str(), pathText(handoff).c_str(),
                                   handoff.latency != 0 ? "a frame later" : "at once      ");
  if (handoff.status != Status::Measured)
    return begin +
           format("%s: %.300s\n", handoff.status == Status::Wrong ? "WRONG" : "not run", handoff.reason.c_str());
  const double gap = summarize(handoff.gapSamples).median, host = summarize(handoff.hostSamples).median;
  if (handoff.work == HandoffWork::HandoffAlone)
    return begin + format("%9.2f us there and back, %7.2f us of the host\n", gap, host);
  const std::string added =
      handoff.addedSamples.empty() ? "" : format(" (%+.2f by compaction)", summarize(handoff.addedSamples).median);
  return begin + format("%9.2f us a frame%s, %9.2f us before its draws, %7.2f us of the host\n",
                        summarize(handoff.frameSamples).median, added.c_str(), gap, host);
}

std::string gpuLines(const GpuDescription& gpu) {
  return format("GPU      %s, compute capability %s, %u SMs, %.0f MiB L2, %u / %u MHz core / memory\n",
                gpu.name.c_str(), gpu.computeCapability.c_str(), gpu.multiprocessorCount,
                static_cast<double>(gpu.cacheBytes) / (1u << 20), gpu.coreClockMHz, gpu.memoryClockMHz) +
         format("CUDA     runtime %s, driver for %s%s%s\n", versionText(gpu.cudaRuntime).c_str(),
                versionText(gpu.cudaDriver).c_str(), gpu.driver.empty() ? "" : ", version ", gpu.driver.c_str());
}

}  // namespace

int nameWidth(const std::vector<Workload>& workloads) {
  size_t width = 0;
  for (const Workload& workload : workloads) width = std::max(width, describe(workload).size());
  return static_cast<int>(width);
}

std::string tableHeader(const RunResult& run, int nameWidth) {
  const Devices& devices = run.devices;
  const TrialSettings& settings = run.settings;
  std::string text;
  if (devices.host) text += format("Host     %s, %u threads\n", devices.host->name.c_str(), devices.host->threadCount);
  for (const auto& [arena, vulkan] : devices.vulkan)
    text += format("Vulkan   %s, %s, Vulkan %s, a queue for %s (%s)\n", vulkan.name.c_str(), vulkan.driver.c_str(),
                   vulkan.apiVersion.c_str(), vulkan.queueDraws ? "graphics and compute" : "compute", name(arena));
  if (devices.gpu) text += gpuLines(*devices.gpu);
  for (const ArenaRefusal& arena : run.skipped)
    text += format("%s: skipped, %.400s\n", name(arena.arena), arena.reason.c_str());
  text += format("Run      %s%u samples, seed %u%s%s%s\n\n",
                 devices.gpu ? settings.mode == Mode::Graph ? "graph replays, " : "single launches, " : "",
                 settings.repetitionCount, settings.seed, settings.cold ? ", cold" : "",
                 settings.statistics ? ", with statistics" : "", settings.quick ? ", quick: rough numbers" : "");
  text += format("%-*s %-15s %-18s %10s %10s %10s %8s %8s %8s  %s\n", nameWidth, "workload", "arena", "competitor",
                 "us", "p10", "p90", "GB/s", "of copy", "vs CUB", "L2");
  return text;
}

std::string tableLines(const WorkloadResult& result, int nameWidth, std::set<std::string>& said) {
  std::string text;
  for (const CompetitorResult& competitor : result.competitors)
    if (!isRefused(result, competitor.arena)) text += line(result, competitor, nameWidth);
  for (const ArenaRefusal& refusal : result.refusals)
    if (said.insert(describe({refusal})).second)
      text += format("%-*s %-15s not run: %.400s\n", nameWidth, describe(result.workload).c_str(), name(refusal.arena),
                     refusal.reason.c_str());
  return text;
}

std::string viewLines(const RunResult& run) {
  std::string text;
  for (const WorkloadResult& result : run.workloads)
    for (const CompetitorResult& competitor : result.competitors) {
      if (competitor.status != Status::Measured || isCopy(competitor.role)) continue;
      if (const auto factor = timesOfOneView(run, result, competitor))
        text += format("views, %-15s %-18s %7.2fx the time of one view  %s\n", name(competitor.arena),
                       competitor.competitor.c_str(), *factor, describe(result.workload).c_str());
    }
  return text.empty() ? "" : "\n" + text;
}

std::string reductionLines(const std::vector<ReductionResult>& reductions) {
  std::string text = "\n";
  for (const ReductionResult& reduction : reductions) {
    text += format("reduction by key, %-8s %-7s %-21s ", reduction.order.c_str(), reduction.type.c_str(),
                   reduction.method.c_str());
    if (reduction.wrong.empty()) {
      const Summary summary = summarize(reduction.samples);
      text += format("%10.2f %10.2f %10.2f us\n", summary.median, summary.percentile10, summary.percentile90);
    } else {
      text += format("WRONG: %.300s\n", reduction.wrong.c_str());
    }
  }
  if (reductions.empty()) text += "reduction by key: skipped, it is the cuda arena's\n";
  return text;
}

std::string occlusionLines(const std::vector<OcclusionResult>& occlusions) {
  std::string text = "\n";
  const OcclusionResult* before = nullptr;
  for (const OcclusionResult& occlusion : occlusions) {
    if (before == nullptr || before->records != occlusion.records || before->width != occlusion.width)
      text += format(
          "occlusion, %ux%u, %u records, %s: %llu in the frustum, %llu of them visible, %llu of these show\n",
          occlusion.width, occlusion.height, occlusion.recordCount, occlusion.records.c_str(),
          static_cast<unsigned long long>(occlusion.inFrustum), static_cast<unsigned long long>(occlusion.visible),
          static_cast<unsigned long long>(occlusion.showing));
    before = &occlusion;
    text += format("occlusion, %-7s %-12s %-15s ", occlusion.method.c_str(), occlusion.work.c_str(),
                   occlusion.last.c_str());
    if (!occlusion.wrong.empty()) {
      text += format("WRONG: %.300s\n", occlusion.wrong.c_str());
      continue;
    }
    const Summary summary = summarize(occlusion.samples);
    text += format("%10.2f us, p10 %.2f, p90 %.2f; a copy %.2f; %llu kept\n", summary.median, summary.percentile10,
                   summary.percentile90, summarize(occlusion.copySamples).median,
                   static_cast<unsigned long long>(occlusion.kept));
  }
  if (occlusions.empty()) text += "occlusion: skipped, it is the cuda arena's\n";
  return text;
}

std::string hostCostLines(const std::vector<HostCost>& costs) {
  std::string text = "\n";
  for (const HostCost& cost : costs) {
    const Summary summary = summarize(cost.samples);
    text += format("host time of a frame's call, %-15s %-14s %7.2f us (%.2f to %.2f)  %s\n", name(cost.arena),
                   cost.competitor.c_str(), summary.median, summary.percentile10, summary.percentile90,
                   describe(cost.workload).c_str());
  }
  return text;
}

std::string handoffLines(const std::vector<HandoffResult>& handoffs) {
  std::string text = "\n";
  for (const HandoffResult& handoff : handoffs) text += line(handoff);
  for (const HandoffResult& handoff : handoffs)
    for (const VerbTimes& verb : handoff.verbs) {
      const Summary summary = summarize(verb.samples);
      text += format("host time of a call, %-7s %-17s %7.2f us (%.2f to %.2f)\n", handoff.route.c_str(),
                     verb.verb.c_str(), summary.median, summary.percentile10, summary.percentile90);
    }
  if (handoffs.empty()) text += "hand-offs: skipped, they are the vulkan arena's\n";
  return text;
}

}  // namespace bench
