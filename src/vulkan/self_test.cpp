#include "vulkan/self_test.h"

#include <algorithm>
#include <cstring>

#include "plan/plan_checks.h"

namespace slu {
namespace {

// Several tiles on every route, the last one not full.
constexpr std::uint32_t kCount = 20'011;
constexpr std::uint32_t kStride = 16;

constexpr std::uint64_t kRecordBytes = std::uint64_t{kCount} * kStride;
constexpr std::uint64_t kIndexBytes = std::uint64_t{kCount} * 4;
constexpr std::uint64_t kOutputBytes = kIndexBytes + sizeof(SluStatistics);
constexpr std::uint64_t kBytes = kRecordBytes + 2 * kOutputBytes;

constexpr std::uint32_t kPoison = 0xa5a5a5a5u;

std::uint64_t indicesOffset(SluOrder order) { return kRecordBytes + kOutputBytes * static_cast<std::uint64_t>(order); }
std::uint64_t statisticsOffset(SluOrder order) { return indicesOffset(order) + kIndexBytes; }

// About half of the records, in runs of all lengths.
bool isKept(std::uint32_t index) { return (index * 2654435761u >> 16) % 5 < 2 || index / 700 % 5 == 1; }

SluPlanCreateInfo planInfo(SluOrder order, SluRoute route) {
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.order = order;
  info.recordStride = kStride;
  info.maxRecordCount = kCount;
  info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  return info;
}

}  // namespace

SelfTest::SelfTest(RecordedRoute& route, SluRoute name)
    : device_(route.device()),
      name_(sluGetRouteName(name)),
      memory_(device_, kBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, DeviceBuffer::Memory::mapped, "sluice self-test") {
  std::vector<std::uint32_t> words(kBytes / 4, kPoison);
  for (std::uint32_t index = 0; index < kCount; ++index) {
    words[index * (kStride / 4)] = isKept(index) ? index + 1 : 0;
    if (isKept(index)) kept_.push_back(index);
  }
  for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) {
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>(statisticsOffset(order) / 4), sizeof(SluStatistics) / 4,
                0u);
    plans_[static_cast<std::size_t>(order)] = route.createPlan(checkPlan(planInfo(order, name), name));
  }
  std::memcpy(memory_.mapped, words.data(), kBytes);
  buffer_.handle = memory_.buffer.get();
  buffer_.address = memory_.address;
}

void SelfTest::record(VkCommandBuffer commands) {
  const auto bind = [this](std::uint64_t offset) { return Binding{&buffer_, offset, buffer_.address + offset}; };
  for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) {
    Frame frame;
    frame.recordCount = kCount;
    frame.records = bind(0);
    frame.indices = bind(indicesOffset(order));
    frame.statistics = bind(statisticsOffset(order));
    plans_[static_cast<std::size_t>(order)]->run(frame, commands);
  }
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  device_.functions.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                                         1, &barrier, 0, nullptr, 0, nullptr);
}

void SelfTest::check() const {
  for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) checkOrder(order);
}

void SelfTest::checkOrder(SluOrder order) const {
  const auto wrong = [&](const auto&... what) {
    fail(SLU_ERROR_DRIVER, "the self-test of the ", name_, " route, ",
         order == SLU_ORDER_STABLE ? "stable: " : "unordered: ", what...);
  };
  const auto* bytes = static_cast<const std::uint8_t*>(memory_.mapped);
  SluStatistics statistics;
  std::memcpy(&statistics, bytes + statisticsOffset(order), sizeof(statistics));
  if (statistics.keptCount != kept_.size()) {
    wrong("keeps ", statistics.keptCount, " records, must keep ", kept_.size());
  }
  std::vector<std::uint32_t> indices(kept_.size());
  std::memcpy(indices.data(), bytes + indicesOffset(order), indices.size() * 4);
  if (order == SLU_ORDER_UNORDERED) std::sort(indices.begin(), indices.end());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (indices[i] != kept_[i]) wrong("index ", i, " is ", indices[i], ", must be ", kept_[i]);
  }
}

}  // namespace slu
