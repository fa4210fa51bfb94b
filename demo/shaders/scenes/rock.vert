#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of the belt.
#include "instance.glsl"

#define INSTANCE indices.at[gl_InstanceIndex]
#include "rock_vertex.glsl"
