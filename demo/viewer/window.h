// Wraps a window of GLFW and its input events.
#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hosting/instance.h"

// This comes after volk, so that GLFW declares its Vulkan functions.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace demo {

// GLFW has global state, so only one may exist at a time.
class Window {
 public:
  // The size is in screen coordinates. Throws Failure (Cause::Runtime) when no window can be opened.
  Window(uint32_t width, uint32_t height, const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* get() const { return window_; }

  // Returns the extensions that the instance must have for this window's surface.
  std::vector<const char*> instanceExtensions() const;
  VkSurfaceKHR createSurface(const hosting::Instance& instance) const;

  // The unit is pixels. The extent is 0 by 0 while the window is minimised.
  VkExtent2D framebufferExtent() const;
  // Returns the pixels per unit at which text is readable.
  float contentScale() const;
  // Returns the pixels per screen coordinate.
  float pixelDensity() const;
  // Returns the size in screen coordinates that the window has or had without full screen.
  VkExtent2D windowedExtent() const;

  // Handles the events since the last call.
  void pollEvents();
  // Sleeps until an event, and handles it.
  void waitEvents();
  bool wantsToClose() const { return glfwWindowShouldClose(window_); }

  bool isDown(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }
  bool isMouseDown() const;
  // Return what the last pollEvents brought: keys pressed, steps of the wheel, files dropped, and how far the mouse
  // moved in screen coordinates.
  const std::vector<int>& pressedKeys() const { return pressedKeys_; }
  double wheelSteps() const { return wheelSteps_; }
  const std::vector<std::filesystem::path>& droppedFiles() const { return droppedFiles_; }
  double movedX() const { return movedX_; }
  double movedY() const { return movedY_; }
  // Returns where the left button was released without dragging, in screen coordinates.
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

}  // namespace demo
