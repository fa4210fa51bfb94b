#include "routes/vulkan/bound_places.h"

#include <cstring>

namespace slu {

std::optional<std::uint32_t> BoundPlaces::find(const BoundPart& bound) {
  const auto count = static_cast<std::uint32_t>(known_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t place = (next_ + i) % count;
    if (std::memcmp(&known_[place], &bound, sizeof(bound)) != 0) continue;
    next_ = place + 1;
    return place;
  }
  if (count == kPlaceCount) return std::nullopt;
  known_.push_back(bound);
  std::memcpy(mapped_ + std::uint64_t{count} * kPlaceBytes, &bound, sizeof(bound));
  next_ = 0;
  return count;
}

}  // namespace slu
