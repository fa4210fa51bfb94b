// Pyramids of the CPU route, and what every route refuses.
#include <gtest/gtest.h>
#include <sluice/pyramid.h>

#include <cstring>
#include <sluice/sluice.hpp>
#include <span>

#include "pyramid_cases.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kPoison = 0xa5a5a5a5;
constexpr std::uint32_t kCanaryWords = 32;

class PyramidTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    ASSERT_EQ(sluCreateContext(&info, context.put(), nullptr), SLU_SUCCESS);
  }

  static SluPyramidCreateInfo createInfo(const PyramidCase& pyramid) {
    auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    info.route = SLU_ROUTE_CPU;
    info.width = pyramid.width;
    info.height = pyramid.height;
    info.layerCount = pyramid.layerCount;
    info.direction = pyramid.isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    return info;
  }
  Pyramid makePyramid(const PyramidCase& pyramid) {
    const SluPyramidCreateInfo info = createInfo(pyramid);
    Pyramid made;
    EXPECT_EQ(sluCreatePyramid(context, &info, made.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
    return made;
  }
  template <typename T>
  Buffer makeBuffer(std::span<T> memory) {
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.size = memory.size_bytes();
    info.hostPointer = memory.data();
    Buffer buffer;
    EXPECT_EQ(sluCreateBuffer(context, &info, buffer.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
    return buffer;
  }

  Context context;
  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
};

// Rows and layers lie apart, the memory is poisoned, and nothing else is written.
TEST_F(PyramidTest, EverySize) {
  for (PyramidCase each : pyramidCases()) {
    SCOPED_TRACE(describe(each));
    each.frameNumber = random.word();
    const std::uint32_t rowWords = each.width + random.below(5);
    const std::uint32_t layerWords = rowWords * each.height + random.below(9);
    std::vector<float> depths(std::size_t{layerWords} * each.layerCount);
    for (float& depth : depths) depth = anyDepth(random);
    const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
      return depths[std::size_t{layer} * layerWords + std::size_t{y} * rowWords + x];
    });

    const Pyramid pyramid = makePyramid(each);
    auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
    ASSERT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_SUCCESS);
    ASSERT_EQ(properties.bytes, expected.size() * 4);
    std::vector<std::uint32_t> memory(expected.size() + 2 * kCanaryWords, kPoison);
    const Buffer to = makeBuffer(std::span(memory)), from = makeBuffer(std::span(depths));
    auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = {to, kCanaryWords * 4};
    build.depth = {from, 0};
    build.rowPitch = rowWords * 4;
    build.layerPitch = layerWords * 4;
    build.frameNumber = each.frameNumber;
    ASSERT_EQ(sluBuildPyramid(pyramid, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
    const auto canaries = [&](std::size_t first) {
      return std::vector(memory.begin() + static_cast<std::ptrdiff_t>(first),
                         memory.begin() + static_cast<std::ptrdiff_t>(first + kCanaryWords));
    };
    const std::vector<std::uint32_t> poison(kCanaryWords, kPoison);
    EXPECT_EQ(canaries(0), poison);
    EXPECT_EQ(canaries(kCanaryWords + expected.size()), poison);
    EXPECT_EQ(std::memcmp(memory.data() + kCanaryWords, expected.data(), expected.size() * 4), 0);
  }
}

// The properties, and the functions of pyramid.h, name the places where the brute force put each level.
TEST_F(PyramidTest, LevelsLieWhereTheHeaderSays) {
  for (const PyramidCase& each : pyramidCases()) {
    SCOPED_TRACE(describe(each));
    const Pyramid pyramid = makePyramid(each);
    auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
    ASSERT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_SUCCESS);
    EXPECT_EQ(properties.route, SLU_ROUTE_CPU);
    std::uint64_t offset = 64;
    std::uint32_t level = 0;
    for (std::uint32_t square = 2;; square *= 2, ++level) {
      const std::uint32_t columns = (each.width + square - 1) / square, rows = (each.height + square - 1) / square;
      ASSERT_LT(level, properties.levelCount);
      EXPECT_EQ(properties.levels[level].offset, offset);
      EXPECT_EQ(properties.levels[level].width, columns);
      EXPECT_EQ(properties.levels[level].height, rows);
      EXPECT_EQ(sluPyramidTexel(each.width, each.height, each.layerCount - 1, level, columns - 1, rows - 1),
                (offset + (each.layerCount - 1) * properties.layerBytes) / 4 + columns * rows - 1);
      offset += std::uint64_t{4} * columns * rows;
      if (columns == 1 && rows == 1) break;
    }
    EXPECT_EQ(properties.levelCount, level + 1);
    EXPECT_EQ(properties.layerBytes, offset - 64);
    EXPECT_EQ(properties.bytes, 64 + each.layerCount * properties.layerBytes);
    for (++level; level < SLU_MAX_PYRAMID_LEVELS; ++level) EXPECT_EQ(properties.levels[level].width, 0u);
  }
}

// A viewport that changes its size needs no other SluPyramid. Its pyramid is that of its size.
TEST_F(PyramidTest, SmallerSizes) {
  const Pyramid pyramid = makePyramid({200, 150, 2});
  for (const auto& [width, height] : {std::pair{200u, 75u}, {1u, 1u}, {131u, 150u}}) {
    const PyramidCase each{width, height, 2};
    SCOPED_TRACE(describe(each));
    std::vector<float> depths(std::size_t{width} * height * 2);
    for (float& depth : depths) depth = anyDepth(random);
    const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
      return depths[(std::size_t{layer} * each.height + y) * each.width + x];
    });
    std::vector<std::uint32_t> memory(expected.size(), kPoison);
    const Buffer to = makeBuffer(std::span(memory)), from = makeBuffer(std::span(depths));
    auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = {to, 0};
    build.depth = {from, 0};
    build.width = width;
    build.height = height;
    ASSERT_EQ(sluBuildPyramid(pyramid, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(memory, expected);
  }
}

class PyramidFields : public PyramidTest {
 protected:
  void SetUp() override {
    PyramidTest::SetUp();
    create = createInfo({40, 30, 2});
    memory.assign(8192, kPoison);
    buffer = makeBuffer(std::span(memory));
    pyramid = makePyramid({40, 30, 2});
    build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = {buffer, 16384};
    build.depth = {buffer, 0};
  }
  void expectCreateRefused(const std::string& part, SluResult expected = SLU_ERROR_INVALID_ARGUMENT) {
    SluPyramid none = nullptr;
    EXPECT_EQ(sluCreatePyramid(context, &create, &none), expected) << part;
    EXPECT_EQ(none, nullptr);
    EXPECT_NE(std::string(sluGetErrorMessage(context)).find(part), std::string::npos) << sluGetErrorMessage(context);
  }
  void expectBuildRefused(const std::string& part) {
    EXPECT_EQ(sluBuildPyramid(pyramid, &build), SLU_ERROR_INVALID_ARGUMENT) << part;
    EXPECT_NE(std::string(sluGetErrorMessage(context)).find(part), std::string::npos) << sluGetErrorMessage(context);
    EXPECT_EQ(memory, std::vector<std::uint32_t>(8192, kPoison));
  }

  SluPyramidCreateInfo create;
  SluPyramidBuildInfo build;
  std::vector<std::uint32_t> memory;
  Buffer buffer;
  Pyramid pyramid;
};

TEST_F(PyramidFields, OfCreating) {
  const SluPyramidCreateInfo good = create;
  const auto spoil = [&](auto&& change, const std::string& part, SluResult expected = SLU_ERROR_INVALID_ARGUMENT) {
    create = good;
    change(create);
    expectCreateRefused(part, expected);
  };
  spoil([](auto& info) { info.sType = SLU_STRUCTURE_TYPE_FRAME_INFO; }, "pyramid.sType");
  spoil([](auto& info) { info.structSize = 8; }, "pyramid.structSize");
  spoil([](auto& info) { info.width = 0; }, "pyramid.width: is 0, must be 1 to 16384");
  spoil([](auto& info) { info.height = 16385; }, "pyramid.height: is 16385, must be 1 to 16384");
  spoil([](auto& info) { info.layerCount = 0; }, "pyramid.layerCount: is 0, must be 1 to 16");
  spoil([](auto& info) { info.layerCount = 17; }, "pyramid.layerCount: is 17");
  spoil([](auto& info) { info.direction = 2; }, "pyramid.direction: is 2");
  spoil([](auto& info) { info.framesInFlight = 1025; }, "pyramid.framesInFlight: is 1025, must be at most 1024");
  spoil([](auto& info) { info.reserved = 1; }, "pyramid.reserved: is 1, must be 0");
  spoil([](auto& info) { info.route = static_cast<SluRoute>(6); }, "pyramid.route: is 6, must be at most 5");
  spoil([](auto& info) { info.route = SLU_ROUTE_VULKAN; }, "pyramid.route: vulkan is not available",
        SLU_ERROR_ROUTE_UNAVAILABLE);
  const SluFrameInfo stranger = SLU_INIT(FRAME_INFO, SluFrameInfo);
  spoil([&](auto& info) { info.pNext = &stranger; }, "pyramid.pNext: SluFrameInfo");
  spoil([&](auto& info) { info.pNext = &stranger, info.route = SLU_ROUTE_AUTO; },
        "pyramid.route: no route reads what pyramid.pNext chains", SLU_ERROR_ROUTE_UNAVAILABLE);
  EXPECT_EQ(sluCreatePyramid(context, &good, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCreatePyramid(context, nullptr, pyramid.put()), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCreatePyramid(nullptr, &good, pyramid.put()), SLU_ERROR_INVALID_ARGUMENT);
  create = good;
  create.route = SLU_ROUTE_AUTO;
  EXPECT_EQ(sluCreatePyramid(context, &create, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  sluDestroyPyramid(nullptr);
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  EXPECT_EQ(sluGetPyramidProperties(nullptr, &properties), SLU_ERROR_INVALID_ARGUMENT);
  properties.structSize = 8;
  EXPECT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_ERROR_INVALID_ARGUMENT);
}

// The largest one: 16384 x 16384 pixels in 16 layers.
TEST_F(PyramidFields, OfTheLargest) {
  create = createInfo({16384, 16384, 16});
  ASSERT_EQ(sluCreatePyramid(context, &create, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  ASSERT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.levelCount, 14u);
  EXPECT_EQ(properties.layerBytes, (std::uint64_t{1} << 28) / 3 * 4);
  EXPECT_EQ(properties.bytes, 64 + 16 * properties.layerBytes);
}

TEST_F(PyramidFields, OfABuild) {
  const SluPyramidBuildInfo good = build;
  const auto spoil = [&](auto&& change, const std::string& part) {
    build = good;
    change(build);
    expectBuildRefused(part);
  };
  spoil([](auto& info) { info.sType = SLU_STRUCTURE_TYPE_FRAME_INFO; }, "build.sType");
  spoil([](auto& info) { info.structSize = 8; }, "build.structSize");
  spoil([](auto& info) { info.reserved = 1; }, "build.reserved: is 1");
  spoil([](auto& info) { info.width = 41; }, "build.width: is 41, must be at most 40");
  spoil([](auto& info) { info.height = 31; }, "build.height: is 31, must be at most 30");
  spoil([](auto& info) { info.rowPitch = 162; }, "build.rowPitch: is 162, must be a multiple of 4 from 160");
  spoil([](auto& info) { info.rowPitch = 156; }, "build.rowPitch: is 156");
  spoil([](auto& info) { info.rowPitch = std::uint64_t{1} << 32; }, "build.rowPitch: is 4294967296");
  spoil([](auto& info) { info.layerPitch = 4796; }, "build.layerPitch: is 4796, must be a multiple of 4 from 4800");
  spoil([](auto& info) { info.layerPitch = ~std::uint64_t{3}; }, "build.layerPitch: is 18446744073709551612");
  spoil([](auto& info) { info.pyramid.buffer = nullptr; }, "build.pyramid: is not bound");
  spoil([](auto& info) { info.depth.buffer = nullptr; }, "build.depth: is not bound");
  spoil([](auto& info) { info.pyramid.offset = 16388; }, "build.pyramid.offset: is 16388, must be a multiple of 16");
  spoil([](auto& info) { info.depth.offset = 2; }, "build.depth.offset: is 2, must be a multiple of 4");
  spoil([](auto& info) { info.pyramid.offset = 32752; }, "build.pyramid: needs ");
  spoil([](auto& info) { info.depth.offset = 32764; }, "build.depth: needs 9600 bytes at offset 32764");
  spoil([](auto& info) { info.pyramid.offset = 9584; }, "overlap the 9600 bytes of build.depth");
  const SluFrameInfo stranger = SLU_INIT(FRAME_INFO, SluFrameInfo);
  spoil([&](auto& info) { info.pNext = &stranger; }, "build.pNext: SluFrameInfo");
  Context other;
  const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  ASSERT_EQ(sluCreateContext(&info, other.put(), nullptr), SLU_SUCCESS);
  std::swap(other, context);
  const Buffer foreign = makeBuffer(std::span(memory));
  std::swap(other, context);
  spoil([&](auto& changed) { changed.depth.buffer = foreign; },
        "build.depth.buffer: belongs to another context than the pyramid");
  EXPECT_EQ(sluBuildPyramid(pyramid, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluBuildPyramid(nullptr, &good), SLU_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace slu::test
