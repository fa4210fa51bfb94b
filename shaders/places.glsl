// Access to memory by place. A place says where a word lies. Kernels read and write memory only through these
// functions, and no other file depends on what a place is. Each buffer of a frame has a type of place, and so has the
// plan's scratch: RecordsPlace(frame.records) is where the records begin.
//  - By address, all these types are the same: a device address.
//  - By binding (SLU_BOUND), each type belongs to a binding. A place holds two words: the number of a word in the
//    binding, and 1, or 0 if the frame does not have the buffer. Numbers of 32 bits are enough, since a device binds
//    less than 4 GiB. Only features of Vulkan 1.1 are used.
// A function that takes places of two types is a macro. SLU_FOR_PLACES defines it once for each different type.

#ifdef SLU_BOUND

#define SLU_FOR_PLACES(define, First, Second) define(First) define(Second)

// In HLSL (SLU_HLSL) each binding is a register, and inputs can only be read.
#ifdef SLU_HLSL
#define SLU_SLOT(NAME) set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_##NAME
#else
#include "shared/bindings.h"
#define SLU_SLOT(NAME) set = SLU_BINDING_SET, binding = SLU_BINDING_##NAME
#endif

// Returns whether the frame has the buffer that begins there.
bool isGiven(uvec2 place) { return place.y != 0u; }

