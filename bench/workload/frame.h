// Describes the inputs and outputs of a frame, which are the same in every arena.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/host_device.h"
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
  uint32_t bucketCapacity;     // elements; see bucketCapacityFor
};

// A renderer draws a bucket with this; the layout is that of VkDrawIndirectCommand.
struct DrawCommand {
  uint32_t vertexCount;
  uint32_t instanceCount;
  uint32_t firstVertex;
  uint32_t firstInstance;
};
constexpr uint32_t kDrawVertexCount = 36;  // a cube

// An element of a merged output: the index of the record, and the command that draws it.
struct RecordDraw {
  uint32_t record;
  DrawCommand command;
};
static_assert(sizeof(RecordDraw) == kRecordDrawBytes);

// The command of a record of a bucket. Each bucket is a mesh with vertices of its own.
BENCH_HOST_DEVICE inline DrawCommand recordCommand(uint32_t bucket) {
  return {kDrawVertexCount, 1, bucket * kDrawVertexCount, 0};
}

// Fills memory before a frame that must overwrite it.
constexpr int kPoisonByte = 0xa5;
constexpr uint32_t kPoisonWord = 0xa5a5a5a5u;

// Bytes behind each output that nothing may touch.
constexpr uint64_t kCanaryBytes = 4096;

// Elements per range of the output. A single range, which may be a bucket of one view, has room for every record.
// Several are buckets, and have room for the fullest one of any set, as an engine sizes them by its scene. Then bucket
// b, counted through all views, begins at element b * bucketCapacity. keptCounts: per set, view and bucket.
uint32_t bucketCapacityFor(const Workload& workload, const std::vector<std::vector<uint32_t>>& keptCounts);

// Where each bucket of a view begins, if all buckets before it are full; and where the last one ends.
std::vector<uint32_t> packedFirsts(const std::vector<uint32_t>& keptCounts);

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

  // After the latest frame has completed: the draw of each view and bucket; with groups the draws at all places of each
  // group. Empty for a copy. Not looked at where a command draws each record.
  virtual std::vector<DrawCommand> draws() const = 0;

  // The draw count of each view, or of each group. Empty if the frame writes none, which only draws of all buckets
  // allow.
  virtual std::vector<uint32_t> drawCounts() const { return {}; }

  // Checks what the latest frame wrote outside output and draws. Returns a sentence, or nothing when all is right.
  // keptCounts: per view and bucket.
  virtual std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const {
    static_cast<void>(keptCounts);
    return std::nullopt;
  }
};

// Returns the first difference in a frame's draws as a sentence, or nothing when all is right. The draws of a group may
// come in any order. keptCounts: per view and bucket.
std::optional<std::string> drawsDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                           uint32_t bucketCapacity, const std::vector<DrawCommand>& draws,
                                           const std::vector<uint32_t>& drawCounts = {});

// Checks the draws and then outcome.difference().
std::optional<std::string> outcomeDifference(const Workload& workload, const FrameOutcome& outcome,
                                             const std::vector<uint32_t>& keptCounts, uint32_t bucketCapacity);

}  // namespace bench
