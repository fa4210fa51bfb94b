#version 460
// Kernels with one fault each, which uniform_flow.h and several_dispatches_test.cpp must find; and one without.
#extension GL_KHR_memory_scope_semantics : require

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Memory { uint words[]; };
layout(set = 0, binding = 1, std140) uniform Numbers { uvec4 numbers; };

shared uint sharedWord;

uint meet(uint value) {
  if (gl_LocalInvocationIndex == 0u) sharedWord = value;
  barrier();
  return sharedWord;
}

uint twice(uint count) { return 2u * count; }

void main() {
  uint sum = twice(words[0]);
#if defined(PLANTED_NOTHING)
  for (uint i = gl_WorkGroupID.x; i < twice(numbers.x); i += gl_NumWorkGroups.x) sum += meet(i);
  atomicAdd(words[1], sum);
#elif defined(PLANTED_LOOP)
  for (uint i = 0u; i < twice(words[1]); ++i) sum += meet(i);
#elif defined(PLANTED_BREAK)
  for (uint i = 0u; i < numbers.x; ++i) {
    sum += meet(i);
    if (sum > 7u) break;
  }
#elif defined(PLANTED_BRANCH)
  if (meet(0u) == 7u) sum += meet(1u);
#elif defined(PLANTED_RETURN)
  if (gl_LocalInvocationIndex > numbers.x) return;
  sum += meet(1u);
#elif defined(PLANTED_LAST)
  if (gl_LocalInvocationIndex == 0u) sharedWord = atomicAdd(words[1], 1u);
  barrier();
  if (sharedWord + 1u == gl_NumWorkGroups.x) sum = words[3];
#elif defined(PLANTED_MEMORY_BARRIER)
  memoryBarrierBuffer();
#elif defined(PLANTED_DEVICE_BARRIER)
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
#elif defined(PLANTED_DEVICE_ATOMIC)
  atomicAdd(words[1], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
#endif
  words[2] = sum;
}
