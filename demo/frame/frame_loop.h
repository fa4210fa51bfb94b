// Runs the frames: each simulates, compacts, draws, finishes, and gives a report.
#pragma once

#include <memory>
#include <sluice/sluice.hpp>
#include <span>
#include <vector>

#include "frame/frame_inspector.h"
#include "frame/presenter.h"
#include "frame/scene.h"
#include "hosting/timestamps.h"

namespace demo {

struct FrameLoopInfo {
  const Device& device;
  const Renderer& renderer;
  Scene& scene;
  Compaction& compaction;
  FrameInspector& inspector;
  uint64_t framesBefore = 0;  // how many frames the context has seen in earlier loops; the first has this index
};

class FrameLoop {
 public:
  explicit FrameLoop(const FrameLoopInfo& info);
  ~FrameLoop();
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  // Renders until the presenter ends it and every frame has completed. Returns the number of frames begun, with those
  // of earlier loops.
  uint64_t run(Presenter& presenter);

 private:
  // Holds what a frame in flight occupies.
  struct Slot {
    uint32_t index = 0;
    UniqueCommandPool pool;
    VkCommandBuffer simulateCommands = VK_NULL_HANDLE;  // CPU, CUDA route: submitted before what compacts
    VkCommandBuffer commands = VK_NULL_HANDLE;
    UniqueFence fence;
    Timestamps times;  // of the stages
    Buffer constants;
    Buffer statistics;
    Buffer bucketCounts;
    Buffer drawCounts;
    Buffer picture;
    bool keepsPicture = false;
    bool keepsBucketCounts = false;
    std::vector<SluView> views;  // that the compaction gets
    float time = 0.0f;           // of the simulation
    glm::vec3 eye = {};          // of the camera that culls
    FrameReport report;
  };

  Slot createSlot() const;

  // Frames are numbered from 1 on.
  void submit(Slot& slot, uint64_t number, const FrameRequest& request, Presenter& presenter);
  void simulate(VkCommandBuffer commands, Slot& slot) const;
  void compactOnHost(Slot& slot);
  void compactInCuda(Slot& slot, uint64_t number);
  void copyResults(VkCommandBuffer commands, const Slot& slot) const;
  void submitCommands(VkCommandBuffer commands, VkFence fence, std::span<const SemaphorePoint> waits = {},
                      std::span<const SemaphorePoint> signals = {}) const;

  // Waits for the slot's frame and reports it.
  void retire(Slot& slot, Presenter& presenter);
  void readTimestamps(Slot& slot) const;

  const Device& device_;
  const Renderer& renderer_;
  Scene& scene_;
  Compaction& compaction_;
  FrameInspector& inspector_;
  uint64_t framesBefore_;
  std::vector<Slot> slots_;
};

}  // namespace demo
