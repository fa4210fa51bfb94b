// Step 1, evaluate: tests the records of a tile, and finds their buckets.
#pragma once

#include "../steps/bounds.cuh"
#include "../steps/meshes.cuh"
#include "../steps/rank.cuh"

namespace slu::cuda {

// Tests of a word. They are two types so that each kernel tests in as few instructions as its plan's test takes.
struct RangeTest {
  uint limit;
  __device__ __forceinline__ bool operator()(uint word) const { return sluIsLive(word, limit); }
};
struct MaskTest {
  uint mask;
  uint value;
  __device__ __forceinline__ bool operator()(uint word) const { return sluMatches(word, mask, value); }
};

// Returns use(isLive), where isLive is the plan's test of a word. All threads take the same branch.
template <typename Use>
__device__ __forceinline__ auto withWordTest(const Arguments& arguments, const Use& use) {
  if (arguments.plan.liveTest == SLU_LIVE_MASK_EQUAL) {
    return use(MaskTest{arguments.frame.liveMask, arguments.frame.liveValue});
  }
  return use(RangeTest{arguments.plan.liveLimit});
}

// Returns whether any of the words that SLU_LIVE_NON_EMPTY names is not 0.
__device__ __forceinline__ bool isNonEmpty(const FrameBlock& frame, const uint* words) {
  uint any = 0;
  uint i = 0;
  if (frame.wideLive != 0) {
    for (; i + 4 <= frame.liveWords; i += 4) {
      const uint4 four = __ldg(reinterpret_cast<const uint4*>(words + i));
      any |= four.x | four.y | four.z | four.w;
    }
  }
  for (; i < frame.liveWords; ++i) any |= __ldg(words + i);
  return any != 0;
}

// Returns the items of `flags` whose flags are set in the stream. The loads of all items are issued before the first
// result is used.
template <uint kItems>
__device__ __forceinline__ uint flaggedItems(const Arguments& arguments, const uint (&indices)[kItems], uint flags) {
  const FrameBlock& frame = arguments.frame;
  const uint flagTest = arguments.plan.flagTest;
  uint words[kItems];
  if (flagTest == SLU_LIVE_FLAG_BITS) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = (flags >> item & 1) != 0 ? __ldg(at<const uint>(frame.flags, sluFlagWord(indices[item]))) : 0;
    }
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) words[item] = sluFlagBits(words[item], indices[item]) & 1u;
  } else if (flagTest == SLU_LIVE_FLAG_BYTES) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = (flags >> item & 1) != 0 ? __ldg(at<const unsigned char>(frame.flags, indices[item])) : 0;
    }
  } else {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = (flags >> item & 1) != 0 ? __ldg(at<const uint>(frame.flags, indices[item])) : 0;
    }
  }
  uint flagged = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) flagged |= words[item] != 0 ? 1u << item : 0;
  return flagged;
}

// Returns the items of `flags` whose records pass the plan's own test of a record. The loads of all items are issued
// before the first result is used.
template <uint kItems>
__device__ __forceinline__ uint builtInLiveItems(const Arguments& arguments, const uint (&indices)[kItems],
                                                 uint flags) {
  const FrameBlock& frame = arguments.frame;
  const uint liveTest = arguments.plan.liveTest;
  if (liveTest == SLU_LIVE_ALWAYS) return flags;
  const uint* base = at<const uint>(frame.records, frame.liveOffset);
  uint words[kItems];
  if (liveTest == SLU_LIVE_NON_EMPTY && frame.liveWords > 1) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const uint* first = base + static_cast<u64>(indices[item]) * arguments.plan.recordWords;
      words[item] = (flags >> item & 1) != 0 && isNonEmpty(frame, first) ? 1 : 0;
    }
  } else {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const u64 first = static_cast<u64>(indices[item]) * arguments.plan.recordWords;
      words[item] = (flags >> item & 1) != 0 ? __ldg(base + first) : 0;
    }
  }
  return withWordTest(arguments, [&](const auto& isLive) {
    uint live = 0;
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) live |= isLive(words[item]) ? 1u << item : 0;
    return live & flags;
  });
}

// The part of a policy that loads keys from the records.
struct StoredKeys {
  // Loads the words that hold the keys of the items of `flags`. The keys of other items do not change.
  template <uint kItems>
  __device__ static __forceinline__ void loadKeys(const Arguments& arguments, const uint (&indices)[kItems], uint flags,
                                                  uint (&keys)[kItems]) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const u64 word = static_cast<u64>(indices[item]) * arguments.plan.recordWords + arguments.frame.keyOffset;
      if ((flags >> item & 1) != 0) keys[item] = loadWithLine(at<const uint>(arguments.frame.records, word));
    }
  }
};

