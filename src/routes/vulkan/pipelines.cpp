#include "routes/vulkan/pipelines.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "compact_atomic64.h"
#include "compact_bound.h"
#include "compact_bound_dispatches.h"
#include "compact_bound_dispatches_emulated.h"
#include "compact_bound_emulated.h"
#include "compact_dispatches.h"
#include "compact_dispatches_emulated.h"
#include "compact_emulated.h"
#include "compact_native.h"
#include "count_bound.h"
#include "count_bound_emulated.h"
#include "count_emulated.h"
#include "count_native.h"
#include "emit_bound.h"
#include "emit_bound_emulated.h"
#include "emit_emulated.h"
#include "emit_native.h"
#include "ordered_bound.h"
#include "ordered_bound_emulated.h"
#include "ordered_emulated.h"
#include "ordered_native.h"
#include "persistent_bound.h"
#include "persistent_bound_emulated.h"
#include "persistent_emulated.h"
#include "persistent_native.h"
#include "plan/frame_block.h"
#include "publish_bound.h"
#include "publish_bound_emulated.h"
#include "publish_emulated.h"
#include "publish_native.h"
#include "routes/vulkan/packed_spirv.h"
#include "routes/vulkan/rounding.h"
#include "scan_bound.h"
#include "scan_bound_emulated.h"
#include "scan_emulated.h"
#include "scan_native.h"
#include "sorted_bound.h"
#include "sorted_bound_dispatches.h"
#include "sorted_bound_dispatches_emulated.h"
#include "sorted_bound_emulated.h"
#include "sorted_dispatches.h"
#include "sorted_dispatches_emulated.h"
#include "sorted_emulated.h"
#include "sorted_native.h"

namespace slu {
namespace {

constexpr std::uint32_t kConstantCount = sizeof(KernelConstants) / sizeof(std::uint32_t);

// A kernel with the device's subgroups and with emulated ones.
struct Variant {
  PackedSpirv native;
  PackedSpirv emulated;
};

struct KernelSource {
  const char* name;
  Variant byAddress;
  Variant bound;
  PackedSpirv atomic64 = {};  // with 64-bit atomics; empty if the kernel has no use for them
  Variant dispatches = {};    // as one of several dispatches; empty if that is all that it can be
  Variant boundDispatches = {};

