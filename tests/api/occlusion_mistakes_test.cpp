// Ways to test occlusion that renderers have got wrong. Each test has a scene in which such a way hides a record that owns
// pixels of the picture. The test makes sure of that, and that the library keeps the record and hides another one.
#include <sluice/sluice_pyramid.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "floats.h"
#include "occlusion_host.h"

namespace slu::test {
namespace {

// A part of the picture, in pixels.
struct PixelRect {
  double left, top, right, bottom;
};

// A level of a pyramid that is folded in a wrong way.
struct WrongLevel {
  std::uint32_t width, height;
  std::vector<float> texels;
};

constexpr std::uint32_t kSeen = 0, kUnseen = 1;  // the records of the tests

class OcclusionMistakes : public testing::Test {
 protected:
  // Looks from anywhere along z, with a picture of any direction of y.
  void look(std::uint32_t width, std::uint32_t height, bool isReversed, bool isOrthographic = false) {
    shot = {};
    PyramidCamera& camera = shot.cameras.emplace_back();
    for (double& coordinate : camera.eye) coordinate = double{random.uniform(-20, 20)};
    camera.isReversed = isReversed;
    camera.isOrthographic = isOrthographic;
    if (isOrthographic) camera.halfX = camera.halfY = 10.0;
    shot.layers = {0};
    shot.format.width = width;
    shot.format.height = height;
    shot.format.isReversed = isReversed;
    shot.format.isFlipped = random.chance(0.5);
    walls.bodies.clear();
    boxes.bodies.clear();
    spheres.bodies.clear();
  }

  // A thin box across the view of a camera, whose front covers such a part of the picture.
  Body makePane(const PixelRect& pixels, double distance, std::size_t view = 0) const {
    const PyramidCamera& camera = shot.cameras[view];
    const double spread = camera.isOrthographic ? 1.0 : distance, thickness = 0.01;
    const auto across = [&](double pixel, std::uint32_t size, double half) {
      return (2.0 * pixel / size - 1.0) * half * spread;
    };
    const double sign = shot.format.isFlipped ? -1.0 : 1.0;
    const double left = across(pixels.left, shot.format.width, camera.halfX),
                 right = across(pixels.right, shot.format.width, camera.halfX),
                 top = sign * across(pixels.top, shot.format.height, camera.halfY),
                 bottom = sign * across(pixels.bottom, shot.format.height, camera.halfY);
    const Point middle = camera.at((left + right) / 2, (top + bottom) / 2, distance + thickness);
    Body body;
    body.extents[0] = static_cast<float>((right - left) / 2);
    body.extents[1] = static_cast<float>(std::fabs(bottom - top) / 2);
    body.extents[2] = static_cast<float>(thickness);
    for (std::size_t row = 0; row < 3; ++row) {
      body.linear.rows[row][0] = static_cast<float>(camera.right[row]);
      body.linear.rows[row][1] = static_cast<float>(camera.up[row]);
      body.linear.rows[row][2] = static_cast<float>(camera.forward[row]);
      body.translation[row] = static_cast<float>(middle[row]);
    }
    return body;
  }
  Body makeWholePane(double distance) const {
    return makePane({-1, -1, shot.format.width + 1.0, shot.format.height + 1.0}, distance);
  }

  // A box or a sphere whose middle is at such a point to the right of, above and ahead of the eye, and which is not turned.
  Body makeBody(double x, double y, double ahead, const std::array<float, 3>& extents) const {
    const Point middle = shot.cameras[0].at(x, y, ahead);
    Body body;
    std::copy(extents.begin(), extents.end(), body.extents);
    for (std::size_t axis = 0; axis < 3; ++axis) body.translation[axis] = static_cast<float>(middle[axis]);
    return body;
  }

  double depthAt(double distance) const { return shot.cameras[0].depthAt(distance); }

  // Walls are no records.
  std::vector<Picture> drawWith(const OcclusionHost& records) const {
    std::vector<Picture> pictures = walls.drawAll(shot);
    for (Picture& picture : pictures) std::fill(picture.owners.begin(), picture.owners.end(), kNobody);
    records.draw(pictures, shot);
    return pictures;
  }

