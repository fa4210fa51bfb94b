// What the tests of other renderers' layouts share. Each test fills buffers as a renderer does, runs the plan that
// docs/guide/renderers.md gives for them, and compares with a rendition of the renderer's own pass in doubles.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "inputs.h"
#include "machines.h"
#include "plans.h"
#include "scene_builder.h"

namespace slu::test {

using Vector = std::array<double, 3>;
using Matrix4 = std::array<std::array<double, 4>, 4>;  // rows

inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }
inline Vector subtract(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector vectorOf(const float a[3]) { return {a[0], a[1], a[2]}; }

// Judges a record in doubles, and keeps how close a call it was. The library computes in floats, which are off by some
// 1e-4 in a world of this size, so tests leave out records with a call closer than kClosestCall when they make their
// input. Then both must agree.
class Judge {
 public:
  // value is a distance in the world, from the boundary inwards.
  bool isInside(double value) {
    closest_ = std::min(closest_, std::fabs(value));
    return value > 0.0;
  }
  bool isClear() const { return closest_ > kClosestCall; }

 private:
  static constexpr double kClosestCall = 0.01;
  double closest_ = std::numeric_limits<double>::infinity();
};

constexpr float kWorld = 60.0f;  // positions are at most so far from the origin along each axis

// A perspective camera near the origin that sees some tenth of the world.
struct Camera {
  Vector eye;
  Vector right, up, forward;  // of length 1 and at right angles
  double tanX, tanY;          // of half the angles of view
  double nearest, farthest;   // planes
};
Camera makeCamera(Random& random);

// From the world to the camera's axes; z is forward.
Matrix4 viewMatrix(const Camera& camera);
// From the world to clip space, as reversed z with a far plane at infinity, or as z from 0 to w.
Matrix4 reversedClipMatrix(const Camera& camera);
Matrix4 finiteClipMatrix(const Camera& camera);

// By columns, as shaders take it.
std::array<float, 16> columnsOf(const Matrix4& matrix);

template <typename Element>
Bytes bytesOf(const std::vector<Element>& elements) {
  Bytes bytes(elements.size() * sizeof(Element));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// An element of which every byte is random: what the pass does not read may be anything.
template <typename Element>
Element makeAny(Random& random) {
  Element element;
  random.fill({reinterpret_cast<std::uint8_t*>(&element), sizeof(element)});
  return element;
}

inline void setPoint(float point[3], float size, Random& random) {
  for (int i = 0; i < 3; ++i) point[i] = random.uniform(-size, size);
}

// One instance of an indexed draw: which record, and what the command draws for it.
struct Drawn {
  std::uint32_t record, indexCount, firstIndex;
  std::int32_t vertexOffset;
  auto operator<=>(const Drawn&) const = default;
};

// VkDrawIndexedIndirectCommand.
struct IndexedDraw {
  std::uint32_t indexCount, instanceCount, firstIndex;
  std::int32_t vertexOffset;
  std::uint32_t firstInstance;
  auto operator<=>(const IndexedDraw&) const = default;
};
static_assert(sizeof(IndexedDraw) == 20);

// VkDispatchIndirectCommand.
struct Workgroups {
  std::uint32_t x, y, z;
};
static_assert(sizeof(Workgroups) == 12);

// What a frame of one view left behind.
class Outcome {
 public:
  Outcome(const PlanSpec& plan, const FrameSpec& frame, std::vector<Bytes> memories)
      : plan_(plan), frame_(frame), memories_(std::move(memories)) {}

  SluStatistics statistics() const { return read<SluStatistics>(frame_.statistics, 1)[0]; }
  std::vector<std::uint32_t> kept() const;  // indices of a plan with one bucket, in the order of the output
  // As many as the draw count says. A command must take the plan's stride.
  template <typename Command = IndexedDraw>
  std::vector<Command> commands() const {
    return read<Command>(frame_.draws, statistics().drawCount);
  }
  // Of a plan whose groups have fixed places: as many as the group's draw count says.
  std::vector<IndexedDraw> commandsOfGroup(std::uint32_t group) const;
  // An element for each instance of the commands, sorted.
  std::vector<Drawn> drawnBy(const std::vector<IndexedDraw>& commands) const;
  std::vector<Drawn> drawn() const { return drawnBy(commands()); }

  template <typename Element>
  std::vector<Element> read(const Place& place, std::size_t count) const {
    std::vector<Element> elements(count);
    const std::uint8_t* first = memories_.at(place.memory).data() + place.offset;
    if (count > 0) std::memcpy(elements.data(), first, count * sizeof(Element));
    return elements;
  }
  template <typename Element>
  std::vector<Element> recordCommands() const {  // of a merged plan, as far apart as the elements
    return read<Element>(frame_.draws, statistics().drawCount);
  }
  template <typename Element>
  std::vector<Element> keptRecords() const {
    return read<Element>(frame_.keptRecords, statistics().keptCount);
  }

 private:
  const PlanSpec& plan_;
  FrameSpec frame_;
  std::vector<Bytes> memories_;
};

// Runs each test once on each machine.
class Layouts : public testing::TestWithParam<MachineKind> {
 protected:
  void SetUp() override;     // skips where the route is absent
  void TearDown() override;  // fails when the validation layer said anything

  // One frame over the whole input. A plan that does not cull has no view. The plan must outlive the outcome. arrange
  // may bind outputs elsewhere.
  Outcome run(const PlanSpec& plan, const Input& input, const SluView& view,
              const std::function<void(SceneBuilder& builder, FrameSpec& frame)>& arrange = {});

  Random random;

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  Machine* machine_ = nullptr;
};

}  // namespace slu::test
