#include "inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "floats.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr float kWorldSize = 100.0f;
constexpr double kInvalidChance = 0.002;

template <typename Value>
void store(std::uint8_t* bytes, const Value& value) {
  std::memcpy(bytes, &value, sizeof(value));
}

float makeInvalid(Random& random) { return random.pick({kInfinity, -kInfinity, kNan, 3e38f, -1e19f, 2e18f}); }

void writeNonEmpty(std::uint8_t* field, std::uint32_t size, bool live, Random& random) {
  std::fill_n(field, size, std::uint8_t{0});
  if (!live) return;
  if (random.chance(0.5)) random.fill({field, size});
  field[random.below(size)] = static_cast<std::uint8_t>(random.between(1, 255));
}

void writeInt(std::uint8_t* field, bool live, Random& random) {
  const auto positive = static_cast<std::int32_t>(random.between(1, 0x7fffffff));
  store(field, live ? random.pick({1, 0x7fffffff, positive}) : random.pick({0, -1, INT32_MIN, -positive}));
}

void writeFloat(std::uint8_t* field, bool live, Random& random) {
  constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
  const float positive = random.uniform(0.001f, 10.0f);
  store(field, live ? random.pick({positive, kInfinity, kDenormal})
                    : random.pick({0.0f, -0.0f, -positive, -kInfinity, -kDenormal, kNan, -kNan}));
}

void writeMasked(std::uint8_t* field, std::uint32_t mask, std::uint32_t value, bool live, Random& random) {
  std::uint32_t word = random.pick({0u, 0xffffffffu, random.word()});
  if (live) word = (word & ~mask) | value;
  if (!live && (word & mask) == value) word ^= random.chance(0.5) ? mask : mask & (0u - mask);
  store(field, word);
}

void writeFlag(SluLiveTest test, Bytes& flags, std::uint32_t i, bool live, Random& random) {
  if (test == SLU_LIVE_FLAG_BITS) {
    std::uint8_t& byte = flags[i / 8];
    const auto bit = static_cast<std::uint8_t>(1u << i % 8);
    byte = static_cast<std::uint8_t>(live ? byte | bit : byte & ~bit);
  } else if (test == SLU_LIVE_FLAG_BYTES) {
    flags[i] = static_cast<std::uint8_t>(live ? random.between(1, 255) : 0);
  } else {
    writeNonEmpty(&flags[i * std::size_t{4}], 4, live, random);
  }
}

void writeKey(const PlanSpec& plan, std::uint8_t* record, Random& random) {
  const SluKey& key = plan.info.key;
  const std::uint32_t bits = key.bits == 0 ? 32 - key.shift : key.bits;
  const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << key.shift;
  const bool outside = random.chance(0.05);
  const std::uint64_t value = outside ? random.word() : random.below(plan.keyCount());
  std::uint32_t word;
  std::memcpy(&word, record + key.offset, sizeof(word));
  store(record + key.offset, static_cast<std::uint32_t>((word & ~mask) | (value << key.shift & mask)));
}

void writeSphere(std::uint8_t* sphere, const float center[3], Random& random) {
  Ball ball{{center[0], center[1], center[2]},
            random.chance(0.05) ? random.pick({0.0f, -0.0f}) : random.uniform(0.01f, 6.0f)};
  if (random.chance(kInvalidChance)) ball.radius = random.pick({std::fabs(makeInvalid(random)), -ball.radius, -20.0f});
  store(sphere, ball);
}

void writeBox(std::uint8_t* bytes, SluBoundsShape shape, const float center[3], Random& random) {
  float extents[3];
  for (float& extent : extents) {
    extent = random.chance(0.05) ? random.pick({0.0f, -0.0f}) : random.uniform(0.01f, 5.0f);
    if (random.chance(kInvalidChance)) extent = random.pick({std::fabs(makeInvalid(random)), -extent, -20.0f});
  }
  BoxBytes box;
  for (int i = 0; i < 3; ++i) {
    box.first[i] = isByCorners(shape) ? center[i] - extents[i] : center[i];
    box.second[i] = isByCorners(shape) ? center[i] + extents[i] : extents[i];
  }
  store(bytes, box.first);
  store(bytes + boundsBytes(shape) / 2, box.second);
}

