#include "api/frame_checks.h"

#include <sluice/culling.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "api/objects.h"
#include "api/route_table.h"
#include "base/structs.h"
#include "plan/extents.h"
#include "plan/occlusion.h"
#include "plan/predicate_checks.h"
#include "plan/pyramid.h"
#include "plan/stream_fields.h"
#include "plan/views.h"

namespace slu {
namespace {

enum class Presence { ignored, unused, optional, needed };

// A binding of a frame: where it is given, where it goes, and what it must fulfil.
struct Slot {
  const char* field;
  SluBinding SluFrameInfo::*given;
  Binding Frame::*bound;
  Use use;
  Presence presence;
  std::uint64_t bytes;
  std::uint32_t alignment = 4;
};

constexpr std::size_t kSlotCount = 19;
constexpr std::size_t kOcclusionSlots = 3;
using Slots = std::array<Slot, kSlotCount>;

// What any device aligns uniform buffers to.
constexpr std::uint32_t kTransientAlignment = 256;

Slots slotsOf(const SluPlan_T& plan, const SluFrameInfo& info) {
  const PlanLayout& layout = plan.layout;
  const std::uint64_t transientBytes = plan.routePlan->transientBytes(info.viewCount);
  using F = SluFrameInfo;
  const OutputBytes bytes = outputBytes(layout, info.viewCount);
  const std::uint64_t stateBytes = lodStateBytes(layout, info.recordCount, info.viewCount);
  const auto elements = [&](SluFlags indexed, std::uint32_t count) {
    return (layout.indices.streams & indexed) != 0 ? count : info.recordCount;
  };
  const auto neededIf = [](bool condition) { return condition ? Presence::needed : Presence::unused; };
  const auto output = [&](const char* field, SluBinding F::*given, Binding Frame::*bound, SluFlags bit,
                          std::uint64_t byteCount) {
    const bool isDraw = (bit & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0;
    return Slot{
        field,    given, bound, isDraw ? Use::drawArguments : Use::output, neededIf((layout.outputs & bit) != 0),
        byteCount};
  };
  return {Slot{"frame.transient", &F::transient, &Frame::transient, Use::transient,
               transientBytes == 0 ? Presence::ignored : Presence::optional, transientBytes, kTransientAlignment},
          Slot{"frame.liveCount", &F::liveCount, &Frame::liveCount, Use::input, Presence::optional, 4},
          Slot{"frame.records", &F::records, &Frame::records, layout.inPlace ? Use::copiedInput : Use::input,
               neededIf(layout.readsRecords()), std::uint64_t{info.recordCount} * layout.recordStride},
          Slot{"frame.bounds", &F::bounds, &Frame::bounds, Use::input, neededIf(layout.readsBounds()),
               boundsBytes(layout, elements(SLU_INDEXED_BOUNDS_BIT, info.boundsCount))},
          Slot{"frame.transforms", &F::transforms, &Frame::transforms, Use::input, neededIf(layout.readsTransforms()),
               transformBytes(layout, elements(SLU_INDEXED_TRANSFORMS_BIT, info.transformCount))},
          Slot{"frame.flags", &F::flags, &Frame::flags, Use::input, neededIf(layout.readsFlags()),
               flagBytes(layout.flagTest, info.recordCount)},
          Slot{"frame.layers", &F::layers, &Frame::layers, Use::input, neededIf(layout.readsLayers()),
               layerBytes(layout, elements(SLU_INDEXED_LAYERS_BIT, info.layerCount))},
          Slot{"frame.meshes", &F::meshes, &Frame::meshes, Use::input, neededIf(layout.hasMeshes()),
               meshBytes(layout, info.meshCount)},
          Slot{"frame.liveMeshCount", &F::liveMeshCount, &Frame::liveMeshCount, Use::input,
               layout.hasMeshes() ? Presence::optional : Presence::unused, 4},
          Slot{"frame.lastLodStates", &F::lastLodStates, &Frame::lastLodStates, Use::input,
               layout.keepsLodStates() ? Presence::optional : Presence::unused, stateBytes},
          output("frame.indices", &F::indices, &Frame::indices, SLU_OUTPUT_INDICES_BIT, bytes.indices),
          output("frame.keptRecords", &F::keptRecords, &Frame::keptRecords, SLU_OUTPUT_RECORDS_BIT, bytes.keptRecords),
          output("frame.draws", &F::draws, &Frame::draws, SLU_OUTPUT_DRAWS_BIT, bytes.draws),
          output("frame.drawCounts", &F::drawCounts, &Frame::drawCounts, SLU_OUTPUT_DRAW_COUNTS_BIT, bytes.drawCounts),
          output("frame.statistics", &F::statistics, &Frame::statistics, SLU_OUTPUT_STATISTICS_BIT, bytes.statistics),
          output("frame.bucketCounts", &F::bucketCounts, &Frame::bucketCounts, SLU_OUTPUT_BUCKET_COUNTS_BIT,
                 bytes.bucketCounts),
          Slot{"frame.lodStates", &F::lodStates, &Frame::lodStates, Use::output, neededIf(layout.keepsLodStates()),
               stateBytes},
          output("frame.rejects", &F::rejects, &Frame::rejects, SLU_OUTPUT_REJECTS_BIT, bytes.rejects),
          output("frame.rejectCounts", &F::rejectCounts, &Frame::rejectCounts, SLU_OUTPUT_REJECT_COUNTS_BIT,
                 bytes.rejectCounts)};
}

// Returns a binding of a further stream or of a chained struct that is needed. A slot of its own has no place in SluFrameInfo.
Slot streamSlot(const char* field, Use use, std::uint64_t bytes) {
  return {field, nullptr, nullptr, use, Presence::needed, bytes};
}

Binding bind(const Slot& slot, const SluBinding& given, const SluPlan_T& plan) {
  if (slot.presence == Presence::ignored) return {};
  if (given.buffer == nullptr) {
    require(slot.presence != Presence::needed || slot.bytes == 0, slot.field,
            ": is not bound, and the plan needs it; give it a buffer");
    return {};
  }
  require(slot.presence != Presence::unused, slot.field, ": is bound, and the plan does not use it; leave it zero");
  return bindPart({slot.field, slot.use, slot.bytes, slot.alignment}, given, *plan.state, plan.route, "plan");
}

// That there is a place for the frame's data, which dynamic offsets reach.
void checkTransient(const SluFrameInfo& info, const SluPlan_T& plan) {
  const std::uint64_t bytes = plan.routePlan->transientBytes(info.viewCount);
  if (bytes == 0) return;
  require(
      info.transient.buffer != nullptr || plan.layout.framesInFlight != 0,
      "frame.transient: is not bound, and plan.framesInFlight is 0; bind memory for the frame's data, or create the "
      "plan with the number of its frames that may be in flight");
  require(info.transient.offset <= UINT32_MAX - bytes, "frame.transient.offset: is ", info.transient.offset,
          ", must be below 2^32, as the end of its ", bytes, " bytes must be");
}

void checkReserved(const SluFrameInfo& info) {
  require(info.reserved == 0, "frame.reserved: is ", info.reserved, ", must be 0");
  require(info.reserved1 == 0, "frame.reserved1: is ", info.reserved1, ", must be 0");
  require(info.reserved2 == 0, "frame.reserved2: is ", info.reserved2, ", must be 0");
  require(info.reserved3 == 0, "frame.reserved3: is ", info.reserved3, ", must be 0");
}

// Of streams that records share.
void checkElementCounts(const SluFrameInfo& info, const PlanLayout& layout) {
  const auto check = [&](SluFlags bit, std::uint32_t count, const char* field, const char* name) {
    require((layout.indices.streams & bit) != 0 || count == 0, field, ": is ", count,
            ", must be 0 unless the plan reads the stream by ", name, " in plan.indices.streams");
  };
  check(SLU_INDEXED_BOUNDS_BIT, info.boundsCount, "frame.boundsCount", "SLU_INDEXED_BOUNDS_BIT");
  check(SLU_INDEXED_TRANSFORMS_BIT, info.transformCount, "frame.transformCount", "SLU_INDEXED_TRANSFORMS_BIT");
  check(SLU_INDEXED_LAYERS_BIT, info.layerCount, "frame.layerCount", "SLU_INDEXED_LAYERS_BIT");
}

void readLodStates(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame) {
  constexpr std::uint32_t kMostFade = 255;
  if (!layout.keepsLodStates()) {
    require(info.lodHysteresis == 0.0f, "frame.lodHysteresis: is ", info.lodHysteresis,
            ", must be 0 without SLU_LOD_STATES_BIT in plan.lod.flags");
    require(info.lodFadeStep == 0, "frame.lodFadeStep: is ", info.lodFadeStep,
            ", must be 0 without SLU_LOD_STATES_BIT in plan.lod.flags");
    return;
  }
  require(info.lodHysteresis >= 0.0f && info.lodHysteresis <= 0.5f, "frame.lodHysteresis: is ", info.lodHysteresis,
          ", must be from 0 to 0.5");
  require(info.lodFadeStep <= kMostFade, "frame.lodFadeStep: is ", info.lodFadeStep, ", must be at most ", kMostFade);
  frame.lodFadeStep = info.lodFadeStep;
  frame.lodLeast2 = sluSquare(sluSub(1.0f, info.lodHysteresis));
  frame.lodMost2 = sluSquare(sluAdd(1.0f, info.lodHysteresis));
}

void checkMeshCount(const SluFrameInfo& info, const PlanLayout& layout) {
  if (!layout.hasMeshes()) {
    require(info.meshCount == 0, "frame.meshCount: is ", info.meshCount, ", must be 0 without plan.meshes");
    return;
  }
  require(info.meshCount <= layout.key.keyCount, "frame.meshCount: is ", info.meshCount, ", must be at most ",
          layout.key.keyCount, ", the plan's keyCount");
}

// A part of a buffer that the frame reads or writes.
struct BoundRange {
  const char* field;
  const Binding* binding;
  bool isOutput;
};

// The ranges of a frame, inputs and outputs in any order.
class BoundRanges {
 public:
  void add(const char* field, const Binding& binding, Use use) {
    if (binding) ranges_[count_++] = {field, &binding, use == Use::output || use == Use::drawArguments};
  }
  std::span<const BoundRange> get() const { return std::span(ranges_).first(count_); }

 private:
  std::array<BoundRange, kSlotCount + kOcclusionSlots + 2 * SLU_MAX_STREAMS> ranges_;
  std::size_t count_ = 0;
};

// Addresses of different buffers can be compared, and offsets into one and the same VkBuffer.
bool areComparable(const Binding& a, const Binding& b) {
  return a.buffer->address != 0 || a.buffer->vulkanBuffer() == b.buffer->vulkanBuffer();
}

const char* overlapRemedy(const BoundRange& a, const BoundRange& b, const Frame& frame) {
  if (a.binding == &frame.liveCount || a.binding == &frame.liveMeshCount) {
    return "a frame cannot write the count that it reads: bind another place";
  }
  const bool isInPlace = a.binding == &frame.records && b.binding == &frame.keptRecords;
  return isInPlace ? "SLU_PLAN_IN_PLACE_BIT in plan.flags allows that" : "bind another place";
}

void checkApart(const BoundRange& a, const BoundRange& b, const Frame& frame) {
  const Binding &boundA = *a.binding, &boundB = *b.binding;
  require(!shareBytes(boundA, boundB), b.field, ": its ", boundB.bytes, " bytes overlap the ", boundA.bytes,
          " bytes of ", a.field, "; ", overlapRemedy(a, b, frame));
}

// No output shares a byte with another binding, except that records may be compacted in place.
void checkOverlap(std::span<const BoundRange> ranges, const Frame& frame, bool inPlace) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      const bool isInOrder = ranges[j].isOutput;  // the sentence is about an output
      const BoundRange& a = isInOrder ? ranges[i] : ranges[j];
      const BoundRange& b = isInOrder ? ranges[j] : ranges[i];
      const bool declared = inPlace && a.binding == &frame.records && b.binding == &frame.keptRecords;
      if (b.isOutput && !declared) checkApart(a, b, frame);
    }
  }
}

