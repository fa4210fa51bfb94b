// The frame loop renders for a presenter, which says what each frame shows and takes what comes of it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "frame/frame_report.h"
#include "frame/occlusion_mode.h"
#include "hosting/commands.h"
#include "render/camera.h"

namespace demo {

constexpr uint32_t kFramesInFlight = 3;

struct FrozenCamera;

// How the last frame is rendered once more, for a picture that must be the same.
enum class Repetition { None, WithHidden, WithoutCones, AsWhole };
inline const char* repetitionName(Repetition repetition) {
  constexpr std::array<const char*, 4> kNames = {"", "without occlusion", "without cones", "of whole meshes"};
  return kNames[static_cast<size_t>(repetition)];
}

struct FrameRequest {
  Camera camera;
  float time;                                 // of the simulation, seconds
  const FrozenCamera* frozen = nullptr;       // decides what is drawn; NULL: the camera does
  bool keepsPicture = false;                  // retire gets its pixels
  bool keepsBucketCounts = false;             // and the counts of each bucket; every scene's plan writes them
  bool showsGhosts = false;                   // of what was dropped
  bool showsInset = false;                    // the scene from above
  std::optional<uint32_t> pyramidLevel = {};  // shows this level of the pyramid that the frame is tested against
  OcclusionMode occlusion = OcclusionMode::Off;
  // Each repetition has what occlusion left out. WithoutCones also has what cones left out, and AsWhole has everything
  // that there is, drawn as whole meshes.
  Repetition repetition = Repetition::None;
  std::optional<glm::uvec2> pick = {};  // the report names the instance at this pixel of the picture
};

struct FrameSemaphores {
  std::vector<hosting::SemaphorePoint> waits, signals;
};

// For a frame the calls come in this order. Frames are retired before a later frame's begin, or after the last.
class Presenter {
 public:
  virtual ~Presenter() = default;

  // Returns what the frame shows, or nothing to end the run. No frame in flight has this slot, which is below
  // kFramesInFlight.
  virtual std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) = 0;
  // Returns what the frame's submission waits for and signals.
  virtual FrameSemaphores semaphores() const { return {}; }
  // Comes after the renderer has finished the picture.
  virtual void record(VkCommandBuffer) {}
  // Comes after the submission.
  virtual void present() {}
  // picture has the renderer's size, as RGBA in dense rows. It is NULL unless the frame keeps it.
  virtual void retire(const FrameReport& report, const std::byte* picture) = 0;
};

}  // namespace demo
