// What executes a scene: one machine per route.
#pragma once

#include <sluice/sluice.h>

#include <functional>
#include <map>
#include <memory>
#include <sluice/sluice.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "scene.h"

namespace slu::test {

// Frames as a renderer runs them: each is recorded anew, and as many as fit are in flight. No two of those are the same
// frame of the scene.
struct Endurance {
  struct Range {
    Place place;
    std::uint64_t bytes;
  };

  static constexpr std::uint32_t kInFlight = 3;
  std::uint64_t frameCount = 0;
  std::function<std::size_t(std::uint64_t)> frameAt;  // which frame of the scene is run at a time
  std::vector<std::vector<Range>> told;               // of each frame of the scene: what is read when it is done
  std::function<void(std::size_t, const std::uint8_t*)> judge;  // gets the frame of the scene, and its ranges in a row

  std::uint64_t mostBytes() const;  // that a frame tells
};

// A scene's frames, recorded once.
class Session {
 public:
  virtual ~Session() = default;

  // Copies memories to the machine, executes all frames `times` times and copies back what the memories then hold.
  virtual void execute(std::vector<Bytes>& memories, std::uint32_t times) = 0;

  // Copies memories to the machine, runs the frames, and copies back what the memories then hold. Throws std::logic_error
  // on machines whose frames are never in flight.
  virtual void endure(std::vector<Bytes>& memories, const Endurance& endurance);
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual SluRoute route() const = 0;
  // Whether each plan compiles kernels, which takes longer than its frames do.
  bool compilesPlans() const { return route() == SLU_ROUTE_VULKAN || route() == SLU_ROUTE_D3D12; }
  virtual SluContext context() const = 0;

  // The session must not outlive the machine. Throws std::runtime_error with the library's sentence.
  virtual std::unique_ptr<Session> record(const Scene& scene) = 0;

  virtual SluPlan plan(const PlanSpec& spec) = 0;  // created when first asked for
  virtual void dropPlans() = 0;

  // What the machine itself found wrong with the calls since the last time, a line each.
  virtual std::string takeMessages() { return {}; }

  std::uint64_t tileRecords(const PlanSpec& spec);
};

// Thrown where the machine's route cannot run here, with the reason.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::unique_ptr<Machine> makeCpuMachine();
std::unique_ptr<Machine> makeVulkanMachine();      // builds with SLUICE_VULKAN only
std::unique_ptr<Machine> makeBoundMachine();       // likewise; the Vulkan route on a device without addresses
std::unique_ptr<Machine> makeDispatchesMachine();  // likewise; the Vulkan route in several dispatches
std::unique_ptr<Machine> makeInlineMachine();      // likewise
std::unique_ptr<Machine> makeMixedMachine();       // likewise; the inline and the Vulkan route by turns
std::unique_ptr<Machine> makeD3D12Machine();       // builds with SLUICE_D3D12 only
std::unique_ptr<Machine> makeCudaMachine();        // builds with SLUICE_CUDA only
std::unique_ptr<Machine> makeCudaVulkanMachine();  // likewise

// Throws std::runtime_error with the context's sentence when result is a failure.
void require(SluContext context, SluResult result, const char* what);

// The plans of one context, each created once.
class PlanCache {
 public:
  PlanCache(SluContext context, SluRoute route) : context_(context), route_(route) {}
  SluPlan get(const PlanSpec& spec);
  void clear() { plans_.clear(); }

 private:
  SluContext context_;
  SluRoute route_;
  std::map<std::string, Plan> plans_;
};

// Registers host memory and runs frames on it, those of the CPU route unless a verb says otherwise.
class HostFrames {
 public:
  HostFrames(SluContext context, std::vector<Bytes>& memories);
  using Verb = std::function<SluResult(SluPlan, const SluFrameInfo*)>;
  void run(SluPlan plan, const FrameSpec& frame, const Verb& verb = sluCompact) const;

 private:
  SluContext context_;
  std::vector<Buffer> buffers_;
};

}  // namespace slu::test
