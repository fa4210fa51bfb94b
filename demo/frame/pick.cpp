#include "frame/pick.h"

#include "base/failure.h"

namespace demo {

std::string describe(const Pick& pick) {
  const std::string place = sentence(" at ", pick.pixel.x, ',', pick.pixel.y);
  if (!pick.record) return "nothing" + place;
  return sentence("instance ", pick.record->index, ", key ", pick.key, ", LOD ", pick.lod, place);
}

}  // namespace demo
