#version 460
// Folds depths into a pyramid (sluice/sluice_pyramid.h). It is no kernel of frames, and binds its buffers by itself.
//
// A workgroup folds a tile of 64x64 pixels to one texel of level 5, through shared memory. The last workgroup of a
// layer that arrives folds level 5 in the same way, 64x64 texels at a time, and so on up to the last level. No
// workgroup waits for another one. In several dispatches, one workgroup of the second dispatch does what the last one
// does.
//
// Coordinates beyond the last pixel are clamped to it. A texel that is in the pyramid has that pixel anyway if it has
// any beyond, so the clamped ones change nothing.
//
// SLU_PYRAMID_IMAGE: depths come from an image. SLU_PYRAMID_LAYERED: its view is an array. SLU_PYRAMID_SAMPLED: it has
// kSamples samples. SLU_HLSL: it is converted to HLSL, and a build is two dispatches.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_KHR_memory_scope_semantics : require

#include "shared/pyramid_block.h"

layout(local_size_x = SLU_PYRAMID_WORKGROUP) in;

layout(constant_id = 0) const uint kDirection = SLU_DEPTH_FORWARD;
layout(constant_id = 1) const uint kParts = SLU_PYRAMID_TILES | SLU_PYRAMID_REST;
layout(constant_id = 2) const int kSamples = 1;

#ifdef SLU_HLSL
#include "shared/registers.h"
#define SLU_BUILT set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_BUILT
#define SLU_DEPTHS set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_DEPTHS
layout(set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_BUILD, std140) uniform Build { PyramidBlock build; };
#else
#define SLU_BUILT set = 0, binding = 0
#define SLU_DEPTHS set = 0, binding = 2
layout(push_constant, std430) uniform Build { PyramidBlock build; };
// How many workgroups of a layer have arrived, and behind all layers, how many layers.
layout(set = 0, binding = 1, std430) coherent buffer Arrivals { uint arrivals[]; };
#endif
// Workgroups read what others have written.
layout(SLU_BUILT, std430) coherent buffer Pyramid { uint pyramid[]; };

#ifndef SLU_PYRAMID_IMAGE
layout(SLU_DEPTHS, std430) readonly buffer Depths { uint depths[]; };
#elif defined(SLU_PYRAMID_LAYERED) && defined(SLU_PYRAMID_SAMPLED)
layout(SLU_DEPTHS) uniform texture2DMSArray depthImage;
#elif defined(SLU_PYRAMID_LAYERED)
layout(SLU_DEPTHS) uniform texture2DArray depthImage;
#elif defined(SLU_PYRAMID_SAMPLED)
layout(SLU_DEPTHS) uniform texture2DMS depthImage;
#else
layout(SLU_DEPTHS) uniform texture2D depthImage;
#endif

const uint kTexelsPerLane = SLU_PYRAMID_EDGE * SLU_PYRAMID_EDGE / SLU_PYRAMID_WORKGROUP;
const uint kRowsAtOnce = SLU_PYRAMID_WORKGROUP / SLU_PYRAMID_EDGE;

// Levels of a tile in turn.
shared uint sharedTexels[2][SLU_PYRAMID_EDGE * SLU_PYRAMID_EDGE];
shared bool sharedIsLast;

uint farther(uint a, uint b) { return sluFartherBits(a, b, kDirection); }

// A barrier after which all invocations of the workgroup see what any of them has written before.
void workgroupBarrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease);
}

// Returns the depth of a pixel.
uint depthAt(uint layer, uint x, uint y) {
#ifndef SLU_PYRAMID_IMAGE
  return sluDepthBits(depths[build.depthWord + layer * build.layerWords + y * build.rowWords + x], kDirection);
#else
  ivec2 pixel = ivec2(build.firstX + x, build.firstY + y);
#ifdef SLU_PYRAMID_LAYERED
#define SLU_PIXEL ivec3(pixel, int(layer))
#else
#define SLU_PIXEL pixel
#endif
  uint depth = sluDepthBits(floatBitsToUint(texelFetch(depthImage, SLU_PIXEL, 0).x), kDirection);
#ifdef SLU_PYRAMID_SAMPLED
  for (int i = 1; i < kSamples; ++i) {
    depth = farther(depth, sluDepthBits(floatBitsToUint(texelFetch(depthImage, SLU_PIXEL, i).x), kDirection));
  }
#endif
  return depth;
#endif
}

