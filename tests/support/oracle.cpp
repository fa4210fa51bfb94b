#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace slu::test {
namespace {

template <typename Value>
Value load(const std::uint8_t* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

const std::uint8_t* at(const std::vector<Bytes>& memories, const Place& place) {
  return place ? memories.at(place.memory).data() + place.offset : nullptr;
}

bool passes(const SluPlanCreateInfo& info, const SluLive& live, const std::uint8_t* record, const std::uint8_t* flags,
            std::uint32_t i) {
  switch (live.test) {
    case SLU_LIVE_ALWAYS:
      return true;
    case SLU_LIVE_NON_EMPTY:
      return std::any_of(record + live.offset, record + live.offset + live.size, [](std::uint8_t b) { return b != 0; });
    case SLU_LIVE_POSITIVE_INT:
      return load<std::int32_t>(record + live.offset) > 0;
    case SLU_LIVE_POSITIVE_FLOAT:
      return load<float>(record + live.offset) > 0.0f;
    case SLU_LIVE_MASK_EQUAL:
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        const auto bitOf = [bit](std::uint32_t word) { return word >> bit & 1; };
        const std::uint32_t word = load<std::uint32_t>(record + live.offset);
        if (bitOf(info.liveMask) != 0 && bitOf(word) != bitOf(info.liveValue)) return false;
      }
      return true;
    case SLU_LIVE_FLAG_BITS:
      return (load<std::uint32_t>(flags + i / 32 * 4) >> i % 32 & 1) != 0;
    case SLU_LIVE_FLAG_BYTES:
      return flags[i] != 0;
    case SLU_LIVE_FLAG_WORDS:
      return load<std::uint32_t>(flags + std::uint64_t{i} * 4) != 0;
    default:
      throw std::invalid_argument("the oracle does not know this live test");
  }
}

std::uint32_t keyOf(const PlanSpec& plan, const std::uint8_t* record) {
  const SluKey& key = plan.info.key;
  if (plan.keyCount() == 1) return 0;
  const std::uint64_t mask = key.bits == 0 ? 0xffffffffu : (std::uint64_t{1} << key.bits) - 1;
  return static_cast<std::uint32_t>(load<std::uint32_t>(record + key.offset) >> key.shift & mask);
}

float squaredDistance(const SluView& view, const Ball& ball, const Arithmetic& arithmetic) {
  const float toCenter[3] = {ball.center[0] - view.eye[0], ball.center[1] - view.eye[1], ball.center[2] - view.eye[2]};
  return arithmetic.dot(toCenter, toCenter);
}

}  // namespace

float Arithmetic::dot(const float a[3], const float b[3]) const {
  if (kind == contracted) return std::fma(a[2], b[2], std::fma(a[1], b[1], a[0] * b[0]));
  if (kind == reordered) return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]);
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

void Arithmetic::rotate(const float quaternion[4], float vector[3]) const {
  const auto cross = [this](const float a[3], const float b[3], float result[3]) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      result[i] = kind == contracted ? std::fma(a[j], b[k], -(a[k] * b[j])) : a[j] * b[k] - a[k] * b[j];
    }
  };
  float t[3], u[3];
  cross(quaternion, vector, t);
  for (float& component : t) component *= 2.0f;
  cross(quaternion, t, u);
  for (int i = 0; i < 3; ++i) {
    const float sum = kind == contracted ? std::fma(t[i], quaternion[3], vector[i]) : vector[i] + t[i] * quaternion[3];
    vector[i] = sum + u[i];
  }
}

