// A window of GLFW with what was typed and moved in it.
#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hosting/instance.h"

// After volk, so that GLFW declares its Vulkan functions.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace demo {

// One at a time: GLFW has global state.
class Window {
 public:
  // The size is in screen coordinates. Throws Failure (Cause::Runtime) when no window can be opened.
  Window(uint32_t width, uint32_t height, const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* get() const { return window_; }

  // What the instance must have for this window's surface.
  std::vector<const char*> instanceExtensions() const;

  // In pixels; 0 by 0 while the window is minimised.
  VkExtent2D framebufferExtent() const;
  // Pixels per unit in which text is readable.
  float contentScale() const;
  // Pixels per screen coordinate.
  float pixelDensity() const;
  // In screen coordinates, without full screen.
  VkExtent2D windowedExtent() const;

  // Takes in what happened since the last call.
  void pollEvents();
  // The same, but sleeps until something happens.
  void waitEvents();
  bool wantsToClose() const { return glfwWindowShouldClose(window_); }

  bool isDown(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }
  bool isMouseDown() const;
  // Of the last pollEvents: keys pressed, the wheel's steps, files dropped, the mouse's way in screen coordinates.
  const std::vector<int>& pressedKeys() const { return pressedKeys_; }
  double wheelSteps() const { return wheelSteps_; }
  const std::vector<std::filesystem::path>& droppedFiles() const { return droppedFiles_; }
  double movedX() const { return movedX_; }
  double movedY() const { return movedY_; }
  // Where the left button came up without having been dragged away, in screen coordinates.
  const std::optional<glm::dvec2>& clicked() const { return clicked_; }

  // Hides the mouse pointer and lets it move without bounds.
  void capturePointer(bool captured);

  void toggleFullScreen();

 private:
  void onLeftButton(bool isDown);
  void forgetEvents();
  void readPointer();

  GLFWwindow* window_ = nullptr;
  std::vector<int> pressedKeys_;
  std::vector<std::filesystem::path> droppedFiles_;
  double wheelSteps_ = 0.0;
  double pointerX_ = 0.0, pointerY_ = 0.0;
  double movedX_ = 0.0, movedY_ = 0.0;
  glm::dvec2 pressedAt_ = glm::dvec2(0.0);  // the left button
  std::optional<glm::dvec2> clicked_;
  bool captured_ = false;
  int windowedX_ = 0, windowedY_ = 0, windowedWidth_ = 0, windowedHeight_ = 0;  // before full screen
};

// What the swapchain presents to. Destroyed before the instance and the window.
class Surface {
 public:
  Surface(const hosting::Instance& instance, const Window& window);
  ~Surface() { vkDestroySurfaceKHR(instance_, surface_, nullptr); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  VkSurfaceKHR get() const { return surface_; }

 private:
  VkInstance instance_;
  VkSurfaceKHR surface_ = VK_NULL_HANDLE;
};

}  // namespace demo
