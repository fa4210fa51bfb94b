// Collects what the overlay shows of a compaction that is the same in each of its frames.
#pragma once

#include <string>
#include <vector>

#include "frame/compaction.h"
#include "frame/scene.h"
#include "render/renderer.h"

namespace demo {

struct MemoryUse {
  uint64_t inputs, outputs, scratch, pictures;
};

struct RunFacts {
  SluRoute route;
  MemoryUse memory;                  // bytes
  std::vector<uint32_t> capacities;  // per bucket: mesh by mesh, finest level of detail first; packed: zeros
  bool isPacked;
  uint64_t room;  // of a view, for the records of all its buckets
  uint32_t viewCount;
  std::vector<const char*> groups;  // of draws; empty: the plan has none
  uint32_t lodCount;
  bool isViewDependent;
  bool isSceneOpaque;          // so that occlusion can be tested
  uint32_t pyramidLevelCount;  // 0: no occlusion is tested
  bool isCpu;                  // the device is the host's processors
  bool simulatesInCuda;
  // The scene has these, even when switches turn them off.
  SluFlags sceneTests;
  uint32_t sceneLodCount, sceneMeshCount, sceneGroupCount;
  std::string meshShaderRefusal;  // why mesh shaders cannot draw; empty if they can
  bool hasTransforms;             // of the scene's records, whatever form they have
};

RunFacts runFacts(const Scene& scene, const Compaction& compaction, const Renderer& renderer, bool isCpu);

// Returns "812 B", "1.5 KiB" or "96.0 MiB".
std::string readableBytes(uint64_t bytes);

}  // namespace demo
