// Constants that the kernels and the C++ around them share. sluice/values.h has those that are public.
#ifndef SLU_LIMITS_H
#define SLU_LIMITS_H

#define SLU_DROPPED 0xffffffffu  // the bucket, or the output slot, of a record that is not written

// How the Vulkan route writes records. Records are moved, which means that they are read once, if only their own bytes
// decide whether they are kept and in which bucket, and records are all that is written for them.
#define SLU_MOVES_NONE 0    // kept records are listed, and read again
#define SLU_MOVES_NARROW 1  // 4 and 8 bytes: shaders/movers/narrow.glsl
#define SLU_MOVES_WIDE 2    // 12 to 64 bytes: shaders/movers/wide.glsl
#define SLU_MOVES_SORTED 3  // 16 bytes into several buckets: shaders/movers/sorted.glsl

// Words of the longest draw command, VkDrawIndexedIndirectCommand.
#define SLU_COMMAND_WORDS 5u
#define SLU_FRONT_BUCKET 5u  // DrawBlock::front, beyond the words of a command
#define SLU_FRONT_NUMBER 6u
#define SLU_FRONT_RECORD 7u
#define SLU_COUNTS_WORKGROUPS 8u  // DrawBlock::countWord: the command has no such word, but numbers of workgroups

#endif
