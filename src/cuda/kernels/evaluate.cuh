// Step 1, evaluate: predicate and key of the records of a tile.
#pragma once

#include "rank.cuh"

namespace slu::cuda {

// Every live test of a word is one comparison: 1 to limit. PlanConstants::liveLimit.
__device__ __forceinline__ bool wordIsLive(uint limit, uint word) { return word - 1u < limit; }

// Any of the words that SLU_LIVE_NON_EMPTY names.
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

// Bit per item: the record is live, by the plan's own tests. Indices of items that do not exist are no less than
// `inputs`. Loads of all items come before the first use.
template <uint kItems>
__device__ __forceinline__ uint builtInLiveItems(const Arguments& arguments, const uint (&indices)[kItems],
                                                 uint inputs) {
  const FrameBlock& frame = arguments.frame;
  const uint liveTest = arguments.plan.liveTest;
  uint words[kItems];
  if (liveTest == SLU_TEST_ALWAYS) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) words[item] = 1;
  } else if (liveTest == SLU_TEST_FLAG_BITS) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = indices[item] < inputs ? __ldg(at<const uint>(frame.flags, indices[item] / 32)) : 0;
    }
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) words[item] = words[item] >> (indices[item] % 32) & 1u;
  } else if (liveTest == SLU_TEST_FLAG_BYTES) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = indices[item] < inputs ? __ldg(at<const unsigned char>(frame.flags, indices[item])) : 0;
    }
  } else if (liveTest == SLU_TEST_NON_EMPTY && frame.liveWords > 1) {
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const u64 first = static_cast<u64>(indices[item]) * arguments.plan.recordWords + frame.liveOffset;
      words[item] = indices[item] < inputs && isNonEmpty(frame, at<const uint>(frame.records, first)) ? 1 : 0;
    }
  } else {
    const bool isFlag = liveTest == SLU_TEST_FLAG_WORDS;
    const uint* base = isFlag ? at<const uint>(frame.flags) : at<const uint>(frame.records, frame.liveOffset);
    const u64 stride = isFlag ? 1 : arguments.plan.recordWords;
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      words[item] = indices[item] < inputs ? __ldg(base + indices[item] * stride) : 0;
    }
  }
  uint flags = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    if (indices[item] < inputs && wordIsLive(arguments.plan.liveLimit, words[item])) flags |= 1u << item;
  }
  return flags;
}

// The live test as a policy of the kernels that evaluate: the plan's own.
struct BuiltInLive {
  template <uint kItems>
  __device__ static __forceinline__ uint liveItems(const Arguments& arguments, const uint (&indices)[kItems],
                                                   uint inputs) {
    return builtInLiveItems(arguments, indices, inputs);
  }
};

__device__ __forceinline__ Float3 loadFloat3(const float* from) {
  Float3 r;
  r.x = __ldg(from);
  r.y = __ldg(from + 1);
  r.z = __ldg(from + 2);
  return r;
}

__device__ __forceinline__ Float4 loadFloat4(const float* from, bool wide) {
  Float4 r;
  if (wide) {
    const float4 four = __ldg(reinterpret_cast<const float4*>(from));
    r.x = four.x;
    r.y = four.y;
    r.z = four.z;
    r.w = four.w;
  } else {
    r.x = __ldg(from);
    r.y = __ldg(from + 1);
    r.z = __ldg(from + 2);
    r.w = __ldg(from + 3);
  }
  return r;
}

// The bounds of a record before they are moved.
__device__ __forceinline__ Float4 loadSphere(const Arguments& arguments, uint index, uint key) {
  const FrameBlock& frame = arguments.frame;
  const float* source = at<const float>(frame.records, static_cast<u64>(index) * arguments.plan.recordWords);
  if (arguments.plan.sphereSource != SLU_SPHERES_IN_RECORD) {
    const uint element = arguments.plan.sphereSource == SLU_SPHERES_PER_KEY ? key : index;
    source = at<const float>(frame.spheres, static_cast<u64>(element) * frame.bounds.sphereStride);
  }
  return loadFloat4(source + frame.bounds.sphereOffset, frame.wideSpheres != 0);
}