  // The library keeps what is seen, and hides the other record.
  void expectRight(OcclusionHost& records) {
    const std::vector<Picture> pictures = drawWith(records);
    const Marks kept = records.compact(shot, SLU_OCCLUSION_SINGLE, pyramidOf(pictures, shot))[0];
    const Marks isOwner = ownersOf(pictures[0], records.bodies.size());
    ASSERT_TRUE(isOwner[kSeen]) << "the scene is not what it is to be";
    ASSERT_FALSE(isOwner[kUnseen]) << "the scene is not what it is to be";
    EXPECT_TRUE(kept[kSeen]);
    EXPECT_FALSE(kept[kUnseen]);
  }

  bool isNearer(double depth, double than) const { return shot.format.isReversed ? depth > than : depth < than; }
  float farther(float a, float b) const { return isNearer(double{a}, double{b}) ? b : a; }

  // Whether all pixels that exist of a part of the picture are nearer than a depth.
  bool areNearer(const Picture& picture, const PixelRect& pixels, double than) const {
    for (std::uint32_t y = 0; y < picture.format.height; ++y) {
      for (std::uint32_t x = 0; x < picture.format.width; ++x) {
        const bool isCovered = x + 1 > pixels.left && x <= pixels.right && y + 1 > pixels.top && y <= pixels.bottom;
        if (isCovered && !isNearer(double{picture.depths[picture.at(x, y)]}, than)) return false;
      }
    }
    return true;
  }
  // The same of a part in clip x / w and y / w.
  bool areNearerWithin(const Picture& picture, double left, double right, double low, double high, double than) const {
    const auto column = [&](double x) { return (x + 1.0) / 2 * picture.format.width; };
    const auto row = [&](double y) { return ((shot.format.isFlipped ? -y : y) + 1.0) / 2 * picture.format.height; };
    return areNearer(picture,
                     {column(left), std::min(row(low), row(high)), column(right), std::max(row(low), row(high))}, than);
  }

  // Levels of half the size, rounded down. Where the last column or row is left over, which `takesLast` says of the sizes of a
  // level and of the next one, the last texels take it in.
  template <typename TakesLast>
  std::vector<WrongLevel> foldRoundedDown(const Picture& picture, const TakesLast& takesLast) const {
    std::vector<WrongLevel> levels = {{picture.format.width, picture.format.height, picture.depths}};
    while (levels.back().width > 1 || levels.back().height > 1) {
      const WrongLevel& from = levels.back();
      WrongLevel to{std::max(from.width / 2, 1u), std::max(from.height / 2, 1u), {}};
      const std::uint32_t stepsX = takesLast(from.width, to.width) ? 3 : 2,
                          stepsY = takesLast(from.height, to.height) ? 3 : 2;
      for (std::uint32_t y = 0; y < to.height; ++y) {
        for (std::uint32_t x = 0; x < to.width; ++x) {
          float depth = from.texels[std::size_t{2} * y * from.width + 2 * x];
          for (std::uint32_t i = 0; i < stepsX * stepsY; ++i) {
            const std::uint32_t column = std::min(2 * x + i % stepsX, from.width - 1),
                                row = std::min(2 * y + i / stepsX, from.height - 1);
            depth = farther(depth, from.texels[std::size_t{row} * from.width + column]);
          }
          to.texels.push_back(depth);
        }
      }
      levels.push_back(std::move(to));
    }
    return levels;
  }

  // Whether texels of the finest level that has two by two for a part of the picture are nearer than a depth.
  bool areTexelsNearer(const std::vector<WrongLevel>& levels, const PixelRect& pixels, double than) const {
    for (std::uint32_t level = 1;; ++level) {
      const auto texel = [&](double pixel, std::uint32_t size) {
        return std::min(static_cast<std::uint32_t>(pixel) >> level, size - 1);
      };
      const WrongLevel& from = levels[level];
      const std::uint32_t left = texel(pixels.left, from.width), right = texel(pixels.right, from.width),
                          top = texel(pixels.top, from.height), bottom = texel(pixels.bottom, from.height);
      if (right - left > 1 || bottom - top > 1) continue;
      float depth = from.texels[std::size_t{top} * from.width + left];
      for (const std::uint32_t y : {top, bottom}) {
        for (const std::uint32_t x : {left, right})
          depth = farther(depth, from.texels[std::size_t{y} * from.width + x]);
      }
      return isNearer(double{depth}, than);
    }
  }

