#include "routes/vulkan/rebinding.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "routes/shaders/frame_buffers.h"
#include "routes/vulkan/spirv/spirv.h"

namespace slu {
namespace {

// Of the SPIR-V specification, section 3.
constexpr std::uint32_t kBinding = 33, kDescriptorSet = 34;

struct Used {
  std::uint32_t binding;
  const char* name;
  bool isUsed;
};

}  // namespace

BindingMap mapBindings(const PlanLayout& layout, std::uint32_t most) {
  const auto writes = [&](SluFlags bit) { return (layout.written() & bit) != 0; };
  const Used bindings[] = {
      {SLU_BINDING_RECORDS, "records", layout.readsRecords()},
      {SLU_BINDING_BOUNDS, "bounds", layout.readsBounds()},
      {SLU_BINDING_TRANSFORMS, "transforms", layout.readsTransforms()},
      {SLU_BINDING_FLAGS, "flags", layout.readsFlags()},
      {SLU_BINDING_LAYERS, "layers", layout.readsLayers()},
      {SLU_BINDING_MESHES, "meshes", layout.hasMeshes()},
      {SLU_BINDING_LAST_LOD_STATES, "lastLodStates", layout.keepsLodStates()},
      {SLU_BINDING_INDICES, layout.listsRejects() ? "rejects" : "indices", writes(SLU_OUTPUT_INDICES_BIT)},
      {SLU_BINDING_KEPT_RECORDS, "keptRecords", writes(SLU_OUTPUT_RECORDS_BIT)},
      {SLU_BINDING_DRAWS, "draws", writes(SLU_OUTPUT_DRAWS_BIT)},
      {SLU_BINDING_DRAW_COUNTS, "drawCounts", writes(SLU_OUTPUT_DRAW_COUNTS_BIT)},
      {SLU_BINDING_STATISTICS, "statistics", writes(SLU_OUTPUT_STATISTICS_BIT)},
      {SLU_BINDING_BUCKET_COUNTS, layout.listsRejects() ? "rejectCounts" : "bucketCounts",
       writes(SLU_OUTPUT_BUCKET_COUNTS_BIT)},
      {SLU_BINDING_LOD_STATES, "lodStates", layout.keepsLodStates()},
      {SLU_BINDING_LAST_VISIBLE, "lastVisible", layout.testsOcclusion()},
      {SLU_BINDING_VISIBLE, "visible", layout.testsOcclusion()},
      {SLU_BINDING_PYRAMID, "pyramid", layout.testsOcclusion()}};
  BindingMap map;  // scratch comes first, so that the rest lies there until it has a slot
  map.slotCount = 1;
  std::string names;
  for (const Used& used : bindings) {
    if (!used.isUsed) continue;
    map.slots[used.binding] = map.slotCount++;
    names += std::string(used.name) + ", ";
  }
  for (std::uint32_t binding = 0; binding < SLU_BINDING_COUNT; ++binding) {
    map.slots[binding] = map.slots[holderOf(binding, layout)];
  }
  if (map.slotCount > most) {
    fail(SLU_ERROR_MISSING_FEATURE, "plan.outputs: with them the plan binds ",
         static_cast<std::uint32_t>(map.slotCount), " storage buffers (", names,
         "and its scratch), and the device has ", most,
         " for a shader (maxPerStageDescriptorStorageBuffers); leave out outputs, or create another plan for them");
  }
  if (map.slotCount < most) map.slots[SLU_BINDING_LIVE_COUNT] = map.slotCount++;
  if (layout.hasMeshes() && map.slotCount < most) map.slots[SLU_BINDING_LIVE_MESH_COUNT] = map.slotCount++;
  return map;
}

BindingMap mapStreamBindings(std::uint32_t most) {
  BindingMap map;
  map.slotCount = 1;
  constexpr std::uint32_t kBindings[] = {SLU_BINDING_RECORDS, SLU_BINDING_KEPT_RECORDS, SLU_BINDING_INDICES,
                                         SLU_BINDING_BUCKET_COUNTS};
  for (const std::uint32_t binding : kBindings) {
    map.slots[binding] = map.slotCount++;
  }
  if (map.slotCount > most) {
    fail(SLU_ERROR_MISSING_FEATURE, "plan.streams: copying one binds ", static_cast<std::uint32_t>(map.slotCount),
         " storage buffers, and the device has ", most,
         " for a shader (maxPerStageDescriptorStorageBuffers); use addresses instead of bound buffers");
  }
  return map;
}

std::vector<std::uint32_t> rebind(std::span<const std::uint32_t> module, const BindingMap& map) {
  std::vector<std::uint32_t> rebound(module.begin(), module.end());
  const auto forEachDecoration = [&](std::uint32_t decoration, const auto& use) {
    for (std::size_t at = spirv::kHeaderWords; at < rebound.size(); at += spirv::lengthOf(rebound[at])) {
      assert(spirv::lengthOf(rebound[at]) != 0);
      if (spirv::codeOf(rebound[at]) != spirv::OpDecorate || rebound[at + 2] != decoration) continue;
      use(rebound[at + 1], rebound[at + 3]);
    }
  };
  std::vector<std::uint32_t> buffers;
  forEachDecoration(kDescriptorSet, [&](std::uint32_t variable, std::uint32_t set) {
    if (set == SLU_BINDING_SET) buffers.push_back(variable);
  });
  forEachDecoration(kBinding, [&](std::uint32_t variable, std::uint32_t& binding) {
    if (std::ranges::find(buffers, variable) != buffers.end()) binding = map.slots[binding];
  });
  return rebound;
}

}  // namespace slu
