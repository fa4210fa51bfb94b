#include "viewer/viewer.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/failure.h"
#include "options/replay.h"
#include "render/picture.h"
#include "viewer/gamepad.h"
#include "viewer/option_keys.h"

namespace demo {
namespace {

// The window opens with the view of a single headless frame.
constexpr float kFirstPlace = 0.5f;
// No more time than this passes between two frames, so that nothing jumps after a pause.
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
      time_(options.recordedPath ? options.recordedPath->frames.front().time : timeOnPath(kFirstPlace)),
      isReplaying_(options.recordedPath.has_value()),
      shaders_(options.shaders),
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
    if (window_.wantsToClose()) {
      endRecording();
      return false;
    }
    window_.waitEvents();
  }
  return false;
}

void Viewer::updateShaders() {
  if (!shaders_.update()) return;
  if (!shaders_.error().empty()) {
    std::fprintf(stderr, "sluice-demo: the shaders stay as they were:\n%s\n", shaders_.error().c_str());
  } else if (!shaders_.replaced().empty()) {
    shadersChanged_ = true;
    say("shaders replaced: " + shaders_.replaced());
  }
}

bool Viewer::takeShaderChange() {
  if (!shadersChanged_) return false;
  shadersChanged_ = false;
  overlay_.remakePipelines();
  return true;
}

void Viewer::enter(const Scene& scene, const Renderer& renderer, const Compaction& compaction) {
  scene_ = &scene;
  renderer_ = &renderer;
  facts_ = runFacts(scene, compaction, renderer, device_.isCpu());
  const LiveChoices choices = liveChoices(options_);
  if (recorder_ && !recorder_->fits(options_)) endRecording();
  if (!choices_ || choices_->scene.scene != choices.scene.scene) {
    if (choices_) isReplaying_ = false;
    camera_.emplace(scene.camera(kFirstPlace), options_.speed);
    frozen_.reset();
    samples_.clear();
    glfwSetWindowTitle(window_.get(), sentence("Sluice: ", sceneName(options_.scene)).c_str());
  }
  if (!choices_ && options_.frozenPlace && canFreeze())
    frozen_ = freeze(scene, scene.camera(*options_.frozenPlace), renderer.extent(), time_);
  if (choices_ != choices) picked_.reset();
  if (!facts_.isViewDependent) frozen_.reset();
  choices_ = choices;
  fitOverlay();
  isFirstOfRun_ = true;
}

void Viewer::fitOverlay() {
  overlay_.setTarget(*renderer_);
  const float scale = overlay_.pixelsPerUnit();
  if (std::exchange(overlayScale_, scale) != scale) say(sentence("overlay at ", scale, " pixels per unit"));
}

std::optional<FrameRequest> Viewer::begin(uint32_t frame, uint32_t slot) {
  if (isFinished_) return std::nullopt;
  window_.pollEvents();
  updateShaders();
  handleKeys(frame);
  takeDroppedModel();
  if (options_.overlay) updateOverlay();
  const bool isClosing = window_.wantsToClose();
  const bool isLast = isClosing || (options_.frameCount && frame + 1 >= options_.frameCount);
  if (isClosing && !options_.finalPicture) {
    endRecording();
    isFinished_ = true;
    return std::nullopt;
  }
  if (!isCurrent() || !swapchain_.acquire(slot)) return std::nullopt;

  slot_ = slot;
  const Clock::time_point now = Clock::now();
  const float elapsed = std::chrono::duration<float>(now - lastFrame_.value_or(now)).count();
  const float seconds = std::min(elapsed, kMaxStepSeconds);
  lastFrame_ = now;
  if (!isPaused_) time_ += seconds;
  moveCamera(seconds);
  if (isReplaying_) replay(frame);
  if (recorder_) recorder_->add(time_, camera_->camera(), frozen_ ? &frozen_->camera : nullptr);
  isFinished_ = isLast;
  if (isLast) endRecording();
  FrameRequest request = {camera_->camera(), time_, frozen_ ? &*frozen_ : nullptr};
  request.showsGhosts = options_.ghosts;
  request.showsInset = options_.inset;
  request.pyramidLevel = options_.pyramidLevel;
  request.occlusion = options_.plan.occlusion;
  request.pick = clickedPixel();
  request.keepsPicture = picturePressed_ || (isLast && options_.finalPicture);
  request.keepsBucketCounts = options_.overlay;
  picturePressed_ = false;
  return request;
}

bool Viewer::isCurrent() const {
  return !shadersChanged_ && window_.framebufferExtent() == framebuffer_ && isVsync_ == options_.vsync &&
         !swapchain_.isStale() && choices_ == liveChoices(options_) && overlay_.fitsWindow();
}

void Viewer::takeDroppedModel() {
  if (window_.droppedFiles().empty()) return;
  options_.model = window_.droppedFiles().front();
  chooseScene(options_, SceneKind::Asteroids, device_.isCpu());
}

