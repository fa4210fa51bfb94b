#include "kernel_cases.h"

#include <array>
#include <bit>
#include <cstddef>

namespace slu::test {
namespace {

// What a plan says, as src/routes/vulkan/pipelines.cpp makes constants of it.
struct TypicalPlan {
  const char* name;
  KernelConstants constants;
};

constexpr std::uint32_t kDrawOutputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
constexpr std::uint32_t kAll = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | kDrawOutputs |
                               SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
constexpr std::uint32_t kPosition = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;

// Records of 16 bytes whose float is positive.
constexpr KernelConstants plain() {
  KernelConstants constants{};
  constants.recordWords = 4;
  constants.liveTest = SLU_LIVE_POSITIVE_FLOAT;
  constants.lodCount = 1;
  constants.outputs = SLU_OUTPUT_INDICES_BIT | kDrawOutputs | SLU_OUTPUT_STATISTICS_BIT;
  constants.group = 1;
  constants.rows = 4;
  constants.aligned = 1;
  constants.lists = 1;
  return constants;
}

constexpr KernelConstants bucketed(KernelConstants constants, std::uint32_t bits) {
  constants.keyed = 1;
  constants.bucketBits = bits;
  return constants;
}

constexpr KernelConstants culled(KernelConstants constants, std::uint32_t cullFlags, std::uint32_t source,
                                 std::uint32_t transformFlags) {
  constants.liveTest = SLU_LIVE_ALWAYS;
  constants.cullFlags = cullFlags;
  constants.boundsSource = source;
  constants.transformFlags = transformFlags;
  return constants;
}

constexpr KernelConstants boxes() {
  KernelConstants constants = culled(plain(), SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, SLU_TRANSFORM_MATRIX_BIT);
  constants.boundsShape = SLU_SHAPE_BOX;
  constants.scene = SLU_SCENE_VOLUMES;
  return constants;
}

constexpr KernelConstants meshes(std::uint32_t scene) {
  constexpr std::uint32_t kCull = SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT;
  KernelConstants constants = culled(bucketed(plain(), 8), kCull, SLU_BOUNDS_PER_KEY, kPosition);
  constants.recordWords = 12;
  constants.lodCount = 4;
  constants.outputs = kAll;
  constants.scene = SLU_SCENE_VOLUMES | SLU_SCENE_MESHES | scene;
  return constants;
}

constexpr KernelConstants merged(KernelConstants constants) {
  constants.bucketBits = 0;
  constants.merged = 1;
  return constants;
}

constexpr KernelConstants rejected(KernelConstants constants) {
  constants.bucketBits = 0;
  constants.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  constants.rejectReasons = (1u << SLU_REJECT_COUNT) - 1;
  return constants;
}

constexpr KernelConstants moved(KernelConstants constants, std::uint32_t moves, std::uint32_t words,
                                std::uint32_t group, std::uint32_t rows) {
  constants.outputs = SLU_OUTPUT_RECORDS_BIT;
  constants.moves = moves;
  constants.recordWords = words;
  constants.group = group;
  constants.rows = rows;
  return constants;
}

constexpr KernelConstants ofFlags() {
  KernelConstants constants = plain();
  constants.liveTest = SLU_LIVE_ALWAYS;
  constants.flagTest = SLU_LIVE_FLAG_BITS;
  constants.group = 4;
  constants.rows = 2;
  return constants;
}

constexpr std::uint32_t kEverything = SLU_SCENE_LAYERS | SLU_SCENE_MARKS | SLU_SCENE_INDEXED_BOUNDS |
                                      SLU_SCENE_INDEXED_TRANSFORMS | SLU_SCENE_INDEXED_LAYERS | SLU_SCENE_MIRRORS |
                                      SLU_SCENE_LOD_STATES | SLU_SCENE_MORE_PLANES;

// No plan that tests occlusion keeps LOD states.
constexpr KernelConstants occluded(KernelConstants constants) {
  constants.cullFlags |= SLU_CULL_OCCLUSION_BIT;
  constants.scene |= SLU_SCENE_VOLUMES | SLU_SCENE_OCCLUSION;
  constants.scene &= ~SLU_SCENE_LOD_STATES;
  return constants;
}

// Plans that may have more packed buckets than are described one by one.
constexpr TypicalPlan kSparsePlans[] = {
    {"sparse, a list", merged(bucketed(plain(), 6))},
    {"sparse, spheres", merged(culled(bucketed(plain(), 6), SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, kPosition))},
    {"sparse, meshes", merged(meshes(0))},
    {"sparse, everything", merged(meshes(kEverything))},
    {"sparse, occlusion", merged(occluded(meshes(kEverything)))},
};

constexpr TypicalPlan kPlans[] = {
    {"plain", plain()},
    {"flags", ofFlags()},
    {"64 buckets", bucketed(plain(), 6)},
    {"4096 buckets", bucketed(plain(), 12)},
    {"spheres", culled(plain(), SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 0)},
    {"moved spheres, 64 buckets", culled(bucketed(plain(), 6), SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_KEY, kPosition)},
    {"boxes by matrix", boxes()},
    {"meshes, LODs", meshes(0)},
    {"meshes, everything", meshes(kEverything)},
    {"a command per record", merged(bucketed(plain(), 6))},
    {"a command per record, meshes", merged(meshes(0))},
    {"rejects", rejected(plain())},
    {"rejects, meshes", rejected(meshes(0))},
    {"occlusion, spheres", occluded(culled(plain(), SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, kPosition))},
    {"occlusion, boxes by matrix", occluded(boxes())},
    {"occlusion, everything", occluded(meshes(kEverything))},
    {"occlusion, rejects", rejected(occluded(meshes(0)))},
    {"words", moved(plain(), SLU_MOVES_NARROW, 1, 4, 2)},
    {"records of 16 bytes", moved(plain(), SLU_MOVES_WIDE, 4, 1, 4)},
    {"records of 64 bytes", moved(plain(), SLU_MOVES_WIDE, 16, 1, 1)},
    {"records of 16 bytes, 64 buckets", moved(bucketed(plain(), 6), SLU_MOVES_SORTED, 4, 1, 4)},
};

bool needsViews(const KernelConstants& constants) { return constants.cullFlags != 0 || constants.lodCount > 1; }

// Shader model 5 has one row of records in a tile, since FXC compiles rows one by one: with four, culling takes it five
// times as long. Sorted tiles have four, since they are to fill sectors of memory.
std::uint32_t rowsFor(const KernelConstants& constants, bool emulatesSubgroups) {
  return emulatesSubgroups && constants.moves != SLU_MOVES_SORTED ? 1 : constants.rows;
}

// The kernels of the plan in either order; what records are moved by is for any order alone.
std::vector<Kernel> kernelsOf(const KernelConstants& constants, bool isStable) {
  const bool testsOcclusion = (constants.scene & SLU_SCENE_OCCLUSION) != 0;
  if (!isStable) {
    std::vector<Kernel> kernels = {constants.moves == SLU_MOVES_SORTED ? Kernel::sorted : Kernel::compact,
                                   Kernel::publish};
    if (testsOcclusion) kernels.push_back(Kernel::findVisible);
    return kernels;
  }
  if (constants.moves != SLU_MOVES_NONE) return {};
  if (needsViews(constants) && !testsOcclusion) return {Kernel::count, Kernel::countViews, Kernel::scan, Kernel::emit};
  return {Kernel::count, Kernel::scan, Kernel::emit};
}

}  // namespace

std::vector<KernelCase> kernelCases(bool emulatesSubgroups) {
  std::vector<KernelCase> cases;
  for (const TypicalPlan& plan : kPlans) {
    for (const bool isStable : {false, true}) {
      for (const Kernel kernel : kernelsOf(plan.constants, isStable)) {
        if (emulatesSubgroups && kernel == Kernel::countViews) continue;
        KernelConstants constants = plan.constants;
        constants.stable = isStable ? 1 : 0;
        constants.subgroupSize = emulatesSubgroups ? 32 : 0;
        constants.rows = rowsFor(constants, emulatesSubgroups);
        cases.push_back({plan.name, kernel, usedConstants(kernel, constants)});
      }
    }
  }
  for (const TypicalPlan& plan : kSparsePlans) {
    for (const Kernel kernel :
         {Kernel::sparseRank, Kernel::sparseSums, Kernel::sparsePublish, Kernel::sparsePlaces, Kernel::sparseEmit}) {
      KernelConstants constants = plan.constants;
      constants.merged = 0;
      constants.subgroupSize = emulatesSubgroups ? 32 : 0;
      constants.rows = rowsFor(constants, emulatesSubgroups);
      cases.push_back({plan.name, kernel, usedConstants(kernel, constants)});
    }
  }
  for (const std::uint32_t words : {1u, 3u, 4u, 16u}) {
    KernelConstants constants = plain();
    constants.recordWords = words;
    constants.subgroupSize = emulatesSubgroups ? 32 : 0;
    cases.push_back({"a further stream", Kernel::gather, usedConstants(Kernel::gather, constants)});
  }
  return cases;
}

std::string textOf(const KernelCase& kernelCase, bool emulatesSubgroups, HlslPredicate predicate) {
  const auto values =
      std::bit_cast<std::array<std::uint32_t, sizeof(KernelConstants) / sizeof(std::uint32_t)>>(kernelCase.constants);
  std::string text;
  for (std::size_t id = 0; id < values.size(); ++id) {
    text += "#define SPIRV_CROSS_CONSTANT_ID_" + std::to_string(id) + " " + std::to_string(values[id]) + "u\n";
  }
  return text + hlslOf(kernelCase.kernel, emulatesSubgroups, predicate);
}

}  // namespace slu::test
