// Constants that the kernels and the C++ around them share. Values that are public too are asserted equal in src/plan.
#ifndef SLU_LIMITS_H
#define SLU_LIMITS_H

#define SLU_DROPPED 0xffffffffu  // in place of a bucket or an output slot

// Live tests, in the order of SluLiveTest.
#define SLU_TEST_ALWAYS 0
#define SLU_TEST_NON_EMPTY 1
#define SLU_TEST_POSITIVE_INT 2
#define SLU_TEST_POSITIVE_FLOAT 3
#define SLU_TEST_FLAG_BITS 4
#define SLU_TEST_FLAG_BYTES 5
#define SLU_TEST_FLAG_WORDS 6

// SluCullFlagBits.
#define SLU_CULLS_DISTANCE 1u
#define SLU_CULLS_FRUSTUM 2u
#define SLU_CULLS_SIZE 4u

// SluSphereSource.
#define SLU_SPHERES_NONE 0
#define SLU_SPHERES_IN_RECORD 1
#define SLU_SPHERES_PER_RECORD 2
#define SLU_SPHERES_PER_KEY 3

// SluTransformFlagBits.
#define SLU_TRANSFORMS_POSITION 1u
#define SLU_TRANSFORMS_SCALE 2u
#define SLU_TRANSFORMS_ROTATION 4u

// SluOutputFlagBits.
#define SLU_WRITES_INDICES 1u
#define SLU_WRITES_RECORDS 2u
#define SLU_WRITES_DRAWS 4u
#define SLU_WRITES_DRAW_COUNTS 8u
#define SLU_WRITES_STATISTICS 16u
#define SLU_WRITES_BUCKET_COUNTS 32u

// SluReject; SLU_KEPT is none of them.
#define SLU_REJECTS_NOT_LIVE 0u
#define SLU_REJECTS_KEY 1u
#define SLU_REJECTS_INVALID 2u
#define SLU_REJECTS_DISTANCE 3u
#define SLU_REJECTS_FRUSTUM 4u
#define SLU_REJECTS_SIZE 5u
#define SLU_REJECTS_COUNT 6u
#define SLU_KEPT 6u

// SluOverflowFlagBits.
#define SLU_OVERFLOWS_CAPACITY 1u
#define SLU_OVERFLOWS_INPUT 2u

#define SLU_LODS 8u

// How the Vulkan route moves records; 1 to 3 where these decide for themselves and are all that is written.
#define SLU_MOVES_NONE 0    // tested, listed, and read again
#define SLU_MOVES_NARROW 1  // 4 and 8 bytes: shaders/narrow.glsl
#define SLU_MOVES_WIDE 2    // 12 to 64 bytes: shaders/wide.glsl
#define SLU_MOVES_SORTED 3  // 16 bytes into several buckets: shaders/sorted.glsl

// Words of the longest draw command, VkDrawIndexedIndirectCommand.
#define SLU_COMMAND_WORDS 5u

#endif
