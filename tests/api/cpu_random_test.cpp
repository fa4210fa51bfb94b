// The CPU route on random plans and frames, against the oracle, over all memory: outputs, gaps and inputs.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "floats.h"
#include "inputs.h"
#include "oracle.h"
#include "plans.h"
#include "random.h"
#include "specimen.h"

namespace slu::test {
namespace {

void writeFloats(std::uint8_t* to, std::initializer_list<float> values) {
  std::memcpy(to, values.begin(), values.size() * sizeof(float));
}

float integer(Random& random, int magnitude) {
  return static_cast<float>(static_cast<int>(random.below(static_cast<std::uint32_t>(2 * magnitude + 1))) - magnitude);
}

// A small integer, and now and then what makes bounds invalid.
float coordinate(Random& random, int magnitude, float far = 1e19f) {
  if (random.chance(0.01)) return random.pick({kNan, kInfinity, -kInfinity, far, -far});
  return integer(random, magnitude);
}

// Of another size than all that a sphere's center becomes: were the two to cancel, what is left would be rounding.
float position(Random& random) { return coordinate(random, 64, 1e25f); }

// Now and then negative, which is invalid.
float radius(Random& random) {
  const float value = coordinate(random, 8);
  return random.chance(0.05) ? value : std::abs(value);
}

// Unit normals within 1e-3 whose fractions keep small integers exact, in any order and with any signs; and planes that
// everything passes.
void writePlane(Random& random, float plane[4]) {
  constexpr float kNormals[][3] = {{1, 0, 0}, {0.5f, 0.5f, 0.70703125f}, {0.6640625f, 0.6640625f, 0.34375f}};
  plane[3] = integer(random, 60) + 40.0f;
  if (random.chance(0.2)) {
    plane[3] = std::abs(plane[3]) + 1.0f;
    return;
  }
  const auto& normal = kNormals[random.below(3)];
  const std::uint32_t first = random.below(3);
  for (std::uint32_t i = 0; i < 3; ++i) plane[i] = normal[(first + i) % 3] * random.pick({1.0f, -1.0f});
}

// Quaternions whose halves keep small integers exact.
void writeRotation(Random& random, std::uint8_t* to) {
  const auto half = [&] { return random.pick({0.5f, -0.5f}); };
  switch (random.below(4)) {
    case 0:
      return writeFloats(to, {0.0f, 0.0f, 0.0f, random.pick({1.0f, -1.0f})});
    case 1:
      return writeFloats(to, {0.0f, 1.0f, 0.0f, 0.0f});
    default:
      return writeFloats(to, {half(), half(), half(), half()});
  }
}

float liveFloat(Random& random) {
  return random.pick({0.0f, -0.0f, kNan, -kNan, kInfinity, -kInfinity, 1.5f, -1.5f, 1e-40f, -1e-40f,
                      std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()});
}

// The elements stride apart; 0 means next to each other.
template <typename T>
void spread(const std::vector<T>& elements, std::uint32_t stride, Bytes& bytes) {
  if (stride == 0) stride = sizeof(T);
  bytes.assign(elements.size() * stride, 0xee);
  for (std::size_t i = 0; i < elements.size(); ++i) std::memcpy(bytes.data() + i * stride, &elements[i], sizeof(T));
}

// A random plan with memory and bindings for its frames.
class RandomCase {
 public:
  explicit RandomCase(Random& random) : random_(random) {
    choosePredicate();
    layOutRecord();
    chooseOutputs();
    makeInputs();
    chooseViews();
    chooseBuckets();
    placeAll();
  }

  // Creates the plan, then runs some frames.
  void run();

 private:
  struct Range {
    SluBinding* binding;
    const Bytes* content;  // null: an output
    std::uint64_t bytes;
  };

  void choosePredicate();
  void layOutRecord();
  void chooseOutputs();
  void makeInputs();
  void fillRecord(std::uint8_t* record);
  void fillBounds(std::uint8_t* to);
  void fillTransform(std::uint8_t* to);
  void chooseViews();
  void setViews();
  void chooseBuckets();
  void placeAll();
  void copyInputs();
  void changeFrame();
  std::vector<Range> ranges();
  FrameSpec frameSpec() const;
  std::uint32_t maxViewCount() const { return std::max(plan_.info.maxViewCount, 1u); }

