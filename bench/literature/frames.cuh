// The frames of an algorithm over any source, and the competitor that it makes.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "cuda/cuda_objects.h"
#include "cuda/draw_arguments.h"
#include "literature/source.cuh"

namespace bench::literature {

template <typename Source>
Source makeSource(const Workload& workload, const void* input) {
  if constexpr (std::is_same_v<Source, Indices>) {
    return {static_cast<const uint32_t*>(input), workload.recordCount, workload.recordBytes / 4};
  } else if constexpr (std::is_same_v<Source, VisibleIndices>) {
    return {sphereTest(workload, input), workload.recordCount};
  } else if constexpr (std::is_same_v<Source, VisibleRecords<16>>) {
    return {static_cast<const typename Source::Element*>(input), sphereTest(workload, input), workload.recordCount};
  } else {
    return {static_cast<const typename Source::Element*>(input), workload.recordCount};
  }
}

// Returns how many warps the current device holds at once.
inline uint32_t residentWarps() {
  int device = 0;
  int multiprocessors = 0;
  int threads = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device), "cudaDeviceGetAttribute");
  return static_cast<uint32_t>(multiprocessors) * static_cast<uint32_t>(threads) / kWarpLanes;
}

// An algorithm has these traits unless it defines others.
struct Traits {
  static constexpr bool kIsStable = true;
  static constexpr bool kTakesBuckets = false;    // several; see BucketFrames
  static constexpr bool kTakesOneOutput = true;   // see LiteratureFrames
  static constexpr bool kTakesGroups = false;     // of the draws of buckets
  static constexpr bool kDrawsRecords = false;    // one by one, and no buckets; see DrawFrames
  static constexpr bool kTakesWordsOnly = false;  // no wider records, no indices
  static constexpr uint32_t kCountMultiple = 1;   // what divides the number of records
  static constexpr std::array<const char*, 0> kPhases{};
};

// Algorithm: has Traits, is made of a workload, holds the scratch memory of frames, and runs one phase by
//   void enqueue(stream, phase, source, output, total).
// total is the draw's count of instances; no frame changes the other fields.
template <typename Algorithm, typename Source>
class LiteratureFrames : public PreparedCompetitor {
 public:
  LiteratureFrames(const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload), buffers_(buffers), algorithm_(workload), draws_(1) {
    upload(draws_.device(), std::vector<DrawCommand>{{kDrawVertexCount, 0, 0, 0}});
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    constexpr size_t kPhaseCount = Algorithm::kPhases.empty() ? 1 : Algorithm::kPhases.size();
    for (size_t phase = 0; phase < kPhaseCount; ++phase) enqueuePhase(stream, set, phase);
  }
  std::vector<std::string> phases() const override { return {Algorithm::kPhases.begin(), Algorithm::kPhases.end()}; }
  void enqueuePhase(cudaStream_t stream, size_t set, size_t phase) override {
    const FrameSet& frame = buffers_.sets[set];
    algorithm_.enqueue(stream, phase, makeSource<Source>(workload_, frame.input),
                       static_cast<typename Source::Element*>(frame.output), total());
    check(cudaGetLastError(), "kernel launch");
  }

  void poison(cudaStream_t stream) override {
    check(cudaMemsetAsync(total(), kPoisonByte, sizeof(uint32_t), stream), "cudaMemsetAsync");
  }
  std::vector<DrawCommand> draws() const override { return draws_.read(); }

 private:
  uint32_t* total() const { return &draws_.device()->instanceCount; }

  const Workload workload_;
  const FrameBuffers& buffers_;
  Algorithm algorithm_;
  DrawArguments draws_;
};

inline Buckets makeBuckets(const Workload& workload, const void* input, uint32_t capacity, uint32_t* drawCounts) {
  return {static_cast<const uint32_t*>(input),
          workload.recordBytes / 4,
          workload.bucketCount,
          capacity,
          workload.groupCount,
          workload.groupBuckets(),
          drawCounts};
}

// Frames of an algorithm that compacts into several buckets. A frame also writes the draws. Algorithm runs it by
//   void enqueueBuckets(stream, source, buckets, output, draws).
template <typename Algorithm, typename Source>
class BucketFrames : public PreparedCompetitor {
 public:
  BucketFrames(const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload),
        buffers_(buffers),
        algorithm_(workload),
        draws_(workload.drawPlaceCount()),
        drawCounts_(workload.groupCount) {}

  void enqueue(cudaStream_t stream, size_t set) override {
    const FrameSet& frame = buffers_.sets[set];
    const Buckets buckets = makeBuckets(workload_, frame.input, buffers_.bucketCapacity, drawCounts_.device());
    algorithm_.enqueueBuckets(stream, makeSource<Source>(workload_, frame.input), buckets,
                              static_cast<typename Source::Element*>(frame.output), draws_.device());
    check(cudaGetLastError(), "kernel launch");
  }
  void poison(cudaStream_t stream) override {
    draws_.poison(stream);
    drawCounts_.poison(stream);
  }
  std::vector<DrawCommand> draws() const override { return draws_.read(); }
  std::vector<uint32_t> drawCounts() const override { return drawCounts_.read(); }

 private:
  const Workload workload_;
  const FrameBuffers& buffers_;
  Algorithm algorithm_;
  DrawArguments draws_;
  DrawCounts drawCounts_;  // of groups
};

