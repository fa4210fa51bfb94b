// The ways in which two renderers in the open fill their indirect draws, over this benchmark's records and tests. Both
// have a thread per record in workgroups of 64, and survivors come in any order.
//
// bevy: crates/bevy_pbr/src/render of github.com/bevyengine/bevy, in the summer of 2026. A bin is a bucket, and a batch
// set is a group of draws. allocate_uniforms and reset_indirect_batch_sets reset the counters of bins and batch sets.
// mesh_preprocess takes an instance's place from its bin by an atomic addition, and writes it there.
// build_indirect_params makes a draw of each bin. If the bin has instances, the draw takes its place from the batch set
// by another addition. Here bins have the same room, so that what is a scan in bevy is a multiplication.
//
// niagara: src/shaders/drawcull.comp.glsl of github.com/zeux/niagara, in July 2026. Each survivor takes its place from
// one counter, reads its mesh, and writes the number of its draw and a whole command.
#pragma once

#include "literature/source.cuh"

namespace bench::literature {

constexpr uint32_t kRendererThreads = 64;

// The fields and the stride are those of bevy's IndirectParametersMetadata, so that counters are as far apart.
struct BinMetadata {
  uint32_t meshIndex;
  uint32_t baseOutputIndex;
  uint32_t batchSetIndex;
  uint32_t earlyInstanceCount;
  uint32_t lateInstanceCount;  // of a second phase, which is not here
};

// A thread per bin. There are at least as many bins as groups.
__global__ void __launch_bounds__(kRendererThreads) resetBins(Buckets buckets, BinMetadata* bins) {
  const uint32_t bin = threadOfGrid();
  if (bin >= buckets.count) return;
  const uint32_t batchSet = buckets.groupCount != 0 ? bin / buckets.perGroup : ~0u;
  bins[bin] = {bin, bin * buckets.capacity, batchSet, 0, 0};
  if (bin < buckets.groupCount) buckets.drawCounts[bin] = 0;
}

template <typename Source>
__global__ void __launch_bounds__(kRendererThreads)
    preprocessInstances(Source source, Buckets buckets, BinMetadata* bins, typename Source::Element* output) {
  const uint32_t i = threadOfGrid();
  if (i >= source.count) return;
  const uint32_t key = source.key(i);
  if (key == 0) return;
  BinMetadata& bin = bins[buckets.of(i)];
  output[bin.baseOutputIndex + atomicAdd(&bin.earlyInstanceCount, 1u)] = source.element(i, key);
}

// A thread per bin. Without batch sets each bin has a place of its own.
__global__ void __launch_bounds__(kRendererThreads)
    buildIndirectParameters(Buckets buckets, const BinMetadata* bins, DrawCommand* draws) {
  const uint32_t index = threadOfGrid();
  if (index >= buckets.count) return;
  const BinMetadata& bin = bins[index];
  const uint32_t instanceCount = bin.earlyInstanceCount + bin.lateInstanceCount;
  uint32_t place = index;
  if (bin.batchSetIndex != ~0u) {
    if (instanceCount == 0) return;
    place = bin.batchSetIndex * buckets.perGroup + atomicAdd(&buckets.drawCounts[bin.batchSetIndex], 1u);
  }
  draws[place] = {kDrawVertexCount, instanceCount, 0, bin.baseOutputIndex};
}

// count is 0 when the kernel begins. The compiler may make one addition of those of a warp, as drivers may of a
// shader's.
template <typename Source>
__global__ void __launch_bounds__(kRendererThreads)
    cullDraws(Source source, Buckets buckets, const DrawCommand* meshes, RecordDraw* draws, uint32_t* count) {
  const uint32_t i = threadOfGrid();
  if (i >= source.count || source.key(i) == 0) return;
  const DrawCommand mesh = meshes[buckets.of(i)];
  draws[atomicAdd(count, 1u)] = {i, {mesh.vertexCount, 1, mesh.firstVertex, 0}};
}

}  // namespace bench::literature
