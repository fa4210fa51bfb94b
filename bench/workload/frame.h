// Describes the inputs and outputs of a frame, which are the same in every arena.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace bench {

// An input, and the output of frames over it. On a GPU both are aligned to 256.
struct FrameSet {
  const void* input;
  void* output;
};

// Frames take turns among the sets.
struct FrameBuffers {
  std::vector<FrameSet> sets;  // at least one
  uint32_t bucketCapacity;     // elements; bucket b, counted through all views, begins at element b * bucketCapacity
};

// A renderer draws a bucket with this; the layout is that of VkDrawIndirectCommand.
struct DrawCommand {
  uint32_t vertexCount;
  uint32_t instanceCount;
  uint32_t firstVertex;
  uint32_t firstInstance;
};
constexpr uint32_t kDrawVertexCount = 36;  // a cube

// Fills memory before a frame that must overwrite it.
constexpr int kPoisonByte = 0xa5;
constexpr uint32_t kPoisonWord = 0xa5a5a5a5u;

// Bytes behind each output that nothing may touch.
constexpr uint64_t kCanaryBytes = 4096;

// Elements per bucket. A single bucket of one view has room for every record. Several have room for the fullest one of
// any set, as an engine sizes them by its scene. keptCounts: per set, view and bucket.
uint32_t bucketCapacityFor(const Workload& workload, const std::vector<std::vector<uint32_t>>& keptCounts);

// The bytes of the elements of all views.
uint64_t elementsBytesFor(const Workload& workload, uint32_t bucketCapacity);

// The bytes of a set's output, with the canary. It has room for the elements, and for a copy of the input rounded up to
// 16 bytes.
uint64_t outputBytesFor(const Workload& workload, uint32_t bucketCapacity);

// Names a bucket, counted through all views: "bucket 3" with one view, "view 1, bucket 3" with several.
std::string bucketText(uint32_t viewCount, uint32_t bucketCount, uint64_t bucket);

// Gives access to what the latest frame wrote outside the set's output.
class FrameOutcome {
 public:
  virtual ~FrameOutcome() = default;

  // The draw of each view and bucket, after the latest frame has completed. Empty for a copy.
  virtual std::vector<DrawCommand> draws() const = 0;

  // Checks what the latest frame wrote outside output and draws. Returns a sentence, or nothing when all is right.
  // keptCounts: per view and bucket.
  virtual std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const {
    static_cast<void>(keptCounts);
    return std::nullopt;
  }
};

// Returns the first difference in a frame's draws as a sentence, or nothing when all is right. keptCounts: per view and
// bucket.
std::optional<std::string> drawsDifference(const std::vector<uint32_t>& keptCounts, uint32_t bucketCapacity,
                                           const std::vector<DrawCommand>& draws);

// Checks the draws and then outcome.difference().
std::optional<std::string> outcomeDifference(const FrameOutcome& outcome, const std::vector<uint32_t>& keptCounts,
                                             uint32_t bucketCapacity);

}  // namespace bench