// Most reject about a third of what they are tested for. The axis is of any length from 0.1 to 1.
void writeCone(std::uint8_t* bytes, Random& random) {
  float cone[4] = {1, 1, 1, random.uniform(0.0f, 0.6f)};
  while (cone[0] * cone[0] + cone[1] * cone[1] + cone[2] * cone[2] > 1.0f) {
    for (int i = 0; i < 3; ++i) cone[i] = random.uniform(-1.0f, 1.0f);
  }
  if (random.chance(0.1)) cone[3] = random.pick({0.0f, -0.0f, 0.99999994f, 1.0f, -0.5f, kNan, -kNan, kInfinity});
  if (random.chance(kInvalidChance)) cone[random.below(3)] = makeInvalid(random);
  store(bytes, cone);
}

// element: that of the stream, the record or the mesh.
void writeBounds(const PlanSpec& plan, std::uint8_t* element, Random& random) {
  const SluBoundsShape shape = plan.info.bounds.shape;
  std::uint8_t* bytes = element + plan.info.bounds.offset;
  const float size =
      plan.info.bounds.transformFlags != 0 ? 2.0f : kWorldSize;  // in the space of the mesh or in the world
  float center[3];
  for (float& value : center) value = random.uniform(-size, size);
  if (random.chance(kInvalidChance)) center[random.below(3)] = makeInvalid(random);
  if (shape == SLU_SHAPE_SPHERE) {
    writeSphere(bytes, center, random);
  } else {
    writeBox(bytes, shape, center, random);
  }
  if (plan.testsCones()) writeCone(element + plan.info.cones.offset, random);
}

// How long a mesh's threshold is that LODs compare with a distance of 1: errors are small.
float thresholdUnit(SluLodRule rule) { return rule == SLU_LOD_MESH_ERRORS ? 0.01f : 1.0f; }

float makeThreshold(float ascending, Random& random) {
  if (!random.chance(0.05)) return ascending;
  return random.pick({0.0f, -0.0f, kNan, -kNan, kInfinity, -kInfinity, -ascending - 1.0f, 2e19f, ascending / 2.0f});
}

// A mesh, of which every byte is set already.
void writeMesh(const PlanSpec& plan, std::uint8_t* mesh, Random& random) {
  const SluMeshes& meshes = plan.info.meshes;
  if (plan.hasGroups()) {
    const std::uint32_t count = plan.info.groups.count;
    store(mesh + plan.info.groups.meshOffset,
          random.chance(0.1) ? random.pick({count, random.word()}) : random.below(count));
  }
  if (plan.hasMeshPart(SLU_MESH_LOD_COUNT_BIT)) {
    const std::uint32_t count = random.between(random.chance(0.8) ? 1 : 0, SLU_MAX_LODS);
    store(mesh + meshes.lodCountOffset, random.chance(0.1) ? random.pick({9u, 0xffffffffu, random.word()}) : count);
  }
  if (plan.hasMeshPart(SLU_MESH_LOD_MASK_BIT)) {
    const std::uint32_t one = 1u << random.below(plan.lodCount());
    store(mesh + meshes.lodMaskOffset, random.pick({0xffffffffu, random.word(), random.word(), one, one | 0x100u, 0u}));
  }
  if (plan.readsThresholds()) {
    const float unit = thresholdUnit(plan.info.lod.rule);
    float distance = random.uniform(0.0f, 20.0f);
    for (std::uint32_t lod = 1; lod < plan.lodCount(); ++lod) {
      store(mesh + meshes.thresholdOffset + std::size_t{lod} * meshes.lodStride,
            makeThreshold(unit * distance, random));
      if (!random.chance(0.1)) distance += random.uniform(1.0f, 200.0f / static_cast<float>(plan.lodCount()));
    }
  }
  const SluBounds& bounds = plan.info.bounds;
  if (plan.testsBounds() && bounds.source == SLU_BOUNDS_IN_MESH) writeBounds(plan, mesh, random);
}

float makeCoordinate(Random& random) {
  return random.chance(kInvalidChance) ? makeInvalid(random) : random.uniform(-kWorldSize, kWorldSize);
}

