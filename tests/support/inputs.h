// Random input for any plan: records, streams and views.
#pragma once

#include <vector>

#include "random.h"
#include "scene.h"

namespace slu::test {

// Which records are live.
enum class Pattern { none, first, last, one, sparse, half, all, alternating, clustered };
constexpr Pattern kPatterns[] = {Pattern::none, Pattern::first,       Pattern::last,
                                 Pattern::one,  Pattern::sparse,      Pattern::half,
                                 Pattern::all,  Pattern::alternating, Pattern::clustered};

std::vector<std::uint8_t> makeLive(Pattern pattern, std::uint32_t count, Random& random);

struct Input {
  std::uint32_t count = 0;
  ElementCounts elements;
  Bytes records, bounds, transforms, flags, layers, meshes;  // empty where the plan does not read them
  std::vector<Bytes> streams;                                // further ones
};

// Records are live as `live` says, unless the live field is also a part of the key or of the bounds, which are written
// later. Keys are mostly below keyCount, and elements that records name are mostly there. Floats are of moderate size, now
// and then invalid, never denormal. A mesh table has as many meshes as there are keys; its numbers are now and then
// garbage.
Input makeInput(const PlanSpec& plan, const std::vector<std::uint8_t>& live, Random& random);
Input makeInput(const PlanSpec& plan, std::uint32_t count, Pattern pattern, Random& random);

// The table alone.
Bytes makeMeshes(const PlanSpec& plan, Random& random);

// States of LODs as the last frame may have left them, of the most records; now and then garbage.
Bytes makeLodStates(const PlanSpec& plan, std::uint32_t viewCount, Random& random);

// Cameras among the input's bounds; none for plans without culling or LODs.
std::vector<SluView> makeViews(const PlanSpec& plan, std::uint32_t count, Random& random);

// Six more planes for some of the views, in any order: most of them keep most of what is near the eye. For half of these
// views they are a second frustum instead, and the view's flags say so.
std::vector<SluMorePlanes> makeMorePlanes(std::vector<SluView>& views, Random& random);

// A unit quaternion.
struct Quaternion {
  float x, y, z, w;
};
Quaternion makeRotation(Random& random);

// The linear part of a matrix, by rows: of a rotation with a scale per axis, or one that mirrors, shears or is singular.
struct Linear {
  float rows[3][3];
};
Linear makeLinear(Random& random);

// Three rows of a linear part and of a translation, as the form says; what the form does not use stays.
void storeMatrix(std::uint8_t* bytes, SluMatrixForm form, const Linear& linear, const float translation[3]);

}  // namespace slu::test
