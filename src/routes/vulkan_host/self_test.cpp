#include "routes/vulkan_host/self_test.h"

#include <sluice/culling.h>
#include <sluice/occlusion.h>
#include <sluice/pyramid.h>

#include <algorithm>
#include <cstring>

#include "plan/extents.h"
#include "plan/plan_checks.h"
#include "plan/rejects.h"
#include "plan/views.h"
#include "routes/cpu/cpu_route.h"

namespace slu {
namespace {

// So many records are several tiles on every route, and the last tile is not full.
constexpr std::uint32_t kCount = 12'011;
// Plans for so many records take other kernels.
constexpr std::uint32_t kSomeRecords = 1u << 19;
constexpr std::uint32_t kManyRecords = 1u << 23;
constexpr std::uint32_t kMostRecords = 1u << 26;
constexpr std::uint32_t kLargestStride = 128;
constexpr std::uint32_t kKeys = 7;
constexpr std::uint32_t kPackedCapacity = 300;  // fewer than pass
constexpr std::uint32_t kRejectCapacity = 500;  // fewer than are rejected
constexpr std::uint32_t kMostSortedKeys = 752;  // the inline route sorts by so many
constexpr std::uint32_t kManyKeys = 3000;       // they are more than shared memory counts
constexpr std::uint32_t kSparseKeys = 4000;  // with two levels of detail each, more packed buckets than are described
// A plan whose tiles may look back has one frame more, which uses again what the first one used. Each frame begins so
// many records further on, which keeps the alignment: what an earlier frame left behind would be seen.
constexpr std::uint32_t kFramesPerPlan = 2;
constexpr std::uint32_t kFramesThatLookBack = 3;
constexpr std::uint32_t kRecordsBetweenFrames = 1008;
constexpr std::uint32_t kScaleBytes = 16;  // of an axis each, and a word that nobody reads
constexpr std::uint64_t kSpheresOffset = std::uint64_t{kCount} * kLargestStride;
constexpr std::uint64_t kScalesOffset = kSpheresOffset + std::uint64_t{kCount} * kSphereBytes;
constexpr std::uint64_t kPyramidOffset = kScalesOffset + std::uint64_t{kCount} * kScaleBytes;
static_assert(kPyramidOffset % 16 == 0);
constexpr std::uint32_t kPyramidWidth = 96, kPyramidHeight = 80;  // pixels
constexpr std::uint32_t kPyramidLayers = 2;                       // one per view
constexpr std::uint32_t kPoison = 0xa5a5a5a5u;

std::uint32_t mix(std::uint32_t a) { return (a ^ a >> 15) * 2654435761u; }

// Words of the records, whatever their stride. A word that is not zero tells its place. About half are not zero, in
// runs of all lengths.
std::uint32_t recordWord(std::uint32_t index) {
  const bool isLive = (index * 2654435761u >> 16) % 5 < 2 || index / 700 % 5 == 1;
  return isLive ? index + 1 : 0;
}

// The mask and the value of SLU_LIVE_MASK_EQUAL. About a quarter of the words that are not zero pass.
constexpr std::uint32_t kLiveMask = 0x41, kLiveValue = 0x40;

// Spheres that the first view keeps or drops by how a result is rounded. Its farthest distance is 96, the square of
// which is 9216; the next float is 2^-10 more.
constexpr std::uint32_t kBetweenRoundedSpheres = 61;
constexpr float kRoundedSpheres[][4] = {
    {96.0f, 0.0222f, 0.0f, 30.0f},       // 9216.00049: to nearest and up it is too far; down and toward zero it is not
    {96.0f, 0.02f, 0.0f, 30.0f},         // 9216.0004: up it is too far
    {1.0f, 16.0f, 0.0f, 0.250487804f}};  // the radius squared: to nearest it is just large enough; down it is too small

// A mesh table is words of the records: of a mesh its number of levels of detail, which may be 0, and their element
// counts.
constexpr std::uint32_t kMeshStride = 16;

// The others are whole numbers, with which every route computes exactly.
float sphereWord(std::uint32_t index) {
  const std::uint32_t sphere = index / 4;
  if (sphere % kBetweenRoundedSpheres == 0) {
    return kRoundedSpheres[sphere / kBetweenRoundedSpheres % std::size(kRoundedSpheres)][index % 4];
  }
  const std::uint32_t random = mix(index) >> 8;
  return index % 4 == 3 ? 1.0f + static_cast<float>(random % 3) : static_cast<float>(random % 201) - 100.0f;
}

// Powers of two, by which spheres are scaled exactly, and of which many stay within the planes.
float scaleWord(std::uint32_t index) {
  constexpr float kScales[] = {0.25f, 0.5f, 1.0f, -1.0f};
  return kScales[mix(index) >> 30];
}

// Every texel has a depth of its own, and no level follows from the one before it.
std::uint32_t pyramidWords() {
  return SLU_PYRAMID_HEADER_WORDS + kPyramidLayers * sluPyramidLayerWords(kPyramidWidth, kPyramidHeight);
}

std::uint64_t inputBytes() { return kPyramidOffset + 4ull * pyramidWords(); }

std::uint32_t pyramidWord(std::uint32_t index) {
  switch (index) {
    case SLU_PYRAMID_WORD_VALID:
      return SLU_PYRAMID_VALID;
    case SLU_PYRAMID_WORD_WIDTH:
      return kPyramidWidth;
    case SLU_PYRAMID_WORD_HEIGHT:
      return kPyramidHeight;
    case SLU_PYRAMID_WORD_LAYERS:
      return kPyramidLayers;
    case SLU_PYRAMID_WORD_DIRECTION:
      return SLU_DEPTH_FORWARD;
    default:
      return sluFloatBits(static_cast<float>(mix(index) >> 16) / 65536.0f);
  }
}

// A perspective view, in which depths are from 0.1 to 0.7, and an orthographic one. Both look along z.
SluOcclusionBlock occlusionOf(std::uint32_t number) {
  constexpr float kMatrices[kPyramidLayers][16] = {
      {1.25f, 0.0f, 0.0f, 0.0f, 0.0f, 1.5f, 0.0f, 0.0f, 0.125f, 0.0f, 0.5f, 0.5f, 0.0f, 0.0f, 60.0f, 128.0f},
      {1.0f / 96.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f / 128.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f / 256.0f, 0.0f, 0.0f, 0.0f,
       0.5f, 1.0f}};
  SluOcclusionView view{};
  std::copy_n(kMatrices[number], 16, view.viewProjection);
  view.layer = kPyramidLayers - 1 - number;
  view.flags = number == 0 ? SluFlags{SLU_OCCLUSION_FLIPPED_BIT} : 0;
  return sluPrepareOcclusion(view, kPyramidWidth, kPyramidHeight, kPyramidLayers, 0.0f);
}

// The planes are a box around the eye, and the distances are a shell around it.
SluView viewOf(std::uint32_t number) {
  SluView view{};
  view.eye[0] = 10.0f * static_cast<float>(number);
  for (std::uint32_t plane = 0; plane < 6; ++plane) {
    view.planes[plane][plane / 2] = plane % 2 == 0 ? 1.0f : -1.0f;
    view.planes[plane][3] = 70.0f;
  }
  view.minDistance = 8.0f;
  view.maxDistance = 96.0f;
  view.minSizeRatio = 1.0f / 64.0f;
  view.lodDistances[0] = 48.0f;
  return view;
}

// If there are several buckets, the second one holds nothing.
std::vector<SluBucket> bucketsOf(std::uint32_t count, bool hasMeshes) {
  std::vector<SluBucket> buckets(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    buckets[i].capacity = count == 1 ? kCount : i == 1 ? 0 : count >= kMostSortedKeys ? 16 : kCount / 8;
    if (!hasMeshes) buckets[i].draw = {3 * (i + 1), 0, 100 * i, -static_cast<std::int32_t>(i), 5};
  }
  return buckets;
}

}  // namespace

struct SelfTest::Form {
  std::uint32_t stride;  // of the records
  SluFlags outputs;
  std::uint32_t maxRecordCount = kCount;  // that the plan is made for
  SluLiveTest live = SLU_LIVE_NON_EMPTY;  // of the first word
  bool culls = false;
  bool hasVolumes = false;  // spheres that a scale per axis moves
  bool hasMeshes = false;
  bool isPacked =
      false;  // and in stable order the last buckets are cut; outputs have bucket counts, or draws if sparse
  std::uint32_t keyCount = 1;
  std::uint32_t lodCount = 1;
  bool isMerged = false;      // a command per record
  std::uint32_t offset = 0;   // of records and outputs from multiples of 64 bytes
  bool hasStream = false;     // a further one: of the first words of the records, whose copies lie apart
  bool listsRejects = false;  // the part of a plan that does
  bool testsOcclusion = false;

