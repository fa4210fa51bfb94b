// The study of hand-offs with few samples, on whatever Vulkan device there is.
#include "vulkan/handoff_study.h"

#include <gtest/gtest.h>

#include <map>

#include "base/failure.h"
#include "random.h"

namespace bench {
namespace {

TrialSettings settings() {
  TrialSettings settings;
  settings.seed = slu::test::Random().word();
  settings.repetitionCount = 3;
  return settings;
}

void expectPositive(const std::vector<double>& samples, size_t count, const std::string& what) {
  EXPECT_EQ(samples.size(), count) << what;
  for (const double sample : samples) EXPECT_GT(sample, 0) << what;
}

void expectTimes(const HandoffResult& handoff, const std::string& what) {
  expectPositive(handoff.frameSamples, 3, what);
  expectPositive(handoff.gapSamples, 3, what);
  expectPositive(handoff.hostSamples, 3, what);
  EXPECT_EQ(handoff.addedSamples.size(), handoff.work == HandoffWork::Frame ? 3u : 0u) << what;
  if (handoff.work != HandoffWork::HandoffAlone) return;
  // The gap is the median of a unit, the time of a frame the mean, which may be as little as half of it.
  for (size_t i = 0; i < handoff.gapSamples.size(); ++i)
    EXPECT_LE(handoff.gapSamples[i], 2.01 * handoff.frameSamples[i]) << what;
}

// Each of the library's calls by itself, once a frame, where frames take their usual path.
void expectVerbs(const HandoffResult& handoff, const std::string& what) {
  const std::map<std::string, std::vector<std::string>> calls = {
      {"none", {}},
      {"vulkan", {"sluCmdCompact"}},
      {"inline", {"sluCmdCompact"}},
      {"cuda", {"sluCmdRelease", "sluEnqueueCompact", "sluCmdAcquire"}}};
  std::vector<std::string> found;
  for (const VerbTimes& verb : handoff.verbs) {
    found.push_back(verb.verb);
    expectPositive(verb.samples, 96, sentence(what, ", ", verb.verb));
  }
  const bool isUsual = handoff.path == "one submission" || (handoff.path == "CUDA" && handoff.latency == 0);
  const bool isWhole = handoff.work == HandoffWork::Frame && handoff.status == Status::Measured;
  EXPECT_EQ(found, isUsual && isWhole ? calls.at(handoff.route) : calls.at("none")) << what;
}

// Every device measures the paths on one queue. The other paths and routes are measured, or say what is missing.
TEST(HandoffStudy, DrawsWhatItCompacted) {
  SCOPED_TRACE(slu::test::describeSeed());
  std::vector<HandoffResult> handoffs;
  try {
    handoffs = studyHandoffs("", settings());
  } catch (const Failure& failure) {
    if (failure.cause() != Cause::NoDevice) throw;
    GTEST_SKIP() << failure.what();
  }
  std::map<HandoffWork, size_t> measuredCounts;
  size_t withCompactCount = 0;
  for (const HandoffResult& handoff : handoffs) {
    const std::string what = sentence(handoff.route, ", ", handoff.path, ", ", name(handoff.work));
    EXPECT_NE(handoff.status, Status::Wrong) << what << ": " << handoff.reason;
    EXPECT_EQ(handoff.reason.empty(), handoff.status == Status::Measured);
    expectVerbs(handoff, what);
    if (handoff.status != Status::Measured) continue;
    ++measuredCounts[handoff.work];
    expectTimes(handoff, what);
    withCompactCount += !handoff.verbs.empty() && handoff.verbs.front().verb == "sluCmdCompact";
  }
  EXPECT_EQ(measuredCounts[HandoffWork::NoCompaction], 1u);
  EXPECT_GE(measuredCounts[HandoffWork::Frame], 2u);
  EXPECT_GE(measuredCounts[HandoffWork::HandoffAlone], 1u);
  EXPECT_GE(withCompactCount, 1u);
}

}  // namespace
}  // namespace bench
