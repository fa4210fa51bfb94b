#include "verify/reference.h"

#include <algorithm>
#include <cstring>

#include "base/failure.h"
#include "verify/multiset.h"

namespace demo {
// Runs one CPU plan with outputs of its own.
class Reference::Run {
 public:
  // request must outlive this.
  Run(const CompactionRequest& request, SluOrder order, const PerChannel<std::span<std::byte>>& copies,
      const OcclusionCopies& occlusion)
      : request_(request) {
    const SluContextCreateInfo contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    SluMessage message = {};
    if (sluCreateContext(&contextInfo, context_.put(), &message) != SLU_SUCCESS)
      failRuntime("the reference's context: ", message.text);
    const SluPlanCreateInfo info = planInfo(request, SLU_ROUTE_CPU, order, request.buckets);
    check(sluCreatePlan(context_, &info, plan_.put()));
    SluPlanProperties properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
    check(sluGetPlanProperties(plan_, &properties));
    for (Channel channel : kChannels) {
      if (writes(info.outputs, channel))
        outputs_[channel].resize(std::max<uint64_t>(bytesOf(properties, channel) / 4, 1));
      const std::span<std::byte> bytes =
          isInput(channel) ? copies[channel] : std::as_writable_bytes(std::span(outputs_[channel]));
      registerBytes(bytes, registered_[channel]);
    }
    visible_.resize(properties.visibilityBytes / 4);
    registerBytes(std::as_writable_bytes(std::span(visible_)), registeredVisible_);
    registerBytes(occlusion.pyramid, registeredPyramid_);
    registerBytes(occlusion.lastVisible, registeredLastVisible_);
  }

  void run(std::span<const SluView> views, const CompactionStep& step) {
    SluFrameInfo frame = frameInfo(request_, views, step);
    for (Channel channel : kChannels) bindingOf(frame, channel).buffer = registered_[channel];
    SluOcclusionInfo occlusion;
    if (step.phase) {
      occlusion = occlusionInfo(step);
      if (step.pyramid) occlusion.pyramid.buffer = registeredPyramid_;
      if (step.lastVisible) occlusion.lastVisible.buffer = registeredLastVisible_;
      if (step.visible) occlusion.visible.buffer = registeredVisible_;
      frame.pNext = &occlusion;
    }
    check(sluCompact(plan_, &frame));
    firstOutputs_.clear();
    for (uint32_t view = 0; view < request_.plan.maxViewCount; ++view) {
      std::vector<SluBucketCount> counts;
      const std::vector<SluBucket>& buckets = request_.buckets;
      for (size_t bucket = 0; bucket < buckets.size(); ++bucket)
        counts.push_back(count(view * buckets.size() + bucket));
      const std::vector<uint64_t> first = firstOutputs(request_, buckets, counts, view);
      firstOutputs_.insert(firstOutputs_.end(), first.begin(), first.end() - 1);
    }
  }

  // Returns the bits of the records that are visible, by the last step that wrote them.
  std::span<const std::byte> visible() const { return std::as_bytes(std::span(visible_)); }
  std::span<const std::byte> output(Channel channel) const { return std::as_bytes(std::span(outputs_[channel])); }

  // Returns what a bucket holds in an output that has an element per kept record. Buckets are counted through all
  // views.
  Elements bucket(Channel channel, size_t stride, size_t bucket) const {
    return {output(channel).data() + firstOutput(bucket) * stride, stride, count(bucket).keptCount};
  }
  uint64_t firstOutput(size_t bucket) const { return firstOutputs_[bucket]; }
  SluBucketCount count(size_t bucket) const {
    if (isMerged(request_)) {  // the bucket is all that the view kept
      SluStatistics statistics;
      std::memcpy(&statistics, output(Channel::Statistics).data() + bucket * sizeof(statistics), sizeof(statistics));
      return {statistics.demandedCount, statistics.keptCount};
    }
    SluBucketCount value;
    std::memcpy(&value, output(Channel::BucketCounts).data() + bucket * sizeof(value), sizeof(value));
    return value;
  }
  size_t bucketCount() const { return request_.buckets.size() * request_.plan.maxViewCount; }

 private:
  void registerBytes(std::span<std::byte> bytes, slu::Buffer& registered) {
    if (bytes.empty()) return;
    SluBufferCreateInfo info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = bytes.size();
    info.hostPointer = bytes.data();
    check(sluCreateBuffer(context_, &info, registered.put()));
  }

  void check(SluResult result) const {
    if (result != SLU_SUCCESS) failRuntime("the CPU reference failed: ", sluGetErrorMessage(context_));
  }