  bool isSparse() const { return isPacked && keyCount * lodCount > SLU_MAX_BUCKETS; }
};

std::vector<SelfTest::Form> SelfTest::formsOf(SluRoute route) {
  constexpr SluFlags kIndices = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  constexpr SluFlags kRecords = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  constexpr SluFlags kDraws = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  constexpr SluFlags kDrawn = SLU_OUTPUT_INDICES_BIT | kDraws;
  constexpr SluFlags kPacked = kDrawn | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  constexpr SluFlags kRejected = kRejectOutputs | SLU_OUTPUT_STATISTICS_BIT;
  constexpr SluFlags kAll = kIndices | kRecords | kDraws | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  std::vector<Form> forms = {
      {.stride = 16, .outputs = kIndices},
      {.stride = 4, .outputs = kRecords},
      {.stride = 8, .outputs = kRecords},
      {.stride = 12, .outputs = kRecords},
      {.stride = 16, .outputs = kRecords},
      {.stride = 32, .outputs = kRecords},
      {.stride = 48, .outputs = kRecords},
      {.stride = 64, .outputs = kRecords},
      {.stride = 4, .outputs = kRecords, .maxRecordCount = kManyRecords},
      {.stride = 8, .outputs = kRecords, .maxRecordCount = kManyRecords},
      {.stride = 16, .outputs = kRecords, .keyCount = kKeys},
      {.stride = 32, .outputs = kAll, .culls = true, .keyCount = kKeys, .lodCount = 2},
      {.stride = 32, .outputs = kAll, .culls = true, .isPacked = true, .keyCount = kKeys, .lodCount = 2},
      {.stride = 16,
       .outputs = kIndices | kDraws,
       .culls = true,
       .hasMeshes = true,
       .isPacked = true,
       .keyCount = kSparseKeys,
       .lodCount = 2},
      {.stride = 16, .outputs = kDrawn, .live = SLU_LIVE_ALWAYS, .culls = true},
      {.stride = 16, .outputs = kDrawn, .live = SLU_LIVE_ALWAYS, .culls = true, .keyCount = kKeys},
      {.stride = 16, .outputs = kRecords, .keyCount = kManyKeys},
      {.stride = 16, .outputs = kRecords, .maxRecordCount = kSomeRecords, .keyCount = kMostSortedKeys},
      {.stride = 4, .outputs = kRecords, .offset = 4},
      {.stride = 16, .outputs = kRecords, .offset = 4},
      {.stride = 4, .outputs = kRecords, .maxRecordCount = kSomeRecords},
      {.stride = 20, .outputs = kRecords},
      {.stride = 4, .outputs = kRecords, .live = SLU_LIVE_MASK_EQUAL},
      {.stride = 16, .outputs = kRecords, .live = SLU_LIVE_MASK_EQUAL},
      {.stride = 16, .outputs = kIndices, .live = SLU_LIVE_MASK_EQUAL, .culls = true, .keyCount = kKeys},
      {.stride = 16, .outputs = kDrawn, .keyCount = kKeys, .isMerged = true},
      {.stride = 16,
       .outputs = kDraws,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .hasMeshes = true,
       .keyCount = kKeys,
       .lodCount = 2,
       .isMerged = true},
      {.stride = 16, .outputs = kIndices, .hasStream = true},
      {.stride = 24, .outputs = kRecords, .keyCount = kKeys, .offset = 4, .hasStream = true},
      {.stride = 16, .outputs = kRejected, .culls = true, .keyCount = kKeys, .listsRejects = true},
      {.stride = 16, .outputs = kIndices, .culls = true, .testsOcclusion = true},
      {.stride = 16, .outputs = kDrawn, .culls = true, .keyCount = kKeys, .testsOcclusion = true},
  };
  // The Vulkan route moves all records of more than 64 bytes alike. What it alone tells apart: stable plans of many
  // records, which it reads again, in units of 4, 8 and 16 bytes; and culling into one bucket that counts the reasons.
  const std::initializer_list<Form> vulkanForms = {
      {.stride = 96, .outputs = kRecords},
      {.stride = 12, .outputs = kRecords, .maxRecordCount = kManyRecords},
      {.stride = 24, .outputs = kRecords, .maxRecordCount = kManyRecords},
      {.stride = 64, .outputs = kRecords, .maxRecordCount = kManyRecords},
      {.stride = 16, .outputs = kDrawn, .maxRecordCount = kManyRecords, .live = SLU_LIVE_ALWAYS, .culls = true},
      {.stride = 16, .outputs = kIndices, .culls = true},
      {.stride = 16, .outputs = kIndices, .maxRecordCount = kManyRecords, .culls = true},
  };
  const std::initializer_list<Form> inlineForms = {
      {.stride = 96, .outputs = kRecords, .maxRecordCount = kSomeRecords},
      {.stride = kLargestStride, .outputs = kRecords, .maxRecordCount = kSomeRecords},
      {.stride = 16, .outputs = kDrawn, .maxRecordCount = kSomeRecords, .live = SLU_LIVE_ALWAYS, .culls = true},
      {.stride = 16,
       .outputs = kDrawn,
       .maxRecordCount = kSomeRecords,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .keyCount = kKeys},
      {.stride = 16, .outputs = kIndices, .culls = true, .hasVolumes = true},
      {.stride = 16, .outputs = kIndices, .culls = true, .hasVolumes = true, .keyCount = kKeys},
      {.stride = 32, .outputs = kRejected, .culls = true, .hasVolumes = true, .listsRejects = true},
      {.stride = 16,
       .outputs = kDrawn,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .hasMeshes = true,
       .keyCount = kKeys,
       .lodCount = 2},
      // Packed buckets, of each kernel that ranks.
      {.stride = 20,
       .outputs = kPacked,
       .maxRecordCount = kSomeRecords,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .isPacked = true,
       .keyCount = kKeys},
      {.stride = 24, .outputs = kPacked, .live = SLU_LIVE_ALWAYS, .culls = true, .isPacked = true, .keyCount = kKeys},
      {.stride = 28, .outputs = kPacked, .culls = true, .hasVolumes = true, .isPacked = true, .keyCount = kKeys},
      {.stride = 16,
       .outputs = kPacked,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .hasMeshes = true,
       .isPacked = true,
       .keyCount = kKeys,
       .lodCount = 2},
      // Candidates of each placement. With several buckets all routes have them.
      {.stride = 20, .outputs = SLU_OUTPUT_INDICES_BIT, .culls = true, .testsOcclusion = true},
      {.stride = 24, .outputs = kPacked, .culls = true, .isPacked = true, .keyCount = kKeys, .testsOcclusion = true},
      {.stride = 28, .outputs = kDrawn, .culls = true, .keyCount = kKeys, .isMerged = true, .testsOcclusion = true},
      // Plans for so many records that stable ones evaluate twice.
      {.stride = 20, .outputs = kIndices, .maxRecordCount = kMostRecords, .culls = true, .keyCount = kKeys},
      {.stride = 24,
       .outputs = kIndices,
       .maxRecordCount = kMostRecords,
       .culls = true,
       .hasVolumes = true,
       .keyCount = kKeys},
      {.stride = 16,
       .outputs = kDrawn,
       .maxRecordCount = kMostRecords,
       .live = SLU_LIVE_ALWAYS,
       .culls = true,
       .hasMeshes = true,
       .keyCount = kKeys,
       .lodCount = 2},
  };
  const auto& more = route == SLU_ROUTE_INLINE ? inlineForms : vulkanForms;
  forms.insert(forms.end(), more.begin(), more.end());
  return forms;
}

PlanLayout SelfTest::layoutOf(const Form& form, SluOrder order, SluRoute route) {
  std::vector<SluBucket> buckets = bucketsOf(form.keyCount * form.lodCount, form.hasMeshes);
  if (form.isMerged) {
    for (SluBucket& bucket : buckets) bucket.capacity = 0;
  }
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = route;
  info.order = order;
  info.recordStride = form.stride;
  info.maxRecordCount = form.maxRecordCount;
  info.framesInFlight = kFramesThatLookBack;  // the most that a plan has
  info.live = {form.live, 0, form.live == SLU_LIVE_NON_EMPTY ? 4u : 0u};
  if (form.live == SLU_LIVE_MASK_EQUAL) {
    info.liveMask = kLiveMask;
    info.liveValue = kLiveValue;
  }
  if (form.culls) {
    info.maxViewCount = 2;
    info.cullFlags = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
    if (form.testsOcclusion) info.cullFlags |= SLU_CULL_OCCLUSION_BIT;
    info.bounds.source = SLU_BOUNDS_PER_RECORD;
    info.bounds.stride = kSphereBytes;
    if (form.hasVolumes) {
      info.bounds.transformFlags = SLU_TRANSFORM_AXIS_SCALE_BIT;
      info.bounds.transformStride = kScaleBytes;
    }
  }
  if (form.hasMeshes) {
    info.meshes.stride = kMeshStride;
    info.meshes.parts = SLU_MESH_LOD_COUNT_BIT;
    info.meshes.elementCountOffset = info.meshes.lodStride = sizeof(std::uint32_t);
  }
  if (form.isPacked) {
    info.placement = SLU_PLACEMENT_PACKED;
    info.capacity = order == SLU_ORDER_STABLE ? kPackedCapacity : kCount;  // what is cut is open if the order is
    for (SluBucket& bucket : buckets) bucket.capacity = 0;
  }
  if (form.isSparse()) {
    buckets.clear();
    info.zeroCommandCount = 3;
  }
  // Of many keys all are taken from the words of the records, whose places they tell.
  info.key = {form.keyCount, 0, form.isSparse() ? 3u : 5u, form.keyCount >= kMostSortedKeys ? 0u : 3u, form.lodCount};
  info.bucketCount = static_cast<std::uint32_t>(buckets.size());
  info.buckets = buckets.data();
  info.outputs = form.outputs;
  const SluStream stream{form.stride / 2, form.stride, form.stride / 2};
  if (form.hasStream) {
    info.streams = &stream;
    info.streamCount = 1;
  }
  if ((form.outputs & SLU_OUTPUT_DRAWS_BIT) != 0) {
    info.draws = {SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT};
  }
  if (form.isMerged) {
    info.placement = SLU_PLACEMENT_MERGED;
    info.draws.flags = 0;
    info.zeroCommandCount = 3;
  }
  // Unordered frames may list any, so that they need room for all.
  if (form.listsRejects && order == SLU_ORDER_STABLE) info.rejects.capacity = kRejectCapacity;
  const PlanLayout layout = checkPlan(info, {sluGetRouteName(route), {}});
  return form.listsRejects ? rejectsLayout(layout) : layout;
}

SelfTest::SelfTest(RecordedRoute& route, SluRoute name) : device_(route.device()), name_(sluGetRouteName(name)) {
  std::uint64_t end = inputBytes();
  for (const Form& form : formsOf(name)) {
    for (const SluOrder order : {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE}) {
      // Shaders keep the order of packed buckets in any case, unless they are sparse.
      if (form.isSparse() && order == SLU_ORDER_STABLE) continue;
      if (form.isPacked && !form.isSparse() && order == SLU_ORDER_UNORDERED && name != SLU_ROUTE_INLINE) continue;
      const PlanLayout layout = layoutOf(form, order, name);
      plans_.push_back(route.createPlan(layout));
      const bool mayLookBack = order == SLU_ORDER_STABLE && layout.bucketCount() == 1;
      const std::uint32_t frameCount = mayLookBack ? kFramesThatLookBack : kFramesPerPlan;
      for (std::uint32_t frame = 0; frame < frameCount; ++frame) {
        trials_.push_back({layout, form.offset, frame, plans_.back().get(), {}});
        end = placeOutputs(trials_.back(), end);
      }
    }
  }
  memory_ = DeviceBuffer(device_, end, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryKind::mapped, "sluice self-test");
  const std::vector<std::uint32_t> words = initialWords();
  std::memcpy(memory_.mapped, words.data(), end);
  buffer_.handle = memory_.buffer.get();
  buffer_.size = memory_.size;
  buffer_.address = route.bindsBuffers() ? 0 : memory_.address;
}

std::uint64_t SelfTest::placeOutputs(Trial& trial, std::uint64_t begin) {
  constexpr std::uint64_t kAlignment = 64;
  const PlanLayout& layout = trial.layout;
  const OutputBytes bytes = outputBytes(layout, layout.maxViewCount);
  const SluStream stream = layout.streams.empty() ? SluStream{} : layout.streams.front();
  const std::uint64_t streamBytes = layout.streams.empty() ? 0 : streamOutputBytes(layout, stream, layout.maxViewCount);
  // In the order of the launches: bits come first, since a launch of their own writes them.
  const Output outputs[] = {
      {&Frame::visible, "visible", 0, visibilityBytes(layout, layout.maxRecordCount, layout.maxViewCount), 0},
      {&Frame::statistics, "statistics", 0, bytes.statistics, 0},
      {&Frame::bucketCounts, "bucketCounts", 0, bytes.bucketCounts, 0},
      {&Frame::drawCounts, "drawCounts", 0, bytes.drawCounts, 0},
      {&Frame::draws, "draws", 0, bytes.draws, layout.emitsCommands() ? layout.draw.stride * 4 : 0},
      {&Frame::indices, "indices", 0, bytes.indices, 4},
      {&Frame::keptRecords, "keptRecords", 0, bytes.keptRecords, layout.recordStride},
      {nullptr, "streams[0].output", 0, streamBytes, stream.outputStride}};
  for (const Output& output : outputs) {
    if (output.bytes == 0) continue;
    begin = (begin + kAlignment - 1) / kAlignment * kAlignment + trial.offset;
    trial.outputs.push_back(output);
    trial.outputs.back().offset = begin;
    begin += output.bytes;
  }
  return begin;
}

// Fills what is there before the frames. Statistics begin with zeros, since overflow is or-ed to them.
std::vector<std::uint32_t> SelfTest::initialWords() const {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(memory_.size / 4), kPoison);
  for (std::uint32_t i = 0; i < kSpheresOffset / 4; ++i) words[i] = recordWord(i);
  for (std::uint32_t i = 0; i < kCount * 4; ++i) {
    const float word = sphereWord(i);
    std::memcpy(&words[kSpheresOffset / 4 + i], &word, sizeof(word));
  }
  for (std::uint32_t i = 0; i < kCount * 4; ++i) {
    const float word = scaleWord(i);
    std::memcpy(&words[kScalesOffset / 4 + i], &word, sizeof(word));
  }
  for (std::uint32_t i = 0; i < pyramidWords(); ++i) words[kPyramidOffset / 4 + i] = pyramidWord(i);
  for (const Trial& trial : trials_) {
    for (const Output& output : trial.outputs) {
      if (output.binding == &Frame::statistics) std::memset(&words[output.offset / 4], 0, output.bytes);
    }
  }
  return words;
}

