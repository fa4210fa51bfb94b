#include "inspect/inspection.h"

#include <cstring>
#include <numeric>

#include "frame/frozen_camera.h"
#include "hosting/label.h"
#include "verify/pick_check.h"

namespace demo {
namespace {

template <typename Part, typename... Arguments>
void makeOnce(std::unique_ptr<Part>& part, const Arguments&... arguments) {
  if (!part) part = std::make_unique<Part>(arguments...);
}

// Finds the bucket whose outputs hold the place, and sets the key and the LOD that choose it.
void setBucket(Pick& pick, const CompactionRequest& request, std::span<const SluBucketCount> counts) {
  const std::vector<uint64_t> firstOutput = firstOutputs(request, request.buckets, counts, 0);
  uint32_t bucket = 0;
  while (bucket + 1 < request.buckets.size() && pick.record->place >= firstOutput[bucket + 1]) ++bucket;
  const uint32_t lodCount = std::max(request.plan.key.lodCount, 1u);
  pick.key = bucket / lodCount;
  pick.lod = bucket % lodCount;
}

}  // namespace

Inspection::Inspection(const Device& device, const Renderer& renderer, const Scene& scene, const Compaction& compaction,
                       const Occlusion* occlusion, bool verify)
    : device_(device), renderer_(renderer), scene_(scene), request_(compaction.request()) {
  if (verify) verification_.emplace(device, scene, compaction, occlusion);
}

void Inspection::begin(uint32_t index, const FrameRequest& request, const FrameConstants& render,
                       std::span<const SluView> views, std::span<const CompactionStep> steps) {
  Slot& slot = slots_[index];
  slot.render = render;
  slot.views.assign(views.begin(), views.end());
  slot.steps.assign(steps.begin(), steps.end());
  slot.time = request.time;
  slot.isFrozen = request.frozen;
  slot.culling = request.frozen ? request.frozen->constants : render;
  slot.showsGhosts = request.showsGhosts;
  slot.showsInset = request.showsInset;
  slot.pyramidLevel = steps.back().pyramid ? request.pyramidLevel : std::nullopt;
  const VkExtent2D extent = renderer_.extent();
  slot.pick = request.pick;
  if (slot.pick && (slot.pick->x >= extent.width || slot.pick->y >= extent.height)) slot.pick.reset();
  if (slot.isFrozen || slot.showsInset) makeOnce(lines_, device_, renderer_);
  if (slot.pick) makeOnce(picker_, device_);
  if (slot.pyramidLevel) makeOnce(pyramidInset_, device_, renderer_);
  if (countsHidden(slot)) makeOnce(hidden_, device_, request_.plan.key);
  if (!slot.tested() && !countsHidden(slot)) return;
  if (slot.tested()) makeOnce(ghosts_, device_, renderer_);
  if (slot.tested() && verification_) makeOnce(counts_, device_);
  if (slot.showsInset) {
    makeOnce(inset_, device_, renderer_, scene_);
    inset_->update(index, slot.render, slot.culling);
  }
  if (!slot.tests.get()) slot.tests = Buffer(device_, sizeof(RejectTests), 0, Memory::Upload, "tests");
  const RejectTests tests = rejectTests(request_, views.front(), steps.back());
  std::memcpy(slot.tests.mapped(), &tests, sizeof(tests));
}

void Inspection::recordTests(VkCommandBuffer commands, uint32_t index) {
  const Slot& slot = slots_[index];
  if (!slot.tested()) return;
  const Label label(device_, commands, "count what is dropped");
  // The simulation wrote the records.
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  if (counts_) counts_->record(commands, index, tested(slot));
}

void Inspection::drawInScene(VkCommandBuffer commands, uint32_t index, VkDeviceAddress frameConstants) const {
  const Slot& slot = slots_[index];
  if (slot.showsGhosts) {
    ghosts_->draw(commands, frameConstants, tested(slot), Ghosts::kDropped & ~Ghosts::kOccluded);
    if (slot.testsOcclusion()) ghosts_->draw(commands, frameConstants, tested(slot), Ghosts::kOccluded, true);
  }
  if (slot.isFrozen) lines_->draw(commands, frameConstants, slot.culling);
  if (slot.pyramidLevel)
    pyramidInset_->draw(commands, slot.steps.back().pyramid->buffer, *slot.pyramidLevel, slot.culling.eye.w);
  if (slot.showsInset) inset_->draw(commands, index, *ghosts_, *lines_, tested(slot));
}

void Inspection::recordPick(VkCommandBuffer commands, uint32_t index, VkDeviceAddress frameConstants,
                            const Kept& kept) const {
  const Slot& slot = slots_[index];
  if (!slot.pick) return;
  const Label label(device_, commands, "pick");
  picker_->record(commands, index, *slot.pick, renderer_.extent(),
                  [&] { scene_.drawForPicking(commands, frameConstants, kept); });
}

void Inspection::recordCopies(VkCommandBuffer commands, uint32_t index) const {
  const Slot& slot = slots_[index];
  if (countsHidden(slot)) {
    const Label label(device_, commands, "count what is hidden");
    hidden_->record(commands, index, tested(slot));
  }
  if (verification_) verification_->record(commands, slot.steps);
}

void Inspection::report(uint32_t index, FrameReport& report) {
  const Slot& slot = slots_[index];
  const auto add = [&](const std::vector<std::string>& differences) {
    report.differences.insert(report.differences.end(), differences.begin(), differences.end());
  };
  if (verification_) add(verification_->compare(slot.views, slot.time, slot.steps));
  if (slot.tested() && counts_) add(counts_->compare(index, report.statistics));
  if (slot.testsOcclusion()) reportHidden(slot, hidden_->read(index), report);
  if (testsCones(slot)) reportCones(hidden_->read(index), report);
  if (!slot.pick) return;
  report.pick = {.pixel = *slot.pick, .record = picker_->read(index)};
  if (report.pick->record) setBucket(*report.pick, request_, report.bucketCounts);
  if (verification_) add(checkPick(*report.pick, request_, verification_->copies(), slot.render));
}

// counts are by mesh and LOD.
uint64_t Inspection::trianglesOf(std::span<const uint32_t> counts) const {
  uint64_t triangles = 0;
  for (size_t bucket = 0; bucket < counts.size(); ++bucket)
    triangles += uint64_t{counts[bucket]} * request_.bucketTriangles[bucket];
  return triangles;
}

void Inspection::reportHidden(const Slot& slot, const CountsByBucket& counts, FrameReport& report) {
  if (!request_.bucketTriangles.empty()) {
    std::vector<uint32_t> drawn = counts.passed;
    for (size_t bucket = 0; !isMerged(request_) && bucket < drawn.size(); ++bucket)
      drawn[bucket] = report.bucketCounts[bucket].keptCount;
    report.occlusion->hiddenTriangles = trianglesOf(counts.hidden);
    report.occlusion->drawnTriangles = trianglesOf(drawn);
  }
  if (!verification_) return;
  std::vector<uint32_t> hidden = counts.hidden;
  if (isMerged(request_)) hidden = {std::accumulate(hidden.begin(), hidden.end(), 0u)};
  const std::vector<uint32_t> all = verification_->demandedWithoutOcclusion(slot.views);
  for (size_t bucket = 0; bucket < all.size(); ++bucket) {
    const uint32_t drawn = report.bucketCounts[bucket].demandedCount;
    if (drawn + hidden[bucket] == all[bucket]) continue;
    report.differences.push_back(sentence("occlusion, bucket ", bucket, ": ", drawn, " drawn and ", hidden[bucket],
                                          " hidden, where ", all[bucket], " pass the other tests"));
    return;
  }
}

void Inspection::reportCones(const CountsByBucket& counts, FrameReport& report) {
  const uint32_t facingAway = std::accumulate(counts.facingAway.begin(), counts.facingAway.end(), 0u);
  report.cones = {facingAway, trianglesOf(counts.facingAway), trianglesOf(counts.passed)};
  const uint32_t rejected = report.statistics.rejectedCount[SLU_REJECT_CONE];
  if (verification_ && facingAway != rejected)
    report.differences.push_back(
        sentence("cones: ", facingAway, " clusters face away where the statistics have ", rejected));
}

}  // namespace demo
