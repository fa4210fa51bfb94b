#include "scenes/city/city_materials.h"

#include <array>

namespace demo {
namespace {

constexpr size_t kCount = static_cast<size_t>(CityMaterial::Count);

std::array<Material, kCount> makeMaterials() {
  std::array<Material, kCount> materials = {};
  const auto set = [&](CityMaterial name, glm::vec3 colour, float roughness, uint32_t pattern = kPatternPlain,
                       glm::vec3 glow = glm::vec3(0.0f)) {
    materials[static_cast<size_t>(name)] = {colour, roughness, glow, pattern};
  };
  set(CityMaterial::GlassBlue, {0.030f, 0.050f, 0.075f}, 0.06f, kPatternCurtainWall);
  set(CityMaterial::GlassGreen, {0.028f, 0.055f, 0.050f}, 0.08f, kPatternCurtainWall);
  set(CityMaterial::GlassBronze, {0.075f, 0.050f, 0.030f}, 0.08f, kPatternCurtainWall);
  set(CityMaterial::Concrete, {0.33f, 0.32f, 0.31f}, 0.8f, kPatternWindows);
  set(CityMaterial::Stone, {0.42f, 0.37f, 0.30f}, 0.7f, kPatternWindows);
  set(CityMaterial::Brick, {0.30f, 0.13f, 0.09f}, 0.85f, kPatternWindows);
  set(CityMaterial::Plaster, {0.50f, 0.49f, 0.46f}, 0.9f, kPatternWindows);
  set(CityMaterial::PlasterWarm, {0.52f, 0.38f, 0.24f}, 0.9f, kPatternWindows);
  set(CityMaterial::Shop, {0.09f, 0.08f, 0.07f}, 0.3f, kPatternShop);
  set(CityMaterial::Roof, {0.10f, 0.10f, 0.11f}, 0.95f);
  set(CityMaterial::RoofTiles, {0.24f, 0.10f, 0.07f}, 0.8f, kPatternRoof);
  set(CityMaterial::Metal, {0.30f, 0.31f, 0.33f}, 0.35f);
  set(CityMaterial::DarkMetal, {0.05f, 0.05f, 0.055f}, 0.5f);
  set(CityMaterial::Beacon, {0.1f, 0.0f, 0.0f}, 0.5f, kPatternPlain, {9.0f, 0.5f, 0.25f});
  set(CityMaterial::Asphalt, {0.045f, 0.046f, 0.050f}, 0.30f, kPatternRoad);
  set(CityMaterial::Paving, {0.20f, 0.19f, 0.18f}, 0.75f, kPatternPavement);
  set(CityMaterial::Lawn, {0.035f, 0.075f, 0.025f}, 1.0f, kPatternFoliage);
  set(CityMaterial::Bark, {0.07f, 0.05f, 0.035f}, 1.0f);
  set(CityMaterial::Leaves, {0.060f, 0.11f, 0.035f}, 1.0f, kPatternFoliage);
  set(CityMaterial::Needles, {0.025f, 0.065f, 0.035f}, 1.0f, kPatternFoliage);
  set(CityMaterial::Lamp, {0.5f, 0.4f, 0.3f}, 0.5f, kPatternPlain, {10.0f, 6.2f, 2.8f});
  set(CityMaterial::Paint, {0.4f, 0.4f, 0.4f}, 0.12f, kPatternPaint);
  set(CityMaterial::CarGlass, {0.015f, 0.017f, 0.02f}, 0.05f);
  set(CityMaterial::Tyre, {0.02f, 0.02f, 0.02f}, 0.9f);
  set(CityMaterial::Headlight, {0.5f, 0.5f, 0.5f}, 0.1f, kPatternPlain, {9.0f, 8.4f, 7.0f});
  set(CityMaterial::TailLight, {0.3f, 0.02f, 0.02f}, 0.1f, kPatternPlain, {5.0f, 0.20f, 0.12f});
  return materials;
}

}  // namespace

std::span<const Material> cityMaterials() {
  static const std::array<Material, kCount> materials = makeMaterials();
  return materials;
}

}  // namespace demo
