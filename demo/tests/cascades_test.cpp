// Tests that shadow cascades hold what they are for, and that they stand still where a camera moves.
#include "render/cascades.h"

#include <gtest/gtest.h>
#include <sluice/culling.h>

#include <cmath>

#include "render/camera.h"

namespace demo {
namespace {

const Sun kSun = {glm::normalize(glm::vec3(0.6f, 0.3f, -0.7f)), 900.0f, 200.0f};

FrameConstants constantsOf(const glm::vec3& eye, const glm::vec3& target) {
  FrameConstants constants = frameConstants({eye, target, 0.9f, 0.2f}, 640, 360, 0.0f);
  fitCascades(constants, kSun);
  return constants;
}

const FrameConstants kStreet = constantsOf({36.0f, 4.0f, 60.0f}, {38.0f, 15.0f, -160.0f});

glm::vec3 placeIn(const Cascade& cascade, const glm::vec3& point) {
  return glm::vec3(cascade.fromWorld * glm::vec4(point, 1.0f));
}

bool isIn(const Cascade& cascade, const glm::vec3& point) {
  const glm::vec3 place = placeIn(cascade, point);
  return std::abs(place.x) <= 1.0f && std::abs(place.y) <= 1.0f && place.z >= cascade.behind && place.z <= 1.0f;
}

glm::vec3 ahead(const FrameConstants& constants, float distance, float across, float upwards) {
  return glm::vec3(constants.eye) + distance * (glm::vec3(constants.forward) + across * glm::vec3(constants.right) +
                                                upwards * glm::vec3(constants.up));
}

TEST(Cascades, HoldTheirPartOfTheFrustum) {
  for (uint32_t index = 0; index < kCascadeCount; ++index) {
    const Cascade& cascade = kStreet.cascades[index];
    const float end = index + 1 < kCascadeCount ? kStreet.cascades[index + 1].begin : kSun.reach;
    ASSERT_LT(cascade.begin, end);
    for (const float distance : {cascade.begin, end})
      for (const float across : {-1.0f, 0.0f, 1.0f})
        for (const float upwards : {-1.0f, 0.0f, 1.0f})
          EXPECT_TRUE(isIn(cascade, ahead(kStreet, distance, across, upwards))) << index << " at " << distance;
  }
}

TEST(Cascades, HoldAllBetweenTheGroundAndTheTallest) {
  for (const Cascade& cascade : kStreet.cascades) {
    const glm::vec3 middle = ahead(kStreet, cascade.begin + 1.0f, 0.0f, 0.0f);
    for (const float height : {0.0f, kSun.tallest}) {
      const glm::vec3 point = middle + (height - middle.y) / kSun.direction.y * kSun.direction;
      const float depth = placeIn(cascade, point).z;
      EXPECT_GE(depth, 0.0f);
      EXPECT_LE(depth, 1.0f);
    }
  }
}

// A point of the world stays where it is within a texel, however the camera turns and moves.
TEST(Cascades, MoveByWholeTexels) {
  const glm::vec3 point(40.0f, 1.0f, 20.0f);
  for (int step = 1; step <= 50; ++step) {
    const float moved = 0.37f * static_cast<float>(step);
    const FrameConstants other =
        constantsOf({36.0f, 4.0f + 0.1f * moved, 60.0f - moved}, {38.0f + moved, 15.0f, -160.0f});
    for (uint32_t index = 0; index < kCascadeCount; ++index) {
      const Cascade &before = kStreet.cascades[index], &after = other.cascades[index];
      ASSERT_EQ(before.texel, after.texel);
      const glm::vec3 change =
          0.5f * static_cast<float>(kShadowMapSide) * (placeIn(after, point) - placeIn(before, point));
      EXPECT_NEAR(change.x, std::round(change.x), 0.02f) << index << " at " << moved;
      EXPECT_NEAR(change.y, std::round(change.y), 0.02f) << index << " at " << moved;
    }
  }
}

TEST(Cascades, CullWhatCastsNoShadowIntoThem) {
  const glm::vec3 level = glm::normalize(glm::cross(glm::vec3(0.0f, 1.0f, 0.0f), kSun.direction));
  for (const Cascade& cascade : kStreet.cascades) {
    SluView camera = {};
    const SluView view = viewOf(cascade, camera);
    const slu::SluViewBlock block = slu::sluPrepareView(view, 1);
    const auto isKept = [&](const glm::vec3& center) {
      const slu::SluSphere sphere = {{center.x, center.y, center.z}, 1.0f};
      return slu::sluCullSphere(block, sphere, SLU_CULL_FRUSTUM_BIT) == SLU_KEPT;
    };
    const float radius = 0.5f * cascade.texel * static_cast<float>(kShadowMapSide);
    const glm::vec3 middle = ahead(kStreet, cascade.begin + 0.1f * radius, 0.0f, 0.0f);
    EXPECT_TRUE(isKept(middle));
    EXPECT_TRUE(isKept(middle + 5000.0f * kSun.direction));
    EXPECT_FALSE(isKept(middle - 3.0f * radius * kSun.direction));
    EXPECT_FALSE(isKept(middle + 3.0f * radius * level));
    EXPECT_FALSE(isKept(middle - 3.0f * radius * level));
  }
}

// The camera takes LOD 1 from 90 on, LOD 2 from 260 on.
TEST(Cascades, TakeTheLodThatTheCameraTakesWhereTheyBegin) {
  SluView camera = {};
  camera.lodDistances[0] = 90.0f;
  camera.lodDistances[1] = 260.0f;
  for (const Cascade& cascade : kStreet.cascades) {
    const SluView view = viewOf(cascade, camera);
    const uint32_t expected = cascade.begin >= 260.0f ? 2 : cascade.begin >= 90.0f ? 1 : 0;
    EXPECT_EQ(slu::sluLod(slu::sluPrepareView(view, 3), 1e6f, 3), expected) << "from " << cascade.begin << " on";
  }
}

}  // namespace
}  // namespace demo
