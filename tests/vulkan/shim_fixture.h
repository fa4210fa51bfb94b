// A test whose context calls Vulkan through the shim, and leaves no object behind.
#pragma once

#include <memory>

#include "fixture.h"
#include "shim.h"

namespace slu::test {

class ShimTest : public VulkanTest {
 protected:
  void SetUp() override {
    VulkanTest::SetUp();
    if (IsSkipped()) return;
    shim = std::make_unique<Shim>();
    SluVulkanDeviceInfo info = device().info();
    info.getInstanceProcAddr = shim->entry();
    context = makeContext(info);
  }
  void TearDown() override {
    context.reset();
    if (shim) {
      EXPECT_EQ(shim->aliveCount(), 0) << "objects are left behind";
    }
    shim.reset();
    VulkanTest::TearDown();
  }

  std::unique_ptr<Shim> shim;
  Context context;
};

}  // namespace slu::test
