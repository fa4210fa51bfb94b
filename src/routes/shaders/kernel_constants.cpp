#include "routes/shaders/kernel_constants.h"

#include <algorithm>
#include <bit>

#include "plan/frame_block.h"
#include "shaders/shared/frame.h"

namespace slu {
namespace {

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
std::uint32_t sortedRows(const PlanLayout& layout, const ShaderTarget& target) {
  const bool isCounted = layout.bucketCount() <= 1u << SLU_COUNTED_BITS;
  if (!isCounted || layout.recordStride != kSortedStride || layout.keepsOrderInShaders()) return 0;
  for (const std::uint32_t rows : {8u, 4u}) {
    if (sluSorts(layout.movesRecords(), layout.bucketCount(), layout.maxRecordCount, SLU_SORTED_BY_SHADERS_FROM,
                 sortedSharedBytes(layout, rows), target.sharedBytes)) {
      return rows;
    }
  }
  return 0;
}

std::uint32_t moves(const PlanLayout& layout, const ShaderTarget& target) {
  if (sortedRows(layout, target) != 0) return SLU_MOVES_SORTED;
  if (!layout.movesRecordsAlone()) return SLU_MOVES_NONE;
  if (layout.recordStride <= 8) return SLU_MOVES_NARROW;
  return layout.recordStride <= 64 ? SLU_MOVES_WIDE : SLU_MOVES_NONE;
}

// Consecutive records that one invocation tests at once, so that narrow streams are read in 16-byte loads. Culling has
// enough loads in flight without; a bucketed tile is kept small, since it needs shared memory for more.
std::uint32_t groupSize(const PlanLayout& layout, std::uint32_t way) {
  if (way == SLU_MOVES_NARROW) return 16 / layout.recordStride;
  if (layout.bucketCount() > 1 || layout.needsViews()) return 1;
  if (layout.readsFlags()) return 4;
  return layout.live.test != SLU_LIVE_ALWAYS && layout.recordStride == 4 ? 4 : 1;
}

// In frames that fill the GPU narrow records take tiles of twice the length, where these fit into shared memory; those of
// 8 bytes not on a queue that draws.
constexpr std::uint32_t kLongTilesFrom = 1u << 19;  // records
constexpr std::uint32_t kLongTileSharedBytes = 20 * 1024;

// Rows of a tile, so that an invocation keeps two or four 16-byte loads in flight when records are moved.
std::uint32_t rowCount(const PlanLayout& layout, const ShaderTarget& target, std::uint32_t way) {
  if (way == SLU_MOVES_SORTED) return sortedRows(layout, target);
  if (way == SLU_MOVES_WIDE) return std::min(64 / layout.recordStride, 4u);
  if (way == SLU_MOVES_NONE) return groupSize(layout, way) == 4 ? 2 : 4;
  if (layout.recordStride == 8 && target.draws) return 2;
  const bool fits = target.sharedBytes >= kLongTileSharedBytes;
  return layout.maxRecordCount >= kLongTilesFrom && fits ? 4 : 2;
}

void setMoves(KernelConstants& constants, const PlanLayout& layout, const ShaderTarget& target, std::uint32_t way) {
  constants.moves = way;
  constants.group = groupSize(layout, way);
  constants.rows = rowCount(layout, target, way);
}

// A workgroup of the persistent kernel has two tiles under way, and what it keeps in shared memory decides how many of
// them a GPU runs at a time. Of words it keeps the survivors of one tile, in short tiles, and the next tile in
// registers. Other records are listed: those that a test of one word decides in long tiles, up to so many bytes. On an
// H200 256 MiB with 10, 50 and 100 % kept take 106, 159 and 195 us for 16 bytes in long tiles and 115, 170 and 209 in
// short ones, for 64 bytes 88, 143 and 208 and 84, 136 and 200.
constexpr std::uint32_t kLongListStride = 48;
constexpr std::uint32_t kLongListSharedBytes = 20 * 1024;

void setPersistent(KernelConstants& constants, const PlanLayout& layout, const ShaderTarget& target) {
  constants.lists = 2;
  if (constants.moves == SLU_MOVES_NARROW && layout.recordStride == 4) {
    constants.rows = 2;
    return;
  }
  setMoves(constants, layout, target, SLU_MOVES_NONE);
  const bool fits = target.sharedBytes >= kLongListSharedBytes;
  const bool isTestedAlone = !layout.needsViews() && !layout.isKeyed();
  if (constants.group == 4) {
    if (!fits) constants.rows = 1;
  } else if (fits && isTestedAlone && layout.recordStride <= kLongListStride) {
    constants.group = 2;
  }
}

// Of a single bucket whose tiles are counted first and emitted later: in frames that fill the GPU, long tiles, so that an
// invocation has more loads in flight.
void setCounted(KernelConstants& constants, const PlanLayout& layout, const ShaderTarget& target) {
  setMoves(constants, layout, target, SLU_MOVES_NONE);
  const bool isTestedAlone = !layout.needsViews() && !layout.isKeyed();
  if (constants.group == 1 && isTestedAlone && layout.maxRecordCount >= kLongTilesFrom) constants.group = 2;
}

}  // namespace

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
    case Kernel::countViews:
      constants.outputs &= SLU_OUTPUT_STATISTICS_BIT;
      constants.merged = 0;
      return constants;
    case Kernel::sparseRank:
      constants.outputs &= SLU_OUTPUT_STATISTICS_BIT;
      return constants;
    case Kernel::scan:
    case Kernel::sparseSums:
      return few;
    case Kernel::sparsePlaces:
      few.outputs = constants.outputs & SLU_OUTPUT_DRAWS_BIT;
      few.scene = constants.scene & SLU_SCENE_MESHES;
      return few;
    case Kernel::sparseEmit:
      few.recordWords = constants.recordWords;
      few.group = constants.group;
      few.rows = constants.rows;
      few.outputs = constants.outputs & kEmitted;
      few.bucketBits = 1;  // records of several buckets have no places in a row
      return few;
    case Kernel::gather:
      few.recordWords = constants.recordWords;
      return few;
    case Kernel::findVisible:
      few.recordWords = constants.recordWords;
      few.cullFlags = SLU_CULL_OCCLUSION_BIT;
      few.boundsSource = constants.boundsSource;
      few.boundsShape = constants.boundsShape;
      few.transformFlags = constants.transformFlags;
      few.matrixForm = constants.matrixForm;
      few.scene = constants.scene & (SLU_SCENE_INDEXED_BOUNDS | SLU_SCENE_INDEXED_TRANSFORMS);
      if (constants.boundsSource == SLU_BOUNDS_PER_KEY) {
        few.keyed = constants.keyed;
        few.scene |= constants.scene & SLU_SCENE_MESHES;
      }
      return few;
    case Kernel::publish:
    case Kernel::sparsePublish:
      few.outputs = constants.outputs & ~kEmitted;
      few.scene = constants.scene & (SLU_SCENE_MESHES | SLU_SCENE_LAYERS | SLU_SCENE_OCCLUSION | SLU_SCENE_CONES);
      few.merged = constants.merged;
      few.rejectReasons = constants.rejectReasons != 0 ? 1 : 0;
      return few;
    case Kernel::emit: {
      // Commands are written by the meshes' numbers, of meshes that the frame has.
      const bool emitsCommands = constants.merged != 0 && (constants.outputs & SLU_OUTPUT_DRAWS_BIT) != 0;
      const std::uint32_t meshes = emitsCommands ? constants.scene & SLU_SCENE_MESHES : 0;
      constants.outputs &= emitsCommands ? kEmitted | SLU_OUTPUT_DRAWS_BIT : kEmitted;
      constants.merged = emitsCommands ? 1 : 0;
      constants.liveTest = SLU_LIVE_ALWAYS;
      constants.flagTest = SLU_LIVE_ALWAYS;
      constants.cullFlags = 0;
      constants.scene &= ~(SLU_SCENE_LAYERS | SLU_SCENE_OCCLUSION | SLU_SCENE_CONES | SLU_SCENE_FIXED_FRONT);
      if (constants.rejectReasons != 0) {  // ballots say all of a list of rejects
        constants.rejectReasons = 0;
        constants.keyed = 0;
        constants.lodCount = 1;
        constants.scene = 0;
      }
      if (constants.lodCount > 1) return constants;
      constants.boundsSource = SLU_BOUNDS_NONE;
      constants.boundsShape = SLU_SHAPE_SPHERE;
      if ((constants.scene & SLU_SCENE_MIRRORS) != 0) {  // keys are computed again, and what mirrors
        constants.scene &= SLU_SCENE_MIRRORS | SLU_SCENE_INDEXED_BOUNDS | SLU_SCENE_INDEXED_TRANSFORMS | meshes;
        return constants;
      }
      constants.transformFlags = 0;
      constants.matrixForm = SLU_MATRIX_ROWS;
      constants.scene = meshes;  // keys alone are computed again
      return constants;
    }
    default:
      return constants;
  }
}

