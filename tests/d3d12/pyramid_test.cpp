// Pyramids that are built in Direct3D 12 command lists, from buffers and from textures.
#include <sluice/pyramid_values.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "depth_texture.h"
#include "fixture.h"
#include "fold.h"
#include "pyramid_cases.h"

namespace slu::test {
namespace {

constexpr std::uint8_t kPoisonByte = 0xa5;
constexpr std::uint64_t kCanaryBytes = 256;

class D3D12Pyramids : public D3D12Test {
 protected:
  static SluPyramidCreateInfo createInfo(const PyramidCase& each, const SluD3D12PyramidInfo* textures = nullptr) {
    auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    info.pNext = textures;
    info.route = SLU_ROUTE_D3D12;
    info.width = each.width;
    info.height = each.height;
    info.layerCount = each.layerCount;
    info.direction = each.isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    return info;
  }
  Pyramid createPyramid(const SluPyramidCreateInfo& info) {
    Pyramid made;
    const D3D12Watch::Scope scope(watch(), nullptr);
    require(context(), sluCreatePyramid(context(), &info, made.put()), "sluCreatePyramid");
    return made;
  }
  static SluD3D12PyramidInfo texturesOf(const DepthTextureInfo& info) {
    auto textures = SLU_INIT(D3D12_PYRAMID_INFO, SluD3D12PyramidInfo);
    textures.viewDimension = info.view;
    textures.samples = info.samples;
    return textures;
  }
  static SluD3D12DepthInfo depthOf(const DepthTexture& texture, const DepthTextureInfo& info) {
    auto depth = SLU_INIT(D3D12_DEPTH_INFO, SluD3D12DepthInfo);
    depth.view = texture.view();
    depth.width = info.width;
    depth.height = info.height;
    return depth;
  }

  // Floats in an upload heap, from an offset on.
  struct Depths {
    HostBuffer buffer;
    std::uint64_t offset;
    std::vector<float> values;
    SluBinding binding() const { return {buffer.registered, offset}; }
  };
  Depths makeDepths(std::size_t count, std::uint64_t offset) {
    Depths depths{makeBuffer(context(), offset + count * 4, D3D12_HEAP_TYPE_UPLOAD), offset, std::vector<float>(count)};
    for (float& value : depths.values) value = anyDepth(random);
    std::memset(depths.buffer.mapped, kPoisonByte, offset);
    std::memcpy(static_cast<std::uint8_t*>(depths.buffer.mapped) + offset, depths.values.data(), count * 4);
    return depths;
  }

  // A poisoned buffer with room for a pyramid behind a canary, and a list that builds there.
  struct Target {
    std::uint64_t bytes;
    HostBuffer written;
    Com<ID3D12Resource> poison, readback;
    D3D12Host::List list;
    SluBinding binding() const { return {written.registered, kCanaryBytes}; }
  };
  Target beginTarget(std::uint64_t bytes, const DepthTexture* texture = nullptr);
  SluResult build(const Target& target, SluPyramid pyramid, const SluPyramidBuildInfo& info) {
    const D3D12Watch::Scope scope(watch(), target.list.get());
    return sluCmdBuildPyramidD3D12(pyramid, target.list.get(), &info);
  }
  // Executes the list, and returns the words of the pyramid. Fails the test if something around it was written.
  std::vector<std::uint32_t> execute(const Target& target, std::uint32_t times = 1);

