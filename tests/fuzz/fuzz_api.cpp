// The C API, driven by a fuzzer's bytes. Which route the frames run on is the world that the program is linked with.
#include <cstdio>
#include <cstdlib>

#include "api_program.h"

namespace {

void report() {
  const slu::fuzz::Tally& tally = slu::fuzz::tally;
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::fprintf(stderr, "%llu inputs; %llu of %llu plans were created, %llu of %llu frames ran; ", number(tally.inputs),
               number(tally.plansMade), number(tally.plansTried), number(tally.framesRun), number(tally.framesTried));
  std::fprintf(stderr, "%llu of %llu pyramids were created, %llu of %llu builds ran\n", number(tally.pyramidsMade),
               number(tally.pyramidsTried), number(tally.buildsRun), number(tally.buildsTried));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  slu::fuzz::theWorld();
  return std::atexit(report);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slu::fuzz::ApiProgram(slu::fuzz::theWorld(), slu::fuzz::Choices(data, size)).run();
  return 0;
}
