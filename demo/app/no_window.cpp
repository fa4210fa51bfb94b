// In place of window_run.cpp in builds without GLFW.
#include "app/window_run.h"

namespace demo {

std::unique_ptr<WindowRun> openWindow(const Options&) {
  failInput("--window: this sluice-demo was built without GLFW; --headless writes pictures");
}

}  // namespace demo
