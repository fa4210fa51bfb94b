#include "frame/frame_writes.h"

#include <sluice/sluice_vulkan.h>

#include <algorithm>
#include <cstring>

namespace demo {
namespace {

constexpr VkAccessFlags kReads = SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_DRAW_ACCESS | VK_ACCESS_TRANSFER_READ_BIT;

}  // namespace

// The compaction, the scene's draws, the ghosts' tests and copies of inputs read what is written.
FrameWrites::FrameWrites(const Device& device)
    : device_(device),
      readers_(SLU_VULKAN_INPUT_STAGES | device.drawStages() | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
               VK_PIPELINE_STAGE_TRANSFER_BIT) {}

void FrameWrites::add(const Buffer& target, uint64_t offset, std::span<const std::byte> bytes) {
  const auto known = std::ranges::find(copies_, target.get(), &Copies::target);
  Copies& copies = known == copies_.end() ? copies_.emplace_back(Copies{target.get(), {}}) : *known;
  copies.regions.push_back({bytes_.size(), offset, bytes.size()});
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void FrameWrites::record(VkCommandBuffer commands, uint32_t slot) {
  if (bytes_.empty()) return;
  Buffer& staging = staging_[slot];
  if (staging.size() < bytes_.size())
    staging = Buffer(device_, std::max<uint64_t>(bytes_.size(), 2 * staging.size()), 0, Memory::Upload, "writes");
  std::memcpy(staging.mapped(), bytes_.data(), bytes_.size());
  // The frames before have read what is overwritten, or have written it themselves.
  memoryBarrier(commands, readers_, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT);
  for (const Copies& copies : copies_)
    vkCmdCopyBuffer(commands, staging.get(), copies.target, static_cast<uint32_t>(copies.regions.size()),
                    copies.regions.data());
  memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, readers_, kReads);
  bytes_.clear();
  copies_.clear();
}

}  // namespace demo
