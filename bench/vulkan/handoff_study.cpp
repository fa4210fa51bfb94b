#include "vulkan/handoff_study.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/failure.h"
#include "shade.comp.h"
#include "vulkan/handoff_frames.h"

namespace bench {
namespace {

constexpr double kDrawMicroseconds = 300.0;
constexpr double kMostDrawGroups = 65535;

Workload studied(const VulkanDevice& device) {
  const uint32_t count = device.description().isGpu ? 1u << 20 : 1u << 13;
  return {64, count, 30, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::SphereBeside};
}

// Says why the device cannot run the route; empty when it can.
std::string routeRefusal(const VulkanDevice& device, SluRoute route) {
  const SluVulkanDeviceInfo info = device.info();
  const slu::Context context = makeSluiceContext(&info, SLU_ROUTE_CPU);
  auto found = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  require(context, sluGetRouteInfo(context, route, &found), "sluGetRouteInfo");
  return found.available != 0 ? "" : found.reason;
}

struct Entry {
  HandoffCase handoff;
  HandoffResult result;
  std::unique_ptr<HandoffFrames> frames;
};

// Finds how many workgroups take about kDrawMicroseconds. A measurement with few workgroups says little, because they
// leave the device half empty.
uint32_t calibrate(HandoffFrames& frames) {
  constexpr double kLongEnough = kDrawMicroseconds / 2;
  constexpr double kGrowth = 16;
  double groups = 1;
  for (;;) {
    frames.record(static_cast<uint32_t>(groups));
    frames.run();
    const double elapsed = frames.drawMicroseconds();
    const double wanted = std::clamp(std::round(groups * kDrawMicroseconds / elapsed), 1.0, kMostDrawGroups);
    if (elapsed >= kLongEnough || groups == kMostDrawGroups) return static_cast<uint32_t>(wanted);
    groups = std::clamp(wanted, groups + 1, std::min(groups * kGrowth, kMostDrawGroups));
  }
}

void judge(Entry& entry) {
  const auto difference = entry.frames->difference();
  if (!difference) return;
  HandoffResult wrong{entry.result.work, entry.result.route, entry.result.path, entry.result.latency};
  wrong.status = Status::Wrong;
  wrong.reason = *difference;
  entry.result = wrong;
  entry.frames.reset();
}

void verify(std::vector<Entry>& entries) {
  for (Entry& entry : entries) {
    if (!entry.frames) continue;
    entry.frames->poison();
    entry.frames->run();
    judge(entry);
  }
}

void refuseLate(Entry& entry) {
  entry.result = {entry.result.work, entry.result.route, entry.result.path, entry.result.latency};
  entry.result.status = Status::Refused;
  entry.result.reason = "the host submits hand-offs more slowly than the device runs them";
  entry.frames.reset();
}

void sample(std::vector<Entry>& entries) {
  const Entry& without = entries.front();
  for (Entry& entry : entries) {
    if (!entry.frames) continue;
    if (!entry.frames->run()) {
      refuseLate(entry);
      continue;
    }
    entry.result.frameSamples.push_back(entry.frames->frameMicroseconds());
    if (entry.result.work == HandoffWork::Frame && without.frames)
      entry.result.addedSamples.push_back(entry.result.frameSamples.back() - without.result.frameSamples.back());
    entry.result.gapSamples.push_back(entry.frames->gapMicroseconds());
    entry.result.hostSamples.push_back(entry.frames->hostMicroseconds());
  }
}

// Measures how long the library's calls take the host. A renderer makes them in the same way on all paths of a route.
void measureVerbs(std::vector<Entry>& entries, uint32_t unitCount) {
  for (Entry& entry : entries) {
    const auto& [work, route, path, latency] = entry.handoff;
    const bool isUsual = path == Path::OneSubmission || (path == Path::Cuda && latency == 0);
    if (!entry.frames || work != HandoffWork::Frame || !isUsual) continue;
    entry.frames->poison();
    entry.result.verbs = entry.frames->runRecorded(unitCount);
    judge(entry);
  }
}

// Frames without compaction come first: the others of a repetition are compared with them.
constexpr HandoffCase kCases[] = {{HandoffWork::NoCompaction, SLU_ROUTE_VULKAN, Path::OneSubmission, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_VULKAN, Path::OneSubmission, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_VULKAN, Path::ThreeSubmissions, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_VULKAN, Path::OtherQueue, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_VULKAN, Path::OtherQueue, 1},
                                  {HandoffWork::Frame, SLU_ROUTE_INLINE, Path::OneSubmission, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_INLINE, Path::ThreeSubmissions, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_INLINE, Path::OtherQueue, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_INLINE, Path::OtherQueue, 1},
                                  {HandoffWork::Frame, SLU_ROUTE_CUDA, Path::Cuda, 0},
                                  {HandoffWork::Frame, SLU_ROUTE_CUDA, Path::Cuda, 1},
                                  {HandoffWork::HandoffAlone, SLU_ROUTE_VULKAN, Path::ThreeSubmissions, 0},
                                  {HandoffWork::HandoffAlone, SLU_ROUTE_VULKAN, Path::OtherQueue, 0},
                                  {HandoffWork::HandoffAlone, SLU_ROUTE_CUDA, Path::Cuda, 0}};

HandoffResult describe(const HandoffCase& handoff) {
  const bool hasRoute = handoff.work == HandoffWork::Frame || handoff.path == Path::Cuda;
  return {handoff.work, hasRoute ? sluGetRouteName(handoff.route) : "none", name(handoff.path), handoff.latency};
}

// Says why the device cannot run the case; empty when it can.
std::string refusal(const VulkanDevice& device, const HandoffCase& handoff) {
  if (handoff.path == Path::OtherQueue && device.computeQueue() == nullptr)
    return "the device has no queue for compute alone";
  return routeRefusal(device, handoff.route);
}

std::vector<Entry> makeEntries(const VulkanDevice& device, HostInput& input, const ComputePipeline& shade) {
  std::vector<Entry> entries;
  for (const HandoffCase& handoff : kCases) {
    Entry& entry = entries.emplace_back(Entry{handoff, describe(handoff), nullptr});
    entry.result.reason = refusal(device, handoff);
    entry.result.status = entry.result.reason.empty() ? Status::Measured : Status::Refused;
    if (entry.result.status == Status::Measured)
      entry.frames = std::make_unique<HandoffFrames>(device, input, shade, handoff);
  }
  return entries;
}

}  // namespace

std::vector<HandoffResult> studyHandoffs(const std::string& deviceSelection, const TrialSettings& settings) {
  const Instance instance(kInstanceInfo);
  const VulkanDevice device(instance, choosePhysicalDevice(instance, "--vulkan-device", deviceSelection),
                            QueueKind::Both);
  HostInput input(studied(device), settings.seed);
  const std::array<uint32_t, 1> constants = {kHandoffPixels};
  const ComputePipeline shade(device, shade_comp, sizeof(VkDeviceAddress), constants);
  std::vector<Entry> entries = makeEntries(device, input, shade);
  uint32_t drawGroups = 0;
  for (Entry& entry : entries) {
    if (!entry.frames) continue;
    if (drawGroups == 0) drawGroups = calibrate(*entry.frames);
    entry.frames->record(drawGroups);
  }
  verify(entries);
  for (uint32_t i = 0; i < settings.repetitionCount; ++i) sample(entries);
  measureVerbs(entries, settings.repetitionCount);
  verify(entries);
  std::vector<HandoffResult> results;
  for (Entry& entry : entries) results.push_back(std::move(entry.result));
  return results;
}

}  // namespace bench
