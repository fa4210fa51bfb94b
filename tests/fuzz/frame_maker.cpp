#include "frame_maker.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "expect.h"
#include "pyramid_maker.h"

namespace slu::fuzz {
namespace {

std::uint64_t commandBytes(SluDrawType type) {
  return type == SLU_DRAW_INDEXED_INSTANCES ? 20 : type == SLU_DRAW_WORKGROUPS ? 12 : 16;
}

using F = SluFrameInfo;

constexpr std::uint32_t kMostRecords = 5000;

std::uint64_t extent(std::uint64_t count, std::uint64_t stride, std::uint64_t bytes) {
  return count == 0 ? 0 : (count - 1) * stride + bytes;
}

std::uint64_t flagBytes(SluLiveTest test, std::uint64_t count) {
  const std::uint64_t perWord = test == SLU_LIVE_FLAG_BITS ? 32 : test == SLU_LIVE_FLAG_BYTES ? 4 : 1;
  return (count + perWord - 1) / perWord * 4;
}

std::uint32_t lessThan(Choices& choices, std::uint64_t most) {
  return most == 0 ? 0 : choices.word() % static_cast<std::uint32_t>(std::min<std::uint64_t>(most, 0xffffffffu));
}

constexpr float kPerspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0.5f, 0};
constexpr float kOrthographic[16] = {0.05f, 0, 0, 0, 0, 0.05f, 0, 0, 0, 0, -0.02f, 0, 0, 0, 0.5f, 1};

SluView chooseView(Choices& choices, std::uint32_t lodCount, SluLodRule rule) {
  SluView view{};
  if (choices.chance(8)) {
    sluGetFrustumPlanes(kPerspective, view.planes);
  } else {
    for (int i = 0; i < 6; ++i) {
      view.planes[i][i / 2] = i % 2 == 0 ? 1.0f : -1.0f;
      view.planes[i][3] = static_cast<float>(choices.byte());
    }
  }
  for (float& value : view.eye) value = static_cast<float>(choices.byte());
  view.maxDistance = choices.pick({1000.0f, 10.0f, 1e18f});
  view.minDistance = choices.pick({0.0f, 5.0f});
  view.minSizeRatio = choices.pick({0.0f, 0.01f});
  float lodDistance = 0;
  for (std::uint32_t i = 0; i + 1 < lodCount && i < SLU_MAX_LODS - 1u; ++i) {
    lodDistance = std::max(lodDistance, static_cast<float>(i * (1 + choices.below(4)) + i));
    view.lodDistances[i] = lodDistance;
  }
  if (rule != SLU_LOD_VIEW_DISTANCES) view.lodRatio = choices.pick({1.0f, 0.01f, 2.0f});
  if (view.minDistance != 0.0f) view.flags = SLU_VIEW_ORTHOGRAPHIC_BIT;   // so that old inputs mean what they meant
  view.layerMask = static_cast<std::uint32_t>(view.eye[0]) * 0x1010101u;  // the same
  view.direction[2] = 1.0f;
  return view;
}

}  // namespace

