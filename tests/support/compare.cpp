#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "trial.h"

namespace slu::test {
namespace {

using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

// Part of an output: the kept records of one view and bucket.
struct Bucket {
  std::uint32_t view;
  std::uint32_t bucket;
  std::uint64_t firstOutput;
  std::uint32_t kept;
  const std::vector<std::uint32_t>& passed;
};

// Compares the kept records of one frame, and its rejects, as sets and then gives them the expected order.
class OrderSettler {
 public:
  OrderSettler(const PlanSpec& plan, const FrameSpec& frame, const Step& step, const std::vector<Bytes>& expected,
               std::vector<Bytes>& actual)
      : plan_(plan), frame_(frame), step_(step), expected_(expected), actual_(actual) {}

  AssertionResult run() {
    for (std::uint32_t view = 0; view < frame_.viewCount && plan_.leavesRejectsOpen(); ++view) {
      if (AssertionResult result = settleRejects(view); !result) return result << " among the rejects of view " << view;
    }
    if (!plan_.leavesOrderOpen()) return AssertionSuccess();
    const std::vector<KeptRange> ranges = keptRanges(plan_, step_.demand);
    for (std::uint32_t view = 0; view < frame_.viewCount; ++view) {
      for (std::uint32_t bucket = 0; bucket < plan_.bucketCount(); ++bucket) {
        const auto [first, kept] = ranges[std::size_t{view} * plan_.bucketCount() + bucket];
        if (kept == 0) continue;
        const Bucket range{view, bucket, first, kept, step_.demand.of(plan_, view, bucket)};
        if (AssertionResult result = settle(range); !result) {
          return result << " in view " << view << ", bucket " << bucket << ", which keeps " << kept;
        }
      }
    }
    return AssertionSuccess();
  }

 private:
  AssertionResult settle(const Bucket& range) {
    AssertionResult result = plan_.drawsRecords() ? compareCommands(range) : AssertionSuccess();
    if (result && plan_.writes(SLU_OUTPUT_INDICES_BIT)) {
      result = compareIndices(range);
    } else if (result && !plan_.streams.empty()) {
      result = compareElements(range);
    } else if (result && plan_.writes(SLU_OUTPUT_RECORDS_BIT)) {
      result = compareRecords(range);
    }
    if (plan_.drawsRecords()) takeExpectedCommands(range);
    if (plan_.writes(SLU_OUTPUT_INDICES_BIT)) takeExpected(frame_.indices, range, 4);
    if (plan_.writes(SLU_OUTPUT_RECORDS_BIT)) takeExpected(frame_.keptRecords, range, stride());
    for (std::size_t i = 0; i < plan_.streams.size(); ++i) takeExpectedElements(i, range);
    return result;
  }

  // Each index once and among those of the reasons, as many as there are or as there is room for.
  AssertionResult settleRejects(std::uint32_t view) {
    const std::vector<std::uint32_t>& listed = step_.demand.listed[view];
    const std::size_t count = std::min<std::size_t>(listed.size(), plan_.rejectCapacity());
    const std::uint64_t offset = frame_.rejects.offset + std::uint64_t{view} * plan_.rejectCapacity() * 4;
    if (count == 0) return AssertionSuccess();
    std::vector<std::uint32_t> indices(count);
    std::memcpy(indices.data(), &actual_[frame_.rejects.memory][offset], count * 4);
    std::sort(indices.begin(), indices.end());
    if (const auto twice = std::adjacent_find(indices.begin(), indices.end()); twice != indices.end()) {
      return AssertionFailure() << "index " << *twice << " is listed twice";
    }
    if (!std::includes(listed.begin(), listed.end(), indices.begin(), indices.end())) {
      return AssertionFailure() << "an index is listed that is not rejected for these reasons";
    }
    std::copy_n(&expected_[frame_.rejects.memory][offset], count * 4, &actual_[frame_.rejects.memory][offset]);
    return AssertionSuccess();
  }

