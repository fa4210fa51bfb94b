// Holds what every run needs.
#pragma once

#include "frame/compaction.h"
#include "frame/scene.h"
#include "options/options.h"
#include "report/report.h"
#include "vulkan/device.h"

namespace demo {

struct Session {
  const Device& device;
  SluContext context;
  SluRoute route = SLU_ROUTE_AUTO;
  Options options;
  RunReport report;

  // Resolves the route of the options. Comes before scene and compaction are created.
  void chooseRoute();
  // Fills the report, and prints what the run is about.
  void describe(const Scene& scene, const Compaction& compaction);
};

}  // namespace demo
