#include "viewer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "failure.h"
#include "gamepad.h"
#include "headless.h"
#include "picture.h"
#include "plan_keys.h"

namespace demo {
namespace {

// The window opens on what a single headless frame shows.
constexpr float kFirstPlace = 0.5f;
// What passes at most between two frames, so that nothing jumps after a pause.
constexpr float kMaxStepSeconds = 0.1f;
constexpr double kHistorySeconds = 5.0;
constexpr size_t kMaxSamples = 1000;        // keeps the plots cheap at thousands of frames per second
constexpr float kRadiansPerUnit = 0.0035f;  // of the mouse, in screen coordinates

constexpr double kProblemSeconds = 12.0;

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool operator==(VkExtent2D a, VkExtent2D b) { return a.width == b.width && a.height == b.height; }

}  // namespace

Viewer::Viewer(const Device& device, Window& window, Swapchain& swapchain, Options& options, const RunReport& report,
               std::vector<SluRouteInfo> routes)
    : device_(device),
      report_(report),
      window_(window),
      swapchain_(swapchain),
      options_(options),
      time_(timeOnPath(kFirstPlace)),
      overlay_(device, window),
      routes_(std::move(routes)) {}

bool Viewer::prepare() {
  while (!isFinished_) {
    const VkExtent2D framebuffer = window_.framebufferExtent();
    const bool fits = framebuffer == framebuffer_ && isVsync_ == options_.vsync && !swapchain_.isStale();
    if (framebuffer.width && (fits || swapchain_.create(framebuffer, options_.vsync))) {
      if (framebuffer_.width && isVsync_ != options_.vsync)
        say(sentence("present mode ", swapchain_.presentModeName()));
      framebuffer_ = framebuffer;
      isVsync_ = options_.vsync;
      return true;
    }
    if (window_.wantsToClose()) return false;
    window_.waitEvents();
  }
  return false;
}

void Viewer::enter(const Scene& scene, const Renderer& renderer, const Compaction& compaction) {
  scene_ = &scene;
  renderer_ = &renderer;
  const float scaleBefore = overlayScale_;
  overlay_.setTarget(renderer);
  overlayScale_ = overlay_.pixelsPerUnit();
  if (overlayScale_ != scaleBefore) say(sentence("overlay at ", overlayScale_, " pixels per unit"));
  if (!camera_) camera_.emplace(scene.camera(kFirstPlace), options_.speed);
  if (!lines_) lines_.emplace(device_, renderer);
  choices_ = liveChoices(options_);
  facts_ = runFacts(scene, compaction, renderer);
  isFirstOfRun_ = true;
}

std::optional<FrameRequest> Viewer::begin(uint32_t frame, uint32_t slot) {
  if (isFinished_) return std::nullopt;
  window_.pollEvents();
  handleKeys();
  if (options_.overlay) updateOverlay();
  const bool isClosing = window_.wantsToClose();
  const bool isLast = isClosing || (options_.frameCount && frame + 1 >= options_.frameCount);
  if (isClosing && !options_.finalPicture) {
    isFinished_ = true;
    return std::nullopt;
  }
  if (!isCurrent() || !swapchain_.acquire(slot)) return std::nullopt;

  slot_ = slot;
  const Clock::time_point now = Clock::now();
  const float elapsed = std::chrono::duration<float>(now - lastFrame_.value_or(now)).count();
  const float seconds = std::min(elapsed, kMaxStepSeconds);
  lastFrame_ = now;
  time_ += seconds;
  moveCamera(seconds);
  isFinished_ = isLast;
  FrameRequest request = {camera_->camera(), time_, frozen_ ? &frozen_->view : nullptr};
  request.keepsPicture = picturePressed_ || (isLast && options_.finalPicture);
  request.keepsBucketCounts = options_.overlay;
  picturePressed_ = false;
  return request;
}

bool Viewer::isCurrent() const {
  return window_.framebufferExtent() == framebuffer_ && isVsync_ == options_.vsync && !swapchain_.isStale() &&
         choices_ == liveChoices(options_) && overlay_.fitsWindow();
}

void Viewer::updateOverlay() {
  const OverlayFacts facts = {.device = report_.device.c_str(),
                              .problem = secondsNow() - problemSeconds_ < kProblemSeconds ? problem_.c_str() : "",
                              .run = facts_,
                              .routes = routes_,
                              .presentMode = swapchain_.presentModeName(),
                              .camera = camera_->modeName(),
                              .speed = camera_->speed(),
                              .samples = samples_};
  bool isFrozen = frozen_.has_value();
  overlay_.update(facts, options_, isFrozen);
  if (isFrozen != frozen_.has_value()) toggleFrozen();
}

void Viewer::handleKeys() {
  if (options_.overlay && overlay_.takesKeys()) return;
  for (const int key : window_.pressedKeys()) {
    if (const std::optional<std::string> change = pressPlanKey(key, facts_, routes_, options_))
      say(*change);
    else
      handleKey(key);
  }
}

void Viewer::handleKey(int key) {
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
      break;
    case GLFW_KEY_O:
      options_.order = options_.order == SLU_ORDER_STABLE ? SLU_ORDER_UNORDERED : SLU_ORDER_STABLE;
      break;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
      options_.instanceCount = std::min(2 * options_.instanceCount, kMaxInstances);
      break;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
      options_.instanceCount = std::max(options_.instanceCount / 2, 1u);
      break;
    case GLFW_KEY_H:
      options_.overlay = !options_.overlay;
      break;
    case GLFW_KEY_P:
      picturePressed_ = !options_.out.empty();
      break;
    default:
      break;
  }
}

