#include "pyramid_maker.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "expect.h"
#include "pyramid/fold.h"

namespace slu::fuzz {
namespace {

constexpr std::uint64_t kAlignment = 16;  // of pyramids

}  // namespace

std::uint64_t pyramidLayerBytes(std::uint64_t width, std::uint64_t height) {
  std::uint64_t texels = 0;
  do {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    texels += width * height;
  } while (width > 1 || height > 1);
  return texels * 4;
}

std::uint64_t pyramidBytes(std::uint64_t width, std::uint64_t height, std::uint64_t layerCount) {
  return SLU_PYRAMID_HEADER_WORDS * 4 + layerCount * pyramidLayerBytes(width, height);
}

PyramidInput makePyramidInput(Choices& choices, SluRoute route, HostStructs& structs) {
  PyramidInput pyramid{SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo), nullptr};
  SluPyramidCreateInfo& info = pyramid.info;
  info.route = route;
  info.width = choices.pick({5u, 1u, 2u, 33u, 64u, 65u, 130u, 257u});
  info.height = choices.pick({3u, 1u, 2u, 31u, 64u, 66u, 129u});
  info.layerCount = choices.pick({1u, 2u, 3u, 16u});
  info.direction = choices.pick({SLU_DEPTH_FORWARD, SLU_DEPTH_REVERSED});
  info.framesInFlight = 1 + choices.below(SLU_MAX_FRAMES_IN_FLIGHT);
  mayMutate(choices, info, {});
  info.pNext = structs.chain(choices);
  pyramid.given = structs.place(choices, info);
  return pyramid;
}

void expectProperties(const SluPyramidProperties& properties, const SluPyramidCreateInfo& pyramid) {
  const std::uint64_t layer = pyramidLayerBytes(pyramid.width, pyramid.height);
  expect(properties.layerBytes == layer, "a layer has ", properties.layerBytes, " bytes, not ", layer);
  expect(properties.bytes == pyramidBytes(pyramid.width, pyramid.height, pyramid.layerCount), "a pyramid has ",
         properties.bytes, " bytes");
  std::uint64_t offset = SLU_PYRAMID_HEADER_WORDS * 4;
  std::uint32_t width = pyramid.width, height = pyramid.height;
  for (std::uint32_t level = 0; level < SLU_MAX_PYRAMID_LEVELS; ++level) {
    const SluPyramidLevel& told = properties.levels[level];
    const bool isThere = level == 0 || width > 1 || height > 1;
    expect(isThere == (level < properties.levelCount), "a pyramid has ", properties.levelCount, " levels");
    width = isThere ? (width + 1) / 2 : 0;
    height = isThere ? (height + 1) / 2 : 0;
    expect(told.offset == (isThere ? offset : 0) && told.width == width && told.height == height, "level ", level,
           " lies elsewhere, or has another size");
    offset += std::uint64_t{width} * height * 4;
  }
}

BuildInput::BuildInput(Choices& choices, World& world, const LoggedContext& context,
                       const SluPyramidCreateInfo& pyramid, SluBuffer foreign)
    : pyramid_(pyramid) {
  choosePixels(choices);
  placeParts(choices, world, context);
  fill(choices);
  spoil(choices, foreign);
  info_.pNext = structs_.chain(choices);
  given_ = structs_.place(choices, info_);
}

void BuildInput::choosePixels(Choices& choices) {
  if (choices.chance(6)) {
    info_.width = std::min(choices.below(300), pyramid_.width);
    info_.height = std::min(choices.below(200), pyramid_.height);
  }
  if (choices.chance(4)) info_.rowPitch = std::uint64_t{width()} * 4 + choices.below(5) * 4;
  if (choices.chance(4)) info_.layerPitch = layerBytes() + choices.below(5) * 4;
  info_.frameNumber = choices.number();
}

// One behind the other with a gap, in one buffer or in two, each of which ends where its last part does.
void BuildInput::placeParts(Choices& choices, World& world, const LoggedContext& context) {
  const bool isOneBuffer = choices.chance(8), depthsAreFirst = choices.chance(8);
  std::uint64_t ends[2] = {};
  const auto place = [&](SluBinding& binding, std::uint64_t& end, std::uint64_t alignment, std::uint64_t bytes) {
    binding.offset = (end + choices.below(9) * 4 + alignment - 1) / alignment * alignment;
    end = binding.offset + bytes;
  };
  std::uint64_t& endOfDepths = ends[isOneBuffer ? 0 : 1];
  if (depthsAreFirst) place(info_.depth, endOfDepths, 4, depthBytes());
  place(info_.pyramid, ends[0], kAlignment, pyramidBytes(width(), height(), pyramid_.layerCount));
  if (!depthsAreFirst) place(info_.depth, endOfDepths, 4, depthBytes());
  if (choices.chance(1)) ends[choices.below(2)] -= 4;  // a word short, or more than there is
  for (const std::uint64_t end : ends) buffers_.push_back(makeHostBuffer(world, context, end));
  info_.pyramid.buffer = buffers_.front().handle;
  info_.depth.buffer = buffers_[isOneBuffer ? 0 : 1].handle;
}