// A policy says what a kernel evaluates: its live test of records, and what is known of the plan at compile time. With
// this one nothing is known, and the kernel reads the plan.
struct AnyPlan : StoredKeys {
  using Tile = device::Tile<kThreads, kTileRecords / kThreads, 1>;
  static constexpr uint kCopyUnitsByBucket = kBucketedCopyUnits;
  static constexpr bool kTestsLive = true;
  static constexpr bool kCountsRejects = true;     // if the plan counts them
  static constexpr bool kListsRejects = false;     // instead of what passes
  static constexpr bool kListsCandidates = false;  // and tests these (candidates.cuh)
  using Bounds = SluSphere;
  static constexpr bool kIsScene = false;
  static constexpr bool kIsAnyScene = false;  // whose plan may have all that scenes have
  static constexpr bool kHasLods = true;      // or a mesh table, in scenes
  __device__ static __forceinline__ const PlanConstants& known(const PlanConstants& plan) { return plan; }
  __device__ static __forceinline__ bool needsBounds(const PlanConstants& plan) {
    return SLU_NEEDS_BOUNDS(plan.cullFlags, plan.lodCount);
  }
  __device__ static __forceinline__ bool boundsHaveKeys(const PlanConstants& plan) {
    return plan.boundsSource == SLU_BOUNDS_PER_KEY;
  }
  __device__ static __forceinline__ uint transformFlags(const PlanConstants& plan) { return plan.transformFlags; }
  __device__ static __forceinline__ uint keyTime(const PlanConstants& plan) { return plan.keyTime; }
};

// Tests a record by the plan's own test.
struct BuiltInLive : AnyPlan {
  template <uint kItems>
  __device__ static __forceinline__ uint liveItems(const Arguments& arguments, const uint (&indices)[kItems], uint,
                                                   uint flags) {
    return builtInLiveItems(arguments, indices, flags);
  }
};

// The policy Live, for plans of scenes (shaders/shared/rules.h). A volume has up to 18 words to load and needs as many
// registers, so a thread has few.
template <typename Live>
struct Scene : Live {
  using Tile = device::Tile<kThreads, kSceneItems, 1>;
  using Bounds = Volume;
  static constexpr bool kIsScene = true;
  static constexpr bool kIsAnyScene = true;
};

struct BuiltInScene : Scene<BuiltInLive> {};

// The policy Live, for lists of what is rejected. They have one bucket, whatever keys and levels of detail decide.
template <typename Live>
struct Rejected : Live {
  static constexpr bool kCountsRejects = false;
  static constexpr bool kListsRejects = true;
};
struct RejectedLive : Rejected<BuiltInLive> {};
struct RejectedScene : Rejected<BuiltInScene> {};

// The policy Live of scenes, for frames whose bits drop records, where it does not matter why.
template <typename Live>
struct Candidates : Live {
  static constexpr bool kCountsRejects = false;
  static constexpr bool kListsCandidates = true;
};
struct BuiltInCandidates : Candidates<BuiltInScene> {};

// The policy of plans in which only spheres decide, and keys if there are several. Every record is live, spheres are
// not transformed, and rejects are not counted. The host sets keyTime accordingly. Few items per thread spread a small
// frame over more multiprocessors.
template <uint kItems>
struct SpheresAlone : StoredKeys {
  using Tile = device::Tile<kThreads, kItems, 1>;
  static constexpr uint kCopyUnitsByBucket = kItems == kFewCulledItems ? kCopyUnits : kBucketedCopyUnits;
  static constexpr bool kTestsLive = false;
  static constexpr bool kCountsRejects = false;
  static constexpr bool kListsRejects = false;
  static constexpr bool kListsCandidates = false;
  using Bounds = SluSphere;
  static constexpr bool kIsScene = false;
  static constexpr bool kIsAnyScene = false;
  static constexpr bool kHasLods = false;
  __device__ static __forceinline__ const PlanConstants& known(const PlanConstants& plan) { return plan; }
  __device__ static __forceinline__ bool needsBounds(const PlanConstants&) { return true; }
  __device__ static __forceinline__ bool boundsHaveKeys(const PlanConstants&) { return false; }
  __device__ static __forceinline__ uint transformFlags(const PlanConstants&) { return 0; }
  __device__ static __forceinline__ uint keyTime(const PlanConstants& plan) {
    return plan.keyTime == SLU_KEYS_NONE ? SLU_KEYS_NONE : SLU_KEYS_AFTER_CULLING;
  }
};

struct ManySpheres : SpheresAlone<kCulledItems> {};
struct FewSpheres : SpheresAlone<kFewCulledItems> {};

