// Reads a gamepad, which moves the camera like keys and mouse.
#pragma once

#include <optional>

#include "viewer/camera_control.h"
#include "viewer/window.h"

namespace demo {

// Returns the sticks and buttons of the first gamepad, or nothing without one.
std::optional<GLFWgamepadstate> readGamepad();

// The left stick moves right and forward, the right stick turns, the triggers move down and up. input.seconds is the
// frame's.
void addGamepad(const GLFWgamepadstate& gamepad, CameraInput& input);

}  // namespace demo
