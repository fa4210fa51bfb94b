#include "scenes/city/city_districts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace demo {
namespace {

constexpr int kBlocks = 3;  // along each side of a district
const float kSide = static_cast<float>(kBlocks) * kBlockPitch;
// A resident district stays up to this share beyond the distance, so that it does not come and go at the edge.
constexpr float kStay = 1.08f;
// The middles of bounds lie this far outside of their district at most.
constexpr float kOutside = 4.0f;

// District (0, 0) has the city's middle block in its middle.
glm::ivec2 cellOf(const MeshInstance& instance) {
  const glm::vec2 place(instance.position.x, instance.position.z);
  return glm::ivec2(glm::round(glm::round(place / kBlockPitch) / static_cast<float>(kBlocks)));
}

bool isBefore(const glm::ivec2& a, const glm::ivec2& b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); }

uint32_t pagesFor(uint32_t count) { return (count + CityDistricts::kPageRecords - 1) / CityDistricts::kPageRecords; }

}  // namespace

CityDistricts::CityDistricts(std::vector<MeshInstance> instances, uint32_t meshCount, const DistrictLimits& limits)
    : instances_(std::move(instances)),
      lodDistances_(limits.lodDistances.begin(), limits.lodDistances.end()),
      distance_(limits.distance),
      users_(meshCount) {
  sortIntoDistricts();
  pages_.resize(mostPages());
  // Those with low numbers are taken first.
  for (uint32_t page = pageCount(); page-- > 0;) freePages_.push_back(page);
  counts_.districts = static_cast<uint32_t>(districts_.size());
}

void CityDistricts::sortIntoDistricts() {
  std::ranges::stable_sort(instances_, isBefore, cellOf);
  for (uint32_t index = 0; index < instances_.size(); ++index) {
    const glm::ivec2 cell = cellOf(instances_[index]);
    if (districts_.empty() || districts_.back().cell != cell) districts_.push_back({cell, index, 0, {}, {}});
    District& district = districts_.back();
    ++district.count;
    district.meshes.push_back(instances_[index].mesh);
  }
  for (District& district : districts_) {
    std::ranges::sort(district.meshes);
    district.meshes.erase(std::unique(district.meshes.begin(), district.meshes.end()), district.meshes.end());
  }
}

// While the eye is in a cell, resident districts lie in a square around it. Sums over the cells before each one tell
// what a square holds. An eye outside of the grid has no more around it than one at the grid's edge.
uint32_t CityDistricts::mostPages() const {
  glm::ivec2 low = districts_.front().cell, high = low;
  for (const District& district : districts_) {
    low = glm::min(low, district.cell);
    high = glm::max(high, district.cell);
  }
  const glm::ivec2 size = high - low + 1;
  const auto at = [&](int x, int z) {
    return static_cast<size_t>(x) * static_cast<size_t>(size.y + 1) + static_cast<size_t>(z);
  };
  std::vector<uint32_t> before(at(size.x + 1, 0));
  for (const District& district : districts_)
    before[at(district.cell.x - low.x + 1, district.cell.y - low.y + 1)] = pagesFor(district.count);
  for (int x = 1; x <= size.x; ++x)
    for (int z = 1; z <= size.y; ++z)
      before[at(x, z)] += before[at(x - 1, z)] + before[at(x, z - 1)] - before[at(x - 1, z - 1)];

  const float cells = std::min(std::floor((kStay * distance_ + kOutside) / kSide) + 1.0f, 1e6f);
  const int reach = static_cast<int>(cells);
  uint32_t most = 0;
  for (int x = 0; x < size.x; ++x) {
    for (int z = 0; z < size.y; ++z) {
      const int left = std::max(x - reach, 0), right = std::min(x + reach + 1, size.x);
      const int near = std::max(z - reach, 0), far = std::min(z + reach + 1, size.y);
      most = std::max(
          most, before[at(right, far)] + before[at(left, near)] - before[at(left, far)] - before[at(right, near)]);
    }
  }
  return most;
}

// What lies within the distance of a LOD is no nearer than the district itself.
uint32_t CityDistricts::neededLod(const District& district, const glm::vec3& eye) const {
  const glm::vec2 center = kSide * glm::vec2(district.cell);
  const glm::vec2 outside = glm::max(glm::abs(glm::vec2(eye.x, eye.z) - center) - 0.5f * kSide, glm::vec2(0.0f));
  const float distance = glm::length(outside);
  const bool isResident = district.finestLod < kLodCount;
  if (!(distance < (isResident ? kStay : 1.0f) * distance_ + kOutside)) return kLodCount;
  uint32_t lod = 0;
  while (lod + 1 < kLodCount && distance >= lodDistances_[lod] + kOutside) ++lod;
  return lod;
}

uint32_t CityDistricts::lodMask(uint32_t mesh) const {
  uint32_t mask = 0;
  for (uint32_t lod = 0; lod < kLodCount; ++lod) mask |= (users_[mesh][lod] ? 1u : 0u) << lod;
  return mask;
}

void CityDistricts::come(District& district, Changes& changes) {
  const std::span<const MeshInstance> all = std::span(instances_).subspan(district.first, district.count);
  for (uint32_t first = 0; first < district.count; first += kPageRecords) {
    const uint32_t page = freePages_.back();
    freePages_.pop_back();
    pages_[page] = all.subspan(first, std::min(kPageRecords, district.count - first));
    district.pages.push_back(page);
    changes.pages.push_back(page);
  }
  ++counts_.in;
  ++counts_.resident;
}

void CityDistricts::go(District& district, Changes& changes) {
  for (const uint32_t page : district.pages) {
    pages_[page] = {};
    freePages_.push_back(page);
    changes.pages.push_back(page);
  }
  district.pages.clear();
  ++counts_.out;
  --counts_.resident;
}

void CityDistricts::changeLods(const District& district, uint32_t finestLod) {
  for (const uint32_t mesh : district.meshes) {
    for (uint32_t lod = finestLod; lod < district.finestLod; ++lod) ++users_[mesh][lod];
    for (uint32_t lod = district.finestLod; lod < finestLod; ++lod) --users_[mesh][lod];
  }
}

// What goes makes room for what comes.
CityDistricts::Changes CityDistricts::update(const glm::vec3& eye) {
  Changes changes;
  std::map<uint32_t, uint32_t> masks;  // that meshes had before
  std::vector<District*> coming;
  for (District& district : districts_) {
    const uint32_t lod = neededLod(district, eye);
    if (lod == district.finestLod) continue;
    for (const uint32_t mesh : district.meshes) masks.try_emplace(mesh, lodMask(mesh));
    changeLods(district, lod);
    if (district.finestLod == kLodCount) coming.push_back(&district);
    if (lod == kLodCount) go(district, changes);
    district.finestLod = lod;
  }
  for (District* district : coming) come(*district, changes);
  std::ranges::sort(changes.pages);
  changes.pages.erase(std::unique(changes.pages.begin(), changes.pages.end()), changes.pages.end());
  for (const auto& [mesh, mask] : masks)
    if (lodMask(mesh) != mask) changes.meshes.push_back(mesh);
  counts_.meshWrites += static_cast<uint32_t>(changes.meshes.size());
  return changes;
}

}  // namespace demo