void Viewer::moveCamera(float seconds) {
  const auto axis = [&](int positive, int negative) {
    return static_cast<float>(window_.isDown(positive)) - static_cast<float>(window_.isDown(negative));
  };
  CameraInput input;
  const bool overOverlay = options_.overlay && overlay_.takesMouse();
  const bool looks = window_.isMouseDown() && !overOverlay;
  window_.capturePointer(looks);
  if (looks)
    input.turn =
        kRadiansPerUnit * glm::vec2(static_cast<float>(window_.movedX()), -static_cast<float>(window_.movedY()));
  input.move = {axis(GLFW_KEY_D, GLFW_KEY_A), axis(GLFW_KEY_E, GLFW_KEY_Q), axis(GLFW_KEY_W, GLFW_KEY_S)};
  if (!overOverlay) input.wheelSteps = static_cast<float>(window_.wheelSteps());
  input.seconds = seconds;
  if (const std::optional<GLFWgamepadstate> gamepad = readGamepad()) addGamepad(*gamepad, input);
  camera_->update(input);
  options_.speed = camera_->speed();
}

void Viewer::toggleFrozen() {
  if (!frozen_ && !facts_.isViewDependent) {
    say("nothing to freeze: this scene is not culled");
    return;
  }
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

void Viewer::record(VkCommandBuffer commands) {
  if (options_.overlay) overlay_.record(commands, slot_);
  swapchain_.recordCopy(commands, renderer_->picture());
}

void Viewer::retire(const FrameReport& report, const std::byte* picture) {
  const double seconds = secondsNow();
  const double sinceLast = samples_.empty() ? 0.0 : seconds - samples_.back().seconds;
  // Those of the latest frame are enough.
  if (!samples_.empty()) samples_.back().report.bucketCounts.clear();
  samples_.push_back({seconds, 1e6 * sinceLast, report});
  while (seconds - samples_.front().seconds > kHistorySeconds || samples_.size() > kMaxSamples) samples_.pop_front();
  if (std::exchange(isFirstOfRun_, false)) sayCounts(report.statistics);
  if (!picture) return;
  const std::filesystem::path file = picturePath(options_.out, report.index);
  preparePictureFolder(options_.out);
  writePicture(file, renderer_->extent().width, renderer_->extent().height, picture);
  say("picture " + file.string());
}

std::vector<FrameReport> Viewer::reports() const {
  std::vector<FrameReport> reports;
  for (const FrameSample& sample : samples_) reports.push_back(sample.report);
  return reports;
}

// The first of a run, so that a switch is seen to work in the terminal too.
void Viewer::sayCounts(const SluStatistics& counts) const {
  const uint32_t surplus = counts.demandedCount - counts.keptCount;
  say(sentence("kept ", counts.keptCount, " of ", counts.inputCount, ", no room for ", surplus));
}

void Viewer::showProblem(const std::string& problem) {
  problem_ = problem;
  problemSeconds_ = secondsNow();
  std::fprintf(stderr, "sluice-demo: %s\n", problem.c_str());
}

void Viewer::say(const std::string& text) const {
  if (options_.quiet) return;
  std::printf("window    %s\n", text.c_str());
  std::fflush(stdout);
}

}  // namespace demo
