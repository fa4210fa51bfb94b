// A test with a Vulkan instance and a device; skips where there is none, and fails on any message of the validation
// layer.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <sluice/sluice.hpp>

#include "machines.h"
#include "random.h"
#include "vulkan_host.h"

namespace slu::test {

class VulkanTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  const VulkanInstance& instance() const { return *instance_; }
  const VulkanDevice& device() const { return *device_; }
  void destroyDevice() { device_.reset(); }

  // A context of the device as `info` describes it; fails the test when the library refuses.
  Context makeContext(const SluVulkanDeviceInfo& info);
  Context makeContext() { return makeContext(device_->info()); }

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  std::optional<VulkanInstance> instance_;
  std::optional<VulkanDevice> device_;
};

// The call failed with `expected`, and its sentence, which is read here and now, holds `part`.
testing::AssertionResult failsWith(SluResult actual, SluResult expected, const SluMessage& message,
                                   const std::string& part);
testing::AssertionResult failsWith(SluResult actual, SluResult expected, SluContext context, const std::string& part);

// sluCreateContext with the device info in its chain.
SluResult createContext(const SluVulkanDeviceInfo& info, SluContext* context, SluMessage* message);

}  // namespace slu::test