// The policy of the same plans where a mesh table describes the draws: scenes of spheres that nothing moves.
struct MeshSpheres : SpheresAlone<kCulledItems> {
  using Bounds = Volume;
  static constexpr bool kIsScene = true;
  static constexpr bool kHasLods = true;
  __device__ static __forceinline__ PlanConstants known(PlanConstants plan) {
    plan.boundsShape = SLU_SHAPE_SPHERE;
    plan.scene = SLU_SCENE_VOLUMES | SLU_SCENE_MESHES;
    return plan;
  }
};

// Extracts the keys from their words. Returns the items of `flags` whose keys the plan has.
template <uint kItems>
__device__ __forceinline__ uint knownKeys(const FrameBlock& frame, uint flags, uint (&keys)[kItems]) {
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    keys[item] = sluKey(keys[item], frame.keyShift, frame.keyMask);
    if (!sluIsKey(keys[item], frame.keyCount)) flags &= ~(1u << item);
  }
  return flags;
}

template <uint kItems>
__device__ __forceinline__ uint keptFlags(const uint (&buckets)[kItems]) {
  uint flags = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if (buckets[item] != SLU_DROPPED) flags |= 1u << item;
  }
  return flags;
}

// Adds the keys that evaluateEarly left out to its buckets. Drops records whose keys the plan does not have.
template <typename Test, uint kItems>
__device__ __forceinline__ void applyKeys(const Arguments& arguments, const uint (&indices)[kItems],
                                          uint (&buckets)[kItems]) {
  uint keys[kItems] = {};
  const uint kept = keptFlags(buckets);
  Test::loadKeys(arguments, indices, kept, keys);
  const uint known = knownKeys(arguments.frame, kept, keys);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint bucket = sluBucket(keys[item], arguments.plan.lodCount, buckets[item]);
    buckets[item] = (known >> item & 1) != 0 ? bucket : SLU_DROPPED;
  }
}

// Removes the items for which fails(item) from `flags`, and passes them to reject(reason, items).
template <uint kItems, typename Fails, typename Reject>
__device__ __forceinline__ void dropItems(uint& flags, uint reason, const Fails& fails, const Reject& reject) {
  uint failed = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) failed |= fails(item) ? 1u << item : 0;
  reject(reason, flags & failed);
  flags &= ~failed;
}

// Joins the items' least distances with those from a view's more planes, if it has any. Only scenes have such views.
template <uint kItems>
__device__ __forceinline__ void addMorePlanes(const FrameBlock&, const SluViewBlock&, const PlanConstants&,
                                              const SluSphere (&)[kItems], float (&)[kItems]) {}
template <uint kItems>
__device__ __forceinline__ void addMorePlanes(const FrameBlock& frame, const SluViewBlock& view,
                                              const PlanConstants& plan, const Volume (&bounds)[kItems],
                                              float (&least)[kItems]) {
  if ((plan.scene & SLU_SCENE_MORE_PLANES) == 0 || view.morePlanes == 0) return;
  const SluViewBlock& more = frame.views[view.morePlanes];
  float moreLeast[kItems];
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) moreLeast[item] = SLU_FARTHEST;
  SLU_NO_UNROLL
  for (uint plane = 0; plane < SLU_PLANES; ++plane) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      moreLeast[item] = fminf(moreLeast[item], insideOf(more, plane, plan, bounds[item]));
    }
  }
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) least[item] = sluJoinedLeast(view, least[item], moreLeast[item]);
}

// Returns the items of `flags` that a view keeps. This is sluCull or sluCullVolume for several items at a time, so that
// each plane is loaded once. bounds: in the world, SluSphere or Volume. distances2: by sluDistance2. Those that fail are
// passed to reject(reason, items).
template <typename Bounds, uint kItems, typename Reject>
__device__ __forceinline__ uint cullItems(const FrameBlock& frame, const SluViewBlock& view, const PlanConstants& plan,
                                          const Bounds (&bounds)[kItems], const float (&distances2)[kItems], uint flags,
                                          const Reject& reject) {
  const auto isInvalid = [&](uint item) { return sluIsInvalid(sizeOf(bounds[item]), distances2[item]); };
  dropItems<kItems>(flags, SLU_REJECT_INVALID, isInvalid, reject);
  if ((plan.cullFlags & SLU_CULL_DISTANCE_BIT) != 0) {
    const auto isOutOfRange = [&](uint item) { return sluIsOutOfRange(view, distances2[item]); };
    dropItems<kItems>(flags, SLU_REJECT_DISTANCE, isOutOfRange, reject);
  }
  if ((plan.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0) {
    float least[kItems] = {};  // fminf leaves out NaN, as sluLeast does
    SLU_UNROLL
    for (uint plane = 0; plane < SLU_PLANES; ++plane) {
      SLU_UNROLL
      for (uint item = 0; item < kItems; ++item) {
        const float distance = insideOf(view, plane, plan, bounds[item]);
        least[item] = plane == 0 ? distance : fminf(least[item], distance);
      }
    }
    addMorePlanes(frame, view, plan, bounds, least);
    const auto isOutside = [&](uint item) { return isOutsideOf(plan, bounds[item], least[item]); };
    dropItems<kItems>(flags, SLU_REJECT_FRUSTUM, isOutside, reject);
  }
  if ((plan.cullFlags & SLU_CULL_SIZE_BIT) != 0) {
    const auto isTooSmall = [&](uint item) { return isTooSmallFor(view, bounds[item], distances2[item]); };
    dropItems<kItems>(flags, SLU_REJECT_SIZE, isTooSmall, reject);
  }
  return flags;
}

template <typename Bounds, uint kItems>
__device__ __forceinline__ void findDistances(const SluViewBlock& view, const Bounds (&bounds)[kItems],
                                              float (&distances2)[kItems]) {
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) distances2[item] = sluDistance2(view, bounds[item].center);
}

