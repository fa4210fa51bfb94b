// Shows the scene in a window: turns its events into cameras and switches.
#pragma once

#include <chrono>

#include "frame/frozen_camera.h"
#include "frame/presenter.h"
#include "frame/scene.h"
#include "options/live_choices.h"
#include "render/renderer.h"
#include "report/report.h"
#include "viewer/camera_control.h"
#include "viewer/overlay/overlay.h"
#include "viewer/overlay/run_facts.h"
#include "viewer/path_recorder.h"
#include "viewer/shader_watch.h"
#include "viewer/swapchain.h"
#include "viewer/window.h"

namespace demo {

class Viewer final : public Presenter {
 public:
  // The viewer changes the options when its switches are used.
  Viewer(const Device& device, Window& window, Swapchain& swapchain, Options& options, const RunReport& report,
         std::vector<SluRouteInfo> routes);

  // Comes before a run: makes the swapchain fit the window, and waits while the window is minimised. Returns false when
  // the window was closed.
  bool prepare();
  // Returns whether shaders changed since the last call. Then all pipelines must be created again; the viewer has done
  // so with its own.
  bool takeShaderChange();
  // Prints what could not be created, and shows it in the overlay for a while.
  void showProblem(const std::string& problem);
  // Comes before each run: says what it shows.
  void enter(const Scene& scene, const Renderer& renderer, const Compaction& compaction);

  std::optional<FrameRequest> begin(uint32_t frame, uint32_t slot) override;
  FrameSemaphores semaphores() const override { return swapchain_.semaphores(); }
  void record(VkCommandBuffer commands) override;
  void present() override { swapchain_.present(); }
  void retire(const FrameReport& report, const std::byte* picture) override;

  // Returns the reports of the last seconds.
  std::vector<FrameReport> reports() const;

 private:
  using Clock = std::chrono::steady_clock;

  void handleKeys(uint32_t frame);
  void handleKey(int key, uint32_t frame);
  // A model that was dropped on the window is shown as the asteroids.
  void takeDroppedModel();
  void updateOverlay();
  void fitOverlay();
  // Returns whether swapchain and scene still fit the window and the options.
  bool isCurrent() const;
  void moveCamera(float seconds);
  void updateShaders();
  // Prints a line when the scene cannot be frozen.
  bool canFreeze() const;
  void toggleFrozen();
  // Returns the pixel that was clicked without dragging.
  std::optional<glm::uvec2> clickedPixel();
  void togglePaused();
  // Returns whether pictures and paths can be written. If not, shows what happens instead, and why.
  bool hasFolder(const char* otherwise);
  void toggleRecording(uint32_t frame);
  void endRecording();
  // Moves the camera along the recorded path, until its end.
  void replay(uint32_t frame);
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
  std::optional<PathRecorder> recorder_;
  bool isReplaying_;
  ShaderWatch shaders_;
  bool shadersChanged_ = false;
  Overlay overlay_;
  float overlayScale_ = 0.0f;  // that was said
  std::string problem_;
  double problemSeconds_ = 0.0;  // when it came up
  bool isPaused_ = false;        // the scene stands still, the camera does not
  std::optional<Pick> picked_;   // the last click's
  bool picturePressed_ = false;
  bool isFinished_ = false;
  uint32_t slot_ = 0;
  std::vector<SluRouteInfo> routes_;
  std::optional<LiveChoices> choices_;  // of the run
  RunFacts facts_ = {};                 // of the run
  bool isFirstOfRun_ = false;
  std::deque<FrameSample> samples_;
};

}  // namespace demo