// Depths from 0 to 1, of few values, or of any bits; and old words in the pyramid.
void BuildInput::fill(Choices& choices) {
  const std::uint32_t kind = choices.below(4);
  std::uint32_t random = 1 + choices.byte();
  for (const HostBuffer& buffer : buffers_) {
    for (std::uint64_t at = 0; at + 4 <= buffer.block->size(); at += 4) {
      random = random * 1664525u + 1013904223u;
      const std::uint32_t high = random >> 16;
      std::uint32_t word = random;
      const float depth = static_cast<float>(kind == 1 ? high % 3 * 0x8000 : high) / 0x10000;
      if (kind < 2 || (kind == 2 && high % 64 != 0)) std::memcpy(&word, &depth, sizeof(word));
      std::memcpy(buffer.block->bytes() + at, &word, sizeof(word));
    }
  }
}

// One build in four has a fault.
void BuildInput::spoil(Choices& choices, SluBuffer foreign) {
  if (!choices.chance(4)) return;
  using B = SluPyramidBuildInfo;
  if (choices.chance(8)) {
    mutate(choices, &info_, sizeof(info_), {offsetof(B, pyramid), offsetof(B, depth)});
    return;
  }
  SluBinding& binding = choices.chance(8) ? info_.depth : info_.pyramid;
  const std::uint32_t kind = choices.below(4);
  if (kind == 0) binding = info_.pyramid;
  if (kind == 1) binding.buffer = nullptr;
  if (kind == 2) binding.buffer = foreign;
  if (kind == 3) binding.offset += choices.pick({4u, 16u, 1u, 0xfffffff0u});
}

// With these, no product below has more than 64 bits.
bool BuildInput::hasLegalSizes() const {
  constexpr std::uint64_t kMostRowBytes = 0xffffffffu, kMostLayerBytes = std::uint64_t{1} << 48;
  return width() <= pyramid_.width && height() <= pyramid_.height && rowPitch() % 4 == 0 && layerPitch() % 4 == 0 &&
         rowPitch() >= std::uint64_t{width()} * 4 && rowPitch() <= kMostRowBytes && layerPitch() >= layerBytes() &&
         layerPitch() <= kMostLayerBytes;
}

std::uint64_t BuildInput::layerBytes() const { return (height() - 1) * rowPitch() + std::uint64_t{width()} * 4; }

std::uint64_t BuildInput::depthBytes() const { return (pyramid_.layerCount - 1) * layerPitch() + layerBytes(); }

std::uint8_t* BuildInput::findPyramid() const {
  return findBytes(buffers_, info_.pyramid, pyramidBytes(width(), height(), pyramid_.layerCount));
}

std::uint8_t* BuildInput::findDepths() const { return findBytes(buffers_, info_.depth, depthBytes()); }

bool BuildInput::isSound() const {
  if (!hasLegalSizes()) return false;
  const std::uint8_t* pyramid = findPyramid();
  const std::uint8_t* depths = findDepths();
  if (pyramid == nullptr || depths == nullptr || info_.pyramid.offset % kAlignment != 0) return false;
  const std::uint64_t bytes = pyramidBytes(width(), height(), pyramid_.layerCount);
  return pyramid + bytes <= depths || depths + depthBytes() <= pyramid;
}

std::vector<Part> BuildInput::parts() const {
  if (!isSound()) return {};
  return {{findPyramid(), pyramidBytes(width(), height(), pyramid_.layerCount), true},
          {findDepths(), depthBytes(), false}};
}

void BuildInput::expectBuilt(const Guard& guard) const {
  const std::uint8_t* depths = guard.before(findDepths());
  const test::PyramidCase pyramid{width(), height(), pyramid_.layerCount, pyramid_.direction == SLU_DEPTH_REVERSED,
                                  info_.frameNumber};
  const std::vector<std::uint32_t> words =
      test::foldByForce(pyramid, [&](std::uint32_t layer, std::uint32_t x, std::uint32_t y) {
        float depth;
        std::memcpy(&depth, depths + layer * layerPitch() + y * rowPitch() + x * std::uint64_t{4}, sizeof(depth));
        return depth;
      });
  const std::uint8_t* built = findPyramid();
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t word;
    std::memcpy(&word, built + i * sizeof(word), sizeof(word));
    expect(word == words[i], "word ", i, " of a pyramid is ", word, ", not ", words[i]);
  }
}

}  // namespace slu::fuzz