Ball boundsOf(const PlanSpec& plan, const std::uint8_t* record, const std::uint8_t* sphere,
              const Arithmetic& arithmetic) {
  const SluBounds& bounds = plan.info.bounds;
  Ball ball = load<Ball>(sphere + bounds.offset);
  if ((bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0) {
    const float scale = load<float>(record + bounds.scaleOffset);
    for (float& component : ball.center) component *= scale;
    ball.radius *= std::fabs(scale);
  }
  if ((bounds.transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0) {
    float quaternion[4];
    std::memcpy(quaternion, record + bounds.rotationOffset, sizeof(quaternion));
    arithmetic.rotate(quaternion, ball.center);
  }
  if ((bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0) {
    for (std::uint32_t i = 0; i < 3; ++i) ball.center[i] += load<float>(record + bounds.positionOffset + i * 4);
  }
  return ball;
}

std::uint32_t cull(const PlanSpec& plan, const SluView& view, const Ball& ball, const Arithmetic& arithmetic) {
  const float distance2 = squaredDistance(view, ball, arithmetic);
  if (!std::isfinite(distance2) || distance2 > 1e36f) return SLU_REJECT_INVALID;
  if (!std::isfinite(ball.radius) || ball.radius < 0.0f) return SLU_REJECT_INVALID;
  if ((plan.info.cullFlags & SLU_CULL_DISTANCE_BIT) != 0 &&
      (distance2 < view.minDistance * view.minDistance || distance2 > view.maxDistance * view.maxDistance)) {
    return SLU_REJECT_DISTANCE;
  }
  if ((plan.info.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0) {
    for (const float(&plane)[4] : view.planes) {
      if (arithmetic.dot(plane, ball.center) + plane[3] < -ball.radius) return SLU_REJECT_FRUSTUM;
    }
  }
  if ((plan.info.cullFlags & SLU_CULL_SIZE_BIT) != 0 &&
      ball.radius * ball.radius < view.minSizeRatio * view.minSizeRatio * distance2) {
    return SLU_REJECT_SIZE;
  }
  return SLU_REJECT_COUNT;
}

std::uint32_t lodOf(const PlanSpec& plan, const SluView& view, const Ball& ball, const Arithmetic& arithmetic) {
  const float distance2 = squaredDistance(view, ball, arithmetic);
  std::uint32_t lod = 0;
  while (lod + 1 < plan.lodCount() && distance2 >= view.lodDistances[lod] * view.lodDistances[lod]) ++lod;
  return lod;
}

Demand findDemand(const PlanSpec& plan, const FrameSpec& frame, const std::vector<Bytes>& memories) {
  Demand demand;
  demand.inputCount = frame.recordCount;
  if (frame.liveCount) {
    const std::uint32_t liveCount = load<std::uint32_t>(at(memories, frame.liveCount));
    demand.inputCount = std::min(liveCount, frame.recordCount);
    demand.overflow = liveCount > frame.recordCount ? SLU_OVERFLOW_INPUT_BIT : 0;
  }
  demand.rejected.resize(frame.viewCount * SLU_REJECT_COUNT);
  demand.passed.resize(std::size_t{frame.viewCount} * plan.bucketCount());

  const SluBounds& bounds = plan.info.bounds;
  const std::uint8_t* flags = at(memories, frame.flags);
  const std::uint8_t* spheres = at(memories, frame.bounds);
  for (std::uint32_t i = 0; i < demand.inputCount; ++i) {
    const std::uint8_t* record = at(memories, frame.records);
    if (record != nullptr) record += std::uint64_t{i} * plan.info.recordStride;
    const bool live = passes(plan.info, plan.info.live, record, flags, i) &&
                      passes(plan.info, plan.info.secondLive, record, flags, i);
    const std::uint32_t key = live ? keyOf(plan, record) : 0;
    Ball ball{};
    if (live && key < plan.keyCount() && plan.hasViews()) {
      const std::uint64_t element = bounds.source == SLU_BOUNDS_PER_KEY ? key : i;
      ball = boundsOf(plan, record, bounds.source == SLU_BOUNDS_IN_RECORD ? record : spheres + element * bounds.stride);
    }
    for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
      std::uint32_t reject = SLU_REJECT_COUNT;
      if (!live) {
        reject = SLU_REJECT_NOT_LIVE;
      } else if (key >= plan.keyCount()) {
        reject = SLU_REJECT_KEY;
      } else if (plan.hasViews()) {
        reject = cull(plan, frame.views[view], ball);
      }
      if (reject != SLU_REJECT_COUNT) {
        ++demand.rejected[view * SLU_REJECT_COUNT + reject];
        continue;
      }
      const std::uint32_t lod = plan.lodCount() > 1 ? lodOf(plan, frame.views[view], ball) : 0;
      demand.passed[view * plan.bucketCount() + key * plan.lodCount() + lod].push_back(i);
    }
  }
  return demand;
}

}  // namespace slu::test