void bindStreams(const SluFrameInfo& info, const SluPlan_T& plan, Frame& frame, BoundRanges& ranges) {
  const std::vector<SluStream>& streams = plan.layout.streams;
  require(info.streamCount == streams.size(), "frame.streamCount: is ", info.streamCount, ", must be ", streams.size(),
          ", the plan's streamCount");
  require((info.streams != nullptr) == !streams.empty(), "frame.streams: is ",
          streams.empty() ? "set, and plan.streamCount is 0" : "null, and plan.streamCount is not 0");
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    const Slot input = streamSlot(kStreamInputs[i], Use::input, streamInputBytes(streams[i], info.recordCount));
    const Slot output =
        streamSlot(kStreamOutputs[i], Use::output, streamOutputBytes(plan.layout, streams[i], info.viewCount));
    frame.streams[i] = {bind(input, info.streams[i].input, plan), bind(output, info.streams[i].output, plan)};
    ranges.add(input.field, frame.streams[i].input, input.use);
    ranges.add(output.field, frame.streams[i].output, output.use);
  }
}

void bindOcclusion(const SluOcclusionInfo* chained, const SluFrameInfo& info, const SluPlan_T& plan, Frame& frame,
                   BoundRanges& ranges) {
  if (chained == nullptr) return;
  const SluOcclusionInfo occlusion = checkOcclusion(chained, info, plan.layout, frame);
  const bool isTested = sluReadsVisible(frame.occlusionPhase);
  const bool hasLast = frame.occlusionPhase != SLU_OCCLUSION_SINGLE;
  const std::uint64_t bytes = visibilityBytes(plan.layout, info.recordCount, info.viewCount);
  const std::uint64_t pyramid = isTested ? pyramidBytes(occlusion.width, occlusion.height, occlusion.layerCount) : 0;
  const auto bindSlot = [&](const Slot& slot, const SluBinding& given, Binding Frame::*bound) {
    frame.*bound = bind(slot, given, plan);
    ranges.add(slot.field, frame.*bound, slot.use);
  };
  bindSlot(
      {"occlusion.pyramid", nullptr, nullptr, Use::input, isTested ? Presence::needed : Presence::unused, pyramid, 16},
      occlusion.pyramid, &Frame::pyramid);
  bindSlot(
      {"occlusion.lastVisible", nullptr, nullptr, Use::input, hasLast ? Presence::optional : Presence::unused, bytes},
      occlusion.lastVisible, &Frame::lastVisible);
  bindSlot({"occlusion.visible", nullptr, nullptr, Use::output, isTested ? Presence::needed : Presence::unused, bytes},
           occlusion.visible, &Frame::visible);
}

