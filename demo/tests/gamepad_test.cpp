// Tests how a gamepad moves the camera: not at rest, and by its sticks and triggers in their directions.
#include "viewer/gamepad.h"

#include <cmath>
#include <cstdio>

namespace {

int failureCount = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  ++failureCount;
}

// Triggers rest at -1.
GLFWgamepadstate atRest() {
  GLFWgamepadstate gamepad = {};
  gamepad.axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER] = -1.0f;
  gamepad.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] = -1.0f;
  return gamepad;
}

demo::CameraInput inputOf(const GLFWgamepadstate& gamepad) {
  demo::CameraInput input;
  input.seconds = 0.5f;
  demo::addGamepad(gamepad, input);
  return input;
}

demo::CameraInput inputOf(int axis, float value) {
  GLFWgamepadstate gamepad = atRest();
  gamepad.axes[axis] = value;
  return inputOf(gamepad);
}

float wayWith(const glm::vec3& move) {
  const demo::Camera start = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}, 1.0f, 0.1f};
  demo::CameraControl camera(start, 10.0f);
  demo::CameraInput input;
  input.seconds = 0.5f;
  input.move = move;
  camera.update(input);
  return glm::length(camera.camera().eye);
}

bool isAbout(float value, float expected) { return std::fabs(value - expected) < 1e-4f; }

}  // namespace

int main() {
  const demo::CameraInput rest = inputOf(atRest()), nearRest = inputOf(GLFW_GAMEPAD_AXIS_LEFT_X, 0.1f);
  check(rest.move == glm::vec3(0.0f) && rest.turn == glm::vec2(0.0f), "at rest nothing moves");
  check(nearRest.move == glm::vec3(0.0f), "nor when a stick does not come back to its middle");
  check(inputOf(GLFW_GAMEPAD_AXIS_LEFT_X, 1.0f).move == glm::vec3(1.0f, 0.0f, 0.0f), "left stick to the right");
  check(inputOf(GLFW_GAMEPAD_AXIS_LEFT_Y, -1.0f).move == glm::vec3(0.0f, 0.0f, 1.0f), "left stick up: forward");
  check(inputOf(GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER, 1.0f).move == glm::vec3(0.0f, 1.0f, 0.0f), "right trigger: up");
  check(inputOf(GLFW_GAMEPAD_AXIS_LEFT_TRIGGER, 1.0f).move == glm::vec3(0.0f, -1.0f, 0.0f), "left trigger: down");
  check(inputOf(GLFW_GAMEPAD_AXIS_RIGHT_X, 1.0f).turn.x > 0.5f, "right stick to the right turns there");
  check(inputOf(GLFW_GAMEPAD_AXIS_RIGHT_Y, -1.0f).turn.y > 0.5f, "right stick up looks up");
  const float half = inputOf(GLFW_GAMEPAD_AXIS_LEFT_X, 0.5f).move.x;
  check(half > 0.2f && half < 0.6f, "half a stick is slower");
  check(isAbout(wayWith({0.5f, 0.0f, 0.0f}), 2.5f), "half the speed for half the stick");
  check(isAbout(wayWith({1.0f, 0.0f, 1.0f}), 5.0f), "two directions are no faster than one");
  return failureCount ? 1 : 0;
}
