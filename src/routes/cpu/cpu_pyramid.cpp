#include "routes/cpu/cpu_pyramid.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace slu {
namespace {

// Words of host memory, whose types are the host's. Floats are read by their bits.
class Words {
 public:
  explicit Words(const Binding& binding)
      : first_(reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(binding.address))) {}
  Words behind(std::uint64_t words) const { return Words(first_ + words * sizeof(std::uint32_t)); }
  std::uint32_t load(std::uint64_t word) const {
    std::uint32_t value;
    std::memcpy(&value, first_ + word * sizeof(value), sizeof(value));
    return value;
  }
  void store(std::uint64_t word, std::uint32_t value) const {
    std::memcpy(first_ + word * sizeof(value), &value, sizeof(value));
  }

 private:
  explicit Words(std::byte* first) : first_(first) {}
  std::byte* first_;
};

// A level, or the pixels below level 0.
struct Grid {
  std::uint32_t width, height;
  std::uint64_t pitch;  // words from one row to the next
};

class CpuPyramid final : public RoutePyramid {
 public:
  explicit CpuPyramid(const PyramidLayout& layout) : layout_(layout) {}

  void build(const PyramidBuild& build, void* target) override;
  bool readsImages() const override { return false; }
  std::uint64_t scratchBytes() const override { return 0; }

 private:
  template <typename Load>
  void fold(const Grid& from, const Load& load, const Grid& to, const Words& texels) const;
  void buildLayer(const PyramidBuild& build, const Words& depths, Words texels) const;

  const PyramidLayout layout_;
};

// load(word) returns a depth of `from`.
template <typename Load>
void CpuPyramid::fold(const Grid& from, const Load& load, const Grid& to, const Words& texels) const {
  const auto farther = [&](std::uint32_t a, std::uint32_t b) { return sluFartherBits(a, b, layout_.direction); };
  for (std::uint32_t y = 0; y < to.height; ++y) {
    const std::uint64_t upper = 2 * y * from.pitch;
    const std::uint64_t lower = std::min(2 * y + 1, from.height - 1) * from.pitch;
    for (std::uint32_t x = 0; x < to.width; ++x) {
      const std::uint32_t left = 2 * x, right = std::min(2 * x + 1, from.width - 1);
      const std::uint32_t depth =
          farther(farther(load(upper + left), load(upper + right)), farther(load(lower + left), load(lower + right)));
      texels.store(y * to.pitch + x, depth);
    }
  }
}

void CpuPyramid::buildLayer(const PyramidBuild& build, const Words& depths, Words texels) const {
  Grid from{build.width, build.height, build.rowPitch / 4};
  Words below = depths;
  const std::uint32_t levelCount = sluPyramidLevels(build.width, build.height);
  for (std::uint32_t level = 0; level < levelCount; ++level) {
    const std::uint32_t width = sluPyramidLevelSize(build.width, level);
    const Grid to{width, sluPyramidLevelSize(build.height, level), width};
    if (level == 0) {
      fold(
          from, [&](std::uint64_t word) { return sluDepthBits(depths.load(word), layout_.direction); }, to, texels);
    } else {
      fold(
          from, [&](std::uint64_t word) { return below.load(word); }, to, texels);
    }
    below = texels;
    texels = texels.behind(std::uint64_t{to.width} * to.height);
    from = to;
  }
}

void CpuPyramid::build(const PyramidBuild& build, void*) {
  const Words pyramid(build.pyramid);
  const Words depths(build.depth);
  pyramid.store(SLU_PYRAMID_WORD_VALID, 0);
  const std::uint32_t layerWords = sluPyramidLayerWords(build.width, build.height);
  for (std::uint64_t layer = 0; layer < layout_.layerCount; ++layer) {
    buildLayer(build, depths.behind(layer * (build.layerPitch / 4)),
               pyramid.behind(SLU_PYRAMID_HEADER_WORDS + layer * layerWords));
  }
  std::uint32_t header[SLU_PYRAMID_HEADER_WORDS] = {};
  header[SLU_PYRAMID_WORD_WIDTH] = build.width;
  header[SLU_PYRAMID_WORD_HEIGHT] = build.height;
  header[SLU_PYRAMID_WORD_LAYERS] = layout_.layerCount;
  header[SLU_PYRAMID_WORD_LEVELS] = sluPyramidLevels(build.width, build.height);
  header[SLU_PYRAMID_WORD_DIRECTION] = layout_.direction;
  header[SLU_PYRAMID_WORD_LAYER_WORDS] = layerWords;
  header[SLU_PYRAMID_WORD_FRAME] = build.frameNumber;
  for (std::uint32_t word = SLU_PYRAMID_WORD_VALID + 1; word < SLU_PYRAMID_HEADER_WORDS; ++word) {
    pyramid.store(word, header[word]);
  }
  pyramid.store(SLU_PYRAMID_WORD_VALID, SLU_PYRAMID_VALID);
}

}  // namespace

std::unique_ptr<RoutePyramid> makeCpuPyramid(const PyramidLayout& layout) {
  return std::make_unique<CpuPyramid>(layout);
}

}  // namespace slu
