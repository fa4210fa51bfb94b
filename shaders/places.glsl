// Memory, by place: where a word lies. Kernels read and write memory through these functions alone, and no other file
// reckons with what a place is. Here it is a device address.

#define Place uint64_t
const Place kNowhere = 0ul;

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

// A word of what begins at base, and an element of an array of so many words each, which may be larger than 16 GiB.
Place wordAt(Place base, uint word) { return base + 4ul * word; }
Place elementAt(Place base, uint index, uint words) { return base + 4ul * (uint64_t(index) * words); }

// One, two and four words, at multiples of as many.
uint load(Place place) { return Words1(place).v; }
uint load(Place base, uint word) { return Words1(wordAt(base, word)).v; }
void store(Place place, uint value) { Words1(place).v = value; }
void store(Place base, uint word, uint value) { Words1(wordAt(base, word)).v = value; }
uvec2 loadTwo(Place place) { return Words2(place).v; }
void storeTwo(Place place, uvec2 two) { Words2(place).v = two; }
uvec4 loadFour(Place place) { return Words4(place).v; }
void storeFour(Place place, uvec4 four) { Words4(place).v = four; }

BucketBlock loadBucket(Place buckets, uint bucket) { return Bucket(elementAt(buckets, bucket, 8u)).v; }

uint addAt(Place place, uint value) { return atomicAdd(Words1(place).v, value); }
uint exchangeAt(Place place, uint value) { return atomicExchange(Words1(place).v, value); }
// Between workgroups, without order towards other accesses.
uint askAt(Place place) {
  return atomicLoad(Words1(place).v, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
void tellAt(Place place, uint value) {
  atomicStore(Words1(place).v, value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

#ifdef SLU_ATOMIC_INT64
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Long {
  uint64_t v;
};
uint64_t addLongAt(Place place, uint64_t value) { return atomicAdd(Long(place).v, value); }
uint64_t exchangeLongAt(Place place, uint64_t value) { return atomicExchange(Long(place).v, value); }
#endif