float makeScale(Random& random) {
  const float scale = random.chance(kInvalidChance) ? makeInvalid(random) : random.uniform(0.25f, 4.0f);
  return random.chance(0.2) ? -scale : scale;
}

void writeMatrix(std::uint8_t* bytes, SluMatrixForm form, Random& random) {
  Linear linear = makeLinear(random);
  if (random.chance(3 * kInvalidChance)) linear.rows[random.below(3)][random.below(3)] = makeInvalid(random);
  float translation[3];
  for (float& value : translation) value = makeCoordinate(random);
  storeMatrix(bytes, form, linear, translation);
}

void writeTransform(const SluBounds& bounds, std::uint8_t* bytes, Random& random) {
  const auto has = [&](SluFlags part) { return (bounds.transformFlags & part) != 0; };
  for (std::uint32_t i = 0; i < 3 && has(SLU_TRANSFORM_POSITION_BIT); ++i) {
    store(bytes + bounds.positionOffset + i * 4, makeCoordinate(random));
  }
  if (has(SLU_TRANSFORM_SCALE_BIT)) store(bytes + bounds.scaleOffset, makeScale(random));
  for (std::uint32_t i = 0; i < 3 && has(SLU_TRANSFORM_AXIS_SCALE_BIT); ++i) {
    store(bytes + bounds.scaleOffset + i * 4, random.chance(0.03) ? random.pick({0.0f, -0.0f}) : makeScale(random));
  }
  if (has(SLU_TRANSFORM_ROTATION_BIT)) store(bytes + bounds.rotationOffset, makeRotation(random));
  if (has(SLU_TRANSFORM_MATRIX_BIT)) writeMatrix(bytes + bounds.matrixOffset, bounds.matrixForm, random);
}

// Few elements or many, now and then none.
std::uint32_t makeElementCount(bool isIndexed, std::uint32_t recordCount, Random& random) {
  if (!isIndexed) return 0;
  return random.chance(0.05) ? 0 : random.pick({1u, 7u, recordCount / 3 + 1, recordCount, recordCount + 9});
}

ElementCounts makeElementCounts(const PlanSpec& plan, std::uint32_t recordCount, Random& random) {
  const auto count = [&](SluFlags bit) {
    return makeElementCount((plan.indexedStreams() & bit) != 0, recordCount, random);
  };
  return {count(SLU_INDEXED_BOUNDS_BIT), count(SLU_INDEXED_TRANSFORMS_BIT), count(SLU_INDEXED_LAYERS_BIT)};
}

// The words that name elements of streams.
void writeIndices(const PlanSpec& plan, const ElementCounts& elements, std::uint8_t* record, Random& random) {
  const SluIndices& indices = plan.info.indices;
  const auto write = [&](SluFlags bit, std::uint32_t offset, std::uint32_t count) {
    if ((plan.indexedStreams() & bit) == 0) return;
    const bool isThere = count != 0 && !random.chance(0.04);
    store(record + offset, isThere ? random.below(count) : random.pick({count, count + 1, 0x80000000u, 0xffffffffu}));
  };
  write(SLU_INDEXED_BOUNDS_BIT, indices.boundsOffset, elements.bounds);
  write(SLU_INDEXED_TRANSFORMS_BIT, indices.transformOffset, elements.transforms);
  write(SLU_INDEXED_LAYERS_BIT, indices.layersOffset, elements.layers);
}

void writeRecord(const PlanSpec& plan, const ElementCounts& elements, std::uint8_t* record, bool live, Random& random) {
  const SluLive tested = plan.recordTest();
  std::uint8_t* field = record + tested.offset;
  if (tested.test == SLU_LIVE_NON_EMPTY) writeNonEmpty(field, tested.size, live, random);
  if (tested.test == SLU_LIVE_POSITIVE_INT) writeInt(field, live, random);
  if (tested.test == SLU_LIVE_POSITIVE_FLOAT) writeFloat(field, live, random);
  if (tested.test == SLU_LIVE_MASK_EQUAL) writeMasked(field, plan.info.liveMask, plan.info.liveValue, live, random);
  if (plan.keyCount() > 1) writeKey(plan, record, random);
  writeIndices(plan, elements, record, random);
  if (!plan.testsBounds()) return;
  const SluBounds& bounds = plan.info.bounds;
  if (bounds.source == SLU_BOUNDS_IN_RECORD) writeBounds(plan, record, random);
  if (bounds.transformStride == 0) writeTransform(bounds, record, random);
}

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector combine(double s, const Vector& a, double t, const Vector& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}