Ranges rangesOf(const PlanFacts& plan, const SluFrameInfo& frame, const SluOcclusionInfo& occlusion) {
  const SluPlanCreateInfo& info = plan.info;
  const std::uint64_t views = frame.viewCount, records = frame.recordCount;
  const std::uint64_t outputs = plan.outputsPerView * views, buckets = plan.capacities.size() * views;
  const auto elements = [&](SluFlags indexed, std::uint32_t shared) {
    return (plan.indexedStreams() & indexed) != 0 ? std::uint64_t{shared} : records;
  };
  const std::uint64_t spheres = info.bounds.source == SLU_BOUNDS_PER_KEY
                                    ? info.key.keyCount
                                    : elements(SLU_INDEXED_BOUNDS_BIT, frame.boundsCount);
  const std::uint64_t states =
      plan.keepsLodStates() && records != 0 ? extent(views, std::uint64_t{info.maxRecordCount} * 4, records * 4) : 0;
  const std::uint64_t front = info.draws.flags >= SLU_DRAWS_FIRST_IN_FRONT_BIT ? 4 : 0;
  const std::uint64_t command = front + commandBytes(info.draws.type);
  const auto output = [&](const char* name, SluBinding F::*binding, SluFlags bit, std::uint64_t bytes) {
    return Range{name, binding, true, plan.writes(bit), plan.writes(bit) ? bytes : 0};
  };
  Ranges ranges = {
      Range{"liveCount", &F::liveCount, false, false, 4},
      Range{"records", &F::records, false, plan.readsRecords(), records * info.recordStride},
      Range{"bounds", &F::bounds, false, plan.readsBounds(),
            extent(spheres, info.bounds.stride, std::uint64_t{info.bounds.offset} + boundsBytes(info.bounds.shape))},
      Range{"transforms", &F::transforms, false, plan.readsTransforms(),
            extent(elements(SLU_INDEXED_TRANSFORMS_BIT, frame.transformCount), info.bounds.transformStride,
                   plan.transformEnd())},
      Range{"flags", &F::flags, false, plan.readsFlags(), flagBytes(plan.flagTest(), records)},
      Range{"layers", &F::layers, false, plan.readsLayers(),
            extent(elements(SLU_INDEXED_LAYERS_BIT, frame.layerCount), info.layers.stride, info.layers.offset + 4)},
      Range{"meshes", &F::meshes, false, plan.hasMeshes(), extent(frame.meshCount, info.meshes.stride, plan.meshEnd())},
      Range{"liveMeshCount", &F::liveMeshCount, false, false, 4},
      Range{"lastLodStates", &F::lastLodStates, false, false, states},
      output("indices", &F::indices, SLU_OUTPUT_INDICES_BIT, outputs * 4),
      output("keptRecords", &F::keptRecords, SLU_OUTPUT_RECORDS_BIT, outputs * info.recordStride),
      output("draws", &F::draws, SLU_OUTPUT_DRAWS_BIT,
             extent(plan.commandsPerView() * views, info.draws.stride, command)),
      output("drawCounts", &F::drawCounts, SLU_OUTPUT_DRAW_COUNTS_BIT, views * plan.drawCountsPerView() * 4),
      output("statistics", &F::statistics, SLU_OUTPUT_STATISTICS_BIT, views * sizeof(SluStatistics)),
      output("bucketCounts", &F::bucketCounts, SLU_OUTPUT_BUCKET_COUNTS_BIT, buckets * sizeof(SluBucketCount)),
      Range{"lodStates", &F::lodStates, true, plan.keepsLodStates(), states},
      output("rejects", &F::rejects, SLU_OUTPUT_REJECTS_BIT, views * plan.rejectCapacity() * 4),
      output("rejectCounts", &F::rejectCounts, SLU_OUTPUT_REJECT_COUNTS_BIT, views * sizeof(SluBucketCount))};
  for (std::size_t i = 0; i < SLU_MAX_STREAMS; ++i) {
    const bool isThere = i < plan.streams.size();
    const SluStream stream = isThere ? plan.streams[i] : SluStream{};
    const auto bytes = [&](std::uint64_t count, std::uint32_t stride) {
      return isThere ? extent(count, stride, stream.elementSize) : 0;
    };
    ranges[kStreamInputs + i] = {"stream", nullptr, false, isThere, bytes(records, stream.inputStride), i};
    ranges[kStreamOutputs + i] = {"kept stream", nullptr, true, isThere, bytes(outputs, stream.outputStride), i};
  }
  using O = SluOcclusionInfo;
  std::uint32_t phase;  // which may be no value of the enumeration
  std::memcpy(&phase, &occlusion.phase, sizeof(phase));
  const bool isTested = phase == SLU_OCCLUSION_SINGLE || phase == SLU_OCCLUSION_SECOND;
  const bool hasLast = phase == SLU_OCCLUSION_FIRST || phase == SLU_OCCLUSION_SECOND;
  const std::uint64_t bits =
      records == 0 ? 0 : extent(views, (std::uint64_t{info.maxRecordCount} + 31) / 32 * 4, (records + 31) / 32 * 4);
  const std::uint64_t pyramid = isTested ? pyramidBytes(occlusion.width, occlusion.height, occlusion.layerCount) : 0;
  ranges[kPyramid] = {"pyramid", nullptr, false, isTested, pyramid, 0, &O::pyramid};
  ranges[kLastVisible] = {"lastVisible", nullptr, false, false, hasLast ? bits : 0, 0, &O::lastVisible};
  ranges[kVisible] = {"visible", nullptr, true, isTested, isTested ? bits : 0, 0, &O::visible};
  return ranges;
}