void Viewer::updateOverlay() {
  const OverlayFacts facts = {.device = report_.device.c_str(),
                              .problem = secondsNow() - problemSeconds_ < kProblemSeconds ? problem_.c_str() : "",
                              .run = facts_,
                              .routes = routes_,
                              .presentMode = swapchain_.presentModeName(),
                              .camera = camera_->modeName(),
                              .speed = camera_->speed(),
                              .picked = picked_,
                              .shaderError = shaders_.error().c_str(),
                              .samples = samples_};
  bool isFrozen = frozen_.has_value();
  overlay_.update(facts, options_, isFrozen);
  if (isFrozen != frozen_.has_value()) toggleFrozen();
}

void Viewer::handleKeys(uint32_t frame) {
  if (options_.overlay && overlay_.takesKeys()) return;
  for (const int key : window_.pressedKeys()) {
    const std::optional<std::string> change = pressOptionKey(key, facts_, routes_, options_);
    if (!change)
      handleKey(key, frame);
    else if (!change->empty())
      say(*change);
  }
}

void Viewer::handleKey(int key, uint32_t frame) {
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
    case GLFW_KEY_SPACE:
      togglePaused();
      break;
    case GLFW_KEY_P:
      picturePressed_ = hasFolder("no picture is written");
      break;
    case GLFW_KEY_R:
      toggleRecording(frame);
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

bool Viewer::canFreeze() const {
  if (!facts_.isViewDependent) say("nothing to freeze: this scene is not culled");
  return facts_.isViewDependent;
}

void Viewer::toggleFrozen() {
  if (!frozen_ && !canFreeze()) return;
  if (frozen_) {
    frozen_.reset();
  } else {
    frozen_ = freeze(*scene_, camera_->camera(), renderer_->extent(), time_);
  }
  say(frozen_ ? "culling frozen" : "culling follows the camera");
}

std::optional<glm::uvec2> Viewer::clickedPixel() {
  const std::optional<glm::dvec2> clicked = window_.clicked();
  if (!clicked || (options_.overlay && overlay_.takesMouse())) return std::nullopt;
  if (!scene_->canPick()) {
    say("nothing to pick: this scene keeps no index of its records");
    return std::nullopt;
  }
  if (options_.plan.occlusion == OcclusionMode::Two) {
    say("nothing is picked while occlusion has two phases");
    return std::nullopt;
  }
  const glm::dvec2 pixel = *clicked * double{window_.pixelDensity()};
  return pixel.x < 0.0 || pixel.y < 0.0 ? std::nullopt : std::optional(glm::uvec2(pixel));
}

// A recorded path covers a span of the scene's time, so the time must go on.
void Viewer::togglePaused() {
  if (recorder_) return say("the scene goes on while the path is recorded");
  isPaused_ = !isPaused_;
  say(isPaused_ ? "the scene stands still" : "the scene goes on");
}

bool Viewer::hasFolder(const char* otherwise) {
  if (options_.out.empty()) showProblem(sentence(otherwise, ": the window was opened with --no-out; open it without"));
  return !options_.out.empty();
}

void Viewer::toggleRecording(uint32_t frame) {
  if (recorder_) return endRecording();
  if (!hasFolder("nothing is recorded")) return;
  if (isPaused_) return say("nothing is recorded: the scene stands still");
  recorder_.emplace(options_, renderer_->extent().width, renderer_->extent().height, frame);
  say("recording");
}

void Viewer::endRecording() {
  if (recorder_ && !recorder_->isEmpty()) say("path " + recorder_->write(options_.out).string());
  recorder_.reset();
}

// Follows the clock, or takes a frame of the path for each frame when their number is given.
void Viewer::replay(uint32_t frame) {
  const CameraPath& path = *options_.recordedPath;
  const PathFrame shown =
      options_.frameCount ? path.frames[std::min<size_t>(frame, path.frames.size() - 1)] : path.at(time_);
  time_ = shown.time;
  camera_.emplace(cameraOf(shown.camera, *scene_), options_.speed);
  frozen_ = frozenCamera(shown, *scene_, renderer_->extent());
  if (time_ < path.frames.back().time) return;
  isReplaying_ = false;
  say("the path ends here");
}

void Viewer::record(VkCommandBuffer commands) {
  if (options_.overlay) overlay_.record(commands, slot_);
  swapchain_.recordCopy(commands, renderer_->picture());
}

void Viewer::retire(const FrameReport& report, const std::byte* picture) {
  const double seconds = secondsNow();
  const double sinceLast = samples_.empty() ? 0.0 : seconds - samples_.back().seconds;
  // The bucket counts of the latest frame are enough.
  if (!samples_.empty()) samples_.back().report.bucketCounts.clear();
  samples_.push_back({seconds, 1e6 * sinceLast, report});
  if (report.pick) {
    picked_ = report.pick;
    say("picked " + describe(*picked_));
  }
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

// Prints the counts of a run's first frame, so that the terminal shows the effect of a switch.
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
