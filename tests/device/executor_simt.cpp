#include <cstdlib>
#include <new>

#include "executor.h"
#include "simt/launch.h"

namespace slu::test {

std::string whyNoExecutor() { return {}; }
unsigned trialCount() { return 12; }

void* allocateShared(std::size_t bytes) { return ::operator new(bytes); }
void freeShared(void* memory) { ::operator delete(memory); }

testing::AssertionResult run(unsigned blocks, const Shape& block, const void*, void**,
                             const std::function<void()>& body) {
  return simt::launchFunction({.grid = blocks, .block = {block.x, block.y, block.z}}, body);
}

}  // namespace slu::test
