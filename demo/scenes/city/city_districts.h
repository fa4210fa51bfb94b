// Says which districts of the city are resident: those near the eye. Knows no GPU.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "frame/frame_report.h"
#include "render/mesh_library.h"
#include "shaders/shared.h"

namespace demo {

struct DistrictLimits {
  float distance;                       // nearer districts are resident
  std::span<const float> lodDistances;  // nearer than the first of them, a district needs LOD 0, and so on
};

// Resident instances lie in pages of a pool, which districts take and give back as they come and go.
class CityDistricts {
 public:
  static constexpr uint32_t kPageRecords = 64;

  struct Changes {
    std::vector<uint32_t> pages;   // whose instances are others than before
    std::vector<uint32_t> meshes;  // whose LODs are others than before
  };

  CityDistricts(std::vector<MeshInstance> instances, uint32_t meshCount, const DistrictLimits& limits);
  CityDistricts(const CityDistricts&) = delete;
  CityDistricts& operator=(const CityDistricts&) = delete;

  // Returns how many pages suffice, wherever the eye is.
  uint32_t pageCount() const { return static_cast<uint32_t>(pages_.size()); }

  // Lets districts come and go. Each of the changes is named once.
  Changes update(const glm::vec3& eye);

  // Returns the instances of a page: kPageRecords at most.
  std::span<const MeshInstance> page(uint32_t page) const { return pages_[page]; }
  // Returns a bit for each LOD of the mesh that a resident district needs; 0 if the mesh is not there.
  uint32_t lodMask(uint32_t mesh) const;

  // Returns all instances of the city, by district.
  const std::vector<MeshInstance>& instances() const { return instances_; }
  const DistrictCounts& counts() const { return counts_; }

 private:
  struct District {
    glm::ivec2 cell;  // of the grid of districts
    uint32_t first, count;
    std::vector<uint32_t> meshes;    // each once
    std::vector<uint32_t> pages;     // while it is resident
    uint32_t finestLod = kLodCount;  // that it needs; kLodCount: it is not resident
  };

  void sortIntoDistricts();
  uint32_t mostPages() const;
  uint32_t neededLod(const District& district, const glm::vec3& eye) const;
  void come(District& district, Changes& changes);
  void go(District& district, Changes& changes);
  void changeLods(const District& district, uint32_t finestLod);

  std::vector<MeshInstance> instances_;
  std::vector<float> lodDistances_;
  float distance_;
  std::vector<District> districts_;
  std::vector<std::span<const MeshInstance>> pages_;
  std::vector<uint32_t> freePages_;
  std::vector<std::array<uint32_t, kLodCount>> users_;  // per mesh and LOD: resident districts that need it
  DistrictCounts counts_;
};

}  // namespace demo
