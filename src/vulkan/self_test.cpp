#include "vulkan/self_test.h"

#include <algorithm>
#include <cstring>

#include "plan/plan_checks.h"

namespace slu {
namespace {

// Several tiles on every route, the last one not full.
constexpr std::uint32_t kCount = 20'011;
// Frames that may grow so large take other kernels for words.
constexpr std::uint32_t kManyRecords = 1u << 20;
constexpr std::uint32_t kLargestStride = 128;
constexpr std::uint32_t kFramesPerPlan = 2;
constexpr std::uint64_t kInputBytes = std::uint64_t{kCount} * kLargestStride;
constexpr std::uint32_t kPoison = 0xa5a5a5a5u;

// The input, whatever the records' stride: a word that is not zero tells its place. About half of them are not, in runs
// of all lengths.
std::uint32_t inputWord(std::uint32_t index) {
  const bool isLive = (index * 2654435761u >> 16) % 5 < 2 || index / 700 % 5 == 1;
  return isLive ? index + 1 : 0;
}

// The records that pass: those whose first word is not zero.
std::vector<std::uint32_t> keptRecords(std::uint32_t stride) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t record = 0; record < kCount; ++record) {
    if (inputWord(record * (stride / 4)) != 0) kept.push_back(record);
  }
  return kept;
}

}  // namespace

std::span<const SelfTest::Form> SelfTest::formsOf(SluRoute route) {
  static constexpr Form kForms[] = {
      {16, kCount, SLU_OUTPUT_INDICES_BIT},      {4, kCount, SLU_OUTPUT_RECORDS_BIT},
      {8, kCount, SLU_OUTPUT_RECORDS_BIT},       {16, kCount, SLU_OUTPUT_RECORDS_BIT},
      {48, kCount, SLU_OUTPUT_RECORDS_BIT},      {64, kCount, SLU_OUTPUT_RECORDS_BIT},
      {4, kManyRecords, SLU_OUTPUT_RECORDS_BIT}, {12, kCount, SLU_OUTPUT_RECORDS_BIT},
      {32, kCount, SLU_OUTPUT_RECORDS_BIT},      {20, kCount, SLU_OUTPUT_RECORDS_BIT},
      {96, kCount, SLU_OUTPUT_RECORDS_BIT},      {kLargestStride, kCount, SLU_OUTPUT_RECORDS_BIT}};
  constexpr std::size_t kWithFewerKernels = 9;  // those that the Vulkan route tells apart
  return std::span(kForms).first(route == SLU_ROUTE_INLINE ? std::size(kForms) : kWithFewerKernels);
}

std::uint64_t SelfTest::Form::outputBytes() const {
  return std::uint64_t{kCount} * (output == SLU_OUTPUT_INDICES_BIT ? 4 : stride);
}

SelfTest::SelfTest(RecordedRoute& route, SluRoute name) : device_(route.device()), name_(sluGetRouteName(name)) {
  constexpr std::uint64_t kAlignment = 64;
  std::uint64_t end = kInputBytes;
  for (const Form& form : formsOf(name)) {
    for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) {
      auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
      info.route = name;
      info.order = order;
      info.recordStride = form.stride;
      info.maxRecordCount = form.maxRecordCount;
      info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
      info.outputs = form.output | SLU_OUTPUT_STATISTICS_BIT;
      plans_.push_back(route.createPlan(checkPlan(info, name)));
      for (std::uint32_t frame = 0; frame < kFramesPerPlan; ++frame) {
        trials_.push_back({form, order, frame, end, end + sizeof(SluStatistics), plans_.back().get()});
        end = (trials_.back().outputOffset + form.outputBytes() + kAlignment - 1) / kAlignment * kAlignment;
      }
    }
  }
  std::vector<std::uint32_t> words(end / 4, kPoison);
  for (std::uint32_t i = 0; i < kInputBytes / 4; ++i) words[i] = inputWord(i);
  for (const Trial& trial : trials_) std::memset(&words[trial.statisticsOffset / 4], 0, sizeof(SluStatistics));
  memory_ =
      DeviceBuffer(device_, end, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, DeviceBuffer::Memory::mapped, "sluice self-test");
  std::memcpy(memory_.mapped, words.data(), end);
  buffer_.handle = memory_.buffer.get();
  buffer_.address = memory_.address;
}

void SelfTest::record(VkCommandBuffer commands) {
  const auto bind = [this](std::uint64_t offset) { return Binding{&buffer_, offset, buffer_.address + offset}; };
  for (const Trial& trial : trials_) {
    Frame frame;
    frame.recordCount = kCount;
    frame.records = bind(0);
    (trial.form.output == SLU_OUTPUT_INDICES_BIT ? frame.indices : frame.keptRecords) = bind(trial.outputOffset);
    frame.statistics = bind(trial.statisticsOffset);
    trial.plan->run(frame, commands);
  }
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  device_.functions.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                                         1, &barrier, 0, nullptr, 0, nullptr);
}

void SelfTest::check() const {
  for (const Trial& trial : trials_) check(trial);
}

void SelfTest::check(const Trial& trial) const {
  const std::vector<std::uint32_t> expected = keptRecords(trial.form.stride);
  SluStatistics statistics;
  std::memcpy(&statistics, static_cast<const std::uint8_t*>(memory_.mapped) + trial.statisticsOffset,
              sizeof(statistics));
  if (statistics.keptCount != expected.size()) {
    failAt(trial,
           "keeps " + std::to_string(statistics.keptCount) + " records, must keep " + std::to_string(expected.size()));
  }
  std::vector<std::uint32_t> indices = readIndices(trial, expected.size());
  if (trial.order == SLU_ORDER_UNORDERED) std::sort(indices.begin(), indices.end());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (indices[i] == expected[i]) continue;
    failAt(trial, "index " + std::to_string(i) + " is " + std::to_string(indices[i]) + ", must be " +
                      std::to_string(expected[i]));
  }
}

// What the output tells of which records were kept. A kept record tells its index by its first word.
std::vector<std::uint32_t> SelfTest::readIndices(const Trial& trial, std::size_t count) const {
  const bool readsRecords = trial.form.output == SLU_OUTPUT_RECORDS_BIT;
  const std::uint32_t recordWords = trial.form.stride / 4;
  std::vector<std::uint32_t> words(count * (readsRecords ? recordWords : 1));
  std::memcpy(words.data(), static_cast<const std::uint8_t*>(memory_.mapped) + trial.outputOffset, words.size() * 4);
  if (!readsRecords) return words;
  std::vector<std::uint32_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t* record = &words[i * recordWords];
    indices[i] = (record[0] - 1) / recordWords;
    for (std::uint32_t word = 0; word < recordWords; ++word) {
      if (record[word] == inputWord(indices[i] * recordWords + word)) continue;
      failAt(trial, "record " + std::to_string(i) + " is none of the input's");
    }
  }
  return indices;
}

void SelfTest::failAt(const Trial& trial, const std::string& what) const {
  fail(SLU_ERROR_DRIVER, "the self-test of the ", name_, " route, ",
       trial.order == SLU_ORDER_STABLE ? "stable, " : "unordered, ",
       trial.form.output == SLU_OUTPUT_INDICES_BIT ? "indices of " : "", "up to ", trial.form.maxRecordCount,
       " records of ", trial.form.stride, " bytes", trial.frame == 0 ? ": " : ", second frame: ", what);
}

}  // namespace slu
