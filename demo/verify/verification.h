// Checks frames: copies all their buffers to the host, and compares them with the simulation, the table of meshes and
// the CPU reference.
#pragma once

#include "frame/occlusion.h"
#include "frame/scene.h"
#include "verify/reference.h"

namespace demo {

class Verification {
 public:
  // occlusion: NULL if no frame tests it.
  Verification(const Device& device, const Scene& scene, const Compaction& compaction, const Occlusion* occlusion);

  // Copies the buffers of the frame's steps. A barrier that follows makes the copies visible to the host.
  void record(VkCommandBuffer commands, std::span<const CompactionStep> steps) const;

  // Comes after the frame has completed. Returns a sentence for each difference. time is the simulation's.
  std::vector<std::string> compare(std::span<const SluView> views, float time, std::span<const CompactionStep> steps);
  // Comes after compare(). Returns how many records of the camera's view each bucket would get if nothing was hidden.
  std::vector<uint32_t> demandedWithoutOcclusion(std::span<const SluView> views);

  // Returns the copies of the first step.
  const PerChannel<std::span<std::byte>>& copies() const { return bytes_.front(); }

 private:
  const Scene& scene_;
  const Compaction& compaction_;
  // By step. The inputs are among the first.
  std::array<PerChannel<Buffer>, kMostSteps> copies_;
  std::array<PerChannel<std::span<std::byte>>, kMostSteps> bytes_;
  Buffer pyramid_, lastVisible_, visible_;
  OcclusionCopies occlusion_;
  std::vector<std::unique_ptr<Reference>> references_;  // by step
};

}  // namespace demo
