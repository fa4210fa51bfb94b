#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "oracle.h"

namespace slu::test {
namespace {

// What draws a bucket by a mesh table: its numbers as they are, or zeros for meshes that the frame does not have.
SluDrawTemplate meshDraw(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand,
                         const std::vector<Bytes>& memories, std::uint32_t bucket) {
  const SluMeshes& meshes = plan.info.meshes;
  const std::uint32_t unmirrored = bucket % plan.firstMirrored();
  const std::uint32_t mesh = unmirrored / plan.lodCount(), lod = unmirrored % plan.lodCount();
  SluDrawTemplate draw{};
  if (mesh >= demand.meshCount) return draw;
  const std::uint8_t* first =
      memories.at(frame.meshes.memory).data() + frame.meshes.offset + std::uint64_t{mesh} * meshes.stride;
  const std::uint8_t* ofLod = first + std::uint64_t{lod} * meshes.lodStride;
  const auto copy = [](auto& number, const std::uint8_t* from) { std::memcpy(&number, from, sizeof(number)); };
  copy(draw.elementCount, ofLod + meshes.elementCountOffset);
  if (plan.hasMeshPart(SLU_MESH_FIRST_ELEMENT_BIT)) copy(draw.firstElement, ofLod + meshes.firstElementOffset);
  if (plan.hasMeshPart(SLU_MESH_VERTEX_OFFSET_BIT)) copy(draw.vertexOffset, first + meshes.vertexOffsetOffset);
  if (plan.hasMeshPart(SLU_MESH_LOD_VERTEX_OFFSET_BIT)) copy(draw.vertexOffset, ofLod + meshes.vertexOffsetOffset);
  return draw;
}

// Each bucket in its own range; those of a merged plan are one.
void addReserved(const PlanSpec& plan, const Demand& demand, std::uint32_t view, std::vector<KeptRange>& ranges) {
  std::uint64_t first = view * plan.outputsPerView();
  for (std::uint32_t bucket = 0; bucket < plan.bucketCount(); ++bucket) {
    const std::uint32_t capacity = plan.capacity(bucket);
    const std::size_t demanded = demand.of(plan, view, bucket).size();
    ranges.push_back({first, static_cast<std::uint32_t>(std::min<std::size_t>(demanded, capacity))});
    first += capacity;
  }
}

// Each bucket where the one before it ends, until the view is full.
void addPacked(const PlanSpec& plan, const Demand& demand, std::uint32_t view, std::vector<KeptRange>& ranges) {
  std::uint64_t first = view * plan.outputsPerView();
  std::uint64_t room = plan.outputsPerView();
  for (std::uint32_t bucket = 0; bucket < plan.bucketCount(); ++bucket) {
    const std::uint64_t kept = std::min<std::uint64_t>(demand.of(plan, view, bucket).size(), room);
    ranges.push_back({first, static_cast<std::uint32_t>(kept)});
    first += kept;
    room -= kept;
  }
}

// Writes the outputs of one frame.
class Publisher {
 public:
  Publisher(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand, std::vector<Bytes>& memories)
      : plan_(plan), frame_(frame), demand_(demand), memories_(memories) {
    if (!plan.writes(SLU_OUTPUT_RECORDS_BIT) || !frame.records) return;
    const std::uint8_t* records = memories.at(frame.records.memory).data() + frame.records.offset;
    records_.assign(records, records + std::uint64_t{demand.inputCount} * plan.info.recordStride);
  }

  void run() {
    for (std::uint32_t view = 0; view < frame_.viewCount; ++view) writeView(view);
  }

 private:
  void writeView(std::uint32_t view) {
    SluStatistics statistics{};
    statistics.inputCount = demand_.inputCount;
    statistics.overflow = demand_.overflow;
    std::copy_n(&demand_.rejected[view * SLU_REJECT_COUNT], SLU_REJECT_COUNT, statistics.rejectedCount);
    for (std::uint32_t bucket = 0; bucket < plan_.bucketCount(); ++bucket) writeBucket(view, bucket, statistics);
    if (plan_.hasDraws()) plan_.isMerged() ? writeRest(view, statistics) : writeDraws(view, statistics);
    if (plan_.listsRejects()) writeRejects(view, statistics);
    if (frame_.occlusion.findsVisible()) writeVisible(view);
    if (plan_.writes(SLU_OUTPUT_STATISTICS_BIT)) storeStatistics(view, statistics);
    if (plan_.keepsLodStates() && demand_.inputCount != 0) {
      storeBytes(frame_.lodStates, std::uint64_t{view} * plan_.info.maxRecordCount * 4,
                 &demand_.lodStates[std::size_t{view} * demand_.inputCount], std::size_t{demand_.inputCount} * 4);
    }
  }

