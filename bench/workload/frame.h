// What frames read and write, in whatever arena they run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/workload.h"

namespace bench {

// An input, and where a frame over it writes its output. On a GPU both are aligned to 256.
struct FrameSet {
  const void* input;
  void* output;
};

// Frames take turns among the sets.
struct FrameBuffers {
  std::vector<FrameSet> sets;  // at least one
  uint32_t bucketCapacity;     // elements; bucket b's output begins at element b * bucketCapacity
};

// What a renderer draws a bucket with; laid out as VkDrawIndirectCommand.
struct DrawCommand {
  uint32_t vertexCount;
  uint32_t instanceCount;
  uint32_t firstVertex;
  uint32_t firstInstance;
};
constexpr uint32_t kDrawVertexCount = 36;  // a cube

// What fills memory before a frame that is to overwrite it.
constexpr int kPoisonByte = 0xa5;
constexpr uint32_t kPoisonWord = 0xa5a5a5a5u;

// Bytes behind each output that nothing may touch.
constexpr uint64_t kCanaryBytes = 4096;

// Elements per bucket. A single one has room for every record. Several are as large as the fullest of any of the sets
// demands, as an engine sizes them by what its scene needs. keptCounts: per set and bucket.
uint32_t bucketCapacityFor(const Workload& workload, const std::vector<std::vector<uint32_t>>& keptCounts);

// What a set's output takes, canary included: room for the elements, and for a copy of the input in whole 16 bytes.
uint64_t outputBytesFor(const Workload& workload, uint32_t bucketCapacity);

// What the latest frame left besides the set's output.
class FrameOutcome {
 public:
  virtual ~FrameOutcome() = default;

  // The draw of each bucket as the latest frame, which has completed, left it. Empty for a copy.
  virtual std::vector<DrawCommand> draws() const = 0;

  // What is wrong with what the latest frame wrote besides output and draws; nothing when all is right. keptCounts: per
  // bucket.
  virtual std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const {
    static_cast<void>(keptCounts);
    return std::nullopt;
  }
};

// The first difference of a frame's draws, as a sentence; nothing when all is right. keptCounts: per bucket.
std::optional<std::string> drawsDifference(const std::vector<uint32_t>& keptCounts, uint32_t bucketCapacity,
                                           const std::vector<DrawCommand>& draws);

// The first difference of draws and the rest, as a sentence; nothing when all is right.
std::optional<std::string> outcomeDifference(const FrameOutcome& outcome, const std::vector<uint32_t>& keptCounts,
                                             uint32_t bucketCapacity);

}  // namespace bench
