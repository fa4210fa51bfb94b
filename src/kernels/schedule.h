// What a frame of the CUDA route launches, and on which memory. Nothing here calls CUDA, so the tests run it on the
// CPU.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/choice.h"
#include "kernels/device/platform/arguments.h"
#include "plan/layout.h"

namespace slu {

struct BlockShape {
  std::uint32_t threads = cuda::kThreads;
  std::uint32_t sharedBytes = 0;  // beyond what the kernel declares
};

struct CudaLaunch {
  CudaKernel kernel;
  std::uint32_t x;  // blocks
  std::uint32_t y;
  BlockShape block{};
};

struct CudaLaunches {
  std::array<CudaLaunch, 6> items;  // as many as a frame has at most
  std::uint32_t count;
};

// Returns whether a kernel evaluates the plan's predicate. Those that do not are the library's in every plan.
bool evaluates(CudaKernel kernel);

class CudaSchedule {
 public:
  explicit CudaSchedule(const PlanLayout& layout, SharedMemory sharedMemory = SharedMemory::ample,
                        const LaunchLimits& limits = {});

  CudaKernel kernel() const { return kernel_; }  // the one that compacts
  // The kernel with a pipe, if there is one. It replaces kernel() in large frames whose records are aligned as bulk
  // copies need it, and whose outputs are aligned as stores need it.
  std::optional<CudaKernel> pipedKernel() const { return pipedKernel_; }
  // The kernel of frames of several views, if there is one.
  std::optional<CudaKernel> viewsKernel() const { return viewsKernel_; }
  // Returns the kernels that frames launch; scanBuckets may be there twice.
  std::vector<CudaKernel> kernels() const;
  std::vector<CudaKernel> evaluatingKernels() const;  // those that evaluate the plan's predicate
  BlockShape blockOf(CudaKernel kernel) const;
  std::uint32_t tileRecords() const { return tileRecords_; }  // of kernel()

  // Return how many bytes the plan needs of each kind of memory. Scratch is zero before the first frame, and the table
  // is a copy of layout.buckets. Lists are of plans with further streams (plan/kept_lists.h), of those that rank, and of
  // those that keep decisions, and sparse ones.
  std::uint64_t scratchBytes() const { return ballotsOffset_ + ballotBytes_; }
  std::uint64_t listBytes() const;
  std::uint64_t tableBytes() const { return layout_.buckets.size() * sizeof(BucketBlock); }
  std::uint64_t stagingBytes() const;  // the input of an in-place frame

  // Sets where that memory lies, and how many blocks of kernel() and of pipedKernel() the device holds at once.
  void place(std::uint64_t scratch, std::uint64_t table, std::uint64_t staging, std::uint32_t residentBlocks,
             std::uint32_t residentPipes = 1);
  // Sets where the lists lie, at a multiple of 16, of plans that need listBytes.
  void placeLists(std::uint64_t lists);

  CudaLaunches launches(const Frame& frame) const;
  // Passes the frame's launches to use(launch, arguments), one after the other.
  template <typename Use>
  void forEachLaunch(const Frame& frame, const Use& use) const {
    const cuda::Arguments usual = arguments(frame);
    const CudaLaunches all = launches(frame);
    for (std::uint32_t i = 0; i < all.count; ++i) {
      if (all.items[i].kernel == CudaKernel::findVisible) {
        use(all.items[i], findingArguments(frame, usual));
      } else {
        use(all.items[i], usual);
      }
    }
  }

 private:
  cuda::Arguments arguments(const Frame& frame) const;
  // Returns the arguments with blocks of occlusion in the place of views.
  static cuda::Arguments findingArguments(const Frame& frame, cuda::Arguments arguments);
  bool listsRanked() const;
  std::uint64_t rankedBytes() const;  // of the lists, what is ranked
  std::uint32_t sparseBuckets(const Frame& frame) const;
  std::uint64_t keptBytes() const;                  // of the lists, what further streams need
  std::uint64_t inputOf(const Frame& frame) const;  // where the records are
  bool passesPipe(const Frame& frame) const;
  bool readsOnceForAllViews(const Frame& frame) const;
  std::uint32_t tileCount(const Frame& frame) const;
  std::uint32_t candidateTiles(const Frame& frame) const;
  std::uint32_t chunkCount(const Frame& frame) const;
  CudaLaunches compactingLaunches(const Frame& frame) const;
  CudaLaunches countedLaunches(CudaKernel counter, CudaKernel kernel, const Frame& frame,
                               std::uint32_t countedViews) const;
  CudaLaunch findingLaunch(const Frame& frame) const;
  CudaLaunch emittingLaunch(const Frame& frame) const;
  CudaLaunch gatheringLaunch(const Frame& frame) const;
  void setStreams(const Frame& frame, cuda::Arguments& arguments) const;
  std::uint32_t blockCount(const Frame& frame) const;

  const PlanLayout& layout_;
  const std::uint64_t pipedFrom_;
  const std::uint64_t viewsFrom_;
  const CudaKernel chosen_;
  const std::optional<CudaKernel> counter_;  // of chosen_
  const std::optional<CudaKernel> pipedKernel_;
  const std::optional<CudaKernel> viewsKernel_;
  const std::optional<CudaKernel> candidatesKernel_;
  const std::uint32_t tileRecords_;
  const std::uint32_t viewsTileRecords_;
  const std::uint32_t maxTileCount_;
  const std::uint32_t maxChunkCount_;  // 0 unless the kernel scatters
  const std::uint64_t decisionBytes_;  // 0 if the kernel evaluates
  const CudaKernel kernel_;
  const std::uint32_t maxViewsChunkCount_;  // 0 without a kernel for several views
  const std::uint64_t statusOffset_;
  const std::uint64_t placesOffset_;
  const std::uint64_t groupsOffset_;
  const std::uint64_t chunksOffset_;
  const std::uint64_t ballotsOffset_;
  const std::uint64_t ballotBytes_;
  std::uint32_t residentBlocks_ = 1;
  std::uint32_t residentPipes_ = 1;
  std::uint64_t staging_ = 0;
  std::uint64_t lists_ = 0;
  cuda::Arguments constant_{};  // what no frame changes
};

}  // namespace slu
