// The C API, driven by a fuzzer's bytes. Which route the frames run on is the world that the program is linked with.
#include <cstdio>
#include <cstdlib>

#include "api_program.h"

namespace {

void report() {
  const slu::fuzz::Tally& tally = slu::fuzz::tally;
  std::fprintf(stderr, "%llu inputs; %llu of %llu plans were created, %llu of %llu frames ran\n",
               static_cast<unsigned long long>(tally.inputs), static_cast<unsigned long long>(tally.plansMade),
               static_cast<unsigned long long>(tally.plansTried), static_cast<unsigned long long>(tally.framesRun),
               static_cast<unsigned long long>(tally.framesTried));
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