// Frames of an algorithm that writes a command for each record. Algorithm runs it by
//   void enqueueDraws(stream, source, buckets, meshes, draws, count).
// meshes has the command of each bucket.
template <typename Algorithm, typename Source>
class DrawFrames : public PreparedCompetitor {
 public:
  DrawFrames(const Workload& workload, const FrameBuffers& buffers)
      : workload_(workload),
        buffers_(buffers),
        algorithm_(workload),
        meshes_(workload.bucketCount * sizeof(DrawCommand)),
        count_(1) {
    std::vector<DrawCommand> meshes;
    for (uint32_t bucket = 0; bucket < workload.bucketCount; ++bucket) meshes.push_back(recordCommand(bucket));
    upload(meshes_.get(), meshes);
  }

  void enqueue(cudaStream_t stream, size_t set) override {
    const FrameSet& frame = buffers_.sets[set];
    algorithm_.enqueueDraws(stream, makeSource<Source>(workload_, frame.input),
                            makeBuckets(workload_, frame.input, 0, nullptr), meshes_.as<const DrawCommand>(),
                            static_cast<RecordDraw*>(frame.output), count_.device());
    check(cudaGetLastError(), "kernel launch");
  }
  void poison(cudaStream_t stream) override { count_.poison(stream); }
  std::vector<DrawCommand> draws() const override { return {}; }
  std::vector<uint32_t> drawCounts() const override { return count_.read(); }

 private:
  const Workload workload_;
  const FrameBuffers& buffers_;
  Algorithm algorithm_;
  const DeviceMemory meshes_;
  DrawCounts count_;
};

template <typename Algorithm>
class LiteratureCompetitor : public Competitor {
 public:
  explicit LiteratureCompetitor(const std::string& name) : name_(name) {}

  std::string name() const override { return name_; }
  Role role() const override { return Role::Candidate; }

  std::string refusal(const Workload& workload) const override {
    if (workload.bucketCount > 1 && !Algorithm::kTakesBuckets) return "the algorithm has one output";
    if (workload.order == Order::Stable && !Algorithm::kIsStable) return "the algorithm does not keep the order";
    if (const std::string why = viewRefusal(workload); !why.empty()) return why;
    if (const std::string why = boundsRefusal(workload); !why.empty()) return why;
    if (workload.bucketCount == 1 && !Algorithm::kTakesOneOutput) return "it draws several meshes, and there is one";
    if (const std::string why = placeRefusal(workload); !why.empty()) return why;
    if (prepareFor(workload) == nullptr)
      return Algorithm::kTakesWordsOnly
                 ? "the algorithm's wide loads take records of 4 bytes, written as records"
                 : sentence("the algorithm is not built for records of ", workload.recordBytes, " bytes");
    if (workload.recordCount % Algorithm::kCountMultiple != 0)
      return sentence("the algorithm takes multiples of ", Algorithm::kCountMultiple, " records");
    return {};
  }

  std::unique_ptr<PreparedCompetitor> prepare(const Workload& workload, const FrameBuffers& buffers) const override {
    return prepareFor(workload)(workload, buffers);
  }

 private:
  using Prepare = std::unique_ptr<PreparedCompetitor> (*)(const Workload&, const FrameBuffers&);

  static std::string placeRefusal(const Workload& workload) {
    if (Algorithm::kDrawsRecords) return workload.isMerged() ? "" : "it writes a command for each record";
    Workload ungrouped = workload;
    if (Algorithm::kTakesGroups) ungrouped.groupCount = 0;
    return placementRefusal(ungrouped);
  }

  template <typename Source>
  static std::unique_ptr<PreparedCompetitor> prepareOver(const Workload& workload, const FrameBuffers& buffers) {
    if constexpr (Algorithm::kDrawsRecords) {
      return std::make_unique<DrawFrames<Algorithm, Source>>(workload, buffers);
    } else if constexpr (!Algorithm::kTakesOneOutput) {
      return std::make_unique<BucketFrames<Algorithm, Source>>(workload, buffers);
    } else {
      if constexpr (Algorithm::kTakesBuckets) {
        if (workload.bucketCount > 1) return std::make_unique<BucketFrames<Algorithm, Source>>(workload, buffers);
      }
      return std::make_unique<LiteratureFrames<Algorithm, Source>>(workload, buffers);
    }
  }

  static Prepare prepareFor(const Workload& workload) {
    if constexpr (Algorithm::kDrawsRecords)
      return workload.predicate == Predicate::Word ? prepareOver<Indices> : prepareOver<VisibleIndices>;
    else
      return prepareCompaction(workload);
  }

  static Prepare prepareCompaction(const Workload& workload) {
    if (workload.predicate != Predicate::Word) return prepareCulling(workload);
    if (workload.outputs == Outputs::Records && workload.recordBytes == 4) return prepareOver<Words>;
    if constexpr (!Algorithm::kTakesWordsOnly) {
      if (workload.outputs == Outputs::Indices) return prepareOver<Indices>;
      switch (workload.recordBytes) {
        case 16:
          return prepareOver<Records<4>>;
        case 32:
          return prepareOver<Records<8>>;
        case 64:
          return prepareOver<Records<16>>;
        case 128:
          return prepareOver<Records<32>>;
      }
    }
    return nullptr;
  }

  static Prepare prepareCulling(const Workload& workload) {
    if constexpr (!Algorithm::kTakesWordsOnly) {
      if (workload.outputs == Outputs::Indices) return prepareOver<VisibleIndices>;
      if (workload.recordBytes == 64) return prepareOver<VisibleRecords<16>>;
    }
    return nullptr;
  }

  const std::string name_;
};

template <typename Algorithm>
std::unique_ptr<Competitor> makeCompetitor(const std::string& name) {
  return std::make_unique<LiteratureCompetitor<Algorithm>>(name);
}

}  // namespace bench::literature
