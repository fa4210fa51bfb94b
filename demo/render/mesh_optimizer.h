// Calls meshoptimizer for meshes. A build without it takes them as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/triangle_mesh.h"

namespace demo {

// Returns the indices of fewer triangles, whose surface deviates by `error` at most if that can be. Some triangles
// always remain, and at most 4 times as many as asked for.
std::vector<uint32_t> simplify(const TriangleMesh& mesh, size_t triangles, float error);

// Sorts triangles so that those which share vertices follow each other.
void reuseVertices(std::span<uint32_t> indices, size_t vertexCount);

// Sorts vertices of `stride` bytes in the order in which the indices name them. Returns how many are named at all.
size_t sortVertices(std::span<std::byte> vertices, size_t stride, std::span<uint32_t> indices);

}  // namespace demo
