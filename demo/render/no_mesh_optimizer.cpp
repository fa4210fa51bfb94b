// In place of mesh_optimizer.cpp in builds without meshoptimizer.
#include "base/failure.h"
#include "render/mesh_optimizer.h"

namespace demo {

std::vector<uint32_t> simplify(const TriangleMesh& mesh, size_t, float) { return mesh.indices; }

void reuseVertices(std::span<uint32_t>, size_t) {}

size_t sortVertices(std::span<std::byte> vertices, size_t stride, std::span<uint32_t>) {
  return vertices.size() / stride;
}

const char* clusterRefusal() {
  return "this sluice-demo was built without meshoptimizer; install libmeshoptimizer-dev (tools/setup.sh does), and "
         "build with SLUICE_DEMO_IMPORTER=ON";
}

std::vector<ClusterShape> sortIntoClusters(std::span<uint32_t>, const VertexPositions&) { failInput(clusterRefusal()); }

}  // namespace demo
