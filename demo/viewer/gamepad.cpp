#include "viewer/gamepad.h"

#include <cmath>

namespace demo {
namespace {

constexpr float kDeadZone = 0.15f;  // of a stick at rest
constexpr float kTurnSpeed = 2.2f;  // radians per second with the stick at its end

// The value starts at 0 at the rim of the dead zone, so that the motion begins slowly.
float stick(float value) {
  const float beyond = std::fabs(value) - kDeadZone;
  return beyond > 0.0f ? std::copysign(beyond / (1.0f - kDeadZone), value) : 0.0f;
}

}  // namespace

std::optional<GLFWgamepadstate> readGamepad() {
  GLFWgamepadstate gamepad;
  for (int joystick = GLFW_JOYSTICK_1; joystick <= GLFW_JOYSTICK_LAST; ++joystick)
    if (glfwGetGamepadState(joystick, &gamepad)) return gamepad;
  return std::nullopt;
}

void addGamepad(const GLFWgamepadstate& gamepad, CameraInput& input) {
  const float* axes = gamepad.axes;
  // GLFW's sticks point down, and its triggers go from -1 to 1.
  const glm::vec2 turn(stick(axes[GLFW_GAMEPAD_AXIS_RIGHT_X]), -stick(axes[GLFW_GAMEPAD_AXIS_RIGHT_Y]));
  input.turn += kTurnSpeed * input.seconds * turn;
  input.move.x += stick(axes[GLFW_GAMEPAD_AXIS_LEFT_X]);
  input.move.y += 0.5f * (axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] - axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER]);
  input.move.z -= stick(axes[GLFW_GAMEPAD_AXIS_LEFT_Y]);
}

}  // namespace demo
