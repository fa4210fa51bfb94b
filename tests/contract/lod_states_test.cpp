// LODs that depend on those of the last frame.
#include <algorithm>
#include <array>
#include <cstring>

#include "contract.h"
#include "floats.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kStates = 2000;

std::uint32_t stateWordOf(const std::vector<Bytes>& memories, const Place& place, std::uint64_t word) {
  std::uint32_t value;
  std::memcpy(&value, &memories[place.memory][place.offset + word * 4], sizeof(value));
  return value;
}

std::uint32_t lodOfState(std::uint32_t state) { return state & 0xff; }
std::uint32_t lodBefore(std::uint32_t state) { return state >> 8 & 0xff; }
std::uint32_t fadeOf(std::uint32_t state) { return state >> 16 & 0xff; }

// Spheres on a line, a quarter apart, and LODs from 10 and from 20 on.
class Line {
 public:
  static constexpr std::uint32_t kSpheres = 120;

  Line(SluOrder order, Random& random) : builder_(random) {
    plan_ = simplePlan(order, 20, kSpheres);
    plan_.info.live = {};
    addCulling(plan_, 0, SLU_BOUNDS_IN_RECORD, 4);
    addBuckets(plan_, 1, 3, kSpheres);
    plan_.info.lod.flags = SLU_LOD_STATES_BIT;
    index_ = builder_.addPlan(plan_);
    input_ = makeInput(plan_, kSpheres, Pattern::all, random);
    for (std::uint32_t i = 0; i < kSpheres; ++i) {
      const Ball ball{{static_cast<float>(i) * 0.25f, 0.0f, 0.0f}, 1.0f};
      std::memcpy(&input_.records[i * std::size_t{20} + 4], &ball, sizeof(ball));
    }
  }

  // A frame that is seen from x, and reads the states of the one before it.
  void addFrame(float x, float hysteresis, std::uint32_t fadeStep) {
    FrameSpec frame = builder_.makeFrame(index_, input_);
    SluView& view = frame.views[0];
    view.flags = 0;
    view.eye[0] = x;
    view.eye[1] = view.eye[2] = 0.0f;
    view.lodDistances[0] = 10.0f;
    view.lodDistances[1] = 20.0f;
    frame.lastLodStates = frames_.empty() ? Place{} : frames_.back().lodStates;
    frame.lodHysteresis = hysteresis;
    frame.lodFadeStep = fadeStep;
    builder_.addFrame(frame);
    frames_.push_back(frame);
  }

  // Runs the frames, and keeps what they leave.
  testing::AssertionResult run(Machine& machine) {
    const Scene scene = builder_.finish();
    memories_ = scene.memories;
    return Trial(machine, scene).run(memories_) << "; " << describe(plan_);
  }

  std::uint32_t state(std::size_t frame, std::uint32_t record) const {
    return stateWordOf(memories_, frames_[frame].lodStates, record);
  }

  // How often the LOD of a record is another one than in the frame before.
  std::uint32_t changes() const {
    std::uint32_t sum = 0;
    for (std::size_t frame = 1; frame < frames_.size(); ++frame) {
      for (std::uint32_t i = 0; i < kSpheres; ++i) {
        sum += lodOfState(state(frame, i)) != lodOfState(state(frame - 1, i)) ? 1 : 0;
      }
    }
    return sum;
  }

 private:
  SceneBuilder builder_;
  PlanSpec plan_;
  std::uint32_t index_ = 0;
  Input input_;
  std::vector<FrameSpec> frames_;
  std::vector<Bytes> memories_;
};

// The eye moves to and fro, by less than the hysteresis of a twentieth.
TEST_P(Contract, LodsDoNotFlip) {
  for (const SluOrder order : kOrders) {
    for (const float hysteresis : {0.0f, 0.05f, 0.5f}) {
      Line line(order, random);
      for (int frame = 0; frame < 8; ++frame) line.addFrame(frame % 2 == 0 ? 0.0f : -0.3f, hysteresis, 255);
      ASSERT_TRUE(line.run(machine()));
      // Without hysteresis, the two spheres less than 0.3 before a threshold flip in each of the seven frames.
      EXPECT_EQ(line.changes(), hysteresis == 0.0f ? 7u * 2 : 0u) << "hysteresis " << hysteresis;
    }
  }
}

