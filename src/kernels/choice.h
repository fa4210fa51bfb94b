// What picks the kernels of a plan from their table.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/table.h"
#include "plan/layout.h"

namespace slu {

struct LaunchLimits {
  // The most shared memory that a launch may ask for, 0 where it cannot: of kernels that sort, and of those that take
  // tiles through a pipe, which GPUs before sm_90 cannot have.
  std::uint32_t sortedBytes = 0;
  std::uint32_t pipedBytes = 0;
  // Frames of so many bytes of records pass through a pipe: with fewer, blocks have too few tiles each to fill it and to
  // end together.
  std::uint64_t pipedFrom = 1u << 26;
};

// The kernel that compacts: the last one of the table that suits the plan.
CudaKernel chooseKernel(const PlanLayout& layout, SharedMemory sharedMemory, const LaunchLimits& limits);

// The kernel that takes tiles of the plan's records through a pipe. Other records have none: it was slower.
std::optional<CudaKernel> choosePipedKernel(const PlanLayout& layout, const LaunchLimits& limits);

// Whether there is such a kernel, however little shared memory launches may ask for.
bool suitsPipes(const PlanLayout& layout);

// Buckets of all views.
std::uint64_t segmentCount(const PlanLayout& layout);

// Memory for so many tiles that look back for each bucket.
std::uint64_t bucketStatusBytes(const PlanLayout& layout, std::uint32_t tileCount);

}  // namespace slu
