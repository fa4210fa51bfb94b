// Shows the scene in a window: turns its events into cameras and switches.
#pragma once

#include <chrono>

#include "camera_control.h"
#include "frustum_lines.h"
#include "options.h"
#include "presenter.h"
#include "renderer.h"
#include "scene.h"
#include "swapchain.h"
#include "window.h"

namespace demo {

class Viewer final : public Presenter {
 public:
  // Changes the options as its switches are used.
  Viewer(Window& window, Swapchain& swapchain, Options& options);

  // Before a run: makes the swapchain fit the window, and waits while that is minimised. False: the window was closed.
  bool prepare();
  // What the run shows.
  void enter(const Device& device, const Scene& scene, const Renderer& renderer);

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  FrameSemaphores semaphores() const override { return swapchain_.semaphores(); }
  void drawInScene(VkCommandBuffer commands, VkDeviceAddress frameConstants) override;
  void record(VkCommandBuffer commands) override;
  void present() override { swapchain_.present(); }
  void retire(const FrameReport& report, const std::byte* picture) override;

  const std::vector<FrameReport>& reports() const { return reports_; }

 private:
  using Clock = std::chrono::steady_clock;

  // A camera whose frustum decides what is drawn, whatever camera it is drawn from.
  struct FrozenCamera {
    FrameConstants constants;
    SluView view;
  };

  void handleKeys();
  void moveCamera(float seconds);
  void toggleFrozen();
  void say(const std::string& text) const;

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
  std::optional<FrustumLines> lines_;
  bool picturePressed_ = false;
  bool isFinished_ = false;
  std::vector<FrameReport> reports_;
};

}  // namespace demo