Vector makeDirection(Random& random) {
  for (;;) {
    const Vector v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double length = std::sqrt(dot(v, v));
    if (length > 0.1 && length < 1.0) return combine(1.0 / length, v, 0.0, v);
  }
}

// The plane through `point` with the normal inwards.
void setPlane(float plane[4], const Vector& normal, const Vector& point) {
  for (std::size_t i = 0; i < 3; ++i) plane[i] = static_cast<float>(normal[i]);
  plane[3] = static_cast<float>(-dot(normal, point));
}

// The planes of a camera at `eye` that looks anywhere.
void setFrustum(float (&planes)[6][4], const Vector& eye, Random& random) {
  const Vector forward = makeDirection(random);
  Vector right = cross(forward, makeDirection(random));
  right = combine(1.0 / std::sqrt(dot(right, right)), right, 0.0, right);
  const Vector up = cross(right, forward);
  const double x = random.uniform(0.3f, 1.2f), y = random.uniform(0.3f, 1.2f);  // half angles
  setPlane(planes[0], combine(std::cos(x), right, std::sin(x), forward), eye);
  setPlane(planes[1], combine(-std::cos(x), right, std::sin(x), forward), eye);
  setPlane(planes[2], combine(std::cos(y), up, std::sin(y), forward), eye);
  setPlane(planes[3], combine(-std::cos(y), up, std::sin(y), forward), eye);
  setPlane(planes[4], forward, combine(1.0, eye, random.uniform(0.1f, 2.0f), forward));
  setPlane(planes[5], combine(-1.0, forward, 0.0, forward), combine(1.0, eye, random.uniform(100.0f, 250.0f), forward));
}

SluView makeView(const PlanSpec& plan, Random& random) {
  const std::uint32_t lodCount = plan.lodCount();
  SluView view{};
  const Vector eye = {random.uniform(-60, 60), random.uniform(-60, 60), random.uniform(-60, 60)};
  for (std::size_t i = 0; i < 3; ++i) view.eye[i] = static_cast<float>(eye[i]);
  setFrustum(view.planes, eye, random);
  view.minDistance = random.pick({0.0f, 5.0f, 40.0f});
  view.maxDistance = random.pick({kInfinity, 90.0f, 150.0f});
  view.minSizeRatio = random.pick({0.0f, 0.01f, 0.05f});
  float distance = random.uniform(0.0f, 20.0f);
  for (std::uint32_t i = 0; i + 1 < lodCount; ++i) {
    view.lodDistances[i] = distance;
    if (!random.chance(0.1)) distance += random.uniform(1.0f, 200.0f / static_cast<float>(lodCount));
  }
  view.lodRatio = thresholdUnit(plan.info.lod.rule) * random.pick({1.0f, 0.5f, 2.0f});
  if (random.chance(0.3)) {  // the distance is 1, not about 60
    view.flags = SLU_VIEW_ORTHOGRAPHIC_BIT;
    view.minSizeRatio *= 60.0f;
    for (float& lodDistance : view.lodDistances) lodDistance /= 60.0f;
    view.lodRatio *= 60.0f;
    const Vector direction = makeDirection(random);
    for (std::size_t i = 0; i < 3; ++i) view.direction[i] = static_cast<float>(direction[i]);
  } else {
    std::fill(std::begin(view.direction), std::end(view.direction), kNan);
  }
  view.layerMask = random.pick({0xffffffffu, random.word(), random.word(), 1u << random.below(32)});
  // What the rule does not read may be anything.
  if (!plan.readsThresholds()) view.lodRatio = kNan;
  if (plan.readsThresholds()) std::fill(std::begin(view.lodDistances), std::end(view.lodDistances), kNan);
  return view;
}

