#include "occlusion/street.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/threads.h"
#include "workload/input_recipe.h"

namespace bench {
namespace {

// In meters. Cross streets cut the walls at equal distances.
constexpr double kHalfStreet = 10.0;
constexpr double kGround = -2.0;
constexpr double kWallTop = 14.0;
constexpr double kBlock = 60.0;        // from a cross street to the next one
constexpr double kCrossStreet = 12.0;  // its width, at the beginning of the block

constexpr float kHalfCity = 200.0f;  // across
constexpr float kCityBegin = -200.0f;
constexpr float kCityEnd = 400.0f;
constexpr float kFloors = 9.0f;  // how far above the ground records stand at most
constexpr float kPartInStreet = 0.09f;
constexpr float kCell = 8.0f;  // of RecordOrder::ByPlace

constexpr double kTurnedPart = 0.1;

// Names the random numbers of a record, which a hash gives.
enum Draw : uint32_t {
  kBucket,
  kWhere,
  kX,
  kY,
  kZ,
  kAngle,
  kScaleX,
  kScaleY,
  kScaleZ,
  kExtentX,
  kExtentY,
  kExtentZ,
  kTurn
};

uint32_t hashOf(uint32_t seed, uint32_t record, Draw draw) {
  return mix(record * 0x9e3779b1u + mix(draw * 0x85ebca77u + seed));
}

struct Place {
  float x, y, z;
  uint32_t name;  // of the record, whose other numbers are drawn by it
};

class Drawing {
 public:
  Drawing(uint32_t seed, uint32_t name) : seed_(seed), name_(name) {}
  float between(Draw draw, float least, float most) const {
    return least + (most - least) * static_cast<float>(hashOf(seed_, name_, draw) >> 8) * 0x1p-24f;
  }

 private:
  uint32_t seed_;
  uint32_t name_;
};

Place placeOf(uint32_t seed, uint32_t name) {
  const Drawing of(seed, name);
  const bool isInStreet = of.between(kWhere, 0.0f, 1.0f) < kPartInStreet;
  const float half = isInStreet ? static_cast<float>(kHalfStreet) - 1.0f : kHalfCity;
  const float begin = isInStreet ? 2.0f : kCityBegin;
  const float end = isInStreet ? kStreetFar : kCityEnd;
  const auto ground = static_cast<float>(kGround);
  return {of.between(kX, -half, half), of.between(kY, ground, ground + kFloors), of.between(kZ, begin, end), name};
}

std::vector<Place> placesOf(const StreetSettings& settings) {
  std::vector<Place> places(settings.recordCount);
  for (uint32_t i = 0; i < places.size(); ++i) places[i] = placeOf(settings.seed, i);
  if (settings.order == RecordOrder::Scattered) return places;
  const auto cell = [](float position) { return static_cast<int>(std::floor(position / kCell)); };
  std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    return cell(a.z) != cell(b.z) ? cell(a.z) < cell(b.z) : cell(a.x) < cell(b.x);
  });
  return places;
}

// Scaled along its axes, turned around y, and moved.
StreetMatrix matrixOf(const Drawing& of, const Place& place) {
  const float angle = of.between(kAngle, 0.0f, 6.2831853f);
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);
  const float x = of.between(kScaleX, 0.3f, 1.5f);
  const float y = of.between(kScaleY, 0.3f, 1.5f);
  const float z = of.between(kScaleZ, 0.3f, 1.5f);
  return {{{cosine * x, 0, sine * z, place.x}, {0, y, 0, place.y}, {-sine * x, 0, cosine * z, place.z}}};
}

// A mesh that stands on its origin.
StreetBox boxOf(const Drawing& of) {
  const float height = of.between(kExtentY, 0.2f, 0.8f);
  return {{0, height, 0}, {of.between(kExtentX, 0.2f, 0.8f), height, of.between(kExtentZ, 0.2f, 0.8f)}};
}

// Returns how far along z the ray through (x, y, 1) meets the ground or a wall.
double reachOf(double x, double y) {
  double reach = std::numeric_limits<double>::infinity();
  if (y < 0) reach = kGround / y;
  if (x == 0) return reach;
  double wall = kHalfStreet / std::abs(x);
  // In a cross street the ray goes on to the wall at its far side.
  const double inBlock = std::fmod(wall, kBlock);
  if (inBlock < kCrossStreet) wall += kCrossStreet - inBlock;
  return y * wall < kWallTop ? std::min(reach, wall) : reach;
}

float depthOf(double reach) {
  if (reach >= kStreetFar) return 0.0f;
  return static_cast<float>(kStreetNear * (kStreetFar - reach) / (double{kStreetFar} - kStreetNear) / reach);
}

std::vector<float> depthsOf(const StreetSettings& settings) {
  const double ratio = double{1} * settings.height / settings.width;
  std::vector<float> depths(size_t{settings.width} * settings.height);
  forRanges(depths.size(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const double x = 2.0 * (static_cast<double>(i % settings.width) + 0.5) / settings.width - 1.0;
      const double y = 2.0 * (static_cast<double>(i / settings.width) + 0.5) / settings.height - 1.0;
      depths[i] = depthOf(reachOf(x, y * ratio));
    }
  });
  return depths;
}

// A picture that is 90 degrees wide.
void aimCamera(Street& street) {
  const float ratio = static_cast<float>(street.settings.width) / static_cast<float>(street.settings.height);
  const float depth = kStreetNear / (kStreetFar - kStreetNear);
  const float rows[4][4] = {{1, 0, 0, 0}, {0, ratio, 0, 0}, {0, 0, -depth, depth * kStreetFar}, {0, 0, 1, 0}};
  std::copy_n(&rows[0][0], 16, &street.rows[0][0]);
  const float side = std::sqrt(1.0f + ratio * ratio);
  street.frustum = {{{kHalfRoot, 0, kHalfRoot, 0},
                     {-kHalfRoot, 0, kHalfRoot, 0},
                     {0, ratio / side, 1 / side, 0},
                     {0, -ratio / side, 1 / side, 0},
                     {0, 0, -1, kStreetFar},
                     {0, 0, 1, -kStreetNear}}};
}

}  // namespace

const char* name(RecordOrder order) { return order == RecordOrder::ByPlace ? "by place" : "scattered"; }

uint32_t Street::bucketCapacity() const {
  std::vector<uint32_t> counts(settings.bucketCount);
  for (const uint32_t bucket : buckets) ++counts[bucket];
  return *std::max_element(counts.begin(), counts.end());
}

Street makeStreet(const StreetSettings& settings) {
  Street street{};
  street.settings = settings;
  for (const Place& place : placesOf(settings)) {
    const Drawing of(settings.seed, place.name);
    const uint64_t hash = hashOf(settings.seed, place.name, kBucket);
    street.buckets.push_back(static_cast<uint32_t>((hash * settings.bucketCount) >> 32));
    street.boxes.push_back(boxOf(of));
    street.matrices.push_back(matrixOf(of, place));
  }
  street.depths = depthsOf(settings);
  aimCamera(street);
  return street;
}

bool isTurned(const StreetSettings& settings, uint32_t record) {
  return hashOf(settings.seed, record, kTurn) < static_cast<uint32_t>(kTurnedPart * 0x1p32);
}

std::vector<uint32_t> turnedBits(const StreetSettings& settings, std::vector<uint32_t> bits) {
  for (uint32_t record = 0; record < settings.recordCount; ++record)
    if (isTurned(settings, record)) bits[record / 32] ^= 1u << record % 32;
  return bits;
}

}  // namespace bench
