// A part of steps 1 and 5: reads the mesh table (SluMeshes). The host may write it meanwhile, so each number is loaded
// once and judged before it is used.
#pragma once

#include "../steps/bounds.cuh"

namespace slu::cuda {

constexpr uint kLodBits = 4;  // in which a level of detail is kept
static_assert(SLU_MAX_LODS <= 1u << kLodBits);

// Returns how many meshes the frame has.
__device__ __forceinline__ uint meshCountOf(const FrameBlock& frame) {
  if (frame.liveMeshCount == 0) return frame.meshCount;
  return min(__ldcg(at<const uint>(frame.liveMeshCount)), frame.meshCount);
}

__device__ __forceinline__ const uint* meshAt(const FrameBlock& frame, uint mesh) {
  return at<const uint>(frame.meshes, static_cast<u64>(mesh) * frame.meshLayout.stride);
}

// Returns a number of a mesh, or `otherwise` if it has none.
__device__ __forceinline__ uint numberOf(const uint* mesh, uint offset, uint otherwise) {
  return offset == SLU_DROPPED ? otherwise : __ldg(mesh + offset);
}

// Returns where the state of a record's LODs lies. states: FramePart::lodStates or lastLodStates.
__device__ __forceinline__ uint* lodStateAt(const FrameBlock& frame, u64 states, uint view, uint index) {
  return at<uint>(states, static_cast<u64>(view) * frame.lodStateStride + index);
}

// Returns the last state of the LODs of a record.
__device__ __forceinline__ uint lastLodState(const FrameBlock& frame, uint view, uint index) {
  if (frame.lastLodStates == 0) return SLU_LOD_STATE_NONE;
  return __ldg(lodStateAt(frame, frame.lastLodStates, view, index));
}

// Returns the last level that a volume reaches, of lodCount. scaledDistance2: by sluScaledDistance2. mesh: null without
// a table.
__device__ __forceinline__ uint reachedLod(const MeshBlock& layout, const SluViewBlock& view, const Volume& volume,
                                           float scaledDistance2, const uint* mesh, uint lodCount) {
  const float radius2 = layout.fromNearSide != 0 ? sluMul(volume.radius2, view.lodRatio2) : 0.0f;
  const float growth2 = layout.thresholdsGrow != 0 ? volume.stretch2 : 1.0f;
  uint lod = 0;
  SLU_NO_UNROLL
  for (uint i = 1; i < lodCount; ++i) {
    float threshold2 = view.lodDistance2[i - 1];
    if (layout.thresholdOffset != SLU_DROPPED) {
      const uint* threshold = mesh + layout.thresholdOffset + i * layout.lodStride;
      threshold2 = sluThreshold2(__uint_as_float(__ldg(threshold)), growth2);
    }
    if (sluReachesLod(threshold2, radius2, scaledDistance2)) lod = i;
  }
  return lod;
}

// Returns the level that a volume of valid bounds gets, of lodCount. lastState: by lastLodState. The others are those of
// reachedLod.
__device__ __forceinline__ uint heldLod(const FrameBlock& frame, const SluViewBlock& view, const Volume& volume,
                                        float scaledDistance2, const uint* mesh, uint lodCount, uint lastState) {
  const MeshBlock& layout = frame.meshLayout;
  const uint lastLod = sluLodOfState(lastState, layout.lodCount);
  const bool isHeld = lastLod != SLU_LOD_NONE;
  uint lod = isHeld ? lastLod : 0;
  SLU_NO_UNROLL
  for (uint turn = isHeld ? 0 : 1; turn < 2; ++turn) {  // at the greatest distance, and at the least or the only one
    const float factor2 = turn == 0 ? frame.lodMost2 : isHeld ? frame.lodLeast2 : 1.0f;
    const uint reached = reachedLod(layout, view, volume, sluMul(scaledDistance2, factor2), mesh, lodCount);
    lod = turn == 0 ? sluHeldLod(lod, 0, reached) : sluHeldLod(lod, reached, lod);
  }
  return lod;
}

// Does what chooseLods does. kKeepsStates: whether the plan keeps the states of LODs.
template <bool kKeepsStates, uint kItems>
__device__ __forceinline__ uint chooseLodsOf(const FrameBlock& frame, uint view, const uint (&indices)[kItems],
                                             uint inputs, const Volume (&volumes)[kItems],
                                             const float (&distances2)[kItems], const uint (&keys)[kItems], uint flags,
                                             uint& lods) {
  const MeshBlock& layout = frame.meshLayout;
  uint missing = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if (kKeepsStates && indices[item] < inputs) {
      *lodStateAt(frame, frame.lodStates, view, indices[item]) = SLU_LOD_STATE_NONE;
    }
    if ((flags >> item & 1) == 0) continue;
    const uint* mesh = nullptr;
    uint lodCount = layout.lodCount;
    uint resident = ~0u;
    if (layout.stride != 0) {
      mesh = meshAt(frame, keys[item]);
      lodCount = min(numberOf(mesh, layout.lodCountOffset, lodCount), lodCount);
      resident = numberOf(mesh, layout.lodMaskOffset, resident);
    }
    const uint lastState = kKeepsStates ? lastLodState(frame, view, indices[item]) : SLU_LOD_STATE_NONE;
    uint reached = 0;  // of records that are never culled and whose bounds are not valid
    if (!sluIsInvalid(volumes[item].radius2, distances2[item])) {
      const SluViewBlock& block = frame.views[view];
      const float scaledDistance2 = sluScaledDistance2(block, distances2[item]);
      reached = kKeepsStates ? heldLod(frame, block, volumes[item], scaledDistance2, mesh, lodCount, lastState)
                             : reachedLod(layout, block, volumes[item], scaledDistance2, mesh, lodCount);
    }
    const uint lod = sluResidentLod(sluLodMask(lodCount, resident, lodCount), reached, lodCount);
    if (lod == SLU_MAX_LODS) {
      missing |= 1u << item;
      continue;
    }
    lods |= lod << (item * kLodBits);
    if (kKeepsStates && indices[item] < inputs) {
      const uint state = sluNextLodState(lastState, reached, layout.lodCount, frame.lodFadeStep);
      *lodStateAt(frame, frame.lodStates, view, indices[item]) = state;
    }
  }
  return missing;
}