  Random& random_;
  PlanSpec plan_;
  std::vector<SluView> views_;
  Bytes bucketBytes_, viewBytes_;  // as the library reads them
  SluFrameInfo frame_ = SLU_INIT(FRAME_INFO, SluFrameInfo);
  bool bindsLiveCount_ = false;
  Bytes records_, spheres_, transforms_, flags_, liveCount_;
  Bytes memory_;
};

void RandomCase::choosePredicate() {
  plan_.info.route = SLU_ROUTE_CPU;
  plan_.info.order = random_.pick({SLU_ORDER_UNORDERED, SLU_ORDER_STABLE});
  plan_.info.maxRecordCount = random_.between(1, 300);
  plan_.info.maxViewCount = random_.pick({0u, 1u, 1u, 2u, 5u, SLU_MAX_VIEWS});
  plan_.info.live.test = static_cast<SluLiveTest>(random_.below(SLU_LIVE_FLAG_WORDS + 1));
  plan_.info.cullFlags = random_.chance(0.3) ? 0 : random_.below(16);
  plan_.info.key.keyCount = random_.pick({0u, 1u, 2u, 3u, 7u, 20u});
  plan_.info.key.lodCount = random_.pick({0u, 1u, 2u, 5u, 8u});
  plan_.info.key.shift = random_.pick({0u, 3u, 27u});
  plan_.info.key.bits = random_.chance(0.3) ? 0 : random_.between(1, 32 - plan_.info.key.shift);
  if (plan_.testsBounds() || random_.chance(0.3)) {
    plan_.info.bounds.source = static_cast<SluBoundsSource>(random_.between(SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_KEY));
    SluBounds& bounds = plan_.info.bounds;
    bounds.shape = random_.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_SPHERE, SLU_SHAPE_BOX, SLU_SHAPE_CORNERS,
                                 SLU_SHAPE_BOX_VEC4, SLU_SHAPE_CORNERS_VEC4});
    bounds.transformFlags = random_.below(8);
    if (random_.chance(0.2)) bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
    if ((bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0 && random_.chance(0.5)) {
      bounds.transformFlags ^= SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT;
    }
    if ((bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0) {
      bounds.matrixForm = random_.pick({SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4});
    }
  }
}

// The fields in random order with gaps between them.
void RandomCase::layOutRecord() {
  struct Field {
    std::uint32_t* offset;
    std::uint32_t bytes;
  };
  SluBounds& bounds = plan_.info.bounds;
  std::vector<Field> fields = {{&plan_.info.key.offset, 4}};
  if (plan_.info.live.test == SLU_LIVE_NON_EMPTY) plan_.info.live.size = random_.between(1, 3) * 4;
  if (plan_.info.live.test >= SLU_LIVE_NON_EMPTY && plan_.info.live.test <= SLU_LIVE_POSITIVE_FLOAT) {
    fields.push_back({&plan_.info.live.offset, std::max(plan_.info.live.size, 4u)});
  }
  if (bounds.source == SLU_BOUNDS_IN_RECORD) fields.push_back({&bounds.offset, boundsBytes(bounds.shape)});
  std::vector<Field> parts;
  const auto add = [&](SluFlags part, std::uint32_t& offset, std::uint32_t bytes) {
    if ((bounds.transformFlags & part) != 0) parts.push_back({&offset, bytes});
  };
  add(SLU_TRANSFORM_POSITION_BIT, bounds.positionOffset, 12);
  add(SLU_TRANSFORM_SCALE_BIT, bounds.scaleOffset, 4);
  add(SLU_TRANSFORM_AXIS_SCALE_BIT, bounds.scaleOffset, 12);
  add(SLU_TRANSFORM_ROTATION_BIT, bounds.rotationOffset, 16);
  add(SLU_TRANSFORM_MATRIX_BIT, bounds.matrixOffset, matrixBytes(bounds.matrixForm));
  if (plan_.testsLayers()) fields.push_back({&plan_.info.layers.offset, 4});
  const auto layOut = [&](std::vector<Field> all) {
    std::uint32_t end = random_.below(3) * 4;
    while (!all.empty()) {
      const auto field = all.begin() + random_.below(static_cast<std::uint32_t>(all.size()));
      *field->offset = end;
      end += field->bytes + random_.below(3) * 4;
      all.erase(field);
    }
    return end;
  };
  if (!parts.empty() && random_.chance(0.4)) {
    bounds.transformStride = layOut(parts);
  } else {
    fields.insert(fields.end(), parts.begin(), parts.end());
  }
  plan_.info.recordStride = layOut(fields);
  if (bounds.source == SLU_BOUNDS_PER_RECORD || bounds.source == SLU_BOUNDS_PER_KEY) {
    bounds.offset = random_.below(4) * 4;
    bounds.stride = bounds.offset + boundsBytes(bounds.shape) + random_.below(4) * 4;
  }
}

void RandomCase::chooseOutputs() {
  plan_.info.outputs = random_.between(1, 63);
  if (plan_.writes(SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) {
    plan_.info.draws.type = static_cast<SluDrawType>(random_.between(SLU_DRAW_INSTANCES, SLU_DRAW_WORKGROUPS));
    plan_.info.draws.stride = plan_.commandBytes() + random_.below(4) * 4;
    plan_.info.draws.flags = random_.below(2);
  }
  if (plan_.writes(SLU_OUTPUT_RECORDS_BIT) && random_.chance(0.4)) plan_.info.flags = SLU_PLAN_IN_PLACE_BIT;
}

void RandomCase::fillRecord(std::uint8_t* record) {
  const SluBounds& bounds = plan_.info.bounds;
  const std::uint32_t key = random_.below(plan_.keyCount() + 1) << plan_.info.key.shift;
  std::memcpy(record + plan_.info.key.offset, &key, 4);
  if (plan_.info.live.test == SLU_LIVE_NON_EMPTY) {
    std::memset(record + plan_.info.live.offset, 0, plan_.info.live.size);
    if (random_.chance(0.6))
      record[plan_.info.live.offset + random_.below(plan_.info.live.size)] = random_.pick<std::uint8_t>({1, 128});
  } else if (plan_.info.live.test == SLU_LIVE_POSITIVE_INT) {
    const auto value = random_.pick({0, 1, -1, 5, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()});
    std::memcpy(record + plan_.info.live.offset, &value, 4);
  } else if (plan_.info.live.test == SLU_LIVE_POSITIVE_FLOAT) {
    writeFloats(record + plan_.info.live.offset, {liveFloat(random_)});
  }
  if (bounds.source == SLU_BOUNDS_IN_RECORD) fillBounds(record + bounds.offset);
  if (bounds.transformStride == 0) fillTransform(record);
}

void RandomCase::fillBounds(std::uint8_t* to) {
  const SluBoundsShape shape = plan_.info.bounds.shape;
  float center[3], size[3];
  for (int i = 0; i < 3; ++i) {
    center[i] = coordinate(random_, 8);
    size[i] = radius(random_);
  }
  if (shape == SLU_SHAPE_SPHERE) return writeFloats(to, {center[0], center[1], center[2], size[0]});
  if (isByCorners(shape)) {
    for (int i = 0; i < 3; ++i) size[i] += center[i];
  }
  writeFloats(to, {center[0], center[1], center[2]});
  writeFloats(to + boundsBytes(shape) / 2, {size[0], size[1], size[2]});
}

// Scales and matrices are of small integers: many are singular, mirror or shear.
void RandomCase::fillTransform(std::uint8_t* to) {
  const SluBounds& bounds = plan_.info.bounds;
  if (bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT) {
    writeFloats(to + bounds.positionOffset, {position(random_), position(random_), position(random_)});
  }
  const auto scale = [&] { return coordinate(random_, 2); };
  if (bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) writeFloats(to + bounds.scaleOffset, {scale()});
  if (bounds.transformFlags & SLU_TRANSFORM_AXIS_SCALE_BIT) {
    writeFloats(to + bounds.scaleOffset, {scale(), scale(), scale()});
  }
  if (bounds.transformFlags & SLU_TRANSFORM_ROTATION_BIT) writeRotation(random_, to + bounds.rotationOffset);
  if (bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) {
    Linear linear;
    for (auto& row : linear.rows) {
      for (float& value : row) value = coordinate(random_, 2);
    }
    const float translation[3] = {position(random_), position(random_), position(random_)};
    storeMatrix(to + bounds.matrixOffset, bounds.matrixForm, linear, translation);
  }
}

void RandomCase::makeInputs() {
  const std::uint32_t count = plan_.info.maxRecordCount;
  records_.resize(std::size_t{count} * plan_.info.recordStride);
  random_.fill(records_);
  for (std::uint32_t i = 0; i < count; ++i) fillRecord(records_.data() + std::size_t{i} * plan_.info.recordStride);

  const SluBounds& bounds = plan_.info.bounds;
  const std::uint32_t sphereCount = bounds.source == SLU_BOUNDS_PER_KEY ? plan_.keyCount() : count;
  spheres_.resize(std::size_t{sphereCount} * bounds.stride);
  random_.fill(spheres_);
  for (std::size_t i = 0; i < spheres_.size(); i += bounds.stride) {
    fillBounds(spheres_.data() + i + bounds.offset);
  }

  transforms_.resize(std::size_t{count} * bounds.transformStride);
  random_.fill(transforms_);
  for (std::size_t i = 0; i < transforms_.size(); i += bounds.transformStride) fillTransform(transforms_.data() + i);

  flags_.resize(std::size_t{count} * 4);
  for (std::uint8_t& flag : flags_) flag = random_.chance(0.5) ? 0 : random_.pick<std::uint8_t>({1, 0x80, 0xff});
  if (plan_.info.live.test == SLU_LIVE_FLAG_WORDS) {
    for (std::size_t i = 0; i < flags_.size(); i += 8) std::memset(flags_.data() + i, 0, 4);
  }
  bindsLiveCount_ = random_.chance(0.5);
  liveCount_.assign(4, 0);
}

void RandomCase::chooseViews() {
  views_.resize(maxViewCount());
  for (SluView& view : views_) {
    view = {};
    view.layerMask = random_.pick({0xffffffffu, random_.word(), 1u << random_.below(32), 0u});
    for (auto& plane : view.planes) writePlane(random_, plane);
    for (float& value : view.eye) value = integer(random_, 40) * 0.5f;
    view.minDistance = std::abs(integer(random_, 20)) * 0.5f;
    view.maxDistance = view.minDistance + std::abs(integer(random_, 90));
    if (view.maxDistance == 0.0f || random_.chance(0.2)) view.maxDistance = kInfinity;
    view.minSizeRatio = random_.pick({0.0f, 0.0625f, 0.125f, 0.25f});
    float distance = 0.0f;
    for (float& threshold : view.lodDistances) threshold = distance += std::abs(integer(random_, 20)) * 0.5f;
    if (!random_.chance(0.3)) continue;
    view.flags = SLU_VIEW_ORTHOGRAPHIC_BIT;
    view.minSizeRatio *= 20.0f;
    for (float& threshold : view.lodDistances) threshold *= 0.05f;
  }
}

void RandomCase::setViews() {
  frame_.viewStride = random_.chance(0.3) ? 0 : std::uint32_t{sizeof(SluView)} + random_.below(3) * 4;
  spread(views_, frame_.viewStride, viewBytes_);
  frame_.views = reinterpret_cast<const SluView*>(viewBytes_.data());
}

// Capacities below, at and above what the first view of a full frame demands.
void RandomCase::chooseBuckets() {
  FrameSpec frame;
  frame.recordCount = plan_.info.maxRecordCount;
  frame.views = views_;
  frame.records.memory = 0;
  frame.bounds.memory = 1;
  frame.flags.memory = 2;
  frame.transforms.memory = 3;
  plan_.buckets.resize(std::size_t{plan_.keyCount()} * plan_.lodCount());
  const Demand demands = findDemand(plan_, frame, {records_, spheres_, flags_, transforms_});
  for (std::uint32_t i = 0; i < plan_.bucketCount(); ++i) {
    SluBucket& bucket = plan_.buckets[i];
    const auto demand = static_cast<std::uint32_t>(demands.of(plan_, 0, i).size());
    bucket.capacity = random_.pick({0u, demand / 2, demand - (demand > 0 ? 1 : 0), demand, demand + 1, demand + 9});
    if (plan_.info.draws.type != SLU_DRAW_NONE) {
      bucket.draw.elementCount = random_.between(1, 999);
      if (plan_.info.draws.type == SLU_DRAW_WORKGROUPS) continue;
      bucket.draw.firstElement = random_.below(99);
      bucket.draw.firstInstance = random_.below(99);
      if (plan_.info.draws.type == SLU_DRAW_VERTICES) bucket.draw.instanceCount = random_.below(3);
      if (plan_.info.draws.type == SLU_DRAW_INDEXED_INSTANCES)
        bucket.draw.vertexOffset = -static_cast<int>(random_.below(9));
    }
  }
  if (random_.chance(0.3)) {  // packed, with about as much room in all
    const auto room = static_cast<std::uint32_t>(plan_.outputsPerView());
    plan_.info.placement = SLU_PLACEMENT_PACKED;
    plan_.info.capacity = random_.pick({0u, 1u, std::max(room, 1u), room + 1});
    for (SluBucket& bucket : plan_.buckets) bucket.capacity = 0;
  }
  plan_.info.bucketCount = plan_.bucketCount();
  if (plan_.info.bucketCount == 1 && plan_.info.draws.type == SLU_DRAW_NONE && random_.chance(0.5)) {
    plan_.info.bucketCount = 0;
    plan_.buckets[0].capacity = plan_.isPacked() ? 0 : plan_.info.maxRecordCount;
  }
  plan_.info.bucketStride = random_.chance(0.3) ? 0 : std::uint32_t{sizeof(SluBucket)} + random_.below(3) * 4;
  spread(plan_.buckets, plan_.info.bucketStride, bucketBytes_);
  plan_.info.buckets = reinterpret_cast<const SluBucket*>(bucketBytes_.data());
}

std::vector<RandomCase::Range> RandomCase::ranges() {
  const std::uint64_t outputs = plan_.outputsPerView() * maxViewCount();
  const std::uint64_t buckets = std::uint64_t{plan_.bucketCount()} * maxViewCount();
  std::vector<Range> all;
  const auto add = [&](bool bound, SluBinding& binding, const Bytes* content, std::uint64_t bytes) {
    if (bound) all.push_back({&binding, content, bytes});
  };
  add(bindsLiveCount_, frame_.liveCount, &liveCount_, 4);
  add(plan_.readsRecords(), frame_.records, &records_, records_.size());
  add(plan_.testsBounds() && plan_.info.bounds.source >= SLU_BOUNDS_PER_RECORD, frame_.bounds, &spheres_,
      spheres_.size());
  add(plan_.readsTransforms(), frame_.transforms, &transforms_, transforms_.size());
  add(plan_.info.live.test >= SLU_LIVE_FLAG_BITS, frame_.flags, &flags_, flags_.size());
  add(plan_.writes(SLU_OUTPUT_INDICES_BIT), frame_.indices, nullptr, outputs * 4);
  add(plan_.writes(SLU_OUTPUT_RECORDS_BIT), frame_.keptRecords, nullptr, outputs * plan_.info.recordStride);
  add(plan_.writes(SLU_OUTPUT_DRAWS_BIT), frame_.draws, nullptr,
      (buckets - 1) * plan_.info.draws.stride + plan_.commandBytes());
  add(plan_.writes(SLU_OUTPUT_DRAW_COUNTS_BIT), frame_.drawCounts, nullptr, maxViewCount() * 4);
  add(plan_.writes(SLU_OUTPUT_STATISTICS_BIT), frame_.statistics, nullptr, maxViewCount() * sizeof(SluStatistics));
  add(plan_.writes(SLU_OUTPUT_BUCKET_COUNTS_BIT), frame_.bucketCounts, nullptr, buckets * sizeof(SluBucketCount));
  return all;
}

// One behind the other with gaps of a few words, in random order.
void RandomCase::placeAll() {
  std::vector<Range> all = ranges();
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random_.below(static_cast<std::uint32_t>(i))]);
  std::uint64_t end = 0;
  for (const Range& range : all) {
    end += random_.below(4) * 4;
    range.binding->offset = end;
    end += range.bytes;
  }
  const std::uint64_t keptBytes = plan_.outputsPerView() * maxViewCount() * plan_.info.recordStride;
  const bool inPlace = (plan_.info.flags & SLU_PLAN_IN_PLACE_BIT) != 0;
  if (inPlace) {
    frame_.records.offset = end + random_.below(20) * 4;
    frame_.keptRecords.offset = end + random_.below(20) * 4;
    end += 80 + std::max<std::uint64_t>(records_.size(), keptBytes);
  }
  memory_.resize(end + random_.below(4) * 4 + 4);
  random_.fill(memory_);
}

// Again before each frame, since a frame in place overwrites its records.
void RandomCase::copyInputs() {
  for (const Range& range : ranges()) {
    if (range.content == nullptr) continue;
    std::copy(range.content->begin(), range.content->end(),
              memory_.begin() + static_cast<std::ptrdiff_t>(range.binding->offset));
  }
}

void RandomCase::changeFrame() {
  frame_.viewCount = random_.between(1, maxViewCount());
  frame_.recordCount = random_.chance(0.2) ? random_.below(2) : random_.between(0, plan_.info.maxRecordCount);
  copyInputs();
  chooseViews();
  setViews();
  if (!plan_.hasViews()) frame_.views = nullptr;
  if (bindsLiveCount_) {
    const std::uint32_t live = random_.pick({0u, frame_.recordCount / 2, frame_.recordCount, frame_.recordCount + 1,
                                             std::numeric_limits<std::uint32_t>::max()});
    std::memcpy(memory_.data() + frame_.liveCount.offset, &live, 4);
  }
  if (plan_.writes(SLU_OUTPUT_STATISTICS_BIT) && random_.chance(0.3)) {  // the host clears the sticky flags
    std::memset(memory_.data() + frame_.statistics.offset, 0, maxViewCount() * sizeof(SluStatistics));
  }
}

FrameSpec RandomCase::frameSpec() const {
  FrameSpec frame;
  frame.recordCount = frame_.recordCount;
  frame.viewCount = frame_.viewCount;
  frame.views = views_;
  const auto place = [](const SluBinding& binding) {
    return binding.buffer == nullptr ? Place{} : Place{0, binding.offset};
  };
  frame.liveCount = place(frame_.liveCount);
  frame.records = place(frame_.records);
  frame.bounds = place(frame_.bounds);
  frame.transforms = place(frame_.transforms);
  frame.flags = place(frame_.flags);
  frame.indices = place(frame_.indices);
  frame.keptRecords = place(frame_.keptRecords);
  frame.draws = place(frame_.draws);
  frame.drawCounts = place(frame_.drawCounts);
  frame.statistics = place(frame_.statistics);
  frame.bucketCounts = place(frame_.bucketCounts);
  return frame;
}

void RandomCase::run() {
  LoggedContext context;
  auto bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  bufferInfo.size = memory_.size();
  bufferInfo.hostPointer = memory_.data();
  Buffer buffer;
  ASSERT_EQ(sluCreateBuffer(context, &bufferInfo, buffer.put()), SLU_SUCCESS) << context.message();
  Plan plan;
  ASSERT_EQ(sluCreatePlan(context, &plan_.info, plan.put()), SLU_SUCCESS) << context.message();
  for (const Range& range : ranges()) range.binding->buffer = buffer;
  for (int i = 0; i < 4; ++i) {
    changeFrame();
    std::vector<Bytes> memories = {memory_};
    const FrameSpec frame = frameSpec();
    publish(plan_, frame, findDemand(plan_, frame, memories), memories);
    const Bytes& expected = memories[0];
    ASSERT_EQ(sluCompact(plan, &frame_), SLU_SUCCESS) << context.message();
    const auto difference = std::mismatch(memory_.begin(), memory_.end(), expected.begin());
    if (difference.first == memory_.end()) continue;
    const auto offset = static_cast<std::uint64_t>(difference.first - memory_.begin());
    std::string where;
    for (const Range& range : ranges()) {
      if (offset >= range.binding->offset && offset - range.binding->offset < range.bytes) {
        where += " byte " + std::to_string(offset - range.binding->offset) + " of the binding at " +
                 std::to_string(range.binding->offset);
      }
    }
    FAIL() << "frame " << i << " differs from the oracle at byte " << offset << where << "; live test "
           << plan_.info.live.test << ", cull " << plan_.info.cullFlags << ", bounds " << plan_.info.bounds.source
           << ", shape " << plan_.info.bounds.shape << ", transform " << plan_.info.bounds.transformFlags << " form "
           << plan_.info.bounds.matrixForm << " stride " << plan_.info.bounds.transformStride << ", keys "
           << plan_.info.key.keyCount << ", LODs " << plan_.info.key.lodCount << ", outputs " << plan_.info.outputs
           << ", draws " << plan_.info.draws.type << ", flags " << plan_.info.flags;
  }
}

TEST(CpuRoute, DoesWhatTheHeaderSays) {
  SCOPED_TRACE(describeSeed());
  Random random;
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    RandomCase(random).run();
  }
}

}  // namespace
}  // namespace slu::test
