// Checks frames: copies all their buffers to the host, and compares them with the simulation and the CPU reference.
#pragma once

#include "frame/scene.h"
#include "verify/reference.h"

namespace demo {

class Verification {
 public:
  Verification(const Device& device, const Scene& scene, const Compaction& compaction);

  // Copies the buffers. The host sees them after a barrier that follows, and after the frame.
  void record(VkCommandBuffer commands) const;

  // After the frame has come back. A sentence for each difference. time: of the simulation.
  std::vector<std::string> compare(const SluView& view, float time);

  const PerChannel<std::span<std::byte>>& copies() const { return bytes_; }

 private:
  const Scene& scene_;
  const Compaction& compaction_;
  PerChannel<Buffer> copies_;
  PerChannel<std::span<std::byte>> bytes_;  // of the copies
  std::unique_ptr<Reference> reference_;
};

}  // namespace demo
