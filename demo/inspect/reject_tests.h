// Describes a plan's tests and a frame's view to the demo's own shaders, which apply them to the same records.
#pragma once

#include "frame/compaction.h"
#include "shaders/rejects.h"

namespace demo {

// The shaders read this.
struct TestedRecords {
  VkDeviceAddress tests;                   // RejectTests
  VkDeviceAddress records, meshes, flags;  // meshes: or bounds by key
  VkDeviceAddress liveCount;               // a uint32 that replaces the tests' recordCount when it is lower
  uint32_t count;                          // at most
};

// Returns "not live" and so on.
const char* outcomeName(uint32_t outcome);

// lastStep is the frame's. Throws Failure (Cause::Runtime) when the plan's live test is SLU_LIVE_CUSTOM.
RejectTests rejectTests(const CompactionRequest& request, const SluView& view, const CompactionStep& lastStep);

// tests is a buffer that holds what rejectTests returned.
TestedRecords testedRecords(const CompactionRequest& request, const Buffer& tests);

}  // namespace demo
