#include "definition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace slu::test {
namespace {

template <typename T>
T read(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <typename T>
void write(std::uint8_t* to, const T& value) {
  std::memcpy(to, &value, sizeof(value));
}

using Vector = std::array<double, 3>;

struct Ball {
  Vector center;
  double radius;
};

bool isLive(const SluLive& live, const std::uint8_t* record, const std::uint8_t* flags, std::uint32_t i) {
  switch (live.test) {
    case SLU_LIVE_NON_EMPTY: {
      std::uint32_t bytesSet = 0;
      for (std::uint32_t byte = 0; byte < live.size; ++byte) bytesSet += record[live.offset + byte] != 0 ? 1 : 0;
      return bytesSet > 0;
    }
    case SLU_LIVE_POSITIVE_INT:
      return read<std::int32_t>(record + live.offset) > 0;
    case SLU_LIVE_POSITIVE_FLOAT:
      return read<float>(record + live.offset) > 0.0f;
    case SLU_LIVE_FLAG_BITS:
      return (flags[i / 8] & (1 << (i % 8))) != 0;  // words are little-endian
    case SLU_LIVE_FLAG_BYTES:
      return flags[i] > 0;
    case SLU_LIVE_FLAG_WORDS:
      return read<std::uint32_t>(flags + i * 4) > 0;
    default:
      return true;
  }
}

std::uint32_t keyOf(const SluKey& key, const std::uint8_t* record) {
  if (key.keyCount <= 1) return 0;
  const std::uint64_t word = read<std::uint32_t>(record + key.offset);
  const std::uint32_t bits = key.bits == 0 ? 32 - key.shift : key.bits;
  return static_cast<std::uint32_t>((word >> key.shift) % (std::uint64_t{1} << bits));
}

// As a matrix, unlike the library.
Vector rotate(const float* quaternion, const Vector& v) {
  const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - z * w) * v[1] + 2 * (x * z + y * w) * v[2],
          2 * (x * y + z * w) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - x * w) * v[2],
          2 * (x * z - y * w) * v[0] + 2 * (y * z + x * w) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}

