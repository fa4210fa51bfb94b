// Runs the frames: each simulates, compacts, draws, finishes, and gives a report.
#pragma once

#include <memory>
#include <sluice/sluice.hpp>
#include <span>
#include <vector>

#include "frame/frame_inspector.h"
#include "frame/occlusion.h"
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
  Occlusion* occlusion = nullptr;  // NULL: no frame tests it
  uint64_t framesBefore = 0;       // how many frames the context has seen in earlier loops; the first has this index
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
    // CPU, CUDA route: a step of the compaction runs between one and the next. Others record into the first alone.
    std::array<VkCommandBuffer, kMostSteps + 1> commands = {};
    uint32_t submittedCount = 0;
    std::vector<SemaphorePoint> waits;  // of the next submission
    UniqueFence fence;
    Timestamps times;  // of the stages
    Buffer constants;
    // By step.
    std::array<Buffer, kMostSteps> statistics, bucketCounts, drawCounts;
    Buffer picture;
    bool keepsPicture = false;
    bool buildsPyramid = false;
    bool keepsBucketCounts = false;
    bool drawsWhole = false;     // meshes, in the place of what is kept
    std::vector<SluView> views;  // that the compaction gets
    std::vector<CompactionStep> steps;
    float time = 0.0f;   // of the simulation
    glm::vec3 eye = {};  // of the camera that culls
    FrameReport report;
  };

  Slot createSlot() const;

  // Frames are numbered from 1 on.
  void submit(Slot& slot, uint64_t number, const FrameRequest& request, Presenter& presenter);
  void simulate(VkCommandBuffer commands, Slot& slot) const;
  void drawPart(VkCommandBuffer commands, const Slot& slot, ScenePart part, uint32_t step) const;
  // Runs a step of the compaction, behind the commands so far. Returns the commands that go on, which are begun.
  VkCommandBuffer compact(Slot& slot, VkCommandBuffer commands, uint32_t step, uint64_t number);
  VkCommandBuffer compactOnHost(Slot& slot, VkCommandBuffer commands, uint32_t step);
  VkCommandBuffer compactInCuda(Slot& slot, VkCommandBuffer commands, uint32_t step, uint64_t value);
  VkCommandBuffer nextCommands(Slot& slot) const;
  void copyResults(VkCommandBuffer commands, const Slot& slot) const;
  void submitCommands(Slot& slot, VkFence fence, std::span<const SemaphorePoint> signals = {}) const;

  // Waits for the slot's frame and reports it.
  void retire(Slot& slot, Presenter& presenter);
  void readCounts(Slot& slot) const;
  void readTimestamps(Slot& slot) const;

  const Device& device_;
  const Renderer& renderer_;
  Scene& scene_;
  Compaction& compaction_;
  FrameInspector& inspector_;
  Occlusion* occlusion_;
  uint64_t framesBefore_;
  std::vector<Slot> slots_;
};

}  // namespace demo
