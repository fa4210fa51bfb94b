#include "inspect/reject_tests.h"

#include <cstring>

#include "base/failure.h"

namespace demo {
namespace {

static_assert(kNotLive == SLU_REJECT_NOT_LIVE && kBadKey == SLU_REJECT_KEY && kInvalid == SLU_REJECT_INVALID);
static_assert(kTooFar == SLU_REJECT_DISTANCE && kOutside == SLU_REJECT_FRUSTUM && kTooSmall == SLU_REJECT_SIZE);
static_assert(kPassed == SLU_REJECT_COUNT && kOutcomeCount == SLU_REJECT_COUNT + 1);
static_assert(kLiveAlways == SLU_LIVE_ALWAYS && kLiveNonEmpty == SLU_LIVE_NON_EMPTY);
static_assert(kLivePositiveInt == SLU_LIVE_POSITIVE_INT && kLivePositiveFloat == SLU_LIVE_POSITIVE_FLOAT);
static_assert(kSphereNone == SLU_SPHERE_NONE && kSphereInRecord == SLU_SPHERE_IN_RECORD);
static_assert(kSpherePerRecord == SLU_SPHERE_PER_RECORD && kSpherePerKey == SLU_SPHERE_PER_KEY);
static_assert(kCullDistance == SLU_CULL_DISTANCE_BIT && kCullFrustum == SLU_CULL_FRUSTUM_BIT);
static_assert(kCullSize == SLU_CULL_SIZE_BIT && kTransformPosition == SLU_TRANSFORM_POSITION_BIT);
static_assert(kTransformScale == SLU_TRANSFORM_SCALE_BIT && kTransformRotation == SLU_TRANSFORM_ROTATION_BIT);
static_assert(sizeof(RejectTests::planes) == sizeof(SluView::planes));

constexpr uint32_t kWordBytes = 4;

float squared(float value) { return value * value; }

void setView(RejectTests& tests, const SluView& view) {
  std::memcpy(tests.planes, view.planes, sizeof(tests.planes));
  tests.eye = {view.eye[0], view.eye[1], view.eye[2], 0.0f};
  tests.minDistance2 = squared(view.minDistance);
  tests.maxDistance2 = squared(view.maxDistance);
  tests.minSizeRatio2 = squared(view.minSizeRatio);
}

void setLive(RejectTests& tests, const SluLive& live) {
  if (live.test > SLU_LIVE_POSITIVE_FLOAT)
    failRuntime("ghosts need a live test that looks at the record, and the plan's is number ", live.test);
  tests.liveTest = live.test;
  tests.liveWord = live.offset / kWordBytes;
  tests.liveWords = live.size / kWordBytes;
}

void setKey(RejectTests& tests, const SluKey& key) {
  if (key.keyCount <= 1) return;
  tests.keyCount = key.keyCount;
  tests.keyWord = key.offset / kWordBytes;
  tests.keyShift = key.shift;
  tests.keyMask = key.bits == 0 || key.bits >= 32 ? ~0u : (1u << key.bits) - 1;
}

void setBounds(RejectTests& tests, const SluBounds& bounds, uint32_t positionOffset) {
  tests.sphereSource = bounds.source;
  // A record without bounds is where it is drawn.
  const bool hasBounds = bounds.source != SLU_SPHERE_NONE;
  tests.transformFlags = hasBounds ? bounds.transformFlags : kTransformPosition;
  tests.positionWord = (hasBounds ? bounds.positionOffset : positionOffset) / kWordBytes;
  tests.scaleWord = bounds.scaleOffset / kWordBytes;
  tests.rotationWord = bounds.rotationOffset / kWordBytes;
  tests.sphereWord = bounds.offset / kWordBytes;
  tests.sphereWords = bounds.stride / kWordBytes;
}

}  // namespace

const char* outcomeName(uint32_t outcome) {
  constexpr const char* kNames[kOutcomeCount] = {"not live", "key", "invalid", "distance", "frustum", "size", "passed"};
  return kNames[outcome];
}

RejectTests rejectTests(const CompactionRequest& request, const SluView& view) {
  const SluPlanCreateInfo& plan = request.plan;
  RejectTests tests = {};
  tests.recordCount = plan.maxRecordCount;
  tests.recordWords = plan.recordStride / kWordBytes;
  tests.cullFlags = plan.cullFlags;
  tests.testsBounds = plan.cullFlags != 0 || plan.key.lodCount > 1;
  setView(tests, view);
  setLive(tests, plan.live);
  setKey(tests, plan.key);
  setBounds(tests, plan.bounds, request.positionOffset);
  return tests;
}

TestedRecords testedRecords(const CompactionRequest& request, const Buffer& tests) {
  const Buffer& records = *request.inputs[Channel::Records];
  const Buffer* spheres = request.inputs[Channel::Spheres];
  const Buffer* liveCount = request.inputs[Channel::LiveCount];
  return {.tests = tests.address(),
          .records = records.address(),
          .spheres = spheres ? spheres->address() : records.address(),
          .liveCount = liveCount ? liveCount->address() : tests.address() + offsetof(RejectTests, recordCount),
          .count = request.plan.maxRecordCount};
}

}  // namespace demo
