#version 460
#extension GL_GOOGLE_include_directive : require
// A record as a point as large as its bounds, coloured by the test that drops it; one whose outcome is not shown, or
// that is nowhere, lies outside of the picture.
#include "frame.glsl"
#include "rejects.glsl"

layout(push_constant) uniform Push {
  FrameReference frame;
  TestsReference testsOfFrame;
  WordsReference records;
  WordsReference meshes;
  WordsReference flags;
  WordsReference liveCount;
  uint shownOutcomes;  // bit i: outcome i
  float maxPointSize;
};
layout(location = 0) flat out vec4 tint;
layout(location = 1) flat out float pixels;

void main() {
  constants = frame.value;
  tests = testsOfFrame.value;
  bool isThere = gl_VertexIndex < min(liveCount.at[0], tests.recordCount);
  TestedRecord record = testRecord(records, meshes, flags, gl_VertexIndex);
  bool isSomewhere = isFinite(record.center.x) && isFinite(record.center.y) && isFinite(record.center.z);
  bool isShown = isThere && (shownOutcomes >> record.outcome & 1u) != 0u && isSomewhere;
  gl_Position = isShown ? constants.viewProjection * vec4(record.center, 1.0) : vec4(0.0, 0.0, -1.0, 1.0);
  float diameter = isFinite(record.radius) ? 2.0 * record.radius : 0.0;
  pixels = clamp(diameter / (max(gl_Position.w, 1e-3) * constants.right.w), 2.0, max(maxPointSize, 2.0));
  gl_PointSize = min(pixels, maxPointSize);
  // The colours are those of a legend, which are encoded for a screen.
  tint = vec4(pow(outcomeColor(record.outcome), vec3(2.2)), record.outcome == kPassed ? 1.0 : 0.4);
}
