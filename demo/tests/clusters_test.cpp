// Tests that clusters have the triangles that they are made of, as they are wound, in spheres and cones that are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/mesh_optimizer.h"
#include "support/random.h"

namespace demo {
namespace {

using Corners = std::array<uint32_t, 3>;

// Begins with the least corner, and keeps the winding.
std::vector<Corners> sortedTriangles(std::span<const uint32_t> indices) {
  std::vector<Corners> triangles;
  for (size_t corner = 0; corner < indices.size(); corner += 3) {
    Corners triangle = {indices[corner], indices[corner + 1], indices[corner + 2]};
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    triangles.push_back(triangle);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

class ClustersTest : public testing::Test {
 protected:
  // Makes a rock: a grid of latitudes and longitudes around the origin, with dents.
  ClustersTest() {
    const uint32_t rows = random.between(3, 40), columns = random.between(3, 60);
    for (uint32_t row = 0; row <= rows; ++row) {
      for (uint32_t column = 0; column < columns; ++column) {
        const float down = 3.14159f * static_cast<float>(row) / static_cast<float>(rows);
        const float around = 6.28318f * static_cast<float>(column) / static_cast<float>(columns);
        const float radius = 1.0f - 0.2f * static_cast<float>(random.below(1000)) / 1000.0f;
        positions.push_back(
            radius * glm::vec3(std::sin(down) * std::cos(around), std::cos(down), -std::sin(down) * std::sin(around)));
        if (row == rows) continue;
        const uint32_t next = (column + 1) % columns, a = row * columns, b = a + columns;
        for (const uint32_t corner : {a + column, b + column, a + next, a + next, b + column, b + next})
          indices.push_back(corner);
      }
    }
    made = indices;
    shapes = sortIntoClusters(indices, {&positions[0].x, positions.size(), sizeof(glm::vec3)});
  }

  glm::dvec3 at(size_t corner) const { return glm::dvec3(positions[indices[corner]]); }

  testing::ScopedTrace seed{__FILE__, __LINE__, slu::test::describeSeed()};
  slu::test::Random random;
  std::vector<glm::vec3> positions;
  std::vector<uint32_t> made, indices;
  std::vector<ClusterShape> shapes;
};

TEST_F(ClustersTest, HaveAllTrianglesAsTheyAreWound) {
  EXPECT_EQ(sortedTriangles(indices), sortedTriangles(made));
  size_t count = 0;
  for (const ClusterShape& shape : shapes) count += shape.indexCount;
  EXPECT_EQ(count, indices.size());
}

TEST_F(ClustersTest, KeepTheLimits) {
  size_t first = 0;
  for (const ClusterShape& shape : shapes) {
    EXPECT_GT(shape.indexCount, 0u);
    EXPECT_LE(shape.indexCount, 3 * kClusterTriangles);
    std::vector<uint32_t> own(indices.begin() + static_cast<ptrdiff_t>(first),
                              indices.begin() + static_cast<ptrdiff_t>(first + shape.indexCount));
    std::sort(own.begin(), own.end());
    EXPECT_LE(static_cast<size_t>(std::unique(own.begin(), own.end()) - own.begin()), kClusterVertices);
    first += shape.indexCount;
  }
}

TEST_F(ClustersTest, LieInTheirSpheres) {
  size_t corner = 0;
  for (const ClusterShape& shape : shapes)
    for (const size_t end = corner + shape.indexCount; corner < end; ++corner)
      EXPECT_LE(glm::distance(at(corner), glm::dvec3(shape.sphere)), double{shape.sphere.w});
}

// Where a cone says that a cluster faces away from an eye, each of its triangles does.
TEST_F(ClustersTest, FaceAwayWhereTheirConesSaySo) {
  uint32_t awayCount = 0;
  for (uint32_t trial = 0; trial < 50; ++trial) {
    const auto coordinate = [&] { return (static_cast<double>(random.below(8001)) - 4000.0) / 1000.0; };
    const double x = coordinate(), y = coordinate(), z = coordinate();
    const glm::dvec3 eye(x, y, z);
    size_t first = 0;
    for (const ClusterShape& shape : shapes) {
      const glm::dvec3 toCenter = glm::dvec3(shape.sphere) - eye;
      const bool isCone = shape.coneCutoff >= 0.0f && shape.coneCutoff < 1.0f;
      const bool isAway = isCone && glm::dot(toCenter, glm::dvec3(shape.coneAxis)) >=
                                        double{shape.coneCutoff} * glm::length(toCenter) + double{shape.sphere.w};
      for (size_t corner = first; isAway && corner < first + shape.indexCount; corner += 3) {
        const glm::dvec3 normal = glm::cross(at(corner + 1) - at(corner), at(corner + 2) - at(corner));
        EXPECT_GE(glm::dot(at(corner) - eye, normal), -1e-4 * glm::length(normal));
      }
      awayCount += isAway;
      first += shape.indexCount;
    }
  }
  EXPECT_TRUE(shapes.size() < 20 || awayCount > 0) << shapes.size() << " clusters";
}

}  // namespace
}  // namespace demo