SluBinding& FrameInput::bindingOf(const Range& range) {
  if (range.binding != nullptr) return info_.*range.binding;
  if (range.ofOcclusion != nullptr) return occlusion_.*range.ofOcclusion;
  return range.isOutput ? streams_[range.stream].output : streams_[range.stream].input;
}

const SluBinding& FrameInput::bindingOf(const Range& range) const {
  return const_cast<FrameInput&>(*this).bindingOf(range);
}

FrameInput::FrameInput(Choices& choices, World& world, const LoggedContext& context, const PlanFacts& plan,
                       SluBuffer foreign) {
  chooseCounts(choices, world, plan);
  chooseViews(choices, plan);
  chooseOcclusion(choices, plan);
  ranges_ = rangesOf(plan, info_, occlusion_);
  placeRanges(choices, world, context, plan);
  fill(choices);
  fillPyramid(choices);
  spoil(choices, foreign);
  ranges_ = rangesOf(plan, info_, occlusion_);
  shortenSoundCounts(world, plan);
  placeViews(choices);
  placeMorePlanes(choices);
  placeStreams(choices, plan);
  info_.pNext = structs_.chain(choices);
  placeOcclusion(choices);
  given_ = structs_.place(choices, info_);
}

void FrameInput::chooseCounts(Choices& choices, const World& world, const PlanFacts& plan) {
  info_.viewCount = 1 + choices.below(plan.info.maxViewCount);
  const std::uint32_t most = mostRecords(world, plan);
  info_.streamCount = static_cast<std::uint32_t>(plan.streams.size());
  info_.recordCount = std::min(most, choices.pick({10u, 0u, 1u, 31u, 32u, 33u, 100u, 257u, 4097u, most}));
  const auto count = [&](SluFlags bit) { return (plan.indexedStreams() & bit) != 0 ? info_.recordCount / 2 : 0; };
  info_.boundsCount = count(SLU_INDEXED_BOUNDS_BIT);
  info_.transformCount = count(SLU_INDEXED_TRANSFORMS_BIT);
  info_.layerCount = count(SLU_INDEXED_LAYERS_BIT);
  if (plan.keepsLodStates()) {
    info_.lodHysteresis = choices.pick({0.1f, 0.0f, 0.5f});
    info_.lodFadeStep = choices.byte();
  }
  if (!plan.hasMeshes()) return;
  const std::uint32_t mostMeshes =
      std::min(plan.info.key.keyCount, static_cast<std::uint32_t>(World::kMaxBlockBytes / 2 / plan.info.meshes.stride));
  info_.meshCount = choices.chance(4) ? choices.below(mostMeshes + 1) : mostMeshes;
}

std::uint32_t FrameInput::mostRecords(const World& world, const PlanFacts& plan) const {
  return std::min({plan.info.maxRecordCount, kMostRecords, world.mostTests() / std::max(info_.viewCount, 1u)});
}

// A plan that reads nothing of its records takes 2^31 of them, which is legal and lasts minutes.
void FrameInput::shortenSoundCounts(const World& world, const PlanFacts& plan) {
  if (info_.recordCount > plan.info.maxRecordCount || !isSound(plan)) return;
  info_.recordCount = std::min(info_.recordCount, mostRecords(world, plan));
  ranges_ = rangesOf(plan, info_, occlusion_);
}

void FrameInput::chooseViews(Choices& choices, const PlanFacts& plan) {
  if (!plan.hasViews()) return;
  for (std::uint32_t i = 0; i < info_.viewCount; ++i) {
    views_.push_back(chooseView(choices, plan.info.key.lodCount, plan.info.lod.rule));
  }
  if (choices.chance(2)) info_.viewStride = sizeof(SluView) + choices.below(3) * 4;
  if ((plan.info.cullFlags & SLU_CULL_MORE_PLANES_BIT) == 0) return;
  info_.morePlanesCount = choices.below(info_.viewCount + 1);
  for (std::uint32_t i = 0; i < info_.morePlanesCount; ++i) {
    SluMorePlanes& more = morePlanes_.emplace_back();
    const SluView view = chooseView(choices, plan.info.key.lodCount, plan.info.lod.rule);
    std::memcpy(more.planes, view.planes, sizeof(more.planes));
    more.view = choices.chance(1) ? choices.below(info_.viewCount + 1) : i;
    if (more.view >= views_.size() || views_[more.view].minSizeRatio == 0.0f) continue;
    views_[more.view].flags |= SLU_VIEW_EITHER_FRUSTUM_BIT;  // not by a choice, so that old inputs differ in this alone
  }
}

