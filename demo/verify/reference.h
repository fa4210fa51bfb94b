// Checks a frame: the same bytes go through Sluice's CPU route in a context of its own, and the outputs are compared.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frame/compaction.h"

namespace demo {

// Host copies of what a frame with occlusion reads and writes; empty: no frame tests it.
struct OcclusionCopies {
  std::span<std::byte> pyramid, lastVisible, visible;
};

class Reference {
 public:
  // request must outlive this. copies are host copies of the frame's buffers. Their bytes change from frame to frame,
  // their addresses do not. An empty span means that the plan has no such channel.
  Reference(const CompactionRequest& request, SluOrder order, const PerChannel<std::span<std::byte>>& copies,
            const OcclusionCopies& occlusion);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // Returns a sentence for each difference. Stable outputs are compared byte for byte. Unordered outputs are compared as
  // a multiset per bucket; a bucket that overflows may hold any of its records that passed.
  std::vector<std::string> compare(std::span<const SluView> views, const CompactionStep& step);

  // Runs a frame of the same inputs without occlusion. Returns the demand of the first view's buckets.
  std::vector<uint32_t> demandedWithoutOcclusion(std::span<const SluView> views);

 private:
  class Run;

  void compareVisible(const CompactionStep& step, std::vector<std::string>& differences) const;
  void compareBuckets(Channel channel, uint64_t stride, std::vector<std::string>& differences) const;
  void compareWhole(Channel channel, std::vector<std::string>& differences) const;

  PerChannel<std::span<std::byte>> actual_;
  OcclusionCopies occlusion_;
  bool isStable_;
  uint64_t recordStride_;
  CompactionRequest sufficientRequest_;  // with capacities that suffice
  std::unique_ptr<Run> capped_;          // with the plan's capacities: what a frame must be
  std::unique_ptr<Run> unoccluded_;      // made when it is first asked for
  std::unique_ptr<Run> sufficient_;      // of sufficientRequest_: what an overflowing bucket may hold
};

}  // namespace demo
