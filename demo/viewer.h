// Shows the scene in a window: turns its events into cameras and switches.
#pragma once

#include <chrono>

#include "camera_control.h"
#include "frozen_camera.h"
#include "options.h"
#include "overlay.h"
#include "presenter.h"
#include "renderer.h"
#include "report.h"
#include "scene.h"
#include "swapchain.h"
#include "window.h"

namespace demo {

class Viewer final : public Presenter {
 public:
  // Changes the options as its switches are used.
  Viewer(const Device& device, Window& window, Swapchain& swapchain, Options& options, const RunReport& report);

  // Before a run: makes the swapchain fit the window, and waits while that is minimised. False: the window was closed.
  bool prepare();
  // What the run shows.
  void enter(const Scene& scene, const Renderer& renderer);

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  FrameSemaphores semaphores() const override { return swapchain_.semaphores(); }
  void record(VkCommandBuffer commands) override;
  void present() override { swapchain_.present(); }
  void retire(const FrameReport& report, const std::byte* picture) override;

  // Of the last seconds.
  std::vector<FrameReport> reports() const;

 private:
  using Clock = std::chrono::steady_clock;

  void handleKeys();
  void updateOverlay();
  // The swapchain and the scene are as the window and the options want them.
  bool isCurrent() const;
  void moveCamera(float seconds);
  // Says so when not.
  bool canFreeze() const;
  void toggleFrozen();
  // The pixel under the pointer when it was clicked there, and not dragged.
  std::optional<glm::uvec2> clickedPixel();
  void say(const std::string& text) const;

  const Device& device_;
  const RunReport& report_;
  Window& window_;
  Swapchain& swapchain_;
  Options& options_;
  const Scene* scene_ = nullptr;
  const Renderer* renderer_ = nullptr;
  VkExtent2D framebuffer_ = {};  // that the swapchain was made for
  bool isVsync_ = false;         // that the swapchain was made with
  std::optional<Clock::time_point> lastFrame_;
  float time_;
  std::optional<CameraControl> camera_;
  std::optional<FrozenCamera> frozen_;
  Overlay overlay_;
  std::optional<Pick> picked_;  // the last click's
  bool picturePressed_ = false;
  bool isFinished_ = false;
  uint32_t slot_ = 0;
  SluOrder order_ = SLU_ORDER_UNORDERED;  // of the run
  uint32_t instanceCount_ = 0;            // of the run
  std::deque<FrameSample> samples_;
};

}  // namespace demo