// Views get the planes of the matrices.
void FrameInput::chooseOcclusion(Choices& choices, const PlanFacts& plan) {
  if (!plan.testsOcclusion() || views_.empty()) return;
  occlusion_.phase = static_cast<SluOcclusionPhase>(choices.below(4));
  hasOcclusion_ = occlusion_.phase != 0;
  if (!hasOcclusion_) return;
  occlusion_.depthMargin = choices.pick({0.0f, 0.5f, 1e-5f});
  if (occlusion_.phase == SLU_OCCLUSION_FIRST) return;
  occlusion_.width = choices.pick({5u, 1u, 64u, 100u});
  occlusion_.height = choices.pick({3u, 1u, 64u, 81u});
  occlusion_.layerCount = 1 + choices.below(3);
  if (choices.chance(2)) occlusion_.viewStride = sizeof(SluOcclusionView) + choices.below(3) * 4;
  for (SluView& view : views_) {
    SluOcclusionView& own = occlusionViews_.emplace_back();
    std::copy_n(choices.chance(8) ? kOrthographic : kPerspective, 16, own.viewProjection);
    own.layer = choices.below(occlusion_.layerCount);
    own.flags = choices.below(2);
    if (occlusion_.phase == SLU_OCCLUSION_SINGLE && choices.chance(2)) own.flags |= SLU_OCCLUSION_EARLIER_BIT;
    sluGetFrustumPlanes(own.viewProjection, view.planes);
  }
}

// As many as viewCount says, where that is legal. A view in sixteen is mutated.
void FrameInput::placeViews(Choices& choices) {
  if (views_.empty() || choices.below(64) == 63) return;  // null
  const std::uint32_t count = info_.viewCount <= SLU_MAX_VIEWS ? info_.viewCount : 1;
  views_.resize(count, views_.front());
  for (SluView& view : views_) {
    if (choices.chance(1)) mutate(choices, &view, sizeof(view), {});
  }
  std::uint32_t stride = info_.viewStride == 0 ? std::uint32_t{sizeof(SluView)} : info_.viewStride;
  if (std::uint64_t{stride} * count > kLargestArray) stride = info_.viewStride = sizeof(SluView) + stride % 64;
  info_.views = structs_.array<SluView>(views_, std::max<std::size_t>(stride, sizeof(SluView)));
}

// Places more planes as placeViews places views.
void FrameInput::placeMorePlanes(Choices& choices) {
  if (morePlanes_.empty() || choices.below(64) == 63) return;  // null
  morePlanes_.resize(info_.morePlanesCount <= SLU_MAX_VIEWS ? info_.morePlanesCount : 1, morePlanes_.front());
  for (SluMorePlanes& more : morePlanes_) {
    if (choices.chance(1)) mutate(choices, &more, sizeof(more), {});
  }
  info_.morePlanes = structs_.array<SluMorePlanes>(morePlanes_, sizeof(SluMorePlanes));
}

// Places its views as placeViews places views, and chains it before what is chained.
void FrameInput::placeOcclusion(Choices& choices) {
  if (!hasOcclusion_) return;
  if (!occlusionViews_.empty() && choices.below(64) != 63) {
    const std::uint32_t count = info_.viewCount <= SLU_MAX_VIEWS ? info_.viewCount : 1;
    occlusionViews_.resize(count, occlusionViews_.front());
    for (SluOcclusionView& view : occlusionViews_) {
      if (choices.chance(1)) mutate(choices, &view, sizeof(view), {});
    }
    std::uint32_t stride = occlusion_.viewStride == 0 ? std::uint32_t{sizeof(SluOcclusionView)} : occlusion_.viewStride;
    if (std::uint64_t{stride} * count > kLargestArray) {
      stride = occlusion_.viewStride = sizeof(SluOcclusionView) + stride % 64;
    }
    occlusion_.views =
        structs_.array<SluOcclusionView>(occlusionViews_, std::max<std::size_t>(stride, sizeof(SluOcclusionView)));
  }
  occlusion_.pNext = info_.pNext;
  info_.pNext = structs_.place(choices, occlusion_);
}

// As many as the plan has. Bindings of them were spoiled before.
void FrameInput::placeStreams(Choices& choices, const PlanFacts& plan) {
  if (plan.streams.empty() || choices.below(64) == 63) return;  // null
  info_.streams =
      structs_.array<SluStreamBinding>(std::span(streams_).first(plan.streams.size()), sizeof(SluStreamBinding));
}

