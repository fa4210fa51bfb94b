// Checks frames: copies all their buffers to the host, and compares them with the simulation, the table of meshes and
// the CPU reference.
#pragma once

#include "frame/scene.h"
#include "verify/reference.h"

namespace demo {

class Verification {
 public:
  Verification(const Device& device, const Scene& scene, const Compaction& compaction);

  // Copies the buffers. A barrier that follows makes the copies visible to the host.
  void record(VkCommandBuffer commands) const;

  // Comes after the frame has completed. Returns a sentence for each difference. time is the simulation's.
  std::vector<std::string> compare(std::span<const SluView> views, float time);

  const PerChannel<std::span<std::byte>>& copies() const { return bytes_; }

 private:
  const Scene& scene_;
  const Compaction& compaction_;
  PerChannel<Buffer> copies_;
  PerChannel<std::span<std::byte>> bytes_;  // of the copies
  std::unique_ptr<Reference> reference_;
};

}  // namespace demo
