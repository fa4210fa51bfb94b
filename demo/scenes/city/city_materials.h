// Lists the materials of the city's surfaces.
#pragma once

#include <span>

#include "shaders/shared.h"

namespace demo {

enum class CityMaterial : uint8_t {
  GlassBlue,
  GlassGreen,
  GlassBronze,
  Concrete,
  Stone,
  Brick,
  Plaster,
  PlasterWarm,
  Shop,
  Roof,
  RoofTiles,
  Metal,
  DarkMetal,
  Beacon,
  Asphalt,
  Paving,
  Lawn,
  Bark,
  Leaves,
  Needles,
  Lamp,
  Paint,
  CarGlass,
  Tyre,
  Headlight,
  TailLight,
  Count
};

// The index is a CityMaterial.
std::span<const Material> cityMaterials();

}  // namespace demo
