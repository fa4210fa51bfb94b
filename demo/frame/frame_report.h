// A frame reports counts, times and differences.
#pragma once

#include <sluice/sluice.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "frame/pick.h"

namespace demo {

// On the CUDA route, Compact lasts from the end of the release to the begin of the acquire. When a scene simulates in
// CUDA, its simulation lies in there, and Simulate has no time of its own.
enum class Stage { Simulate, Compact, Shadows, Draw, Pyramid, CompactRest, DrawRest, Finish };
constexpr size_t kStageCount = 8;
inline const char* stageName(Stage stage) {
  constexpr std::array<const char*, kStageCount> kNames = {"simulate", "compact",      "shadows",   "draw",
                                                           "pyramid",  "compact rest", "draw rest", "finish"};
  return kNames[static_cast<size_t>(stage)];
}

// Host times of the CUDA route's three steps. Enqueue is all between release and acquire, with a simulation in CUDA.
struct HandOffTimes {
  double releaseMicroseconds, enqueueMicroseconds, acquireMicroseconds;
};

// What has come and gone since the scene was made.
struct DistrictCounts {
  uint32_t districts = 0, resident = 0;  // of the scene, and of these now
  uint32_t in = 0, out = 0;              // districts that came and went
  uint32_t meshWrites = 0;               // of rows of the table of meshes
};

// What occlusion did to the camera's view.
struct OcclusionCounts {
  uint32_t firstKept = 0, restKept = 0;  // by the first phase and by the second one; in a single phase all are the rest
  uint32_t hidden = 0;                   // records that would be drawn without it
  std::optional<uint64_t> hiddenTriangles, drawnTriangles;
};

// How many clusters of the camera's view the cones dropped.
struct ConeCounts {
  uint32_t facingAway = 0;                                // clusters that would be drawn without them
  uint64_t facingAwayTriangles = 0, passedTriangles = 0;  // of these, and of the clusters that passed all tests
};

struct FrameReport {
  uint32_t index = 0;
  uint32_t planCount = 0;                       // that the program has created for its frames until now
  std::optional<DistrictCounts> districts;      // of a scene that streams
  SluStatistics statistics = {};                // of the camera's view, of both phases together
  std::optional<OcclusionCounts> occlusion;     // of a frame that tests it
  std::optional<ConeCounts> cones;              // of a frame that tests them
  std::vector<SluStatistics> shadowStatistics;  // of the other views
  std::vector<SluBucketCount> bucketCounts;     // of the camera's view; empty unless asked for
  std::vector<uint32_t> drawCounts;             // per view and group of draws; empty if the plan writes none
  std::array<std::optional<double>, kStageCount> gpuMicroseconds;
  std::optional<double> hostCompactMicroseconds;  // CPU route
  std::optional<HandOffTimes> handOff;            // CUDA route
  double hostMicroseconds = 0.0;                  // to record and submit; CPU route: and to compact
  std::optional<Pick> pick;                       // when the frame was asked for one
  std::vector<std::string> differences;           // from the reference; empty unless verifying
};

// A call of the CUDA route and its host time.
struct HandOffCall {
  const char* name;
  double HandOffTimes::*microseconds;

  std::optional<double> timeIn(const FrameReport& frame) const {
    return frame.handOff ? std::optional((*frame.handOff).*microseconds) : std::nullopt;
  }
};
constexpr HandOffCall kHandOffCalls[] = {{"release", &HandOffTimes::releaseMicroseconds},
                                         {"enqueue", &HandOffTimes::enqueueMicroseconds},
                                         {"acquire", &HandOffTimes::acquireMicroseconds}};

}  // namespace demo
