// The projections of sluice/occlusion.h against doubles: what bounds cover lies within their footprint, and not much else.
#include <gtest/gtest.h>
#include <sluice/occlusion.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

#include "occlusion.h"
#include "random.h"

namespace slu::test {
namespace {

float floatOfBits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// A random float of each exponent between the two, and the ends of its binade.
template <typename Judge>
void forFloats(float least, float most, Random& random, const Judge& judge) {
  for (std::uint32_t exponent = 1; exponent < 255; ++exponent) {
    for (std::uint32_t i = 0; i < 4000; ++i) {
      const std::uint32_t mantissa = i == 0 ? 0 : i == 1 ? 0x7fffff : random.below(0x800000);
      const float value = floatOfBits(exponent << 23 | mantissa);
      if (value >= least && value <= most) judge(value);
    }
  }
}

TEST(Footprints, ReciprocalsAreWithinTheirError) {
  Random random;
  SCOPED_TRACE(describeSeed());
  double worst = 0;
  forFloats(1e-30f, 1e30f, random, [&](float value) {
    worst = std::max(worst, std::fabs(double{sluReciprocal(value)} * double{value} - 1.0));
  });
  EXPECT_LE(worst, 0x1p-21);
}

TEST(Footprints, RootsAreAboveWithinTheirError) {
  Random random;
  SCOPED_TRACE(describeSeed());
  double greatest = -1, least = 1;
  forFloats(1e-30f, 1e30f, random, [&](float value) {
    const double above = double{sluRootAbove(value)} / std::sqrt(double{value}) - 1.0;
    greatest = std::max(greatest, above);
    least = std::min(least, above);
  });
  EXPECT_GE(least, 0.0);
  EXPECT_LE(greatest, 0x1p-18);
  for (const float value : {0.0f, -0.0f, 1e-38f, 1e-45f}) {
    EXPECT_GE(double{sluRootAbove(value)}, std::sqrt(double{value}));
    EXPECT_LE(double{sluRootAbove(value)}, 1.00001e-15);
  }
}

// ---- Projections by doubles ----

// The least and the greatest of a ratio.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

// What bounds cover: clip x / w, y / w, z / w, and the least and the greatest w.
struct Projected {
  Extent ratios[3];
  double leastW = std::numeric_limits<double>::infinity();
  double greatestW = -std::numeric_limits<double>::infinity();

