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
constexpr float kRadiansPerUnit = 0.0035f;  // of the mouse, in screen coordinates

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

void Viewer::enter(const Device& device, const Scene& scene, const Renderer& renderer) {
  scene_ = &scene;
  renderer_ = &renderer;
  if (!camera_) camera_.emplace(scene.camera(kFirstPlace));
  if (!lines_) lines_.emplace(device, renderer);
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
  const float elapsed = std::chrono::duration<float>(now - lastFrame_.value_or(now)).count();
  const float seconds = std::min(elapsed, kMaxStepSeconds);
  lastFrame_ = now;
  time_ += seconds;
  moveCamera(seconds);
  isFinished_ = isLast;
  FrameRequest request = {camera_->camera(), time_, frozen_ ? &frozen_->view : nullptr};
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
      case GLFW_KEY_C:
        camera_->switchMode();
        say(sentence("camera ", camera_->modeName()));
        break;
      case GLFW_KEY_F:
        toggleFrozen();
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

void Viewer::moveCamera(float seconds) {
  const auto axis = [&](int positive, int negative) {
    return static_cast<float>(window_.isDown(positive)) - static_cast<float>(window_.isDown(negative));
  };
  CameraInput input;
  window_.capturePointer(window_.isMouseDown());
  if (window_.isMouseDown())
    input.turn =
        kRadiansPerUnit * glm::vec2(static_cast<float>(window_.movedX()), -static_cast<float>(window_.movedY()));
  input.move = {axis(GLFW_KEY_D, GLFW_KEY_A), axis(GLFW_KEY_E, GLFW_KEY_Q), axis(GLFW_KEY_W, GLFW_KEY_S)};
  input.wheelSteps = static_cast<float>(window_.wheelSteps());
  input.seconds = seconds;
  camera_->update(input);
}

void Viewer::toggleFrozen() {
  if (frozen_) {
    frozen_.reset();
  } else {
    const Camera camera = camera_->camera();
    const VkExtent2D extent = renderer_->extent();
    const FrameConstants constants = frameConstants(camera, extent.width, extent.height, time_);
    frozen_ = {constants, scene_->view(camera, constants)};
  }
  say(frozen_ ? "culling frozen" : "culling follows the camera");
}

void Viewer::drawInScene(VkCommandBuffer commands, VkDeviceAddress frameConstants) {
  if (frozen_) lines_->draw(commands, frameConstants, frozen_->constants);
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