  const CompactionRequest& request_;
  std::vector<uint64_t> firstOutputs_;  // of the last run, by bucket through all views
  PerChannel<std::vector<uint32_t>> outputs_;
  std::vector<uint32_t> visible_;
  slu::Context context_;
  slu::Plan plan_;
  PerChannel<slu::Buffer> registered_;
  slu::Buffer registeredPyramid_, registeredLastVisible_, registeredVisible_;
};

Reference::Reference(const CompactionRequest& request, SluOrder order, const PerChannel<std::span<std::byte>>& copies,
                     const OcclusionCopies& occlusion)
    : actual_(copies),
      occlusion_(occlusion),
      isStable_(order == SLU_ORDER_STABLE),
      recordStride_(request.plan.recordStride),
      sufficientRequest_(request) {
  capped_ = std::make_unique<Run>(request, order, copies, occlusion);
  bool mayOverflow = false;
  const auto raise = [&](uint32_t& capacity, uint32_t sufficient) {
    mayOverflow |= capacity < sufficient;
    capacity = sufficient;
  };
  if (isPacked(request)) {
    raise(sufficientRequest_.plan.capacity, request.plan.maxRecordCount);
  } else {
    for (size_t bucket = 0; bucket < request.buckets.size(); ++bucket)
      raise(sufficientRequest_.buckets[bucket].capacity, request.sufficientCapacities[bucket]);
    if (isMerged(request)) sufficientRequest_.plan.capacity = sufficientRequest_.buckets.front().capacity;
  }
  if (mayOverflow && !isStable_) sufficient_ = std::make_unique<Run>(sufficientRequest_, order, copies, occlusion);
}

Reference::~Reference() = default;

std::vector<std::string> Reference::compare(std::span<const SluView> views, const CompactionStep& step) {
  capped_->run(views, step);
  if (sufficient_) sufficient_->run(views, step);
  std::vector<std::string> differences;
  for (Channel channel : {Channel::Statistics, Channel::BucketCounts, Channel::DrawCounts})
    compareWhole(channel, differences);
  if (isMerged(sufficientRequest_))
    compareBuckets(Channel::Draws, sufficientRequest_.plan.draws.stride, differences);
  else
    compareWhole(Channel::Draws, differences);
  compareBuckets(Channel::Indices, sizeof(uint32_t), differences);
  compareBuckets(Channel::KeptRecords, recordStride_, differences);
  if (step.visible) compareVisible(step, differences);
  return differences;
}

std::vector<uint32_t> Reference::demandedWithoutOcclusion(std::span<const SluView> views) {
  if (!unoccluded_)
    unoccluded_ = std::make_unique<Run>(sufficientRequest_, SLU_ORDER_STABLE, actual_, OcclusionCopies());
  unoccluded_->run(views, {.viewCount = 1});
  std::vector<uint32_t> demanded;
  for (size_t bucket = 0; bucket < sufficientRequest_.buckets.size(); ++bucket)
    demanded.push_back(unoccluded_->count(bucket).demandedCount);
  return demanded;
}

// Words of views that the step has not are those of an earlier one.
void Reference::compareVisible(const CompactionStep& step, std::vector<std::string>& differences) const {
  const size_t perView = occlusion_.visible.size() / sufficientRequest_.plan.maxViewCount;
  const size_t bytes = perView * step.viewCount;
  if (std::memcmp(capped_->visible().data(), occlusion_.visible.data(), bytes) == 0) return;
  size_t word = 0;
  while (std::memcmp(capped_->visible().data() + 4 * word, occlusion_.visible.data() + 4 * word, 4) == 0) ++word;
  differences.push_back(sentence("visible records: word ", word, " is not what the reference has"));
}

void Reference::compareWhole(Channel channel, std::vector<std::string>& differences) const {
  const std::span<const std::byte> expected = capped_->output(channel), actual = actual_[channel];
  if (actual.empty()) return;
  uint32_t wrong = 0;
  for (size_t offset = 0; offset + 4 <= expected.size(); offset += 4) {
    uint32_t expectedWord, actualWord;
    std::memcpy(&expectedWord, expected.data() + offset, 4);
    std::memcpy(&actualWord, actual.data() + offset, 4);
    if (expectedWord == actualWord) continue;
    if (wrong++ < 3)
      differences.push_back(sentence(channelName(channel), ", byte ", offset, ": ", actualWord,
                                     " where the reference has ", expectedWord));
  }
  if (wrong > 3) differences.push_back(sentence(channelName(channel), ": ", wrong, " words differ in all"));
}

void Reference::compareBuckets(Channel channel, uint64_t stride, std::vector<std::string>& differences) const {
  if (actual_[channel].empty()) return;
  for (size_t bucket = 0; bucket < capped_->bucketCount(); ++bucket) {
    const Elements expected = capped_->bucket(channel, stride, bucket);
    if (expected.count == 0) continue;
    const Elements actual = {actual_[channel].data() + capped_->firstOutput(bucket) * stride, stride, expected.count};
    if (std::memcmp(expected.first, actual.first, stride * expected.count) == 0) continue;
    if (isStable_) {
      size_t index = 0;
      while (std::memcmp(expected.at(index), actual.at(index), stride) == 0) ++index;
      differences.push_back(sentence(channelName(channel), ", bucket ", bucket, ": element ", index, " of ",
                                     expected.count, " differs from the reference"));
      continue;
    }
    const bool overflows = capped_->count(bucket).demandedCount > expected.count;
    const Elements allowed = overflows ? sufficient_->bucket(channel, stride, bucket) : expected;
    if (!isSubset(actual, allowed))
      differences.push_back(sentence(channelName(channel), ", bucket ", bucket, ": the set of ", expected.count,
                                     overflows ? " is not a part of what passed" : " differs from the reference"));
  }
}

}  // namespace demo
