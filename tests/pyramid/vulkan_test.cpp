// Pyramids that are built in Vulkan command buffers, from buffers and from images.
#include <sluice/pyramid_values.h>

#include <algorithm>
#include <cstring>

#include "../vulkan/fixture.h"
#include "../vulkan/shim.h"
#include "depth_image.h"
#include "pyramid_cases.h"

namespace slu::test {
namespace {

constexpr std::uint8_t kPoisonByte = 0xa5;
constexpr std::uint64_t kCanaryBytes = 256;

class VulkanPyramid : public VulkanTest {
 protected:
  // A context per way to reach buffers and to dispatch.
  static constexpr SluFlags kFlags[] = {0, SLU_VULKAN_BOUND_BUFFERS_BIT, SLU_VULKAN_SEVERAL_DISPATCHES_BIT};
  Context makeContextWith(SluFlags flags) { return makeContextOf(device(), flags); }
  Context makeContextOf(const VulkanDevice& of, SluFlags flags) {
    SluVulkanDeviceInfo info = of.info();
    info.flags = flags;
    return makeContext(info);
  }

  static SluPyramidCreateInfo createInfo(const PyramidCase& each, const SluVulkanPyramidInfo* images = nullptr,
                                         std::uint32_t framesInFlight = 2) {
    auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    info.pNext = images;
    info.route = SLU_ROUTE_VULKAN;
    info.width = each.width;
    info.height = each.height;
    info.layerCount = each.layerCount;
    info.direction = each.isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    info.framesInFlight = framesInFlight;
    return info;
  }
  static Pyramid makePyramid(SluContext context, const PyramidCase& each, const SluVulkanPyramidInfo* images = nullptr,
                             std::uint32_t framesInFlight = 2) {
    const SluPyramidCreateInfo info = createInfo(each, images, framesInFlight);
    Pyramid made;
    EXPECT_EQ(sluCreatePyramid(context, &info, made.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
    return made;
  }
  static SluVulkanPyramidInfo imagesOf(const DepthImageInfo& info) {
    auto images = SLU_INIT(VULKAN_PYRAMID_INFO, SluVulkanPyramidInfo);
    images.format = info.format;
    images.samples = info.samples;
    images.viewType = info.viewType;
    return images;
  }
  static SluVulkanDepthInfo depthOf(const DepthImage& image, VkOffset2D offset = {}) {
    auto depth = SLU_INIT(VULKAN_DEPTH_INFO, SluVulkanDepthInfo);
    depth.view = image.view;
    depth.layout = image.info.layout;
    depth.extent = {image.info.width, image.info.height};
    depth.offset = offset;
    return depth;
  }

  Random random;
};

// A poisoned buffer with room for a pyramid, which is to lie at an offset.
class Target {
 public:
  Target(const VulkanDevice& device, SluContext context, std::uint64_t bytes, std::uint64_t offset = kCanaryBytes)
      : buffer(device, offset + bytes + kCanaryBytes, allUsages(device.instance), VulkanBuffer::Kind::mapped),
        offset_(offset),
        bytes_(bytes) {
    std::fill_n(buffer.mapped, buffer.size, kPoisonByte);
    require(context, registerBuffer(context, buffer, registered.put()), "sluCreateBuffer");
  }
  SluBinding binding() const { return {registered, offset_}; }

  std::vector<std::uint32_t> words() const {
    std::vector<std::uint32_t> copied(bytes_ / 4);
    std::memcpy(copied.data(), buffer.mapped + offset_, bytes_);
    return copied;
  }
  // Whether nothing but the pyramid was written.
  bool isKeptAround() const {
    const auto isPoison = [](std::uint8_t byte) { return byte == kPoisonByte; };
    return std::all_of(buffer.mapped, buffer.mapped + offset_, isPoison) &&
           std::all_of(buffer.mapped + offset_ + bytes_, buffer.mapped + buffer.size, isPoison);
  }

  VulkanBuffer buffer;
  Buffer registered;

 private:
  const std::uint64_t offset_, bytes_;
};

// What lies in a buffer, from an offset on.
struct Depths {
  Depths(const VulkanDevice& device, SluContext context, std::size_t count, std::uint64_t first, Random& random)
      : buffer(device, first + count * 4, allUsages(device.instance), VulkanBuffer::Kind::mapped), offset(first) {
    std::fill_n(buffer.mapped, offset, kPoisonByte);
    values.resize(count);
    for (float& value : values) value = anyDepth(random);
    std::memcpy(buffer.mapped + offset, values.data(), count * 4);
    require(context, registerBuffer(context, buffer, registered.put()), "sluCreateBuffer");
  }
  VulkanBuffer buffer;
  Buffer registered;
  const std::uint64_t offset;
  std::vector<float> values;
};

// Returns the words that differ, or nothing.
std::string compareWords(const std::vector<std::uint32_t>& actual, const std::vector<std::uint32_t>& expected,
                         std::uint32_t tolerance = 0) {
  if (actual.size() != expected.size()) return "another size";
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const std::uint32_t difference = std::max(actual[i], expected[i]) - std::min(actual[i], expected[i]);
    if (difference > (i < SLU_PYRAMID_HEADER_WORDS ? 0 : tolerance)) {
      return "word " + std::to_string(i) + " is " + std::to_string(actual[i]) + " instead of " +
             std::to_string(expected[i]);
    }
  }
  return {};
}

// Sizes, offsets and pitches, in each way to dispatch.
TEST_F(VulkanPyramid, FromBuffersOfEverySize) {
  for (const SluFlags flags : kFlags) {
    const Context context = makeContextWith(flags);
    for (PyramidCase each : pyramidCases()) {
      SCOPED_TRACE(describe(each) + ", flags " + std::to_string(flags));
      each.frameNumber = random.word();
      const std::uint32_t rowWords = each.width + random.below(5);
      const std::uint32_t layerWords = rowWords * each.height + random.below(9);
      const Depths depths(device(), context, std::size_t{layerWords} * each.layerCount, random.below(100) * 4, random);
      const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
        return depths.values[std::size_t{layer} * layerWords + std::size_t{y} * rowWords + x];
      });
      const Pyramid pyramid = makePyramid(context, each);
      const Target target(device(), context, expected.size() * 4, kCanaryBytes + random.below(30) * 16);
      auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
      build.pyramid = target.binding();
      build.depth = {depths.registered, depths.offset};
      build.rowPitch = rowWords * 4;
      build.layerPitch = layerWords * 4;
      build.frameNumber = each.frameNumber;
      device().runOnce([&](VkCommandBuffer commands) {
        ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
      });
      EXPECT_EQ(compareWords(target.words(), expected), "");
      EXPECT_TRUE(target.isKeptAround());
    }
  }
}

TEST_F(VulkanPyramid, OfAWholeScreen) {
  const Context context = makeContextWith(0);
  const PyramidCase each{1920, 1080, 1, true};
  const Depths depths(device(), context, 1920 * 1080, 0, random);
  const std::vector<std::uint32_t> expected =
      foldByForce(each, [&](auto, auto x, auto y) { return depths.values[y * 1920 + x]; });
  const Pyramid pyramid = makePyramid(context, each);
  const Target target(device(), context, expected.size() * 4);
  auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  build.pyramid = target.binding();
  build.depth = {depths.registered, 0};
  device().runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  EXPECT_EQ(compareWords(target.words(), expected), "");
}

// As many builds as there are sets wait in the queue, and then as many more. One command buffer runs twice. All builds
// but the last in line write to the same pyramid, one after the other.
TEST_F(VulkanPyramid, SeveralInFlight) {
  constexpr std::uint32_t kFrames = 3;
  for (const SluFlags flags : kFlags) {
    const Context context = makeContextWith(flags);
    const Pyramid pyramid = makePyramid(context, {150, 200, 2}, nullptr, kFrames);
    for (std::uint32_t round = 0; round < 2; ++round) {
      std::vector<std::unique_ptr<Depths>> depths;
      std::vector<std::unique_ptr<Target>> targets;
      std::vector<std::vector<std::uint32_t>> expected;
      std::vector<VkCommandBuffer> commands;
      for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        const PyramidCase each{150 - frame * 40, 200 - frame * 30, 2, false, random.word()};
        depths.push_back(std::make_unique<Depths>(device(), context, each.width * each.height * 2, 0, random));
        expected.push_back(foldByForce(each, [&](auto layer, auto x, auto y) {
          return depths.back()->values[(layer * each.height + y) * each.width + x];
        }));
        targets.push_back(std::make_unique<Target>(device(), context, expected.back().size() * 4));
        auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
        build.depth = {depths.back()->registered, 0};
        build.width = each.width;
        build.height = each.height;
        build.frameNumber = each.frameNumber;
        build.pyramid = targets.back()->binding();
        commands.push_back(device().beginCommands(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT));
        ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands.back(), &build), SLU_SUCCESS) << sluGetErrorMessage(context);
        check(device().functions.vkEndCommandBuffer(commands.back()), "vkEndCommandBuffer");
      }
      device().submit(commands);
      for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        EXPECT_EQ(compareWords(targets[frame]->words(), expected[frame]), "") << frame;
        std::fill_n(targets[frame]->buffer.mapped, targets[frame]->buffer.size, kPoisonByte);
      }
      device().submit({commands[1]});
      EXPECT_EQ(compareWords(targets[1]->words(), expected[1]), "");
      EXPECT_NE(targets[0]->words()[SLU_PYRAMID_WORD_VALID], SLU_PYRAMID_VALID);
      for (const VkCommandBuffer each : commands) device().freeCommands(each);
    }
  }
}