  // Each kept index once and among those that passed; the record beside it is the one that it names.
  AssertionResult compareIndices(const Bucket& range) const {
    std::vector<std::uint32_t> indices(range.kept);
    const std::uint8_t* output = actual_[frame_.indices.memory].data() + frame_.indices.offset + range.firstOutput * 4;
    std::memcpy(indices.data(), output, indices.size() * 4);
    if (plan_.writes(SLU_OUTPUT_RECORDS_BIT)) {
      for (std::uint32_t i = 0; i < range.kept; ++i) {
        if (indices[i] >= step_.demand.inputCount ||
            std::memcmp(keptRecord(range, i), inputRecord(indices[i]), stride()) != 0) {
          return AssertionFailure() << "kept record " << i << " is not input record " << indices[i];
        }
      }
    }
    for (std::uint32_t i = 0; i < range.kept && !plan_.streams.empty(); ++i) {
      if (indices[i] >= step_.demand.inputCount || keptElements(range, i) != inputElements(indices[i])) {
        return AssertionFailure() << "the elements of kept record " << i << " are not those of record " << indices[i];
      }
    }
    std::sort(indices.begin(), indices.end());
    if (const auto twice = std::adjacent_find(indices.begin(), indices.end()); twice != indices.end()) {
      return AssertionFailure() << "index " << *twice << " is kept twice";
    }
    if (!std::includes(range.passed.begin(), range.passed.end(), indices.begin(), indices.end())) {
      return AssertionFailure() << "an index is kept that did not pass, " << range.kept << " kept";
    }
    return AssertionSuccess();
  }

  // Each command is that of a record that passed, each record has one at most, and the index and the record at the
  // command's place are those of the same record.
  AssertionResult compareCommands(const Bucket& range) const {
    const bool hasNumbers = (plan_.info.draws.flags & SLU_DRAWS_NUMBER_IN_FRONT_BIT) != 0;
    std::multimap<std::vector<std::uint32_t>, std::uint32_t> open;  // the records without a command, by their commands
    for (std::size_t i = 0; i < range.passed.size(); ++i) {
      open.emplace(
          commandOf(plan_, frame_, step_.demand, expected_, step_.demand.drawnBy[range.view][i], range.passed[i], 0),
          range.passed[i]);
    }
    for (std::uint32_t i = 0; i < range.kept; ++i) {
      std::vector<std::uint32_t> command(plan_.commandBytes() / 4);
      std::memcpy(command.data(), actual_[frame_.draws.memory].data() + commandOffset(range, i), command.size() * 4);
      if (hasNumbers && command[0] != i) return AssertionFailure() << "command " << i << " is numbered " << command[0];
      if (hasNumbers) command[0] = 0;
      auto [found, end] = open.equal_range(command);
      while (found != end && !isAt(range, i, found->second)) ++found;
      if (found == end) return AssertionFailure() << "command " << i << " is not that of the record at its place";
      open.erase(found);
    }
    return AssertionSuccess();
  }

  // Whether the other outputs at a place are those of a record.
  bool isAt(const Bucket& range, std::uint32_t place, std::uint32_t record) const {
    std::uint32_t index = record;
    const std::uint64_t offset = frame_.indices.offset + (range.firstOutput + place) * 4;
    if (plan_.writes(SLU_OUTPUT_INDICES_BIT)) std::memcpy(&index, &actual_[frame_.indices.memory][offset], 4);
    if (index != record) return false;
    if (!plan_.streams.empty() && keptElements(range, place) != inputElements(record)) return false;
    return !plan_.writes(SLU_OUTPUT_RECORDS_BIT) ||
           std::memcmp(keptRecord(range, place), inputRecord(record), stride()) == 0;
  }

  std::uint64_t commandOffset(const Bucket& range, std::uint32_t place) const {
    return frame_.draws.offset + (range.firstOutput + place) * plan_.info.draws.stride;
  }

  void takeExpectedCommands(const Bucket& range) {
    for (std::uint32_t i = 0; i < range.kept; ++i) {
      const std::uint64_t offset = commandOffset(range, i);
      std::copy_n(&expected_[frame_.draws.memory][offset], plan_.commandBytes(), &actual_[frame_.draws.memory][offset]);
    }
  }