// Returns the number of the first word of a level.
uint levelWord(uint layer, uint level) {
  return build.pyramidWord + sluPyramidTexel(build.width, build.height, layer, level, 0u, 0u);
}

// Returns the farthest of the four pixels of a texel of level 0.
uint foldPixels(uint layer, uvec2 texel) {
  uvec2 last = uvec2(build.width, build.height) - 1u;
  uvec2 a = min(2u * texel, last);
  uvec2 b = min(2u * texel + 1u, last);
  return farther(farther(depthAt(layer, a.x, a.y), depthAt(layer, b.x, a.y)),
                 farther(depthAt(layer, a.x, b.y), depthAt(layer, b.x, b.y)));
}

// Returns the farthest of the four texels of the level `below` that a texel of the next level has. word: the first word
// of the level `below`.
uint foldTexels(uint word, uint below, uvec2 texel) {
  uint width = sluPyramidLevelSize(build.width, below);
  uvec2 last = uvec2(width, sluPyramidLevelSize(build.height, below)) - 1u;
  uvec2 a = min(2u * texel, last);
  uvec2 b = min(2u * texel + 1u, last);
  return farther(farther(pyramid[word + a.y * width + a.x], pyramid[word + a.y * width + b.x]),
                 farther(pyramid[word + b.y * width + a.x], pyramid[word + b.y * width + b.x]));
}

// Stores a texel, unless the level does not have it. word: the first word of the level.
void storeTexel(uint word, uint level, uvec2 texel, uint depth) {
  uint width = sluPyramidLevelSize(build.width, level);
  if (texel.x < width && texel.y < sluPyramidLevelSize(build.height, level)) {
    pyramid[word + texel.y * width + texel.x] = depth;
  }
}

// Writes what a tile has of the levels from `first` on, SLU_PYRAMID_STEP of them or as many as there are. In uniform
// control flow.
void foldTile(uint layer, uint first, uvec2 tile) {
  uint lane = gl_LocalInvocationIndex;
  uint levels = sluPyramidLevels(build.width, build.height);
  uint word = levelWord(layer, first);
  uvec2 place = uvec2(lane % SLU_PYRAMID_EDGE, lane / SLU_PYRAMID_EDGE);
  uint folded[kTexelsPerLane];
  if (kParts != SLU_PYRAMID_REST && first == 0u) {
    [[unroll]] for (uint i = 0u; i < kTexelsPerLane; ++i) {
      folded[i] = foldPixels(layer, tile * SLU_PYRAMID_EDGE + place + uvec2(0u, i * kRowsAtOnce));
    }
  } else {
    uint below = levelWord(layer, first - 1u);
    [[unroll]] for (uint i = 0u; i < kTexelsPerLane; ++i) {
      folded[i] = foldTexels(below, first - 1u, tile * SLU_PYRAMID_EDGE + place + uvec2(0u, i * kRowsAtOnce));
    }
  }
  barrier();  // the last tile of this workgroup has been read
  [[unroll]] for (uint i = 0u; i < kTexelsPerLane; ++i) {
    storeTexel(word, first, tile * SLU_PYRAMID_EDGE + place + uvec2(0u, i * kRowsAtOnce), folded[i]);
    sharedTexels[0][lane + i * SLU_PYRAMID_WORKGROUP] = folded[i];
  }
  uint edge = SLU_PYRAMID_EDGE;
  for (uint level = first + 1u; level < levels && edge > 1u; ++level) {
    word += sluPyramidLevelSize(build.width, level - 1u) * sluPyramidLevelSize(build.height, level - 1u);
    uint from = (level - first - 1u) % 2u;
    barrier();
    uint corner = lane / (edge / 2u) * 2u * edge + lane % (edge / 2u) * 2u;
    edge /= 2u;
    if (lane < edge * edge) {
      uint lower = corner + 2u * edge;
      uint depth = farther(farther(sharedTexels[from][corner], sharedTexels[from][corner + 1u]),
                           farther(sharedTexels[from][lower], sharedTexels[from][lower + 1u]));
      storeTexel(word, level, tile * edge + uvec2(lane % edge, lane / edge), depth);
      sharedTexels[1u - from][lane] = depth;
    }
  }
}

