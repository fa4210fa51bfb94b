// The bins of bevy's way. The shaders bevy_*.comp do what literature/renderers.cuh does in CUDA.
#include "records.glsl"

struct BinMetadata {
  uint meshIndex;
  uint baseOutputIndex;
  uint batchSetIndex;
  uint earlyInstanceCount;
  uint lateInstanceCount;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Bins { BinMetadata at[]; };
const uint kNoBatchSet = 0xffffffffu;