  void writeBucket(std::uint32_t view, std::uint32_t bucket, SluStatistics& statistics) {
    const std::vector<std::uint32_t>& passed = demand_.of(plan_, view, bucket);
    const auto demanded = static_cast<std::uint32_t>(passed.size());
    const auto [first, kept] = ranges_[std::size_t{view} * plan_.bucketCount() + bucket];
    for (std::uint32_t i = 0; i < kept; ++i) writeRecord(first + i, passed[i]);
    for (std::uint32_t i = 0; i < kept && plan_.drawsRecords(); ++i) {
      storeDraw(view, i, commandOf(plan_, frame_, demand_, memories_, demand_.drawnBy[view][i], passed[i], i));
    }
    if (plan_.writes(SLU_OUTPUT_BUCKET_COUNTS_BIT)) {
      const std::uint64_t slot = std::uint64_t{view} * plan_.bucketCount() + bucket;
      store(frame_.bucketCounts, slot * sizeof(SluBucketCount), SluBucketCount{demanded, kept});
    }
    if (kept < demanded) statistics.overflow |= SLU_OVERFLOW_CAPACITY_BIT;
    statistics.demandedCount += demanded;
    statistics.keptCount += kept;
  }

  // The first of the rejects, as many as there is room for.
  void writeRejects(std::uint32_t view, SluStatistics& statistics) {
    const std::vector<std::uint32_t>& listed = demand_.listed[view];
    const std::uint64_t room = plan_.rejectCapacity();
    for (std::uint64_t i = 0; i < listed.size() && i < room && plan_.writes(SLU_OUTPUT_REJECTS_BIT); ++i) {
      store(frame_.rejects, (view * room + i) * 4, listed[i]);
    }
    const std::uint64_t kept = listed.size() < room ? listed.size() : room;
    if (plan_.writes(SLU_OUTPUT_REJECT_COUNTS_BIT)) {
      const SluBucketCount count{static_cast<std::uint32_t>(listed.size()), static_cast<std::uint32_t>(kept)};
      store(frame_.rejectCounts, view * sizeof(SluBucketCount), count);
    }
    if (listed.size() > room) statistics.overflow |= SLU_OVERFLOW_REJECTS_BIT;
  }

  // Whole words, up to the record count.
  void writeVisible(std::uint32_t view) {
    const std::uint64_t first = std::uint64_t{view} * plan_.visibleStride();
    for (std::uint64_t word = first; word * 32 < first * 32 + frame_.recordCount; ++word) {
      store(frame_.visible, word * 4, demand_.visible.at(word));
    }
  }

  // What follows the commands of a merged plan's records.
  void writeRest(std::uint32_t view, SluStatistics& statistics) {
    statistics.drawCount = statistics.keptCount;
    writeZeros(view, statistics.drawCount, plan_.info.zeroCommandCount);
    if (plan_.writes(SLU_OUTPUT_DRAW_COUNTS_BIT)) store(frame_.drawCounts, view * 4u, statistics.drawCount);
  }

  // Up to `most` commands, from `first` on, as far as there is room.
  void writeZeros(std::uint32_t view, std::uint32_t first, std::uint32_t most) {
    if (!plan_.writes(SLU_OUTPUT_DRAWS_BIT)) return;
    const std::vector<std::uint32_t> zeros(plan_.commandBytes() / 4, 0);
    const std::uint64_t end = std::min(plan_.commandsPerView(), std::uint64_t{first} + most);
    for (std::uint32_t slot = first; slot < end; ++slot) storeDraw(view, slot, zeros);
  }

