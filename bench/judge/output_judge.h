// Decides whether an output element is right. The checks on the host and on the GPU both use it.
#pragma once

#include <cstdint>
#include <string>

#include "workload/frame.h"
#include "workload/input_recipe.h"

namespace bench {

enum class Fault : uint32_t { None, Unknown, Dead, Payload, Bucket, Repeated, Order, Written };

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
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t elementWords;
  uint32_t bucketCapacity;
  uint32_t bucketCount;
  uint32_t viewCount;
  bool indices;
  bool stable;

  BENCH_HOST_DEVICE uint64_t elementCount() const { return uint64_t{bucketCapacity} * bucketCount * viewCount; }

  // Words of a verdict, which has a bit for each record and view.
  uint64_t seenWords() const { return (uint64_t{recordCount} * viewCount + 31) / 32; }

  BENCH_HOST_DEVICE uint32_t recordOf(const uint32_t* element) const {
    return indices ? element[0] : recipe.recordOf(element[0]);
  }

  // Judges the element at the position, except for repetition.
  BENCH_HOST_DEVICE Verdict judge(uint64_t position) const {
    const auto bucketOfAll = static_cast<uint32_t>(position / bucketCapacity);
    const uint32_t view = bucketOfAll / bucketCount;
    const uint32_t bucket = bucketOfAll % bucketCount;
    const auto rank = static_cast<uint32_t>(position % bucketCapacity);
    const uint32_t* element = output + position * elementWords;
    if (rank >= keptCounts[bucketOfAll]) return {isPoison(element) ? Fault::None : Fault::Written, kNoRecord};

    const uint32_t source = recordOf(element);
    if (source >= recordCount) return {Fault::Unknown, kNoRecord};
    const uint32_t* record = input + uint64_t{source} * recordWords;
    if (!recipe.isLive(source, view)) return {Fault::Dead, kNoRecord};
    if (!indices && !isRecord(element, record)) return {Fault::Payload, kNoRecord};
    if (bucketCount > 1 && record[1] != bucket) return {Fault::Bucket, kNoRecord};
    if (stable && rank > 0 && recordOf(element - elementWords) >= source) return {Fault::Order, kNoRecord};
    return {Fault::None, view * recordCount + source};
  }

 private:
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
