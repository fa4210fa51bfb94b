#include "scene_builder.h"

#include <algorithm>

#include "occlusion.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kInputs = 0;
constexpr std::uint32_t kOutputs = 1;
constexpr std::size_t kCanaryBytes = 64;

}  // namespace

SceneBuilder::SceneBuilder(Random& random) : random_(random) { reset(); }

void SceneBuilder::reset() {
  scene_.frames.clear();
  scene_.memories.assign(2, Bytes());
  for (Bytes& memory : scene_.memories) addCanary(memory);
}

std::uint32_t SceneBuilder::addPlan(const PlanSpec& plan) {
  scene_.plans.push_back(plan);
  return static_cast<std::uint32_t>(scene_.plans.size() - 1);
}

void SceneBuilder::addCanary(Bytes& memory) {
  const std::size_t first = memory.size();
  memory.resize(first + kCanaryBytes);
  random_.fill({memory.data() + first, kCanaryBytes});
}

Place SceneBuilder::reserve(std::uint32_t index, std::uint64_t size, std::uint32_t alignment) {
  if (alignment == kAnyAlignment) alignment = random_.below(16) * 4;
  Bytes& memory = scene_.memories[index];
  const std::size_t offset = (memory.size() + 63 - alignment) / 64 * 64 + alignment;
  const std::size_t end = offset + (size + 3) / 4 * 4;
  const std::size_t first = memory.size();
  memory.resize(end);
  random_.fill({memory.data() + first, end - first});
  addCanary(memory);
  return {index, offset};
}

Place SceneBuilder::addInput(const Bytes& bytes, std::uint32_t alignment) {
  const Place place = reserve(kInputs, bytes.size(), alignment);
  std::copy(bytes.begin(), bytes.end(), scene_.memories[kInputs].begin() + static_cast<std::ptrdiff_t>(place.offset));
  return place;
}

Place SceneBuilder::addOutput(std::uint64_t size, std::uint32_t alignment) {
  return reserve(kOutputs, size, alignment);
}

Place SceneBuilder::addWord(std::uint32_t value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return addInput(Bytes(bytes, bytes + sizeof(value)));
}

FrameSpec SceneBuilder::makeFrame(std::uint32_t planIndex, const Input& input, std::uint32_t viewCount) {
  FrameSpec frame;
  frame.plan = planIndex;
  frame.recordCount = input.count;
  frame.elements = input.elements;
  frame.viewCount = viewCount;
  frame.views = makeViews(plan(planIndex), viewCount, random_);
  if (plan(planIndex).hasMorePlanes()) frame.morePlanes = makeMorePlanes(frame.views, random_);
  if (plan(planIndex).readsRecords()) frame.records = addInput(input.records);
  if (plan(planIndex).readsBounds()) frame.bounds = addInput(input.bounds);
  if (plan(planIndex).readsTransforms()) frame.transforms = addInput(input.transforms);
  if (plan(planIndex).readsFlags()) frame.flags = addInput(input.flags);
  if (plan(planIndex).readsLayers()) frame.layers = addInput(input.layers);
  if (plan(planIndex).hasMeshes()) addMeshes(frame, input);
  if (plan(planIndex).keepsLodStates()) addLodStates(frame);
  if (plan(planIndex).testsOcclusion()) addOcclusion(frame, random_.chance(0.1) ? 0 : random_.between(1, 3));
  for (const Bytes& stream : input.streams) frame.streams.push_back({addInput(stream), {}});
  addOutputs(frame);
  return frame;
}

void SceneBuilder::addOcclusion(FrameSpec& frame, std::uint32_t phase) {
  const PlanSpec& spec = plan(frame.plan);
  frame.occlusion = {};
  frame.occlusion.phase = phase;
  if (frame.occlusion.isOfTwo() && random_.chance(0.9)) {
    Bytes bits(std::size_t{frame.viewCount} * spec.visibleStride() * 4);
    random_.fill(bits);
    frame.lastVisible = addInput(bits);
  }
  frame.occlusion.depthMargin = random_.pick({0.0f, 0.0f, 1e-6f, 3e-5f, 0.5f});
  if (!frame.occlusion.findsVisible()) return;
  const std::vector<PyramidCamera> cameras = makeCameras(frame, random_);
  frame.pyramid = addInput(makePyramid(frame, cameras, random_), 16 * random_.below(4));
}

void SceneBuilder::addLodStates(FrameSpec& frame) {
  const PlanSpec& spec = plan(frame.plan);
  if (random_.chance(0.8)) frame.lastLodStates = addInput(makeLodStates(spec, frame.viewCount, random_));
  frame.lodHysteresis = random_.pick({0.0f, 0.5f, 0.1f, random_.uniform(0.0f, 0.5f)});
  frame.lodFadeStep = random_.pick({0u, 1u, 255u, random_.below(256)});
}

void SceneBuilder::addMeshes(FrameSpec& frame, const Input& input) {
  const std::uint32_t keyCount = plan(frame.plan).keyCount();
  frame.meshes = addInput(input.meshes);
  frame.meshCount = random_.chance(0.25) ? random_.below(keyCount + 1) : keyCount;
  if (!random_.chance(0.25)) return;
  const std::uint32_t count = frame.meshCount;
  frame.liveMeshCount = addWord(random_.pick({0u, random_.below(count + 1), count, count + 1, 0xffffffffu}));
}

void SceneBuilder::addOutputs(FrameSpec& frame) {
  for (const Region& region : outputRegions(plan(frame.plan), frame.viewCount)) {
    Place& place = frame.*region.place;
    if (!place) place = addOutput(region.bytes);
  }
  for (std::size_t i = 0; i < frame.streams.size(); ++i) {
    const PlanSpec& spec = plan(frame.plan);
    Place& place = frame.streams[i].output;
    if (!place) place = addOutput(streamOutputBytes(spec, spec.streams[i], frame.viewCount));
  }
}

Scene SceneBuilder::finish() {
  Scene result = scene_;
  reset();
  return result;
}

Scene makeScene(const PlanSpec& plan, const Input& input, std::uint32_t viewCount, Random& random) {
  SceneBuilder builder(random);
  builder.addFrame(builder.makeFrame(builder.addPlan(plan), input, viewCount));
  return builder.finish();
}

}  // namespace slu::test
