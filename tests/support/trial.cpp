#include "trial.h"

#include <cstring>

namespace slu::test {
namespace {

Machine& referenceMachine() {
  static const std::unique_ptr<Machine> machine = makeCpuMachine();
  return *machine;
}

Bytes recordsOf(const PlanSpec& plan, const FrameSpec& frame, std::uint32_t count, const std::vector<Bytes>& memories) {
  if (!plan.writes(SLU_OUTPUT_RECORDS_BIT) || !frame.records) return {};
  const std::uint8_t* first = memories.at(frame.records.memory).data() + frame.records.offset;
  return Bytes(first, first + std::uint64_t{count} * plan.info.recordStride);
}

std::vector<Bytes> streamsOf(const PlanSpec& plan, const FrameSpec& frame, std::uint32_t count,
                             const std::vector<Bytes>& memories) {
  std::vector<Bytes> streams;
  for (std::size_t i = 0; i < plan.streams.size(); ++i) {
    const Place& input = frame.streams[i].input;
    Bytes& bytes = streams.emplace_back();
    if (!input) continue;  // there are no records
    const std::uint8_t* first = memories.at(input.memory).data() + input.offset;
    bytes.assign(first, first + streamInputBytes(plan.streams[i], count));
  }
  return streams;
}

// The bits of visibility that the CPU route writes for a frame; none if it writes none.
std::vector<std::uint32_t> visibleOf(const PlanSpec& plan, const FrameSpec& frame, std::vector<Bytes> memories) {
  if (!frame.occlusion.findsVisible()) return {};
  const HostFrames frames(referenceMachine().context(), memories);
  frames.run(referenceMachine().plan(plan), frame);
  std::vector<std::uint32_t> visible(std::size_t{frame.viewCount} * plan.visibleStride());
  if (visible.empty()) return visible;
  std::memcpy(visible.data(), &memories.at(frame.visible.memory)[frame.visible.offset], visible.size() * 4);
  return visible;
}

// The oracle decides.
void runOracle(const Scene& scene, std::vector<Bytes>& memories) {
  for (const FrameSpec& frame : scene.frames) {
    const PlanSpec& plan = scene.planOf(frame);
    publish(plan, frame, findDemand(plan, frame, memories, visibleOf(plan, frame, memories)), memories);
  }
}

// The CPU route decides; the oracle tells what unordered frames may keep.
std::vector<Step> runReference(const Scene& scene, std::vector<Bytes>& memories) {
  std::vector<Step> steps(scene.frames.size());
  const HostFrames frames(referenceMachine().context(), memories);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const FrameSpec& frame = scene.frames[i];
    const PlanSpec& plan = scene.planOf(frame);
    if (plan.leavesOrderOpen() || plan.leavesRejectsOpen()) {
      steps[i].demand = findDemand(plan, frame, memories, visibleOf(plan, frame, memories));
      steps[i].records = recordsOf(plan, frame, steps[i].demand.inputCount, memories);
      steps[i].streams = streamsOf(plan, frame, steps[i].demand.inputCount, memories);
    }
    frames.run(referenceMachine().plan(plan), frame);
  }
  return steps;
}

}  // namespace

Trial::Trial(Machine& machine, const Scene& scene)
    : machine_(machine), scene_(scene), session_(machine.record(scene)) {}

testing::AssertionResult Trial::run(std::vector<Bytes>& memories, std::uint32_t times) {
  std::vector<Bytes> actual = memories;
  session_->execute(actual, times);
  std::vector<Step> steps(scene_.frames.size());
  for (std::uint32_t i = 0; i < times; ++i) {
    if (machine_.route() == SLU_ROUTE_CPU) {
      runOracle(scene_, memories);
    } else {
      steps = runReference(scene_, memories);
    }
  }
  return compareMemories(scene_, steps, memories, actual);
}

testing::AssertionResult agrees(Machine& machine, const Scene& scene) {
  std::vector<Bytes> memories = scene.memories;
  return Trial(machine, scene).run(memories);
}

testing::AssertionResult agreesWithReference(const Scene& scene, std::vector<Bytes>& actual) {
  std::vector<Bytes> expected = scene.memories;
  const std::vector<Step> steps = runReference(scene, expected);
  return compareMemories(scene, steps, expected, actual);
}

void dropReferencePlans() { referenceMachine().dropPlans(); }

}  // namespace slu::test