bool asksPredicate(Kernel kernel, bool computesKey) {
  switch (kernel) {
    case Kernel::emit:
    case Kernel::findVisible:
      return computesKey;
    case Kernel::scan:
    case Kernel::publish:
    case Kernel::gather:
    case Kernel::sparseSums:
    case Kernel::sparsePublish:
    case Kernel::sparsePlaces:
    case Kernel::sparseEmit:
      return false;
    default:
      return true;
  }
}

std::uint32_t KernelConstants::tileRecords() const { return SLU_WORKGROUP * group * rows; }

bool readsView(Kernel kernel, const KernelConstants& constants) {
  const KernelConstants used = usedConstants(kernel, constants);
  if (kernel == Kernel::countViews) return false;  // it is for all of them
  const bool publishes = kernel == Kernel::publish || kernel == Kernel::sparsePublish;
  const bool testsLayers = (used.scene & SLU_SCENE_LAYERS) != 0 && !publishes;
  return SLU_NEEDS_BOUNDS(used.cullFlags, used.lodCount) || testsLayers;
}

KernelConstants streamConstants(KernelConstants constants, const SluStream& stream) {
  constants.recordWords = stream.elementSize / 4;
  return constants;
}

Kernel compactKernel(const KernelConstants& constants) {
  if (constants.patience != 0) return constants.lists == 2 ? Kernel::persistent : Kernel::ordered;
  if (constants.stable != 0) return Kernel::emit;
  return constants.moves == SLU_MOVES_SORTED ? Kernel::sorted : Kernel::compact;
}

