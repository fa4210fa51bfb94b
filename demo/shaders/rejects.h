// The tests of a plan as the demo's C++ hands them to its shaders: the words of sluice.h, in numbers of 32-bit words
// where that has bytes.
#ifndef DEMO_REJECTS_H
#define DEMO_REJECTS_H

#include "shared.h"

#ifdef __cplusplus
namespace demo {
#endif

// SluReject, and one more for a record that passes.
const uint kNotLive = 0u;
const uint kBadKey = 1u;
const uint kInvalid = 2u;
const uint kTooFar = 3u;
const uint kOutside = 4u;
const uint kTooSmall = 5u;
const uint kPassed = 6u;
const uint kOutcomeCount = 7u;

// SluLiveTest, without those of a flag stream or of the user's own.
const uint kLiveAlways = 0u;
const uint kLiveNonEmpty = 1u;
const uint kLivePositiveInt = 2u;
const uint kLivePositiveFloat = 3u;

// SluSphereSource.
const uint kSphereNone = 0u;
const uint kSphereInRecord = 1u;
const uint kSpherePerRecord = 2u;
const uint kSpherePerKey = 3u;

// SluCullFlagBits and SluTransformFlagBits.
const uint kCullDistance = 1u;
const uint kCullFrustum = 2u;
const uint kCullSize = 4u;
const uint kTransformPosition = 1u;
const uint kTransformScale = 2u;
const uint kTransformRotation = 4u;

struct RejectTests {
  vec4 planes[6];
  vec4 eye;
  float minDistance2;
  float maxDistance2;
  float minSizeRatio2;
  uint recordCount;
  uint recordWords;
  uint liveTest;
  uint liveWord;
  uint liveWords;
  uint keyCount;  // 0: no key is read
  uint keyWord;
  uint keyShift;
  uint keyMask;
  uint testsBounds;  // 0: the bounds say where a record is, and reject nothing
  uint cullFlags;
  uint sphereSource;
  uint sphereWord;
  uint sphereWords;
  uint transformFlags;
  uint positionWord;
  uint scaleWord;
  uint rotationWord;
};

// Returns the colour of a record's ghost, as a legend shows it.
SHARED_FUNCTION vec3 outcomeColor(uint outcome) {
  if (outcome == kNotLive) return vec3(0.62f, 0.62f, 0.70f);
  if (outcome == kBadKey) return vec3(0.95f, 0.35f, 0.90f);
  if (outcome == kInvalid) return vec3(1.00f, 0.22f, 0.20f);
  if (outcome == kTooFar) return vec3(0.35f, 0.58f, 1.00f);
  if (outcome == kOutside) return vec3(1.00f, 0.62f, 0.18f);
  if (outcome == kTooSmall) return vec3(0.36f, 0.88f, 0.42f);
  return vec3(1.0f, 1.0f, 1.0f);
}

#ifdef __cplusplus
static_assert(sizeof(RejectTests) == 196 && offsetof(RejectTests, minDistance2) == 112);
}  // namespace demo
#endif

#endif
