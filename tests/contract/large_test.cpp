// More than 4 GiB of records on the CPU route; SLUICE_TEST_LARGE=1 runs it. Other routes have tests of their own, since
// their memory is not the host's.
#include <cstdlib>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

TEST(LargeCpu, MoreThan4GiBOfRecords) {
  if (std::getenv("SLUICE_TEST_LARGE") == nullptr) GTEST_SKIP() << "needs 5 GiB; SLUICE_TEST_LARGE=1 runs it";
  constexpr std::uint32_t kStride = 256;
  constexpr std::uint32_t kRecords = 20'000'003;
  constexpr std::uint32_t kLive[] = {5, (1u << 24) - 1, 1u << 24, kRecords - 1};
  constexpr std::uint64_t kBytes = std::uint64_t{kRecords} * kStride;
  const std::unique_ptr<std::uint8_t, decltype(&std::free)> memory(static_cast<std::uint8_t*>(std::calloc(kBytes, 1)),
                                                                   std::free);
  ASSERT_NE(memory, nullptr);
  for (const std::uint32_t i : kLive) std::memset(memory.get() + std::uint64_t{i} * kStride, 7, kStride);

  std::string reason;
  Machine* machine = findMachine(MachineKind::cpu, reason);
  ASSERT_NE(machine, nullptr) << reason;
  PlanSpec spec = simplePlan(SLU_ORDER_STABLE, kStride, kRecords);
  spec.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT;
  spec.buckets.assign(1, {std::size(kLive), {}});
  Bytes kept(std::size(kLive) * kStride);
  std::vector<std::uint32_t> indices(std::size(kLive));
  Buffer buffers[3];
  const std::pair<void*, std::uint64_t> places[] = {
      {memory.get(), kBytes}, {kept.data(), kept.size()}, {indices.data(), indices.size() * 4}};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.hostPointer = places[i].first;
    info.size = places[i].second;
    require(machine->context(), sluCreateBuffer(machine->context(), &info, buffers[i].put()), "sluCreateBuffer");
  }
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kRecords;
  frame.viewCount = 1;
  frame.records = {buffers[0], 0};
  frame.keptRecords = {buffers[1], 0};
  frame.indices = {buffers[2], 0};
  require(machine->context(), sluCompact(machine->plan(spec), &frame), "sluCompact");
  EXPECT_EQ(indices, std::vector<std::uint32_t>(std::begin(kLive), std::end(kLive)));
  EXPECT_EQ(kept, Bytes(kept.size(), 7));
  machine->dropPlans();
}

}  // namespace
}  // namespace slu::test
