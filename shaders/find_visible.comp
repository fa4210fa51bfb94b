#version 460
// Finds out which records of a view a pyramid does not hide, for the tests of the frame: a bit per record. An invocation
// tests a record. The workgroup gathers the bits of its row of records in shared memory, so that it stores whole words.
// No bit depends on whether the record passes another test. x: rows of records, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"

// As with views, the functions read the dispatch's block.
#define SLU_OCCLUSION_REF uint
#include "sluice/occlusion.h"

const uint kRowWords = SLU_WORKGROUP / 32u;
shared uint sharedBits[kRowWords];
shared uint sharedStarts[SLU_MAX_PYRAMID_LEVELS];  // of the levels

uint pyramidWord(uint word) { return load(PyramidPlace(frame.pyramid), word); }

// Returns the bits of a texel's depth.
uint depthAt(uint view, uint level, uint x, uint y, uint direction) {
  return sluDepthBits(pyramidWord(sluLevelTexel(view, sharedStarts[level], level, x, y)), direction);
}

// Returns whether the texels of a footprint are nearer. Some of the four may be the same.
bool isBehind(uint view, SluFootprint footprint, uint direction) {
  uint upperLeft = depthAt(view, footprint.level, footprint.firstX, footprint.firstY, direction);
  uint upperRight = depthAt(view, footprint.level, footprint.lastX, footprint.firstY, direction);
  uint lowerLeft = depthAt(view, footprint.level, footprint.firstX, footprint.lastY, direction);
  uint lowerRight = depthAt(view, footprint.level, footprint.lastX, footprint.lastY, direction);
  uint upper = sluFartherBits(upperLeft, upperRight, direction);
  uint lower = sluFartherBits(lowerLeft, lowerRight, direction);
  return sluIsBehind(view, footprint, sluFartherBits(upper, lower, direction), direction);
}

// Returns whether the pyramid hides all of a record's bounds. It hides none that are invalid or that the frame does not
// have.
bool isHidden(uint view, uint index, uint direction) {
  uint key = 0u;
  if (kBoundsSource == SLU_BOUNDS_PER_KEY) {
    if (kKeyed != 0u) key = sluKey(keyWord(index), plan.keyShift, plan.keyMask);
    if (!sluIsKey(key, keyLimit())) return false;
  }
  uint element = boundsElement(index, key);
  uint moved = transformElement(index);
  if (!areThere(element, moved)) return false;
  SluBox box;
  float stretch2;
  bool isMirrored;
  SluSphere volume = worldVolume(element, moved, box.extents, stretch2, isMirrored);
  if (volume.radius < 0.0) return false;
  box.center = volume.center;
  SluFootprint footprint;
  if (kBoundsShape == SLU_SHAPE_SPHERE) {
    footprint = sluSphereFootprint(view, volume.center, volume.radius);
  } else {
    footprint = sluBoxFootprint(view, box);
  }
  if (footprint.outcome != SLU_FOOTPRINT_TEXELS) return footprint.outcome == SLU_FOOTPRINT_OUTSIDE;
  return isBehind(view, footprint, direction);
}

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
  uint direction = pyramidWord(SLU_PYRAMID_WORD_DIRECTION);
  bool mayHide = sluIsPyramidOf(view, pyramidWord(SLU_PYRAMID_WORD_VALID), pyramidWord(SLU_PYRAMID_WORD_WIDTH),
                                pyramidWord(SLU_PYRAMID_WORD_HEIGHT), pyramidWord(SLU_PYRAMID_WORD_LAYERS), direction);
  VisiblePlace words = elementAt(VisiblePlace(frame.visible), view, frame.visibleStride);
  uint wordCount = (frame.recordCount + 31u) / 32u;
  if (lane < kRowWords) sharedBits[lane] = 0u;
  if (lane < SLU_OCCLUSION_AT(view).levelCount) {
    sharedStarts[lane] =
        sluPyramidLevelStart(SLU_OCCLUSION_AT(view).width, SLU_OCCLUSION_AT(view).height, lane);
  }
  barrier();
  [[dont_unroll]] for (uint row = gl_WorkGroupID.x; row * SLU_WORKGROUP < frame.recordCount;
                       row += SLU_WORKGROUP_COUNT) {
    uint index = row * SLU_WORKGROUP + lane;
    if (index < inputs && !(mayHide && isHidden(view, index, direction))) {
      atomicOr(sharedBits[lane / 32u], 1u << lane % 32u);
    }
    barrier();
    if (lane < kRowWords) {
      uint word = row * kRowWords + lane;
      if (word < wordCount) store(words, word, sharedBits[lane]);
      sharedBits[lane] = 0u;
    }
    barrier();
  }
}
