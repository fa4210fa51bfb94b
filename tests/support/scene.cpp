#include "scene.h"

#include <cstddef>
#include <cstring>

namespace slu::test {
namespace {

// Elements `stride` apart with a pattern between them that no reader may take for data.
template <typename Element>
Bytes spread(const std::vector<Element>& elements, std::uint32_t stride) {
  Bytes bytes(elements.size() * stride, 0xa5);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::memcpy(bytes.data() + i * stride, &elements[i], sizeof(Element));
  }
  return bytes;
}

template <typename Value>
void append(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

SluLive PlanSpec::recordTest() const {
  for (const SluLive& live : {info.live, info.secondLive}) {
    if (live.test < SLU_LIVE_FLAG_BITS || live.test > SLU_LIVE_FLAG_WORDS) {
      if (live.test != SLU_LIVE_ALWAYS) return live;
    }
  }
  return {};
}

SluLiveTest PlanSpec::flagTest() const {
  for (const SluLiveTest test : {info.live.test, info.secondLive.test}) {
    if (test >= SLU_LIVE_FLAG_BITS && test <= SLU_LIVE_FLAG_WORDS) return test;
  }
  return SLU_LIVE_ALWAYS;
}

bool PlanSpec::readsRecords() const {
  return writes(SLU_OUTPUT_RECORDS_BIT) || recordTest().test != SLU_LIVE_ALWAYS ||
         (testsBounds() && info.bounds.source == SLU_BOUNDS_IN_RECORD) || (isMoved() && !readsTransforms()) ||
         (hasLayers() && !readsLayers()) || keyCount() > 1 || indexedStreams() != 0;
}

std::uint64_t PlanSpec::outputsPerView() const {
  if (isPacked()) return info.capacity == 0 ? info.maxRecordCount : info.capacity;
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < bucketCount(); ++i) sum += capacity(i);
  return sum;
}

std::string PlanSpec::key() const {
  std::string key;
  append(key, info.pNext);
  append(key, info.order);
  append(key, info.flags);
  append(key, info.recordStride);
  append(key, info.maxRecordCount);
  append(key, info.maxViewCount);
  append(key, info.live);
  append(key, info.secondLive);
  append(key, info.liveMask);
  append(key, info.liveValue);
  append(key, info.cullFlags);
  append(key, info.bounds);
  append(key, info.key);
  append(key, info.lod);
  append(key, info.meshes);
  append(key, info.layers);
  append(key, info.cones);
  append(key, info.indices);
  append(key, info.bucketStride);
  append(key, info.outputs);
  append(key, info.draws);
  append(key, info.placement);
  append(key, info.capacity);
  append(key, info.groups);
  for (const std::uint32_t group : groups) append(key, group);
  append(key, info.zeroCommandCount);
  append(key, info.rejects);
  for (const SluBucket& bucket : buckets) append(key, bucket);
  for (const SluStream& stream : streams) append(key, stream);
  return key;
}

PlanArguments::PlanArguments(const PlanSpec& plan, SluRoute route) : info_(plan.info), streams_(plan.streams) {
  const std::uint32_t stride = info_.bucketStride == 0 ? sizeof(SluBucket) : info_.bucketStride;
  buckets_ = spread(plan.buckets, stride);
  info_.route = route;
  info_.bucketCount = static_cast<std::uint32_t>(plan.buckets.size());
  info_.groups.ofBuckets = plan.groups.empty() ? nullptr : plan.groups.data();
  info_.buckets = plan.buckets.empty() ? nullptr : reinterpret_cast<const SluBucket*>(buckets_.data());
  info_.streamCount = static_cast<std::uint32_t>(streams_.size());
  info_.streams = streams_.empty() ? nullptr : streams_.data();
}

FrameArguments::FrameArguments(const FrameSpec& frame, const std::function<SluBuffer(std::uint32_t)>& bufferOf)
    : info_(SLU_INIT(FRAME_INFO, SluFrameInfo)), occlusion_(SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo)) {
  views_ = spread(frame.views, frame.viewStride == 0 ? sizeof(SluView) : frame.viewStride);
  info_.pNext = frame.pNext;
  info_.recordCount = frame.recordCount;
  info_.meshCount = frame.meshCount;
  info_.boundsCount = frame.elements.bounds;
  info_.transformCount = frame.elements.transforms;
  info_.layerCount = frame.elements.layers;
  info_.viewCount = frame.viewCount;
  info_.viewStride = frame.viewStride;
  info_.views = frame.views.empty() ? nullptr : reinterpret_cast<const SluView*>(views_.data());
  info_.morePlanes = frame.morePlanes.empty() ? nullptr : frame.morePlanes.data();
  info_.morePlanesCount = static_cast<std::uint32_t>(frame.morePlanes.size());
  const auto bind = [&](const Place& place) {
    return place ? SluBinding{bufferOf(place.memory), place.offset} : SluBinding{};
  };
  info_.liveCount = bind(frame.liveCount);
  info_.records = bind(frame.records);
  info_.bounds = bind(frame.bounds);
  info_.transforms = bind(frame.transforms);
  info_.flags = bind(frame.flags);
  info_.layers = bind(frame.layers);
  info_.meshes = bind(frame.meshes);
  info_.liveMeshCount = bind(frame.liveMeshCount);
  info_.indices = bind(frame.indices);
  info_.keptRecords = bind(frame.keptRecords);
  info_.draws = bind(frame.draws);
  info_.drawCounts = bind(frame.drawCounts);
  info_.statistics = bind(frame.statistics);
  info_.bucketCounts = bind(frame.bucketCounts);
  info_.lastLodStates = bind(frame.lastLodStates);
  info_.lodStates = bind(frame.lodStates);
  info_.rejects = bind(frame.rejects);
  info_.rejectCounts = bind(frame.rejectCounts);
  for (const StreamPlaces& stream : frame.streams) streams_.push_back({bind(stream.input), bind(stream.output)});
  info_.streamCount = static_cast<std::uint32_t>(streams_.size());
  info_.streams = streams_.empty() ? nullptr : streams_.data();
  const OcclusionSpec& occlusion = frame.occlusion;
  if (occlusion.phase != 0) {
    occlusionViews_ =
        spread(occlusion.views, occlusion.viewStride == 0 ? sizeof(SluOcclusionView) : occlusion.viewStride);
    occlusion_.pNext = info_.pNext;
    occlusion_.phase = static_cast<SluOcclusionPhase>(occlusion.phase);
    occlusion_.viewStride = occlusion.viewStride;
    occlusion_.views =
        occlusion.views.empty() ? nullptr : reinterpret_cast<const SluOcclusionView*>(occlusionViews_.data());
    occlusion_.width = occlusion.width;
    occlusion_.height = occlusion.height;
    occlusion_.layerCount = occlusion.layerCount;
    occlusion_.depthMargin = occlusion.depthMargin;
    if (occlusion.findsVisible()) occlusion_.pyramid = bind(frame.pyramid);
    if (occlusion.isOfTwo()) occlusion_.lastVisible = bind(frame.lastVisible);
    if (occlusion.findsVisible()) occlusion_.visible = bind(frame.visible);
    info_.pNext = &occlusion_;
  }
  info_.lodHysteresis = frame.lodHysteresis;
  info_.lodFadeStep = frame.lodFadeStep;
}

