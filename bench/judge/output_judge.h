// Decides whether an output element is right. The checks on the host and on the GPU both use it.
#pragma once

#include <cstdint>
#include <string>

#include "workload/frame.h"
#include "workload/input_recipe.h"

namespace bench {

enum class Fault : uint32_t { None, Unknown, Dead, Payload, Command, Bucket, Repeated, Order, Written };

constexpr uint32_t kNoRecord = 0xffffffffu;

struct Verdict {
  Fault fault;
  // The element's record, counted from view * recordCount, which may be there once; kNoRecord behind the kept ones.
  uint32_t record;
};

// An output and what it was made from.
struct JudgedOutput {
  InputRecipe recipe;
  const uint32_t* input;
  const uint32_t* output;
  const uint32_t* keptCounts;  // per view and bucket
  const uint32_t* firsts;      // packedFirsts of these, unless buckets are reserved
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t elementWords;
  uint32_t bucketCapacity;
  uint32_t bucketCount;
  uint32_t viewCount;
  Placement placement;
  bool indices;
  bool stable;

  BENCH_HOST_DEVICE uint64_t elementCount() const {
    return placement == Placement::Reserved ? uint64_t{bucketCapacity} * bucketCount * viewCount : bucketCapacity;
  }

  // Words of a verdict, which has a bit for each record and view.
  uint64_t seenWords() const { return (uint64_t{recordCount} * viewCount + 31) / 32; }

  BENCH_HOST_DEVICE uint32_t recordOf(const uint32_t* element) const {
    return indices ? element[0] : recipe.recordOf(element[0]);
  }

  // Judges the element at the position, except for repetition.
  BENCH_HOST_DEVICE Verdict judge(uint64_t position) const {
    const Slot slot = slotOf(position);
    const uint32_t* element = output + position * elementWords;
    if (!slot.isKept) return {isPoison(element) ? Fault::None : Fault::Written, kNoRecord};
    const uint32_t view = slot.bucketOfAll / bucketCount;
    const uint32_t bucket = slot.bucketOfAll % bucketCount;

    const uint32_t source = recordOf(element);
    if (source >= recordCount) return {Fault::Unknown, kNoRecord};
    const uint32_t* record = input + uint64_t{source} * recordWords;
    if (!recipe.isLive(source, view)) return {Fault::Dead, kNoRecord};
    if (!indices && !isRecord(element, record)) return {Fault::Payload, kNoRecord};
    if (placement == Placement::Merged) {
      if (!isCommand(element + 1, recordCommand(record[1]))) return {Fault::Command, kNoRecord};
    } else if (bucketCount > 1 && record[1] != bucket) {
      return {Fault::Bucket, kNoRecord};
    }
    if (stable && slot.rank > 0 && recordOf(element - elementWords) >= source) return {Fault::Order, kNoRecord};
    return {Fault::None, view * recordCount + source};
  }

 private:
  struct Slot {
    uint32_t bucketOfAll;  // counted through all views; 0 in a merged list
    uint32_t rank;         // in the bucket or the list
    bool isKept;
  };

  BENCH_HOST_DEVICE Slot slotOf(uint64_t position) const {
    if (placement == Placement::Reserved) {
      const auto bucketOfAll = static_cast<uint32_t>(position / bucketCapacity);
      const auto rank = static_cast<uint32_t>(position % bucketCapacity);
      return {bucketOfAll, rank, rank < keptCounts[bucketOfAll]};
    }
    const auto place = static_cast<uint32_t>(position);
    if (place >= firsts[bucketCount]) return {0, place, false};
    if (placement == Placement::Merged) return {0, place, true};
    uint32_t bucket = 0;  // the last one that begins at or before the place
    for (uint32_t end = bucketCount; end - bucket > 1;) {
      const uint32_t middle = bucket + (end - bucket) / 2;
      (firsts[middle] <= place ? bucket : end) = middle;
    }
    return {bucket, place - firsts[bucket], true};
  }
  BENCH_HOST_DEVICE bool isCommand(const uint32_t* words, const DrawCommand& command) const {
    return words[0] == command.vertexCount && words[1] == command.instanceCount && words[2] == command.firstVertex &&
           words[3] == command.firstInstance;
  }
  BENCH_HOST_DEVICE bool isPoison(const uint32_t* element) const {
    for (uint32_t i = 0; i < elementWords; ++i) {
      if (element[i] != kPoisonWord) return false;
    }
    return true;
  }
  BENCH_HOST_DEVICE bool isRecord(const uint32_t* element, const uint32_t* record) const {
    for (uint32_t i = 0; i < recordWords; ++i) {
      if (element[i] != record[i]) return false;
    }
    return true;
  }
};

// Fills in everything except the pointers.
JudgedOutput judgedOutput(const Workload& workload, const InputRecipe& recipe, uint32_t bucketCapacity);

const char* describe(Fault fault);

// The sentence about an element that begins with the word.
std::string describeElement(const JudgedOutput& judged, uint64_t position, Fault fault, uint32_t firstWord);

}  // namespace bench
