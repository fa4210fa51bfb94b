#include "frame_judge.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "expect.h"

namespace slu::fuzz {
namespace {

template <typename T>
T load(const std::uint8_t* from, std::size_t index = 0) {
  T value;
  std::memcpy(&value, from + index * sizeof(T), sizeof(value));
  return value;
}

std::uint32_t inputCountOf(const FrameInput& frame, const Guard& guard) {
  const std::uint8_t* live = frame.find(frame.ranges()[kLiveCount]);
  const std::uint32_t count = frame.info().recordCount;
  return live == nullptr ? count : std::min(count, load<std::uint32_t>(guard.before(live)));
}

struct Totals {
  std::uint64_t demanded = 0, kept = 0;
  bool isExceeded = false;
};

Totals expectBucketCounts(const PlanFacts& plan, const std::uint8_t* counts) {
  Totals totals;
  for (std::size_t bucket = 0; bucket < plan.capacities.size(); ++bucket) {
    const auto count = load<SluBucketCount>(counts, bucket);
    const std::uint64_t room = plan.capacities[bucket] - (plan.isPacked() ? totals.kept : 0);
    expect(count.keptCount == std::min<std::uint64_t>(count.demandedCount, room), "bucket ", bucket, " keeps ",
           count.keptCount, " of ", count.demandedCount, " with room for ", room);
    totals.demanded += count.demandedCount;
    totals.kept += count.keptCount;
    totals.isExceeded = totals.isExceeded || count.demandedCount > count.keptCount;
  }
  return totals;
}

void expectStatistics(const SluStatistics& statistics, const PlanFacts& plan, std::uint32_t overflowBefore,
                      std::uint32_t inputCount) {
  expect(plan.testsLayers || statistics.rejectedCount[SLU_REJECT_LAYER] == 0,
         "a record is in no layer of a plan without");
  expect(plan.hasMeshes() || statistics.rejectedCount[SLU_REJECT_LOD] == 0, "a LOD of no mesh is missing");
  const std::uint64_t rejected =
      std::accumulate(std::begin(statistics.rejectedCount), std::end(statistics.rejectedCount), std::uint64_t{0});
  expect(statistics.inputCount == inputCount, "inputCount is ", statistics.inputCount, ", not ", inputCount);
  expect(rejected + statistics.demandedCount == inputCount, rejected, " rejected and ", statistics.demandedCount,
         " demanded are not ", inputCount);
  expect(statistics.keptCount <= statistics.demandedCount, "more kept than demanded");
  const bool isExceeded = statistics.keptCount < statistics.demandedCount;
  expect(!isExceeded || (statistics.overflow & SLU_OVERFLOW_CAPACITY_BIT) != 0, "an overflow without its flag");
  expect(isExceeded || ((statistics.overflow ^ overflowBefore) & SLU_OVERFLOW_CAPACITY_BIT) == 0,
         "a flag without an overflow");
  expect((overflowBefore & ~statistics.overflow) == 0, "an overflow flag was cleared");
}

// The indices of one bucket.
void expectIndices(const std::uint8_t* indices, std::uint32_t count, std::uint32_t inputCount, bool inOrder) {
  std::vector<std::uint32_t> kept(count);
  if (count != 0) std::memcpy(kept.data(), indices, std::size_t{count} * 4);
  if (!inOrder) std::sort(kept.begin(), kept.end());
  for (std::uint32_t i = 0; i < count; ++i) {
    expect(kept[i] < inputCount, "index ", kept[i], " of ", inputCount, " records");
    if (i != 0) expect(kept[i - 1] < kept[i], "index ", kept[i], " follows ", kept[i - 1]);
  }
}

// The list of a view has as many rejects as are rejected for its reasons, if there is room for them.
void expectRejects(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, std::uint32_t view,
                   std::uint32_t inputCount, bool inOrder) {
  const std::uint8_t* rejects = frame.find(frame.ranges()[kRejects]);
  const std::uint8_t* counts = frame.find(frame.ranges()[kRejectCounts]);
  const std::uint8_t* statistics = frame.find(frame.ranges()[kStatistics]);
  if (counts == nullptr) return;
  const auto count = load<SluBucketCount>(counts, view);
  expect(count.keptCount == std::min<std::uint64_t>(count.demandedCount, plan.rejectCapacity()), "the list has ",
         count.keptCount, " of ", count.demandedCount, " rejects");
  if (rejects != nullptr) {
    expectIndices(rejects + view * plan.rejectCapacity() * 4, count.keptCount, inputCount, inOrder);
  }
  if (statistics == nullptr) return;
  const auto told = load<SluStatistics>(statistics, view);
  const auto before = load<SluStatistics>(guard.before(statistics + view * sizeof(SluStatistics)));
  std::uint32_t rejected = 0;
  for (std::uint32_t reason = 0; reason < SLU_REJECT_COUNT; ++reason) {
    if (plan.info.rejects.reasons == 0 || (plan.info.rejects.reasons >> reason & 1) != 0) {
      rejected += told.rejectedCount[reason];
    }
  }
  expect(rejected == count.demandedCount, rejected, " records are rejected, and the list is to have ",
         count.demandedCount);
  const bool isExceeded = count.keptCount < count.demandedCount;
  const SluFlags flag = (told.overflow & ~before.overflow) & SLU_OVERFLOW_REJECTS_BIT;
  expect(isExceeded ? (told.overflow & SLU_OVERFLOW_REJECTS_BIT) != 0 : flag == 0, "the flag of rejects is wrong");
}

// A view's rejects are those of the frame's phase, and the bits of records that are not tested are 0.
void expectVisible(const FrameInput& frame, const PlanFacts& plan, std::uint32_t view, std::uint32_t inputCount) {
  const std::uint32_t phase = frame.occlusion().phase;
  if (const std::uint8_t* statistics = frame.find(frame.ranges()[kStatistics])) {
    const auto told = load<SluStatistics>(statistics, view);
    const bool isTested = phase == SLU_OCCLUSION_SINGLE || phase == SLU_OCCLUSION_SECOND;
    const bool isOfTwo = phase == SLU_OCCLUSION_FIRST || phase == SLU_OCCLUSION_SECOND;
    expect(isTested || told.rejectedCount[SLU_REJECT_OCCLUDED] == 0, "a frame without a pyramid has hidden records");
    expect(isOfTwo || told.rejectedCount[SLU_REJECT_OTHER_PHASE] == 0, "a frame has records of another phase");
  }
  const std::uint8_t* bits = frame.find(frame.ranges()[kVisible]);
  if (bits == nullptr) return;
  const std::size_t firstWord = view * ((std::size_t{plan.info.maxRecordCount} + 31) / 32);
  for (std::uint32_t i = inputCount; i < (frame.info().recordCount + 31) / 32 * 32; ++i) {
    const auto word = load<std::uint32_t>(bits, firstWord + i / 32);
    expect((word >> i % 32 & 1) == 0, "the bit of record ", i, " is set, which is not tested");
  }
}

// A view's states of LODs are those of LODs that the plan has. Returns how many records have one.
std::uint64_t expectLodStates(const FrameInput& frame, const PlanFacts& plan, std::uint32_t view,
                              std::uint32_t inputCount) {
  const std::uint8_t* states = frame.find(frame.ranges()[kLodStates]);
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < inputCount; ++i) {
    const auto state = load<std::uint32_t>(states, std::size_t{view} * plan.info.maxRecordCount + i);
    const std::uint32_t lod = state & 0xff, before = state >> 8 & 0xff;
    const auto isLod = [&](std::uint32_t number) { return number < plan.info.key.lodCount; };
    expect(isLod(lod) || state == SLU_LOD_STATE_NONE, "record ", i, " has the state ", state);
    expect(isLod(before) || before == SLU_LOD_NONE, "record ", i, " had LOD ", before);
    expect(state >> 24 == 0, "record ", i, " has a state of more bits");
    count += isLod(lod) ? 1 : 0;
  }
  return count;
}

// Meshes of the table.
std::uint32_t meshCountOf(const FrameInput& frame, const Guard& guard) {
  const std::uint8_t* live = frame.find(frame.ranges()[kLiveMeshCount]);
  const std::uint32_t count = frame.info().meshCount;
  return live == nullptr ? count : std::min(count, load<std::uint32_t>(guard.before(live)));
}

// A view's draws have the numbers of the table, and those of meshes that the frame does not have draw nothing.
// counts: of the view's buckets.
void expectDrawsOfMeshes(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, std::uint32_t view,
                         const std::uint8_t* counts) {
  const std::uint8_t* draws = frame.find(frame.ranges()[kDraws]);
  const std::uint8_t* table = frame.find(frame.ranges()[kMeshes]);
  if (draws == nullptr || !plan.hasMeshes() || plan.info.groups.count != 0) return;
  const SluMeshes& meshes = plan.info.meshes;
  const std::uint32_t meshCount = meshCountOf(frame, guard), lodCount = plan.info.key.lodCount;
  const bool skipsEmpty = (plan.info.draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) != 0;
  const bool hasFront = plan.info.draws.flags >= SLU_DRAWS_FIRST_IN_FRONT_BIT;
  const std::uint32_t bucketCount = static_cast<std::uint32_t>(plan.capacities.size());
  std::uint64_t slot = std::uint64_t{view} * bucketCount;
  for (std::uint32_t bucket = 0; bucket < bucketCount; ++bucket) {
    const std::uint32_t kept = load<SluBucketCount>(counts, bucket).keptCount;
    if (kept == 0 && skipsEmpty) continue;
    const std::uint8_t* draw = draws + slot++ * plan.info.draws.stride + (hasFront ? 4 : 0);
    const std::uint32_t unmirrored = bucket % (plan.info.key.keyCount * lodCount);
    const std::uint32_t mesh = unmirrored / lodCount, lod = unmirrored % lodCount;
    std::uint32_t elements = 0, first = 0;
    if (mesh < meshCount && table != nullptr) {
      const std::uint64_t at = std::uint64_t{mesh} * meshes.stride + std::uint64_t{lod} * meshes.lodStride;
      elements = load<std::uint32_t>(guard.before(table + at + meshes.elementCountOffset));
      const bool hasFirst = (meshes.parts & SLU_MESH_FIRST_ELEMENT_BIT) != 0;
      if (hasFirst) first = load<std::uint32_t>(guard.before(table + at + meshes.firstElementOffset));
    }
    expect(mesh < meshCount || kept == 0, "bucket ", bucket, " keeps records of no mesh");
    expect(load<std::uint32_t>(draw) == elements && load<std::uint32_t>(draw, 1) == kept &&
               load<std::uint32_t>(draw, 2) == first,
           "the draw of bucket ", bucket, " has other numbers than mesh ", mesh);
  }
}

// A view's draw counts are those of the groups that the plan gave its buckets. counts: of these.
void expectDrawsOfGroups(const FrameInput& frame, const PlanFacts& plan, std::uint32_t view,
                         const std::uint8_t* counts) {
  const std::uint8_t* drawCounts = frame.find(frame.ranges()[kDrawCounts]);
  if (drawCounts == nullptr || plan.groups.empty()) return;
  const SluGroups& groups = plan.info.groups;
  const bool skipsEmpty = (plan.info.draws.flags & SLU_DRAWS_SKIP_EMPTY_BIT) != 0;
  std::vector<std::uint32_t> drawn(groups.count, 0);
  for (std::size_t bucket = 0; bucket < plan.groups.size(); ++bucket) {
    if (!skipsEmpty || load<SluBucketCount>(counts, bucket).keptCount != 0) ++drawn[plan.groups[bucket]];
  }
  for (std::uint32_t group = 0; group < groups.count; ++group) {
    const std::uint32_t wanted = groups.drawCapacity == 0 ? drawn[group] : std::min(drawn[group], groups.drawCapacity);
    const auto told = load<std::uint32_t>(drawCounts, std::size_t{view} * groups.count + group);
    expect(told == wanted, "group ", group, " has ", told, " draws, not ", wanted);
  }
}

// A view's kept records are those that its indices name.
void expectRecords(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, std::uint64_t slot,
                   std::uint32_t count) {
  const std::uint8_t* indices = frame.find(frame.ranges()[kIndices]);
  const std::uint8_t* kept = frame.find(frame.ranges()[kKeptRecords]);
  const std::uint8_t* records = frame.find(frame.ranges()[kRecords]);
  if (indices == nullptr || kept == nullptr || records == nullptr) return;
  const std::size_t stride = plan.info.recordStride;
  for (std::uint64_t i = slot; i < slot + count; ++i) {
    const std::uint8_t* record = guard.before(records + load<std::uint32_t>(indices, i) * stride);
    expect(std::memcmp(kept + i * stride, record, stride) == 0, "output ", i, " is another record");
  }
}

// The elements of each further stream are those of the records that the indices name.
void expectElements(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, std::uint64_t slot,
                    std::uint32_t count) {
  const std::uint8_t* indices = frame.find(frame.ranges()[kIndices]);
  for (std::size_t stream = 0; stream < plan.streams.size() && indices != nullptr && count != 0; ++stream) {
    const SluStream& strides = plan.streams[stream];
    const std::uint8_t* elements = frame.find(frame.ranges()[kStreamInputs + stream]);
    const std::uint8_t* kept = frame.find(frame.ranges()[kStreamOutputs + stream]);
    expect(elements != nullptr && kept != nullptr, "stream ", stream, " is not bound");
    for (std::uint64_t i = slot; i < slot + count; ++i) {
      const std::uint64_t index = load<std::uint32_t>(indices, i);
      const std::uint8_t* element = guard.before(elements + index * strides.inputStride);
      expect(std::memcmp(kept + i * strides.outputStride, element, strides.elementSize) == 0, "output ", i,
             " of stream ", stream, " is another element");
    }
  }
}

}  // namespace