// The texels of an image in a format, and the depths that they stand for.
struct PackedDepths {
  PackedDepths(const DepthImageInfo& info, Random& random) {
    const std::size_t count = std::size_t{info.width} * info.height * info.layerCount;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) add(info.format, random);
  }
  void add(VkFormat format, Random& random) {
    if (format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D16_UNORM_S8_UINT) {
      const auto packed = static_cast<std::uint16_t>(random.chance(0.02) ? random.pick({0u, 65535u}) : random.word());
      append(packed);
      values.push_back(static_cast<float>(packed / 65535.0));
      tolerance = 2;
    } else if (format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT) {
      values.push_back(goodDepth(random));
      append(values.back());
    } else {
      const std::uint32_t packed = random.word() & 0xffffffu;
      append(packed | (format == VK_FORMAT_X8_D24_UNORM_PACK32 ? 0 : random.word() & 0xff000000u));
      values.push_back(static_cast<float>(packed / 16777215.0));
      tolerance = 2;
    }
  }
  template <typename Value>
  void append(Value value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(value));
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  }

  std::vector<float> values;
  std::vector<std::uint8_t> bytes;
  std::uint32_t tolerance = 0;  // of devices that multiply where they should divide, in the last places
};

// All formats that the device offers, layouts, array views and viewports smaller than the image.
TEST_F(VulkanPyramid, FromImagesOfEveryFormat) {
  constexpr VkFormat kFormats[] = {VK_FORMAT_D16_UNORM,         VK_FORMAT_X8_D24_UNORM_PACK32,
                                   VK_FORMAT_D32_SFLOAT,        VK_FORMAT_D16_UNORM_S8_UINT,
                                   VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
  constexpr VkImageLayout kLayouts[] = {VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                                        VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
  std::uint32_t offeredCount = 0;
  for (const SluFlags flags : kFlags) {
    const Context context = makeContextWith(flags);
    for (const VkFormat format : kFormats) {
      for (const std::uint32_t layerCount : {0u, 1u, 5u}) {  // 0: no array
        DepthImageInfo info;
        info.format = format;
        info.viewType = layerCount == 0 ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        info.layerCount = std::max(layerCount, 1u);
        info.width = random.between(1, 150);
        info.height = random.between(1, 150);
        info.layout = kLayouts[random.below(3)];
        if (!offers(instance(), info)) continue;
        ++offeredCount;
        const VkOffset2D offset{static_cast<std::int32_t>(random.below(info.width)),
                                static_cast<std::int32_t>(random.below(info.height))};
        const auto x0 = static_cast<std::uint32_t>(offset.x), y0 = static_cast<std::uint32_t>(offset.y);
        const PyramidCase each{random.between(1, info.width - x0), random.between(1, info.height - y0), info.layerCount,
                               random.chance(0.5), random.word()};
        SCOPED_TRACE(describe(each) + ", format " + std::to_string(format) + ", flags " + std::to_string(flags));
        DepthImage image(device(), info);
        const PackedDepths packed(info, random);
        image.copy(packed.bytes);
        const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
          return packed.values[(std::size_t{layer} * info.height + y0 + y) * info.width + x0 + x];
        });
        const SluVulkanPyramidInfo images = imagesOf(info);
        const Pyramid pyramid = makePyramid(context, each, &images);
        const Target target(device(), context, expected.size() * 4);
        const SluVulkanDepthInfo depth = depthOf(image, offset);
        auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
        build.pNext = &depth;
        build.pyramid = target.binding();
        build.frameNumber = each.frameNumber;
        device().runOnce([&](VkCommandBuffer commands) {
          ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
        });
        EXPECT_EQ(compareWords(target.words(), expected, packed.tolerance), "");
        EXPECT_TRUE(target.isKeptAround());
      }
    }
  }
  EXPECT_GE(offeredCount, 2u * 3u * std::size(kFlags)) << "every device has two of the formats";
}

