// Places in a uniform buffer for what dispatches bind. Each is written once, when a dispatch first binds that, and never
// again: command buffers that read it may run at any time. Renderers bind few sets of buffers by turns.
#pragma once

#include <optional>
#include <vector>

#include "shaders/shared/frame.h"

namespace slu {

class BoundPlaces {
 public:
  static constexpr std::uint32_t kPlaceBytes = 256;  // a multiple of what any device aligns uniforms to
  static constexpr std::uint32_t kPlaceCount = 64;
  static_assert(sizeof(BoundPart) <= kPlaceBytes);

  BoundPlaces() = default;
  explicit BoundPlaces(void* mapped) : mapped_(static_cast<std::uint8_t*>(mapped)) { known_.reserve(kPlaceCount); }

  // The number of the place that holds it; none when it is not there and all places are taken.
  std::optional<std::uint32_t> find(const BoundPart& bound);

 private:
  std::uint8_t* mapped_ = nullptr;
  std::vector<BoundPart> known_;
  std::uint32_t next_ = 0;  // behind the one found last, where the search begins
};

}  // namespace slu
