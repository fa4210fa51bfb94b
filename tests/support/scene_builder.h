// Lays out a scene: inputs in one memory, outputs in another, each range between canaries and at any alignment.
#pragma once

#include "inputs.h"
#include "random.h"
#include "scene.h"

namespace slu::test {

constexpr std::uint32_t kAnyAlignment = ~0u;

class SceneBuilder {
 public:
  explicit SceneBuilder(Random& random);

  std::uint32_t addPlan(const PlanSpec& plan);
  const PlanSpec& plan(std::uint32_t index) const { return scene_.plans[index]; }

  // A range whose offset is `alignment` (a multiple of 4) modulo 64.
  Place addInput(const Bytes& bytes, std::uint32_t alignment = kAnyAlignment);
  Place addOutput(std::uint64_t size, std::uint32_t alignment = kAnyAlignment);  // poisoned with random bytes
  Place addWord(std::uint32_t value);

  // A frame over the whole input, with views and outputs of its own. Of a mesh table it takes as many meshes as there
  // are keys, now and then fewer, or as many as a live count in a buffer says. Its last states of LODs are random, or
  // there are none. If the plan tests occlusion, the frame is of any phase, or tests none.
  FrameSpec makeFrame(std::uint32_t plan, const Input& input, std::uint32_t viewCount = 1);
  void addOutputs(FrameSpec& frame);  // those that are not bound yet
  // Makes the frame one of a phase, with cameras that see walls at any distance, bits that are random, and now and then a
  // pyramid that is invalid, of another size or full of garbage. Planes of views are the cameras' then. 0: none.
  void addOcclusion(FrameSpec& frame, std::uint32_t phase);
  void addFrame(const FrameSpec& frame) { scene_.frames.push_back(frame); }

  // The next scene starts empty, with the same plans.
  Scene finish();

 private:
  void addMeshes(FrameSpec& frame, const Input& input);
  void addLodStates(FrameSpec& frame);
  Place reserve(std::uint32_t memory, std::uint64_t size, std::uint32_t alignment);
  void addCanary(Bytes& memory);
  void reset();

  Random& random_;
  Scene scene_;
};

// A scene of one frame.
Scene makeScene(const PlanSpec& plan, const Input& input, std::uint32_t viewCount, Random& random);

}  // namespace slu::test
