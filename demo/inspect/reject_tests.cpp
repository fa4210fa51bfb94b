#include "inspect/reject_tests.h"

#include <sluice/culling.h>

#include <algorithm>
#include <iterator>

#include "base/failure.h"

namespace demo {
namespace {

constexpr uint32_t kWordBytes = 4;

// At most one of a plan's two live tests looks at the record, and at most one at the flags.
void setLive(RejectTests& tests, const SluPlanCreateInfo& plan) {
  for (const SluLive& live : {plan.live, plan.secondLive}) {
    if (live.test == SLU_LIVE_ALWAYS) continue;
    if (live.test == SLU_LIVE_CUSTOM) failRuntime("ghosts cannot apply a live test of the host's own");
    if (isFlagTest(live.test)) {
      tests.flagTest = live.test;
      continue;
    }
    tests.liveTest = live.test;
    tests.liveWord = live.offset / kWordBytes;
    tests.liveWords = live.size / kWordBytes;
  }
  tests.liveMask = plan.liveMask;
  tests.liveValue = plan.liveValue;
}

void setKey(RejectTests& tests, const SluKey& key) {
  if (key.keyCount <= 1) return;
  tests.keyCount = key.keyCount;
  tests.keyWord = key.offset / kWordBytes;
  tests.keyShift = key.shift;
  tests.keyMask = key.bits == 0 || key.bits >= 32 ? ~0u : (1u << key.bits) - 1;
}

void setMeshes(RejectTests& tests, const SluPlanCreateInfo& plan) {
  tests.meshWords = plan.meshes.stride / kWordBytes;
  const bool hasCount = plan.meshes.parts & SLU_MESH_LOD_COUNT_BIT;
  tests.lodCountWord = hasCount ? plan.meshes.lodCountOffset / kWordBytes : kNoWord;
  const bool hasMask = plan.meshes.parts & SLU_MESH_LOD_MASK_BIT;
  tests.lodMaskWord = hasMask ? plan.meshes.lodMaskOffset / kWordBytes : kNoWord;
  tests.lodCount = std::max(plan.key.lodCount, 1u);
}

void setAddress(uint32_t (&words)[2], const Buffer& buffer) {
  words[0] = static_cast<uint32_t>(buffer.address());
  words[1] = static_cast<uint32_t>(buffer.address() >> 32);
}

// A plan without tests has no transforms, but its records are somewhere.
void setStreams(RejectTests& tests, const CompactionRequest& request) {
  const SluPlanCreateInfo& plan = request.plan;
  tests.boundsIndexWord = plan.indices.boundsOffset / kWordBytes;
  tests.transformIndexWord = kNoWord;
  tests.coneWord = plan.cones.offset / kWordBytes;
  tests.hasFixedFront = plan.cones.flags & SLU_CONE_FIXED_FRONT_FACE_BIT;
  if (!request.transformIndexOffset) return;
  tests.transformIndexWord = *request.transformIndexOffset / kWordBytes;
  tests.transformWords = request.transformStride / kWordBytes;
  setAddress(tests.transforms, *request.inputs[Channel::Transforms]);
}

void setBounds(RejectTests& tests, const CompactionRequest& request) {
  const SluBounds& bounds = request.plan.bounds;
  tests.boundsSource = bounds.source;
  const bool isInMesh = bounds.source == SLU_BOUNDS_IN_MESH;
  tests.boundsWords = (isInMesh ? request.plan.meshes.stride : bounds.stride) / kWordBytes;
  // A record without bounds is where it is drawn.
  const bool hasBounds = bounds.source != SLU_BOUNDS_NONE;
  tests.transformFlags = hasBounds ? bounds.transformFlags : uint32_t{SLU_TRANSFORM_POSITION_BIT};
  tests.positionWord = (hasBounds ? bounds.positionOffset : request.positionOffset) / kWordBytes;
  tests.positionStep = (hasBounds ? kWordBytes : request.positionStep) / kWordBytes;
  tests.scaleWord = bounds.scaleOffset / kWordBytes;
  tests.rotationWord = bounds.rotationOffset / kWordBytes;
  tests.matrixWord = bounds.matrixOffset / kWordBytes;
  tests.sphereWord = bounds.offset / kWordBytes;
}

}  // namespace

const char* outcomeName(uint32_t outcome) {
  constexpr const char* kNames[] = {"not live", "key",   "invalid",  "distance",    "frustum", "size",
                                    "no LOD",   "layer", "occluded", "other phase", "cone",    "passed"};
  static_assert(std::size(kNames) == kOutcomeCount);
  return kNames[outcome];
}

RejectTests rejectTests(const CompactionRequest& request, const SluView& view, const CompactionStep& lastStep) {
  const SluPlanCreateInfo& plan = request.plan;
  RejectTests tests = {};
  tests.recordCount = plan.maxRecordCount;
  tests.recordWords = plan.recordStride / kWordBytes;
  tests.cullFlags = lastStep.ignoresCones ? plan.cullFlags & ~SluFlags{SLU_CULL_CONE_BIT} : plan.cullFlags;
  tests.testsBounds = plan.cullFlags != 0 || plan.key.lodCount > 1;
  tests.view = slu::sluPrepareView(view, std::max(plan.key.lodCount, 1u), plan.lod.rule);
  tests.countsPassed = isMerged(request);
  setLive(tests, plan);
  setKey(tests, plan.key);
  setMeshes(tests, plan);
  setBounds(tests, request);
  setStreams(tests, request);
  if (lastStep.visible) setAddress(tests.visible, lastStep.visible->buffer);
  if (lastStep.visible && lastStep.lastVisible) setAddress(tests.lastVisible, lastStep.lastVisible->buffer);
  return tests;
}

TestedRecords testedRecords(const CompactionRequest& request, const Buffer& tests) {
  const Buffer& records = *request.inputs[Channel::Records];
  // Bounds by key are read as those of a table of meshes are.
  const bool hasTable = reads(request.plan, Channel::Meshes);
  const Buffer* meshes = request.inputs[hasTable ? Channel::Meshes : Channel::Bounds];
  const Buffer* flags = request.inputs[Channel::Flags];
  const Buffer* liveCount = request.inputs[Channel::LiveCount];
  return {.tests = tests.address(),
          .records = records.address(),
          .meshes = meshes ? meshes->address() : records.address(),
          .flags = flags ? flags->address() : records.address(),
          .liveCount = liveCount ? liveCount->address() : tests.address() + offsetof(RejectTests, recordCount),
          .count = request.plan.maxRecordCount};
}

}  // namespace demo