std::uint64_t streamInputBytes(const SluStream& stream, std::uint32_t recordCount) {
  return recordCount == 0 ? 0 : std::uint64_t{recordCount - 1} * inputStride(stream) + stream.elementSize;
}

std::uint64_t streamOutputBytes(const PlanSpec& plan, const SluStream& stream, std::uint32_t viewCount) {
  const std::uint64_t outputs = viewCount * plan.outputsPerView();
  return outputs == 0 ? 0 : (outputs - 1) * outputStride(stream) + stream.elementSize;
}

std::vector<Region> outputRegions(const PlanSpec& plan, std::uint32_t viewCount) {
  const std::uint64_t outputs = viewCount * plan.outputsPerView();
  const std::uint64_t buckets = std::uint64_t{viewCount} * plan.bucketCount();
  std::vector<Region> regions;
  const auto add = [&](SluFlags output, const char* name, Place FrameSpec::*place, std::uint64_t bytes) {
    if (plan.writes(output)) regions.push_back({name, place, bytes});
  };
  add(SLU_OUTPUT_INDICES_BIT, "indices", &FrameSpec::indices, outputs * 4);
  add(SLU_OUTPUT_RECORDS_BIT, "keptRecords", &FrameSpec::keptRecords, outputs * plan.info.recordStride);
  const std::uint64_t commands = viewCount * plan.commandsPerView();
  add(SLU_OUTPUT_DRAWS_BIT, "draws", &FrameSpec::draws, (commands - 1) * plan.info.draws.stride + plan.commandBytes());
  add(SLU_OUTPUT_DRAW_COUNTS_BIT, "drawCounts", &FrameSpec::drawCounts,
      std::uint64_t{viewCount} * plan.drawCountsPerView() * 4);
  add(SLU_OUTPUT_STATISTICS_BIT, "statistics", &FrameSpec::statistics, viewCount * sizeof(SluStatistics));
  add(SLU_OUTPUT_BUCKET_COUNTS_BIT, "bucketCounts", &FrameSpec::bucketCounts, buckets * sizeof(SluBucketCount));
  const std::uint64_t states = std::uint64_t{viewCount} * plan.info.maxRecordCount;
  if (plan.keepsLodStates()) regions.push_back({"lodStates", &FrameSpec::lodStates, states * 4});
  if (plan.testsOcclusion()) {
    regions.push_back({"visible", &FrameSpec::visible, std::uint64_t{viewCount} * plan.visibleStride() * 4});
  }
  add(SLU_OUTPUT_REJECTS_BIT, "rejects", &FrameSpec::rejects, std::uint64_t{viewCount} * plan.rejectCapacity() * 4);
  add(SLU_OUTPUT_REJECT_COUNTS_BIT, "rejectCounts", &FrameSpec::rejectCounts, viewCount * sizeof(SluBucketCount));
  return regions;
}

