// Registers of the shaders in HLSL, and so the slots of their root signature: b of the uniform buffers, t of buffers that
// kernels only read (SRVs), u of those that they write (UAVs). Feature level 11_0 has eight UAVs.
#ifndef SLU_REGISTERS_H
#define SLU_REGISTERS_H

#define SLU_REGISTER_SPACE 0

#define SLU_REGISTER_PLAN 0      // b
#define SLU_REGISTER_FRAME 1     // b
#define SLU_REGISTER_VIEW 2      // b
#define SLU_REGISTER_DISPATCH 3  // b, two words: the first view, and how many workgroups the dispatch has in x

#define SLU_REGISTER_RECORDS 0          // t
#define SLU_REGISTER_LIVE_COUNT 1       // t
#define SLU_REGISTER_BOUNDS 2           // t
#define SLU_REGISTER_TRANSFORMS 3       // t
#define SLU_REGISTER_FLAGS 4            // t
#define SLU_REGISTER_LAYERS 5           // t
#define SLU_REGISTER_MESHES 6           // t
#define SLU_REGISTER_LIVE_MESH_COUNT 7  // t
#define SLU_REGISTER_LAST_LOD_STATES 8  // t
#define SLU_REGISTER_LAST_VISIBLE 9     // t
#define SLU_REGISTER_PYRAMID 10         // t
#define SLU_REGISTER_SRV_COUNT 11

// Of no buffer, and of no finished kernel: what stands for calls of a predicate (steps/predicate.glsl).
#define SLU_REGISTER_PREDICATE 30      // t
#define SLU_REGISTER_PREDICATE_KEY 31  // t

#define SLU_REGISTER_INDICES 0        // u
#define SLU_REGISTER_KEPT_RECORDS 1   // u
#define SLU_REGISTER_DRAWS 2          // u
#define SLU_REGISTER_DRAW_COUNTS 3    // u
#define SLU_REGISTER_STATISTICS 4     // u
#define SLU_REGISTER_BUCKET_COUNTS 5  // u
#define SLU_REGISTER_LOD_STATES 6     // u
#define SLU_REGISTER_SCRATCH 7        // u
#define SLU_REGISTER_UAV_COUNT 8

// No plan that tests occlusion keeps LOD states.
#define SLU_REGISTER_VISIBLE SLU_REGISTER_LOD_STATES  // u

// Of pyramid.comp, whose root signatures are its own.
#define SLU_REGISTER_BUILD 0   // b
#define SLU_REGISTER_BUILT 0   // u: the pyramid
#define SLU_REGISTER_DEPTHS 0  // t: a buffer or a texture

#endif