  AssertionResult compareRecords(const Bucket& range) const {
    std::vector<std::string_view> demanded, kept;
    for (const std::uint32_t index : range.passed) demanded.push_back(view(inputRecord(index)));
    for (std::uint32_t i = 0; i < range.kept; ++i) kept.push_back(view(keptRecord(range, i)));
    std::sort(demanded.begin(), demanded.end());
    std::sort(kept.begin(), kept.end());
    if (!std::includes(demanded.begin(), demanded.end(), kept.begin(), kept.end())) {
      return AssertionFailure() << "a record is kept that did not pass, or more often than it did";
    }
    return AssertionSuccess();
  }

  // Records, if they are written, and the elements of all streams belong together.
  AssertionResult compareElements(const Bucket& range) const {
    const bool hasRecords = plan_.writes(SLU_OUTPUT_RECORDS_BIT);
    std::vector<std::string> demanded, kept;
    for (const std::uint32_t index : range.passed) {
      demanded.push_back(inputElements(index) + std::string(hasRecords ? view(inputRecord(index)) : ""));
    }
    for (std::uint32_t i = 0; i < range.kept; ++i) {
      kept.push_back(keptElements(range, i) + std::string(hasRecords ? view(keptRecord(range, i)) : ""));
    }
    std::sort(demanded.begin(), demanded.end());
    std::sort(kept.begin(), kept.end());
    if (!std::includes(demanded.begin(), demanded.end(), kept.begin(), kept.end())) {
      return AssertionFailure() << "elements are kept together that no record has which passed";
    }
    return AssertionSuccess();
  }

  // The elements of all streams, one behind the other.
  std::string inputElements(std::uint32_t index) const {
    std::string elements;
    for (std::size_t i = 0; i < plan_.streams.size(); ++i) {
      const SluStream& stream = plan_.streams[i];
      const std::uint8_t* element = step_.streams[i].data() + std::uint64_t{index} * inputStride(stream);
      elements.append(reinterpret_cast<const char*>(element), stream.elementSize);
    }
    return elements;
  }

  std::string keptElements(const Bucket& range, std::uint32_t kept) const {
    std::string elements;
    for (std::size_t i = 0; i < plan_.streams.size(); ++i) {
      const std::uint8_t* element = actual_[frame_.streams[i].output.memory].data() + elementOffset(i, range, kept);
      elements.append(reinterpret_cast<const char*>(element), plan_.streams[i].elementSize);
    }
    return elements;
  }

  std::uint64_t elementOffset(std::size_t stream, const Bucket& range, std::uint32_t kept) const {
    return frame_.streams[stream].output.offset + (range.firstOutput + kept) * outputStride(plan_.streams[stream]);
  }

  // Bytes between elements stay, and are compared like all others.
  void takeExpectedElements(std::size_t stream, const Bucket& range) {
    const std::uint32_t memory = frame_.streams[stream].output.memory;
    for (std::uint32_t i = 0; i < range.kept; ++i) {
      const std::uint64_t offset = elementOffset(stream, range, i);
      std::copy_n(expected_[memory].data() + offset, plan_.streams[stream].elementSize,
                  actual_[memory].data() + offset);
    }
  }

  void takeExpected(const Place& place, const Bucket& range, std::uint64_t elementBytes) {
    const std::uint64_t offset = place.offset + range.firstOutput * elementBytes;
    std::copy_n(expected_[place.memory].data() + offset, range.kept * elementBytes,
                actual_[place.memory].data() + offset);
  }

  std::uint32_t stride() const { return plan_.info.recordStride; }
  const std::uint8_t* inputRecord(std::uint32_t i) const { return step_.records.data() + std::uint64_t{i} * stride(); }
  const std::uint8_t* keptRecord(const Bucket& range, std::uint32_t i) const {
    return actual_[frame_.keptRecords.memory].data() + frame_.keptRecords.offset + (range.firstOutput + i) * stride();
  }
  std::string_view view(const std::uint8_t* record) const { return {reinterpret_cast<const char*>(record), stride()}; }

