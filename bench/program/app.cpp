#include "program/app.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "program/arenas.h"
#include "program/progress.h"
#include "program/trial.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/table.h"

namespace bench {
namespace {

constexpr double kWarmUpSeconds = 0.2;
constexpr double kQuickWarmUpSeconds = 0.05;

// A report that is written over and over as the run goes on, so that one that is killed leaves what it measured; once
// into what is no file, such as a pipe. It can be written before the run begins.
class ReportFile {
 public:
  // file: empty for none.
  ReportFile(const char* option, const std::string& file) : option_(option), file_(file) {
    if (file.empty()) return;
    stream_.open(file, std::ios::binary);
    check(stream_.good());
  }
  bool canRepeat() const { return std::filesystem::is_regular_file(file_); }
  void write(const std::string& text) {
    if (file_.empty()) return;
    if (!canRepeat()) return write(stream_, text);
    const std::filesystem::path whole = std::filesystem::canonical(file_), part = whole.string() + ".part";
    std::ofstream stream(part, std::ios::binary);
    write(stream, text);
    std::error_code error;
    std::filesystem::rename(part, whole, error);  // at no time is there less than one report
    check(!error);
  }

 private:
  void write(std::ofstream& stream, const std::string& text) const {
    stream << text;
    stream.close();
    check(stream.good());
  }
  void check(bool isGood) const {
    if (!isGood) failInput(option_, ": file ", file_, " cannot be written");
  }

  const char* option_;
  const std::string file_;
  std::ofstream stream_;
};

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

TrialSettings settingsOf(const Options& options) {
  TrialSettings settings;
  settings.mode = options.graph ? Mode::Graph : Mode::Stream;
  settings.cold = options.cold;
  settings.isSuite = options.isSuite;
  settings.seed = options.seed;
  settings.repetitionCount = options.repetitionCount;
  settings.warmUpSeconds = options.quick ? kQuickWarmUpSeconds : kWarmUpSeconds;
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

// measured(): called when another workload is in the run's results.
ExitCode runWorkloads(const Options& options, const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run,
                      const std::function<void()>& measured) {
  const TrialSettings settings = settingsOf(options);
  Progress progress(options.workloads.size());
  std::set<std::string> said;
  ExitCode code = ExitCode::Good;
  for (const Workload& workload : options.workloads) {
    progress.begin(run.workloads.size(), describe(workload));
    run.workloads.push_back(runTrial(settings, workload, arenas));
    progress.clear();
    measured();
    std::fputs(tableLines(run.workloads.back(), nameWidth(options.workloads), said).c_str(), stdout);
    std::fflush(stdout);
    if (reportWrong(run.workloads.back(), options.seed)) code = ExitCode::Mismatch;
  }
  for (const auto& arena : arenas) {
    for (HostCost& cost : arena->hostCosts()) run.hostCosts.push_back(std::move(cost));
  }
  std::fputs(hostCostLines(run.hostCosts).c_str(), stdout);
  return code;
}

ExitCode runReduction(const Options& options, const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run) {
  ExitCode code = ExitCode::Good;
  for (const auto& arena : arenas)
    for (ReductionResult& reduction : arena->studyReduction(settingsOf(options))) {
      if (!reduction.wrong.empty()) code = ExitCode::Mismatch;
      run.reductions.push_back(std::move(reduction));
    }
  std::fputs(reductionLines(run.reductions).c_str(), stdout);
  return code;
}

ExitCode runHandoffs(const Options& options, const std::vector<std::unique_ptr<Arena>>& arenas, RunResult& run) {
  ExitCode code = ExitCode::Good;
  for (const auto& arena : arenas)
    for (HandoffResult& handoff : arena->studyHandoffs(settingsOf(options))) {
      if (handoff.status == Status::Wrong) code = ExitCode::Mismatch;
      run.handoffs.push_back(std::move(handoff));
    }
  std::fputs(handoffLines(run.handoffs).c_str(), stdout);
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
  run.skipped = opened.skipped;
  for (const auto& arena : opened.arenas) arena->describe(run.devices);
  ReportFile json("--json", options.json);
  ReportFile csv("--csv", options.csv);
  std::fputs(tableHeader(run.devices, run.skipped, options).c_str(), stdout);
  std::fflush(stdout);
  const auto writeReports = [&] {
    if (!options.json.empty()) json.write(jsonReport(run, options, now()));
    if (!options.csv.empty()) csv.write(csvReport(run, options));
  };
  const auto writeIntoFiles = [&] {
    if (json.canRepeat()) json.write(jsonReport(run, options, now()));
    if (csv.canRepeat()) csv.write(csvReport(run, options));
  };
  try {
    ExitCode code = runWorkloads(options, opened.arenas, run, writeIntoFiles);
    if (options.reduction) code = std::max(code, runReduction(options, opened.arenas, run));
    if (options.handoffs) code = std::max(code, runHandoffs(options, opened.arenas, run));
    writeReports();
    return code;
  } catch (const Failure&) {
    writeReports();  // what was measured before
    throw;
  }
}

}  // namespace bench
