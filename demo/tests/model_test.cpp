// An import may be anything, since a process made it that read a hostile file. Tests what the demo makes of it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/failure.h"
#include "models/model_file.h"

namespace demo {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

// Two triangles, each a part.
ModelImport goodImport() {
  ModelImport import;
  import.whole.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, { 0, 1, 1 }};
  import.whole.normals.assign(6, {0, 0, 1});
  import.whole.indices = {0, 1, 2, 3, 4, 5};
  import.parts = {{0, 3, 0, 3}, { 3, 3, 3, 3 }};
  return import;
}

std::string refusal(ModelImport import) {
  try {
    makeModel(std::move(import));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(Models, TwoPartsAreCutOut) {
  const Model model = makeModel(goodImport());
  ASSERT_EQ(model.partCount, 2u);
  ASSERT_EQ(model.parts.size(), 2u);
  EXPECT_EQ(model.parts[1].indices, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(model.parts[1].positions[0], glm::vec3(0, 0, 1));
}

struct Wrong {
  const char* says;
  void (*change)(ModelImport&);
};

constexpr uint32_t kMany = 0xfffffffeu;
const Wrong kWrong[] = {
    {"no whole triangles", [](ModelImport& import) { import.whole.indices.clear(); }},
    {"no whole triangles", [](ModelImport& import) { import.whole.indices.pop_back(); }},
    {"an index out of range", [](ModelImport& import) { import.whole.indices[5] = 6; }},
    {"an index out of range", [](ModelImport& import) { import.whole.indices[0] = kMany; }},
    {"an index out of range",
     [](ModelImport& import) { import.whole.positions.clear(), import.whole.normals.clear(); }},
    {"another number of normals", [](ModelImport& import) { import.whole.normals.pop_back(); }},
    {"a vertex that is not finite", [](ModelImport& import) { import.whole.positions[3].y = NAN; }},
    {"a vertex that is not finite", [](ModelImport& import) { import.whole.positions[3].z = -INFINITY; }},
    {"a normal that is not finite", [](ModelImport& import) { import.whole.normals[0].x = INFINITY; }},
    {"too many triangles", [](ModelImport& import) { import.whole.indices.resize(3 * kMaxTriangles + 3); }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[1].firstIndex = 6; }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[1].indexCount = kMany - 2; }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[1].vertexCount = 4; }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[0].firstVertex = kMany; }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[0].indexCount = 0; }},
    {"a part that lies outside", [](ModelImport& import) { import.parts[0].indexCount = 2; }},
    {"a part with an index out of range", [](ModelImport& import) { import.parts[0].firstVertex = 1; }},
    {"a part with an index out of range", [](ModelImport& import) { import.parts[0].vertexCount = 2; }},
    {"parts that overlap", [](ModelImport& import) { import.parts.push_back(import.parts[0]); }},
    {"no triangles with an area",
     [](ModelImport& import) {
       import.whole.positions.assign(6, {1, 2, 3});
     }},
};

TEST(Models, WrongImportsAreRefused) {
  EXPECT_EQ(refusal(goodImport()), "");
  for (const Wrong& wrong : kWrong) {
    ModelImport import = goodImport();
    wrong.change(import);
    EXPECT_NE(refusal(std::move(import)).find(wrong.says), std::string::npos) << wrong.says;
  }
}

// Random words in place of each field: refused, or a model whose indices are in range.
TEST(Models, RandomImportsAreRefusedOrGood) {
  std::mt19937 generator(3);
  const auto random = [&] { return static_cast<uint32_t>(generator()); };
  const auto word = [&] { return random() % 2 ? random() % 8 : random(); };
  for (int round = 0; round < 20000; ++round) {
    ModelImport import = goodImport();
    for (uint32_t changes = 1 + random() % 3; changes > 0; --changes) {
      ModelPart& part = import.parts[random() % 2];
      uint32_t* fields[] = {&part.firstVertex, &part.vertexCount, &part.firstIndex, &part.indexCount,
                            &import.whole.indices[random() % 6]};
      *fields[random() % 5] = word();
    }
    try {
      const Model model = makeModel(import);
      for (const TriangleMesh& part : model.parts)
        for (const uint32_t index : part.indices) ASSERT_LT(index, part.positions.size());
    } catch (const Failure&) {
    }
  }
}

TEST(Models, EveryScaleHasAnAreaAndBecomesOne) {
  for (const float size : {kLargest, 1e30f, 1.0f, 1e-30f, 1e-38f, kSmallest}) {
    ModelImport import = goodImport();
    for (glm::vec3& position : import.whole.positions) position *= size;
    Model model = makeModel(std::move(import));
    const double radius = normalise(model.whole);
    EXPECT_NEAR(radius / size, std::sqrt(0.75), 1e-6) << size;
    float farthest = 0.0f;
    for (const glm::vec3& position : model.whole.positions) farthest = std::max(farthest, glm::length(position));
    EXPECT_NEAR(farthest, 1.0f, 1e-6f) << size;
  }
}

TEST(Models, OppositeEndsOfTheFloatsBecomeOne) {
  TriangleMesh mesh;
  mesh.positions = {glm::vec3(-kLargest), glm::vec3(kLargest), {kSmallest, 0, kLargest}};
  mesh.normals.resize(3);
  mesh.indices = {0, 1, 2};
  EXPECT_GT(normalise(mesh), kLargest);
  for (const glm::vec3& position : mesh.positions) EXPECT_LE(glm::length(position), 1.00001f);
  smoothNormals(mesh);
  EXPECT_NEAR(glm::length(mesh.normals[0]), 1.0f, 1e-5f);
}

TEST(Models, OnePlaceStaysFinite) {
  TriangleMesh mesh;
  mesh.positions.assign(3, glm::vec3(kLargest));
  mesh.indices = {0, 1, 2};
  EXPECT_EQ(normalise(mesh), 0.0);
  EXPECT_EQ(mesh.positions[0], glm::vec3(0.0f));
}

}  // namespace
}  // namespace demo
