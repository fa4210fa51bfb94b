// Tests that meshlets have the triangles that they are made of, in their order, within the limits of a workgroup.
#include "render/meshlets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/random.h"

namespace demo {
namespace {

class MeshletsTest : public testing::Test {
 protected:
  // Returns triangles among `vertices` vertices, each near the last one, as a cache wants them.
  std::vector<uint32_t> triangles(uint32_t count, uint32_t vertices) {
    std::vector<uint32_t> indices;
    uint32_t at = 0;
    for (uint32_t corner = 0; corner < 3 * count; ++corner) {
      at = (at + random.below(9)) % vertices;
      indices.push_back(random.chance(0.05) ? random.below(vertices) : at);
    }
    return indices;
  }

  // Returns the indices that the meshlets of a range draw.
  std::vector<uint32_t> drawn(const MeshletRange& range) const {
    std::vector<uint32_t> indices;
    for (const Meshlet& meshlet : std::span(data.meshlets).subspan(range.first, range.count))
      for (const uint32_t packed : std::span(data.triangles).subspan(meshlet.firstTriangle, meshlet.triangleCount))
        for (uint32_t corner = 0; corner < 3; ++corner) {
          const uint32_t number = packed >> 8 * corner & 0xff;
          EXPECT_LT(number, meshlet.vertexCount);
          indices.push_back(data.vertices.at(meshlet.firstVertex + number));
        }
    return indices;
  }

  testing::ScopedTrace seed{__FILE__, __LINE__, slu::test::describeSeed()};
  slu::test::Random random;
  MeshletData data;
};

TEST_F(MeshletsTest, DrawWhatTheyAreMadeOf) {
  for (const uint32_t count : {0u, 1u, 123u, 124u, 125u, random.between(200, 20000)}) {
    const uint32_t vertices = random.between(3, 5000), offset = random.below(100000);
    std::vector<uint32_t> indices = triangles(count, vertices);
    const MeshletRange range = addMeshlets(data, indices, static_cast<int32_t>(offset));
    for (uint32_t& index : indices) index += offset;
    EXPECT_EQ(drawn(range), indices) << count << " triangles";
    EXPECT_EQ(range.count == 0, count == 0);
    EXPECT_EQ(range.first + range.count, data.meshlets.size());
  }
}

TEST_F(MeshletsTest, KeepTheLimits) {
  addMeshlets(data, triangles(random.between(1000, 9000), random.between(10, 3000)), 0);
  for (const Meshlet& meshlet : data.meshlets) {
    EXPECT_GE(meshlet.triangleCount, 1u);
    EXPECT_LE(meshlet.triangleCount, kMeshletTriangles);
    EXPECT_LE(meshlet.vertexCount, kMeshletVertices);
    const auto own = std::span(data.vertices).subspan(meshlet.firstVertex, meshlet.vertexCount);
    EXPECT_EQ(std::set<uint32_t>(own.begin(), own.end()).size(), own.size()) << "a vertex is there twice";
  }
}

// Few vertices: triangles are the limit. Vertices that no two triangles share: they are.
TEST_F(MeshletsTest, AreAsLargeAsTheLimitsAllow) {
  std::vector<uint32_t> strip;
  for (uint32_t triangle = 0; triangle < 10 * kMeshletTriangles; ++triangle)
    for (uint32_t corner = 0; corner < 3; ++corner) strip.push_back((triangle + corner) % kMeshletVertices);
  EXPECT_EQ(addMeshlets(data, strip, 0).count, 10u);
  std::vector<uint32_t> apart(3 * 21 * 10);
  for (uint32_t index = 0; index < apart.size(); ++index) apart[index] = index;
  EXPECT_EQ(addMeshlets(data, apart, 0).count, 10u);
}

}  // namespace
}  // namespace demo
