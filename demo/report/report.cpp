#include "report/report.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/failure.h"
#include "render/picture.h"
#include "report/frame_times.h"

namespace demo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRejectNames[] = {"notLive", "key",   "invalid",  "distance",   "frustum", "size",
                                        "lod",     "layer", "occluded", "otherPhase", "cone"};
static_assert(std::size(kRejectNames) == SLU_REJECT_COUNT);
constexpr uint32_t kMaxPrintedFrames = 3;

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// Lists the draws of each group in each view.
Json groupsJson(const FrameReport& frame, const std::vector<const char*>& groups) {
  Json json;
  for (size_t place = 0; place < frame.drawCounts.size(); ++place)
    json[groups[place % groups.size()]].push_back(frame.drawCounts[place]);
  return json;
}

Json frameJson(const FrameReport& frame, const std::vector<const char*>& groups) {
  const SluStatistics& statistics = frame.statistics;
  Json json;
  json["frame"] = frame.index;
  json["input"] = statistics.inputCount;
  json["kept"] = statistics.keptCount;
  json["demanded"] = statistics.demandedCount;
  json["overflow"] = statistics.demandedCount > statistics.keptCount;
  for (size_t reason = 0; reason < SLU_REJECT_COUNT; ++reason)
    json["rejected"][kRejectNames[reason]] = statistics.rejectedCount[reason];
  json["draws"] = statistics.drawCount;
  if (!groups.empty()) json["groupDraws"] = groupsJson(frame, groups);
  json["plansCreated"] = frame.planCount;
  if (const std::optional<DistrictCounts>& districts = frame.districts)
    json["districts"] = {{"all", districts->districts},
                         {"resident", districts->resident},
                         {"in", districts->in},
                         {"out", districts->out},
                         {"meshWrites", districts->meshWrites}};
  if (const std::optional<OcclusionCounts>& occlusion = frame.occlusion)
    json["occlusion"] = {{"firstKept", occlusion->firstKept},
                         {"restKept", occlusion->restKept},
                         {"hidden", occlusion->hidden},
                         {"hiddenTriangles", occlusion->hiddenTriangles.value_or(0)},
                         {"drawnTriangles", occlusion->drawnTriangles.value_or(0)}};
  if (const std::optional<ConeCounts>& cones = frame.cones)
    json["cones"] = {{"facingAway", cones->facingAway},
                     {"facingAwayTriangles", cones->facingAwayTriangles},
                     {"passedTriangles", cones->passedTriangles}};
  for (const SluStatistics& shadow : frame.shadowStatistics) json["shadowsKept"].push_back(shadow.keptCount);
  for (const FrameTime& time : gpuTimes()) json["gpuMicroseconds"][time.name] = orNull(time.in(frame));
  for (const FrameTime& time : hostTimes()) json["hostMicroseconds"][time.name] = orNull(time.in(frame));
  if (frame.pick) {
    json["pick"]["pixel"] = {frame.pick->pixel.x, frame.pick->pixel.y};
    json["pick"]["instance"] = frame.pick->record ? Json(frame.pick->record->index) : Json(nullptr);
    if (frame.pick->record) json["pick"].update({{"key", frame.pick->key}, {"lod", frame.pick->lod}});
  }
  return json;
}

// Returns "simulate 1.0 us, draw 2.0 us", with the times that any frame has.
void printMedians(const char* title, const std::vector<FrameTime>& times, const std::vector<FrameReport>& frames) {
  std::string line;
  for (const FrameTime& time : times) {
    const std::vector<double> values = time.all(frames);
    if (values.empty()) continue;
    char text[64];
    std::snprintf(text, sizeof(text), "%s%s %.1f us", line.empty() ? "" : ", ", time.name, percentile(values, 0.5));
    line += text;
  }
  if (!line.empty()) std::printf("%s %s (medians)\n", title, line.c_str());
}