// Folds the levels of a layer that follow those of its tiles. In uniform control flow.
void foldRest(uint layer) {
  uint levels = sluPyramidLevels(build.width, build.height);
  for (uint first = SLU_PYRAMID_STEP; first < levels; first += SLU_PYRAMID_STEP) {
    uvec2 size = uvec2(sluPyramidLevelSize(build.width, first), sluPyramidLevelSize(build.height, first));
    uvec2 tiles = (size + SLU_PYRAMID_EDGE - 1u) / SLU_PYRAMID_EDGE;
    for (uint tile = 0u; tile < tiles.x * tiles.y; ++tile) {
      foldTile(layer, first, uvec2(tile % tiles.x, tile / tiles.x));
    }
    workgroupBarrier();
  }
}

#ifndef SLU_HLSL
// Counts this workgroup. The last one of `count` to arrive sees what the others have written, and has the counter ready
// for the next build. Returns whether it is the last one. In uniform control flow.
bool arrive(uint counter, uint count) {
  workgroupBarrier();
  if (gl_LocalInvocationIndex == 0u) {
    memoryBarrierBuffer();
    sharedIsLast = atomicAdd(arrivals[counter], 1u) + 1u == count;
    memoryBarrierBuffer();
    if (sharedIsLast) atomicExchange(arrivals[counter], 0u);
  }
  workgroupBarrier();
  return sharedIsLast;
}
#endif

// One invocation writes the header, whose first word makes the pyramid valid.
void writeHeader() {
  if (gl_LocalInvocationIndex != 0u) return;
  uint word = build.pyramidWord;
  pyramid[word + SLU_PYRAMID_WORD_WIDTH] = build.width;
  pyramid[word + SLU_PYRAMID_WORD_HEIGHT] = build.height;
  pyramid[word + SLU_PYRAMID_WORD_LAYERS] = build.layerCount;
  pyramid[word + SLU_PYRAMID_WORD_LEVELS] = sluPyramidLevels(build.width, build.height);
  pyramid[word + SLU_PYRAMID_WORD_DIRECTION] = kDirection;
  pyramid[word + SLU_PYRAMID_WORD_LAYER_WORDS] = sluPyramidLayerWords(build.width, build.height);
  pyramid[word + SLU_PYRAMID_WORD_FRAME] = build.frameNumber;
  for (uint i = SLU_PYRAMID_WORD_FRAME + 1u; i < SLU_PYRAMID_HEADER_WORDS; ++i) pyramid[word + i] = 0u;
  memoryBarrierBuffer();
  pyramid[word + SLU_PYRAMID_WORD_VALID] = SLU_PYRAMID_VALID;
}

void main() {
  if (kParts == SLU_PYRAMID_REST) {
    for (uint layer = 0u; layer < build.layerCount; ++layer) foldRest(layer);
    workgroupBarrier();
    writeHeader();
    return;
  }
  uint layer = gl_WorkGroupID.z;
  // The arrival orders this store before that of the last workgroup, which makes the pyramid valid.
  if (gl_WorkGroupID == uvec3(0u) && gl_LocalInvocationIndex == 0u) {
    pyramid[build.pyramidWord + SLU_PYRAMID_WORD_VALID] = 0u;
  }
  foldTile(layer, 0u, gl_WorkGroupID.xy);
#ifndef SLU_HLSL
  if (kParts == SLU_PYRAMID_TILES) return;
  if (!arrive(layer, gl_NumWorkGroups.x * gl_NumWorkGroups.y)) return;
  foldRest(layer);
  if (arrive(build.layerCount, build.layerCount)) writeHeader();
#endif
}
