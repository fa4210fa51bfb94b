// Runs the frames: simulate, compact, draw, finish, and what comes back of each.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "progress.h"
#include "reference.h"
#include "scene.h"

namespace demo {

enum class Stage { Simulate, Compact, Draw, Finish };
constexpr size_t kStageCount = 4;
const char* stageName(Stage stage);

struct FrameReport {
  uint32_t index = 0;
  SluStatistics statistics = {};
  std::array<std::optional<double>, kStageCount> gpuMicroseconds;
  std::optional<double> hostCompactMicroseconds;  // CPU route
  double hostMicroseconds = 0.0;                  // to record and submit; CPU route: and to compact
  std::vector<std::string> differences;           // from the reference; empty unless verifying
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
    VkCommandBuffer simulateCommands = VK_NULL_HANDLE;  // CPU route: submitted before the host compacts
    VkCommandBuffer commands = VK_NULL_HANDLE;
    UniqueFence fence;
    UniqueQueryPool queries;  // absent when the queue has no timestamps
    Buffer constants;
    Buffer statistics;
    Buffer picture;
    bool pending = false;
    SluView view = {};
    FrameReport report;
  };

  Slot createSlot() const;
  void createReference(const Options& options);

  void submit(Slot& slot, uint32_t frame);
  void simulate(VkCommandBuffer commands, const Slot& slot) const;
  void compactOnHost(Slot& slot);
  void copyResults(VkCommandBuffer commands, const Slot& slot) const;
  void writeTimestamp(VkCommandBuffer commands, const Slot& slot, uint32_t query) const;
  void submitCommands(VkCommandBuffer commands, const Slot& slot) const;

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
