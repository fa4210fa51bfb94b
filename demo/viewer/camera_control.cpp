#include "viewer/camera_control.h"

#include <algorithm>
#include <cmath>

namespace demo {
namespace {

constexpr float kMaxPitch = 1.55f;  // short of straight up, where the way to the right is lost
constexpr float kWheelFactor = 1.2f;
constexpr float kMinOrbit = 1.0f, kMaxOrbit = 5000.0f;
// In orbit, keys turn by so many radians per second, and scale the distance by so many powers of e.
constexpr float kOrbitTurn = 0.8f, kOrbitApproach = 0.7f;

}  // namespace

CameraControl::CameraControl(const Camera& start, float speed) : lens_(start), eye_(start.eye), speed_(speed) {
  const glm::vec3 way = glm::normalize(start.target - start.eye);
  yaw_ = std::atan2(way.x, -way.z);
  pitch_ = std::asin(way.y);
}

glm::vec3 CameraControl::forward() const {
  return {std::sin(yaw_) * std::cos(pitch_), std::sin(pitch_), -std::cos(yaw_) * std::cos(pitch_)};
}

void CameraControl::update(const CameraInput& input) {
  if (isOrbit_)
    orbit(input);
  else
    fly(input);
}

void CameraControl::fly(const CameraInput& input) {
  yaw_ += input.turn.x;
  pitch_ = std::clamp(pitch_ + input.turn.y, -kMaxPitch, kMaxPitch);
  speed_ = std::clamp(speed_ * std::pow(kWheelFactor, input.wheelSteps), kMinSpeed, kMaxSpeed);
  const glm::vec3 ahead = forward(), right(std::cos(yaw_), 0.0f, std::sin(yaw_));
  const glm::vec3 way = input.move.x * right + input.move.y * glm::cross(right, ahead) + input.move.z * ahead;
  // Several keys at once are no faster than one. A stick may be slower.
  eye_ += way * (speed_ * input.seconds / std::max(glm::length(way), 1.0f));
}

// The scenes lie around the origin.
void CameraControl::orbit(const CameraInput& input) {
  const float keyTurn = kOrbitTurn * input.seconds;
  yaw_ += input.turn.x - input.move.x * keyTurn;
  pitch_ = std::clamp(pitch_ + input.turn.y - input.move.y * keyTurn, -kMaxPitch, kMaxPitch);
  const float approach =
      std::pow(kWheelFactor, input.wheelSteps) * std::exp(kOrbitApproach * input.move.z * input.seconds);
  eye_ = forward() * -std::clamp(glm::length(eye_) / approach, kMinOrbit, kMaxOrbit);
}

void CameraControl::switchMode() {
  isOrbit_ = !isOrbit_;
  if (!isOrbit_ || glm::length(eye_) == 0.0f) return;
  const glm::vec3 inwards = -glm::normalize(eye_);
  yaw_ = std::atan2(inwards.x, -inwards.z);
  pitch_ = std::clamp(std::asin(inwards.y), -kMaxPitch, kMaxPitch);
}

Camera CameraControl::camera() const { return {eye_, eye_ + forward(), lens_.fieldOfView, lens_.nearDistance}; }

}  // namespace demo
