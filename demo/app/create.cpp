#include "app/create.h"

namespace demo {

std::unique_ptr<Scene> createScene(const Device& device, const Renderer& renderer, SluRoute route,
                                   const Options& options) {
  return createScene(options.scene, {.device = device,
                                     .renderer = renderer,
                                     .route = route,
                                     .instanceCount = options.instanceCount,
                                     .model = options.model,
                                     .models = options.models,
                                     .hasMatrices = options.hasMatrices,
                                     .drawCount = options.drawCount,
                                     // All routes of a benchmark have the same simulation.
                                     .mayUseCuda = options.benchmark.empty(),
                                     .residentDistance = options.residentDistance,
                                     .hasClusters = options.hasClusters});
}

std::unique_ptr<Compaction> createCompaction(const Device& device, SluContext context, SluRoute route,
                                             const Scene& scene, const Options& options) {
  const CompactionRequest& request = scene.compaction();
  if (options.headless && options.plan.drawsMeshTasks && !request.meshShaderRefusal.empty())
    failRuntime("--draw mesh: ", request.meshShaderRefusal);
  return std::make_unique<Compaction>(device, context, route, options.order,
                                      applySwitches(scene.compaction(), options.plan, options.capacityScale));
}

std::unique_ptr<Occlusion> createOcclusion(const Device& device, SluContext context, Compaction& compaction,
                                           const Renderer& renderer) {
  if ((compaction.request().plan.cullFlags & SLU_CULL_OCCLUSION_BIT) == 0) return nullptr;
  return std::make_unique<Occlusion>(device, context, compaction, renderer);
}

}  // namespace demo
