#include "arena/results.h"

#include <algorithm>

namespace bench {

const char* name(ArenaId arena) {
  switch (arena) {
    case ArenaId::Host:
      return "host";
    case ArenaId::Vulkan:
      return "vulkan";
    case ArenaId::VulkanGraphics:
      return "vulkan-graphics";
    case ArenaId::Cuda:
      return "cuda";
  }
  return "unknown";
}

const char* name(Mode mode) { return mode == Mode::Graph ? "graph" : "stream"; }

const char* name(Residence residence) {
  switch (residence) {
    case Residence::Warm:
      return "warm";
    case Residence::Cold:
      return "cold";
    case Residence::Memory:
      return "memory";
  }
  return "unknown";
}

const char* name(Status status) {
  switch (status) {
    case Status::Measured:
      return "measured";
    case Status::Refused:
      return "refused";
    case Status::Wrong:
      return "wrong";
  }
  return "unknown";
}

const char* name(HandoffWork work) {
  switch (work) {
    case HandoffWork::Frame:
      return "frame";
    case HandoffWork::NoCompaction:
      return "no compaction";
    case HandoffWork::HandoffAlone:
      return "hand-off alone";
  }
  return "unknown";
}

std::vector<ArenaId> allArenas() { return {ArenaId::Host, ArenaId::Vulkan, ArenaId::VulkanGraphics, ArenaId::Cuda}; }

std::string describe(const std::vector<ArenaRefusal>& refusals) {
  std::string text;
  for (const ArenaRefusal& refusal : refusals)
    text += (text.empty() ? "" : "; ") + std::string(name(refusal.arena)) + ": " + refusal.reason;
  return text;
}

bool isRefused(const WorkloadResult& result, ArenaId arena) {
  return std::any_of(result.refusals.begin(), result.refusals.end(),
                     [&](const ArenaRefusal& refusal) { return refusal.arena == arena; });
}

std::string refusalOfAll(const WorkloadResult& result) {
  const bool any = std::any_of(result.competitors.begin(), result.competitors.end(),
                               [&](const CompetitorResult& found) { return !isRefused(result, found.arena); });
  if (any) return {};
  return describe(result.refusals);
}

std::string versionText(uint32_t version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace bench