  // Calls with pictures of every kind.
  template <typename Try>
  void forEachLook(std::uint32_t width, std::uint32_t height, const Try& tryIt) {
    for (const bool isReversed : {false, true}) {
      for (const bool isOrthographic : {false, true}) {
        SCOPED_TRACE(testing::Message() << (isReversed ? "reversed" : "forward")
                                        << (isOrthographic ? ", orthographic" : ", perspective"));
        look(width, height, isReversed, isOrthographic);
        tryIt();
      }
    }
  }

  Random random;
  OcclusionHost walls{SLU_SHAPE_BOX, 0, true, 8, 2, random}, boxes{SLU_SHAPE_BOX, 0, true, 8, 2, random},
      spheres{SLU_SHAPE_SPHERE, 0, true, 8, 2, random};
  Shot shot;

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
};

void setHeader(Bytes& pyramid, std::uint32_t word, std::uint32_t value) {
  std::memcpy(&pyramid[std::size_t{word} * 4], &value, sizeof(value));
}

// A level whose texels are as large as the record, floor(log2(size)), needs three texels and not two if the record begins
// within a texel.
TEST_F(OcclusionMistakes, LevelIsRoundedDown) {
  forEachLook(64, 64, [&] {
    const PixelRect record = {30.2, 30.2, 36.9, 33.9};
    walls.bodies = {makePane({-1, -1, 36, 65}, 5)};
    boxes.bodies = {makePane(record, 20), makePane({20, 20, 24, 24}, 20)};
    const double texel = std::exp2(std::floor(std::log2(record.right - record.left)));
    const double left = std::floor(record.left / texel) * texel, top = std::floor(record.top / texel) * texel;
    const Picture picture = drawWith(boxes)[0];
    EXPECT_TRUE(
        areNearer(picture, {left + 0.5, top + 0.5, left + 2 * texel - 0.5, top + 2 * texel - 0.5}, depthAt(20)));
    expectRight(boxes);
  });
}

// A pyramid whose sizes are rounded down loses the last column, or row, of a picture of odd size.
TEST_F(OcclusionMistakes, OddPicturesLoseTheirLastPixels) {
  for (const bool isColumn : {true, false}) {
    SCOPED_TRACE(isColumn ? "columns" : "rows");
    forEachLook(63, 63, [&] {
      const PixelRect record = isColumn ? PixelRect{58.2, 20.2, 62.9, 23.9} : PixelRect{20.2, 58.2, 23.9, 62.9};
      walls.bodies = {makePane(isColumn ? PixelRect{-1, -1, 62, 64} : PixelRect{-1, -1, 64, 62}, 5)};
      boxes.bodies = {makePane(record, 20), makePane({40, 40, 44, 44}, 20)};
      const auto levels = foldRoundedDown(drawWith(boxes)[0], [](std::uint32_t, std::uint32_t) { return false; });
      EXPECT_TRUE(areTexelsNearer(levels, record, depthAt(20)));
      expectRight(boxes);
    });
  }
}

// Whether there is a third column to fold is a matter of the level that is read, and not of the one that is written. 10
// columns are folded to 5, and these to 2.
TEST_F(OcclusionMistakes, ParityIsThatOfTheDestination) {
  for (const bool isColumn : {true, false}) {
    SCOPED_TRACE(isColumn ? "columns" : "rows");
    forEachLook(10, 10, [&] {
      const PixelRect record = isColumn ? PixelRect{2.2, 2.2, 9.9, 4.9} : PixelRect{2.2, 2.2, 4.9, 9.9};
      walls.bodies = {makePane(isColumn ? PixelRect{-1, -1, 9, 11} : PixelRect{-1, -1, 11, 9}, 5)};
      boxes.bodies = {makePane(record, 20), makePane({1.2, 1.2, 1.9, 1.9}, 20)};
      const Picture picture = drawWith(boxes)[0];
      const auto byDestination = [](std::uint32_t, std::uint32_t to) { return to % 2 != 0; };
      EXPECT_TRUE(areTexelsNearer(foldRoundedDown(picture, byDestination), record, depthAt(20)));
      const auto bySource = [](std::uint32_t from, std::uint32_t) { return from % 2 != 0; };
      EXPECT_FALSE(areTexelsNearer(foldRoundedDown(picture, bySource), record, depthAt(20)));
      expectRight(boxes);
    });
  }
}

// The pyramid that the library builds of odd sizes has every pixel in every level.
TEST_F(OcclusionMistakes, BuildsLeaveNoPixelOut) {
  for (const bool isReversed : {false, true}) {
    for (const std::uint32_t width : {1u, 5u, 10u, 63u, 65u}) {
      look(width, random.pick({1u, 7u, 20u, 33u}), isReversed);
      Picture picture(shot.format);
      for (float& depth : picture.depths) depth = random.uniform(0.3f, 0.6f);
      const Bytes pyramid = pyramidOf({picture}, shot);
      std::size_t word = SLU_PYRAMID_HEADER_WORDS;
      for (std::uint32_t size = 2; word * 4 < pyramid.size(); size *= 2) {
        for (std::uint32_t top = 0; top < picture.format.height; top += size) {
          for (std::uint32_t left = 0; left < width; left += size, ++word) {
            float texel, expected = picture.depths[picture.at(left, top)];
            std::memcpy(&texel, &pyramid[word * 4], sizeof(texel));
            for (std::uint32_t y = top; y < std::min(top + size, picture.format.height); ++y) {
              for (std::uint32_t x = left; x < std::min(left + size, width); ++x) {
                expected = farther(expected, picture.depths[picture.at(x, y)]);
              }
            }
            ASSERT_EQ(texel, expected) << width << " x " << picture.format.height << ", texels of " << size;
          }
        }
      }
    }
  }
}

// The point of a sphere nearest to the eye is not that of the least depth, unless the sphere is in the picture's middle.
TEST_F(OcclusionMistakes, NearestPointOfASphereIsByDistance) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makeWholePane(6.2)};
    spheres.bodies = {makeBody(6, 0, 8, {2, 2, 2}), makeBody(0, 0, 12, {1, 1, 1})};
    const double distance = std::hypot(6.0, 8.0);
    EXPECT_TRUE(isNearer(depthAt(6.2), depthAt(8.0 - 2.0 * 8.0 / distance)));
    expectRight(spheres);
  }
}

