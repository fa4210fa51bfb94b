// The list of kernels as the host reads it: the shape of each kernel, and the plans that it is for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/device/platform/tiles.h"
#include "kernels/list.h"

namespace slu {

// The most shared memory that launches may ask for on every GPU. NVIDIA's drivers grant all shaders 48 KB. Some GPUs
// reserve 1 KB of it, and the kernels declare up to 1 KB. The Vulkan extensions that launch kernels state no limit, and
// a driver lost the device after a launch of 48 KB on a queue that draws.
constexpr std::uint32_t kPortableSharedBytes = 46 * 1024;

// How much of a multiprocessor's shared memory the kernels may use. With little shared memory, survivors are stored
// straight from registers.
enum class SharedMemory { ample, scarce };

// What decides whether a record is kept. record: only its own bytes, and the record is moved (shaders/shared/limits.h).
// spheres: only spheres. meshSpheres: only spheres and a mesh table. any: any tests that a plan can have, except of
// scenes. scene: any tests of scenes.
enum class Decider { record, spheres, meshSpheres, any, scene };

struct KernelRow {
  const char* name = "";
  CudaKernel kernel{};

  // The shape.
  std::uint32_t tileRecords = 0;  // 0: depends on the size of a record; see tileOf
  std::uint32_t blocks = 1;       // that a multiprocessor holds at least, by the launch bounds
  std::uint32_t threads = cuda::kThreads;
  std::uint32_t sortedRows = 0;  // of a thread, if records are sorted by bucket
  bool isPiped = false;          // tiles pass through a pipe
  bool adapts = false;           // it reads whether the last frame kept many records

  // The plans that it is for. Numbers of records are the most that a plan may have in a frame.
  Decider decider = Decider::any;
  bool isStable = false;
  bool hasBuckets = false;                // there are several
  bool isMerged = false;                  // SLU_PLACEMENT_MERGED
  bool isRanked = false;                  // for packed buckets whose records are ranked and listed
  bool listsRejects = false;              // it lists what is rejected for some reasons (SluRejects)
  bool listsCandidates = false;           // for frames whose bits of occlusion drop records (candidates.cuh)
  bool isPreparing = false;               // it runs before the kernel that compacts, and is never chosen
  bool isFollowing = false;               // it runs after another kernel, and is never chosen
  bool isOfViews = false;                 // for frames of several views, in either order, into any number of buckets
  std::optional<CudaKernel> counter;      // counts records per bucket before it; none if it counts them itself
  std::uint32_t leastBytes = 0;           // of a record
  std::uint32_t mostBytes = 0xffffffffu;  // of a record
  std::optional<SharedMemory> memory;     // without a value: either
  std::uint32_t leastRecords = 0;
  std::uint32_t mostRecords = 0xffffffffu;
  std::uint32_t gapFrom = 0, gapTo = 0;  // plans of gapFrom + 1 to gapTo records use another kernel

  std::uint32_t tileOf(std::uint32_t recordBytes) const;
  // Returns how much shared memory a launch asks for, in addition to what the kernel declares.
  std::uint32_t sharedBytes(std::uint32_t recordBytes, std::uint32_t bucketCount) const;
  // Returns whether every GPU grants that for some plans.
  bool isPortable() const { return sharedBytes(leastBytes, 1) <= kPortableSharedBytes; }
};

// Returns the rows in the order of CudaKernel.
std::span<const KernelRow> kernelTable();
const KernelRow& rowOf(CudaKernel kernel);

}  // namespace slu
