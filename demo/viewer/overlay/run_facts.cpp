#include "viewer/overlay/run_facts.h"

#include <sluice/pyramid.h>

#include <algorithm>
#include <cstdio>

namespace demo {

RunFacts runFacts(const Scene& scene, const Compaction& compaction, const Renderer& renderer, bool isCpu) {
  const SluPlanCreateInfo &whole = scene.compaction().plan, &plan = compaction.request().plan;
  const bool testsOcclusion = (plan.cullFlags & SLU_CULL_OCCLUSION_BIT) != 0;
  const VkExtent2D extent = renderer.extent();
  RunFacts facts = {.route = compaction.route(),
                    .memory = {0, 0, compaction.scratchBytes(), renderer.bytes()},
                    .capacities = {},
                    .isPacked = isPacked(compaction.request()),
                    .room = compaction.capacity(),
                    .viewCount = compaction.viewCount(),
                    .groups = compaction.hasGroups() ? compaction.request().groups.names : std::vector<const char*>(),
                    .lodCount = std::max(plan.key.lodCount, 1u),
                    .isViewDependent = compaction.request().viewDependent,
                    .isSceneOpaque = scene.compaction().isOpaque,
                    .pyramidLevelCount = testsOcclusion ? slu::sluPyramidLevels(extent.width, extent.height) : 0,
                    .isCpu = isCpu,
                    .simulatesInCuda = scene.simulatesInCuda(),
                    .sceneTests = whole.cullFlags,
                    .sceneLodCount = std::max(whole.key.lodCount, 1u),
                    .sceneMeshCount = isMerged(scene.compaction()) ? 1 : std::max(whole.key.keyCount, 1u),
                    .sceneGroupCount = static_cast<uint32_t>(scene.compaction().groups.names.size()),
                    .meshShaderRefusal = scene.compaction().meshShaderRefusal,
                    .hasTransforms = whole.bounds.transformFlags != 0};
  for (const Channel channel : kChannels)
    (isInput(channel) ? facts.memory.inputs : facts.memory.outputs) +=
        compaction.bytes(channel) * (isInput(channel) ? 1 : compaction.stepCount());
  for (const SluBucket& bucket : compaction.request().buckets) facts.capacities.push_back(bucket.capacity);
  return facts;
}

std::string readableBytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB"};
  constexpr double kStep = 1024.0;
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / kStep;
  size_t unit = 0;
  for (; value >= kStep && unit + 1 < std::size(kUnits); ++unit) value /= kStep;
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %s", value, kUnits[unit]);
  return text;
}

}  // namespace demo