// Adds the levels of detail of spheres, as sluLod finds them, to lods.
template <uint kItems>
__device__ __forceinline__ void addLods(const SluViewBlock& view, const PlanConstants& plan,
                                        const float (&distances2)[kItems], uint& lods) {
  for (uint lod = 1; lod < plan.lodCount; ++lod) {
    const float threshold = view.lodDistance2[lod - 1];
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) lods += distances2[item] >= threshold ? 1u << (item * kLodBits) : 0;
  }
}

// Drops the items whose meshes the frame does not have, if there is a mesh table.
template <uint kItems, typename Reject>
__device__ __forceinline__ void dropUnknownMeshes(const FrameBlock& frame, const uint (&keys)[kItems], uint& flags,
                                                  const Reject& reject) {
  if (frame.meshLayout.stride == 0) return;
  const uint meshCount = meshCountOf(frame);
  const auto isUnknown = [&](uint item) { return !sluIsKey(keys[item], meshCount); };
  dropItems<kItems>(flags, SLU_REJECT_KEY, isUnknown, reject);
}

// Returns whether evaluateEarly leaves out the keys. If they are loaded after culling and name meshes, it loads them
// itself, since meshes have levels of detail.
template <typename Test>
__device__ __forceinline__ bool leavesKeysOut(const Arguments& arguments) {
  const bool hasMeshes = Test::kIsScene && arguments.frame.meshLayout.stride != 0;
  return Test::keyTime(arguments.plan) == SLU_KEYS_AFTER_CULLING && !hasMeshes;
}

// Returns the items that the frame has.
template <uint kItems>
__device__ __forceinline__ uint presentItems(const uint (&indices)[kItems], uint inputs) {
  uint present = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) present |= indices[item] < inputs ? 1u << item : 0;
  return present;
}

// Returns which items of `present` are live, and have keys that the plan has, if keys are loaded before culling. It
// issues the loads of all items before it uses a result. keys: 0 on entry; on return the keys that were loaded. Those
// that fail by their keys are passed to reject(reason, items), and for lists of rejects those that are not live.
template <typename Test, uint kItems, typename Reject>
__device__ __forceinline__ uint liveItemsOf(const Arguments& arguments, const uint (&indices)[kItems], uint inputs,
                                            uint present, uint (&keys)[kItems], const Reject& reject) {
  const PlanConstants& plan = arguments.plan;
  const uint keyTime = Test::keyTime(plan);
  if (keyTime == SLU_KEYS_WITH_LIVE) Test::loadKeys(arguments, indices, present, keys);
  uint flags = present;
  if constexpr (Test::kTestsLive) {
    if (plan.flagTest != SLU_LIVE_ALWAYS) flags = flaggedItems(arguments, indices, flags);
    flags = Test::liveItems(arguments, indices, inputs, flags);
  }
  if constexpr (Test::kListsRejects) reject(SLU_REJECT_NOT_LIVE, present & ~flags);

  if (keyTime == SLU_KEYS_WITH_LIVE || keyTime == SLU_KEYS_AFTER_LIVE) {
    if (keyTime == SLU_KEYS_AFTER_LIVE) Test::loadKeys(arguments, indices, flags, keys);
    const uint live = flags;
    flags = knownKeys(arguments.frame, flags, keys);
    reject(SLU_REJECT_KEY, live & ~flags);
  }
  if constexpr (Test::kIsScene && Test::kHasLods) {
    if (keyTime != SLU_KEYS_AFTER_CULLING) dropUnknownMeshes(arguments.frame, keys, flags, reject);
  }
  return flags;
}

