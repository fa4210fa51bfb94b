// A run with a window, which builds without GLFW do not have.
#pragma once

#include <memory>
#include <vector>

#include "app/session.h"
#include "base/failure.h"
#include "hosting/instance.h"

namespace demo {

class WindowRun {
 public:
  virtual ~WindowRun() = default;

  // Returns the extensions that the instance must have for the window's surface.
  virtual std::vector<const char*> instanceExtensions() const = 0;
  virtual VkSurfaceKHR createSurface(const Instance& instance) const = 0;
  virtual ExitCode run(Session& session, VkSurfaceKHR surface) = 0;
};

// Opens a window. Throws Failure when there is none to be had.
std::unique_ptr<WindowRun> openWindow(const Options& options);

// The swapchain presents to the surface. It must be destroyed before the instance and the window.
class Surface {
 public:
  Surface(const Instance& instance, VkSurfaceKHR surface) : instance_(instance.get()), surface_(surface) {}
  ~Surface() { vkDestroySurfaceKHR(instance_, surface_, nullptr); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  VkSurfaceKHR get() const { return surface_; }

 private:
  VkInstance instance_;
  VkSurfaceKHR surface_;
};

}  // namespace demo
