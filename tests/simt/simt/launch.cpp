#include "launch.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "block.h"

namespace simt {

void Grid::fail(const std::string& text) {
  const std::lock_guard lock(mutex);
  if (!failed) message = text;
  failed = true;
}

testing::AssertionResult launchFunction(const Launch& launch, const std::function<void()>& kernel) {
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads < 1 || threads > 1024) return testing::AssertionFailure() << "a block has 1 to 1024 threads";
  Grid grid{.launch = launch, .kernel = kernel, .blockCount = launch.grid.x * launch.grid.y * launch.grid.z};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::min(launch.workers, grid.blockCount); ++i) {
      workers.emplace_back([&grid] {
        Block block(grid);
        for (unsigned number; !grid.failed && (number = grid.nextBlock++) < grid.blockCount;) block.run(number);
      });
    }
  }
  if (grid.failed) return testing::AssertionFailure() << grid.message << "\n" << slu::test::describeSeed();
  return testing::AssertionSuccess();
}

}  // namespace simt