Kernel compactKernel(const PlanLayout& layout, const KernelConstants& constants) {
  return layout.isSparse() ? Kernel::sparseEmit : compactKernel(constants);
}

namespace {

// But for how records are moved and tiles are divided.
KernelConstants plainConstants(const PlanLayout& layout, const ShaderTarget& target) {
  KernelConstants constants{};
  constants.recordWords = layout.recordStride / 4;
  constants.liveTest = static_cast<std::uint32_t>(layout.live.test);
  constants.flagTest = static_cast<std::uint32_t>(layout.flagTest);
  constants.cullFlags = layout.cullFlags;
  constants.boundsSource = layout.boundsSource();
  constants.transformFlags = layout.bounds.transformFlags;
  constants.boundsShape = static_cast<std::uint32_t>(layout.bounds.shape);
  constants.matrixForm = static_cast<std::uint32_t>(layout.bounds.matrixForm);
  constants.scene = layout.scene();
  constants.merged = layout.isMerged() ? 1 : 0;
  constants.rejectReasons = layout.rejectReasons;
  constants.keyed = layout.isKeyed() ? 1 : 0;
  constants.lodCount = layout.key.lodCount;
  constants.outputs = layout.written();
  constants.bucketBits = static_cast<std::uint32_t>(std::bit_width(layout.bucketCount() - 1));
  constants.stable = layout.keepsOrderInShaders() ? 1 : 0;
  constants.subgroupSize = target.emulatedSubgroupSize;
  constants.aligned = 1;
  constants.lists = 1;
  return constants;
}

}  // namespace

KernelConstants viewsConstants(const PlanLayout& layout, const ShaderTarget& target) {
  KernelConstants constants = plainConstants(layout, target);
  setCounted(constants, layout, target);
  return constants;
}

namespace {

// Rows of tiles that are as short as can be: an unordered one counts its buckets in a word per record.
std::uint32_t shortRows(const PlanLayout& layout) {
  const bool counts = !layout.keepsOrderInShaders() && layout.bucketCount() <= 1u << SLU_COUNTED_BITS;
  return counts ? divideUp(std::bit_ceil(layout.bucketCount()), SLU_WORKGROUP) : 1;
}

}  // namespace

KernelConstants kernelConstants(const PlanLayout& layout, const ShaderTarget& target, const RouteLimits& limits) {
  KernelConstants constants = plainConstants(layout, target);
  if (target.shortTiles) {
    constants.group = 1;
    constants.rows = shortRows(layout);
    return constants;
  }
  setMoves(constants, layout, target, moves(layout, target));
  if (constants.stable == 0 || constants.bucketBits != 0) return constants;
  const std::uint32_t mostTiles = std::min(limits.lookBackTiles, target.mostWorkgroups);
  const bool isLong = divideUp(layout.maxRecordCount, constants.tileRecords()) > mostTiles;
  // On an H100 2^22 boxes take 137 us so, and 157 us by the persistent kernel.
  if (target.severalDispatches || (isLong && layout.scene() != 0)) {
    setCounted(constants, layout, target);
    return constants;
  }
  constants.patience = target.isCpu ? std::min(limits.patience, SLU_CPU_PATIENCE) : limits.patience;
  if (isLong) setPersistent(constants, layout, target);
  return constants;
}

}  // namespace slu