  const PlanSpec& plan_;
  const FrameSpec& frame_;
  const Step& step_;
  const std::vector<Bytes>& expected_;
  std::vector<Bytes>& actual_;
};

// Which range of which frame an offset belongs to.
std::string describe(const Scene& scene, std::uint32_t memory, std::uint64_t offset) {
  std::string text;
  for (std::size_t i = 0; i < scene.frames.size(); ++i) {
    const FrameSpec& frame = scene.frames[i];
    const PlanSpec& plan = scene.planOf(frame);
    std::vector<Region> regions = outputRegions(plan, frame.viewCount);
    for (const Region& region : inputRegions(plan, frame.recordCount, frame.elements)) regions.push_back(region);
    for (const Region& region : regions) {
      const Place& place = frame.*region.place;
      if (place.memory != memory || offset < place.offset || offset >= place.offset + region.bytes) continue;
      text += (text.empty() ? "" : "; ") + std::string(region.name) + " + " + std::to_string(offset - place.offset) +
              " of " + std::to_string(region.bytes) + " bytes in frame " + std::to_string(i) + " (" +
              std::to_string(frame.recordCount) + " records)";
    }
  }
  const auto isIn = [&](const Place& place, std::uint64_t bytes) {
    return place.memory == memory && offset >= place.offset && offset < place.offset + bytes;
  };
  for (std::size_t i = 0; i < scene.frames.size(); ++i) {
    const FrameSpec& frame = scene.frames[i];
    const PlanSpec& plan = scene.planOf(frame);
    for (std::size_t j = 0; j < frame.streams.size(); ++j) {
      const StreamPlaces& places = frame.streams[j];
      const bool isInput = isIn(places.input, streamInputBytes(plan.streams[j], frame.recordCount));
      if (!isInput && !isIn(places.output, streamOutputBytes(plan, plan.streams[j], frame.viewCount))) continue;
      text += (text.empty() ? "" : "; ") + std::string(isInput ? "input" : "output") + " of stream " +
              std::to_string(j) + " of frame " + std::to_string(i);
    }
  }
  return text.empty() ? "outside of all inputs and outputs" : text;
}

AssertionResult compareBytes(const Scene& scene, std::uint32_t memory, const Bytes& expected, const Bytes& actual) {
  if (expected == actual) return AssertionSuccess();
  const auto first = std::mismatch(expected.begin(), expected.end(), actual.begin());
  const auto offset = static_cast<std::uint64_t>(first.first - expected.begin()) / 4 * 4;
  std::uint32_t expectedWord = 0, actualWord = 0, wrongWords = 0;
  for (std::uint64_t word = offset; word + 4 <= expected.size(); word += 4) {
    wrongWords += std::memcmp(&expected[word], &actual[word], 4) != 0;
  }
  const std::size_t size = std::min<std::size_t>(4, expected.size() - offset);
  std::memcpy(&expectedWord, &expected[offset], size);
  std::memcpy(&actualWord, &actual[offset], size);
  return AssertionFailure() << "memory " << memory << ", byte " << offset << ": " << actualWord << " instead of "
                            << expectedWord << ", the first of " << wrongWords
                            << " wrong words: " << describe(scene, memory, offset);
}

}  // namespace

AssertionResult compareMemories(const Scene& scene, const std::vector<Step>& steps, const std::vector<Bytes>& expected,
                                std::vector<Bytes>& actual) {
  for (std::size_t i = 0; i < scene.frames.size(); ++i) {
    if (steps[i].demand.passed.empty()) continue;
    const FrameSpec& frame = scene.frames[i];
    OrderSettler settler(scene.planOf(frame), frame, steps[i], expected, actual);
    if (AssertionResult result = settler.run(); !result) {
      return result << ", frame " << i << " of " << frame.recordCount << " records";
    }
  }
  for (std::uint32_t i = 0; i < expected.size(); ++i) {
    if (AssertionResult result = compareBytes(scene, i, expected[i], actual[i]); !result) return result;
  }
  return AssertionSuccess();
}

}  // namespace slu::test
