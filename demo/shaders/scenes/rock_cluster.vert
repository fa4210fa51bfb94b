#version 460
#extension GL_GOOGLE_include_directive : require
// A cluster of an instance of the belt. gl_InstanceIndex is the number of its record, and `indices` are the records.
#include "instance.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer RecordReference { ClusterRecord at[]; };

#define INSTANCE RecordReference(indices).at[gl_InstanceIndex].instance
#include "rock_vertex.glsl"