// Adds the levels of detail of the items of `flags` to lods. Returns the items whose mesh has none that is resident. It
// is the last test, after which the states of the LODs of all items below `inputs` are stored, if the plan keeps them.
template <bool kMayKeepStates, uint kItems>
__device__ __forceinline__ uint chooseLods(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                           uint inputs, const Volume (&volumes)[kItems],
                                           const float (&distances2)[kItems], const uint (&keys)[kItems], uint flags,
                                           uint& lods) {
  const FrameBlock& frame = arguments.frame;
  if (!kMayKeepStates || (arguments.plan.scene & SLU_SCENE_LOD_STATES) == 0) {
    return chooseLodsOf<false>(frame, view, indices, inputs, volumes, distances2, keys, flags, lods);
  }
  return chooseLodsOf<true>(frame, view, indices, inputs, volumes, distances2, keys, flags, lods);
}

// Fills a bucket's template from its mesh, if the frame has the mesh.
__device__ __forceinline__ void describeDraw(const FrameBlock& frame, uint bucket, BucketBlock& block) {
  const MeshBlock& layout = frame.meshLayout;
  bucket = sluUnmirrored(bucket, frame.mirroredFirst);
  const uint mesh = bucket / layout.lodCount, lod = bucket % layout.lodCount;
  if (layout.stride == 0 || mesh >= meshCountOf(frame)) return;
  const uint* numbers = meshAt(frame, mesh);
  const uint* ofLod = numbers + lod * layout.lodStride;
  block.command[0] = numberOf(ofLod, layout.elementCountOffset, 0);
  block.command[2] = numberOf(ofLod, layout.firstElementOffset, 0);
  if (layout.vertexOffsetOffset != SLU_DROPPED) {
    block.command[3] = __ldg(numbers + layout.vertexOffsetOffset + lod * layout.vertexOffsetStride);
  }
}

}  // namespace slu::cuda