void printDistricts(const FrameReport& last) {
  if (!last.districts) return;
  const DistrictCounts& counts = *last.districts;
  std::printf("districts in/out: %u/%u, %u of %u resident, %u mesh rows written; plans created: %u\n", counts.in,
              counts.out, counts.resident, counts.districts, counts.meshWrites, last.planCount);
}

double percentage(uint64_t part, uint64_t rest) {
  return part ? 100.0 * static_cast<double>(part) / static_cast<double>(part + rest) : 0.0;
}

// Prints what cones saved, of all frames that tested them together.
void printCones(const std::vector<FrameReport>& frames) {
  uint64_t passed = 0, away = 0, passedTriangles = 0, awayTriangles = 0;
  size_t tested = 0;
  for (const FrameReport& frame : frames) {
    if (!frame.cones) continue;
    ++tested;
    passed += frame.statistics.demandedCount;
    away += frame.cones->facingAway;
    passedTriangles += frame.cones->passedTriangles;
    awayTriangles += frame.cones->facingAwayTriangles;
  }
  if (!tested) return;
  std::printf("cones     %llu clusters not drawn (%.1f %%), %llu triangles not drawn (%.1f %%), in %zu frames\n",
              static_cast<unsigned long long>(away), percentage(away, passed),
              static_cast<unsigned long long>(awayTriangles), percentage(awayTriangles, passedTriangles), tested);
}

// Prints what occlusion saved, of all frames that tested it together.
void printOcclusion(const std::vector<FrameReport>& frames) {
  uint64_t kept = 0, hidden = 0, drawnTriangles = 0, hiddenTriangles = 0;
  size_t tested = 0;
  for (const FrameReport& frame : frames) {
    if (!frame.occlusion) continue;
    ++tested;
    kept += frame.statistics.keptCount;
    hidden += frame.occlusion->hidden;
    drawnTriangles += frame.occlusion->drawnTriangles.value_or(0);
    hiddenTriangles += frame.occlusion->hiddenTriangles.value_or(0);
  }
  if (!tested) return;
  std::printf("occlusion %llu records not drawn (%.1f %%), %llu triangles not drawn (%.1f %%), in %zu frames\n",
              static_cast<unsigned long long>(hidden), percentage(hidden, kept),
              static_cast<unsigned long long>(hiddenTriangles), percentage(hiddenTriangles, drawnTriangles), tested);
}

}  // namespace

const char* orderName(SluOrder order) { return order == SLU_ORDER_STABLE ? "stable" : "unordered"; }

void printTimes(const std::vector<FrameReport>& frames) {
  printMedians("GPU time ", gpuTimes(), frames);
  printMedians("host time", hostTimes(), frames);
}

std::ofstream openResults(const char* option, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary);
  if (!stream) failInput(option, ": file ", file.string(), " cannot be written");
  return stream;
}

void writeStats(std::ofstream& stream, const Options& options, const RunReport& report) {
  Json json;
  json["device"] = report.device;
  json["route"] = sluGetRouteName(report.route);
  json["order"] = orderName(options.order);
  json["scene"] = sceneName(options.scene);
  json["model"] = options.model.empty() ? Json(nullptr) : Json(options.model.string());
  json["path"] = options.path.empty() ? Json(nullptr) : Json(options.path.string());
  json["instances"] = options.instanceCount;
  json["clusters"] = report.clusterCount ? Json(report.clusterCount) : Json(nullptr);
  json["transforms"] = transformsName(options.hasMatrices);
  json["size"] = {options.width, options.height};
  json["buckets"] = report.bucketCount;
  json["placement"] = placementName(report.isPacked);
  json["draw"] = drawName(report.drawsMeshTasks);
  json["room"] = report.capacity;
  json["capacityScale"] = options.capacityScale;
  json["cull"] = testNames(report.tests);
  json["occlusion"] = occlusionName(report.occlusion);
  json["scratchBytes"] = report.scratchBytes;
  json["verified"] = options.verify;
  json["frames"] = Json::array();
  for (const FrameReport& frame : report.frames) json["frames"].push_back(frameJson(frame, report.groups));
  // A path may hold bytes that are not UTF-8.
  stream << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) failInput("--stats: file ", options.stats.string(), " cannot be written");
}