// address is where the route finds the memory, or a copy of it.
Frame SelfTest::frameOf(const Trial& trial, std::uint64_t address) const {
  const auto bind = [&](std::uint64_t offset) { return Binding{&buffer_, offset, address + offset, 0}; };
  const std::uint32_t first = trial.frame * kRecordsBetweenFrames;
  Frame frame;
  frame.recordCount = kCount - first;
  frame.viewCount = trial.layout.maxViewCount;
  for (std::uint32_t i = 0; i < frame.viewCount; ++i) {
    frame.views[i] = sluPrepareView(viewOf(i), trial.layout.key.lodCount);
  }
  if (trial.layout.readsRecords())
    frame.records = bind(trial.offset + std::uint64_t{first} * trial.layout.recordStride);
  if (trial.layout.readsBounds()) frame.bounds = bind(kSpheresOffset + std::uint64_t{first} * kSphereBytes);
  if (trial.layout.readsTransforms()) frame.transforms = bind(kScalesOffset + std::uint64_t{first} * kScaleBytes);
  if (trial.layout.hasMeshes()) {
    frame.meshes = bind(0);
    frame.meshCount = trial.layout.key.keyCount;
  }
  if (trial.layout.testsOcclusion()) {
    constexpr SluOcclusionPhase kPhases[kFramesThatLookBack] = {SLU_OCCLUSION_SECOND, SLU_OCCLUSION_SINGLE,
                                                                SLU_OCCLUSION_FIRST};
    frame.occlusionPhase = static_cast<std::uint32_t>(kPhases[trial.frame]);
    for (std::uint32_t i = 0; i < frame.viewCount; ++i) frame.occlusion[i] = occlusionOf(i);
    frame.pyramid = bind(kPyramidOffset);
    if (kPhases[trial.frame] != SLU_OCCLUSION_SINGLE) frame.lastVisible = bind(0);  // words of the records
  }
  if (!trial.layout.streams.empty()) frame.streams[0].input = frame.records;
  for (const Output& output : trial.outputs) {
    Binding& binding = output.binding == nullptr ? frame.streams[0].output : frame.*output.binding;
    binding = bind(output.offset);
  }
  return frame;
}