// Sphere 30 has a distance of 7.5, of 10 from the third frame on, and of 20.5 at the end.
TEST_P(Contract, FadesOfLods) {
  constexpr float kEyes[] = {0.0f, 0.0f, -2.5f, -2.5f, -2.5f, -2.5f, -2.5f, -13.0f};
  constexpr std::array<std::uint32_t, 3> kExpected[] = {{0, SLU_LOD_NONE, 255},
                                                        {0, SLU_LOD_NONE, 255},
                                                        {1, 0, 0},
                                                        {1, 0, 100},
                                                        {1, 0, 200},
                                                        {1, 0, 255},
                                                        {1, 0, 255},
                                                        {2, 1, 0}};
  for (const SluOrder order : kOrders) {
    Line line(order, random);
    for (const float x : kEyes) line.addFrame(x, 0.0f, 100);
    ASSERT_TRUE(line.run(machine()));
    for (std::size_t frame = 0; frame < std::size(kEyes); ++frame) {
      const std::uint32_t state = line.state(frame, 30);
      const std::array<std::uint32_t, 3> parts = {lodOfState(state), lodBefore(state), fadeOf(state)};
      EXPECT_EQ(parts, kExpected[frame]) << "frame " << frame;
    }
  }
}

// Two buffers, which frames swap: of several views, with records that are culled, come back, or are not live.
TEST_P(Contract, FramesThatSwapLodStates) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 32, kStates);
    plan.info.maxViewCount = 3;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addBuckets(plan, 5, 4, 300, 4);
    plan.info.key.bits = 3;
    plan.info.lod.flags = SLU_LOD_STATES_BIT | random.below(2);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    const FrameSpec first = builder.makeFrame(index, makeInput(plan, kStates, Pattern::half, random), 3);
    Place states[2] = {first.lodStates, builder.addOutput(3 * kStates * 4)};
    for (std::uint32_t i = 0; i < 12; ++i) {
      FrameSpec frame = first;
      frame.recordCount = i % 4 == 3 ? random.below(kStates + 1) : kStates;
      frame.viewCount = i % 5 == 4 ? 2 : 3;
      frame.views.resize(frame.viewCount);
      for (SluView& view : frame.views) {
        for (float& value : view.eye) value += random.uniform(-3.0f, 3.0f);
      }
      frame.lastLodStates = states[i % 2];
      frame.lodStates = states[(i + 1) % 2];
      frame.lodHysteresis = random.uniform(0.0f, 0.2f);
      frame.lodFadeStep = random.below(256);
      frame.indices = frame.keptRecords = frame.statistics = frame.bucketCounts = {};
      builder.addOutputs(frame);
      builder.addFrame(frame);
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    Trial trial(machine(), scene);
    ASSERT_TRUE(trial.run(memories)) << "; " << describe(plan);
    ASSERT_TRUE(trial.run(memories, 3)) << "; " << describe(plan);
  }
}

// With each rule, mesh tables whose LODs may not be resident, marks, layers, buckets of mirrored records and shared
// streams. The host may have written anything as states.
TEST_P(Contract, LodStatesOfAnyBytes) {
  for (const SluLodRule rule : {SLU_LOD_VIEW_DISTANCES, SLU_LOD_MESH_DISTANCES, SLU_LOD_MESH_ERRORS}) {
    PlanSpec plan = simplePlan(nextOrder(), 96, kStates);
    plan.info.maxViewCount = 2;
    addCulling(plan, random.below(8), SLU_BOUNDS_PER_RECORD, 0, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
    addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 8);
    addBuckets(plan, 7, random.between(2, SLU_MAX_LODS), 400, 4);
    plan.info.key.bits = 3;
    if (random.chance(0.5)) splitMirrored(plan);
    if (random.chance(0.7)) addMarks(plan, 0, true, random);
    if (random.chance(0.3)) addLayers(plan, 0, true);
    if (rule != SLU_LOD_VIEW_DISTANCES || random.chance(0.5)) {
      addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT, rule, random.below(2));
    }
    if (random.chance(0.5)) addIndices(plan, SLU_INDEXED_BOUNDS_BIT | SLU_INDEXED_LAYERS_BIT, 60);
    plan.info.lod.flags |= SLU_LOD_STATES_BIT;
    plan.info.flags |= random.pick({SluFlags{0}, SluFlags{SLU_PLAN_IN_PLACE_BIT}});
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (int round = 0; round < 3; ++round) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, kStates, Pattern::half, random), 2);
      if (round == 0) {  // as others have but a few
        Bytes states(std::size_t{2} * kStates * 4);
        random.fill(states);
        frame.lastLodStates = builder.addInput(states);
      }
      if (round == 1) frame.liveCount = builder.addWord(random.below(kStates));
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
  }
}

// In frames of any size, also of those that read records once for all views, and of none.
TEST_P(Contract, LodStatesOfEverySize) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 24, 5000);
    plan.info.maxViewCount = 5;
    addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addBuckets(plan, random.pick({1u, 3u}), 3, 5000, 4);
    plan.info.key.bits = plan.keyCount() > 1 ? 2 : 0;
    plan.info.lod.flags = SLU_LOD_STATES_BIT;
    for (const std::uint32_t count : {0u, 1u, 33u, 257u, 5000u}) {
      ASSERT_TRUE(agreesOn(plan, count, Pattern::half, random.between(1, 5)));
    }
  }
}

}  // namespace
}  // namespace slu::test