void printHeader(const RunReport& report, const Options& options) {
  std::printf("device    %s\n", report.device.c_str());
  std::printf("route     %s, %s\n", sluGetRouteName(report.route), orderName(options.order));
  if (!report.routeReason.empty()) std::printf("          %s\n", report.routeReason.c_str());
  std::string draws = report.groups.empty() ? "" : sentence(report.groups.size(), " groups of draws, ");
  if (report.drawsMeshTasks) draws += "mesh shaders, ";
  if (report.clusterCount) draws += "a command for each cluster, ";
  std::printf("plan      %u bucket%s with room for %llu, %s%stests: %s\n", report.bucketCount,
              report.bucketCount == 1 ? "" : "s", static_cast<unsigned long long>(report.capacity),
              report.isPacked ? "packed, " : "", draws.c_str(), testNames(report.tests).c_str());
  if (report.occlusion != OcclusionMode::Off)
    std::printf("occlusion %s\n", report.occlusion == OcclusionMode::Two
                                      ? "in two phases"
                                      : "in one phase, against the depths of the last frame");
  std::printf("scene     %s: %s\n", sceneName(options.scene), report.scene.c_str());
  std::fflush(stdout);
}

void printSummary(const RunReport& report, const Options& options) {
  const std::vector<FrameReport>& frames = report.frames;
  const auto byKept = [](const FrameReport& a, const FrameReport& b) {
    return a.statistics.keptCount < b.statistics.keptCount;
  };
  const auto [fewest, most] = std::minmax_element(frames.begin(), frames.end(), byKept);
  std::printf("frames    %zu of %ux%u; kept %u to %u of %u%s\n", frames.size(), options.width, options.height,
              fewest->statistics.keptCount, most->statistics.keptCount,
              report.clusterCount ? report.clusterCount : options.instanceCount,
              report.clusterCount ? " clusters" : "");
  const auto overflowing = std::count_if(frames.begin(), frames.end(), [](const FrameReport& frame) {
    return frame.statistics.demandedCount > frame.statistics.keptCount;
  });
  if (overflowing) std::printf("overflow  in %td frames more passed than the buckets hold\n", overflowing);
  printDistricts(frames.back());
  printCones(frames);
  printOcclusion(frames);
  printTimes(frames);
  if (const std::optional<Pick>& pick = frames.back().pick) std::printf("picked    %s\n", describe(*pick).c_str());
  for (const char* comparison : report.comparisons)
    std::printf("compared  every frame is the same picture %s\n", comparison);
  if (options.verify) std::printf("verified  every frame agrees with the CPU reference\n");
  if (!options.out.empty()) std::printf("pictures  %s and on\n", picturePath(options.out, 0).string().c_str());
}

void printWindowSummary(uint64_t frameCount, const std::vector<FrameReport>& recentFrames) {
  std::printf("frames    %llu shown\n", static_cast<unsigned long long>(frameCount));
  if (!recentFrames.empty()) printDistricts(recentFrames.back());
  printCones(recentFrames);
  printOcclusion(recentFrames);
  printTimes(recentFrames);
}

uint32_t printDifferences(const RunReport& report) {
  std::string others;
  for (const char* comparison : report.comparisons) others += sentence("those ", comparison, " or from ");
  uint32_t differing = 0;
  for (const FrameReport& frame : report.frames) {
    if (frame.differences.empty() || differing++ >= kMaxPrintedFrames) continue;
    for (const std::string& difference : frame.differences)
      std::fprintf(stderr, "sluice-demo: frame %u: %s\n", frame.index, difference.c_str());
  }
  if (differing)
    std::fprintf(stderr, "sluice-demo: verification failed: %u of %zu frames differ from %sthe CPU reference\n",
                 differing, report.frames.size(), others.c_str());
  return differing;
}

}  // namespace demo