#define SLU_READ_WORDS(Name, NAME, access)                                                                           \
  struct Name##Place {                                                                                               \
    uvec2 at;                                                                                                        \
  };                                                                                                                 \
  layout(SLU_SLOT(NAME), std430) access buffer Name##Words { uint v[]; } words##Name;                                \
  Name##Place wordAt(Name##Place base, uint word) { return Name##Place(uvec2(base.at.x + word, base.at.y)); }        \
  Name##Place elementAt(Name##Place base, uint index, uint words) { return wordAt(base, index * words); }            \
  uint load(Name##Place place) { return words##Name.v[place.at.x]; }                                                 \
  uint load(Name##Place base, uint word) { return words##Name.v[base.at.x + word]; }
#define SLU_WRITE_WORDS(Name)                                                                                        \
  void store(Name##Place place, uint value) { words##Name.v[place.at.x] = value; }                                   \
  void store(Name##Place base, uint word, uint value) { words##Name.v[base.at.x + word] = value; }
#define SLU_OUTPUT(Name, NAME) SLU_READ_WORDS(Name, NAME, ) SLU_WRITE_WORDS(Name)
#ifdef SLU_HLSL
#define SLU_INPUT(Name, NAME) SLU_READ_WORDS(Name, NAME, readonly)
#else
#define SLU_INPUT(Name, NAME) SLU_OUTPUT(Name, NAME)
#endif

// Load and store two and four words, by further declarations of the same binding. No declaration may write what another
// one reads, since compilers assume that they share no memory. SLU_ONE_VIEW is for languages that declare a buffer
// once.
#ifdef SLU_ONE_VIEW
#define SLU_READ_VECTORS(Name)                                                                                       \
  uvec2 loadTwo(Name##Place place) { return uvec2(load(place), load(place, 1u)); }                                   \
  uvec4 loadFour(Name##Place place) { return uvec4(loadTwo(place), loadTwo(wordAt(place, 2u))); }
#define SLU_WRITE_VECTORS(Name)                                                                                      \
  void storeTwo(Name##Place place, uvec2 two) {                                                                      \
    store(place, two.x);                                                                                             \
    store(place, 1u, two.y);                                                                                         \
  }                                                                                                                  \
  void storeFour(Name##Place place, uvec4 four) {                                                                    \
    storeTwo(place, four.xy);                                                                                        \
    storeTwo(wordAt(place, 2u), four.zw);                                                                            \
  }
#define SLU_INPUT_VECTORS(Name, NAME) SLU_READ_VECTORS(Name)
#define SLU_OUTPUT_VECTORS(Name, NAME) SLU_READ_VECTORS(Name) SLU_WRITE_VECTORS(Name)
#else
#define SLU_OUTPUT_VECTORS(Name, NAME)                                                                               \
  layout(SLU_SLOT(NAME), std430) buffer Name##Pairs { uvec2 v[]; } pairs##Name;                                      \
  layout(SLU_SLOT(NAME), std430) buffer Name##Quads { uvec4 v[]; } quads##Name;                                      \
  uvec2 loadTwo(Name##Place place) { return pairs##Name.v[place.at.x / 2u]; }                                        \
  void storeTwo(Name##Place place, uvec2 two) { pairs##Name.v[place.at.x / 2u] = two; }                              \
  uvec4 loadFour(Name##Place place) { return quads##Name.v[place.at.x / 4u]; }                                       \
  void storeFour(Name##Place place, uvec4 four) { quads##Name.v[place.at.x / 4u] = four; }
#define SLU_INPUT_VECTORS(Name, NAME) SLU_OUTPUT_VECTORS(Name, NAME)
#endif

SLU_INPUT(Records, RECORDS)
SLU_INPUT_VECTORS(Records, RECORDS)
SLU_INPUT(LiveCount, LIVE_COUNT)
SLU_INPUT(Bounds, BOUNDS)
SLU_INPUT_VECTORS(Bounds, BOUNDS)
SLU_INPUT(Transforms, TRANSFORMS)
SLU_INPUT_VECTORS(Transforms, TRANSFORMS)
SLU_INPUT(Flags, FLAGS)
SLU_INPUT_VECTORS(Flags, FLAGS)
SLU_OUTPUT(Indices, INDICES)
SLU_OUTPUT(KeptRecords, KEPT_RECORDS)
SLU_OUTPUT_VECTORS(KeptRecords, KEPT_RECORDS)
SLU_OUTPUT(Draws, DRAWS)
SLU_OUTPUT(DrawCounts, DRAW_COUNTS)
SLU_OUTPUT(Statistics, STATISTICS)
SLU_OUTPUT(BucketCounts, BUCKET_COUNTS)
SLU_INPUT(Layers, LAYERS)
SLU_INPUT(Meshes, MESHES)
SLU_INPUT(LiveMeshCount, LIVE_MESH_COUNT)
SLU_INPUT(LastLodStates, LAST_LOD_STATES)
SLU_OUTPUT(LodStates, LOD_STATES)
SLU_OUTPUT(Scratch, SCRATCH)
SLU_OUTPUT_VECTORS(Scratch, SCRATCH)
SLU_INPUT(LastVisible, LAST_VISIBLE)
SLU_INPUT(Pyramid, PYRAMID)
#ifdef SLU_HLSL
#define VisiblePlace LodStatesPlace  // of the same register
#else
SLU_OUTPUT(Visible, VISIBLE)
#endif

#ifdef SLU_HLSL
// Returns the number of the place's word in the binding, for what is written in HLSL.
uint wordNumber(RecordsPlace place) { return place.at.x; }
#endif

const KeptRecordsPlace kNowhere = KeptRecordsPlace(uvec2(0u));

BucketBlock loadBucket(ScratchPlace buckets, uint bucket) {
  ScratchPlace place = elementAt(buckets, bucket, 8u);
  return bucketOfWords(loadFour(place), loadFour(wordAt(place, 4u)));
}

#define SLU_ATOMIC_WORD(place) wordsScratch.v[place.at.x]

#else

#define Place uint64_t
#define RecordsPlace Place
#define LiveCountPlace Place
#define BoundsPlace Place
#define TransformsPlace Place
#define FlagsPlace Place
#define IndicesPlace Place
#define KeptRecordsPlace Place
#define DrawsPlace Place
#define DrawCountsPlace Place
#define StatisticsPlace Place
#define BucketCountsPlace Place
#define LayersPlace Place
#define MeshesPlace Place
#define LiveMeshCountPlace Place
#define LastLodStatesPlace Place
#define LodStatesPlace Place
#define ScratchPlace Place
#define LastVisiblePlace Place
#define VisiblePlace Place
#define PyramidPlace Place
#define SLU_FOR_PLACES(define, First, Second) define(Place)

const Place kNowhere = 0ul;

bool isGiven(Place place) { return place != kNowhere; }

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words1 {
  uint v;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Words2 {
  uvec2 v;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Words4 {
  uvec4 v;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Bucket {
  BucketBlock v;
};

// wordAt returns a word of what begins at base. elementAt returns an element of an array, `words` words each; the array
// may be larger than 16 GiB, so the product has 64 bits.
Place wordAt(Place base, uint word) { return base + 4ul * word; }
Place elementAt(Place base, uint index, uint words) { return base + 4ul * (uint64_t(index) * words); }

// Load and store one, two and four words. The place is a multiple of 4, 8 and 16 bytes.
uint load(Place place) { return Words1(place).v; }
uint load(Place base, uint word) { return Words1(wordAt(base, word)).v; }
void store(Place place, uint value) { Words1(place).v = value; }
void store(Place base, uint word, uint value) { Words1(wordAt(base, word)).v = value; }
uvec2 loadTwo(Place place) { return Words2(place).v; }
void storeTwo(Place place, uvec2 two) { Words2(place).v = two; }
uvec4 loadFour(Place place) { return Words4(place).v; }
void storeFour(Place place, uvec4 four) { Words4(place).v = four; }

BucketBlock loadBucket(ScratchPlace buckets, uint bucket) { return Bucket(elementAt(buckets, bucket, 8u)).v; }

#define SLU_ATOMIC_WORD(place) Words1(place).v

#endif

uint addAt(ScratchPlace place, uint value) { return atomicAdd(SLU_ATOMIC_WORD(place), value); }
uint exchangeAt(ScratchPlace place, uint value) { return atomicExchange(SLU_ATOMIC_WORD(place), value); }
// Relaxed atomic accesses, by which workgroups communicate. They do not order other accesses.
uint askAt(ScratchPlace place) {
  return atomicLoad(SLU_ATOMIC_WORD(place), gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
void tellAt(ScratchPlace place, uint value) {
  atomicStore(SLU_ATOMIC_WORD(place), value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

// A barrier after which all invocations of the workgroup see what any of them has written before, to memory and to
// shared memory. In uniform control flow.
void workgroupBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease);
}

// 64-bit atomics. The words that they access are accessed in no other way.
#ifdef SLU_ATOMIC_INT64
#ifdef SLU_BOUND
layout(SLU_SLOT(SCRATCH), std430) buffer ScratchLongs { uint64_t v[]; } longsScratch;
#define SLU_ATOMIC_LONG(place) longsScratch.v[place.at.x / 2u]
#else
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Long {
  uint64_t v;
};
#define SLU_ATOMIC_LONG(place) Long(place).v
#endif
uint64_t addLongAt(ScratchPlace place, uint64_t value) { return atomicAdd(SLU_ATOMIC_LONG(place), value); }
uint64_t exchangeLongAt(ScratchPlace place, uint64_t value) { return atomicExchange(SLU_ATOMIC_LONG(place), value); }
#endif
