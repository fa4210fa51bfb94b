#include "app.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "competitors/all.h"
#include "gpu.h"
#include "host_cost.h"
#include "progress.h"
#include "report_json.h"
#include "report_table.h"
#include "trial.h"

namespace bench {
namespace {

constexpr double kWarmUpSeconds = 0.2;
constexpr double kQuickWarmUpSeconds = 0.05;

using Competitors = std::vector<std::unique_ptr<Competitor>>;

Competitors chosenCompetitors(const Options& options) {
  Competitors all = makeCompetitors({options.device, options.statistics});
  const auto isChosen = [&](const std::string& name) {
    return options.competitors.empty() ||
           std::find(options.competitors.begin(), options.competitors.end(), name) != options.competitors.end();
  };
  for (const std::string& name : options.competitors)
    if (std::none_of(all.begin(), all.end(), [&](const auto& competitor) { return competitor->name() == name; }))
      failInput("--competitors: '", name, "' is not known (see --help)");
  std::erase_if(all, [&](const auto& competitor) { return !isChosen(competitor->name()); });
  return all;
}

std::ofstream openJson(const std::string& file) {
  if (file.empty()) return {};
  std::ofstream stream(file, std::ios::binary);
  if (!stream) failInput("--json: file ", file, " cannot be written");
  return stream;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

TrialSettings settingsOf(const Options& options, const GpuDescription& gpu) {
  TrialSettings settings;
  settings.mode = options.graph ? Mode::Graph : Mode::Stream;
  settings.cold = options.cold;
  settings.seed = options.seed;
  settings.repetitionCount = options.repetitionCount;
  settings.warmUpSeconds = options.quick ? kQuickWarmUpSeconds : kWarmUpSeconds;
  settings.cacheBytes = gpu.cacheBytes;
  return settings;
}

// Says on stderr what is wrong, and returns whether anything is.
bool reportWrong(const WorkloadResult& result, uint32_t seed) {
  bool any = false;
  for (const CompetitorResult& competitor : result.competitors) {
    if (competitor.status != Status::Wrong) continue;
    any = true;
    std::fprintf(stderr, "sluice-bench: %s is wrong at %s, seed %u: %s\n", competitor.competitor.c_str(),
                 describe(result.workload).c_str(), seed, competitor.reason.c_str());
  }
  return any;
}

ExitCode runWorkloads(const Options& options, const Competitors& competitors, RunResult& run) {
  const Stream stream;
  const TrialSettings settings = settingsOf(options, run.gpu);
  Progress progress(options.workloads.size());
  ExitCode code = ExitCode::Good;
  for (const Workload& workload : options.workloads) {
    progress.begin(run.workloads.size(), describe(workload));
    run.workloads.push_back(runTrial(settings, workload, competitors, stream));
    progress.clear();
    std::fputs(tableLines(run.workloads.back(), nameWidth(options.workloads)).c_str(), stdout);
    std::fflush(stdout);
    if (reportWrong(run.workloads.back(), options.seed)) code = ExitCode::Mismatch;
  }
  for (const auto& competitor : competitors) {
    if (competitor->name() != "sluice") continue;
    run.hostCost = measureHostCost(*competitor, stream);
    std::fputs(hostCostLine(*run.hostCost).c_str(), stdout);
  }
  return code;
}

}  // namespace

ExitCode run(const Options& options) {
  if (options.list) {
    for (const Workload& workload : options.workloads) std::printf("%s\n", describe(workload).c_str());
    return ExitCode::Good;
  }
  const Competitors competitors = chosenCompetitors(options);
  RunResult run;
  run.gpu = openGpu(options.device);
  std::ofstream json = openJson(options.json);
  std::fputs(tableHeader(run.gpu, options).c_str(), stdout);
  const auto writeJson = [&] {
    if (options.json.empty()) return;
    json << jsonReport(run, options, now());
    json.close();
    if (!json) failInput("--json: file ", options.json, " cannot be written");
  };
  try {
    const ExitCode code = runWorkloads(options, competitors, run);
    writeJson();
    return code;
  } catch (const Failure&) {
    writeJson();  // what was measured before
    throw;
  }
}

}  // namespace bench
