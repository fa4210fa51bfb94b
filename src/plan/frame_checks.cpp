#include "plan/frame_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "api/objects.h"
#include "api/structs.h"
#include "plan/predicate_checks.h"
#include "shaders/shared/predicate.h"

namespace slu {
namespace {

constexpr double kFarthestEye = 1e18;
constexpr double kLeastNormal = 1.0 - 1e-3, kMostNormal = 1.0 + 1e-3;

enum class Presence { unused, optional, needed };

// One binding of a frame: where it is given, where it goes, and what is asked of it.
struct Slot {
  const char* field;
  SluBinding SluFrameInfo::*given;
  Binding Frame::*bound;
  Use use;
  Presence presence;
  std::uint64_t bytes;
};

constexpr std::size_t kSlotCount = 10;
using Slots = std::array<Slot, kSlotCount>;

// `count` elements of elementBytes each, stride apart; the last one without what the stride adds.
std::uint64_t extent(std::uint64_t count, std::uint64_t stride, std::uint64_t elementBytes) {
  return count == 0 ? 0 : (count - 1) * stride + elementBytes;
}

std::uint64_t sphereBytes(const PlanLayout& layout, std::uint32_t recordCount) {
  const std::uint32_t count = layout.bounds.source == SLU_SPHERE_PER_KEY ? layout.key.keyCount : recordCount;
  return extent(count, layout.bounds.stride, std::uint64_t{layout.bounds.offset} + 16);
}

std::uint64_t flagBytes(SluLiveTest test, std::uint64_t recordCount) {
  const std::uint64_t flagsPerWord = test == SLU_LIVE_FLAG_BITS ? 32 : test == SLU_LIVE_FLAG_BYTES ? 4 : 1;
  return (recordCount + flagsPerWord - 1) / flagsPerWord * 4;
}

Slots slotsOf(const PlanLayout& layout, const SluFrameInfo& info) {
  using F = SluFrameInfo;
  const OutputBytes bytes = outputBytes(layout, info.viewCount);
  const auto neededIf = [](bool condition) { return condition ? Presence::needed : Presence::unused; };
  const auto output = [&](const char* field, SluBinding F::*given, Binding Frame::*bound, SluFlags bit,
                          std::uint64_t byteCount) {
    const bool isDraw = (bit & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0;
    return Slot{
        field,    given, bound, isDraw ? Use::drawArguments : Use::output, neededIf((layout.outputs & bit) != 0),
        byteCount};
  };
  return {Slot{"frame.liveCount", &F::liveCount, &Frame::liveCount, Use::input, Presence::optional, 4},
          Slot{"frame.records", &F::records, &Frame::records, layout.inPlace ? Use::copiedInput : Use::input,
               neededIf(layout.readsRecords()), std::uint64_t{info.recordCount} * layout.recordStride},
          Slot{"frame.spheres", &F::spheres, &Frame::spheres, Use::input, neededIf(layout.readsSpheres()),
               sphereBytes(layout, info.recordCount)},
          Slot{"frame.flags", &F::flags, &Frame::flags, Use::input, neededIf(layout.readsFlags()),
               flagBytes(layout.live.test, info.recordCount)},
          output("frame.indices", &F::indices, &Frame::indices, SLU_OUTPUT_INDICES_BIT, bytes.indices),
          output("frame.keptRecords", &F::keptRecords, &Frame::keptRecords, SLU_OUTPUT_RECORDS_BIT, bytes.keptRecords),
          output("frame.draws", &F::draws, &Frame::draws, SLU_OUTPUT_DRAWS_BIT, bytes.draws),
          output("frame.drawCounts", &F::drawCounts, &Frame::drawCounts, SLU_OUTPUT_DRAW_COUNTS_BIT, bytes.drawCounts),
          output("frame.statistics", &F::statistics, &Frame::statistics, SLU_OUTPUT_STATISTICS_BIT, bytes.statistics),
          output("frame.bucketCounts", &F::bucketCounts, &Frame::bucketCounts, SLU_OUTPUT_BUCKET_COUNTS_BIT,
                 bytes.bucketCounts)};
}

bool isOutput(const Slot& slot) { return slot.use == Use::output || slot.use == Use::drawArguments; }

const char* whyNotAttached(SluRoute route) {
  return route == SLU_ROUTE_CPU ? "it was created without a hostPointer"
                                : "it was created without memory, or a usage, that the route can use";
}

Binding bind(const Slot& slot, const SluBinding& given, const SluPlan_T& plan) {
  if (given.buffer == nullptr) {
    require(slot.presence != Presence::needed || slot.bytes == 0, slot.field,
            ": is not bound, and the plan needs it; give it a buffer");
    return {};
  }
  require(slot.presence != Presence::unused, slot.field, ": is bound, and the plan does not use it; leave it zero");
  const SluBuffer_T& buffer = *given.buffer;
  require(buffer.state == plan.state, slot.field, ".buffer: belongs to another context than the plan");
  require(given.offset % 4 == 0, slot.field, ".offset: is ", given.offset, ", must be a multiple of 4");
  require(given.offset <= buffer.size && slot.bytes <= buffer.size - given.offset, slot.field, ": needs ", slot.bytes,
          " bytes at offset ", given.offset, ", the buffer has ", buffer.size);
  const RouteBuffer* attached = buffer.attachments[plan.route].get();
  require(attached != nullptr, slot.field, ".buffer: cannot be used on the ", sluGetRouteName(plan.route),
          " route: ", whyNotAttached(plan.route));
  plan.state->routes[plan.route]->checkUse(*attached, slot.use, slot.field);
  return {attached, given.offset, attached->address + given.offset};
}

const char* overlapRemedy(const Slot& a, const Slot& b) {
  if (a.bound == &Frame::liveCount) return "a frame cannot write the count that it reads: bind another place";
  const bool isInPlace = a.bound == &Frame::records && b.bound == &Frame::keptRecords;
  return isInPlace ? "SLU_PLAN_IN_PLACE_BIT in plan.flags allows that" : "bind another place";
}

// No output shares a byte with another binding, except that records may be compacted in place.
void checkOverlap(const Slots& slots, const Frame& frame, bool inPlace) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    for (std::size_t j = i + 1; j < slots.size(); ++j) {
      const Slot& a = slots[i];
      const Slot& b = slots[j];
      const Binding& boundA = frame.*a.bound;
      const Binding& boundB = frame.*b.bound;
      const bool declared = inPlace && a.bound == &Frame::records && b.bound == &Frame::keptRecords;
      if (!boundA || !boundB || !isOutput(b) || declared) continue;  // inputs come first in slots
      require(a.bytes == 0 || b.bytes == 0 || boundA.address + a.bytes <= boundB.address ||
                  boundB.address + b.bytes <= boundA.address,
              b.field, ": its ", b.bytes, " bytes overlap the ", a.bytes, " bytes of ", a.field, "; ",
              overlapRemedy(a, b));
    }
  }
}

struct ViewCheck {
  const SluView& view;
  std::uint32_t index;

