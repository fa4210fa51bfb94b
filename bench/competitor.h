// What takes part in the benchmark. A new competitor is a file of competitors/ and a line of competitors/all.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "role.h"
#include "workload.h"

namespace bench {

// An input, and where a frame over it writes its output. Both are aligned to 256.
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

// A competitor that is ready to run one workload: it holds all memory that frames need besides the sets.
class PreparedCompetitor {
 public:
  virtual ~PreparedCompetitor() = default;

  // One frame: everything from the input to a complete draw, the reset of counters included. Is captured where that is
  // possible.
  virtual void enqueue(cudaStream_t stream, size_t set) = 0;

  // Whether enqueue leaves the host free; who waits in it is launched frame by frame in every mode.
  virtual bool isCapturable() const { return true; }

  // The frame's parts in order, by name; empty when it is one. enqueue runs all of them.
  virtual std::vector<std::string> phases() const { return {}; }
  virtual void enqueuePhase(cudaStream_t stream, size_t set, size_t phase) {
    static_cast<void>(phase);
    enqueue(stream, set);
  }

  // Makes what the latest frame left besides the set's output unusable as the next frame's result.
  virtual void poison(cudaStream_t stream) = 0;

  // The draw of each bucket as the latest frame, which has completed, left it. Empty for a copy.
  virtual std::vector<DrawCommand> draws() const = 0;

  // What is wrong with what the latest frame wrote besides output and draws; nothing when all is right. keptCounts: per
  // bucket.
  virtual std::optional<std::string> difference(const std::vector<uint32_t>& keptCounts) const {
    static_cast<void>(keptCounts);
    return std::nullopt;
  }
};

class Competitor {
 public:
  virtual ~Competitor() = default;

  virtual std::string name() const = 0;
  virtual Role role() const = 0;

  // Why it cannot run the workload; empty when it can.
  virtual std::string refusal(const Workload& workload) const = 0;

  // buffers outlive the result.
  virtual std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const = 0;
};

}  // namespace bench
