// Shows more of a frame than its scene: the frustum that decides what is drawn, ghosts of what was dropped, the scene
// from above, the depth pyramid, and the instance under a pixel. Each is created when a frame first asks for it.
#pragma once

#include <memory>

#include "frame/frame_inspector.h"
#include "inspect/hidden_counts.h"
#include "inspect/inset.h"
#include "inspect/picker.h"
#include "inspect/pyramid_inset.h"
#include "inspect/reject_counts.h"
#include "verify/verification.h"

namespace demo {

class Inspection final : public FrameInspector {
 public:
  // If verify is true, report() compares frames with the reference, the ghosts' tests with the frame's statistics, what
  // is hidden with a frame of the reference that tests no occlusion, and picks with the frame's buffers. occlusion: NULL
  // if no frame tests it.
  Inspection(const Device& device, const Renderer& renderer, const Scene& scene, const Compaction& compaction,
             const Occlusion* occlusion, bool verify);

  bool needsFramesAlone() const override { return verification_.has_value(); }
  void begin(uint32_t slot, const FrameRequest& request, const FrameConstants& render, std::span<const SluView> views,
             std::span<const CompactionStep> steps) override;
  void recordTests(VkCommandBuffer commands, uint32_t slot) override;
  void drawInScene(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants) const override;
  void recordPick(VkCommandBuffer commands, uint32_t slot, VkDeviceAddress frameConstants,
                  const Kept& kept) const override;
  void recordCopies(VkCommandBuffer commands, uint32_t slot) const override;
  void report(uint32_t slot, FrameReport& report) override;

 private:
  struct Slot {
    Buffer tests;
    FrameConstants render = {}, culling = {};
    std::vector<SluView> views;
    std::vector<CompactionStep> steps;
    float time = 0.0f;  // of the simulation
    bool isFrozen = false, showsGhosts = false, showsInset = false;
    std::optional<uint32_t> pyramidLevel;
    std::optional<glm::uvec2> pick;

    bool tested() const { return showsGhosts || showsInset; }
    bool testsOcclusion() const { return steps.back().visible; }
  };

  bool testsCones(const Slot& slot) const { return demo::testsCones(request_) && !slot.steps.back().ignoresCones; }
  bool countsHidden(const Slot& slot) const { return slot.testsOcclusion() || testsCones(slot); }
  uint64_t trianglesOf(std::span<const uint32_t> counts) const;
  void reportHidden(const Slot& slot, const CountsByBucket& counts, FrameReport& report);
  void reportCones(const CountsByBucket& counts, FrameReport& report);

  TestedRecords tested(const Slot& slot) const { return testedRecords(request_, slot.tests); }

  const Device& device_;
  const Renderer& renderer_;
  const Scene& scene_;
  const CompactionRequest& request_;
  std::optional<Verification> verification_;
  std::array<Slot, kFramesInFlight> slots_;
  std::unique_ptr<FrustumLines> lines_;
  std::unique_ptr<Ghosts> ghosts_;
  std::unique_ptr<RejectCounts> counts_;
  std::unique_ptr<HiddenCounts> hidden_;
  std::unique_ptr<Inset> inset_;
  std::unique_ptr<PyramidInset> pyramidInset_;
  std::unique_ptr<Picker> picker_;
};

}  // namespace demo
