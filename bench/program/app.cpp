#include "program/app.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <set>

#include "program/arenas.h"
#include "program/progress.h"
#include "program/studies.h"
#include "program/trial.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/report_file.h"
#include "report/table.h"

namespace bench {
namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

// The files that the options name.
class Reports {
 public:
  explicit Reports(const Options& options) : json_("--json", options.json), csv_("--csv", options.csv) {}

  // While the run goes on, into the files that can be written again.
  void update(const RunResult& run) {
    if (json_.canRepeat()) json_.write(jsonReport(run, now()));
    if (csv_.canRepeat()) csv_.write(csvReport(run));
  }
  void finish(const RunResult& run) {
    if (json_.isWanted()) json_.write(jsonReport(run, now()));
    if (csv_.isWanted()) csv_.write(csvReport(run));
  }

 private:
  ReportFile json_;
  ReportFile csv_;
};

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

// measured(): called after each workload, with its results in the run.
ExitCode runWorkloads(const std::vector<Workload>& workloads, const std::vector<std::unique_ptr<Arena>>& arenas,
                      RunResult& run, const std::function<void()>& measured) {
  Progress progress(workloads.size());
  std::set<std::string> said;
  ExitCode code = ExitCode::Good;
  for (const Workload& workload : workloads) {
    progress.begin(run.workloads.size(), describe(workload));
    run.workloads.push_back(runTrial(run.settings, workload, arenas));
    progress.clear();
    measured();
    std::fputs(tableLines(run.workloads.back(), nameWidth(workloads), said).c_str(), stdout);
    std::fflush(stdout);
    if (reportWrong(run.workloads.back(), run.settings.seed)) code = ExitCode::Mismatch;
  }
  std::fputs(viewLines(run).c_str(), stdout);
  for (const auto& arena : arenas) {
    for (HostCost& cost : arena->hostCosts()) run.hostCosts.push_back(std::move(cost));
  }
  std::fputs(hostCostLines(run.hostCosts).c_str(), stdout);
  return code;
}

}  // namespace

ExitCode run(const Options& options) {
  if (options.list) {
    for (const Workload& workload : options.workloads) std::printf("%s\n", describe(workload).c_str());
    return ExitCode::Good;
  }
  const OpenedArenas opened = openArenas(options);
  RunResult run;
  run.settings = options.trial;
  run.skipped = opened.skipped;
  for (const auto& arena : opened.arenas) arena->describe(run.devices);
  Reports reports(options);
  std::fputs(tableHeader(run, nameWidth(options.workloads)).c_str(), stdout);
  std::fflush(stdout);
  try {
    ExitCode code = runWorkloads(options.workloads, opened.arenas, run, [&] { reports.update(run); });
    if (options.reduction) code = std::max(code, runReduction(opened.arenas, run));
    if (options.handoffs) code = std::max(code, runHandoffs(opened.arenas, run));
    if (options.occlusion) code = std::max(code, runOcclusion(opened.arenas, options.device, run));
    reports.finish(run);
    return code;
  } catch (const Failure&) {
    reports.finish(run);  // what was measured before
    throw;
  }
}

}  // namespace bench
