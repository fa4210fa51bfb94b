// The buffers that shaders bind where they do not reach them by address: one binding of set 2 per buffer of a frame, and
// one for what the plan itself keeps. A plan that does not use a binding has it point to another one of its own.
#ifndef SLU_BINDINGS_H
#define SLU_BINDINGS_H

#define SLU_BINDING_RECORDS 0
#define SLU_BINDING_LIVE_COUNT 1
#define SLU_BINDING_SPHERES 2
#define SLU_BINDING_FLAGS 3
#define SLU_BINDING_INDICES 4
#define SLU_BINDING_KEPT_RECORDS 5
#define SLU_BINDING_DRAWS 6
#define SLU_BINDING_DRAW_COUNTS 7
#define SLU_BINDING_STATISTICS 8
#define SLU_BINDING_BUCKET_COUNTS 9
#define SLU_BINDING_SCRATCH 10
#define SLU_BINDING_COUNT 11

#define SLU_BINDING_SET 2  // the descriptor set that they are in

#endif
