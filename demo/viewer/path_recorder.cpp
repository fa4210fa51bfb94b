#include "viewer/path_recorder.h"

#include <cstdio>

#include "render/picture.h"

namespace demo {
namespace {

PathView viewFrom(const Camera& camera) { return {camera.eye, camera.target - camera.eye}; }

}  // namespace

void PathRecorder::add(float time, const Camera& camera, const Camera* culling) {
  if (!path_.frames.empty() && time <= path_.frames.back().time) return;
  path_.frames.push_back({time, viewFrom(camera), std::nullopt});
  if (culling) path_.frames.back().culling = viewFrom(*culling);
}

std::filesystem::path PathRecorder::write(const std::filesystem::path& folder) const {
  preparePictureFolder(folder);
  char name[32];
  std::snprintf(name, sizeof(name), "path-%04u.json", frame_);
  writePath(folder / name, path_);
  return folder / name;
}

}  // namespace demo