// Finds the bounds of the items of `flags` in the world. It issues the loads of all items before it uses a result,
// except those of transforms of spheres. Returns which items mirror, if the plan asks for that.
template <typename Test, uint kItems>
__device__ __forceinline__ uint findBoundsInWorld(const Arguments& arguments, const uint (&indices)[kItems],
                                                  const uint (&keys)[kItems], uint flags,
                                                  typename Test::Bounds (&bounds)[kItems]) {
  if constexpr (Test::kIsAnyScene) {
    return loadVolumes<Test>(arguments, indices, keys, flags, bounds);
  } else if constexpr (Test::kIsScene) {
    SluSphere spheres[kItems];
    loadSpheres<Test>(arguments, indices, keys, flags, spheres);
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) bounds[item] = volumeOf(spheres[item]);
    return 0;
  } else {
    loadSpheres<Test>(arguments, indices, keys, flags, bounds);
    if (Test::transformFlags(arguments.plan) == 0) return 0;
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((flags >> item & 1) != 0) bounds[item] = moveSphere(arguments, bounds[item], indices[item]);
    }
    return 0;
  }
}

// Returns the first bucket of the records that mirror as the item does: 0, or PlanPart::mirroredFirst.
__device__ __forceinline__ uint firstBucketOf(const FrameBlock& frame, uint mirrored, uint item) {
  return (mirrored >> item & 1) != 0 ? frame.mirroredFirst : 0;
}

// Loads the layers of the items of `flags`, if the plan reads them.
template <typename Test, uint kItems>
__device__ __forceinline__ void loadLayers(const Arguments& arguments, const uint (&indices)[kItems], uint flags,
                                           uint (&layers)[kItems]) {
  const FrameBlock& frame = arguments.frame;
  if (!Test::kIsAnyScene || (arguments.plan.scene & (SLU_SCENE_LAYERS | SLU_SCENE_MARKS)) == 0) return;
  uint elements[kItems];
  flags = findElements(arguments, SLU_SCENE_INDEXED_LAYERS, frame.layersIndexOffset, frame.layerCount, indices, flags,
                       elements);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const u64 word = static_cast<u64>(elements[item]) * frame.layerStride;
    if ((flags >> item & 1) != 0) layers[item] = __ldg(at<const uint>(frame.layers, word));
  }
}

// Drops the items that are in no layer of the view, if the plan tests that.
template <typename Test, uint kItems, typename Reject>
__device__ __forceinline__ void dropOtherLayers(const PlanConstants& plan, const SluViewBlock& view,
                                                const uint (&layers)[kItems], uint& flags, const Reject& reject) {
  if (!Test::kIsAnyScene || (plan.scene & SLU_SCENE_LAYERS) == 0) return;
  dropItems<kItems>(
      flags, SLU_REJECT_LAYER, [&](uint item) { return sluIsInNoLayer(view, layers[item]); }, reject);
}

// Returns the items that are never culled.
template <typename Test, uint kItems>
__device__ __forceinline__ uint markedItems(const Arguments& arguments, const uint (&layers)[kItems]) {
  if (!Test::kIsAnyScene || (arguments.plan.scene & SLU_SCENE_MARKS) == 0) return 0;
  uint marked = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    marked |= (layers[item] & arguments.frame.boundsLayout.neverCullMask) != 0 ? 1u << item : 0;
  }
  return marked;
}

// Where the items that a pyramid hides begin in a word whose lower bits are the items that are never culled.
constexpr uint kHiddenBit = 16;

// What the bits of a frame that tests occlusion say of a thread's items, a bit each.
struct Sights {
  uint wasVisible;  // of frames of two phases
  uint isVisible;   // of those that read a pyramid
};

// Returns where a record's bit lies. bits: FramePart::visible or lastVisible.
__device__ __forceinline__ uint* visibleWord(const FrameBlock& frame, u64 bits, uint view, uint record) {
  return at<uint>(bits, static_cast<u64>(view) * frame.visibleStride + sluFlagWord(record));
}

// Returns the items of `present` whose bits are set. bits: as for visibleWord; 0: none is.
template <uint kItems>
__device__ __forceinline__ uint visibleItems(const FrameBlock& frame, u64 bits, uint view,
                                             const uint (&indices)[kItems], uint present) {
  if (bits == 0) return 0;
  uint words[kItems] = {};
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if ((present >> item & 1) != 0) words[item] = __ldg(visibleWord(frame, bits, view, indices[item]));
  }
  uint visible = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) visible |= (sluFlagBits(words[item], indices[item]) & 1u) << item;
  return visible;
}