std::vector<Region> inputRegions(const PlanSpec& plan, std::uint32_t recordCount, const ElementCounts& elements) {
  std::vector<Region> regions;
  const std::uint64_t count = recordCount;
  const auto elementCount = [&](SluFlags indexed, std::uint32_t shared) {
    return (plan.indexedStreams() & indexed) != 0 ? std::uint64_t{shared} : count;
  };
  if (plan.readsRecords()) regions.push_back({"records", &FrameSpec::records, count * plan.info.recordStride});
  if (plan.readsBounds()) {
    const SluBounds& bounds = plan.info.bounds;
    const std::uint64_t boundsCount =
        bounds.source == SLU_BOUNDS_PER_KEY ? plan.keyCount() : elementCount(SLU_INDEXED_BOUNDS_BIT, elements.bounds);
    std::uint64_t constantBytes = std::uint64_t{bounds.offset} + boundsBytes(bounds.shape);
    if (plan.testsCones()) constantBytes = std::max(constantBytes, std::uint64_t{plan.info.cones.offset} + kConeBytes);
    const bool isConstant = bounds.source == SLU_BOUNDS_CONSTANT;
    regions.push_back({"bounds", &FrameSpec::bounds, isConstant ? constantBytes : boundsCount * bounds.stride});
  }
  if (plan.readsTransforms()) {
    const std::uint64_t transformCount = elementCount(SLU_INDEXED_TRANSFORMS_BIT, elements.transforms);
    regions.push_back({"transforms", &FrameSpec::transforms, transformCount * plan.info.bounds.transformStride});
  }
  if (plan.readsLayers()) {
    const std::uint64_t layerCount = elementCount(SLU_INDEXED_LAYERS_BIT, elements.layers);
    regions.push_back({"layers", &FrameSpec::layers, layerCount * plan.info.layers.stride});
  }
  if (plan.readsFlags()) {
    const std::uint64_t bits = plan.flagTest() == SLU_LIVE_FLAG_BITS    ? 1
                               : plan.flagTest() == SLU_LIVE_FLAG_BYTES ? 8
                                                                        : 32;
    regions.push_back({"flags", &FrameSpec::flags, (count * bits + 31) / 32 * 4});
  }
  if (plan.hasMeshes()) {
    regions.push_back({"meshes", &FrameSpec::meshes, std::uint64_t{plan.keyCount()} * plan.info.meshes.stride});
  }
  return regions;
}

}  // namespace slu::test