// Planes that keep most of what is near the eye.
void setMorePlanes(float (&planes)[6][4], const Vector& eye, Random& random) {
  for (float(&plane)[4] : planes) {
    const Vector normal = makeDirection(random);
    const float back = random.uniform(-5.0f, 90.0f);  // how far the eye is inside
    setPlane(plane, normal, combine(1.0, eye, -back, normal));
    if (random.chance(0.3)) std::copy_n(std::begin({0.0f, 0.0f, 0.0f, 1.0f}), 4, plane);
  }
}

}  // namespace

std::vector<SluMorePlanes> makeMorePlanes(std::vector<SluView>& views, Random& random) {
  std::vector<SluMorePlanes> all;
  for (std::uint32_t view = 0; view < views.size() && views.size() + all.size() < SLU_MAX_VIEWS; ++view) {
    if (random.chance(0.3)) continue;
    SluMorePlanes& more = all.emplace_back();
    more.view = view;
    const float(&from)[3] = views[view].eye;
    const Vector eye = {from[0], from[1], from[2]};
    if (random.chance(0.5)) {
      views[view].flags |= SLU_VIEW_EITHER_FRUSTUM_BIT;
      setFrustum(more.planes, eye, random);
    } else {
      setMorePlanes(more.planes, eye, random);
    }
  }
  std::reverse(all.begin(), all.end());  // they come in any order
  return all;
}

Quaternion makeRotation(Random& random) {
  for (;;) {
    const Quaternion q = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (length > 0.1f && length < 1.0f) return {q.x / length, q.y / length, q.z / length, q.w / length};
  }
}

Linear makeLinear(Random& random) {
  enum Kind { rotated, scaled, mirrored, sheared, singular };
  const Kind kind = random.pick({rotated, scaled, mirrored, sheared, singular});
  const Quaternion q = makeRotation(random);
  Linear linear = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
                    {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
                    {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
  if (kind == rotated) return linear;
  const std::uint32_t special = random.below(3);  // the axis that is mirrored, sheared along or lost
  for (std::uint32_t column = 0; column < 3; ++column) {
    float scale = random.uniform(0.25f, 3.0f);
    if (kind == mirrored && column == special) scale = -scale;
    for (auto& row : linear.rows) row[column] *= scale;
  }
  const std::uint32_t other = (special + random.between(1, 2)) % 3;
  const float shear = kind == sheared ? random.uniform(-2.0f, 2.0f) : 0.0f;
  for (auto& row : linear.rows) row[special] = kind == singular ? 0.0f : row[special] + shear * row[other];
  if (kind == singular && random.chance(0.5)) {
    for (auto& row : linear.rows) row[special] = row[other];
  }
  return linear;
}

void storeMatrix(std::uint8_t* bytes, SluMatrixForm form, const Linear& linear, const float translation[3]) {
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      std::size_t index = row * 4 + column;
      if (form == SLU_MATRIX_COLUMNS_4X4) index = column * 4 + row;
      if (form == SLU_MATRIX_COLUMNS_3X4) index = column * 3 + row;
      store(bytes + index * sizeof(float), column == 3 ? translation[row] : linear.rows[row][column]);
    }
  }
}

std::vector<std::uint8_t> makeLive(Pattern pattern, std::uint32_t count, Random& random) {
  std::vector<std::uint8_t> live(count, pattern == Pattern::all);
  if (count == 0) return live;
  if (pattern == Pattern::first) live.front() = 1;
  if (pattern == Pattern::last) live.back() = 1;
  if (pattern == Pattern::one) live[random.below(count)] = 1;
  if (pattern == Pattern::sparse || pattern == Pattern::half) {
    for (std::uint8_t& value : live) value = random.chance(pattern == Pattern::half ? 0.5 : 0.01);
  }
  if (pattern == Pattern::alternating) {
    const std::uint32_t period = random.pick({2u, 2u, 3u, 8u, 32u, 33u});
    for (std::uint32_t i = 0; i < count; ++i) live[i] = i % period == 0;
  }
  if (pattern == Pattern::clustered) {
    std::uint8_t value = 0;
    for (std::uint32_t i = 0; i < count; value ^= 1) {
      for (std::uint32_t run = random.between(1, 700); run > 0 && i < count; --run) live[i++] = value;
    }
  }
  return live;
}