// Nor is the corner of a box that is nearest to the eye.
TEST_F(OcclusionMistakes, NearestCornerOfABoxIsByDistance) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    PyramidCamera& camera = shot.cameras[0];
    camera.halfX = 2.5;
    // A bar along x, before the camera is turned.
    boxes.bodies = {makeBody(-1, 0, 9, {3, 0.2f, 0.2f})};
    turn(camera, {0.6, 0, 0.8}, {0, 1, 0});
    walls.bodies = {makeWholePane(6.5)};
    boxes.bodies.push_back(makePane({30, 30, 34, 34}, 20));
    double nearest = 1e30, itsDepth = 0;
    for (int corner = 0; corner < 8; ++corner) {
      Point point = boxes.bodies[kSeen].middle();
      double distance2 = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        point[axis] += (corner >> axis & 1 ? 1.0 : -1.0) * double{boxes.bodies[kSeen].extents[axis]};
        distance2 += std::pow(point[axis] - camera.eye[axis], 2.0);
      }
      if (distance2 >= nearest) continue;
      nearest = distance2;
      itsDepth = depthAt(camera.distanceOf(point));
    }
    EXPECT_TRUE(isNearer(depthAt(6.5), itsDepth));
    expectRight(boxes);
  }
}

// The depth in the picture is rounded, so that a record may seem to be behind itself.
TEST_F(OcclusionMistakes, DepthsAreComparedWithoutMargin) {
  std::uint32_t wrongCount = 0;
  for (int round = 0; round < 400; ++round) {
    look(random.between(1, 20), random.between(1, 20), random.chance(0.5), random.chance(0.3));
    if (random.chance(0.3)) shot.cameras[0].farthest = 1e4;
    for (double& coordinate : shot.cameras[0].eye) coordinate *= double{random.pick({1.0f, 1.0f, 1000.0f})};
    shot.format.depthBits = random.pick({16u, 24u, 32u});
    shot.format.hasFloatVertices = random.chance(0.5);
    shot.depthMargin = shot.format.depthBits == 16 ? 0x1p-15f : 0.0f;
    boxes.bodies = {makeWholePane(random.pick({1.0f, 10.0f, 90.0f}) * random.uniform(0.2f, 1.0f))};
    const std::vector<Picture> pictures = drawWith(boxes);
    const Point middle = boxes.bodies[kSeen].middle();
    const double front = shot.cameras[0].distanceOf(middle) - double{boxes.bodies[kSeen].extents[2]};
    wrongCount += isNearer(double{pictures[0].depths[0]}, depthAt(front)) ? 1 : 0;
    const Marks kept = boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramidOf(pictures, shot))[0];
    ASSERT_TRUE(kept[kSeen]) << "at " << front << ", depth " << pictures[0].depths[0];
  }
  EXPECT_GT(wrongCount, 50u);
}

