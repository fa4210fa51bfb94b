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

// Returns the last level that a volume reaches, of lodCount. mesh: null without a table.
__device__ __forceinline__ uint reachedLod(const MeshBlock& layout, const SluViewBlock& view, const Volume& volume,
                                           float distance2, const uint* mesh, uint lodCount) {
  const float scaledDistance2 = sluScaledDistance2(view, distance2);
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

// Adds the levels of detail of the items of `flags` to lods. Returns the items whose mesh has none that is resident.
template <uint kItems>
__device__ __forceinline__ uint chooseLods(const Arguments& arguments, const SluViewBlock& view,
                                           const Volume (&volumes)[kItems], const float (&distances2)[kItems],
                                           const uint (&keys)[kItems], uint flags, uint& lods) {
  const FrameBlock& frame = arguments.frame;
  const MeshBlock& layout = frame.meshLayout;
  uint missing = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if ((flags >> item & 1) == 0) continue;
    const uint* mesh = nullptr;
    uint lodCount = layout.lodCount;
    uint resident = ~0u;
    if (layout.stride != 0) {
      mesh = meshAt(frame, keys[item]);
      lodCount = min(numberOf(mesh, layout.lodCountOffset, lodCount), lodCount);
      resident = numberOf(mesh, layout.lodMaskOffset, resident);
    }
    uint reached = 0;  // of records that are never culled and whose bounds are not valid
    if (!sluIsInvalid(volumes[item].radius2, distances2[item])) {
      reached = reachedLod(layout, view, volumes[item], distances2[item], mesh, lodCount);
    }
    const uint lod = sluResidentLod(sluLodMask(lodCount, resident, lodCount), reached, lodCount);
    if (lod == SLU_MAX_LODS) {
      missing |= 1u << item;
    } else {
      lods |= lod << (item * kLodBits);
    }
  }
  return missing;
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