// The structs that a frame chains, each null if it is not there.
struct FrameChain {
  const void* handoff = nullptr;
  const SluPredicateState* predicateState = nullptr;
  const SluOcclusionInfo* occlusion = nullptr;
};

FrameChain readChain(const void* pNext, std::span<const SluStructureType> allowed) {
  std::array<const void*, 3> found{};
  checkChain(pNext, allowed, "frame", std::span(found).first(allowed.size()));
  FrameChain chain;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] == SLU_STRUCTURE_TYPE_HANDOFF_INFO) chain.handoff = found[i];
    if (allowed[i] == SLU_STRUCTURE_TYPE_PREDICATE_STATE) {
      chain.predicateState = static_cast<const SluPredicateState*>(found[i]);
    }
    if (allowed[i] == SLU_STRUCTURE_TYPE_OCCLUSION_INFO) {
      chain.occlusion = static_cast<const SluOcclusionInfo*>(found[i]);
    }
  }
  return chain;
}

}  // namespace

Binding bindPart(const Part& part, const SluBinding& given, const ContextState& state, SluRoute route,
                 const char* owner) {
  const SluBuffer_T& buffer = *given.buffer;
  require(buffer.state.get() == &state, part.field, ".buffer: belongs to another context than the ", owner);
  require(given.offset % part.alignment == 0, part.field, ".offset: is ", given.offset, ", must be a multiple of ",
          part.alignment);
  require(given.offset <= buffer.size && part.bytes <= buffer.size - given.offset, part.field, ": needs ", part.bytes,
          " bytes at offset ", given.offset, ", the buffer has ", buffer.size);
  const RouteBuffer* attached = buffer.attachments[route].get();
  require(attached != nullptr, part.field, ".buffer: cannot be used on the ", sluGetRouteName(route),
          " route: ", rowOf(route).whyNotAttached);
  state.routes[route]->checkUse(*attached, part.use, part.field);
  return {attached, given.offset, attached->address + given.offset, part.bytes};
}

