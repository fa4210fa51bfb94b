// Picks the kernels of a plan from their table.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/table.h"
#include "plan/layout.h"

namespace slu {

struct LaunchLimits {
  // The most shared memory that launches may ask for, or 0 if such kernels cannot run: of kernels that sort, and of
  // kernels with a pipe, which need sm_90.
  std::uint32_t sortedBytes = 0;
  std::uint32_t pipedBytes = 0;
  // Frames of at least so many bytes of records use the pipe. In smaller frames, blocks have too few tiles to fill it,
  // and do not end at the same time.
  std::uint64_t pipedFrom = 1u << 26;
  // Frames read records once for all views if that saves at least so many bytes. In smaller frames three launches take
  // longer than one that reads records again, from the second-level cache as a rule.
  std::uint64_t viewsFrom = 1u << 26;
  // The most bytes in which plans that scatter keep their decisions. Others evaluate twice.
  std::uint64_t mostDecisionBytes = 1u << 26;
  // The most bytes in which plans rank and list their records. Others are counted first, and keep input order.
  std::uint64_t mostListBytes = 1u << 28;
};

// Returns the kernel that compacts: the last one of the table that suits the plan.
CudaKernel chooseKernel(const PlanLayout& layout, SharedMemory sharedMemory, const LaunchLimits& limits);

// Returns the kernel for frames of several views, which reads records once for all of them. There is none for plans that
// may not do that, or with so many buckets and views that a block cannot count them in shared memory.
std::optional<CudaKernel> chooseViewsKernel(const PlanLayout& layout);

// Returns the kernel for frames whose bits of occlusion drop records, if there is one: `chosen` keeps no order, and it does
// not matter why a record is dropped.
std::optional<CudaKernel> chooseCandidatesKernel(const PlanLayout& layout, CudaKernel chosen);

// Returns the kernel with a pipe that suits the plan, if there is one. For records of other sizes a pipe was slower.
std::optional<CudaKernel> choosePipedKernel(const PlanLayout& layout, const LaunchLimits& limits);

// Returns whether such a kernel exists, however little shared memory launches may ask for.
bool suitsPipes(const PlanLayout& layout);

// Returns the number of buckets of all views.
std::uint64_t segmentCount(const PlanLayout& layout);

// Returns how many bytes tileCount tiles need to look back for each bucket.
std::uint64_t bucketStatusBytes(const PlanLayout& layout, std::uint32_t tileCount);

}  // namespace slu
