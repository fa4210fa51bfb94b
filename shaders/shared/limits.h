// Constants that the kernels and the C++ around them share. sluice/values.h has those that are public.
#ifndef SLU_LIMITS_H
#define SLU_LIMITS_H

#define SLU_DROPPED 0xffffffffu  // in place of a bucket or an output slot

// How the Vulkan route moves records; 1 to 3 where these decide for themselves and are all that is written.
#define SLU_MOVES_NONE 0    // tested, listed, and read again
#define SLU_MOVES_NARROW 1  // 4 and 8 bytes: shaders/narrow.glsl
#define SLU_MOVES_WIDE 2    // 12 to 64 bytes: shaders/wide.glsl
#define SLU_MOVES_SORTED 3  // 16 bytes into several buckets: shaders/sorted.glsl

// Words of the longest draw command, VkDrawIndexedIndirectCommand.
#define SLU_COMMAND_WORDS 5u

#endif
