// Finds the test of a plan that drops a record, as sluice.h defines the tests. Each operation rounds once, in the order
// written, and lengths are compared squared, so that records on a border get the library's outcome.
#include "rejects.h"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer TestsReference { RejectTests value; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordsReference { uint at[]; };

struct TestedRecord {
  uint outcome;
  vec3 center;  // of its bounds in the world
  float radius;
};

// Filled by main before anything else, as the frame's constants are.
RejectTests tests;

bool isFinite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

float dotOf(vec3 a, vec3 b) {
  precise float sum = a.x * b.x + a.y * b.y + a.z * b.z;
  return sum;
}

vec3 crossOf(vec3 a, vec3 b) {
  precise vec3 product = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
  return product;
}

vec3 rotate(vec4 q, vec3 v) {
  precise vec3 turn = 2.0 * crossOf(q.xyz, v);
  precise vec3 turned = v + turn * q.w + crossOf(q.xyz, turn);
  return turned;
}

vec3 vectorAt(WordsReference words, uint first) {
  return uintBitsToFloat(uvec3(words.at[first], words.at[first + 1u], words.at[first + 2u]));
}

vec4 fourAt(WordsReference words, uint first) {
  return vec4(vectorAt(words, first), uintBitsToFloat(words.at[first + 3u]));
}

bool isLive(WordsReference records, uint record) {
  uint first = record + tests.liveWord;
  if (tests.liveTest == kLiveNonEmpty) {
    uint any = 0u;
    for (uint word = 0u; word < tests.liveWords; ++word) any |= records.at[first + word];
    return any != 0u;
  }
  if (tests.liveTest == kLivePositiveInt) return int(records.at[first]) > 0;
  // Compares bits: NaN is above infinity, and a device may take a denormal for 0.
  if (tests.liveTest == kLivePositiveFloat) return records.at[first] - 1u < 0x7f800000u;
  return true;
}

vec4 sphereOf(WordsReference records, WordsReference spheres, uint record, uint index, uint key) {
  if (tests.sphereSource == kSphereInRecord) return fourAt(records, record + tests.sphereWord);
  // A key that is out of range has no bounds.
  if (tests.sphereSource == kSphereNone || (key > 0u && key >= tests.keyCount))
    return vec4(0.0);
  uint element = tests.sphereSource == kSpherePerKey ? key : index;
  return fourAt(spheres, element * tests.sphereWords + tests.sphereWord);
}

vec4 toWorld(WordsReference records, uint record, vec4 sphere) {
  precise vec3 center = sphere.xyz;
  precise float radius = sphere.w;
  if ((tests.transformFlags & kTransformScale) != 0u) {
    float scale = uintBitsToFloat(records.at[record + tests.scaleWord]);
    center *= scale;
    radius *= abs(scale);
  }
  if ((tests.transformFlags & kTransformRotation) != 0u)
    center = rotate(fourAt(records, record + tests.rotationWord), center);
  if ((tests.transformFlags & kTransformPosition) != 0u) center += vectorAt(records, record + tests.positionWord);
  return vec4(center, radius);
}

uint boundsOutcome(vec3 center, float radius) {
  precise vec3 way = center - tests.eye.xyz;
  precise float distance2 = dotOf(way, way);
  if (!isFinite(distance2) || !isFinite(radius) || radius < 0.0 || distance2 > 1e36) return kInvalid;
  if ((tests.cullFlags & kCullDistance) != 0u &&
      (distance2 < tests.minDistance2 || distance2 > tests.maxDistance2)) return kTooFar;
  if ((tests.cullFlags & kCullFrustum) != 0u) {
    for (uint plane = 0u; plane < 6u; ++plane) {
      precise float side = dotOf(tests.planes[plane].xyz, center) + tests.planes[plane].w;
      if (side < -radius) return kOutside;
    }
  }
  precise float radius2 = radius * radius, smallest2 = tests.minSizeRatio2 * distance2;
  return (tests.cullFlags & kCullSize) != 0u && radius2 < smallest2 ? kTooSmall : kPassed;
}

TestedRecord testRecord(WordsReference records, WordsReference spheres, uint index) {
  uint record = index * tests.recordWords, key = 0u;
  if (tests.keyCount > 0u) key = (records.at[record + tests.keyWord] >> tests.keyShift) & tests.keyMask;
  vec4 sphere = toWorld(records, record, sphereOf(records, spheres, record, index, key));
  uint outcome = tests.testsBounds != 0u ? boundsOutcome(sphere.xyz, sphere.w) : kPassed;
  if (tests.keyCount > 0u && key >= tests.keyCount) outcome = kBadKey;
  if (!isLive(records, record)) outcome = kNotLive;
  return TestedRecord(outcome, sphere.xyz, sphere.w);
}
