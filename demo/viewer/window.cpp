#include "viewer/window.h"

#include "base/failure.h"

namespace demo {
namespace {

constexpr double kMaxClickWay = 3.0;  // in screen coordinates: a longer one is dragged

std::string lastError() {
  const char* description = nullptr;
  glfwGetError(&description);
  return description ? description : "GLFW gives no reason";
}

}  // namespace

Window::Window(uint32_t width, uint32_t height, const std::string& title) {
  if (!glfwInit())
    failRuntime("--window needs a display, and there is none: ", lastError(), " (--headless does without)");
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  window_ = glfwCreateWindow(static_cast<int>(width), static_cast<int>(height), title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string reason = lastError();
    glfwTerminate();
    failRuntime("--window: no window could be opened: ", reason);
  }
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int) {
    if (action == GLFW_PRESS) static_cast<Window*>(glfwGetWindowUserPointer(window))->pressedKeys_.push_back(key);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double steps) {
    static_cast<Window*>(glfwGetWindowUserPointer(window))->wheelSteps_ += steps;
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** files) {
    static_cast<Window*>(glfwGetWindowUserPointer(window))->droppedFiles_.assign(files, files + count);
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
    if (button == GLFW_MOUSE_BUTTON_LEFT)
      static_cast<Window*>(glfwGetWindowUserPointer(window))->onLeftButton(action == GLFW_PRESS);
  });
  glfwGetCursorPos(window_, &pointerX_, &pointerY_);
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

std::vector<const char*> Window::instanceExtensions() const {
  uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  if (!names) failRuntime("--window: Vulkan cannot present to this display: ", lastError());
  return {names, names + count};
}

VkExtent2D Window::framebufferExtent() const {
  if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return {};
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return {static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

float Window::contentScale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  return y;
}

float Window::pixelDensity() const {
  int pixels = 0, units = 0, ignored = 0;
  glfwGetFramebufferSize(window_, &ignored, &pixels);
  glfwGetWindowSize(window_, &ignored, &units);
  return pixels > 0 && units > 0 ? static_cast<float>(pixels) / static_cast<float>(units) : 1.0f;
}

VkExtent2D Window::windowedExtent() const {
  int width = windowedWidth_, height = windowedHeight_;
  if (!glfwGetWindowMonitor(window_)) glfwGetWindowSize(window_, &width, &height);
  return {static_cast<uint32_t>(width), static_cast<uint32_t>(height)};
}

void Window::pollEvents() {
  forgetEvents();
  glfwPollEvents();
  readPointer();
}

void Window::waitEvents() {
  forgetEvents();
  glfwWaitEvents();
  readPointer();
}

void Window::forgetEvents() {
  pressedKeys_.clear();
  droppedFiles_.clear();
  wheelSteps_ = 0.0;
  clicked_.reset();
}

void Window::onLeftButton(bool isDown) {
  glm::dvec2 pointer(0.0);
  glfwGetCursorPos(window_, &pointer.x, &pointer.y);
  if (isDown)
    pressedAt_ = pointer;
  else if (glm::distance(pointer, pressedAt_) <= kMaxClickWay)
    clicked_ = pressedAt_;
}

void Window::readPointer() {
  const double lastX = pointerX_, lastY = pointerY_;
  glfwGetCursorPos(window_, &pointerX_, &pointerY_);
  movedX_ = pointerX_ - lastX;
  movedY_ = pointerY_ - lastY;
}

bool Window::isMouseDown() const {
  return glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS ||
         glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
}

void Window::capturePointer(bool captured) {
  if (captured == captured_) return;
  captured_ = captured;
  glfwSetInputMode(window_, GLFW_CURSOR, captured ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
  // The pointer jumps when it is freed.
  glfwGetCursorPos(window_, &pointerX_, &pointerY_);
}

void Window::toggleFullScreen() {
  if (glfwGetWindowMonitor(window_)) {
    glfwSetWindowMonitor(window_, nullptr, windowedX_, windowedY_, windowedWidth_, windowedHeight_, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (!monitor) return;
  const GLFWvidmode* mode = glfwGetVideoMode(monitor);
  glfwGetWindowPos(window_, &windowedX_, &windowedY_);
  glfwGetWindowSize(window_, &windowedWidth_, &windowedHeight_);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

VkSurfaceKHR Window::createSurface(const Instance& instance) const {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  check(glfwCreateWindowSurface(instance.get(), window_, nullptr, &surface), "glfwCreateWindowSurface");
  return surface;
}

}  // namespace demo
