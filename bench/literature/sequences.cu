// Sequences that warps own: Billeter's, and those of "Crazy on CUDA". The prefix phase writes the total.
#include "literature/frames.cuh"
#include "literature/literature.h"
#include "literature/shuffled_sequences.cuh"

namespace bench {
namespace literature {
namespace {

enum Phase : size_t { kCount, kPrefix, kMove };

constexpr uint32_t kWarpsPerBlock = kSequenceThreads / kWarpLanes;

template <uint32_t width>
class WarpSequences : public Traits {
 public:
  static constexpr bool kTakesWordsOnly = width > 1;
  static constexpr std::array kPhases{"count", "prefix", "move"};

  explicit WarpSequences(const Workload& workload)
      : sequences_(divide(workload.recordCount, residentWarps(), width)),
        counts_(sequences_.count * sizeof(uint32_t)) {}

  template <typename Source>
  void enqueue(cudaStream_t stream, size_t phase, const Source& source, typename Source::Element* output,
               uint32_t* total) {
    const uint32_t blocks = ceilDivide(sequences_.count, kWarpsPerBlock);
    uint32_t* const counts = counts_.as<uint32_t>();
    if (phase == kCount)
      countSequences<width><<<blocks, kSequenceThreads, 0, stream>>>(source, sequences_, counts);
    else if (phase == kPrefix)
      sumBefore<<<1, kPrefixThreads, 0, stream>>>(counts, sequences_.count, total);
    else
      moveSequences<width><<<blocks, kSequenceThreads, 0, stream>>>(source, sequences_, counts, output);
  }

 private:
  const Sequences sequences_;
  const DeviceMemory counts_;
};

class ShuffledSequences : public Traits {
 public:
  static constexpr bool kTakesWordsOnly = true;
  static constexpr uint32_t kCountMultiple = kShuffledUnit;
  static constexpr std::array kPhases{"count", "prefix", "move"};

  explicit ShuffledSequences(const Workload& workload)
      : sequences_(divideEvenly(workload.recordCount, residentWarps())), counts_(sequences_.count * sizeof(uint32_t)) {}

  void enqueue(cudaStream_t stream, size_t phase, const Words& source, uint32_t* output, uint32_t* total) {
    const auto* chunks = reinterpret_cast<const Chunk<kShuffledWidth>*>(source.input);
    const uint32_t blocks = sequences_.count / kWarpsPerBlock;
    uint32_t* const counts = counts_.as<uint32_t>();
    if (phase == kCount)
      countEqualSequences<<<blocks, kSequenceThreads, 0, stream>>>(chunks, sequences_, counts);
    else if (phase == kPrefix)
      shuffleBefore<<<1, kPrefixThreads, 0, stream>>>(counts, sequences_.count, total);
    else
      moveEqualSequences<<<blocks, kSequenceThreads, 0, stream>>>(chunks, sequences_, counts, output);
  }

 private:
  const Sequences sequences_;
  const DeviceMemory counts_;
};

}  // namespace
}  // namespace literature

void addSequences(CompetitorList& competitors) {
  using namespace literature;
  competitors.push_back(makeCompetitor<WarpSequences<1>>("sequences-1"));
  competitors.push_back(makeCompetitor<WarpSequences<2>>("sequences-2"));
  competitors.push_back(makeCompetitor<WarpSequences<4>>("sequences-4"));
  competitors.push_back(makeCompetitor<ShuffledSequences>("sequences-shuffled"));
}

}  // namespace bench
