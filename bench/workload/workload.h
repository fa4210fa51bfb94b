// A workload says what is compacted. It is one point of the space that the benchmark covers.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

// Says which records are live.
enum class Pattern {
  Random,       // each on its own
  Clustered,    // runs of kClusterRecords records share their fate
  Alternating,  // spread as evenly as the survival allows
};
constexpr uint32_t kClusterRecords = 256;

enum class Order { Unordered, Stable };
enum class Outputs { Records, Indices };

// Says what keeps a record.
enum class Predicate {
  Word,          // its first word is not zero
  Sphere,        // its bounding sphere touches the frustum of a view, see views.h; a record of 16 bytes is the sphere
  SphereBeside,  // its bounding sphere does, in a stream behind the records
  BoxBeside,     // a box and the matrix that moves it lie in such a stream, and the moved box touches the frustum
};
constexpr uint32_t kSphereBytes = 16;
constexpr uint32_t kSphereOffset = 16;  // in wider records
constexpr uint32_t kBoxBytes = 80;      // see MovedBox
constexpr uint32_t kRecordDrawBytes = 20;

const char* name(Pattern pattern);
const char* name(Order order);
const char* name(Outputs outputs);
const char* name(Predicate predicate);

// Says where the kept records of several buckets lie.
enum class Placement {
  Reserved,  // each bucket has a place of its own, with room for the fullest one
  Packed,    // one bucket behind the other, without gaps
  Merged,    // all in one list, whose elements are draw commands: see RecordDraw
};
const char* name(Placement placement);

// With several buckets a record's second word is its bucket.
struct Workload {
  uint32_t recordBytes = 4;  // a multiple of 4
  uint32_t recordCount = 1u << 20;
  double survivalPercent = 50.0;
  Pattern pattern = Pattern::Random;
  uint32_t bucketCount = 1;
  Order order = Order::Unordered;
  Outputs outputs = Outputs::Records;
  Predicate predicate = Predicate::Word;
  uint32_t viewCount = 1;  // each keeps survivalPercent by bounds, and has outputs of its own
  Placement placement = Placement::Reserved;
  uint32_t groupCount = 0;  // of draws: bucket b is of group b / groupBuckets(), and each has a draw count; 0 without

  uint32_t allBucketCount() const { return viewCount * bucketCount; }  // of all views, one view behind the other
  bool isMerged() const { return placement == Placement::Merged; }
  // The parts of the output that have room of their own.
  uint32_t rangeCount() const { return placement == Placement::Reserved ? allBucketCount() : 1; }
  uint32_t groupBuckets() const { return groupCount == 0 ? bucketCount : (bucketCount - 1) / groupCount + 1; }
  // Places of draws beside the output; where these are its elements, one that nothing writes. The draws of a group
  // follow one another, and those of empty buckets are left out.
  uint32_t drawPlaceCount() const {
    return isMerged() ? 1 : groupCount == 0 ? allBucketCount() : groupCount * groupBuckets();
  }
  uint32_t drawCountCount() const { return groupCount == 0 ? viewCount : groupCount; }
  uint64_t recordsBytes() const { return uint64_t{recordCount} * recordBytes; }
  bool hasBoundsBeside() const { return predicate == Predicate::SphereBeside || predicate == Predicate::BoxBeside; }
  uint32_t boundsBytes() const {  // of a record's sphere, or of its box and matrix
    return predicate == Predicate::Word ? 0 : predicate == Predicate::BoxBeside ? kBoxBytes : kSphereBytes;
  }
  uint64_t boundsOffset() const {  // of the first record's in the input
    if (hasBoundsBeside()) return recordsBytes();
    return predicate == Predicate::Sphere && recordBytes > kSphereBytes ? kSphereOffset : 0;
  }
  uint32_t boundsStride() const { return hasBoundsBeside() ? boundsBytes() : recordBytes; }
  uint64_t inputBytes() const {
    return recordsBytes() + (hasBoundsBeside() ? uint64_t{recordCount} * boundsBytes() : 0);
  }
  bool readsRecords() const { return !hasBoundsBeside() || bucketCount > 1 || outputs == Outputs::Records; }
  // At most: uneven buckets have room for up to twice of what they keep.
  uint64_t mostOutputBytes() const {
    const double copies = viewCount * survivalPercent / 100.0;
    if (isMerged()) return 2 * (inputBytes() + uint64_t{recordCount} * elementBytes());
    return 2 * (copies > 1 ? static_cast<uint64_t>(copies * static_cast<double>(inputBytes())) : inputBytes());
  }
  uint32_t elementBytes() const {  // of an output element
    return isMerged() ? kRecordDrawBytes : outputs == Outputs::Records ? recordBytes : 4;
  }
};

// "4 B x 2^28, 50 %, stable", followed by what is not the default.
std::string describe(const Workload& workload);

// Says why no input can be made for the workload; empty when one can.
std::string impossibility(const Workload& workload);

// Says that a competitor which tests words, or spheres without gaps, does not take the workload; empty when it does.
std::string boundsRefusal(const Workload& workload);

// Says that a competitor whose buckets have places of their own, and a draw each, does not take the workload; empty
// when it does.
std::string placementRefusal(const Workload& workload);

// Says that a competitor which culls for one view does not take the workload; empty when there is one.
std::string viewRefusal(const Workload& workload);

}  // namespace bench