Input makeInput(const PlanSpec& plan, const std::vector<std::uint8_t>& live, Random& random) {
  Input input;
  input.count = static_cast<std::uint32_t>(live.size());
  input.elements = makeElementCounts(plan, input.count, random);
  for (const Region& region : inputRegions(plan, input.count, input.elements)) {
    Bytes& bytes = region.place == &FrameSpec::records      ? input.records
                   : region.place == &FrameSpec::bounds     ? input.bounds
                   : region.place == &FrameSpec::transforms ? input.transforms
                   : region.place == &FrameSpec::layers     ? input.layers
                   : region.place == &FrameSpec::meshes     ? input.meshes
                                                            : input.flags;
    bytes.resize(region.bytes);
    random.fill(bytes);
  }
  for (const SluStream& stream : plan.streams) {
    random.fill(input.streams.emplace_back(streamInputBytes(stream, input.count)));
  }
  if (plan.hasMeshes()) input.meshes = makeMeshes(plan, random);
  const SluBounds& bounds = plan.info.bounds;
  if (plan.readsBounds()) {
    const std::size_t stride = bounds.source == SLU_BOUNDS_CONSTANT ? input.bounds.size() : bounds.stride;
    for (std::size_t offset = 0; offset < input.bounds.size(); offset += stride) {
      writeBounds(plan, &input.bounds[offset], random);
    }
  }
  if (plan.readsTransforms()) {
    for (std::size_t offset = 0; offset < input.transforms.size(); offset += bounds.transformStride) {
      writeTransform(bounds, &input.transforms[offset], random);
    }
  }
  for (std::uint32_t i = 0; i < input.count; ++i) {
    // Of two tests a record that is not live may pass one.
    const bool hasBoth = plan.readsFlags() && plan.recordTest().test != SLU_LIVE_ALWAYS;
    const std::uint32_t passed = live[i] != 0 ? 3 : hasBoth ? random.below(3) : 0;
    if (plan.readsFlags()) writeFlag(plan.flagTest(), input.flags, i, (passed & 1) != 0, random);
    if (plan.readsRecords()) {
      writeRecord(plan, input.elements, &input.records[std::size_t{i} * plan.info.recordStride], (passed & 2) != 0,
                  random);
    }
  }
  return input;
}

Input makeInput(const PlanSpec& plan, std::uint32_t count, Pattern pattern, Random& random) {
  return makeInput(plan, makeLive(pattern, count, random), random);
}

Bytes makeMeshes(const PlanSpec& plan, Random& random) {
  const std::size_t stride = plan.info.meshes.stride;
  Bytes meshes(plan.keyCount() * stride);
  random.fill(meshes);
  for (std::size_t offset = 0; offset < meshes.size(); offset += stride) writeMesh(plan, &meshes[offset], random);
  return meshes;
}

Bytes makeLodStates(const PlanSpec& plan, std::uint32_t viewCount, Random& random) {
  Bytes states(std::size_t{viewCount} * plan.info.maxRecordCount * 4);
  for (std::size_t offset = 0; offset < states.size(); offset += 4) {
    const std::uint32_t lod = random.chance(0.2) ? SLU_LOD_NONE : random.below(plan.lodCount());
    const std::uint32_t before = random.chance(0.5) ? SLU_LOD_NONE : random.below(plan.lodCount());
    const std::uint32_t fade = random.chance(0.3) ? 255 : random.below(256);
    const std::uint32_t state = lod | before << 8 | fade << 16;
    const std::uint32_t garbage = random.pick({random.word(), 0xffffffffu, state ^ 0x7f000000u, plan.lodCount()});
    store(&states[offset], random.chance(0.1) ? garbage : state);
  }
  return states;
}

std::vector<SluView> makeViews(const PlanSpec& plan, std::uint32_t count, Random& random) {
  std::vector<SluView> views;
  if (!plan.hasViews()) return views;
  for (std::uint32_t i = 0; i < count; ++i) views.push_back(makeView(plan, random));
  return views;
}

}  // namespace slu::test
