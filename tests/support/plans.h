// Plans that tests start from.
#pragma once

#include <string>
#include <vector>

#include "random.h"
#include "scene.h"

namespace slu::test {

// A name for traces.
std::string describe(const PlanSpec& plan);

constexpr SluOrder kOrders[] = {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE};
constexpr SluFlags kAllOutputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT |
                                 SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;

// Keeps records whose first word is not zero; writes everything but draws.
PlanSpec simplePlan(SluOrder order, std::uint32_t recordStride, std::uint32_t maxRecordCount);

// The bits that SLU_LIVE_MASK_EQUAL compares, and what they must be: often zeros.
void setMask(PlanSpec& plan, Random& random);

// Packs the plan's buckets, which have their draws. capacity: of all of them; 0: maxRecordCount. Those that need not be
// described are left out.
void packBuckets(PlanSpec& plan, std::uint32_t capacity);
// Groups the draws of a plan that has its mesh table, if any. Buckets, or meshes, are of any groups. drawCapacity: as in
// SluGroups.
void addGroups(PlanSpec& plan, std::uint32_t count, std::uint32_t drawCapacity, Random& random);

// keyCount * lodCount buckets that hold `capacity` records each. The key is the word at keyOffset.
void addBuckets(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t lodCount, std::uint32_t capacity,
                std::uint32_t keyOffset = 0);

// Draw commands and counts; gives the plan a bucket when it has none yet. Templates stay zero with a mesh table.
void addDraws(PlanSpec& plan, SluDrawType type, std::uint32_t strideBytes, SluFlags flags, Random& random);

// Makes one list of a plan's buckets, with room for `capacity` records, and a command per record. The plan has its draws,
// if it is to have any.
void mergePlan(PlanSpec& plan, std::uint32_t capacity, std::uint32_t zeroCommandCount);

// A list of rejects with its counts, or either alone if outputs says so. reasons, capacity: as in SluRejects.
void addRejects(PlanSpec& plan, SluFlags reasons, std::uint32_t capacity,
                SluFlags outputs = SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT);

// Gives a plan more packed buckets than can be described one by one, with room for `capacity` records, and leaves out what
// such plans cannot have. Its draws, if any, are those of a mesh table.
void makeSparse(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t capacity);

// What the parts of a transform in a row take.
constexpr std::uint32_t matrixBytes(SluMatrixForm form) { return form == SLU_MATRIX_COLUMNS_4X4 ? 64 : 48; }
std::uint32_t transformBytes(SluFlags transformFlags, SluMatrixForm form = SLU_MATRIX_ROWS);

// The flags that a plan may have: positions, rotations and either scale in all combinations, or a matrix alone.
std::vector<SluFlags> everyTransform();
constexpr SluBoundsShape kShapes[] = {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX, SLU_SHAPE_CORNERS, SLU_SHAPE_BOX_VEC4,
                                      SLU_SHAPE_CORNERS_VEC4};
// A sphere, and each kind of box as one of its two forms.
std::vector<SluBoundsShape> someShapes(Random& random);
constexpr SluMatrixForm kMatrixForms[] = {SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4};

// Culling by bounds at `offset` of the record, or in a stream whose elements end with them.
void addCulling(PlanSpec& plan, SluFlags cullFlags, SluBoundsSource source, std::uint32_t offset,
                SluBoundsShape shape = SLU_SHAPE_SPHERE);

// A test of layers: of the word at `offset` of the record, or of a stream whose elements end with it.
void addLayers(PlanSpec& plan, std::uint32_t offset, bool isStream);
// Or marks alone: a bit of that word by which records are never culled.
void addMarks(PlanSpec& plan, std::uint32_t offset, bool isStream, Random& random);

// A test of occlusion, for a plan that has its culling and its layers. Records with a bit of the mask are never occluded; a
// plan with a mask and no layers of its own reads the word at the offset of layers, 0 unless it has another one.
void addOcclusion(PlanSpec& plan, std::uint32_t neverOccludeMask = 0);

// A test of the cones at `offset` from where the offset of the bounds counts, for a plan that has its culling by spheres.
// Elements of streams and meshes grow if they have to.
void addCones(PlanSpec& plan, std::uint32_t offset, SluFlags flags = 0);

// Gives records that mirror buckets of their own. The plan has its buckets, without draws, and a transform that may mirror.
void splitMirrored(PlanSpec& plan);

// Makes records share each stream of `streams` (SluIndexedStreamBits) that the plan has: they name its element by the
// word at `offset`.
void addIndices(PlanSpec& plan, SluFlags streams, std::uint32_t offset);

// Position, scale and rotation, in this order, or a matrix, from `offset` of the record on, as the flags say. The parts
// lie next to each other if there is a scale per axis, else where they would lie with all three.
void addTransform(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset, SluMatrixForm form = SLU_MATRIX_ROWS);
constexpr std::uint32_t kTransformBytes = 32;  // without a scale per axis or a matrix
constexpr std::uint32_t kMostTransformBytes = 64;

// The same in the stream of transforms, from `offset` of its elements on, which end with the transform. Without flags it
// does nothing.
void addTransformStream(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset,
                        SluMatrixForm form = SLU_MATRIX_ROWS);

// A further stream; strides of 0 are elementSize.
void addStream(PlanSpec& plan, std::uint32_t elementSize, std::uint32_t inputStride = 0,
               std::uint32_t outputStride = 0);

// Further streams of any kind, `most` at most.
void addRandomStreams(PlanSpec& plan, std::uint32_t most, Random& random);

// A mesh table, for a plan with buckets that lacks nothing else. The numbers that the plan reads lie one behind the
// other, those of a LOD together. Behind them are the bounds, if these are in the mesh.
void addMeshes(PlanSpec& plan, SluFlags parts, SluLodRule rule = SLU_LOD_VIEW_DISTANCES, SluFlags lodFlags = 0);

// Every combination of parts that a plan with such draws may have.
std::vector<SluFlags> everyMeshPart(SluDrawType type);

// One for each kernel of the CUDA route that compacts in this order; tests/simt checks that none is missing. Buckets
// are small, so that plans of many records write little.
std::vector<PlanSpec> plansOfEveryKernel(SluOrder order, Random& random);

// Valid, and otherwise anything the header allows, at sizes that a test can afford.
PlanSpec makeRandomPlan(std::uint32_t maxRecordCount, Random& random, bool mayTestOcclusion = true);

}  // namespace slu::test
