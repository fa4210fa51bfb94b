#include "app/window_run.h"

#include <cstdio>
#include <new>
#include <optional>

#include "app/create.h"
#include "app/settings.h"
#include "frame/context.h"
#include "frame/frame_loop.h"
#include "inspect/inspection.h"
#include "options/live_choices.h"
#include "render/picture.h"
#include "viewer/viewer.h"

namespace demo {
namespace {

void keepSettings(const Window& window, Options& options) {
  if (!options.keepsSettings) return;
  const VkExtent2D extent = window.windowedExtent();
  if (extent.width && extent.height) {
    options.width = extent.width;
    options.height = extent.height;
  }
  const std::string problem = writeSettings(settingsFile(), options);
  if (!problem.empty()) std::fprintf(stderr, "sluice-demo: %s\n", problem.c_str());
}

// Holds what the window shows.
struct Shown {
  std::optional<Renderer> renderer;
  std::unique_ptr<Scene> scene;
  std::unique_ptr<Compaction> compaction;
  std::optional<LiveChoices> choices;      // that scene and compaction were made by
  std::optional<LiveChoices> lastChoices;  // that something could be made by

  // The scene and the renderer must outlive what uses their memory.
  void drop() {
    choices.reset();
    compaction.reset();
    scene.reset();
    renderer.reset();
  }
};

// Creates again what no longer fits the options or the window.
void make(Session& session, VkExtent2D extent, Shown& shown) {
  if (!shown.renderer || shown.renderer->extent().width != extent.width ||
      shown.renderer->extent().height != extent.height)
    shown.renderer.emplace(session.device, extent);
  const LiveChoices choices = liveChoices(session.options);
  if (shown.choices == choices) return;
  const bool keepsScene = shown.choices && shown.choices->scene == choices.scene;
  shown.choices.reset();
  shown.compaction.reset();
  if (!keepsScene) {
    shown.scene.reset();
    session.chooseRoute();
    shown.scene = createScene(session.device, *shown.renderer, session.route, session.options);
  }
  shown.compaction = createCompaction(session.device, session.context, session.route, *shown.scene, session.options);
  shown.choices = choices;
  session.describe(*shown.scene, *shown.compaction);
}

// Does the same. If that fails, shows why, sets the options back to the last ones that worked, and returns false.
bool makeOrGoBack(Session& session, VkExtent2D extent, Shown& shown, Viewer& viewer) {
  const bool canGoBack = shown.lastChoices && *shown.lastChoices != liveChoices(session.options);
  const auto goBack = [&](const char* problem) {
    viewer.showProblem(problem);
    restore(session.options, *shown.lastChoices);
    return false;
  };
  try {
    make(session, extent, shown);
    shown.lastChoices = shown.choices;
    return true;
  } catch (const Failure& failure) {
    if (!canGoBack) throw;
    return goBack(failure.what());
  } catch (const std::bad_alloc&) {
    if (!canGoBack) throw;
    return goBack("out of host memory");
  }
}

// A run ends when a change of the window or a switch needs new objects. The next run has them.
ExitCode runWindow(Session& session, Window& window, VkSurfaceKHR surface) {
  Options& options = session.options;
  if (options.finalPicture) preparePictureFolder(options.out);
  Swapchain swapchain(session.device, surface);
  Viewer viewer(session.device, window, swapchain, options, session.report,
                listRoutes(session.device, session.context));
  Shown shown;
  uint64_t frames = 0;
  while (viewer.prepare()) {
    if (viewer.takeShaderChange()) shown.drop();
    if (!makeOrGoBack(session, swapchain.extent(), shown, viewer)) continue;
    viewer.enter(*shown.scene, *shown.renderer, *shown.compaction);
    const std::unique_ptr<Occlusion> occlusion =
        createOcclusion(session.device, session.context, *shown.compaction, *shown.renderer);
    Inspection inspection(session.device, *shown.renderer, *shown.scene, *shown.compaction, occlusion.get(),
                          options.verify);
    FrameLoop loop(
        {session.device, *shown.renderer, *shown.scene, *shown.compaction, inspection, occlusion.get(), frames});
    frames = loop.run(viewer);
  }
  keepSettings(window, options);
  if (!options.quiet) printWindowSummary(frames, viewer.reports());
  return ExitCode::Good;
}

class OpenWindow final : public WindowRun {
 public:
  explicit OpenWindow(const Options& options)
      : window_(options.width, options.height, std::string("Sluice: ") + sceneName(options.scene)) {}

  std::vector<const char*> instanceExtensions() const override { return window_.instanceExtensions(); }
  VkSurfaceKHR createSurface(const Instance& instance) const override { return window_.createSurface(instance); }
  ExitCode run(Session& session, VkSurfaceKHR surface) override { return runWindow(session, window_, surface); }

 private:
  Window window_;
};

}  // namespace

std::unique_ptr<WindowRun> openWindow(const Options& options) { return std::make_unique<OpenWindow>(options); }

}  // namespace demo
