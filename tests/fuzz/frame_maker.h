// Frames of a plan: valid ones that the bytes choose, of which some are mutated afterwards, and the memory they work on.
#pragma once

#include <array>
#include <vector>

#include "guard.h"
#include "plan_maker.h"

namespace slu::fuzz {

// One of the bindings of a frame that every route reads.
struct Range {
  const char* name;
  SluBinding SluFrameInfo::*binding;  // null: that of a further stream
  bool isOutput;
  bool isNeeded;
  std::uint64_t bytes;
  std::size_t stream = 0;
  SluBinding SluOcclusionInfo::*ofOcclusion = nullptr;
};
enum RangeIndex {
  kLiveCount,
  kRecords,
  kBounds,
  kTransforms,
  kFlags,
  kLayers,
  kMeshes,
  kLiveMeshCount,
  kLastLodStates,
  kIndices,
  kKeptRecords,
  kDraws,
  kDrawCounts,
  kStatistics,
  kBucketCounts,
  kLodStates,
  kRejects,
  kRejectCounts,
  kStreamInputs,
  kStreamOutputs = kStreamInputs + SLU_MAX_STREAMS,
  kPyramid = kStreamOutputs + SLU_MAX_STREAMS,
  kLastVisible,
  kVisible,
  kRangeCount
};
using Ranges = std::array<Range, kRangeCount>;

// What the frame reads and writes, from the header's words alone. occlusion: with a phase of 0 if the frame has none.
Ranges rangesOf(const PlanFacts& plan, const SluFrameInfo& frame, const SluOcclusionInfo& occlusion);

class FrameInput {
 public:
  // The buffers are of the context that the plan is of; foreign: a buffer that may be taken in place of one of them.
  FrameInput(Choices& choices, World& world, const LoggedContext& context, const PlanFacts& plan, SluBuffer foreign);

  const SluFrameInfo& info() const { return info_; }    // as the library sees it
  const SluFrameInfo* given() const { return given_; }  // in the host's memory
  const SluOcclusionInfo& occlusion() const { return occlusion_; }
  const Ranges& ranges() const { return ranges_; }
  std::vector<HostBuffer>& buffers() { return buffers_; }

  const SluBinding& bindingOf(const Range& range) const;

  // The bound bytes, or null as findBytes.
  std::uint8_t* find(const Range& range) const;
  // Whether every range that is bound lies in its buffer, and no output overlaps another range.
  bool isSound(const PlanFacts& plan) const;
  // Of a sound frame; none of another, which is refused before a byte is touched.
  std::vector<Part> parts(const PlanFacts& plan) const;

 private:
  void chooseCounts(Choices& choices, const World& world, const PlanFacts& plan);
  std::uint32_t mostRecords(const World& world, const PlanFacts& plan) const;
  void shortenSoundCounts(const World& world, const PlanFacts& plan);
  void chooseViews(Choices& choices, const PlanFacts& plan);
  void chooseOcclusion(Choices& choices, const PlanFacts& plan);
  SluBinding& bindingOf(const Range& range);
  void placeStreams(Choices& choices, const PlanFacts& plan);
  void placeViews(Choices& choices);
  void placeMorePlanes(Choices& choices);
  void placeOcclusion(Choices& choices);
  void placeRanges(Choices& choices, World& world, const LoggedContext& context, const PlanFacts& plan);
  void fill(Choices& choices);
  void fillPyramid(Choices& choices);
  void setCount(Choices& choices, RangeIndex range, std::uint32_t most);
  void spoil(Choices& choices, SluBuffer foreign);

  HostStructs structs_;
  SluFrameInfo info_ = SLU_INIT(FRAME_INFO, SluFrameInfo);
  std::vector<SluView> views_;
  std::vector<SluMorePlanes> morePlanes_;
  SluOcclusionInfo occlusion_ = SLU_INIT(OCCLUSION_INFO, SluOcclusionInfo);
  bool hasOcclusion_ = false;  // whether the frame chains it
  std::vector<SluOcclusionView> occlusionViews_;
  std::array<SluStreamBinding, SLU_MAX_STREAMS> streams_{};  // as many as the plan has
  Ranges ranges_;
  std::vector<HostBuffer> buffers_;
  const SluFrameInfo* given_ = nullptr;
};

}  // namespace slu::fuzz
