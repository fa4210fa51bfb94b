// Recorded paths between their frames, and through a file.
#include "options/camera_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace {

using demo::CameraPath;
using demo::PathFrame;
using demo::PathView;

// Flies along x, and turns from straight ahead to the right.
CameraPath corner() {
  const PathView culling = {{1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, -1.0f}};
  return {"asteroids",
          1000,
          320,
          180,
          {{10.0f, {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}}, {}},
           {11.0f, {{4.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}}, culling},
           {14.0f, {{4.0f, 6.0f, 0.0f}, {1.0f, 0.0f, 0.0f}}, {}}}};
}

void expectNear(const glm::vec3& a, const glm::vec3& b) { EXPECT_LT(glm::distance(a, b), 1e-5f); }

TEST(CameraPath, MovesAndTurnsEvenlyBetweenFrames) {
  const PathFrame frame = corner().at(10.5f);
  EXPECT_EQ(frame.time, 10.5f);
  expectNear(frame.camera.eye, {2.0f, 0.0f, 0.0f});
  expectNear(frame.camera.direction, {std::sqrt(0.5f), 0.0f, -std::sqrt(0.5f)});
}

TEST(CameraPath, TurnsTheShortWayAround) {
  CameraPath path = corner();
  path.frames[0].camera.direction = {0.1f, 0.0f, 1.0f};
  path.frames[1].camera.direction = {-0.1f, 0.0f, 1.0f};
  expectNear(path.at(10.5f).camera.direction, {0.0f, 0.0f, 1.0f});
}

TEST(CameraPath, KeepsTheFrozenCameraUntilTheNextFrame) {
  EXPECT_FALSE(corner().at(10.9f).culling);
  ASSERT_TRUE(corner().at(11.0f).culling);
  ASSERT_TRUE(corner().at(13.9f).culling);
  EXPECT_EQ(corner().at(13.9f).culling->eye.y, 2.0f);
  EXPECT_FALSE(corner().at(14.0f).culling);
}

TEST(CameraPath, StaysAtItsEnds) {
  EXPECT_EQ(corner().at(-5.0f).time, 10.0f);
  EXPECT_EQ(corner().at(99.0f).time, 14.0f);
}

TEST(CameraPath, IsResampledEvenlyInTime) {
  const CameraPath path = corner().resampled(5);
  ASSERT_EQ(path.frames.size(), 5u);
  for (size_t frame = 0; frame < 5; ++frame) EXPECT_EQ(path.frames[frame].time, 10.0f + static_cast<float>(frame));
  expectNear(path.frames[2].camera.eye, {4.0f, 2.0f, 0.0f});
  ASSERT_EQ(corner().resampled(1).frames.size(), 1u);
  EXPECT_EQ(corner().resampled(1).frames[0].time, 12.0f);
}

TEST(CameraPath, ComesBackFromItsFileAsItWas) {
  CameraPath path = corner();
  path.frames[0].time = 10.1f;
  path.frames[0].camera.eye = {1.0f / 3.0f, -1e-7f, 123456.7f};
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "sluice-demo-path.json";
  demo::writePath(file, path);
  const CameraPath read = demo::readPath(file);
  std::filesystem::remove(file);
  EXPECT_EQ(read.scene, path.scene);
  EXPECT_EQ(read.instanceCount, path.instanceCount);
  EXPECT_EQ(read.width, path.width);
  EXPECT_EQ(read.height, path.height);
  ASSERT_EQ(read.frames.size(), path.frames.size());
  for (size_t index = 0; index < path.frames.size(); ++index) {
    const PathFrame &a = read.frames[index], &b = path.frames[index];
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.camera.eye, b.camera.eye);
    EXPECT_EQ(a.camera.direction, b.camera.direction);
    EXPECT_EQ(a.culling.has_value(), b.culling.has_value());
  }
}

}  // namespace