  Random random;
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
};

D3D12Pyramids::Target D3D12Pyramids::beginTarget(std::uint64_t bytes, const DepthTexture* texture) {
  const std::uint64_t size = bytes + 2 * kCanaryBytes;
  Target target{bytes,
                makeBuffer(context(), size, D3D12_HEAP_TYPE_DEFAULT),
                host().makeBuffer(size, D3D12_HEAP_TYPE_UPLOAD),
                host().makeBuffer(size, D3D12_HEAP_TYPE_READBACK),
                {}};
  void* mapped = nullptr;
  check(target.poison->Map(0, nullptr, &mapped), "Map");
  std::memset(mapped, kPoisonByte, size);
  target.list = host().beginList();
  ID3D12GraphicsCommandList* const list = target.list.get();
  ID3D12Resource* const written = target.written.resource.get();
  list->CopyBufferRegion(written, 0, target.poison.get(), 0, size);
  recordTransition(list, watch(), written, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  if (texture == nullptr) return target;
  ID3D12DescriptorHeap* const heaps[] = {texture->heap()};
  list->SetDescriptorHeaps(1, heaps);
  return target;
}

std::vector<std::uint32_t> D3D12Pyramids::execute(const Target& target, std::uint32_t times) {
  ID3D12GraphicsCommandList* const list = target.list.get();
  ID3D12Resource* const written = target.written.resource.get();
  recordTransition(list, watch(), written, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
  const std::uint64_t size = target.bytes + 2 * kCanaryBytes;
  list->CopyBufferRegion(target.readback.get(), 0, written, 0, size);
  check(list->Close(), "Close");
  for (std::uint32_t i = 0; i < times; ++i) host().execute(target.list);
  void* mapped = nullptr;
  check(target.readback->Map(0, nullptr, &mapped), "Map");
  const auto* const all = static_cast<const std::uint8_t*>(mapped);
  const auto isPoison = [](std::uint8_t byte) { return byte == kPoisonByte; };
  EXPECT_TRUE(std::all_of(all, all + kCanaryBytes, isPoison)) << "something in front of the pyramid was written";
  EXPECT_TRUE(std::all_of(all + kCanaryBytes + target.bytes, all + size, isPoison)) << "something behind it";
  std::vector<std::uint32_t> words(target.bytes / 4);
  std::memcpy(words.data(), all + kCanaryBytes, target.bytes);
  return words;
}

// Sizes, offsets and pitches.
TEST_F(D3D12Pyramids, FromBuffersOfEverySize) {
  for (PyramidCase each : pyramidCases()) {
    SCOPED_TRACE(describe(each));
    each.frameNumber = random.word();
    const std::uint32_t rowWords = each.width + random.below(5);
    const std::uint32_t layerWords = rowWords * each.height + random.below(9);
    const Depths depths = makeDepths(std::size_t{layerWords} * each.layerCount, random.below(100) * 4);
    const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
      return depths.values[std::size_t{layer} * layerWords + std::size_t{y} * rowWords + x];
    });
    const Pyramid pyramid = createPyramid(createInfo(each));
    const Target target = beginTarget(expected.size() * 4);
    auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    info.pyramid = target.binding();
    info.depth = depths.binding();
    info.rowPitch = rowWords * 4;
    info.layerPitch = layerWords * 4;
    info.frameNumber = each.frameNumber;
    ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
    EXPECT_EQ(execute(target), expected);
  }
}

// A list that is executed again builds again. Of two builds the second one stays, of another size.
TEST_F(D3D12Pyramids, BuildsInOneList) {
  const PyramidCase large{300, 200, 2, true}, small{77, 130, 2, true, 7};
  const Pyramid pyramid = createPyramid(createInfo(large));
  const Depths first = makeDepths(std::size_t{300} * 200 * 2, 0), second = makeDepths(std::size_t{77} * 130 * 2, 16);
  const std::vector<std::uint32_t> expected = foldByForce(
      small, [&](auto layer, auto x, auto y) { return second.values[(std::size_t{layer} * 130 + y) * 77 + x]; });
  auto properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  ASSERT_EQ(sluGetPyramidProperties(pyramid, &properties), SLU_SUCCESS);
  EXPECT_EQ(properties.route, SLU_ROUTE_D3D12);
  const Target target = beginTarget(properties.bytes);
  auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  info.pyramid = target.binding();
  info.depth = first.binding();
  ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
  info.depth = second.binding();
  info.width = small.width;
  info.height = small.height;
  info.frameNumber = small.frameNumber;
  ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
  std::vector<std::uint32_t> words = execute(target, 2);
  words.resize(expected.size());
  EXPECT_EQ(words, expected);
}

// Of every dimension, with stencil and without, from any pixel of the texture on.
TEST_F(D3D12Pyramids, FromTextures) {
  if (!readsDescriptorTables()) GTEST_SKIP() << "this runtime ignores descriptor tables";
  const DepthTextureInfo kinds[] = {
      {140, 90, 1, 1, false, D3D12_SRV_DIMENSION_TEXTURE2D},
      {140, 90, 1, 1, true, D3D12_SRV_DIMENSION_TEXTURE2D},
      {70, 130, 3, 1, false, D3D12_SRV_DIMENSION_TEXTURE2DARRAY},
      {75, 66, 1, 4, false, D3D12_SRV_DIMENSION_TEXTURE2DMS},
      {66, 40, 2, 4, false, D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY},
  };
  for (const DepthTextureInfo& kind : kinds) {
    for (const bool isReversed : {false, true}) {
      SCOPED_TRACE("dimension " + std::to_string(kind.view) + (kind.hasStencil ? ", with stencil" : ""));
      const std::size_t count = std::size_t{kind.width} * kind.height * kind.layerCount * kind.samples;
      std::vector<float> values(count);
      for (float& value : values) value = random.uniform(0.0f, 1.0f);
      const auto at = [&](UINT layer, UINT x, UINT y, UINT sample) {
        return values[((std::size_t{layer} * kind.height + y) * kind.width + x) * kind.samples + sample];
      };
      const DepthTexture texture(host(), kind, at);
      SluD3D12DepthInfo depth = depthOf(texture, kind);
      depth.offsetX = random.below(9);
      depth.offsetY = random.below(9);
      const PyramidCase each{kind.width - depth.offsetX, kind.height - depth.offsetY, kind.layerCount, isReversed,
                             random.word()};
      const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
        float farthest = at(layer, x + depth.offsetX, y + depth.offsetY, 0);
        for (UINT sample = 1; sample < kind.samples; ++sample) {
          const float other = at(layer, x + depth.offsetX, y + depth.offsetY, sample);
          farthest = isReversed ? std::min(farthest, other) : std::max(farthest, other);
        }
        return farthest;
      });
      const SluD3D12PyramidInfo textures = texturesOf(kind);
      const Pyramid pyramid = createPyramid(createInfo(each, &textures));
      const Target target = beginTarget(expected.size() * 4, &texture);
      auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
      info.pNext = &depth;
      info.pyramid = target.binding();
      info.frameNumber = each.frameNumber;
      ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
      EXPECT_EQ(execute(target), expected);
    }
  }
}

