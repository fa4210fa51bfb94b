// A second opinion on what a frame must produce, written from the public header alone and sharing no code with the
// library: plain loops, one record at a time.
#pragma once

#include "scene.h"

namespace slu::test {

// What a frame finds in its input.
struct Demand {
  std::uint32_t inputCount = 0;
  std::uint32_t meshCount = 0;                      // of a mesh table
  std::uint32_t overflow = 0;                       // SLU_OVERFLOW_INPUT_BIT or 0
  std::vector<std::uint32_t> rejected;              // [view][SluReject]
  std::vector<std::vector<std::uint32_t>> passed;   // [view][bucket]: the records that passed, in input order
  std::vector<std::uint32_t> lodStates;             // [view][record], of plans that keep them
  std::vector<std::vector<std::uint32_t>> drawnBy;  // [view], of merged plans: the buckets of the records that passed
  std::vector<std::vector<std::uint32_t>> listed;   // [view], of plans that list rejects: those, in input order
  std::vector<std::uint32_t> visible;               // [view][word], of frames that write it

  const std::vector<std::uint32_t>& of(const PlanSpec& plan, std::uint32_t view, std::uint32_t bucket) const {
    return passed[view * plan.bucketCount() + bucket];
  }
};

// The outputs, of all views, that hold what is kept of a bucket.
struct KeptRange {
  std::uint64_t first;
  std::uint32_t kept;
};
// [view][bucket].
std::vector<KeptRange> keptRanges(const PlanSpec& plan, const Demand& demand);

// visible: [view][word] of frames that find out what a pyramid hides. How bounds are projected is the library's own, in
// floats that no second spelling rounds alike, so that the bits are given. tests/occlusion judges them in doubles.
Demand findDemand(const PlanSpec& plan, const FrameSpec& frame, const std::vector<Bytes>& memories,
                  const std::vector<std::uint32_t>& visible = {});

// The command at a place of a merged plan's view, with the word in front of it. bucket, index: of its record.
std::vector<std::uint32_t> commandOf(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand,
                                     const std::vector<Bytes>& memories, std::uint32_t bucket, std::uint32_t index,
                                     std::uint32_t place);

// Writes every output of the frame, kept records in input order.
void publish(const PlanSpec& plan, const FrameSpec& frame, const Demand& demand, std::vector<Bytes>& memories);

// How floats are added and multiplied: the oracle's own way rounds each operation once.
struct Arithmetic {
  enum Kind { exact, contracted, reordered } kind = exact;
  float dot(const float a[3], const float b[3]) const;
  float twoProducts(float a, float b, float c, float d) const;  // a * b + c * d
  void rotate(const float quaternion[4], float vector[3]) const;
};

// A sphere, as records and streams hold it.
struct Ball {
  float center[3];
  float radius;
};

// A cone, likewise.
struct ConeBytes {
  float axis[3];
  float cutoff;
};

// A box, by its center and extents or by two corners.
struct BoxBytes {
  float first[3];
  float second[3];
};

// How bounds are tested: by a radius, by its square, or as a box. The square is that of a sphere that a scale per axis or
// a matrix moves, and of any sphere if the plan has a mesh table, layers, LODs by the near side, or tests occlusion.
enum class Test { radius, square, box };

// Bounds in the world.
struct World {
  Test test = Test::radius;
  float center[3] = {};
  float radius = 0;  // Test::radius alone
  float square = 0;  // of the radius, of a box of its half diagonal; -1 if the bounds are invalid before the transform
  float extents[3] = {};    // of a box
  float stretch = 1;        // how much radii grow, squared; unless the test is Test::radius
  bool isMirrored = false;  // of plans that ask for it
  bool isUnknown = false;   // of a record that is never culled, and whose bounds are invalid: it has LOD 0
};

// The bounds of a record. transform: the record, or its element of the stream of transforms. bounds: the record, the
// element of the stream of bounds, or the mesh.
World boundsOf(const PlanSpec& plan, const std::uint8_t* transform, const std::uint8_t* bounds,
               const Arithmetic& arithmetic = {});

// An SluReject, or SLU_REJECT_COUNT for a record that passes.
std::uint32_t cull(const PlanSpec& plan, const SluView& view, const World& world, const Arithmetic& arithmetic = {},
                   const SluMorePlanes* more = nullptr);

// The LOD that a record reaches. lodCount: of the plan, or fewer. mesh: null without a mesh table. factor: of the
// distance.
std::uint32_t reachedLod(const PlanSpec& plan, const SluView& view, const World& world, std::uint32_t lodCount,
                         const std::uint8_t* mesh, const Arithmetic& arithmetic = {}, float factor = 1.0f);

// The LODs of a record: those of the last frame, and the one that this frame finds.
struct LodHistory {
  std::uint8_t last[4] = {SLU_LOD_NONE, SLU_LOD_NONE, 255, 0};  // the LOD, the one before, the fade; 0
  float hysteresis = 0;
  std::uint8_t lod = 0;  // that the record gets if it is resident
};

// The LOD that is drawn, or SLU_MAX_LODS if the mesh has none.
std::uint32_t lodOf(const PlanSpec& plan, const SluView& view, const World& world, const Arithmetic& arithmetic = {},
                    const std::uint8_t* mesh = nullptr, LodHistory* history = nullptr);

}  // namespace slu::test