  // The commands of a view, group by group, and zeros where there are none, or as many as a sparse plan asks for.
  void writeDraws(std::uint32_t view, SluStatistics& statistics) {
    if (!plan_.isSparse()) writeZeros(view, 0, 0xffffffffu);
    const bool skipsEmpty = (plan_.info.draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) != 0;
    const std::uint32_t room = plan_.info.groups.drawCapacity;
    for (std::uint32_t group = 0; group < plan_.drawCountsPerView(); ++group) {
      const std::uint32_t first = room != 0 ? group * room : statistics.drawCount;
      std::uint32_t count = 0;
      for (std::uint32_t bucket = 0; bucket < plan_.bucketCount(); ++bucket) {
        const auto [firstOutput, kept] = ranges_[std::size_t{view} * plan_.bucketCount() + bucket];
        if ((skipsEmpty && kept == 0) || groupOf(bucket) != group) continue;
        if (room != 0 && count == room) {
          statistics.overflow |= SLU_OVERFLOW_DRAWS_BIT;
          break;
        }
        if (plan_.writes(SLU_OUTPUT_DRAWS_BIT)) {
          storeDraw(view, first + count, elementWords(bucket, first + count, firstOutput, kept));
        }
        ++count;
      }
      statistics.drawCount += count;
      if (plan_.writes(SLU_OUTPUT_DRAW_COUNTS_BIT)) {
        store(frame_.drawCounts, (std::uint64_t{view} * plan_.drawCountsPerView() + group) * 4, count);
      }
    }
    if (plan_.isSparse()) writeZeros(view, statistics.drawCount, plan_.info.zeroCommandCount);
    for (std::uint32_t bucket = 0; bucket < plan_.bucketCount(); ++bucket) {
      const std::uint32_t kept = ranges_[std::size_t{view} * plan_.bucketCount() + bucket].kept;
      if ((skipsEmpty && kept == 0) || groupOf(bucket) < plan_.drawCountsPerView()) continue;
      statistics.overflow |= SLU_OVERFLOW_DRAWS_BIT;
    }
  }

  // May be any number if a mesh says it.
  std::uint64_t groupOf(std::uint32_t bucket) const {
    if (!plan_.hasGroups()) return 0;
    if (!plan_.hasMeshes()) return plan_.groups[bucket];
    const SluGroups& groups = plan_.info.groups;
    const std::uint32_t mesh = bucket % plan_.firstMirrored() / plan_.lodCount();
    std::uint32_t ofMesh = 0;
    if (mesh < demand_.meshCount) {
      const std::uint64_t offset = std::uint64_t{mesh} * plan_.info.meshes.stride + groups.meshOffset;
      std::memcpy(&ofMesh, memories_.at(frame_.meshes.memory).data() + frame_.meshes.offset + offset, sizeof(ofMesh));
    }
    return std::uint64_t{ofMesh} + (bucket >= plan_.firstMirrored() ? groups.mirroredOffset : 0);
  }

  void writeRecord(std::uint64_t output, std::uint32_t index) {
    const std::uint32_t stride = plan_.info.recordStride;
    if (plan_.writes(SLU_OUTPUT_INDICES_BIT)) store(frame_.indices, output * 4, index);
    if (plan_.writes(SLU_OUTPUT_RECORDS_BIT)) {
      storeBytes(frame_.keptRecords, output * stride, records_.data() + std::uint64_t{index} * stride, stride);
    }
    for (std::size_t i = 0; i < plan_.streams.size(); ++i) {
      const SluStream& stream = plan_.streams[i];
      const Place& input = frame_.streams[i].input;
      const std::uint8_t* element =
          memories_.at(input.memory).data() + input.offset + std::uint64_t{index} * inputStride(stream);
      storeBytes(frame_.streams[i].output, output * outputStride(stream), element, stream.elementSize);
    }
  }

  std::vector<std::uint32_t> drawWords(std::uint32_t bucket, std::uint64_t firstOutput, std::uint32_t kept) const {
    const SluDrawTemplate draw =
        plan_.hasMeshes() ? meshDraw(plan_, frame_, demand_, memories_, bucket) : plan_.buckets[bucket].draw;
    const auto first = static_cast<std::uint32_t>(firstOutput);
    switch (plan_.info.draws.type) {
      case SLU_DRAW_INSTANCES:
        return {draw.elementCount, kept, draw.firstElement, draw.firstInstance + first};
      case SLU_DRAW_VERTICES:
        return {kept * draw.elementCount, draw.instanceCount, draw.firstElement + first * draw.elementCount,
                draw.firstInstance};
      case SLU_DRAW_INDEXED_INSTANCES:
        return {draw.elementCount, kept, draw.firstElement, static_cast<std::uint32_t>(draw.vertexOffset),
                draw.firstInstance + first};
      case SLU_DRAW_WORKGROUPS:
        return workgroups((std::uint64_t{kept} + draw.elementCount - 1) / draw.elementCount);
      default:
        throw std::invalid_argument("the oracle does not know this draw type");
    }
  }

  // The least number of rows, at most 65535 long, and then the least length of them.
  static std::vector<std::uint32_t> workgroups(std::uint64_t count) {
    std::uint64_t rows = 1, length = 0;
    while (rows * 65535 < count) ++rows;
    while (rows * length < count) ++length;
    return {static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(rows), 1};
  }

