// Further streams: what plans say of them, and what frames bind.
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "specimen.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kOutputs = 48;  // of the specimen's frame, in both views

class Streams : public testing::Test {
 protected:
  void SetUp() override {
    specimen.planInfo.streams = streams;
    specimen.planInfo.streamCount = 2;
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    bindings[0] = {specimen.place(kInputBytes[0]), specimen.place(kOutputBytes[0])};
    bindings[1] = {specimen.place(kInputBytes[1]), specimen.place(kOutputBytes[1])};
    specimen.frame.streams = bindings;
    specimen.frame.streamCount = 2;
    expectAccepted(specimen);
  }

  void expectRefusedPlan(const std::string& field) {
    EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT) << field;
    EXPECT_TRUE(beginsWith(specimen.context.message(), field));
  }

  static constexpr std::uint64_t kInputBytes[] = {8 * 12, 7 * 20 + 16};
  static constexpr std::uint64_t kOutputBytes[] = {(kOutputs - 1) * 16 + 12, kOutputs * 16};
  SluStream streams[SLU_MAX_STREAMS + 1] = {{12, 0, 16}, {16, 20, 0}};
  SluStreamBinding bindings[2];
  Specimen specimen;
};

TEST_F(Streams, HaveSizesAndStrides) {
  const auto spoil = [&](std::uint32_t SluStream::*field, std::uint32_t value, const char* name) {
    const std::uint32_t known = std::exchange(streams[1].*field, value);
    expectRefusedPlan(std::string("plan.streams[1].") + name);
    streams[1].*field = known;
  };
  for (const std::uint32_t size : {0u, 2u, 17u, 260u}) spoil(&SluStream::elementSize, size, "elementSize");
  for (const std::uint32_t stride : {4u, 12u, 18u, 0xffffffffu}) {
    spoil(&SluStream::inputStride, stride, "inputStride");
    spoil(&SluStream::outputStride, stride, "outputStride");
  }
  streams[1] = {256, 256, 0xfffffffcu};
  EXPECT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
}

TEST_F(Streams, AreAtMostEight) {
  for (SluStream& stream : streams) stream = {4, 0, 0};
  specimen.planInfo.streamCount = SLU_MAX_STREAMS;
  EXPECT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.planInfo.streamCount = SLU_MAX_STREAMS + 1;
  expectRefusedPlan("plan.streamCount");
  specimen.planInfo.streamCount = 0;
  expectRefusedPlan("plan.streams");
  specimen.planInfo.streamCount = 2;
  specimen.planInfo.streams = nullptr;
  expectRefusedPlan("plan.streams");
}

TEST_F(Streams, ArePropertiesOfThePlan) {
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
  for (std::size_t i = 0; i < SLU_MAX_STREAMS; ++i) {
    EXPECT_EQ(properties.streamBytes[i], i < std::size(kOutputBytes) ? kOutputBytes[i] : 0);
  }
}

TEST_F(Streams, AreAllBound) {
  specimen.frame.streamCount = 1;
  expectRefused(specimen, "frame.streamCount");
  specimen.frame.streamCount = 2;
  specimen.frame.streams = nullptr;
  expectRefused(specimen, "frame.streams");
  specimen.frame.streams = bindings;
  specimen.frame.reserved3 = 1;
  expectRefused(specimen, "frame.reserved3");
  specimen.frame.reserved3 = 0;
  const SluStreamBinding known = bindings[1];
  bindings[1].input = {};
  expectRefused(specimen, "frame.streams[1].input");
  bindings[1] = {known.input, {}};
  expectRefused(specimen, "frame.streams[1].output");
  bindings[1] = {{}, known.output};
  specimen.frame.recordCount = 0;
  expectAccepted(specimen);
}

TEST_F(Streams, LieInTheirBuffers) {
  const std::uint64_t size = specimen.memory.size() * 4;
  for (std::size_t i = 0; i < std::size(bindings); ++i) {
    const std::string name = "frame.streams[" + std::to_string(i) + "].";
    const SluStreamBinding known = bindings[i];
    bindings[i].input.offset = size - kInputBytes[i];
    expectAccepted(specimen);
    bindings[i].input.offset += 4;
    expectRefused(specimen, name + "input");
    bindings[i].input.offset = known.input.offset + 2;
    expectRefused(specimen, name + "input.offset");
    bindings[i].input = known.input;
    bindings[i].output.offset = size - kOutputBytes[i];
    expectAccepted(specimen);
    bindings[i].output.offset += 4;
    expectRefused(specimen, name + "output");
    bindings[i].output.offset = known.output.offset + 2;
    expectRefused(specimen, name + "output.offset");
    bindings[i] = known;
  }
}

TEST_F(Streams, DoNotOverlap) {
  const SluStreamBinding known[] = {bindings[0], bindings[1]};
  bindings[1].output = known[1].input;
  expectRefused(specimen, "frame.streams[1].output");
  bindings[1].output = known[0].output;
  expectRefused(specimen, "frame.streams[1].output");
  bindings[1].output = specimen.frame.records;
  expectRefused(specimen, "frame.streams[1].output");
  bindings[1].output = specimen.frame.indices;
  expectRefused(specimen, "frame.streams[1].output");
  bindings[1] = {specimen.frame.indices, known[1].output};
  expectRefused(specimen, "frame.indices");    // an input that the frame writes
  bindings[1].input = specimen.frame.records;  // inputs may
  expectAccepted(specimen);
}

TEST_F(Streams, MayBeTheOnlyOutput) {
  specimen.planInfo.outputs = 0;
  specimen.planInfo.draws = {};
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.planInfo.streamCount = 0;
  specimen.planInfo.streams = nullptr;
  expectRefusedPlan("plan.outputs");
}

TEST(NoStreams, TakeNothing) {
  Specimen specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  const SluStreamBinding binding = {specimen.place(64), specimen.place(64)};
  specimen.frame.streams = &binding;
  expectRefused(specimen, "frame.streams");
  specimen.frame.streamCount = 1;
  expectRefused(specimen, "frame.streamCount");
}

// A host of an older header does not know them.
TEST(OlderHost, HasNoStreams) {
  Specimen specimen;
  constexpr std::size_t kPlanEnd = offsetof(SluPlanCreateInfo, streams);
  std::memset(&specimen.planInfo.streams, 0xff, sizeof(SluPlanCreateInfo) - kPlanEnd);
  specimen.planInfo.structSize = kPlanEnd;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  constexpr std::size_t kFrameEnd = offsetof(SluFrameInfo, streams);
  std::memset(&specimen.frame.streams, 0xff, sizeof(SluFrameInfo) - kFrameEnd);
  specimen.frame.structSize = kFrameEnd;
  EXPECT_EQ(sluCompact(specimen.plan, &specimen.frame), SLU_SUCCESS) << specimen.context.message();
  auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
  properties.structSize = offsetof(SluPlanProperties, streamBytes);
  properties.streamBytes[0] = 7;
  EXPECT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(properties.streamBytes[0], 7u);
}

}  // namespace
}  // namespace slu::test
