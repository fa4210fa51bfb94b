// In place of model_import.cpp and model_process.cpp in builds without assimp.
#include "base/failure.h"
#include "models/model_process.h"

namespace demo {

ModelImport importContained(const std::filesystem::path&) {
  failInput("is not read: this sluice-demo was built without assimp; scenes other than asteroids need no models");
}

std::optional<int> runAsImporter(int, char**) { return std::nullopt; }

}  // namespace demo