// Without one of the barriers something is found.
TEST_F(D3D12Pyramids, EachMissingBarrierIsFound) {
  const Pyramid pyramid = createPyramid(createInfo({100, 100}));
  const Depths depths = makeDepths(100 * 100, 0);
  const Target target = beginTarget(1 << 16);
  auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  info.pyramid = target.binding();
  info.depth = depths.binding();
  watch().dropBarrier({});
  ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
  ASSERT_EQ(watch().takeMessages(), std::vector<std::string>{});
  const std::uint32_t count = watch().barrierCount();
  EXPECT_EQ(count, 2u);
  for (std::uint32_t number = 0; number < count; ++number) {
    watch().dropBarrier(number);
    ASSERT_EQ(build(target, pyramid, info), SLU_SUCCESS) << sentence();
    EXPECT_FALSE(watch().takeMessages().empty()) << "barrier " << number;
  }
  watch().dropBarrier({});
  check(target.list.get()->Close(), "Close");
}

class D3D12PyramidFields : public D3D12Pyramids {
 protected:
  testing::AssertionResult failsWith(SluResult result, SluResult expected, const std::string& part) {
    const std::string said = result == SLU_SUCCESS ? "" : sentence();
    if (result == expected && said.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << sluGetResultName(result) << ": " << said << "; expected "
                                       << sluGetResultName(expected) << " and " << part;
  }
};

TEST_F(D3D12PyramidFields, OfAPyramid) {
  const auto refused = [&](const SluPyramidCreateInfo& info, SluResult result, const std::string& part) {
    Pyramid pyramid;
    return failsWith(sluCreatePyramid(context(), &info, pyramid.put()), result, part);
  };
  const auto spoil = [&](auto&& change, const std::string& part, std::uint32_t layerCount = 1) {
    SluD3D12PyramidInfo textures = texturesOf({});
    change(textures);
    const SluPyramidCreateInfo info = createInfo({30, 20, layerCount}, &textures);
    EXPECT_TRUE(refused(info, SLU_ERROR_INVALID_ARGUMENT, part));
  };
  spoil([](auto& textures) { textures.structSize = 8; }, "d3d12Pyramid.structSize");
  spoil([](auto& textures) { textures.viewDimension = D3D12_SRV_DIMENSION_TEXTURE3D; },
        "d3d12Pyramid.viewDimension: is 8, must be");
  spoil([](auto&) {}, "d3d12Pyramid.viewDimension: is 4, must be D3D12_SRV_DIMENSION_TEXTURE2DARRAY", 2);
  spoil([](auto& textures) { textures.samples = 0; }, "d3d12Pyramid.samples: is 0, must be 1 for");
  spoil([](auto& textures) { textures.samples = 4; }, "d3d12Pyramid.samples: is 4, must be 1 for");
  spoil(
      [](auto& textures) {
        textures.viewDimension = D3D12_SRV_DIMENSION_TEXTURE2DMS;
        textures.samples = 3;
      },
      "d3d12Pyramid.samples: is 3, must be 1, 2, 4 or 8");
  EXPECT_TRUE(refused(createInfo({16384, 16384, 16}), SLU_ERROR_MISSING_FEATURE, "pyramid.width: the pyramid has 57"));
  const SluD3D12PyramidInfo textures = texturesOf({});
  SluPyramidCreateInfo info = createInfo({30, 20}, &textures);
  info.route = SLU_ROUTE_CPU;
  EXPECT_TRUE(refused(info, SLU_ERROR_INVALID_ARGUMENT, "pyramid.pNext: SluD3D12PyramidInfo does not belong here"));
}

TEST_F(D3D12PyramidFields, OfABuild) {
  const DepthTextureInfo kind{40, 30};
  const DepthTexture texture(host(), kind, [](UINT, UINT, UINT, UINT) { return 0.5f; });
  const SluD3D12PyramidInfo textures = texturesOf(kind);
  const Pyramid fromTextures = createPyramid(createInfo({30, 20}, &textures));
  const Pyramid fromBuffers = createPyramid(createInfo({30, 20}));
  const Depths depths = makeDepths(30 * 20, 0);
  const Target target = beginTarget(8192, &texture);
  SluD3D12DepthInfo good = depthOf(texture, kind);
  good.offsetX = good.offsetY = 10;
  const auto spoil = [&](SluPyramid pyramid, auto&& change, const std::string& part) {
    SluD3D12DepthInfo depth = good;
    auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    info.pyramid = target.binding();
    if (pyramid == fromTextures) info.pNext = &depth;
    if (pyramid == fromBuffers) info.depth = depths.binding();
    change(info, depth);
    EXPECT_TRUE(failsWith(build(target, pyramid, info), SLU_ERROR_INVALID_ARGUMENT, part));
  };
  spoil(
      fromTextures, [](auto&, auto& depth) { depth.structSize = 8; }, "d3d12Depth.structSize");
  spoil(
      fromTextures, [](auto& info, auto&) { info.pNext = nullptr; }, "build.pNext: lacks an SluD3D12DepthInfo");
  spoil(
      fromTextures, [](auto&, auto& depth) { depth.view = 0; }, "d3d12Depth.view: is 0");
  spoil(
      fromTextures, [](auto&, auto& depth) { depth.offsetX = 11; }, "d3d12Depth.offsetX: is 11, and 30 pixels");
  spoil(
      fromTextures, [](auto&, auto& depth) { depth.offsetY = ~0u; }, "d3d12Depth.offsetY: is 4294967295");
  spoil(
      fromTextures, [](auto&, auto& depth) { depth.height = 29; }, "the 29 of d3d12Depth.height");
  spoil(
      fromTextures, [&](auto& info, auto&) { info.depth = depths.binding(); }, "build.depth: is bound");
  spoil(
      fromBuffers, [&](auto& info, auto&) { info.pNext = &good; }, "build.pNext: SluD3D12DepthInfo is for pyramids");
  spoil(
      fromBuffers,
      [&](auto& info, auto&) {
        info.depth = {target.written.registered, 4096};
      },
      "build.depth: its ID3D12Resource also holds the pyramid");
  spoil(
      fromBuffers,
      [&](auto& info, auto&) {
        info.depth = target.binding();
        info.pyramid = depths.binding();
      },
      "build.pyramid: is written, and its resource was created without D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS");

  auto info = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  info.pyramid = target.binding();
  info.depth = depths.binding();
  EXPECT_TRUE(failsWith(sluCmdBuildPyramidD3D12(fromBuffers, nullptr, &info), SLU_ERROR_INVALID_ARGUMENT,
                        "commandList: is null"));
  EXPECT_TRUE(failsWith(sluBuildPyramid(fromBuffers, &info), SLU_ERROR_ROUTE_UNAVAILABLE,
                        "whose verb is sluCmdBuildPyramidD3D12, not sluBuildPyramid"));
  const D3D12Host::List other = host().beginList(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  EXPECT_TRUE(failsWith(sluCmdBuildPyramidD3D12(fromBuffers, other.get(), &info), SLU_ERROR_INVALID_ARGUMENT,
                        "commandList: has the type 2"));
  recordTransition(target.list.get(), watch(), target.written.resource.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                   D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  for (const std::uint32_t word : execute(target)) ASSERT_EQ(word, 0xa5a5a5a5u) << "a refused build wrote";
}

// What builds pyramids is stored beside the kernels, by direction and by what it reads.
TEST_F(D3D12Pyramids, AreMadeOfStoredShaders) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  SluD3D12PyramidInfo textures = texturesOf({});
  textures.viewDimension = D3D12_SRV_DIMENSION_TEXTURE2DARRAY;
  const SluPyramidCreateInfo infos[] = {createInfo({30, 20}), createInfo({30, 20, 1, true}, &textures)};
  for (const SluPyramidCreateInfo& info : infos) createPyramid(info);
  const std::vector<std::byte> shaders = saveShaders();
  SluD3D12DeviceInfo device = host().info();
  device.shaders = shaders.data();
  device.shadersSize = shaders.size();
  Context other;
  ASSERT_EQ(createContext(other, &device), SLU_SUCCESS) << message();
  const auto sizeWith = [&](const SluPyramidCreateInfo& info) {
    Pyramid pyramid;
    EXPECT_EQ(sluCreatePyramid(other, &info, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(other);
    std::size_t size = 0;
    EXPECT_EQ(sluGetD3D12Shaders(other, nullptr, &size), SLU_SUCCESS);
    return size;
  };
  for (const SluPyramidCreateInfo& info : infos)
    EXPECT_EQ(sizeWith(info), shaders.size()) << "a stored one was compiled";
  EXPECT_GT(sizeWith(createInfo({30, 20, 1, true})), shaders.size());
}

// The driver fails at each call, and nothing is left (TearDown).
TEST_F(D3D12Pyramids, DriverFails) {
  const SluPyramidCreateInfo info = createInfo({30, 20});
  createPyramid(info);  // so that its shaders are there
  std::uint32_t call = 0;
  for (;; ++call) {
    const D3D12Watch::Scope scope(watch(), nullptr);
    watch().failCall(call);
    Pyramid pyramid;
    const SluResult result = sluCreatePyramid(context(), &info, pyramid.put());
    if (watch().callCount() <= call) break;
    EXPECT_EQ(result, SLU_ERROR_OUT_OF_DEVICE_MEMORY) << sentence();
  }
  EXPECT_EQ(call, 3u) << "a root signature and two pipeline states";
  watch().failCall({});
}

}  // namespace
}  // namespace slu::test