// Each sample has a depth of its own, which a pass has drawn.
TEST_F(VulkanPyramid, FromSamples) {
  DeviceFeatures features(requirementsOf(instance()));
  features.features.features.sampleRateShading = VK_TRUE;
  const VulkanDevice sampling(instance(), features);
  std::uint32_t offeredCount = 0;
  for (const SluFlags flags : kFlags) {
    const Context context = makeContextOf(sampling, flags);
    for (const VkSampleCountFlagBits samples : {VK_SAMPLE_COUNT_2_BIT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_8_BIT}) {
      for (const std::uint32_t layerCount : {0u, 3u}) {
        DepthImageInfo info;
        info.samples = samples;
        info.viewType = layerCount == 0 ? VK_IMAGE_VIEW_TYPE_2D : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        info.layerCount = std::max(layerCount, 1u);
        info.width = random.between(1, 140);
        info.height = random.between(1, 100);
        if (!offers(instance(), info)) continue;
        ++offeredCount;
        const PyramidCase each{info.width, info.height, info.layerCount, random.chance(0.5), random.word()};
        SCOPED_TRACE(describe(each) + ", " + std::to_string(samples) + " samples, flags " + std::to_string(flags));
        DepthImage image(sampling, info);
        const auto count = static_cast<std::uint32_t>(samples);
        std::vector<float> depths(std::size_t{info.width} * info.height * info.layerCount * count);
        // Denormals are left out: fragment shaders may flush them.
        for (float& depth : depths)
          depth = random.chance(0.01) ? random.pick({0.0f, 1.0f}) : random.uniform(0.0f, 1.0f);
        image.draw(depths);
        const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
          const auto first = depths.begin() + static_cast<std::ptrdiff_t>(
                                                  ((std::size_t{layer} * info.height + y) * info.width + x) * count);
          const auto [least, most] = std::minmax_element(first, first + count);
          return each.isReversed ? *least : *most;
        });
        const SluVulkanPyramidInfo images = imagesOf(info);
        const Pyramid pyramid = makePyramid(context, each, &images);
        const Target target(sampling, context, expected.size() * 4);
        const SluVulkanDepthInfo depth = depthOf(image);
        auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
        build.pNext = &depth;
        build.pyramid = target.binding();
        build.frameNumber = each.frameNumber;
        sampling.runOnce([&](VkCommandBuffer commands) {
          ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
        });
        EXPECT_EQ(compareWords(target.words(), expected), "");
        EXPECT_TRUE(target.isKeptAround());
      }
    }
  }
  EXPECT_GE(offeredCount, 2u * std::size(kFlags)) << "every device has images of 4 samples";
}