  template <typename... Parts>
  void require(bool condition, const Parts&... parts) const {
    slu::require(condition, "frame.views[", index, "].", parts...);
  }

  void checkFinite(float value, const char* field) const {
    require(std::isfinite(value), field, ": is ", value, ", must be finite");
  }

  // Judges what the plan reads, and nothing else: what it does not read, a host may leave as it is.
  void check(const PlanLayout& layout) const {
    checkEye();
    if ((layout.cullFlags & SLU_CULL_DISTANCE_BIT) != 0) checkDistances();
    if ((layout.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0) {
      for (std::uint32_t i = 0; i < SLU_PLANES; ++i) checkPlane(view.planes[i], i);
    }
    if ((layout.cullFlags & SLU_CULL_SIZE_BIT) != 0) {
      checkFinite(view.minSizeRatio, "minSizeRatio");
      require(view.minSizeRatio >= 0.0f, "minSizeRatio: is ", view.minSizeRatio, ", must be at least 0");
    }
    checkLods(layout.key.lodCount);
  }

  void checkEye() const {
    double eye2 = 0.0;
    for (const float value : view.eye) {
      checkFinite(value, "eye");
      eye2 += double{value} * double{value};
    }
    require(eye2 <= kFarthestEye * kFarthestEye, "eye: is ", std::sqrt(eye2), " from the origin, must be within ",
            kFarthestEye);
  }

  void checkDistances() const {
    checkFinite(view.minDistance, "minDistance");
    require(view.minDistance >= 0.0f, "minDistance: is ", view.minDistance, ", must be at least 0");
    require(view.maxDistance != 0.0f,
            "maxDistance: is 0, and the plan culls by distance; set the farthest distance that is kept, or INFINITY "
            "for no limit");
    require(view.maxDistance >= view.minDistance, "maxDistance: is ", view.maxDistance,
            ", must be at least minDistance, ", view.minDistance);
  }

  void checkPlane(const float (&plane)[4], std::uint32_t number) const {
    constexpr const char* kRemedy = "; sluGetFrustumPlanes fills planes from a column-major view-projection matrix";
    double length2 = 0.0;
    for (int i = 0; i < 4; ++i) {
      require(std::isfinite(plane[i]), "planes[", number, "]: holds ", plane[i], ", must be finite", kRemedy,
              " of finite entries");
      if (i < 3) length2 += double{plane[i]} * double{plane[i]};
    }
    if (length2 == 0.0) {
      require(plane[3] > 0.0f, "planes[", number, "]: is (0, 0, 0, ", plane[3],
              "), must have a normal of length 1, or w > 0 to let everything pass", kRemedy);
    } else {
      require(length2 >= kLeastNormal * kLeastNormal && length2 <= kMostNormal * kMostNormal, "planes[", number,
              "]: its normal has length ", std::sqrt(length2), ", must have length 1", kRemedy);
    }
  }

  void checkLods(std::uint32_t lodCount) const {
    float least = 0.0f;
    for (std::uint32_t i = 0; i + 1 < lodCount; ++i) {
      const float distance = view.lodDistances[i];
      require(std::isfinite(distance), "lodDistances[", i, "]: is ", distance, ", must be finite");
      require(distance >= least, "lodDistances[", i, "]: is ", distance, ", must be at least ", least,
              i == 0 ? "" : ", the one before");
      least = distance;
    }
  }
};

// Squares beyond float become its largest number, which no valid distance reaches.
float square(float a) { return std::min(sluMul(a, a), std::numeric_limits<float>::max()); }

void checkViews(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame) {
  require(info.viewCount >= 1 && info.viewCount <= layout.maxViewCount, "frame.viewCount: is ", info.viewCount,
          ", must be from 1 to ", layout.maxViewCount, ", the plan's maxViewCount");
  const std::uint32_t stride = info.viewStride == 0 ? std::uint32_t{sizeof(SluView)} : info.viewStride;
  require(stride % 4 == 0 && stride >= sizeof(SluView), "frame.viewStride: is ", stride,
          ", must be 0 or a multiple of 4 of at least ", sizeof(SluView));
  require((info.views != nullptr) == layout.needsViews(), "frame.views: ",
          layout.needsViews() ? "is null, and the plan culls or has LODs; give frame.viewCount elements"
                              : "is set, and the plan neither culls nor has LODs");
  for (std::uint32_t i = 0; i < info.viewCount; ++i) {
    SluView view{};
    if (layout.needsViews()) {
      std::memcpy(&view, reinterpret_cast<const char*>(info.views) + std::size_t{stride} * i, sizeof(view));
    }
    ViewCheck{view, i}.check(layout);
    frame.views[i] = makeViewBlock(view, layout.key.lodCount);
  }
}

}  // namespace

ViewBlock makeViewBlock(const SluView& view, std::uint32_t lodCount) {
  ViewBlock block{};
  static_assert(sizeof(block.planes) == sizeof(view.planes));
  std::memcpy(block.planes, view.planes, sizeof(view.planes));
  block.eyeX = view.eye[0];
  block.eyeY = view.eye[1];
  block.eyeZ = view.eye[2];
  block.minDistance2 = square(view.minDistance);
  block.maxDistance2 = square(view.maxDistance);
  block.minSizeRatio2 = square(view.minSizeRatio);
  for (std::uint32_t i = 0; i + 1 < lodCount; ++i) block.lodDistance2[i] = square(view.lodDistances[i]);
  return block;
}

OutputBytes outputBytes(const PlanLayout& layout, std::uint32_t viewCount) {
  const std::uint64_t outputs = std::uint64_t{layout.outputsPerView} * viewCount;
  const std::uint64_t buckets = std::uint64_t{layout.bucketCount()} * viewCount;
  const auto ifWritten = [&](SluFlags bit, std::uint64_t bytes) { return (layout.outputs & bit) != 0 ? bytes : 0; };
  return {ifWritten(SLU_OUTPUT_INDICES_BIT, outputs * 4),
          ifWritten(SLU_OUTPUT_RECORDS_BIT, outputs * layout.recordStride),
          ifWritten(SLU_OUTPUT_DRAWS_BIT,
                    extent(buckets, std::uint64_t{layout.draw.stride} * 4, std::uint64_t{layout.draw.wordCount} * 4)),
          ifWritten(SLU_OUTPUT_DRAW_COUNTS_BIT, std::uint64_t{viewCount} * 4),
          ifWritten(SLU_OUTPUT_STATISTICS_BIT, std::uint64_t{viewCount} * sizeof(SluStatistics)),
          ifWritten(SLU_OUTPUT_BUCKET_COUNTS_BIT, buckets * sizeof(SluBucketCount))};
}

void checkFrame(const SluFrameInfo& info, const SluPlan_T& plan, Frame& frame) {
  const PlanLayout& layout = plan.layout;
  if (plan.route == SLU_ROUTE_CUDA) {
    checkChain(info.pNext, {SLU_STRUCTURE_TYPE_HANDOFF_INFO, SLU_STRUCTURE_TYPE_CUDA_PREDICATE_STATE}, "frame");
  } else if (plan.route == SLU_ROUTE_INLINE) {
    checkChain(info.pNext, {SLU_STRUCTURE_TYPE_CUDA_PREDICATE_STATE}, "frame");
  } else {
    checkChain(info.pNext, {}, "frame");
  }
  frame.pNext = info.pNext;
  frame.predicateState = checkPredicateState(info.pNext, layout.live.test, layout.predicate);
  require(info.recordCount <= layout.maxRecordCount, "frame.recordCount: is ", info.recordCount, ", must be at most ",
          layout.maxRecordCount, ", the plan's maxRecordCount");
  checkViews(info, layout, frame);
  frame.recordCount = info.recordCount;
  frame.viewCount = info.viewCount;
  const Slots slots = slotsOf(layout, info);
  for (const Slot& slot : slots) frame.*slot.bound = bind(slot, info.*slot.given, plan);
  checkOverlap(slots, frame, layout.inPlace);
}

}  // namespace slu
