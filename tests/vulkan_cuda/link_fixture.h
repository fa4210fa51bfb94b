// A context whose CUDA route is the library's own, on a real Vulkan device, with CUDA played. Frames cannot run on it;
// all that goes on between Vulkan and CUDA can.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <optional>
#include <sluice/sluice.hpp>

#include "external_host.h"
#include "fake_cuda.h"
#include "fake_exports.h"
#include "random.h"
#include "routes/route.h"

namespace slu::test {

class LinkTest : public ExternalTest {
 protected:
  void SetUp() override;     // skips where memory does not export
  void TearDown() override;  // fails when anything is left: objects, fds, imports

  // The host's device, said to enable all that the CUDA route needs.
  SluVulkanDeviceInfo deviceInfo();
  // With the Vulkan route and the played CUDA route.
  Context makeContext();
  std::unique_ptr<Route> makeRoute();

  // That the call failed with the result, and that its sentence holds part.
  void expectFailure(SluResult actual, SluResult expected, SluContext context, const std::string& part);

  FakeCuda cuda;
  std::unique_ptr<Shim> shim;
  std::unique_ptr<FakeExports> exports;

 private:
  void letTheDriverOpenItsFds() const;

  ::testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  VkDeviceCreateInfo createInfo_{};
  std::vector<const char*> extensions_;
  std::size_t fdsBefore_ = 0;
};

}  // namespace slu::test
