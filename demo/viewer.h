// Shows the scene in a window: turns its events into cameras and switches.
#pragma once

#include <chrono>

#include "camera_control.h"
#include "frustum_lines.h"
#include "live_choices.h"
#include "overlay.h"
#include "presenter.h"
#include "renderer.h"
#include "report.h"
#include "run_facts.h"
#include "scene.h"
#include "swapchain.h"
#include "window.h"

namespace demo {

class Viewer final : public Presenter {
 public:
  // Changes the options as its switches are used.
  Viewer(const Device& device, Window& window, Swapchain& swapchain, Options& options, const RunReport& report,
         std::vector<SluRouteInfo> routes);

  // Before a run: makes the swapchain fit the window, and waits while that is minimised. False: the window was closed.
  bool prepare();
  // What the run shows.
  void enter(const Scene& scene, const Renderer& renderer, const Compaction& compaction);
  // Something that the options asked for could not be had.
  void showProblem(const std::string& problem);

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  FrameSemaphores semaphores() const override { return swapchain_.semaphores(); }
  void drawInScene(VkCommandBuffer commands, VkDeviceAddress frameConstants) override;
  void record(VkCommandBuffer commands) override;
  void present() override { swapchain_.present(); }
  void retire(const FrameReport& report, const std::byte* picture) override;

  // Of the last seconds.
  std::vector<FrameReport> reports() const;

 private:
  using Clock = std::chrono::steady_clock;

  // A camera whose frustum decides what is drawn, whatever camera it is drawn from.
  struct FrozenCamera {
    FrameConstants constants;
    SluView view;
  };

  void handleKeys();
  void handleKey(int key);
  void updateOverlay();
  // The swapchain and the scene are as the window and the options want them.
  bool isCurrent() const;
  void moveCamera(float seconds);
  void toggleFrozen();
  void sayCounts(const SluStatistics& counts) const;
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
  std::optional<FrustumLines> lines_;
  Overlay overlay_;
  float overlayScale_ = 0.0f;  // that was said
  bool picturePressed_ = false;
  bool isFinished_ = false;
  uint32_t slot_ = 0;
  std::vector<SluRouteInfo> routes_;
  LiveChoices choices_ = {};  // of the run
  RunFacts facts_ = {};       // of the run
  bool isFirstOfRun_ = false;
  std::string problem_;
  double problemSeconds_ = 0.0;  // when it came up
  std::deque<FrameSample> samples_;
};

}  // namespace demo