// The projection of a sphere by its distance makes it too small if the camera is orthographic.
TEST_F(OcclusionMistakes, OrthographicViewsAreTakenForPerspective) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed, true);
    walls.bodies = {makePane({26, 26, 38, 38}, 5)};
    spheres.bodies = {makeBody(0, 0, 20, {4, 4, 4}), makeBody(0, 0, 20, {0.5f, 0.5f, 0.5f})};
    const double slope = 4.0 / std::sqrt(20.0 * 20.0 - 4.0 * 4.0) / shot.cameras[0].halfX;
    EXPECT_TRUE(areNearerWithin(drawWith(spheres)[0], -slope, slope, -slope, slope, depthAt(16)));
    expectRight(spheres);
  }
}

// The far plane of a matrix without one has a normal of zeros. Made a unit one, it is NaN, so that everything is outside.
TEST_F(OcclusionMistakes, InfiniteFarPlanesAreNormalized) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    shot.cameras[0].farthest = std::numeric_limits<double>::infinity();
    shot.cameras[0].nearest = 0.5;
    OcclusionHost culled(SLU_SHAPE_BOX, SLU_CULL_FRUSTUM_BIT, true, 8, 1, random);
    walls.bodies = {makePane({-1, -1, 32, 65}, 5)};
    culled.bodies = {makePane({40, 20, 50, 30}, 1e5), makePane({10, 20, 20, 30}, 1e5),
                     makePane({-60, 20, -50, 30}, 20)};
    float matrix[16];
    shot.cameras[0].getMatrix(matrix);
    float plane[4], length2 = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      plane[i] = isReversed ? matrix[i * 4 + 2] : matrix[i * 4 + 3] - matrix[i * 4 + 2];
      if (i < 3) length2 += plane[i] * plane[i];
    }
    const Point middle = culled.bodies[kSeen].middle();
    double inside = double{plane[3] / std::sqrt(length2)};
    for (std::size_t i = 0; i < 3; ++i) inside += double{plane[i] / std::sqrt(length2)} * middle[i];
    EXPECT_FALSE(inside >= 0.0);
    expectRight(culled);
  }
}

