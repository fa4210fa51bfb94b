// Several buckets in stable order by cub::DeviceRadixSort. SortPairs sorts a key and the index of each record over the
// bits that keys have; then the records are gathered. Dead records are sorted as well: the host passes the number of
// pairs, and would have to wait for the GPU to learn how many a selection kept.
#include <sluice/sluice.h>

#include <cub/device/device_radix_sort.cuh>
#include <limits>
#include <numeric>

#include "competitors/all.h"
#include "competitors/cub_sort.cuh"
#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"
#include "workload/live_test.h"

namespace bench {
namespace {

static_assert(SLU_MAX_BUCKETS <= std::numeric_limits<SortKey>::max());

enum Phase : size_t { kKeys, kSort, kBounds, kGather };

uint32_t blocksOf(uint64_t count, uint32_t perBlock) {
  return static_cast<uint32_t>((count + perBlock - 1) / perBlock);
}

class SortFrames : public PreparedCompetitor {
 public:
  SortFrames(const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload),
        buffers_(buffers),
        keys_(uint64_t{workload.recordCount} * sizeof(SortKey)),
        sortedKeys_(keys_.bytes()),
        indices_(uint64_t{workload.recordCount} * sizeof(uint32_t)),
        sortedIndices_(indices_.bytes()),
        firsts_(workload.bucketCount * sizeof(uint32_t)),
        drawCounts_(workload.groupCount),
        sorted_{workload.bucketCount, workload.placement == Placement::Packed ? 0 : buffers.bucketCapacity,
                workload.groupBuckets(), drawCounts_.device()},
        draws_(workload.drawPlaceCount()) {
    // No frame changes the unsorted indices.
    std::vector<uint32_t> indices(workload.recordCount);
    std::iota(indices.begin(), indices.end(), 0u);
    upload(indices_.get(), indices);
    size_t bytes = 0;
    sort(nullptr, bytes, nullptr);
    scratch_ = DeviceMemory(bytes);
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    for (size_t phase = kKeys; phase <= kGather; ++phase) enqueuePhase(stream, set, phase);
  }
  std::vector<std::string> phases() const override { return {"keys", "sort", "bounds", "gather"}; }
  void enqueuePhase(cudaStream_t stream, size_t set, size_t phase) override {
    size_t bytes = scratch_.bytes();
    if (phase == kKeys)
      writeKeys(stream, buffers_.sets[set]);
    else if (phase == kSort)
      sort(scratch_.get(), bytes, stream);
    else if (phase == kBounds)
      findBounds(stream);
    else
      gather(stream, buffers_.sets[set]);
    check(cudaGetLastError(), "kernel launch");
  }

  void poison(cudaStream_t stream) override {
    draws_.poison(stream);
    drawCounts_.poison(stream);
  }
  std::vector<DrawCommand> draws() const override { return draws_.read(); }
  std::vector<uint32_t> drawCounts() const override { return drawCounts_.read(); }

 private:
  void writeKeys(cudaStream_t stream, const FrameSet& set) const {
    const uint32_t blocks = blocksOf(workload_.recordCount, kSortThreads);
    withLiveTest(workload_, 0, set.input, [&](const auto& isLive) {
      writeSortKeys<<<blocks, kSortThreads, 0, stream>>>(isLive, static_cast<const uint32_t*>(set.input),
                                                         workload_.recordCount, workload_.recordBytes / 4,
                                                         workload_.bucketCount, keys_.as<SortKey>());
    });
  }

  void sort(void* scratch, size_t& bytes, cudaStream_t stream) const {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys_.as<const SortKey>(), sortedKeys_.as<SortKey>(),
                                          indices_.as<const uint32_t>(), sortedIndices_.as<uint32_t>(),
                                          workload_.recordCount, 0, sortKeyBits(workload_.bucketCount), stream),
          "cub::DeviceRadixSort::SortPairs");
  }

  void findBounds(cudaStream_t stream) {
    drawCounts_.reset(stream);
    findBuckets<<<blocksOf(workload_.bucketCount, kSortThreads), kSortThreads, 0, stream>>>(
        sortedKeys_.as<const SortKey>(), workload_.recordCount, sorted_, firsts_.as<uint32_t>(), draws_.device());
  }

  void gather(cudaStream_t stream, const FrameSet& set) const {
    if (workload_.outputs == Outputs::Indices)
      gatherBy(stream, RecordIndex{}, set);
    else if (workload_.recordBytes % sizeof(uint4) == 0)
      gatherBy(stream, RecordChunks<uint4>{static_cast<const uint4*>(set.input)}, set);
    else if (workload_.recordBytes % sizeof(uint2) == 0)
      gatherBy(stream, RecordChunks<uint2>{static_cast<const uint2*>(set.input)}, set);
    else
      gatherBy(stream, RecordChunks<uint32_t>{static_cast<const uint32_t*>(set.input)}, set);
  }

  template <typename Chunks>
  void gatherBy(cudaStream_t stream, const Chunks& chunks, const FrameSet& set) const {
    using Chunk = typename Chunks::Chunk;
    const auto perElement = static_cast<uint32_t>(workload_.elementBytes() / sizeof(Chunk));
    const dim3 threads(perElement, kSortThreads / perElement);
    gatherSorted<<<blocksOf(workload_.recordCount, threads.y), threads, 0, stream>>>(
        chunks, sortedKeys_.as<const SortKey>(), sortedIndices_.as<const uint32_t>(), workload_.recordCount,
        firsts_.as<const uint32_t>(), sorted_, static_cast<Chunk*>(set.output));
  }

  const Workload workload_;
  const FrameBuffers& buffers_;
  const DeviceMemory keys_;
  const DeviceMemory sortedKeys_;
  const DeviceMemory indices_;
  const DeviceMemory sortedIndices_;
  const DeviceMemory firsts_;
  DrawCounts drawCounts_;  // of groups
  const SortedBuckets sorted_;
  DrawArguments draws_;
  DeviceMemory scratch_;
};

class CubSort : public Competitor {
 public:
  std::string name() const override { return "cub-sort"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    if (workload.bucketCount == 1) return "it sorts by bucket, and there is one";
    return workload.isMerged() ? placementRefusal(workload) : viewRefusal(workload);
  }
  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return std::make_unique<SortFrames>(workload, buffers);
  }
};

}  // namespace

std::unique_ptr<Competitor> makeCubSort() { return std::make_unique<CubSort>(); }

}  // namespace bench