void SelfTest::record(VkCommandBuffer commands) {
  for (const Trial& trial : trials_) trial.plan->run(frameOf(trial, buffer_.address), commands);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  device_.functions.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                                         1, &barrier, 0, nullptr, 0, nullptr);
}

// Elements behind a bucket's kept ones stay what they were.
void SelfTest::check() const {
  std::vector<std::uint32_t> expected = initialWords();
  const std::unique_ptr<Route> reference = makeCpuRoute();
  for (const Trial& trial : trials_) {
    reference->createPlan(trial.layout)
        ->run(frameOf(trial, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(expected.data()))), nullptr);
    for (const Output& output : trial.outputs) compare(trial, output, expected);
  }
}

void SelfTest::compare(const Trial& trial, const Output& output, const std::vector<std::uint32_t>& expected) const {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(output.bytes / 4));
  std::vector<std::uint32_t> expectedWords(words.size());
  std::memcpy(words.data(), static_cast<const std::uint8_t*>(memory_.mapped) + output.offset, output.bytes);
  std::memcpy(expectedWords.data(), &expected[output.offset / 4], output.bytes);
  if (trial.layout.order == SLU_ORDER_UNORDERED && output.unitBytes != 0) {
    const std::vector<Places> buckets = placesOf(trial, expected);
    sortBuckets(buckets, output, words);
    sortBuckets(buckets, output, expectedWords);
  }
  const auto [wrong, right] = std::mismatch(words.begin(), words.end(), expectedWords.begin());
  if (wrong == words.end()) return;
  failAt(trial, std::string(output.name) + ": word " + std::to_string(wrong - words.begin()) + " is " +
                    std::to_string(*wrong) + ", must be " + std::to_string(*right));
}