// Corners behind the eye, divided by their w, are on the other side of the picture. So a floor under the eye seems to cover
// the middle of the picture alone.
TEST_F(OcclusionMistakes, CornersBehindTheEyeAreDividedByW) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makePane({16, 16, 48, 48}, 10)};
    boxes.bodies = {makeBody(0, -2, 15, {1, 0.1f, 25}), makePane({30, 30, 34, 34}, 20)};
    float matrix[16];
    shot.cameras[0].getMatrix(matrix);
    double left = 1e30, right = -1e30, low = 1e30, high = -1e30, depth = isReversed ? -1e30 : 1e30;
    for (const double ahead : {-10.0, 40.0}) {
      for (const double x : {-1.0, 1.0}) {
        for (const double y : {-2.1, -1.9}) {
          const Clip clip = applyMatrix(matrix, shot.cameras[0].at(x, y, ahead));
          left = std::min(left, clip.x / clip.w);
          right = std::max(right, clip.x / clip.w);
          low = std::min(low, clip.y / clip.w);
          high = std::max(high, clip.y / clip.w);
          if (isNearer(clip.z / clip.w, depth)) depth = clip.z / clip.w;
        }
      }
    }
    EXPECT_TRUE(areNearerWithin(drawWith(boxes)[0], left, right, low, high, depth));
    expectRight(boxes);
  }
}

// Corners before the near plane are left out, as if nothing of the box were there.
TEST_F(OcclusionMistakes, CornersBeforeTheNearPlaneAreLeftOut) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    shot.cameras[0].nearest = 2;
    walls.bodies = {makePane({16, 16, 48, 48}, 10)};
    boxes.bodies = {makeBody(0, -2, 20.5, {1, 0.1f, 19.5f}), makePane({30, 30, 34, 34}, 20)};
    EXPECT_TRUE(areNearerWithin(drawWith(boxes)[0], -1.0 / 40, 1.0 / 40, -2.1 / 40, -1.9 / 40, depthAt(40)));
    expectRight(boxes);
  }
}

// A nearest point behind the eye has a depth beyond the far plane, since w is negative. Clamped, it is the farthest of all.
TEST_F(OcclusionMistakes, DepthsAreClampedAndSignsOfWAreNot) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makeWholePane(5)};
    spheres.bodies = {makeBody(0, -4, -1, {4, 4, 4}), makeBody(0, 0, 20, {1, 1, 1})};
    EXPECT_TRUE(areNearer(drawWith(spheres)[0], {0, 0, 64, 64}, std::clamp(depthAt(-1.0 - 4.0), 0.0, 1.0)));
    expectRight(spheres);
  }
}

// A build that fails writes nothing, so that the last picture's pyramid is still there, and valid.
TEST_F(OcclusionMistakes, PyramidStaysValidAfterAFailedBuild) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makeWholePane(5)};
    boxes.bodies = {makePane({10, 10, 20, 20}, 20), makePane({30, 30, 40, 40}, 20)};
    Bytes pyramid = pyramidOf(drawWith(boxes), shot);
    walls.bodies.clear();
    std::vector<Picture> pictures = drawWith(boxes);
    ASSERT_TRUE(ownersOf(pictures[0], 2)[kSeen]);
    LoggedContext context;
    auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    info.route = SLU_ROUTE_CPU;
    info.width = info.height = 64;
    info.layerCount = 1;
    info.direction = isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    Pyramid builder;
    ASSERT_EQ(sluCreatePyramid(context, &info, builder.put()), SLU_SUCCESS) << context.message();
    const Buffer from(Specimen::makeBuffer(context, pictures[0].depths.data(), pictures[0].depths.size() * 4));
    const Buffer to(Specimen::makeBuffer(context, pyramid.data(), pyramid.size()));
    auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = {to, 0};
    build.depth = {from, 0};
    build.rowPitch = 3;
    ASSERT_EQ(sluBuildPyramid(builder, &build), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_FALSE(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0][kSeen]);
    setHeader(pyramid, SLU_PYRAMID_WORD_VALID, 0);
    EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, true));
  }
}

