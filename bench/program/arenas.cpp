#include "program/arenas.h"

#include <algorithm>

#include "base/failure.h"
#include "host/host_arena.h"
#ifdef SLUICE_VULKAN
#include "vulkan/vulkan_arena.h"
#endif
#ifdef SLUICE_CUDA
#include "competitors/all.h"
#include "cuda/cuda_arena.h"
#include "cuda/gpu.h"
#endif

namespace bench {
namespace {

std::vector<PlanChoices> planChoices(const Options& options) {
  std::vector<PlanChoices> choices = {{options.trial.statistics}};
  if (options.masks) choices.push_back({options.trial.statistics, WordTest::Mask});
  if (options.customs) choices.push_back({options.trial.statistics, WordTest::Custom});
  if (options.meshes) choices.push_back({.statistics = options.trial.statistics, .meshes = true});
  return choices;
}

std::unique_ptr<Arena> openHost(const Options& options) {
  return std::make_unique<HostArena>(makeHostCompetitors(planChoices(options)));
}

std::unique_ptr<Arena> openVulkan(ArenaId id, const Options& options) {
#ifdef SLUICE_VULKAN
  std::vector<SluFlags> deviceFlags;
  if (options.bound) deviceFlags.push_back(SLU_VULKAN_BOUND_BUFFERS_BIT);
  if (options.severalDispatches) deviceFlags.push_back(SLU_VULKAN_SEVERAL_DISPATCHES_BIT);
  if (options.bound && options.severalDispatches) deviceFlags.push_back(deviceFlags[0] | deviceFlags[1]);
  return makeVulkanArena(id, options.vulkanDevice, makeVulkanCompetitors(planChoices(options), deviceFlags));
#else
  static_cast<void>(id);
  static_cast<void>(options);
  failDevice("this program was built without Vulkan (SLUICE_VULKAN)");
#endif
}

std::unique_ptr<Arena> openCuda(const Options& options) {
#ifdef SLUICE_CUDA
  const GpuDescription gpu = openGpu(options.device);
  return std::make_unique<CudaArena>(gpu, makeCompetitors({options.device, planChoices(options)}));
#else
  static_cast<void>(options);
  failDevice("this program was built without CUDA (SLUICE_CUDA)");
#endif
}

std::unique_ptr<Arena> open(ArenaId id, const Options& options) {
  if (options.trial.cold && id != ArenaId::Cuda) failDevice("--cold is about the L2 cache of a CUDA device");
  switch (id) {
    case ArenaId::Host:
      return openHost(options);
    case ArenaId::Vulkan:
    case ArenaId::VulkanGraphics:
      return openVulkan(id, options);
    case ArenaId::Cuda:
      return openCuda(options);
  }
  failRuntime("there is no such arena");
}

void chooseCompetitors(const std::vector<std::string>& names, OpenedArenas& opened) {
  std::vector<std::string> known;
  std::string list;
  for (const auto& arena : opened.arenas) {
    for (const Contestant* competitor : arena->competitors()) {
      known.push_back(competitor->name());
      list += (list.empty() ? "" : ", ") + competitor->name();
    }
  }
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      failInput("--competitors: '", name, "' does not run here; there are ", list);
  for (const auto& arena : opened.arenas) arena->keepOnly(names);
  std::erase_if(opened.arenas, [](const auto& arena) { return arena->competitors().empty(); });
}

}  // namespace

OpenedArenas openArenas(const Options& options) {
  const bool named = !options.arenas.empty();
  OpenedArenas opened;
  for (const ArenaId id : allArenas()) {
    if (named && std::find(options.arenas.begin(), options.arenas.end(), id) == options.arenas.end()) continue;
    try {
      opened.arenas.push_back(open(id, options));
    } catch (const Failure& failure) {
      if (failure.cause() != Cause::NoDevice || named) throw;
      opened.skipped.push_back({id, failure.what()});
    }
  }
  if (opened.arenas.empty()) failDevice("no arena can run here: ", describe(opened.skipped));
  if (!options.competitors.empty()) chooseCompetitors(options.competitors, opened);
  return opened;
}

}  // namespace bench