__device__ __forceinline__ Sphere moveSphere(const Arguments& arguments, const Float4& packed, uint index) {
  const FrameBlock& frame = arguments.frame;
  const uint parts = arguments.plan.transformFlags;
  Sphere sphere;
  sphere.center.x = packed.x;
  sphere.center.y = packed.y;
  sphere.center.z = packed.z;
  sphere.radius = packed.w;
  if (parts == 0) return sphere;

  const float* record = at<const float>(frame.records, static_cast<u64>(index) * arguments.plan.recordWords);
  Float3 position = {};
  Float4 rotation = {};
  float scale = 1.0f;
  if ((parts & SLU_TRANSFORMS_POSITION) != 0) position = loadFloat3(record + frame.bounds.positionOffset);
  if ((parts & SLU_TRANSFORMS_SCALE) != 0) scale = __ldg(record + frame.bounds.scaleOffset);
  if ((parts & SLU_TRANSFORMS_ROTATION) != 0) rotation = loadFloat4(record + frame.bounds.rotationOffset, false);
  return sluTransformSphere(sphere, position, scale, rotation, parts);
}

// The words that hold the keys of the items of `flags`; the others keep what they have.
template <uint kItems>
__device__ __forceinline__ void loadKeys(const Arguments& arguments, const uint (&indices)[kItems], uint flags,
                                         uint (&keys)[kItems]) {
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const u64 word = static_cast<u64>(indices[item]) * arguments.plan.recordWords + arguments.frame.keyOffset;
    if ((flags >> item & 1) != 0) keys[item] = __ldg(at<const uint>(arguments.frame.records, word));
  }
}

// Counts the items of `flags` as rejected for a reason.
__device__ __forceinline__ void reject(uint (&rejects)[SLU_REJECTS_COUNT], uint reason, uint flags) {
  rejects[reason] += countBits(flags);
}

// Buckets of the thread's items of the tile that begins at tileBase; adds to why the others were not kept. Each part
// loads what it needs of all items before it uses any.
template <typename T, typename Live>
__device__ __forceinline__ void evaluateTile(const Arguments& arguments, uint view, uint tileBase, uint inputs,
                                             uint (&buckets)[T::kItems], uint (&rejects)[SLU_REJECTS_COUNT]) {
  const FrameBlock& frame = arguments.frame;
  const PlanConstants& plan = arguments.plan;
  uint indices[T::kItems];
  uint present = 0;
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) {
    indices[item] = tileBase + T::localOf(item);
    if (indices[item] < inputs) present |= 1u << item;
    buckets[item] = 0;
  }
  const bool loadsKeysEarly = plan.keyed != 0 && plan.keyIsNear != 0;
  if (loadsKeysEarly) loadKeys(arguments, indices, present, buckets);
  uint flags = Live::liveItems(arguments, indices, inputs);
  reject(rejects, SLU_REJECTS_NOT_LIVE, present & ~flags);

  if (plan.keyed != 0) {
    if (!loadsKeysEarly) loadKeys(arguments, indices, flags, buckets);
    const uint live = flags;
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      buckets[item] = buckets[item] >> frame.keyShift & frame.keyMask;
      if (buckets[item] >= frame.keyCount) flags &= ~(1u << item);
    }
    reject(rejects, SLU_REJECTS_KEY, live & ~flags);
  }

  if (plan.cullFlags != 0 || plan.lodCount > 1) {
    Float4 spheres[T::kItems];
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if ((flags >> item & 1) != 0) spheres[item] = loadSphere(arguments, indices[item], buckets[item]);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if ((flags >> item & 1) == 0) continue;
      const Sphere sphere = moveSphere(arguments, spheres[item], indices[item]);
      const float distance2 = sluDistance2(frame.views[view], sphere.center);
      const uint outcome = sluCull(frame.views[view], sphere, distance2, plan.cullFlags);
      buckets[item] = buckets[item] * plan.lodCount + sluLod(frame.views[view], distance2, plan.lodCount);
      if (outcome == SLU_KEPT) continue;
      flags &= ~(1u << item);
      SLU_UNROLL
      for (uint reason = 0; reason < SLU_REJECTS_COUNT; ++reason) rejects[reason] += outcome == reason ? 1 : 0;
    }
  }
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) {
    if ((flags >> item & 1) == 0) buckets[item] = SLU_DROPPED;
  }
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

}  // namespace slu::cuda
