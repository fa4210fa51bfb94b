#include "verify/verification.h"

#include "verify/draw_check.h"

namespace demo {

Verification::Verification(const Device& device, const Scene& scene, const Compaction& compaction)
    : scene_(scene), compaction_(compaction) {
  for (Channel channel : kChannels) {
    if (!compaction.buffer(channel)) continue;
    const std::string name = std::string("copy of ") + channelName(channel);
    copies_[channel] = Buffer(device, compaction.bytes(channel), 0, Memory::Readback, name);
    bytes_[channel] = {copies_[channel].mapped(), compaction.bytes(channel)};
  }
  reference_ = std::make_unique<Reference>(compaction.request(), compaction.order(), bytes_);
}

void Verification::record(VkCommandBuffer commands) const {
  for (Channel channel : kChannels) {
    if (!compaction_.bytes(channel)) continue;
    const VkBufferCopy whole = {0, 0, compaction_.bytes(channel)};
    vkCmdCopyBuffer(commands, compaction_.buffer(channel)->get(), copies_[channel].get(), 1, &whole);
  }
}

std::vector<std::string> Verification::compare(std::span<const SluView> views, float time) {
  std::vector<std::string> differences = scene_.checkSimulation(bytes_, time);
  for (std::string& difference : checkDraws(compaction_.request(), bytes_))
    differences.push_back(std::move(difference));
  for (std::string& difference : reference_->compare(views)) differences.push_back(std::move(difference));
  return differences;
}

}  // namespace demo
