// What a launch is given: all of it travels as kernel parameters, so that a frame is one launch and can be captured.
#pragma once

#include "shaders/frame.h"

namespace slu::cuda {

// What the Vulkan route has as specialization constants and this one as uniform values.
struct PlanConstants {
  uint recordWords;
  uint liveTest;
  uint cullFlags;
  uint sphereSource;
  uint transformFlags;
  uint keyed;
  uint lodCount;
  uint outputs;
};

// Counters in scratch besides those that FrameBlock points to. Zero before the first frame; each frame leaves them so.
struct Progress {
  uint arrived;                 // blocks of the frame that are done: the last one publishes
  uint epoch;                   // frames done, modulo 2^30; stable order tags its status words with it
  uint tiles[SLU_FRAME_VIEWS];  // tiles of the view that were taken; stable order
};

struct Arguments {
  PlanConstants plan;
  FrameBlock frame;
};

}  // namespace slu::cuda
