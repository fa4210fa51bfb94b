#version 460
#extension GL_GOOGLE_include_directive : require
// niagara's way: see literature/renderers.cuh. Each survivor takes its place from one counter, which is 0 when a frame
// begins, and writes its index and a whole command.

layout(local_size_x = 64) in;
#include "records.glsl"

struct RecordDraw {
  uint record;
  DrawCommand command;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer RecordDraws { RecordDraw at[]; };

void main() {
  const uint index = threadOfGrid();
  if (index >= recordCount || !isLive(index)) return;
  const DrawCommand mesh = Draws(others).at[recordBucket(index)];
  const uint place = atomicAdd(drawCounts.at[0], 1u);
  RecordDraws(elements).at[place] = RecordDraw(index, DrawCommand(mesh.vertexCount, 1, mesh.firstVertex, 0));
}
