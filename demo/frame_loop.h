// Runs the frames: simulate, compact, draw, finish, and what comes back of each.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <sluice/sluice.hpp>
#include <string>
#include <vector>

#include "progress.h"
#include "reference.h"
#include "scene.h"

namespace demo {

// Compact: on the CUDA route all from the end of the release to the begin of the acquire.
enum class Stage { Simulate, Compact, Draw, Finish };
constexpr size_t kStageCount = 4;
const char* stageName(Stage stage);

// Host time of the CUDA route's three calls.
struct HandOffTimes {
  double releaseMicroseconds, enqueueMicroseconds, acquireMicroseconds;
};

struct FrameReport {
  uint32_t index = 0;
  SluStatistics statistics = {};
  std::array<std::optional<double>, kStageCount> gpuMicroseconds;
  std::optional<double> hostCompactMicroseconds;  // CPU route
  std::optional<HandOffTimes> handOff;            // CUDA route
  double hostMicroseconds = 0.0;                  // to record and submit; CPU route: and to compact
  std::vector<std::string> differences;           // from the reference; empty unless verifying
};

// A value of a timeline semaphore, or nothing.
struct TimelinePoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

class FrameLoop {
 public:
  FrameLoop(const Device& device, const Renderer& renderer, const Scene& scene, Compaction& compaction,
            const Options& options);
  ~FrameLoop();
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  // Renders all frames of the options; writes pictures and compares with the reference as these ask.
  std::vector<FrameReport> run(Progress& progress);

 private:
  // What a frame in flight occupies.
  struct Slot {
    UniqueCommandPool pool;
    VkCommandBuffer simulateCommands = VK_NULL_HANDLE;  // CPU, CUDA route: submitted before what compacts
    VkCommandBuffer commands = VK_NULL_HANDLE;
    UniqueFence fence;
    UniqueQueryPool queries;  // absent when the queue has no timestamps
    Buffer constants;
    Buffer statistics;
    Buffer picture;
    SluView view = {};
    FrameReport report;
  };

  Slot createSlot() const;
  void createReference(const Options& options);

  // number: of the frame, from 1 on.
  void submit(Slot& slot, uint64_t number);
  void simulate(VkCommandBuffer commands, const Slot& slot) const;
  void compactOnHost(Slot& slot);
  void compactInCuda(Slot& slot, uint64_t number);
  void copyResults(VkCommandBuffer commands, const Slot& slot) const;
  void writeTimestamp(VkCommandBuffer commands, const Slot& slot, uint32_t query) const;
  void submitCommands(VkCommandBuffer commands, VkFence fence, TimelinePoint wait = {},
                      TimelinePoint signal = {}) const;

  // Waits for the slot's frame and takes what it brought.
  void retire(Slot& slot, Progress& progress, std::vector<FrameReport>& reports);
  void readTimestamps(Slot& slot) const;

  const Device& device_;
  const Renderer& renderer_;
  const Scene& scene_;
  Compaction& compaction_;
  const Options& options_;
  std::vector<Slot> slots_;
  PerChannel<Buffer> copies_;  // for the reference; one frame in flight then
  std::unique_ptr<Reference> reference_;
};

}  // namespace demo
