// A gamepad moves the camera besides keys and mouse.
#pragma once

#include <optional>

#include "viewer/camera_control.h"
#include "viewer/window.h"

namespace demo {

// The first gamepad's sticks and buttons; nothing where there is none.
std::optional<GLFWgamepadstate> readGamepad();

// Left stick: right, forward; right stick: turn; triggers: down, up. input.seconds is that of the frame.
void addGamepad(const GLFWgamepadstate& gamepad, CameraInput& input);

}  // namespace demo