// Memory in which no pyramid was built yet. Texels of zero are as near as can be, unless depth is reversed.
TEST_F(OcclusionMistakes, PyramidIsReadBeforeItIsBuilt) {
  look(64, 64, false);
  boxes.bodies = {makePane({10, 10, 20, 20}, 20), makePane({30, 30, 40, 40}, 20)};
  std::vector<Picture> nearest = clearedPictures(shot);
  std::fill(nearest[0].depths.begin(), nearest[0].depths.end(), 0.0f);
  Bytes pyramid = pyramidOf(nearest, shot);
  EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, false));
  std::fill(pyramid.begin(), pyramid.end(), std::uint8_t{0});
  EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, true)) << "zeros";
  for (int round = 0; round < 50; ++round) {
    random.fill(pyramid);
    // Now and then all but the first word is right.
    if (round % 2 != 0) {
      pyramid = pyramidOf(nearest, shot);
      setHeader(pyramid, SLU_PYRAMID_WORD_VALID, random.pick({0u, 1u, 0xffffffffu, random.word()}));
    }
    EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, true)) << "garbage";
  }
}

// The old bits are drawn and nothing else, as if they still were what is visible, after frames without occlusion.
TEST_F(OcclusionMistakes, BitsAreStaleAfterAToggle) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    PyramidCamera& camera = shot.cameras[0];
    camera.halfX = camera.halfY = 0.5;
    const auto turnBy = [&](double x) { turn(camera, {x, 0, 1}, {0, 1, 0}); };
    for (const double x : {-0.7, 0.7}) {
      turnBy(x);
      boxes.bodies.push_back(makePane({10, 10, 50, 50}, 10));
      boxes.bodies.push_back(makePane({22, 22, 28, 28}, 20));
    }
    turnBy(-0.7);
    boxes.lastVisible.clear();
    for (int frame = 0; frame < 3; ++frame) {
      boxes.drawInTwoPhases(shot);
      boxes.lastVisible = boxes.visible;
    }
    EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_FIRST)[0], (Marks{true, false, false, false}));
    // Off, while the camera turns, and on.
    turnBy(0.7);
    EXPECT_EQ(boxes.compact(shot, 0)[0], Marks(4, true));
    const std::vector<Picture> expected = boxes.drawAll(shot);
    const std::vector<Marks> stale = boxes.compact(shot, SLU_OCCLUSION_FIRST);
    std::vector<Picture> naive = clearedPictures(shot);
    boxes.draw(naive, shot, &stale);
    EXPECT_NE(naive[0].owners, expected[0].owners);
    const OcclusionHost::TwoPhases after = boxes.drawInTwoPhases(shot);
    EXPECT_EQ(after.pictures[0].owners, expected[0].owners);
    EXPECT_EQ(after.pictures[0].depths, expected[0].depths);
    EXPECT_EQ(after.second[0], (Marks{false, false, true, true}));  // the pyramid has neither of the two
  }
}

// What a wall hides from the left eye is not hidden from the right one.
TEST_F(OcclusionMistakes, OneEyesPyramidIsTakenForBoth) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    shot.cameras.push_back(shot.cameras[0]);
    shot.cameras[1].eye[0] += 2;
    shot.layers = {0, 1};
    shot.layerCount = 2;
    walls.bodies = {makePane({10, 10, 54, 54}, 2)};
    boxes.bodies = {makePane({28, 28, 32, 32}, 20), makePane({16.2, 28.2, 19.8, 31.8}, 3)};
    const std::vector<Picture> pictures = drawWith(boxes);
    ASSERT_FALSE(ownersOf(pictures[0], 2)[kSeen]);
    ASSERT_TRUE(ownersOf(pictures[1], 2)[kSeen]);
    const Bytes pyramid = pyramidOf(pictures, shot);
    Shot ofOneEye = shot;
    ofOneEye.layers = {0, 0};
    EXPECT_FALSE(boxes.compact(ofOneEye, SLU_OCCLUSION_SINGLE, pyramid)[1][kSeen]);
    const std::vector<Marks> kept = boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid);
    EXPECT_EQ(kept[0], Marks(2, false));
    EXPECT_TRUE(kept[1][kSeen]);
  }
}

// The greatest of scales with their signs makes a mirrored sphere too small.
TEST_F(OcclusionMistakes, ScalesOfMirroredSpheresAreSigned) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makePane({26, 26, 38, 38}, 5)};
    spheres.bodies = {makeBody(0, 0, 20, {1, 1, 1}), makeBody(0, 0, 30, {1, 1, 1})};
    auto& rows = spheres.bodies[kSeen].linear.rows;
    rows[0][0] = -5;
    const double radius = std::max({double{rows[0][0]}, double{rows[1][1]}, double{rows[2][2]}});
    const double slope = radius / (20.0 - radius);
    EXPECT_TRUE(areNearerWithin(drawWith(spheres)[0], -slope, slope, -slope, slope, depthAt(20.0 - radius)));
    expectRight(spheres);
  }
}