// One behind the other with gaps, in one to three buffers, each of which ends where its last range does.
void FrameInput::placeRanges(Choices& choices, World& world, const LoggedContext& context, const PlanFacts& plan) {
  const std::size_t bufferCount = 1 + choices.below(3);
  std::vector<std::uint64_t> ends(bufferCount, 0);
  std::array<std::size_t, kRangeCount> places{};
  for (std::size_t i = 0; i < kRangeCount; ++i) {
    const Range& range = ranges_[i];
    places[i] = bufferCount;
    const bool isOptional = i == kLiveCount || (i == kLiveMeshCount && plan.hasMeshes()) ||
                            (i == kLastLodStates && plan.keepsLodStates()) ||
                            (i == kLastVisible && hasOcclusion_ && occlusion_.phase != SLU_OCCLUSION_SINGLE);
    if (range.isNeeded ? range.bytes == 0 && choices.chance(8) : !isOptional || !choices.chance(4)) continue;
    places[i] = choices.below(static_cast<std::uint32_t>(bufferCount));
    std::uint64_t& end = ends[places[i]];
    end += choices.below(9) * 4;
    if (i == kPyramid) end = (end + 15) / 16 * 16;
    SluBinding& binding = bindingOf(range);
    binding.offset = end;
    end += range.bytes;
    if (i == kKeptRecords && plan.isInPlace() && choices.chance(8) && places[kRecords] < bufferCount) {
      places[i] = places[kRecords];
      binding.offset = info_.records.offset + choices.below(3) * 4;
      ends[places[i]] = std::max(ends[places[i]], binding.offset + range.bytes);
    }
  }
  if (choices.chance(1)) ends.front() -= std::min<std::uint64_t>(ends.front(), 4);  // a word short
  for (const std::uint64_t end : ends) buffers_.push_back(makeHostBuffer(world, context, end));
  for (std::size_t i = 0; i < kRangeCount; ++i) {
    if (places[i] < bufferCount) bindingOf(ranges_[i]).buffer = buffers_[places[i]].handle;
  }
}

// The kinds of bytes that records have: none set, small numbers, floats of a scene, or any; now and then an odd word.
void FrameInput::fill(Choices& choices) {
  const std::uint32_t kind = choices.below(5);
  std::uint32_t random = 1 + choices.byte();
  for (const HostBuffer& buffer : buffers_) {
    for (std::uint64_t at = 0; at + 4 <= buffer.block->size(); at += 4) {
      random = random * 1664525u + 1013904223u;
      const std::uint32_t high = random >> 20;
      std::uint32_t word = kind == 0 ? high % 5 : kind == 1 ? 0 : random;
      const float number = static_cast<float>(high % 64) - 16.0f;
      if (kind >= 3) std::memcpy(&word, &number, sizeof(word));
      if (kind == 4 && high % 16 == 0) word = random;
      std::memcpy(buffer.block->bytes() + at, &word, sizeof(word));
    }
  }
  for (std::uint32_t i = choices.below(8); i > 0; --i) {
    const Block& block = *buffers_[choices.below(static_cast<std::uint32_t>(buffers_.size()))].block;
    const std::uint32_t word = choices.number();
    std::memcpy(block.bytes() + lessThan(choices, block.size() / 4) * std::size_t{4}, &word, sizeof(word));
  }
  setCount(choices, kLiveCount, info_.recordCount);
  setCount(choices, kLiveMeshCount, info_.meshCount);
}

// A wall in each layer, of which the third one has holes, unless the words stay as they are.
void FrameInput::fillPyramid(Choices& choices) {
  std::uint8_t* pyramid = find(ranges_[kPyramid]);
  if (pyramid == nullptr || ranges_[kPyramid].bytes == 0 || choices.chance(2)) return;
  const float depth = choices.pick({0.25f, 0.05f, 0.5f, 1.0f, 0.0f});
  const std::uint64_t thirdLayer = pyramidBytes(occlusion_.width, occlusion_.height, 2);
  for (std::uint64_t at = SLU_PYRAMID_HEADER_WORDS * 4; at < ranges_[kPyramid].bytes; at += sizeof(depth)) {
    const float texel = at >= thirdLayer && at % 12 == 0 ? 1.0f - depth : depth;
    std::memcpy(pyramid + at, &texel, sizeof(texel));
  }
  const auto setWord = [&](std::size_t word, std::uint32_t value) {
    std::memcpy(pyramid + word * sizeof(value), &value, sizeof(value));
  };
  setWord(SLU_PYRAMID_WORD_VALID, SLU_PYRAMID_VALID);
  setWord(SLU_PYRAMID_WORD_WIDTH, occlusion_.width);
  setWord(SLU_PYRAMID_WORD_HEIGHT, occlusion_.height);
  setWord(SLU_PYRAMID_WORD_LAYERS, occlusion_.layerCount);
  setWord(SLU_PYRAMID_WORD_DIRECTION, choices.pick({SLU_DEPTH_REVERSED, SLU_DEPTH_FORWARD, 2u}));
}