// Loads the bits of the items of `present`.
template <uint kItems>
__device__ __forceinline__ Sights loadSights(const FrameBlock& frame, uint view, const uint (&indices)[kItems],
                                             uint present) {
  Sights sights = {};
  if (frame.occlusionPhase != SLU_OCCLUSION_SINGLE) {
    sights.wasVisible = visibleItems(frame, frame.lastVisible, view, indices, present);
  }
  if (sluReadsVisible(frame.occlusionPhase)) {
    sights.isVisible = visibleItems(frame, frame.visible, view, indices, present);
  }
  return sights;
}

// Returns the items about which the other phase decides. neverOccluded: a bit per item.
template <uint kItems>
__device__ __forceinline__ uint otherPhaseItems(const FrameBlock& frame, const Sights& sights, uint neverOccluded) {
  const uint first = sights.wasVisible | neverOccluded;
  uint others = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    others |= sluIsOfOtherPhase(frame.occlusionPhase, (first >> item & 1) != 0) ? 1u << item : 0;
  }
  return others;
}

// Returns the items that the pyramid hides. neverOccluded: a bit per item.
__device__ __forceinline__ uint hiddenItems(const FrameBlock& frame, const Sights& sights, uint neverOccluded) {
  return sluReadsVisible(frame.occlusionPhase) ? ~(sights.isVisible | neverOccluded) : 0;
}

// Returns the items that the frame does not keep, whatever their layers are.
template <uint kItems>
__device__ __forceinline__ uint surelyUnseen(const FrameBlock& frame, const Sights& sights) {
  const uint usually = otherPhaseItems<kItems>(frame, sights, 0) | hiddenItems(frame, sights, 0);
  if (frame.neverOccludeMask == 0) return usually;
  return usually & (otherPhaseItems<kItems>(frame, sights, ~0u) | hiddenItems(frame, sights, ~0u));
}

// Returns the items that are never occluded.
template <uint kItems>
__device__ __forceinline__ uint neverOccludedItems(const FrameBlock& frame, const uint (&layers)[kItems]) {
  uint never = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) never |= (layers[item] & frame.neverOccludeMask) != 0 ? 1u << item : 0;
  return never;
}

// Returns whether it matters why a record is rejected.
template <typename Test>
__device__ __forceinline__ bool tellsReasons(const PlanConstants& plan) {
  return Test::kListsRejects || (Test::kCountsRejects && plan.countsRejects != 0);
}

// Drops the items whose triangles all face away, if the plan tests that. spared: those that are never culled.
template <typename Test, uint kItems, typename Reject>
__device__ __forceinline__ void dropFacingAway(const Arguments& arguments, const SluViewBlock& view,
                                               const uint (&indices)[kItems], const uint (&keys)[kItems],
                                               const Volume (&bounds)[kItems], uint spared, uint& flags,
                                               const Reject& reject) {
  if ((arguments.plan.scene & SLU_SCENE_CONES) == 0) return;
  const auto isFacingAway = [&](uint item) {
    return (flags & ~spared & 1u << item) != 0 &&
           facesAway<Test>(arguments, view, indices[item], keys[item], bounds[item].center);
  };
  dropItems<kItems>(flags, SLU_REJECT_CONE, isFacingAway, reject);
}

// Returns the items of `flags` that a view keeps, and adds their levels of detail to lods. bounds: in the world; of
// scenes whose bounds are not tested, any. marked: by markedItems, and from bit kHiddenBit on the items that a pyramid
// hides. keys: those of meshes are loaded here if they are loaded after culling.
template <typename Test, uint kItems, typename Reject>
__device__ __forceinline__ uint seenItems(const Arguments& arguments, uint viewNumber,
                                          const typename Test::Bounds (&bounds)[kItems], const uint (&indices)[kItems],
                                          uint inputs, uint marked, uint (&keys)[kItems], uint flags, uint& lods,
                                          const Reject& reject) {
  const PlanConstants& plan = Test::known(arguments.plan);
  const SluViewBlock& view = arguments.frame.views[viewNumber];
  const auto rejectOthers = [&](uint reason, uint items) { reject(reason, items & ~marked); };
  float distances2[kItems];
  findDistances(view, bounds, distances2);
  if (!Test::kIsScene || Test::needsBounds(plan)) {
    const uint spared = flags & marked;
    flags = cullItems(arguments.frame, view, plan, bounds, distances2, flags, rejectOthers) | spared;
  }
  if constexpr (Test::kIsAnyScene) {
    dropFacingAway<Test>(arguments, view, indices, keys, bounds, marked, flags, reject);
    reject(SLU_REJECT_OCCLUDED, flags & marked >> kHiddenBit);
    flags &= ~(marked >> kHiddenBit);
  }
  if constexpr (!Test::kIsScene) {
    addLods(view, plan, distances2, lods);
  } else if constexpr (Test::kHasLods) {
    const bool hasMeshes = arguments.frame.meshLayout.stride != 0;
    if (!hasMeshes && plan.lodCount == 1) return flags;
    if (hasMeshes && Test::keyTime(plan) == SLU_KEYS_AFTER_CULLING) {
      Test::loadKeys(arguments, indices, flags, keys);
      flags = knownKeys(arguments.frame, flags, keys);
      dropUnknownMeshes(arguments.frame, keys, flags, reject);
    }
    const uint missing =
        chooseLods<Test::kIsAnyScene>(arguments, viewNumber, indices, inputs, bounds, distances2, keys, flags, lods);
    reject(SLU_REJECT_LOD, missing);
    flags &= ~missing;
  }
  return flags;
}