  void add(const Clip& clip) {
    leastW = std::min(leastW, clip.w);
    greatestW = std::max(greatestW, clip.w);
    if (clip.w <= 0.0) return;
    ratios[0].add(clip.x / clip.w);
    ratios[1].add(clip.y / clip.w);
    ratios[2].add(clip.z / clip.w);
  }
};

struct Bounds {
  bool isBox = false;
  SluFloat3 center{};
  SluFloat3 extents{};  // of a box
  float radius2 = 0;    // of a sphere, whose square is what functions take
};

Point centerOf(const Bounds& bounds) {
  return {double{bounds.center.x}, double{bounds.center.y}, double{bounds.center.z}};
}

// The corners of a box. Points of a sphere: many, then those where each ratio is extreme, which hill climbing finds.
Projected projectByForce(const float (&matrix)[16], const Bounds& bounds, Random& random) {
  Projected projected;
  const Point center = centerOf(bounds);
  const auto at = [&](double x, double y, double z) {
    return applyMatrix(matrix, {center[0] + x, center[1] + y, center[2] + z});
  };
  if (bounds.isBox) {
    for (int corner = 0; corner < 8; ++corner) {
      const auto sign = [&](int axis) { return (corner >> axis & 1) != 0 ? 1.0 : -1.0; };
      projected.add(at(sign(0) * double{bounds.extents.x}, sign(1) * double{bounds.extents.y},
                       sign(2) * double{bounds.extents.z}));
    }
    return projected;
  }
  const double radius = std::sqrt(double{bounds.radius2});
  const auto onSphere = [&](const Point& direction) {
    const double length =
        std::sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    return at(radius * direction[0] / length, radius * direction[1] / length, radius * direction[2] / length);
  };
  std::vector<Point> directions;
  for (int i = 0; i < 200; ++i) {
    directions.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    projected.add(onSphere(directions.back()));
  }
  // The points of least and of greatest w are exact.
  double w[3];
  for (int i = 0; i < 3; ++i) w[i] = -double{matrix[i * 4 + 3]};
  const double length2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  if (length2 > 0) {
    projected.add(onSphere({w[0], w[1], w[2]}));
    projected.add(onSphere({-w[0], -w[1], -w[2]}));
  }
  if (projected.leastW <= 0.0) return projected;
  const auto ratioOf = [&](const Point& direction, int row) {
    const Clip clip = onSphere(direction);
    return (row == 0 ? clip.x : row == 1 ? clip.y : clip.z) / clip.w;
  };
  for (int row = 0; row < 3; ++row) {
    for (const double sign : {1.0, -1.0}) {
      Point best = directions[0];
      for (const Point& direction : directions) {
        if (sign * ratioOf(direction, row) > sign * ratioOf(best, row)) best = direction;
      }
      // Climbs in ever smaller steps.
      double step = 0.3;
      double value = sign * ratioOf(best, row);
      for (int round = 0; round < 400 && step > 1e-9; ++round) {
        bool isBetter = false;
        for (int axis = 0; axis < 3; ++axis) {
          for (const double move : {step, -step}) {
            Point tried = best;
            tried[static_cast<std::size_t>(axis)] += move;
            const double length = std::sqrt(tried[0] * tried[0] + tried[1] * tried[1] + tried[2] * tried[2]);
            for (double& component : tried) component /= length;
            const double reached = sign * ratioOf(tried, row);
            if (reached > value) {
              value = reached;
              best = tried;
              isBetter = true;
            }
          }
        }
        if (!isBetter) step *= 0.5;
      }
      projected.add(onSphere(best));
    }
  }
  return projected;
}

// A view of a camera and of a picture, and bounds that it sees, or hardly.
struct Footprinted {
  PyramidCamera camera;
  SluOcclusionView view{};
  std::uint32_t width = 1, height = 1;
  SluOcclusionBlock block{};
  Bounds bounds;
};

// The camera is up to `away` from the origin, and bounds are `scale` large or far, or somewhat more or less.
Footprinted makeFootprinted(double away, float scale, Random& random) {
  Footprinted it;
  const auto anywhere = [&] { return away * double{random.uniform(-1, 1)}; };
  it.camera = makePyramidCamera({anywhere(), anywhere(), anywhere()}, random);
  PyramidCamera& camera = it.camera;
  camera.nearest = double{scale} * double{random.pick({1e-4f, 1e-3f, 0.1f})};
  if (!std::isinf(camera.farthest)) camera.farthest = camera.nearest * double{random.pick({10.0f, 1e3f, 1e5f})};
  if (camera.isOrthographic) {
    camera.halfX = double{scale} * double{random.uniform(0.2f, 3.0f)};
    camera.halfY = double{scale} * double{random.uniform(0.2f, 3.0f)};
  }
  if (random.chance(0.2)) {
    camera.halfX *= 0.1;
    camera.halfY *= 0.1;
  }
  camera.getMatrix(it.view.viewProjection);
  // An oblique near plane, as mirrors and portals have, or clip coordinates that all are larger.
  if (random.chance(0.15)) {
    for (int i = 0; i < 3; ++i) it.view.viewProjection[i * 4 + 2] += random.uniform(-0.2f, 0.2f);
  }
  if (random.chance(0.15)) {
    const float factor = random.pick({0.01f, -1.0f, 3.0f, 100.0f});
    for (float& value : it.view.viewProjection) value *= std::fabs(factor);
  }
  it.view.flags = random.chance(0.5) ? SLU_OCCLUSION_FLIPPED_BIT : 0;
  const auto size = [&] {
    return random.pick(
        {1u, 2u, 3u, random.between(1, 20), random.between(1, 500), random.between(1, 4096), 1920u, 1081u});
  };
  it.width = size();
  it.height = size();
  it.block = sluPrepareOcclusion(it.view, it.width, it.height, 1, 0.0f);
  // Somewhere ahead, now and then behind or at the near plane.
  const double ahead = random.chance(0.1)   ? -double{scale} * double{random.uniform(0.0f, 1.0f)}
                       : random.chance(0.1) ? camera.nearest
                                            : double{scale} * double{random.pick({0.1f, 1.0f, 3.0f})} *
                                                  double{random.uniform(0.1f, 1.0f)};
  const double spread = 1.3 * (camera.isOrthographic ? 1.0 : std::fabs(ahead));
  const Point center = camera.at(spread * camera.halfX * double{random.uniform(-1, 1)},
                                 spread * camera.halfY * double{random.uniform(-1, 1)}, ahead);
  Bounds& bounds = it.bounds;
  bounds.center = {static_cast<float>(center[0]), static_cast<float>(center[1]), static_cast<float>(center[2])};
  bounds.isBox = random.chance(0.5);
  const float large = scale * random.pick({1e-4f, 0.01f, 0.1f, 0.5f, 2.0f});
  const auto extent = [&] { return random.chance(0.05) ? 0.0f : large * random.uniform(0.05f, 1.0f); };
  if (bounds.isBox) {
    bounds.extents = {extent(), extent(), extent()};
  } else {
    const float radius = extent();
    bounds.radius2 = radius * radius;
  }
  return it;
}

SluFootprint footprintOf(const Footprinted& it) {
  const Bounds& bounds = it.bounds;
  if (!bounds.isBox) return sluSphereFootprint(it.block, bounds.center, bounds.radius2);
  return sluBoxFootprint(it.block, SluBox{bounds.center, bounds.extents});
}

// The pixels of an extent of clip x / w along an axis, not clamped.
Extent pixelsOf(const Extent& ratios, double sign, std::uint32_t size) {
  Extent pixels;
  for (const double ratio : {ratios.least, ratios.greatest}) pixels.add((sign * ratio + 1.0) * 0.5 * size);
  return pixels;
}

// Whether the texels of a footprint along an axis have all of the pixels from `first` to `last` that the picture has.
bool covers(double first, double last, std::uint32_t size, std::uint32_t level, std::uint32_t firstTexel,
            std::uint32_t lastTexel) {
  const double firstPixel = std::max(std::floor(first), 0.0), lastPixel = std::min(std::floor(last), size - 1.0);
  if (firstPixel > lastPixel) return true;
  const double texel = std::ldexp(1.0, static_cast<int>(level) + 1);
  return std::floor(firstPixel / texel) >= firstTexel && std::floor(lastPixel / texel) <= lastTexel;
}

// What floats lose, in pixels and of depth: the errors of what is added far from the origin, and of spheres so small and
// near that a root of 1e-30 is a lot.
struct Loss {
  double pixels, depth;
  bool isAll;  // w of the nearest point is not much more than its error
};

Loss lossOf(const Footprinted& it, const Projected& projected) {
  const Bounds& bounds = it.bounds;
  const double reach[3] = {std::fabs(double{bounds.center.x}) + double{bounds.extents.x},
                           std::fabs(double{bounds.center.y}) + double{bounds.extents.y},
                           std::fabs(double{bounds.center.z}) + double{bounds.extents.z}};
  double magnitudes[4];
  for (int row = 0; row < 4; ++row) {
    magnitudes[row] = std::fabs(double{it.view.viewProjection[12 + row]});
    for (int i = 0; i < 3; ++i) magnitudes[row] += std::fabs(double{it.view.viewProjection[i * 4 + row]}) * reach[i];
  }
  const auto greatest = [](const Extent& extent) {
    return std::max(std::fabs(extent.least), std::fabs(extent.greatest));
  };
  const auto loss = [&](int row) {
    return 0x1p-19 * (magnitudes[row] + greatest(projected.ratios[row]) * magnitudes[3]) / projected.leastW +
           0x1p-18 * greatest(projected.ratios[row]) + 1.1e-15 / (projected.leastW * projected.leastW);
  };
  return {std::max(loss(0) * it.width, loss(1) * it.height) * 0.5, loss(2), projected.leastW < 0x1p-17 * magnitudes[3]};
}

class FootprintsTest : public testing::Test {
 protected:
  Random random;

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
};

std::string describe(const Footprinted& it, const SluFootprint& footprint, const Projected& projected) {
  std::ostringstream text;
  text << (it.bounds.isBox ? "box" : "sphere") << " in " << it.width << " x " << it.height << ", flags "
       << it.view.flags << ", outcome " << footprint.outcome << ", level " << footprint.level << " x "
       << footprint.firstX << ".." << footprint.lastX << " y " << footprint.firstY << ".." << footprint.lastY << ", z "
       << footprint.nearest << ".." << footprint.farthest << "; exact x / w " << projected.ratios[0].least << ".."
       << projected.ratios[0].greatest << ", y / w " << projected.ratios[1].least << ".."
       << projected.ratios[1].greatest << ", z / w " << projected.ratios[2].least << ".."
       << projected.ratios[2].greatest << ", least w " << projected.leastW
       << (it.camera.isOrthographic ? ", orthographic" : "") << ", eye " << it.camera.eye[0] << ' ' << it.camera.eye[1]
       << ' ' << it.camera.eye[2];
  return text.str();
}

constexpr float kScales[] = {1e-3f, 0.05f, 1.0f, 30.0f, 1e3f, 1e6f};

// No pixel and no depth of any point is left out.
TEST_F(FootprintsTest, AreConservative) {
  std::uint32_t counts[3] = {};
  std::uint32_t behind = 0;
  for (const float scale : kScales) {
    for (const double away : {0.0, 1.0, 30.0, 1000.0}) {
      for (int i = 0; i < 1200; ++i) {
        const Footprinted it = makeFootprinted(away * double{scale}, scale, random);
        const Projected projected = projectByForce(it.view.viewProjection, it.bounds, random);
        const SluFootprint footprint = footprintOf(it);
        ++counts[footprint.outcome];
        if (footprint.outcome == SLU_FOOTPRINT_VISIBLE) continue;
        if (footprint.outcome == SLU_FOOTPRINT_OUTSIDE && projected.greatestW < 0.0) {
          ++behind;
          continue;
        }
        ASSERT_GT(projected.leastW, 0.0) << describe(it, footprint, projected);
        const double sign = (it.view.flags & SLU_OCCLUSION_FLIPPED_BIT) != 0 ? -1.0 : 1.0;
        const Extent x = pixelsOf(projected.ratios[0], 1.0, it.width);
        const Extent y = pixelsOf(projected.ratios[1], sign, it.height);
        if (footprint.outcome == SLU_FOOTPRINT_OUTSIDE) {
          const bool isBeside = x.greatest < 0.0 || y.greatest < 0.0 || x.least > it.width || y.least > it.height;
          ASSERT_TRUE(isBeside) << describe(it, footprint, projected);
          continue;
        }
        ASSERT_TRUE(covers(x.least, x.greatest, it.width, footprint.level, footprint.firstX, footprint.lastX) &&
                    covers(y.least, y.greatest, it.height, footprint.level, footprint.firstY, footprint.lastY))
            << describe(it, footprint, projected);
        ASSERT_LE(double{footprint.nearest}, projected.ratios[2].least) << describe(it, footprint, projected);
        ASSERT_GE(double{footprint.farthest}, projected.ratios[2].greatest) << describe(it, footprint, projected);
        // Texels of the level, of which there are two by two at most.
        ASSERT_LT(footprint.level, it.block.levelCount);
        ASSERT_LE(footprint.firstX, footprint.lastX);
        ASSERT_LE(footprint.firstY, footprint.lastY);
        ASSERT_LE(footprint.lastX - footprint.firstX, 1u);
        ASSERT_LE(footprint.lastY - footprint.firstY, 1u);
        ASSERT_LT(footprint.lastX, sluPyramidLevelSize(it.width, footprint.level));
        ASSERT_LT(footprint.lastY, sluPyramidLevelSize(it.height, footprint.level));
      }
    }
  }
  for (const std::uint32_t count : counts) EXPECT_GT(count, 500u);
  EXPECT_GT(behind, 500u);
}

// By such a matrix nothing can be projected, so that a view hides nothing.
TEST_F(FootprintsTest, AreNoneByAnEndlessW) {
  for (const float scale : kScales) {
    for (int i = 0; i < 1000; ++i) {
      Footprinted it = makeFootprinted(30.0 * double{scale}, scale, random);
      std::fill_n(it.view.viewProjection, 15, 0.0f);
      it.view.viewProjection[15] = 1e20f;
      it.block = sluPrepareOcclusion(it.view, it.width, it.height, 1, 0.0f);
      ASSERT_EQ(footprintOf(it).outcome, SLU_FOOTPRINT_VISIBLE);
    }
  }
}

// Texels and their level are at most those of the exact footprint that is 3 % and one pixel larger, and as much as floats lose.
// Depths are within 1.5 % of the bounds' depth.
TEST_F(FootprintsTest, AreTight) {
  std::uint32_t judged = 0, visible = 0;
  for (const float scale : kScales) {
    for (const double away : {0.0, 1.0, 10.0, 100.0}) {
      for (int i = 0; i < 1200; ++i) {
        const Footprinted it = makeFootprinted(away * double{scale}, scale, random);
        const Projected projected = projectByForce(it.view.viewProjection, it.bounds, random);
        if (projected.leastW <= 0.0) continue;
        const SluFootprint footprint = footprintOf(it);
        const Clip center = applyMatrix(it.view.viewProjection, centerOf(it.bounds));
        const Loss loss = lossOf(it, projected);
        const std::string text = describe(it, footprint, projected);
        if (footprint.outcome == SLU_FOOTPRINT_VISIBLE) {
          // A sphere whose nearest point is less than an eighth of its w before the eye's plane has in2 below a sixty-fourth of
          // w2 only if leastW / w is below 1 - sqrt(1 - 1 / 64).
          ++visible;
          const double least = it.bounds.isBox ? 0.0009765625 : 1.0 - std::sqrt(63.0 / 64.0);
          const bool isNear = projected.leastW < center.w * (least + 1e-3);
          const bool isFar =
              std::max(std::fabs(projected.ratios[0].least), std::fabs(projected.ratios[0].greatest)) > 1e5 ||
              std::max(std::fabs(projected.ratios[1].least), std::fabs(projected.ratios[1].greatest)) > 1e5 ||
              std::max(std::fabs(projected.ratios[2].least), std::fabs(projected.ratios[2].greatest)) > 1e5;
          ASSERT_TRUE(isNear || isFar || loss.isAll) << text;
          continue;
        }
        if (footprint.outcome != SLU_FOOTPRINT_TEXELS || loss.isAll) continue;
        ++judged;
        // What a sphere's discriminant is increased by is a part of what it is the difference of, so that spheres close to
        // the plane of the eye are taken for up to half larger.
        const bool isClose = !it.bounds.isBox && projected.leastW < center.w / 3.0;
        const double part = isClose ? 0.5 : 0.03;
        const double sign = (it.view.flags & SLU_OCCLUSION_FLIPPED_BIT) != 0 ? -1.0 : 1.0;
        const Extent exact[2] = {pixelsOf(projected.ratios[0], 1.0, it.width),
                                 pixelsOf(projected.ratios[1], sign, it.height)};
        const std::uint32_t sizes[2] = {it.width, it.height};
        const std::uint32_t firsts[2] = {footprint.firstX, footprint.firstY};
        const std::uint32_t lasts[2] = {footprint.lastX, footprint.lastY};
        // What is a little larger needs no coarser level, and no other texels of it.
        std::uint32_t level = 0;
        std::uint32_t first[2], last[2];
        for (int axis = 0; axis < 2; ++axis) {
          const double wider = part * (exact[axis].greatest - exact[axis].least) / 2 + 0.5 + loss.pixels;
          const double top = sizes[axis] - 1.0;
          first[axis] = static_cast<std::uint32_t>(std::clamp(std::floor(exact[axis].least - wider), 0.0, top));
          last[axis] = static_cast<std::uint32_t>(std::clamp(std::floor(exact[axis].greatest + wider), 0.0, top));
          while ((last[axis] >> (level + 1)) - (first[axis] >> (level + 1)) > 1) ++level;
        }
        ASSERT_LE(footprint.level, level) << text;
        for (int axis = 0; axis < 2; ++axis) {
          const std::uint32_t texel = footprint.level + 1;
          ASSERT_GE(firsts[axis], first[axis] >> texel) << text << ", axis " << axis;
          ASSERT_LE(lasts[axis], last[axis] >> texel) << text << ", axis " << axis;
        }
        const double depthSize = projected.ratios[2].greatest - projected.ratios[2].least;
        const double tolerance = part / 2 * depthSize + loss.depth + 1e-7;
        ASSERT_GE(double{footprint.nearest}, projected.ratios[2].least - tolerance) << text;
        ASSERT_LE(double{footprint.farthest}, projected.ratios[2].greatest + tolerance) << text;
      }
    }
  }
  EXPECT_GT(judged, 3000u);
  EXPECT_GT(visible, 20u);
}

}  // namespace
}  // namespace slu::test
