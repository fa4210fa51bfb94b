// The constants of a frame, reached through an address in the push constants.
#extension GL_EXT_buffer_reference : require
#include "shared.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer FrameReference { FrameConstants value; };

// Filled by main before anything else: Mesa 22.3's lavapipe may return wrong values for members that are loaded one by
// one inside branches.
FrameConstants constants;
