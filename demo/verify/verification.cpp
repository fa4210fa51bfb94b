#include "verify/verification.h"

#include "verify/draw_check.h"

namespace demo {

Verification::Verification(const Device& device, const Scene& scene, const Compaction& compaction,
                           const Occlusion* occlusion)
    : scene_(scene), compaction_(compaction) {
  const auto create = [&](Buffer& copy, uint64_t bytes, const char* name) {
    copy = Buffer(device, bytes, 0, Memory::Readback, std::string("copy of ") + name);
    return std::span(copy.mapped(), bytes);
  };
  for (uint32_t step = 0; step < compaction.stepCount(); ++step) {
    for (Channel channel : kChannels) {
      if (!compaction.buffer(channel, step)) continue;
      bytes_[step][channel] = step && isInput(channel)
                                  ? bytes_[0][channel]
                                  : create(copies_[step][channel], compaction.bytes(channel), channelName(channel));
    }
  }
  if (occlusion) {
    occlusion_.pyramid = create(pyramid_, occlusion->pyramidBytes(), "depth pyramid");
    occlusion_.lastVisible = create(lastVisible_, compaction.visibilityBytes(), "last visible records");
    occlusion_.visible = create(visible_, compaction.visibilityBytes(), "visible records");
  }
  for (uint32_t step = 0; step < compaction.stepCount(); ++step)
    references_.push_back(
        std::make_unique<Reference>(compaction.request(), compaction.order(), bytes_[step], occlusion_));
}

void Verification::record(VkCommandBuffer commands, std::span<const CompactionStep> steps) const {
  const auto copy = [&](const Buffer& from, const Buffer& to, uint64_t bytes) {
    const VkBufferCopy whole = {0, 0, bytes};
    vkCmdCopyBuffer(commands, from.get(), to.get(), 1, &whole);
  };
  for (uint32_t step = 0; step < steps.size(); ++step)
    for (Channel channel : kChannels)
      if (const uint64_t bytes = compaction_.bytes(channel); bytes && copies_[step][channel].get())
        copy(*compaction_.buffer(channel, steps[step]), copies_[step][channel], bytes);
  const CompactionStep& last = steps.back();
  if (last.pyramid) copy(last.pyramid->buffer, pyramid_, occlusion_.pyramid.size());
  if (last.lastVisible) copy(last.lastVisible->buffer, lastVisible_, occlusion_.lastVisible.size());
  if (last.visible) copy(last.visible->buffer, visible_, occlusion_.visible.size());
}

std::vector<std::string> Verification::compare(std::span<const SluView> views, float time,
                                               std::span<const CompactionStep> steps) {
  std::vector<std::string> differences = scene_.checkSimulation(bytes_[0], time);
  for (uint32_t step = 0; step < steps.size(); ++step) {
    const auto add = [&](const std::vector<std::string>& found) {
      for (const std::string& difference : found)
        differences.push_back(steps.size() > 1 ? sentence("phase ", step + 1, ": ", difference) : difference);
    };
    add(checkDraws(compaction_.request(), bytes_[step]));
    add(references_[step]->compare(views, steps[step]));
  }
  return differences;
}

std::vector<uint32_t> Verification::demandedWithoutOcclusion(std::span<const SluView> views) {
  return references_.front()->demandedWithoutOcclusion(views);
}

}  // namespace demo