// Returns which items pass all tests, a bit each, and passes the others to reject(reason, items), as liveItemsOf says.
// If reasons do not matter, what occlusion rejects is dropped before anything else is loaded of it. keys: as for
// liveItemsOf. lods: the levels of detail, kLodBits per item; mirrored: which items mirror; both 0 on entry.
template <typename Test, uint kItems, typename Reject>
__device__ __forceinline__ uint testItems(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                          uint inputs, uint (&keys)[kItems], uint& lods, uint& mirrored,
                                          const Reject& reject) {
  const PlanConstants& plan = arguments.plan;
  const FrameBlock& frame = arguments.frame;
  uint present = presentItems(indices, inputs);
  if constexpr (Test::kIsScene) {
    Sights sights = {};
    const bool dropsEarly = frame.occlusionPhase != 0 && !tellsReasons<Test>(plan);
    if (Test::kIsAnyScene && frame.occlusionPhase != 0) {
      sights = loadSights(frame, view, indices, present);
      if (dropsEarly) present &= ~surelyUnseen<kItems>(frame, sights);
      if (present == 0) return 0;
    }
    uint flags = liveItemsOf<Test>(arguments, indices, inputs, present, keys, reject);
    uint layers[kItems] = {};
    loadLayers<Test>(arguments, indices, flags, layers);
    dropOtherLayers<Test>(plan, frame.views[view], layers, flags, reject);
    uint marked = markedItems<Test>(arguments, layers);
    if (Test::kIsAnyScene && frame.occlusionPhase != 0) {
      const uint neverOccluded = neverOccludedItems(frame, layers);
      const uint others = otherPhaseItems<kItems>(frame, sights, neverOccluded);
      const uint hidden = hiddenItems(frame, sights, neverOccluded);
      static_assert(kItems <= kHiddenBit);
      reject(SLU_REJECT_OTHER_PHASE, flags & others);
      flags &= dropsEarly ? ~(others | hidden) : ~others;
      marked |= hidden << kHiddenBit;
    }
    Volume volumes[kItems] = {};
    if (Test::needsBounds(plan)) mirrored = findBoundsInWorld<Test>(arguments, indices, keys, flags, volumes);
    return seenItems<Test>(arguments, view, volumes, indices, inputs, marked, keys, flags, lods, reject);
  } else {
    const uint flags = liveItemsOf<Test>(arguments, indices, inputs, present, keys, reject);
    if (!Test::needsBounds(plan)) return flags;
    SluSphere spheres[kItems];
    findBoundsInWorld<Test>(arguments, indices, keys, flags, spheres);
    return seenItems<Test>(arguments, view, spheres, indices, inputs, 0, keys, flags, lods, reject);
  }
}

constexpr uint kReasonBits = 4;  // of an item, in a word of reasons
static_assert(SLU_REJECT_COUNT <= 1u << kReasonBits && SLU_REJECT_NOT_LIVE == 0);

// Adds the items to the counters of their reasons. Those that are kept are as those that are not live, which are not
// counted.
template <uint kItems>
__device__ __forceinline__ void countReasons(uint reasons, uint (&rejects)[SLU_REJECT_COUNT]) {
  static_assert(kItems * kReasonBits <= 32);
  SLU_UNROLL
  for (uint reason = SLU_REJECT_NOT_LIVE + 1; reason < SLU_REJECT_COUNT; ++reason) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      if ((reasons >> (item * kReasonBits) & ((1u << kReasonBits) - 1)) == reason) ++rejects[reason];
    }
  }
}

