// Tests that what is near an eye is resident, in pages that suffice, and that changes name all that is another.
#include "scenes/city/city_districts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/random.h"

namespace demo {
namespace {

constexpr uint32_t kMeshes = 40;
constexpr float kLodDistances[] = {90.0f, 260.0f, 700.0f};
constexpr float kStays = 1.1f;  // a district that was resident may be, up to this share of the distance

class CityDistrictsTest : public testing::Test {
 protected:
  CityDistrictsTest() : distance(random.uniform(60.0f, 900.0f)), side(random.uniform(100.0f, 2500.0f)) {
    std::vector<MeshInstance> placed(random.between(1, 6000));
    for (uint32_t index = 0; index < placed.size(); ++index) {
      MeshInstance& instance = placed[index];
      instance = {};
      instance.position = {random.uniform(-side, side), random.uniform(0.0f, 150.0f), random.uniform(-side, side)};
      // Meshes are of a part of the city, so that they come and go, too.
      const auto part = static_cast<uint32_t>((instance.position.x + side) / (2.0f * side) * kMeshes * 0.7f);
      instance.mesh = std::min(part + random.below(kMeshes / 4), kMeshes - 1);
      instance.seed = index;
    }
    city.emplace(placed, kMeshes, DistrictLimits{distance, kLodDistances});
    seen.resize(placed.size());
  }

  // Mostly a step of the last flight, and now and then another place.
  void fly() {
    const auto far = [&] { return random.uniform(-2.0f, 2.0f) * side; };
    if (random.chance(0.2)) eye = {far(), random.uniform(2.0f, 400.0f), far()};
    eye += glm::vec3(random.uniform(-80.0f, 80.0f), 0.0f, random.uniform(-80.0f, 80.0f));
  }

  float distanceTo(const MeshInstance& instance) const {
    return glm::distance(glm::vec2(eye.x, eye.z), glm::vec2(instance.position.x, instance.position.z));
  }

  void checkPages() {
    std::ranges::fill(seen, 0u);
    for (uint32_t page = 0; page < city->pageCount(); ++page) {
      EXPECT_LE(city->page(page).size(), CityDistricts::kPageRecords);
      for (const MeshInstance& instance : city->page(page)) ++seen[instance.seed];
    }
    for (const MeshInstance& instance : city->instances()) {
      EXPECT_LE(seen[instance.seed], 1u);
      const float away = distanceTo(instance);
      EXPECT_TRUE(away >= distance || seen[instance.seed]) << away;
      // A district is 216 m wide.
      EXPECT_TRUE(away <= kStays * distance + 320.0f || !seen[instance.seed]) << away;
    }
  }

  void checkMeshes() {
    std::vector<uint32_t> least(kMeshes, 0), users(kMeshes, 0);
    for (const MeshInstance& instance : city->instances()) {
      if (!seen[instance.seed]) continue;
      ++users[instance.mesh];
      const auto reached =
          std::ranges::count_if(kLodDistances, [&](float from) { return distanceTo(instance) >= from; });
      least[instance.mesh] |= 1u << reached;
    }
    for (uint32_t mesh = 0; mesh < kMeshes; ++mesh) {
      EXPECT_EQ(least[mesh] & ~city->lodMask(mesh), 0u) << "mesh " << mesh;
      EXPECT_EQ(users[mesh] != 0, city->lodMask(mesh) != 0) << "mesh " << mesh;
    }
  }

  testing::ScopedTrace seed{__FILE__, __LINE__, slu::test::describeSeed()};
  slu::test::Random random;
  float distance, side;
  glm::vec3 eye = glm::vec3(0.0f, 20.0f, 0.0f);
  std::optional<CityDistricts> city;
  std::vector<uint32_t> seen;  // by the number that is an instance's seed
};

TEST_F(CityDistrictsTest, HaveWhatIsNearTheEye) {
  for (int step = 0; step < 60 && !HasFailure(); ++step) {
    fly();
    city->update(eye);
    checkPages();
    checkMeshes();
  }
  const DistrictCounts& counts = city->counts();
  EXPECT_EQ(counts.in - counts.out, counts.resident);
  EXPECT_LE(counts.resident, counts.districts);
}

// A copy that takes over the changes alone is the same at any time.
TEST_F(CityDistrictsTest, NameAllThatChanges) {
  std::vector<std::span<const MeshInstance>> pages(city->pageCount());
  std::vector<uint32_t> masks(kMeshes, 0);
  uint32_t written = 0;
  for (int step = 0; step < 60; ++step) {
    fly();
    const CityDistricts::Changes changes = city->update(eye);
    for (const uint32_t page : changes.pages) pages[page] = city->page(page);
    for (const uint32_t mesh : changes.meshes) {
      EXPECT_NE(masks[mesh], city->lodMask(mesh)) << "mesh " << mesh;
      masks[mesh] = city->lodMask(mesh);
    }
    written += static_cast<uint32_t>(changes.meshes.size());
    const auto hasTwice = [](const std::vector<uint32_t>& sorted) {
      return std::ranges::adjacent_find(sorted) != sorted.end();
    };
    EXPECT_FALSE(hasTwice(changes.pages) || hasTwice(changes.meshes));
    for (uint32_t page = 0; page < city->pageCount(); ++page)
      ASSERT_TRUE(pages[page].data() == city->page(page).data() && pages[page].size() == city->page(page).size())
          << "page " << page;
    for (uint32_t mesh = 0; mesh < kMeshes; ++mesh) ASSERT_EQ(masks[mesh], city->lodMask(mesh)) << "mesh " << mesh;
  }
  EXPECT_EQ(city->counts().meshWrites, written);
  // At rest nothing is written.
  const CityDistricts::Changes none = city->update(eye);
  EXPECT_TRUE(none.pages.empty() && none.meshes.empty());
}

TEST_F(CityDistrictsTest, GiveTheirPagesBack) {
  city->update(eye);
  city->update({100.0f * side + 2000.0f, 0.0f, 0.0f});
  EXPECT_EQ(city->counts().resident, 0u);
  for (uint32_t page = 0; page < city->pageCount(); ++page) EXPECT_TRUE(city->page(page).empty());
  for (uint32_t mesh = 0; mesh < kMeshes; ++mesh) EXPECT_EQ(city->lodMask(mesh), 0u);
}

}  // namespace
}  // namespace demo
