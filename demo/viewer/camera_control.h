// Moves a camera by input: it flies, or orbits the middle of the scene.
#pragma once

#include "render/camera.h"

namespace demo {

constexpr float kMinSpeed = 0.05f, kMaxSpeed = 2000.0f;  // of flight, units per second

// Holds the input between two frames.
struct CameraInput {
  glm::vec2 turn = glm::vec2(0.0f);  // radians to the right and up
  glm::vec3 move = glm::vec3(0.0f);  // right, up, forward: -1 to 1 each, or beyond
  float wheelSteps = 0.0f;
  float seconds = 0.0f;
};

class CameraControl {
 public:
  CameraControl(const Camera& start, float speed);

  void update(const CameraInput& input);
  // Switches between flying and orbit, and keeps the camera where it is.
  void switchMode();

  Camera camera() const;
  const char* modeName() const { return isOrbit_ ? "orbit" : "fly"; }
  // Returns the speed of flight in units per second.
  float speed() const { return speed_; }

 private:
  glm::vec3 forward() const;
  void fly(const CameraInput& input);
  void orbit(const CameraInput& input);

  Camera lens_;  // field of view and near plane
  glm::vec3 eye_;
  float yaw_ = 0.0f, pitch_ = 0.0f;  // of the way forward, radians
  float speed_;
  bool isOrbit_ = false;
};

}  // namespace demo
