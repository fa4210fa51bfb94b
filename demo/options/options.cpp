#include "options/options.h"

namespace demo {

void chooseScene(Options& options, SceneKind scene, bool isCpu) {
  if (options.instanceCount == defaultInstanceCount(options.scene, isCpu))
    options.instanceCount = defaultInstanceCount(scene, isCpu);
  options.scene = scene;
}

}  // namespace demo
