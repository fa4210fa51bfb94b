// The buffers of a frame that shaders bind, and where their places go.
#pragma once

#include <cstdint>

#include "plan/layout.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/frame.h"

namespace slu {

struct FrameBuffer {
  std::uint32_t number;
  const char* field;
  Binding Frame::*bound;
  SLU_ADDRESS FramePart::*place;
};
constexpr FrameBuffer kFrameBuffers[] = {
    {SLU_BINDING_RECORDS, "frame.records", &Frame::records, &FramePart::records},
    {SLU_BINDING_LIVE_COUNT, "frame.liveCount", &Frame::liveCount, &FramePart::liveCount},
    {SLU_BINDING_BOUNDS, "frame.bounds", &Frame::bounds, &FramePart::bounds},
    {SLU_BINDING_TRANSFORMS, "frame.transforms", &Frame::transforms, &FramePart::transforms},
    {SLU_BINDING_FLAGS, "frame.flags", &Frame::flags, &FramePart::flags},
    {SLU_BINDING_LAYERS, "frame.layers", &Frame::layers, &FramePart::layers},
    {SLU_BINDING_MESHES, "frame.meshes", &Frame::meshes, &FramePart::meshes},
    {SLU_BINDING_LIVE_MESH_COUNT, "frame.liveMeshCount", &Frame::liveMeshCount, &FramePart::liveMeshCount},
    {SLU_BINDING_LAST_LOD_STATES, "frame.lastLodStates", &Frame::lastLodStates, &FramePart::lastLodStates},
    {SLU_BINDING_INDICES, "frame.indices", &Frame::indices, &FramePart::indices},
    {SLU_BINDING_KEPT_RECORDS, "frame.keptRecords", &Frame::keptRecords, &FramePart::keptRecords},
    {SLU_BINDING_DRAWS, "frame.draws", &Frame::draws, &FramePart::draws},
    {SLU_BINDING_DRAW_COUNTS, "frame.drawCounts", &Frame::drawCounts, &FramePart::drawCounts},
    {SLU_BINDING_STATISTICS, "frame.statistics", &Frame::statistics, &FramePart::statistics},
    {SLU_BINDING_BUCKET_COUNTS, "frame.bucketCounts", &Frame::bucketCounts, &FramePart::bucketCounts},
    {SLU_BINDING_LOD_STATES, "frame.lodStates", &Frame::lodStates, &FramePart::lodStates},
    {SLU_BINDING_LAST_VISIBLE, "occlusion.lastVisible", &Frame::lastVisible, &FramePart::lastVisible},
    {SLU_BINDING_VISIBLE, "occlusion.visible", &Frame::visible, &FramePart::visible},
    {SLU_BINDING_PYRAMID, "occlusion.pyramid", &Frame::pyramid, &FramePart::pyramid}};

// Returns how sentences call the buffer. A plan that lists rejects has them as its indices (plan/rejects.h).
inline const char* fieldOf(const FrameBuffer& buffer, const PlanLayout& layout) {
  if (layout.listsRejects() && buffer.number == SLU_BINDING_INDICES) return "frame.rejects";
  if (layout.listsRejects() && buffer.number == SLU_BINDING_BUCKET_COUNTS) return "frame.rejectCounts";
  return buffer.field;
}

// A place in what is bound, as shaders have it: the number of a word, and above it 1.
constexpr std::uint64_t boundPlace(std::uint64_t byte) { return std::uint64_t{1} << 32 | byte / 4; }

// Returns the binding whose buffer holds what the kernels read at a binding: bounds, transforms and layers may be in the
// records, and bounds in the meshes.
constexpr std::uint32_t holderOf(std::uint32_t binding, const PlanLayout& layout) {
  switch (binding) {
    case SLU_BINDING_BOUNDS:
      if (layout.bounds.source == SLU_BOUNDS_IN_MESH) return SLU_BINDING_MESHES;
      return layout.bounds.source == SLU_BOUNDS_IN_RECORD ? SLU_BINDING_RECORDS : binding;
    case SLU_BINDING_TRANSFORMS:
      return layout.transformsAreInRecords() ? SLU_BINDING_RECORDS : binding;
    case SLU_BINDING_LAYERS:
      return layout.layersAreInRecords() ? SLU_BINDING_RECORDS : binding;
    default:
      return binding;
  }
}

// Gives the places of what has no buffer of its own.
inline void placeShared(FramePart& part, const PlanLayout& layout) {
  const auto placeOf = [&](std::uint32_t binding) -> std::uint64_t {
    const std::uint32_t holder = holderOf(binding, layout);
    for (const FrameBuffer& each : kFrameBuffers) {
      if (each.number == holder) return part.*each.place;
    }
    return 0;
  };
  part.bounds = placeOf(SLU_BINDING_BOUNDS);
  part.transforms = placeOf(SLU_BINDING_TRANSFORMS);
  part.layers = placeOf(SLU_BINDING_LAYERS) + layout.layers.offset / 4;
}

}  // namespace slu
