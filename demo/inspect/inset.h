// Draws the scene from above in a corner of the picture: what is kept, what is dropped, and the cameras.
#pragma once

#include <array>

#include "frame/presenter.h"
#include "frame/scene.h"
#include "inspect/frustum_lines.h"
#include "inspect/ghosts.h"

namespace demo {

// Returns the part of a picture that the inset covers, in the lower right corner.
VkRect2D insetPlace(VkExtent2D picture);

class Inset {
 public:
  Inset(const Device& device, const Renderer& renderer, const Scene& scene);

  // Comes before the frame is submitted.
  void update(uint32_t slot, const FrameConstants& render, const FrameConstants& culling);
  // Comes last in the renderer's scene pass, because it changes the viewport.
  void draw(VkCommandBuffer commands, uint32_t slot, const Ghosts& ghosts, const FrustumLines& lines,
            const TestedRecords& tested) const;

 private:
  struct Slot {
    Buffer constants;
    FrameConstants render, culling;
    float halfWidth;  // of what is seen, in units of the scene
  };

  VkExtent2D extent_;
  float reach_;  // of the scene's camera path from the middle
  std::array<Slot, kFramesInFlight> slots_;
};

}  // namespace demo
