// The bytes of a fuzzer as a program: calls of the C API, valid and not, in any order, each with what must hold of it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "frame_judge.h"
#include "pyramid_maker.h"

namespace slu::fuzz {

// How far the programs got, of all inputs of this process.
struct Tally {
  std::uint64_t inputs = 0, plansTried = 0, plansMade = 0, framesTried = 0, framesRun = 0;
  std::uint64_t pyramidsTried = 0, pyramidsMade = 0, buildsTried = 0, buildsRun = 0;
};
extern Tally tally;

class ApiProgram {
 public:
  ApiProgram(World& world, Choices choices);

  void run();

 private:
  struct MadePlan {
    Plan handle;
    PlanFacts facts;
    SluRoute route;
    const LoggedContext* context;
  };
  struct MadePyramid {
    Pyramid handle;
    SluPyramidCreateInfo info;
    SluRoute route;
    const LoggedContext* context;
  };
  struct RegisteredBuffer {  // that no frame binds in earnest
    std::unique_ptr<std::uint8_t[]> memory;
    Buffer handle;
    const LoggedContext* context;
  };

  void step();
  void createContext();
  void createBuffer();
  void createPlan();
  void runFrame();
  void stepPyramids(std::uint32_t kind);
  void createPyramid();
  void buildPyramid();
  void askForRoute();
  void askForProperties();
  void askForPyramidProperties();
  void callWithoutHandles();
  void destroySomething();
  void destroyContext();

  const LoggedContext& anyContext();
  SluRoute anyRoute();
  SluBuffer foreignTo(const LoggedContext* context) const;
  void compareWithCpu(const MadePlan& plan, FrameInput& frame, const Guard& guard);

  World& world_;
  Choices choices_;
  HostStructs structs_;
  std::vector<std::unique_ptr<LoggedContext>> contexts_;
  std::vector<RegisteredBuffer> buffers_;
  std::vector<MadePlan> plans_;
  std::vector<MadePyramid> pyramids_;
  std::uint32_t frameCount_ = 0;
  std::uint32_t buildCount_ = 0;
};

}  // namespace slu::fuzz
