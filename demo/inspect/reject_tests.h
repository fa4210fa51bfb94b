// A plan's tests for a frame's view, for the demo's own shaders to apply to the same records.
#pragma once

#include "frame/compaction.h"
#include "shaders/rejects.h"

namespace demo {

// What such a shader reads.
struct TestedRecords {
  VkDeviceAddress tests;  // RejectTests
  VkDeviceAddress records, spheres;
  VkDeviceAddress liveCount;  // a uint32 that replaces the tests' recordCount when it is lower
  uint32_t count;             // at most
};

// "not live" and so on, of what the tests say of a record.
const char* outcomeName(uint32_t outcome);

// Throws Failure (Cause::Runtime) when the plan's live test is none that the shaders know.
RejectTests rejectTests(const CompactionRequest& request, const SluView& view);

// tests: a buffer that holds what rejectTests gave.
TestedRecords testedRecords(const CompactionRequest& request, const Buffer& tests);

}  // namespace demo