void FrameInput::setCount(Choices& choices, RangeIndex range, std::uint32_t most) {
  std::uint8_t* count = find(ranges_[range]);
  if (count == nullptr) return;
  const std::uint32_t live = choices.chance(4) ? choices.number() : lessThan(choices, most + 1u);
  std::memcpy(count, &live, sizeof(live));
}

// One frame in four has a fault.
void FrameInput::spoil(Choices& choices, SluBuffer foreign) {
  if (!choices.chance(4)) return;
  if (hasOcclusion_ && choices.chance(4)) {
    // The first two words stay: the struct must not be read as another one, which may have other pointers.
    mutate(choices, &occlusion_, sizeof(occlusion_),
           {offsetof(SluOcclusionInfo, sType), offsetof(SluOcclusionInfo, views), offsetof(SluOcclusionInfo, pyramid),
            offsetof(SluOcclusionInfo, lastVisible), offsetof(SluOcclusionInfo, visible)});
    return;
  }
  if (choices.chance(8)) {
    constexpr std::size_t kFirst = offsetof(F, liveCount);
    mutate(choices, &info_, sizeof(info_),
           {offsetof(F, views),
            offsetof(F, morePlanes),
            kFirst,
            kFirst + 16,
            kFirst + 32,
            kFirst + 48,
            kFirst + 64,
            kFirst + 80,
            kFirst + 96,
            kFirst + 112,
            kFirst + 128,
            kFirst + 144,
            kFirst + 160,
            kFirst + 176,
            kFirst + 192,
            kFirst + 208,
            offsetof(F, layers),
            offsetof(F, lastLodStates),
            offsetof(F, lodStates),
            offsetof(F, streams),
            offsetof(F, rejects),
            offsetof(F, rejectCounts)});
    return;
  }
  const std::uint32_t rangeCount = hasOcclusion_ ? kRangeCount : info_.streamCount == 0 ? kStreamInputs : kPyramid;
  SluBinding& binding = bindingOf(ranges_[choices.below(rangeCount)]);
  const SluBinding& other = bindingOf(ranges_[choices.below(rangeCount)]);
  switch (choices.below(4)) {
    case 0:
      binding = other;
      break;
    case 1:
      binding.buffer = nullptr;
      break;
    case 2:
      binding.buffer = foreign;
      break;
    default:
      binding.offset += choices.pick({4u, 8u, 1u, 0xfffffffcu});
  }
}

std::uint8_t* FrameInput::find(const Range& range) const { return findBytes(buffers_, bindingOf(range), range.bytes); }

bool FrameInput::isSound(const PlanFacts& plan) const {
  for (std::size_t i = 0; i < kRangeCount; ++i) {
    const Range& range = ranges_[i];
    const std::uint8_t* bytes = find(range);
    const bool isBound = bindingOf(range).buffer != nullptr;
    if (isBound ? bytes == nullptr : range.isNeeded && range.bytes != 0) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const Range& earlier = ranges_[j];
      const std::uint8_t* others = find(earlier);
      if (!range.isOutput || bytes == nullptr || others == nullptr || range.bytes == 0 || earlier.bytes == 0) continue;
      if (i == kKeptRecords && j == kRecords && plan.isInPlace()) continue;
      if (bytes < others + earlier.bytes && others < bytes + range.bytes) return false;
    }
  }
  return true;
}

std::vector<Part> FrameInput::parts(const PlanFacts& plan) const {
  std::vector<Part> parts;
  if (!isSound(plan)) return parts;
  for (const Range& range : ranges_) {
    if (std::uint8_t* bytes = find(range)) parts.push_back({bytes, range.bytes, range.isOutput});
  }
  return parts;
}

}  // namespace slu::fuzz
