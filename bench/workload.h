// What is compacted: one point of the space that the benchmark covers.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

// Which records are live.
enum class Pattern {
  Random,       // each on its own
  Clustered,    // runs of kClusterRecords records share their fate
  Alternating,  // spread as evenly as the survival allows
};
constexpr uint32_t kClusterRecords = 256;

enum class Order { Unordered, Stable };
enum class Outputs { Records, Indices };

const char* name(Pattern pattern);
const char* name(Order order);
const char* name(Outputs outputs);

// A record is live when its first word is not zero. With several buckets its second word is its bucket.
struct Workload {
  uint32_t recordBytes = 4;  // a multiple of 4
  uint32_t recordCount = 1u << 20;
  double survivalPercent = 50.0;
  Pattern pattern = Pattern::Random;
  uint32_t bucketCount = 1;
  Order order = Order::Unordered;
  Outputs outputs = Outputs::Records;

  uint64_t inputBytes() const { return uint64_t{recordCount} * recordBytes; }
  uint32_t elementBytes() const { return outputs == Outputs::Records ? recordBytes : 4; }  // of an output element
};

// "4 B x 2^28, 50 %, stable", followed by what is not the default.
std::string describe(const Workload& workload);

// Why no input can be made for it; empty when it can.
std::string impossibility(const Workload& workload);

}  // namespace bench
