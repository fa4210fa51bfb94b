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
  uint32_t record;  // the one that the element is, which may be there only once; kNoRecord behind the kept ones
};

// An output and what it was made from.
struct JudgedOutput {
  InputRecipe recipe;
  const uint32_t* input;
  const uint32_t* output;
  const uint32_t* keptCounts;  // per bucket
  uint32_t recordCount;
  uint32_t recordWords;
  uint32_t elementWords;
  uint32_t bucketCapacity;
  uint32_t bucketCount;
  bool indices;
  bool stable;

  BENCH_HOST_DEVICE uint64_t elementCount() const { return uint64_t{bucketCapacity} * bucketCount; }

  BENCH_HOST_DEVICE uint32_t recordOf(const uint32_t* element) const {
    return indices ? element[0] : recipe.recordOf(element[0]);
  }

  // Judges the element at the position, except for repetition.
  BENCH_HOST_DEVICE Verdict judge(uint64_t position) const {
    const auto bucket = static_cast<uint32_t>(position / bucketCapacity);
    const auto rank = static_cast<uint32_t>(position % bucketCapacity);
    const uint32_t* element = output + position * elementWords;
    if (rank >= keptCounts[bucket]) return {isPoison(element) ? Fault::None : Fault::Written, kNoRecord};

    const uint32_t source = recordOf(element);
    if (source >= recordCount) return {Fault::Unknown, kNoRecord};
    const uint32_t* record = input + uint64_t{source} * recordWords;
    if (!recipe.isLive(source)) return {Fault::Dead, source};
    if (!indices && !isRecord(element, record)) return {Fault::Payload, source};
    if (bucketCount > 1 && record[1] != bucket) return {Fault::Bucket, source};
    if (stable && rank > 0 && recordOf(element - elementWords) >= source) return {Fault::Order, source};
    return {Fault::None, source};
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
