// Executes on the CPU what the library recorded for the fake.
#include <cstring>
#include <stdexcept>

#include "fake_kernels.h"
#include "simt_kernels.h"

namespace slu::test {
namespace {

struct Execution {
  void operator()(const FakeLaunch& launch) const {
    if (!launch.kernel) throw std::logic_error("the fake cannot execute what NVRTC compiled");
    launchOnCpu({*launch.kernel, launch.x, launch.y, launch.block}, launch.arguments);
  }
  void operator()(const FakeCopy& copy) const { std::memcpy(copy.target, copy.source, copy.bytes); }
};

}  // namespace

void FakeKernels::execute(VkCommandBuffer commands) const {
  const auto found = recordings_.find(commands);
  if (found == recordings_.end()) return;
  for (const FakeStep& step : found->second.steps) std::visit(Execution(), step);
}

void FakeKernels::executeStep(VkCommandBuffer commands, std::size_t step) const {
  std::visit(Execution(), recordings_.at(commands).steps.at(step));
}

}  // namespace slu::test