// Returns testItems, and counts the items that fail in rejects.
template <typename Test, uint kItems>
__device__ __forceinline__ uint keptItems(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                          uint inputs, uint (&keys)[kItems], uint& lods, uint& mirrored,
                                          uint (&rejects)[SLU_REJECT_COUNT]) {
  const bool counts = Test::kCountsRejects && arguments.plan.countsRejects != 0;
  if constexpr (Test::kIsAnyScene) {
    // The reason of each item takes fewer registers than a counter of each reason.
    uint reasons = 0;
    const auto note = [&](uint reason, uint failed) {
      SLU_UNROLL
      for (uint item = 0; item < kItems; ++item) reasons |= (failed >> item & 1) * reason << (item * kReasonBits);
    };
    const uint kept = testItems<Test>(arguments, view, indices, inputs, keys, lods, mirrored, note);
    if (counts) countReasons<kItems>(reasons, rejects);
    return kept;
  } else {
    const auto reject = [&](uint reason, uint failed) {
      if (counts) rejects[reason] += countBits(failed);
    };
    return testItems<Test>(arguments, view, indices, inputs, keys, lods, mirrored, reject);
  }
}

// Returns which items are rejected for the reasons of the plan's list, a bit each.
template <typename Test, uint kItems>
__device__ __forceinline__ uint rejectedItems(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                              uint inputs) {
  const uint reasons = arguments.plan.rejectReasons;
  uint keys[kItems] = {};
  uint lods = 0;
  uint mirrored = 0;
  uint rejected = 0;
  const auto reject = [&](uint reason, uint failed) { rejected |= sluListsReject(reasons, reason) ? failed : 0; };
  testItems<Test>(arguments, view, indices, inputs, keys, lods, mirrored, reject);
  return rejected;
}

// Finds the buckets of the thread's items, or SLU_DROPPED. If leavesKeysOut, these are the buckets of key 0, and
// applyKeys must follow.
template <typename Test, uint kItems>
__device__ __forceinline__ void evaluateEarly(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                              uint inputs, uint (&buckets)[kItems], uint (&rejects)[SLU_REJECT_COUNT]) {
  uint keys[kItems] = {};
  uint lods = 0;
  uint mirrored = 0;
  const uint flags = keptItems<Test>(arguments, view, indices, inputs, keys, lods, mirrored, rejects);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint lod = lods >> (item * kLodBits) & ((1u << kLodBits) - 1);
    const uint first = firstBucketOf(arguments.frame, mirrored, item);
    const uint bucket = first + sluBucket(keys[item], arguments.plan.lodCount, lod);
    buckets[item] = (flags >> item & 1) != 0 ? bucket : SLU_DROPPED;
  }
}

template <typename T>
__device__ __forceinline__ void indicesOfTile(uint tileBase, uint (&indices)[T::kItems]) {
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) indices[item] = tileBase + T::localOf(item);
}

// The policy Test, for plans with one bucket. These have neither keys nor levels of detail, nor a mesh table.
template <typename Test>
struct InOneBucket : Test {
  static constexpr bool kHasLods = false;
  __device__ static __forceinline__ uint keyTime(const PlanConstants&) { return SLU_KEYS_NONE; }
};

// Returns keptItems for a plan with one bucket.
template <typename Test, uint kItems>
__device__ __forceinline__ uint keptItemsOf(const Arguments& arguments, uint view, const uint (&indices)[kItems],
                                            uint inputs, uint (&rejects)[SLU_REJECT_COUNT]) {
  uint keys[kItems] = {};
  uint lods = 0;
  uint mirrored = 0;
  return keptItems<InOneBucket<Test>>(arguments, view, indices, inputs, keys, lods, mirrored, rejects);
}

// Returns keptItems, or for lists rejectedItems, for a plan with one bucket and the tile that begins at tileBase.
template <typename T, typename Test>
__device__ __forceinline__ uint keptItemsOfTile(const Arguments& arguments, uint view, uint tileBase, uint inputs,
                                                uint (&rejects)[SLU_REJECT_COUNT]) {
  uint indices[T::kItems];
  indicesOfTile<T>(tileBase, indices);
  if constexpr (Test::kListsRejects) {
    return rejectedItems<Test>(arguments, view, indices, inputs);
  } else {
    return keptItemsOf<Test>(arguments, view, indices, inputs, rejects);
  }
}

// Finds the buckets of the thread's items of the tile that begins at tileBase.
template <typename T, typename Test>
__device__ __forceinline__ void evaluateTile(const Arguments& arguments, uint view, uint tileBase, uint inputs,
                                             uint (&buckets)[T::kItems], uint (&rejects)[SLU_REJECT_COUNT]) {
  uint indices[T::kItems];
  indicesOfTile<T>(tileBase, indices);
  evaluateEarly<Test>(arguments, view, indices, inputs, buckets, rejects);
  if (leavesKeysOut<Test>(arguments)) applyKeys<Test>(arguments, indices, buckets);
}

}  // namespace slu::cuda