// The least and the greatest corner of a mirrored box change places, so that it seems to cover no pixel.
TEST_F(OcclusionMistakes, CornersOfMirroredBoxesAreNotSorted) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    walls.bodies = {makePane({26, 26, 38, 38}, 5)};
    boxes.bodies = {makeBody(0, 0, 20, {1, 1, 1}), makeBody(0, 0, 30, {1, 1, 1})};
    auto& rows = boxes.bodies[kSeen].linear.rows;
    rows[0][0] = -5;
    const double first = double{rows[0][0]} / 20, last = -first;
    EXPECT_TRUE(areNearerWithin(drawWith(boxes)[0], -first, -last, -1.0 / 20, 1.0 / 20, depthAt(19)));
    expectRight(boxes);
  }
}

// A pyramid of another size than the frame says is read by the frame's layout.
TEST_F(OcclusionMistakes, PyramidIsOfAnotherSize) {
  for (const bool isReversed : {false, true}) {
    look(64, 64, isReversed);
    const auto wall = [&] {
      std::vector<Picture> pictures = clearedPictures(shot);
      std::fill(pictures[0].depths.begin(), pictures[0].depths.end(), static_cast<float>(depthAt(5)));
      return pyramidOf(pictures, shot);
    };
    Bytes pyramid = wall();
    boxes.bodies = {makePane({10, 10, 20, 20}, 20), makePane({30, 30, 40, 40}, 20)};
    shot.format.width = random.pick({32u, 63u});
    shot.format.height = random.pick({32u, 63u, 64u});
    const Bytes smaller = wall();
    std::copy(smaller.begin(), smaller.end(), pyramid.begin());
    shot.format.width = shot.format.height = 64;
    EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, true));
    setHeader(pyramid, SLU_PYRAMID_WORD_WIDTH, 64);
    setHeader(pyramid, SLU_PYRAMID_WORD_HEIGHT, 64);
    EXPECT_EQ(boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramid)[0], Marks(2, false));
  }
}

// A comparison with NaN is false, and other numbers that are no depths may seem to be near.
TEST_F(OcclusionMistakes, DepthsThatAreNoneAreNear) {
  std::uint32_t wrongCount = 0;
  for (const bool isReversed : {false, true}) {
    for (const float garbage : {kNan, -kNan, kInfinity, -kInfinity, -1.0f, 2.0f}) {
      look(64, 64, isReversed);
      walls.bodies = {makeWholePane(5)};
      boxes.bodies = {makePane({10.2, 10.2, 13.8, 13.8}, 20), makePane({40.2, 40.2, 43.8, 43.8}, 20)};
      std::vector<Picture> pictures = drawWith(boxes);
      pictures[0].depths[pictures[0].at(12, 11)] = garbage;
      float naive = isReversed ? 1.0f : 0.0f;
      for (std::uint32_t y = 10; y < 14; ++y) {
        for (std::uint32_t x = 10; x < 14; ++x) {
          const float depth = pictures[0].depths[pictures[0].at(x, y)];
          if (isReversed ? depth < naive : depth > naive) naive = depth;
        }
      }
      wrongCount += isNearer(double{naive}, depthAt(20)) ? 1 : 0;
      const Marks kept = boxes.compact(shot, SLU_OCCLUSION_SINGLE, pyramidOf(pictures, shot))[0];
      EXPECT_TRUE(kept[kSeen]) << garbage << (isReversed ? ", reversed" : "");
      EXPECT_FALSE(kept[kUnseen]) << garbage << (isReversed ? ", reversed" : "");
    }
  }
  EXPECT_EQ(wrongCount, 8u);  // both of NaN in either direction, and what seems to lie before the near plane
}

}  // namespace
}  // namespace slu::test
