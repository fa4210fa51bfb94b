// Which kernels a plan has on the routes whose kernels are shaders, and with which constants.
#pragma once

#include <compare>
#include <cstdint>

#include "plan/layout.h"
#include "routes/shaders/kernel.h"
#include "routes/shaders/route_limits.h"

namespace slu {

// What the shaders of a plan are made for.
struct ShaderTarget {
  std::uint32_t sharedBytes = 0;           // that a workgroup may have
  std::uint32_t mostWorkgroups = 0;        // of a dispatch
  std::uint32_t emulatedSubgroupSize = 0;  // 0: the device's own
  bool severalDispatches = false;          // no workgroup relies on another one of its dispatch
  bool shortTiles = false;                 // of a record per invocation: compilers that unroll rows take long
  bool draws = false;                      // on a queue that draws
  bool isCpu = false;
};

// The specialization constants of shaders/kernel.glsl, in the order of their ids.
struct KernelConstants {
  std::uint32_t recordWords;
  std::uint32_t liveTest;
  std::uint32_t cullFlags;
  std::uint32_t boundsSource;
  std::uint32_t transformFlags;
  std::uint32_t keyed;
  std::uint32_t lodCount;
  std::uint32_t outputs;
  std::uint32_t bucketBits;
  std::uint32_t group;
  std::uint32_t stable;
  std::uint32_t subgroupSize;
  std::uint32_t rows;
  std::uint32_t moves;
  std::uint32_t aligned;
  std::uint32_t patience;  // of tiles that look back or take tickets; else 0
  std::uint32_t lists;     // 2: of the persistent kernel
  std::uint32_t flagTest;
  std::uint32_t boundsShape;
  std::uint32_t matrixForm;
  std::uint32_t scene;          // SLU_SCENE_*
  std::uint32_t merged;         // 1: SLU_PLACEMENT_MERGED
  std::uint32_t rejectReasons;  // of plans that list rejects: bits 1 << SluReject

  auto operator<=>(const KernelConstants&) const = default;
  std::uint32_t tileRecords() const;
};

// Of frames that read what they cull once per view.
KernelConstants kernelConstants(const PlanLayout& layout, const ShaderTarget& target, const RouteLimits& limits);

// Of frames that read records once for all views, and so count, scan and emit.
KernelConstants viewsConstants(const PlanLayout& layout, const ShaderTarget& target);

// Of gather, for a further stream of the plan. constants: the plan's.
KernelConstants streamConstants(KernelConstants constants, const SluStream& stream);

// The kernel that writes what is kept. In stable order `emit` does, behind `count` and `scan`, unless one pass does all.
Kernel compactKernel(const KernelConstants& constants);
// The same of a plan that may be sparse.
Kernel compactKernel(const PlanLayout& layout, const KernelConstants& constants);

// Those of the plan with the ones that the kernel does not read set to one value, so that plans share pipelines.
KernelConstants usedConstants(Kernel kernel, KernelConstants constants);

// Whether a dispatch is for one view, which is bound. constants: the plan's.
bool readsView(Kernel kernel, const KernelConstants& constants);

// Whether the kernel asks the plan's predicate. `emit` computes keys again, and takes from ballots which records are live.
// findVisible computes keys for the bounds that they name.
bool asksPredicate(Kernel kernel, bool computesKey);

}  // namespace slu
