#include "viewer.h"

#include <algorithm>
#include <cstdio>

#include "failure.h"
#include "headless.h"
#include "picture.h"

namespace demo {
namespace {

// The window opens on what a single headless frame shows.
constexpr float kFirstPlace = 0.5f;
// What passes at most between two frames, so that nothing jumps after a pause.
constexpr float kMaxStepSeconds = 0.1f;

bool operator==(VkExtent2D a, VkExtent2D b) { return a.width == b.width && a.height == b.height; }

}  // namespace

Viewer::Viewer(Window& window, Swapchain& swapchain, Options& options)
    : window_(window), swapchain_(swapchain), options_(options), time_(timeOnPath(kFirstPlace)) {}

bool Viewer::prepare() {
  while (!isFinished_) {
    const VkExtent2D framebuffer = window_.framebufferExtent();
    const bool fits = framebuffer == framebuffer_ && isVsync_ == options_.vsync && !swapchain_.isStale();
    if (framebuffer.width && (fits || swapchain_.create(framebuffer, options_.vsync))) {
      framebuffer_ = framebuffer;
      isVsync_ = options_.vsync;
      return true;
    }
    if (window_.wantsToClose()) return false;
    window_.waitEvents();
  }
  return false;
}

void Viewer::enter(const Scene& scene, const Renderer& renderer) {
  scene_ = &scene;
  renderer_ = &renderer;
}

std::optional<FrameRequest> Viewer::begin(uint32_t frame, uint32_t slot) {
  if (isFinished_) return std::nullopt;
  window_.pollEvents();
  handleKeys();
  const bool isClosing = window_.wantsToClose();
  const bool isLast = isClosing || (options_.frameCount && frame + 1 >= options_.frameCount);
  if (isClosing && !options_.finalPicture) {
    isFinished_ = true;
    return std::nullopt;
  }
  const bool fits = window_.framebufferExtent() == framebuffer_ && isVsync_ == options_.vsync;
  if (!fits || swapchain_.isStale() || !swapchain_.acquire(slot)) return std::nullopt;

  const Clock::time_point now = Clock::now();
  const float seconds = std::chrono::duration<float>(now - lastFrame_.value_or(now)).count();
  lastFrame_ = now;
  time_ += std::min(seconds, kMaxStepSeconds);
  isFinished_ = isLast;
  FrameRequest request = {scene_->camera(kFirstPlace), time_};
  request.keepsPicture = picturePressed_ || (isLast && options_.finalPicture);
  picturePressed_ = false;
  return request;
}

void Viewer::handleKeys() {
  for (const int key : window_.pressedKeys()) {
    switch (key) {
      case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
        break;
      case GLFW_KEY_F11:
        window_.toggleFullScreen();
        break;
      case GLFW_KEY_V:
        options_.vsync = !options_.vsync;
        say(options_.vsync ? "vsync on" : "vsync off");
        break;
      case GLFW_KEY_P:
        picturePressed_ = !options_.out.empty();
        break;
      default:
        break;
    }
  }
}

void Viewer::record(VkCommandBuffer commands) { swapchain_.recordCopy(commands, renderer_->picture()); }

void Viewer::retire(const FrameReport& report, const std::byte* picture) {
  reports_.push_back(report);
  if (!picture) return;
  const std::filesystem::path file = picturePath(options_.out, report.index);
  preparePictureFolder(options_.out);
  writePicture(file, renderer_->extent().width, renderer_->extent().height, picture);
  say("picture " + file.string());
}

void Viewer::say(const std::string& text) const {
  if (options_.quiet) return;
  std::printf("window    %s\n", text.c_str());
  std::fflush(stdout);
}

}  // namespace demo
