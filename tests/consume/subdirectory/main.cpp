// A host in C++: 1000 particles, of which the dead ones are zeroed, packed densely.
#include <array>
#include <cstdint>
#include <cstdio>
#include <sluice/sluice.hpp>
#include <vector>

namespace {

using Particle = std::array<float, 4>;

slu::Buffer registerMemory(SluContext context, void* memory, std::uint64_t size) {
  SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.size = size;
  info.hostPointer = memory;
  slu::Buffer buffer;
  sluCreateBuffer(context, &info, buffer.put());
  return buffer;
}

slu::Plan createPlan(SluContext context, std::uint32_t particleCount) {
  SluPlanCreateInfo info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.order = SLU_ORDER_STABLE;
  info.recordStride = sizeof(Particle);
  info.maxRecordCount = particleCount;
  info.live = {SLU_LIVE_NON_EMPTY, 0, sizeof(Particle)};
  info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  slu::Plan plan;
  sluCreatePlan(context, &info, plan.put());
  return plan;
}

}  // namespace

int main() {
  std::vector<Particle> particles(1000), expected;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (i % 7 == 0) continue;
    particles[i] = {static_cast<float>(i), 1, 2, 3};
    expected.push_back(particles[i]);
  }
  const auto particleCount = static_cast<std::uint32_t>(particles.size());
  std::vector<Particle> kept(particles.size());
  SluStatistics statistics{};

  slu::Context context;
  const SluContextCreateInfo contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  SluMessage message{};
  if (sluCreateContext(&contextInfo, context.put(), &message) != SLU_SUCCESS) {
    std::fprintf(stderr, "%s\n", message.text);
    return 1;
  }
  const slu::Plan plan = createPlan(context, particleCount);
  const slu::Buffer input = registerMemory(context, particles.data(), particles.size() * sizeof(Particle));
  const slu::Buffer output = registerMemory(context, kept.data(), kept.size() * sizeof(Particle));
  const slu::Buffer counts = registerMemory(context, &statistics, sizeof statistics);

  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = particleCount;
  frame.viewCount = 1;
  frame.records = {input, 0};
  frame.keptRecords = {output, 0};
  frame.statistics = {counts, 0};
  if (sluCompact(plan, &frame) != SLU_SUCCESS) {
    std::fprintf(stderr, "%s\n", sluGetErrorMessage(context));
    return 1;
  }
  std::printf("%u of %u particles kept\n", statistics.keptCount, statistics.inputCount);
  kept.resize(statistics.keptCount);
  return kept == expected ? 0 : 1;
}