bool shareBytes(const Binding& a, const Binding& b) {
  return areComparable(a, b) && a.bytes != 0 && b.bytes != 0 && a.address + a.bytes > b.address &&
         b.address + b.bytes > a.address;
}

void checkFrame(const SluFrameInfo& info, const SluPlan_T& plan, void* target, Frame& frame) {
  const PlanLayout& layout = plan.layout;
  const FrameChain chain = readChain(info.pNext, rowOf(plan.route).frameChain);
  frame.predicateState = checkPredicateState(chain.predicateState, layout.live.test, layout.predicate);
  require(info.recordCount <= layout.maxRecordCount, "frame.recordCount: is ", info.recordCount, ", must be at most ",
          layout.maxRecordCount, ", the plan's maxRecordCount");
  checkReserved(info);
  checkMeshCount(info, layout);
  checkElementCounts(info, layout);
  checkViews(info, layout, frame);
  frame.recordCount = info.recordCount;
  frame.meshCount = info.meshCount;
  frame.boundsCount = info.boundsCount;
  frame.transformCount = info.transformCount;
  frame.layerCount = info.layerCount;
  frame.viewCount = info.viewCount;
  readLodStates(info, layout, frame);
  checkTransient(info, plan);
  BoundRanges ranges;
  for (const Slot& slot : slotsOf(plan, info)) {
    frame.*slot.bound = bind(slot, info.*slot.given, plan);
    ranges.add(slot.field, frame.*slot.bound, slot.use);
  }
  bindStreams(info, plan, frame, ranges);
  bindOcclusion(chain.occlusion, info, plan, frame, ranges);
  checkOverlap(ranges.get(), frame, layout.inPlace);
  if (chain.handoff != nullptr) frame.handoff = plan.state->routes[plan.route]->checkHandoff(chain.handoff, target);
}

}  // namespace slu
