// The list of kernels as the host reads it: what their source fixes, and which plans they are for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/device/platform/tiles.h"
#include "kernels/list.h"

namespace slu {

// The most shared memory that launches may ask for on every GPU: of the 48 KB that NVIDIA's drivers grant all shaders,
// less one that some GPUs keep, less one for what the kernels declare. The extensions that launch kernels name no limit;
// a driver that was asked for 48 KB on a queue that draws lost the device.
constexpr std::uint32_t kPortableSharedBytes = 46 * 1024;

// How much of a multiprocessor's shared memory the kernels may count on. With little of it, survivors are stored
// straight from registers.
enum class SharedMemory { ample, scarce };

// What decides whether a record is kept: a word of its own, alone; spheres, alone; any test that plans have.
enum class Decider { record, spheres, any };

struct KernelRow {
  const char* name = "";
  CudaKernel kernel{};

  // The shape.
  std::uint32_t tileRecords = 0;  // 0: depends on the size of a record; see tileOf
  std::uint32_t blocks = 1;       // that a multiprocessor holds by the launch bounds, at least
  std::uint32_t threads = cuda::kThreads;
  std::uint32_t sortedRows = 0;  // of a thread, where records are sorted by bucket
  bool isPiped = false;          // tiles pass through a pipe
  bool adapts = false;           // it asks what the last frame kept

  // The plans that it is for. Counts are the most records that a plan may have in a frame.
  Decider decider = Decider::any;
  bool isStable = false;
  bool hasBuckets = false;                // several
  bool isPreparing = false;               // it is launched for the one that compacts, and never chosen
  std::uint32_t leastBytes = 0;           // of a record
  std::uint32_t mostBytes = 0xffffffffu;  // of a record
  std::optional<SharedMemory> memory;     // nothing: either
  std::uint32_t leastRecords = 0;
  std::uint32_t mostRecords = 0xffffffffu;
  std::uint32_t gapFrom = 0, gapTo = 0;  // counts above the first, up to the second, are another kernel's

  std::uint32_t tileOf(std::uint32_t recordBytes) const;
  // What a launch asks for, beyond what the kernel declares.
  std::uint32_t sharedBytes(std::uint32_t recordBytes, std::uint32_t bucketCount) const;
  // Whether there are plans for which every GPU grants that.
  bool isPortable() const { return sharedBytes(leastBytes, 1) <= kPortableSharedBytes; }
};

// By CudaKernel.
std::span<const KernelRow> kernelTable();
const KernelRow& rowOf(CudaKernel kernel);

}  // namespace slu
