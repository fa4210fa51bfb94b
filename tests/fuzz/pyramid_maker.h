// Pyramids and their builds: valid ones that the bytes choose, of which some are mutated afterwards.
#pragma once

#include <sluice/sluice_pyramid.h>

#include <vector>

#include "guard.h"
#include "host_structs.h"

namespace slu::fuzz {

// From the words of sluice_pyramid.h alone; of a layer or of the whole.
std::uint64_t pyramidLayerBytes(std::uint64_t width, std::uint64_t height);
std::uint64_t pyramidBytes(std::uint64_t width, std::uint64_t height, std::uint64_t layerCount);

struct PyramidInput {
  SluPyramidCreateInfo info;          // as the library sees it, mutations included
  const SluPyramidCreateInfo* given;  // in the host's memory
};
PyramidInput makePyramidInput(Choices& choices, SluRoute route, HostStructs& structs);

// That the properties of a pyramid are those of its size.
void expectProperties(const SluPyramidProperties& properties, const SluPyramidCreateInfo& pyramid);

class BuildInput {
 public:
  // The buffers are of the context that the pyramid is of; foreign: a buffer that may be taken in place of one of them.
  BuildInput(Choices& choices, World& world, const LoggedContext& context, const SluPyramidCreateInfo& pyramid,
             SluBuffer foreign);

  const SluPyramidBuildInfo* given() const { return given_; }  // in the host's memory
  const std::vector<HostBuffer>& buffers() const { return buffers_; }

  // Whether sizes and pitches are legal, both ranges lie in their buffers, and they do not overlap.
  bool isSound() const;
  // Of a sound build; none of another, which is refused before a byte is touched.
  std::vector<Part> parts() const;
  // That a sound build wrote what a fold by brute force gives.
  void expectBuilt(const Guard& guard) const;

 private:
  void choosePixels(Choices& choices);
  void placeParts(Choices& choices, World& world, const LoggedContext& context);
  void fill(Choices& choices);
  void spoil(Choices& choices, SluBuffer foreign);
  std::uint32_t width() const { return info_.width == 0 ? pyramid_.width : info_.width; }
  std::uint32_t height() const { return info_.height == 0 ? pyramid_.height : info_.height; }
  std::uint64_t rowPitch() const { return info_.rowPitch == 0 ? std::uint64_t{width()} * 4 : info_.rowPitch; }
  std::uint64_t layerPitch() const { return info_.layerPitch == 0 ? height() * rowPitch() : info_.layerPitch; }
  bool hasLegalSizes() const;
  std::uint64_t layerBytes() const;  // of the depths, up to the last pixel
  std::uint64_t depthBytes() const;
  std::uint8_t* findPyramid() const;  // null as findBytes
  std::uint8_t* findDepths() const;   // null as findBytes

  const SluPyramidCreateInfo& pyramid_;
  HostStructs structs_;
  SluPyramidBuildInfo info_ = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  std::vector<HostBuffer> buffers_;
  const SluPyramidBuildInfo* given_ = nullptr;
};

}  // namespace slu::fuzz