void expectConsistent(const FrameInput& frame, const PlanFacts& plan, const Guard& guard, bool inOrder) {
  const std::uint32_t inputCount = inputCountOf(frame, guard);
  const Ranges& ranges = frame.ranges();
  const std::uint8_t* statistics = frame.find(ranges[kStatistics]);
  const std::uint8_t* counts = frame.find(ranges[kBucketCounts]);
  const std::uint8_t* drawCounts = frame.find(ranges[kDrawCounts]);
  const std::uint8_t* indices = frame.find(ranges[kIndices]);
  const std::size_t bucketCount = plan.capacities.size();
  for (std::uint32_t view = 0; view < frame.info().viewCount; ++view) {
    SluStatistics told{};
    if (statistics != nullptr) {
      told = load<SluStatistics>(statistics, view);
      const auto before = load<SluStatistics>(guard.before(statistics + view * sizeof(SluStatistics)));
      expectStatistics(told, plan, before.overflow, inputCount);
      if (drawCounts != nullptr) {
        const std::uint32_t groupCount = plan.drawCountsPerView();
        std::uint64_t drawn = 0;
        for (std::uint32_t i = 0; i < groupCount; ++i) {
          const auto ofGroup = load<std::uint32_t>(drawCounts, std::size_t{view} * groupCount + i);
          const std::uint32_t room = plan.info.groups.drawCapacity;
          expect(room == 0 || ofGroup <= room, "group ", i, " of view ", view, " has more draws than it has room for");
          drawn += ofGroup;
        }
        expect(told.drawCount == drawn, "two draw counts of view ", view);
      }
      if (plan.isMerged()) {
        const bool draws = plan.info.draws.type != SLU_DRAW_NONE;
        expect(told.drawCount == (draws ? told.keptCount : 0), "other draws than kept records");
        expect(told.keptCount == std::min(told.demandedCount, plan.capacities[0]), "not as many kept as fit");
        const std::uint64_t slot = view * plan.outputsPerView;
        if (indices != nullptr) expectIndices(indices + slot * 4, told.keptCount, inputCount, inOrder);
        expectRecords(frame, plan, guard, slot, told.keptCount);
        expectElements(frame, plan, guard, slot, told.keptCount);
      } else {
        expect(told.drawCount <= bucketCount, "more draws than buckets");
      }
    }
    if (plan.keepsLodStates()) {
      const std::uint64_t lods = expectLodStates(frame, plan, view, inputCount);
      expect(statistics == nullptr || lods == told.demandedCount, lods, " records have LODs, and ", told.demandedCount,
             " passed");
    }
    expectRejects(frame, plan, guard, view, inputCount, inOrder);
    expectVisible(frame, plan, view, inputCount);
    if (counts == nullptr) continue;
    const std::uint8_t* ofView = counts + view * bucketCount * sizeof(SluBucketCount);
    const Totals totals = expectBucketCounts(plan, ofView);
    expect(statistics == nullptr || (told.demandedCount == totals.demanded && told.keptCount == totals.kept),
           "statistics and bucket counts of view ", view, " differ");
    std::uint64_t slot = view * plan.outputsPerView;
    for (std::size_t bucket = 0; bucket < bucketCount; ++bucket) {
      const std::uint32_t kept = load<SluBucketCount>(ofView, bucket).keptCount;
      if (indices != nullptr) expectIndices(indices + slot * 4, kept, inputCount, inOrder);
      expectRecords(frame, plan, guard, slot, kept);
      expectElements(frame, plan, guard, slot, kept);
      slot += plan.isPacked() ? kept : plan.capacities[bucket];
    }
    expectDrawsOfMeshes(frame, plan, guard, view, ofView);
    expectDrawsOfGroups(frame, plan, view, ofView);
  }
}

void expectAgreement(FrameInput& frame, const PlanFacts& plan,
                     const std::vector<std::vector<std::uint8_t>>& reference) {
  const bool isStable = plan.info.order == SLU_ORDER_STABLE;
  for (std::size_t i = 0; i < kRangeCount; ++i) {
    const Range& range = frame.ranges()[i];
    const std::uint8_t* bytes = frame.find(range);
    if (!range.isOutput || bytes == nullptr) continue;
    const bool mayDiffer = i == kIndices || i == kKeptRecords || i == kRejects ||
                           (i >= kStreamOutputs && i < kPyramid) || (i == kDraws && plan.isMerged());
    if (!isStable && mayDiffer) continue;
    for (std::size_t b = 0; b < reference.size(); ++b) {
      const Block& block = *frame.buffers()[b].block;
      if (bytes < block.bytes() || bytes >= block.bytes() + block.size()) continue;
      const std::uint8_t* wanted = reference[b].data() + (bytes - block.bytes());
      const auto* const first = std::mismatch(bytes, bytes + range.bytes, wanted).first;
      expect(first == bytes + range.bytes, range.name, ": byte ", first - bytes, " is not what the cpu route writes");
    }
  }
}

}  // namespace slu::fuzz
