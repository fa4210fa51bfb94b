// The bins of bevy's way: see literature/renderers.cuh, of which bevy_*.comp are the counterparts.
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
