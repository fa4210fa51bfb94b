#include "report/csv.h"

#include <iomanip>
#include <sstream>

#include "report/rates.h"

namespace bench {
namespace {

// RFC 4180: fields with commas, quotes or line ends are quoted, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

void append(std::ostream& stream, const std::optional<double>& value) {
  stream << ',';
  if (value) stream << *value;
}

// Appends how frames of the CUDA arena ran. The fields are empty for other arenas.
void appendConditions(std::ostream& stream, const TrialSettings& settings, const WorkloadResult& result,
                      const CompetitorResult& competitor) {
  const bool ranOnCuda = competitor.arena == ArenaId::Cuda && result.setCount != 0;
  stream << ',' << (ranOnCuda ? name(result.residence) : "") << ',' << (ranOnCuda ? name(settings.mode) : "");
}

void appendLine(std::ostream& stream, const RunResult& run, const WorkloadResult& result,
                const CompetitorResult& competitor) {
  const Workload& workload = result.workload;
  stream << workload.recordBytes << ',' << workload.recordCount << ',' << workload.survivalPercent << ','
         << name(workload.pattern) << ',' << workload.bucketCount << ',' << name(workload.order) << ','
         << name(workload.outputs) << ',' << name(workload.predicate) << ',' << workload.viewCount << ','
         << name(workload.placement) << ',' << workload.groupCount << ',' << result.keptCount << ','
         << run.settings.seed << ',' << name(competitor.arena);
  appendConditions(stream, run.settings, result, competitor);
  stream << ',' << field(competitor.competitor) << ',' << name(competitor.status) << ',' << field(competitor.reason);
  if (competitor.status != Status::Measured) {
    stream << ",,,,,,,\n";
    return;
  }
  const Rates rates = ratesOf(result, competitor);
  append(stream, rates.microseconds.median);
  append(stream, rates.microseconds.percentile10);
  append(stream, rates.microseconds.percentile90);
  append(stream, rates.gigabytesPerSecond);
  append(stream, rates.ofCopy);
  append(stream, rates.ofBaseline);
  append(stream, timesOfOneView(run, result, competitor));
  stream << '\n';
}

}  // namespace

std::string csvReport(const RunResult& run) {
  std::ostringstream stream;
  stream << std::setprecision(9);
  stream << "recordBytes,recordCount,survivalPercent,pattern,buckets,order,outputs,predicate,views,placement,groups,"
            "kept,seed,arena,"
            "l2,mode,competitor,status,reason,"
            "medianMicroseconds,percentile10,percentile90,gigabytesPerSecond,ofCopy,vsBaseline,ofOneView\n";
  for (const WorkloadResult& result : run.workloads)
    for (const CompetitorResult& competitor : result.competitors) appendLine(stream, run, result, competitor);
  return stream.str();
}

}  // namespace bench