// The buckets of all views. Packed ones lie where the counts of those before them end, sparse ones where their draws say.
std::vector<SelfTest::Places> SelfTest::placesOf(const Trial& trial, const std::vector<std::uint32_t>& expected) {
  const PlanLayout& layout = trial.layout;
  const auto wordsOf = [&](Binding Frame::*binding) {
    return &expected[std::ranges::find(trial.outputs, binding, &Output::binding)->offset / 4];
  };
  std::vector<Places> buckets;
  for (std::uint32_t view = 0; view < layout.maxViewCount; ++view) {
    std::size_t next = std::size_t{view} * layout.outputsPerView;
    if (layout.isSparse()) {
      const std::size_t commandWords = layout.draw.stride;
      const std::uint32_t* command = wordsOf(&Frame::draws) + view * layout.commandsPerView() * commandWords;
      for (std::uint32_t i = 0; i < wordsOf(&Frame::drawCounts)[view]; ++i, command += commandWords) {
        buckets.push_back({command[layout.draw.firstWord], command[layout.draw.countWord]});
      }
      continue;
    }
    for (std::uint32_t i = 0; i < layout.bucketCount(); ++i) {
      const BucketBlock& bucket = layout.buckets[i];
      if (layout.isPacked()) {
        const std::size_t kept = wordsOf(&Frame::bucketCounts)[2 * (view * layout.bucketCount() + i) + 1];
        buckets.push_back({next, kept});
        next += kept;
      } else {
        buckets.push_back({next + bucket.firstOutput, bucket.capacity});
      }
    }
  }
  return buckets;
}