  // The words of a draw with the one in front.
  std::vector<std::uint32_t> elementWords(std::uint32_t bucket, std::uint32_t slot, std::uint64_t firstOutput,
                                          std::uint32_t kept) const {
    std::vector<std::uint32_t> words = drawWords(bucket, firstOutput, kept);
    const SluFlags flags = plan_.info.draws.flags;
    const SluDrawType type = plan_.info.draws.type;
    const std::uint32_t first = type == SLU_DRAW_VERTICES     ? words[2]
                                : type == SLU_DRAW_WORKGROUPS ? static_cast<std::uint32_t>(firstOutput)
                                                              : words.back();
    if ((flags & SLU_DRAWS_FIRST_IN_FRONT_BIT) != 0) words.insert(words.begin(), first);
    if ((flags & SLU_DRAWS_BUCKET_IN_FRONT_BIT) != 0) words.insert(words.begin(), bucket);
    if ((flags & SLU_DRAWS_NUMBER_IN_FRONT_BIT) != 0) words.insert(words.begin(), slot);
    return words;
  }

  void storeDraw(std::uint32_t view, std::uint32_t slot, const std::vector<std::uint32_t>& words) {
    const std::uint64_t index = view * plan_.commandsPerView() + slot;
    storeBytes(frame_.draws, index * plan_.info.draws.stride, words.data(), words.size() * 4);
  }

  // The overflow flags stay until the host clears them.
  void storeStatistics(std::uint32_t view, SluStatistics statistics) {
    const std::uint64_t offset = view * sizeof(SluStatistics);
    std::uint32_t overflow = 0;
    std::memcpy(&overflow,
                memories_.at(frame_.statistics.memory).data() + frame_.statistics.offset + offset +
                    offsetof(SluStatistics, overflow),
                sizeof(overflow));
    statistics.overflow |= overflow;
    store(frame_.statistics, offset, statistics);
  }

  template <typename Value>
  void store(const Place& place, std::uint64_t offset, const Value& value) {
    storeBytes(place, offset, &value, sizeof(value));
  }

  void storeBytes(const Place& place, std::uint64_t offset, const void* source, std::size_t size) {
    Bytes& memory = memories_.at(place.memory);
    if (place.offset + offset + size > memory.size()) throw std::out_of_range("the oracle left a memory");
    std::memcpy(memory.data() + place.offset + offset, source, size);
  }

  const PlanSpec& plan_;
  const FrameSpec& frame_;
  const Demand& demand_;
  std::vector<Bytes>& memories_;
  Bytes records_;  // a copy, since the plan may work in place
  std::vector<KeptRange> ranges_ = keptRanges(plan_, demand_);
};

}  // namespace

std::vector<KeptRange> keptRanges(const PlanSpec& plan, const Demand& demand) {
  std::vector<KeptRange> ranges;
  for (std::uint32_t view = 0; ranges.size() < demand.passed.size(); ++view) {
    if (plan.isPacked()) {
      addPacked(plan, demand, view, ranges);
    } else {
      addReserved(plan, demand, view, ranges);
    }
  }
  return ranges;
}

std::vector<std::uint32_t> commandOf(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand,
                                     const std::vector<Bytes>& memories, std::uint32_t bucket, std::uint32_t index,
                                     std::uint32_t place) {
  const SluFlags flags = plan.info.draws.flags;
  const SluDrawTemplate draw =
      plan.hasMeshes() ? meshDraw(plan, frame, demand, memories, bucket) : plan.buckets[bucket].draw;
  const bool namesRecord = (flags & SLU_DRAWS_RECORD_IN_FRONT_BIT) != 0;
  const std::uint32_t first = namesRecord ? draw.firstInstance : draw.firstInstance + index;
  std::vector<std::uint32_t> words;
  if (namesRecord) words.push_back(index);
  if ((flags & SLU_DRAWS_FIRST_IN_FRONT_BIT) != 0) words.push_back(first);
  if ((flags & SLU_DRAWS_BUCKET_IN_FRONT_BIT) != 0) words.push_back(bucket);
  if ((flags & SLU_DRAWS_NUMBER_IN_FRONT_BIT) != 0) words.push_back(place);
  words.insert(words.end(), {draw.elementCount, 1, draw.firstElement});
  if (plan.info.draws.type == SLU_DRAW_INDEXED_INSTANCES) {
    words.push_back(static_cast<std::uint32_t>(draw.vertexOffset));
  }
  words.push_back(first);
  return words;
}

void publish(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand, std::vector<Bytes>& memories) {
  Publisher(plan, frame, demand, memories).run();
}

}  // namespace slu::test
