// What a frame of the CUDA route launches, and on which memory; no call of CUDA's, so that the tests run it on the CPU.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/device/platform/arguments.h"
#include "kernels/list.h"
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
  std::array<CudaLaunch, 3> items;
  std::uint32_t count;
};

// What a kernel's source fixes.
struct KernelShape {
  std::uint32_t tileRecords = 0;  // 0: those of stagedTileRecords
  std::uint32_t blocks = 1;       // that a multiprocessor holds by the launch bounds, at least
  std::uint32_t threads = cuda::kThreads;
  std::uint32_t sortedRows = 0;  // of a thread, where records are sorted by bucket
  bool isPiped = false;          // tiles pass through a pipe
};

KernelShape shapeOf(CudaKernel kernel);

// The kernels among those of a plan that evaluate its predicate. kernel: the one that compacts.
std::vector<CudaKernel> evaluatingKernels(CudaKernel kernel);

// Whether there is a kernel that takes tiles of the plan's records through a pipe.
bool suitsPipes(const PlanLayout& layout);

// How much of a multiprocessor's shared memory the kernels may count on. Where it is scarce, what would wait there in
// whole tiles leaves from registers.
enum class SharedMemory { ample, scarce };

// The most shared memory that launches may ask for on every GPU: of the 48 KB that NVIDIA's drivers grant all shaders,
// less one that some GPUs keep, less one for what the kernels declare. The extensions that launch kernels name no limit;
// a driver that was asked for 48 KB on a queue that draws lost the device.
constexpr std::uint32_t kPortableSharedBytes = 46 * 1024;

struct LaunchLimits {
  // The most shared memory that a launch may ask for, 0 where it cannot: of kernels that sort, and of those that take
  // tiles through a pipe, which GPUs before sm_90 cannot have.
  std::uint32_t sortedBytes = 0;
  std::uint32_t pipedBytes = 0;
  // Frames of so many bytes of records pass through a pipe: with fewer, blocks have too few tiles each to fill it and to
  // end together.
  std::uint64_t pipedFrom = 1u << 26;
};

class CudaSchedule {
 public:
  explicit CudaSchedule(const PlanLayout& layout, SharedMemory sharedMemory = SharedMemory::ample,
                        const LaunchLimits& limits = {});

  CudaKernel kernel() const { return kernel_; }  // the one that compacts
  // The one that does in its place, where there is one: in large frames whose records are aligned as copies
  // need it, and whose outputs as stores do.
  std::optional<CudaKernel> pipedKernel() const { return pipedKernel_; }
  BlockShape blockOf(CudaKernel kernel) const;
  std::uint32_t tileRecords() const { return tileRecords_; }  // of kernel()

  // Memory that the plan needs. scratchBytes: zero before the first frame. tableBytes: of layout.buckets.
  std::uint64_t scratchBytes() const { return statusOffset_ + statusBytes_; }
  std::uint64_t tableBytes() const { return layout_.buckets.size() * sizeof(BucketBlock); }
  std::uint64_t stagingBytes() const;  // the input of an in-place frame

  // Where that memory is, and how many blocks the device holds at once, of kernel() and of pipedKernel().
  void place(std::uint64_t scratch, std::uint64_t table, std::uint64_t staging, std::uint32_t residentBlocks,
             std::uint32_t residentPipes = 1);

  cuda::Arguments arguments(const Frame& frame) const;
  CudaLaunches launches(const Frame& frame) const;

 private:
  std::uint64_t inputOf(const Frame& frame) const;  // where the records are
  bool passesPipe(const Frame& frame) const;
  std::uint32_t tileCount(const Frame& frame) const;
  std::uint32_t chunkCount(const Frame& frame) const;
  std::uint32_t blockCount(const Frame& frame) const;

  const PlanLayout& layout_;
  const std::uint64_t pipedFrom_;
  const CudaKernel kernel_;
  const std::optional<CudaKernel> pipedKernel_;
  const std::uint32_t tileRecords_;
  const std::uint32_t maxTileCount_;
  const std::uint32_t maxChunkCount_;  // 0 unless the kernel scatters
  const std::uint64_t statusOffset_;
  const std::uint64_t statusBytes_;
  std::uint32_t residentBlocks_ = 1;
  std::uint32_t residentPipes_ = 1;
  std::uint64_t staging_ = 0;
  cuda::Arguments constant_{};  // what no frame changes
};

}  // namespace slu
