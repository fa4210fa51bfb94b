// Bindings of the shaders that do not reach buffers by address: one binding per buffer of a frame, and one for the
// plan's scratch. A binding that a plan does not use lies where its scratch is (src/routes/vulkan/rebinding.h).
#ifndef SLU_BINDINGS_H
#define SLU_BINDINGS_H

#define SLU_BINDING_RECORDS 0
#define SLU_BINDING_LIVE_COUNT 1
#define SLU_BINDING_BOUNDS 2
#define SLU_BINDING_TRANSFORMS 3
#define SLU_BINDING_FLAGS 4
#define SLU_BINDING_INDICES 5
#define SLU_BINDING_KEPT_RECORDS 6
#define SLU_BINDING_DRAWS 7
#define SLU_BINDING_DRAW_COUNTS 8
#define SLU_BINDING_STATISTICS 9
#define SLU_BINDING_BUCKET_COUNTS 10
#define SLU_BINDING_MESHES 11
#define SLU_BINDING_LIVE_MESH_COUNT 12
#define SLU_BINDING_LAYERS 13
#define SLU_BINDING_LAST_LOD_STATES 14
#define SLU_BINDING_LOD_STATES 15
#define SLU_BINDING_SCRATCH 16
#define SLU_BINDING_LAST_VISIBLE 17  // from here on of frames that test occlusion
#define SLU_BINDING_VISIBLE 18
#define SLU_BINDING_PYRAMID 19
#define SLU_BINDING_COUNT 20

#define SLU_BINDING_SET 2  // the descriptor set that they are in

#endif