Ball ballOf(const SluBounds& bounds, const Inputs& inputs, const std::uint8_t* record, std::uint32_t i,
            std::uint32_t key) {
  const std::uint8_t* from = bounds.source == SLU_SPHERE_IN_RECORD    ? record
                             : bounds.source == SLU_SPHERE_PER_RECORD ? inputs.spheres + i * bounds.stride
                                                                      : inputs.spheres + key * bounds.stride;
  const auto sphere = read<std::array<float, 4>>(from + bounds.offset);
  Ball ball = {{sphere[0], sphere[1], sphere[2]}, sphere[3]};
  if ((bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0) {
    const double scale = read<float>(record + bounds.scaleOffset);
    for (double& value : ball.center) value *= scale;
    ball.radius *= std::abs(scale);
  }
  if ((bounds.transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0) {
    const auto quaternion = read<std::array<float, 4>>(record + bounds.rotationOffset);
    ball.center = rotate(quaternion.data(), ball.center);
  }
  if ((bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0) {
    const auto position = read<std::array<float, 3>>(record + bounds.positionOffset);
    for (std::size_t axis = 0; axis < 3; ++axis) ball.center[axis] += position[axis];
  }
  return ball;
}

// Exact where the distance itself is short, which std::hypot is not.
double distanceTo(const SluView& view, const Ball& ball) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double difference = ball.center[axis] - view.eye[axis];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

bool isInside(const SluView& view, const Ball& ball) {
  return std::all_of(std::begin(view.planes), std::end(view.planes), [&](const auto& plane) {
    const double dot = plane[0] * ball.center[0] + plane[1] * ball.center[1] + plane[2] * ball.center[2];
    return dot + plane[3] >= -ball.radius;
  });
}

// SLU_REJECT_COUNT: none.
std::uint32_t rejectOf(SluFlags cullFlags, const SluView& view, const Ball& ball) {
  const double distance = distanceTo(view, ball);
  const bool finite = std::all_of(ball.center.begin(), ball.center.end(), [](double v) { return std::isfinite(v); });
  if (!finite || !std::isfinite(ball.radius) || ball.radius < 0 || distance > 1e18) return SLU_REJECT_INVALID;
  const bool inRange = view.minDistance <= distance && distance <= view.maxDistance;
  if ((cullFlags & SLU_CULL_DISTANCE_BIT) != 0 && !inRange) return SLU_REJECT_DISTANCE;
  if ((cullFlags & SLU_CULL_FRUSTUM_BIT) != 0 && !isInside(view, ball)) return SLU_REJECT_FRUSTUM;
  const bool largeEnough = ball.radius >= view.minSizeRatio * distance;
  if ((cullFlags & SLU_CULL_SIZE_BIT) != 0 && !largeEnough) return SLU_REJECT_SIZE;
  return SLU_REJECT_COUNT;
}

std::uint32_t inputCountOf(const SluFrameInfo& frame, const Inputs& inputs) {
  if (inputs.liveCount == nullptr) return frame.recordCount;
  return std::min(read<std::uint32_t>(inputs.liveCount), frame.recordCount);
}

struct Frame {
  const Described& described;
  const std::vector<std::uint8_t>& before;
  std::vector<std::uint8_t> after;
  Inputs inputs;

  const SluFrameInfo& info() const { return described.frame; }
  std::uint8_t* to(const SluBinding& binding) { return after.data() + binding.offset; }
  const std::uint8_t* from(const SluBinding& binding) const {
    return binding.buffer == nullptr ? nullptr : before.data() + binding.offset;
  }
  bool writes(SluOutputFlagBits bit) const { return (described.plan.outputs & bit) != 0; }

  void writeView(std::uint32_t view);
  void writeKept(const Passed& passed, std::uint32_t view, std::vector<SluBucketCount>& counts);
  std::uint32_t writeDraws(const std::vector<SluBucketCount>& counts, std::uint32_t view);
  void writeStatistics(const Passed& passed, const std::vector<SluBucketCount>& counts, std::uint32_t view,
                       std::uint32_t drawCount);
};

void Frame::writeKept(const Passed& passed, std::uint32_t view, std::vector<SluBucketCount>& counts) {
  const std::uint32_t stride = described.plan.recordStride;
  std::uint64_t first = view * described.outputsPerView();
  for (std::size_t b = 0; b < passed.buckets.size(); ++b) {
    const std::uint32_t capacity = described.buckets[b].capacity;
    const auto demanded = static_cast<std::uint32_t>(passed.buckets[b].size());
    counts[b] = {demanded, std::min(demanded, capacity)};
    for (std::uint32_t i = 0; i < counts[b].keptCount; ++i) {
      const std::uint32_t index = passed.buckets[b][i];
      if (writes(SLU_OUTPUT_INDICES_BIT)) write(to(info().indices) + (first + i) * 4, index);
      if (writes(SLU_OUTPUT_RECORDS_BIT)) {
        std::copy_n(inputs.records + std::uint64_t{index} * stride, stride,
                    to(info().keptRecords) + (first + i) * stride);
      }
    }
    first += capacity;
  }
}

std::vector<std::uint32_t> commandOf(SluDrawType type, const SluDrawTemplate& draw, std::uint32_t kept,
                                     std::uint32_t first) {
  switch (type) {
    case SLU_DRAW_INSTANCES:
      return {draw.elementCount, kept, draw.firstElement, draw.firstInstance + first};
    case SLU_DRAW_VERTICES:
      return {kept * draw.elementCount, draw.instanceCount, draw.firstElement + first * draw.elementCount,
              draw.firstInstance};
    default:
      return {draw.elementCount, kept, draw.firstElement, static_cast<std::uint32_t>(draw.vertexOffset),
              draw.firstInstance + first};
  }
}

std::uint32_t Frame::writeDraws(const std::vector<SluBucketCount>& counts, std::uint32_t view) {
  const SluDraws& draws = described.plan.draws;
  if (draws.type == SLU_DRAW_NONE) return 0;
  std::vector<std::vector<std::uint32_t>> commands;
  auto first = static_cast<std::uint32_t>(view * described.outputsPerView());
  for (std::size_t b = 0; b < counts.size(); ++b) {
    const bool skipped = (draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) != 0 && counts[b].keptCount == 0;
    if (!skipped) commands.push_back(commandOf(draws.type, described.buckets[b].draw, counts[b].keptCount, first));
    first += described.buckets[b].capacity;
  }
  const auto drawCount = static_cast<std::uint32_t>(commands.size());
  commands.resize(counts.size(), std::vector<std::uint32_t>(commandBytes(draws.type) / 4, 0));
  for (std::size_t i = 0; i < commands.size() && writes(SLU_OUTPUT_DRAWS_BIT); ++i) {
    std::uint8_t* command = to(info().draws) + (view * counts.size() + i) * draws.stride;
    std::memcpy(command, commands[i].data(), commands[i].size() * 4);
  }
  if (writes(SLU_OUTPUT_DRAW_COUNTS_BIT)) write(to(info().drawCounts) + view * 4, drawCount);
  return drawCount;
}

void Frame::writeStatistics(const Passed& passed, const std::vector<SluBucketCount>& counts, std::uint32_t view,
                            std::uint32_t drawCount) {
  std::uint8_t* at = to(info().statistics) + view * sizeof(SluStatistics);
  SluStatistics statistics{};
  statistics.inputCount = inputCountOf(info(), inputs);
  statistics.drawCount = drawCount;
  statistics.overflow = read<SluStatistics>(at).overflow;
  for (const SluBucketCount& count : counts) {
    statistics.demandedCount += count.demandedCount;
    statistics.keptCount += count.keptCount;
  }
  if (statistics.demandedCount != statistics.keptCount) statistics.overflow |= SLU_OVERFLOW_CAPACITY_BIT;
  if (inputs.liveCount != nullptr && read<std::uint32_t>(inputs.liveCount) > info().recordCount) {
    statistics.overflow |= SLU_OVERFLOW_INPUT_BIT;
  }
  std::copy(std::begin(passed.rejected), std::end(passed.rejected), statistics.rejectedCount);
  write(at, statistics);
}

void Frame::writeView(std::uint32_t view) {
  const Passed passed = findPassed(described, inputs, view);
  std::vector<SluBucketCount> counts(passed.buckets.size());
  writeKept(passed, view, counts);
  const std::uint32_t drawCount = writeDraws(counts, view);
  if (writes(SLU_OUTPUT_STATISTICS_BIT)) writeStatistics(passed, counts, view, drawCount);
  for (std::size_t b = 0; b < counts.size() && writes(SLU_OUTPUT_BUCKET_COUNTS_BIT); ++b) {
    write(to(info().bucketCounts) + (view * counts.size() + b) * sizeof(SluBucketCount), counts[b]);
  }
}

}  // namespace

std::uint64_t Described::outputsPerView() const {
  std::uint64_t sum = 0;
  for (const SluBucket& bucket : buckets) sum += bucket.capacity;
  return sum;
}

std::uint32_t commandBytes(SluDrawType type) {
  return type == SLU_DRAW_NONE ? 0 : type == SLU_DRAW_INDEXED_INSTANCES ? 20 : 16;
}

Passed findPassed(const Described& described, const Inputs& inputs, std::uint32_t view) {
  const SluPlanCreateInfo& plan = described.plan;
  const SluFrameInfo& frame = described.frame;
  SluView seenFrom{};
  if (frame.views != nullptr) {
    const std::uint32_t stride = frame.viewStride == 0 ? std::uint32_t{sizeof(SluView)} : frame.viewStride;
    seenFrom = read<SluView>(reinterpret_cast<const std::uint8_t*>(frame.views) + std::size_t{stride} * view);
  }
  Passed passed;
  passed.buckets.resize(described.bucketCount());
  for (std::uint32_t i = 0; i < inputCountOf(frame, inputs); ++i) {
    const std::uint8_t* record = inputs.records == nullptr ? nullptr : inputs.records + i * plan.recordStride;
    if (!isLive(plan.live, record, inputs.flags, i)) {
      ++passed.rejected[SLU_REJECT_NOT_LIVE];
      continue;
    }
    const std::uint32_t key = keyOf(plan.key, record);
    if (key >= described.keyCount()) {
      ++passed.rejected[SLU_REJECT_KEY];
      continue;
    }
    std::uint32_t lod = 0;
    if (described.usesBounds()) {
      const Ball ball = ballOf(plan.bounds, inputs, record, i, key);
      const std::uint32_t reject = rejectOf(plan.cullFlags, seenFrom, ball);
      if (reject != SLU_REJECT_COUNT) {
        ++passed.rejected[reject];
        continue;
      }
      for (std::uint32_t l = 0; l + 1 < described.lodCount(); ++l) {
        lod += distanceTo(seenFrom, ball) >= seenFrom.lodDistances[l] ? 1 : 0;
      }
    }
    passed.buckets[key * described.lodCount() + lod].push_back(i);
  }
  return passed;
}

std::vector<std::uint8_t> runDefinition(const Described& described, const std::vector<std::uint8_t>& memory) {
  Frame frame{described, memory, memory, {}};
  const SluFrameInfo& info = described.frame;
  frame.inputs = {frame.from(info.records), frame.from(info.spheres), frame.from(info.flags),
                  frame.from(info.liveCount)};
  for (std::uint32_t view = 0; view < info.viewCount; ++view) frame.writeView(view);
  return frame.after;
}

}  // namespace slu::test