  const PackedSpirv& moduleFor(const Device& device, bool bindsBuffers) const {
    const bool isOneOfSeveral = device.severalDispatches && dispatches.native.wordCount != 0;
    if (device.hasAtomicInt64 && device.emulatedSubgroupSize == 0 && !bindsBuffers && !isOneOfSeveral &&
        atomic64.wordCount != 0) {
      return atomic64;
    }
    const Variant& reached = bindsBuffers ? bound : byAddress;
    const Variant& reachedByOne = bindsBuffers ? boundDispatches : dispatches;
    const Variant& variant = isOneOfSeveral ? reachedByOne : reached;
    return device.emulatedSubgroupSize != 0 ? variant.emulated : variant.native;
  }
};

const std::array<KernelSource, kKernelCount> kSources = {{
    {"sluice compact",
     {compact_native, compact_emulated},
     {compact_bound, compact_bound_emulated},
     compact_atomic64,
     {compact_dispatches, compact_dispatches_emulated},
     {compact_bound_dispatches, compact_bound_dispatches_emulated}},
    {"sluice ordered", {ordered_native, ordered_emulated}, {ordered_bound, ordered_bound_emulated}},
    {"sluice persistent", {persistent_native, persistent_emulated}, {persistent_bound, persistent_bound_emulated}},
    {"sluice sorted",
     {sorted_native, sorted_emulated},
     {sorted_bound, sorted_bound_emulated},
     {},
     {sorted_dispatches, sorted_dispatches_emulated},
     {sorted_bound_dispatches, sorted_bound_dispatches_emulated}},
    {"sluice count", {count_native, count_emulated}, {count_bound, count_bound_emulated}},
    {"sluice scan", {scan_native, scan_emulated}, {scan_bound, scan_bound_emulated}},
    {"sluice publish", {publish_native, publish_emulated}, {publish_bound, publish_bound_emulated}},
    {"sluice emit", {emit_native, emit_emulated}, {emit_bound, emit_bound_emulated}},
}};

// Wider records fill sectors of memory by themselves: on an H200 2^19 of 32 bytes into 4 and 64 buckets take 13.3 and 14.0
// us when they are sorted, of 64 bytes 25.2 and 25.7, and one by one 11.2 and 13.1, 15.1 and 15.7; of 16 bytes 8.9 and 9.6,
// and one by one 9.9 and 12.7.
constexpr std::uint32_t kSortedStride = 16;

// Shared memory of shaders/movers/sorted.glsl: the records, two words per bucket, the counts of shaders/steps/rank.glsl, and what takes
// no array.
std::uint32_t sortedSharedBytes(const PlanLayout& layout, std::uint32_t rows) {
  return SLU_WORKGROUP * rows * kSortedStride + 8 * std::bit_ceil(layout.bucketCount()) + 4 * SLU_MAX_SUBGROUPS + 1024;
}

// Rows of the tiles that are sorted by bucket: eight 16-byte loads in flight per invocation, or four where shared memory
// has no room for more; 0 for plans that do not sort.
std::uint32_t sortedRows(const PlanLayout& layout, const Device& device) {
  const bool isCounted = layout.bucketCount() <= 1u << SLU_COUNTED_BITS;
  if (!isCounted || layout.recordStride != kSortedStride || layout.order == SLU_ORDER_STABLE) return 0;
  for (const std::uint32_t rows : {8u, 4u}) {
    if (sluSorts(layout.movesRecords(), layout.bucketCount(), layout.maxRecordCount, SLU_SORTED_BY_SHADERS_FROM,
                 sortedSharedBytes(layout, rows), device.limits.maxComputeSharedMemorySize)) {
      return rows;
    }
  }
  return 0;
}

std::uint32_t moves(const PlanLayout& layout, const Device& device) {
  if (sortedRows(layout, device) != 0) return SLU_MOVES_SORTED;
  if (!layout.movesRecordsAlone()) return SLU_MOVES_NONE;
  if (layout.recordStride <= 8) return SLU_MOVES_NARROW;
  return layout.recordStride <= 64 ? SLU_MOVES_WIDE : SLU_MOVES_NONE;
}

// Consecutive records that one invocation tests at once, so that narrow streams are read in 16-byte loads. Culling has
// enough loads in flight without; a bucketed tile is kept small, since it needs shared memory for more.
std::uint32_t groupSize(const PlanLayout& layout, std::uint32_t way) {
  if (way == SLU_MOVES_NARROW) return 16 / layout.recordStride;
  if (layout.bucketCount() > 1 || layout.cullFlags != 0 || layout.key.lodCount > 1) return 1;
  if (layout.readsFlags()) return 4;
  return layout.live.test != SLU_LIVE_ALWAYS && layout.recordStride == 4 ? 4 : 1;
}

// In frames that fill the GPU narrow records take tiles of twice the length, where these fit into shared memory; those of
// 8 bytes not on a queue that draws.
constexpr std::uint32_t kLongTilesFrom = 1u << 19;  // records
constexpr std::uint32_t kLongTileSharedBytes = 20 * 1024;

// Rows of a tile, so that an invocation keeps two or four 16-byte loads in flight when records are moved.
std::uint32_t rowCount(const PlanLayout& layout, const Device& device, std::uint32_t way) {
  if (way == SLU_MOVES_SORTED) return sortedRows(layout, device);
  if (way == SLU_MOVES_WIDE) return std::min(64 / layout.recordStride, 4u);
  if (way == SLU_MOVES_NONE) return groupSize(layout, way) == 4 ? 2 : 4;
  if (layout.recordStride == 8 && (device.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0) return 2;
  const bool fits = device.limits.maxComputeSharedMemorySize >= kLongTileSharedBytes;
  return layout.maxRecordCount >= kLongTilesFrom && fits ? 4 : 2;
}

void setMoves(KernelConstants& constants, const PlanLayout& layout, const Device& device, std::uint32_t way) {
  constants.moves = way;
  constants.group = groupSize(layout, way);
  constants.rows = rowCount(layout, device, way);
}

// A workgroup of the persistent kernel has two tiles under way, and what it keeps in shared memory decides how many of them
// a GPU runs at a time. Of words it keeps the survivors of one tile, in short tiles, and the next tile in registers. Other
// records are listed: those that a test of one word decides in long tiles, up to so many bytes. On an H200 256 MiB with 10, 50 and 100 % kept take 106, 159 and 195 us for 16
// bytes in long tiles and 115, 170 and 209 in short ones, for 64 bytes 88, 143 and 208 and 84, 136 and 200.
constexpr std::uint32_t kLongListStride = 48;
constexpr std::uint32_t kLongListSharedBytes = 20 * 1024;

void setPersistent(KernelConstants& constants, const PlanLayout& layout, const Device& device) {
  constants.lists = 2;
  if (constants.moves == SLU_MOVES_NARROW && layout.recordStride == 4) {
    constants.rows = 2;
    return;
  }
  setMoves(constants, layout, device, SLU_MOVES_NONE);
  const bool fits = device.limits.maxComputeSharedMemorySize >= kLongListSharedBytes;
  const bool isTestedAlone = !layout.needsViews() && !layout.isKeyed();
  if (constants.group == 4) {
    if (!fits) constants.rows = 1;
  } else if (fits && isTestedAlone && layout.recordStride <= kLongListStride) {
    constants.group = 2;
  }
}

// Of a single bucket whose tiles are counted first and emitted later: in frames that fill the GPU, long tiles, so that an
// invocation has more loads in flight.
void setCounted(KernelConstants& constants, const PlanLayout& layout, const Device& device) {
  setMoves(constants, layout, device, SLU_MOVES_NONE);
  const bool isTestedAlone = !layout.needsViews() && !layout.isKeyed();
  if (constants.group == 1 && isTestedAlone && layout.maxRecordCount >= kLongTilesFrom) constants.group = 2;
}

// The constants with those that the kernel does not read set to one value, so that plans share its pipeline.
KernelConstants usedConstants(Kernel kernel, KernelConstants constants) {
  constexpr std::uint32_t kEmitted = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT;
  KernelConstants few{};
  few.recordWords = 1;
  few.lodCount = 1;
  few.group = 1;
  few.rows = 4;
  few.stable = 1;
  few.lists = 1;
  few.subgroupSize = constants.subgroupSize;
  switch (kernel) {
    case Kernel::count:
      constants.outputs &= SLU_OUTPUT_STATISTICS_BIT;
      return constants;
    case Kernel::scan:
      return few;
    case Kernel::publish:
      few.outputs = constants.outputs & ~kEmitted;
      return few;
    case Kernel::emit:
      constants.outputs &= kEmitted;
      constants.liveTest = SLU_LIVE_ALWAYS;
      constants.flagTest = SLU_LIVE_ALWAYS;
      constants.cullFlags = 0;
      if (constants.lodCount > 1) return constants;
      constants.sphereSource = SLU_SPHERE_NONE;
      constants.transformFlags = 0;
      return constants;
    default:
      return constants;
  }
}

OwnedDescriptorSetLayout makeSetLayout(const Device& device, std::span<const VkDescriptorType> types,
                                       VkDescriptorSetLayoutCreateFlags flags = 0) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const VkDescriptorType type : types) {
    bindings.push_back({static_cast<std::uint32_t>(bindings.size()), type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.flags = flags;
  info.bindingCount = static_cast<std::uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  OwnedDescriptorSetLayout layout(device);
  layout.create(device.functions.vkCreateDescriptorSetLayout, info, "vkCreateDescriptorSetLayout");
  return layout;
}

}  // namespace

std::uint32_t KernelConstants::tileRecords() const { return SLU_WORKGROUP * group * rows; }

bool readsView(Kernel kernel, const KernelConstants& constants) {
  const KernelConstants used = usedConstants(kernel, constants);
  return SLU_NEEDS_VIEW(used.cullFlags, used.lodCount);
}

Kernel compactKernel(const KernelConstants& constants) {
  if (constants.patience != 0) return constants.lists == 2 ? Kernel::persistent : Kernel::ordered;
  if (constants.stable != 0) return Kernel::emit;
  return constants.moves == SLU_MOVES_SORTED ? Kernel::sorted : Kernel::compact;
}

KernelConstants kernelConstants(const PlanLayout& layout, const Device& device, const StableLimits& limits) {
  KernelConstants constants{};
  constants.recordWords = layout.recordStride / 4;
  constants.liveTest = static_cast<std::uint32_t>(layout.live.test);
  constants.flagTest = static_cast<std::uint32_t>(layout.flagTest);
  constants.cullFlags = layout.cullFlags;
  constants.sphereSource = static_cast<std::uint32_t>(layout.bounds.source);
  constants.transformFlags = layout.bounds.transformFlags;
  constants.keyed = layout.isKeyed() ? 1 : 0;
  constants.lodCount = layout.key.lodCount;
  constants.outputs = layout.outputs;
  constants.bucketBits = static_cast<std::uint32_t>(std::bit_width(layout.bucketCount() - 1));
  constants.stable = layout.order == SLU_ORDER_STABLE ? 1 : 0;
  constants.subgroupSize = device.emulatedSubgroupSize;
  constants.aligned = 1;
  constants.lists = 1;
  setMoves(constants, layout, device, moves(layout, device));
  if (constants.stable == 0 || constants.bucketBits != 0) return constants;
  if (device.severalDispatches) {
    setCounted(constants, layout, device);
    return constants;
  }
  constants.patience = device.isCpu ? std::min(limits.patience, SLU_CPU_PATIENCE) : limits.patience;
  const std::uint32_t mostTiles = std::min(limits.lookBackTiles, device.limits.maxComputeWorkGroupCount[0]);
  if (divideUp(layout.maxRecordCount, constants.tileRecords()) > mostTiles) setPersistent(constants, layout, device);
  return constants;
}

Pipelines::Pipelines(const Device& device, bool bindsBuffers, const StableLimits& limits)
    : device_(device),
      bindsBuffers_(bindsBuffers),
      limits_(limits),
      planSetLayout_(makeSetLayout(device, std::span(&kPlanBinding, 1))),
      frameSetLayout_(makeSetLayout(device, kFrameBindings)) {
  if (bindsBuffers) return;
  layout({});
  for (std::uint32_t kernel = 0; kernel < kKernelCount; ++kernel) {
    modules_[kernel] = makeModule(static_cast<Kernel>(kernel), {});
  }
}

OwnedShaderModule Pipelines::makeModule(Kernel kernel, const BindingMap& map) const {
  const KernelSource& source = kSources[static_cast<std::uint32_t>(kernel)];
  std::vector<std::uint32_t> code = unpack(source.moduleFor(device_, bindsBuffers_));
  if (bindsBuffers_) code = rebind(code, map);
  if (device_.roundsOnRequest) code = roundToNearest(code);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = code.size() * sizeof(std::uint32_t);
  info.pCode = code.data();
  OwnedShaderModule module(device_);
  module.create(device_.functions.vkCreateShaderModule, info, "vkCreateShaderModule");
  device_.setName(module.get(), VK_OBJECT_TYPE_SHADER_MODULE, source.name);
  return module;
}

VkDescriptorSetLayout Pipelines::bufferSetLayout(const BindingMap& map) {
  OwnedDescriptorSetLayout& layout = bufferSetLayouts_[map.slotCount];
  if (layout.get() == VK_NULL_HANDLE) {
    const std::vector<VkDescriptorType> types(map.slotCount, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    layout = makeSetLayout(device_, types,
                           device_.pushesDescriptors ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0);
  }
  return layout.get();
}

VkPipelineLayout Pipelines::layout(const BindingMap& map) {
  OwnedPipelineLayout& layout = layouts_[map.slotCount];
  if (layout.get() != VK_NULL_HANDLE) return layout.get();
  std::vector<VkDescriptorSetLayout> setLayouts = {planSetLayout_.get(), frameSetLayout_.get()};
  if (bindsBuffers_) setLayouts.push_back(bufferSetLayout(map));
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<std::uint32_t>(setLayouts.size());
  info.pSetLayouts = setLayouts.data();
  layout = OwnedPipelineLayout(device_);
  layout.create(device_.functions.vkCreatePipelineLayout, info, "vkCreatePipelineLayout");
  return layout.get();
}

VkPipeline Pipelines::get(Kernel kernel, const KernelConstants& planConstants, const BindingMap& map) {
  const KernelConstants constants = usedConstants(kernel, planConstants);
  const auto [place, isNew] = pipelines_.try_emplace({kernel, constants, map}, device_);
  OwnedPipeline& pipeline = place->second;
  if (!isNew && pipeline.get() != VK_NULL_HANDLE) return pipeline.get();

  const OwnedShaderModule ownModule = bindsBuffers_ ? makeModule(kernel, map) : OwnedShaderModule();
  const OwnedShaderModule& module = bindsBuffers_ ? ownModule : modules_[static_cast<std::uint32_t>(kernel)];
  const auto values = std::bit_cast<std::array<std::uint32_t, kConstantCount>>(constants);
  std::array<VkSpecializationMapEntry, kConstantCount> entries{};
  for (std::uint32_t i = 0; i < kConstantCount; ++i) entries[i] = {i, i * 4, 4};
  VkSpecializationInfo specialization{};
  specialization.mapEntryCount = kConstantCount;
  specialization.pMapEntries = entries.data();
  specialization.dataSize = sizeof(values);
  specialization.pData = values.data();

  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  if (readsView(kernel, constants)) info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module.get();
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout(map);
  pipeline.take(device_.functions.vkCreateComputePipelines(device_.handle, device_.pipelineCache, 1, &info,
                                                           device_.callbacks(), pipeline.put()),
                "vkCreateComputePipelines");
  device_.setName(pipeline.get(), VK_OBJECT_TYPE_PIPELINE, kSources[static_cast<std::uint32_t>(kernel)].name);
  return pipeline.get();
}

}  // namespace slu