// On NVIDIA's drivers: the inline route has the same shaders.
TEST_F(VulkanPyramid, OnTheInlineRoute) {
  std::unique_ptr<VulkanDevice> owner;
  try {
    owner = std::make_unique<VulkanDevice>(instance(), DeviceFeatures(requirementsOf(instance(), SLU_ROUTE_INLINE)));
  } catch (const Unavailable& unavailable) {
    GTEST_SKIP() << unavailable.what();
  }
  const Context context = makeContext(owner->info());
  const PyramidCase each{300, 170, 2, true, random.word()};
  const Depths depths(*owner, context, 300 * 170 * 2, 0, random);
  const std::vector<std::uint32_t> expected = foldByForce(
      each, [&](auto layer, auto x, auto y) { return depths.values[(layer * each.height + y) * each.width + x]; });
  SluPyramidCreateInfo info = createInfo(each);
  info.route = SLU_ROUTE_INLINE;
  Pyramid pyramid;
  ASSERT_EQ(sluCreatePyramid(context, &info, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  const Target target(*owner, context, expected.size() * 4);
  auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  build.pyramid = target.binding();
  build.depth = {depths.registered, 0};
  build.frameNumber = each.frameNumber;
  owner->runOnce([&](VkCommandBuffer commands) {
    ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
  });
  EXPECT_EQ(compareWords(target.words(), expected), "");
  EXPECT_TRUE(target.isKeptAround());
}

// Builds in one command buffer, of two pyramids into one place, need no barrier of the host's.
TEST_F(VulkanPyramid, OneAfterTheOther) {
  const Context context = makeContextWith(0);
  const PyramidCase first{300, 40, 1, false, 1}, second{70, 171, 1, true, 2};
  const Depths depths(device(), context, 300 * 171, 0, random);
  const Pyramid a = makePyramid(context, first), b = makePyramid(context, second);
  const auto expectedOf = [&](const PyramidCase& each) {
    return foldByForce(each, [&](auto, auto x, auto y) { return depths.values[y * each.width + x]; });
  };
  const std::vector<std::uint32_t> expected = expectedOf(second), unused = expectedOf(first);
  const Target target(device(), context, std::max(expected.size(), unused.size()) * 4);
  device().runOnce([&](VkCommandBuffer commands) {
    for (const auto& [pyramid, number] : {std::pair{a.get(), 1u}, {a.get(), 1u}, {b.get(), 2u}}) {
      auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
      build.pyramid = target.binding();
      build.depth = {depths.registered, 0};
      build.frameNumber = number;
      ASSERT_EQ(sluCmdBuildPyramid(pyramid, commands, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
    }
  });
  std::vector<std::uint32_t> words = target.words();
  words.resize(expected.size());
  EXPECT_EQ(compareWords(words, expected), "");
}

class VulkanPyramidFields : public VulkanPyramid {
 protected:
  void expectRefused(SluContext context, const SluPyramidCreateInfo& info, const std::string& part,
                     SluResult expected = SLU_ERROR_INVALID_ARGUMENT) {
    SluPyramid none = nullptr;
    EXPECT_TRUE(failsWith(sluCreatePyramid(context, &info, &none), expected, context, part));
    EXPECT_EQ(none, nullptr);
  }
};

TEST_F(VulkanPyramidFields, OfCreating) {
  const Context context = makeContextWith(0);
  const PyramidCase each{30, 20, 2};
  const auto good = imagesOf({.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY});
  const auto spoil = [&](auto&& change, const std::string& part, SluResult expected = SLU_ERROR_INVALID_ARGUMENT) {
    SluVulkanPyramidInfo images = good;
    change(images);
    expectRefused(context, createInfo(each, &images), part, expected);
  };
  spoil([](auto& info) { info.structSize = 8; }, "vulkanPyramid.structSize");
  spoil([](auto& info) { info.format = VK_FORMAT_R32_SFLOAT; }, "vulkanPyramid.format: is 100");
  spoil([](auto& info) { info.format = VK_FORMAT_S8_UINT; }, "vulkanPyramid.format: is 127");
  spoil([](auto& info) { info.samples = VK_SAMPLE_COUNT_16_BIT; },
        "vulkanPyramid.samples: is 16, must be 1, 2, 4 or 8");
  spoil([](auto& info) { info.samples = static_cast<VkSampleCountFlagBits>(3); }, "vulkanPyramid.samples: is 3");
  spoil([](auto& info) { info.viewType = VK_IMAGE_VIEW_TYPE_3D; }, "vulkanPyramid.viewType: is 2");
  spoil([](auto& info) { info.viewType = VK_IMAGE_VIEW_TYPE_2D; },
        "vulkanPyramid.viewType: is VK_IMAGE_VIEW_TYPE_2D, must be VK_IMAGE_VIEW_TYPE_2D_ARRAY for 2 layers");
  spoil([](auto& info) { info.reserved = 1; }, "vulkanPyramid.reserved: is 1");
  SluPyramidCreateInfo info = createInfo(each, &good);
  info.framesInFlight = 0;
  expectRefused(context, info, "pyramid.framesInFlight: is 0");
  info = createInfo(each, &good);
  info.route = SLU_ROUTE_CPU;
  expectRefused(context, info, "pyramid.pNext: SluVulkanPyramidInfo does not belong here");
  info.route = SLU_ROUTE_AUTO;
  Pyramid pyramid;
  EXPECT_EQ(sluCreatePyramid(context, &info, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  ASSERT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.route, SLU_ROUTE_VULKAN);
  EXPECT_NE(properties.scratchBytes, 0u);
}

TEST_F(VulkanPyramidFields, OfABuild) {
  const Context context = makeContextWith(0);
  const PyramidCase each{30, 20};
  const DepthImageInfo imageInfo{.width = 40, .height = 30};
  DepthImage image(device(), imageInfo);
  image.copy(std::vector<std::uint8_t>(40 * 30 * 4));
  const SluVulkanPyramidInfo images = imagesOf(imageInfo);
  const Pyramid pyramid = makePyramid(context, each, &images);
  const Pyramid fromBuffers = makePyramid(context, each);
  const Target target(device(), context, 8192);
  const SluVulkanDepthInfo good = depthOf(image, {10, 10});
  auto goodBuild = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  goodBuild.pyramid = target.binding();
  device().runOnce([&](VkCommandBuffer commands) {
    const auto spoil = [&](auto&& change, const std::string& part) {
      SluVulkanDepthInfo depth = good;
      SluPyramidBuildInfo build = goodBuild;
      build.pNext = &depth;
      change(build, depth);
      EXPECT_TRUE(failsWith(sluCmdBuildPyramid(pyramid, commands, &build), SLU_ERROR_INVALID_ARGUMENT, context, part));
    };
    spoil([](auto&, auto& depth) { depth.structSize = 8; }, "vulkanDepth.structSize");
    spoil([](auto& build, auto&) { build.pNext = nullptr; }, "build.pNext: lacks an SluVulkanDepthInfo");
    spoil([](auto&, auto& depth) { depth.view = VK_NULL_HANDLE; }, "vulkanDepth.view: is null");
    spoil([](auto&, auto& depth) { depth.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL; },
          "vulkanDepth.layout: is 3");
    spoil([](auto&, auto& depth) { depth.reserved = 1; }, "vulkanDepth.reserved: is 1");
    spoil([](auto&, auto& depth) { depth.offset.x = 11; }, "vulkanDepth.offset.x: is 11, and 30 pixels");
    spoil([](auto&, auto& depth) { depth.offset.y = -1; }, "vulkanDepth.offset.y: is -1");
    spoil([](auto&, auto& depth) { depth.extent.height = 29; }, "vulkanDepth.offset.y: is 10, and 20 pixels");
    spoil([&](auto& build, auto&) { build.depth = target.binding(); },
          "build.depth: is bound, and the pyramid reads images");
    spoil([](auto& build, auto&) { build.rowPitch = 160; }, "build.rowPitch: is 160, must be 0");
    spoil([](auto& build, auto&) { build.layerPitch = 160; }, "build.layerPitch: is 160, must be 0");
    SluPyramidBuildInfo build = goodBuild;
    build.pNext = &good;
    build.depth = {target.registered, 4096};
    EXPECT_TRUE(failsWith(sluCmdBuildPyramid(fromBuffers, commands, &build), SLU_ERROR_INVALID_ARGUMENT, context,
                          "build.pNext: SluVulkanDepthInfo is for pyramids"));
    EXPECT_TRUE(failsWith(sluCmdBuildPyramid(pyramid, VK_NULL_HANDLE, &build), SLU_ERROR_INVALID_ARGUMENT, context,
                          "commandBuffer: is null"));
    EXPECT_TRUE(failsWith(sluBuildPyramid(pyramid, &build), SLU_ERROR_ROUTE_UNAVAILABLE, context,
                          "whose verb is sluCmdBuildPyramid, not sluBuildPyramid"));
  });
  EXPECT_TRUE(target.isKeptAround());
  for (const std::uint32_t word : target.words()) ASSERT_EQ(word, 0xa5a5a5a5u) << "a refused build wrote";
}

// What the device says of its limits, instead of what it has.
constexpr std::uint32_t kFewPixels = 100;
constexpr std::uint32_t kFewBytes = 20'000;
PFN_vkGetInstanceProcAddr nextInstanceFunction = nullptr;
PFN_vkGetPhysicalDeviceProperties2 getRealProperties = nullptr;

VKAPI_ATTR void VKAPI_CALL getFewProperties(VkPhysicalDevice physicalDevice, VkPhysicalDeviceProperties2* properties) {
  getRealProperties(physicalDevice, properties);
  VkPhysicalDeviceLimits& limits = properties->properties.limits;
  limits.maxImageDimension2D = kFewPixels;
  limits.maxStorageBufferRange = kFewBytes;
  limits.sampledImageDepthSampleCounts = VK_SAMPLE_COUNT_1_BIT;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL fewFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction next = nextInstanceFunction(instance, name);
  return std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 ? replace(getRealProperties, next, getFewProperties)
                                                                  : next;
}

TEST_F(VulkanPyramidFields, OfASmallDevice) {
  SluVulkanDeviceInfo info = device().info();
  nextInstanceFunction = info.getInstanceProcAddr;
  info.getInstanceProcAddr = fewFunction;
  const Context context = makeContext(info);
  SluVulkanPyramidInfo images = imagesOf({});
  expectRefused(context, createInfo({101, 20}, &images),
                "pyramid.width: is 101, and the device has images of at most 100", SLU_ERROR_MISSING_FEATURE);
  expectRefused(context, createInfo({20, 101}, &images),
                "pyramid.height: is 101, and the device has images of at most 100", SLU_ERROR_MISSING_FEATURE);
  expectRefused(context, createInfo({200, 100}),
                "pyramid.width: the pyramid has 26884 bytes for such a width, height and layerCount, and the device "
                "binds at most 20000 (maxStorageBufferRange)",
                SLU_ERROR_MISSING_FEATURE);
  images.samples = VK_SAMPLE_COUNT_2_BIT;
  expectRefused(context, createInfo({20, 20}, &images), "vulkanPyramid.samples: the device reads no depth images of 2",
                SLU_ERROR_MISSING_FEATURE);
  const Pyramid pyramid = makePyramid(context, {100, 80});
  const Target target(device(), context, 100'000);
  device().runOnce([&](VkCommandBuffer commands) {
    auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = target.binding();
    build.depth = {target.registered, 50'000};
    EXPECT_TRUE(failsWith(sluCmdBuildPyramid(pyramid, commands, &build), SLU_ERROR_INVALID_ARGUMENT, context,
                          "build.depth: has 32"));
  });
}

// The driver fails at each call that creates something, and nothing is left behind.
TEST_F(VulkanPyramidFields, DriverFails) {
  constexpr const char* kFunctions[] = {"vkAllocateDescriptorSets",    "vkAllocateMemory",
                                        "vkBindBufferMemory",          "vkCreateBuffer",
                                        "vkCreateComputePipelines",    "vkCreateDescriptorPool",
                                        "vkCreateDescriptorSetLayout", "vkCreatePipelineLayout",
                                        "vkCreateShaderModule",        "vkMapMemory"};
  for (const char* function : kFunctions) {
    SCOPED_TRACE(function);
    Shim shim;
    {
      SluVulkanDeviceInfo info = device().info();
      info.getInstanceProcAddr = shim.entry();
      info.flags = SLU_VULKAN_SEVERAL_DISPATCHES_BIT;
      const Context context = makeContext(info);
      const std::int64_t before = shim.aliveCount();
      const SluPyramidCreateInfo create = createInfo({30, 20});
      shim.failCall(function, 0, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      expectRefused(context, create, function, SLU_ERROR_OUT_OF_DEVICE_MEMORY);
      EXPECT_TRUE(shim.hasFailed());
      EXPECT_EQ(shim.aliveCount(), before);
      shim.recover();
      const Pyramid pyramid = makePyramid(context, {30, 20});
      EXPECT_NE(pyramid.get(), nullptr);
    }
    EXPECT_EQ(shim.aliveCount(), 0) << "objects are left behind";
    EXPECT_EQ(shim.complaints(), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace slu::test