void SelfTest::sortBuckets(const std::vector<Places>& buckets, const Output& output,
                           std::vector<std::uint32_t>& words) {
  const std::size_t unitWords = output.unitBytes / 4;
  const std::vector<std::uint32_t> unsorted = words;
  for (const Places& bucket : buckets) {
    const std::size_t first = bucket.first * unitWords;
    std::vector<const std::uint32_t*> units(bucket.count);
    for (std::size_t unit = 0; unit < units.size(); ++unit) units[unit] = &unsorted[first + unit * unitWords];
    std::sort(units.begin(), units.end(), [&](const std::uint32_t* a, const std::uint32_t* b) {
      return std::lexicographical_compare(a, a + unitWords, b, b + unitWords);
    });
    std::uint32_t* place = words.data() + first;
    for (const std::uint32_t* unit : units) place = std::copy_n(unit, unitWords, place);
  }
}

void SelfTest::failAt(const Trial& trial, const std::string& what) const {
  constexpr const char* kFrames[kFramesThatLookBack] = {": ", ", second frame: ", ", third frame: "};
  const PlanLayout& layout = trial.layout;
  fail(SLU_ERROR_DRIVER, "the self-test of the ", name_, " route, ",
       layout.order == SLU_ORDER_STABLE ? "stable, " : "unordered, ",
       layout.live.test == SLU_LIVE_MASK_EQUAL ? "by a mask, " : "", layout.cullFlags != 0 ? "culling, " : "",
       layout.testsOcclusion() ? "occlusion, " : "", layout.streams.empty() ? "" : "with a further stream, ",
       layout.listsRejects() ? "rejects, " : "", (layout.outputs & SLU_OUTPUT_INDICES_BIT) != 0 ? "indices of " : "",
       "up to ", layout.maxRecordCount, " records of ", layout.recordStride, " bytes",
       trial.offset != 0 ? ", not aligned," : "", " into ",
       layout.isSparse() ? layout.ownBucketCount() : layout.bucketCount(), layout.isPacked() ? " packed" : "",
       layout.bucketCount() == 1 && !layout.isSparse() ? " bucket" : " buckets", kFrames[trial.frame], what);
}

}  // namespace slu
