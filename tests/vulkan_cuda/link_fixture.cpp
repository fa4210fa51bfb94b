#include "link_fixture.h"

#include <cuda_runtime_api.h>

#include "api/objects.h"
#include "interop/exportable_buffer.h"
#include "open_handles.h"
#include "routes/cuda/cuda_route.h"

namespace slu::test {

// Some drivers open fds for the device with the first export and the first submission, and keep them. CUDA's library may
// open some as it is loaded, which is when the first failure is described.
void LinkTest::letTheDriverOpenItsFds() const {
  const ExportableBuffer buffer(host->external, 4096, kTestUsage, "test");
  const UniqueHandle unused = host->external.exportMemory(buffer.memory.get());
  host->vulkan.runOnce([](VkCommandBuffer) {});
  findInCudaDriver("cuGetErrorName");
}

void LinkTest::SetUp() {
  ExternalTest::SetUp();
  if (host == nullptr) return;
  if (!host->external.bufferSupport(kTestUsage, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT).isExportable) {
    GTEST_SKIP() << "the device exports no buffers";
  }
  shim = std::make_unique<Shim>();
  exports = std::make_unique<FakeExports>(*shim);
  extensions_.assign(kExternalExtensions.begin(), kExternalExtensions.end());
  letTheDriverOpenItsFds();
  fdsBefore_ = openHandleCount();
}

void LinkTest::TearDown() {
  if (shim != nullptr) {
    EXPECT_EQ(openHandleCount(), fdsBefore_) << "fds are left behind";
    EXPECT_EQ(shim->aliveCount(), 0) << "Vulkan objects are left behind";
    EXPECT_EQ(shim->complaints(), std::vector<std::string>());
  }
  EXPECT_TRUE(cuda.isEmpty()) << "imports are left behind";
  EXPECT_TRUE(cuda.stack.empty()) << "CUDA's current context is not what it was";
  EXPECT_EQ(cuda.retained, 0);
  exports.reset();
  shim.reset();
  ExternalTest::TearDown();
}

SluVulkanDeviceInfo LinkTest::deviceInfo() {
  SluVulkanDeviceInfo info = host->vulkan.info();
  createInfo_ = *info.deviceCreateInfo;
  createInfo_.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
  createInfo_.ppEnabledExtensionNames = extensions_.data();
  info.deviceCreateInfo = &createInfo_;
  info.getInstanceProcAddr = exports->entry();
  return info;
}

std::unique_ptr<Route> LinkTest::makeRoute() {
  const SluVulkanDeviceInfo vulkan = deviceInfo();
  return makeCudaRoute(std::make_unique<const CudaContext>(0, cuda.functions()), &vulkan);
}

// The library is told of no CUDA at first, so that it does not look for a real one.
Context LinkTest::makeContext() {
  SluVulkanDeviceInfo vulkan = deviceInfo();
  VkDeviceCreateInfo without = *vulkan.deviceCreateInfo;
  without.enabledExtensionCount = 0;
  vulkan.deviceCreateInfo = &without;
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &vulkan;
  Context context;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
  context.get()->state->routes[SLU_ROUTE_CUDA] = makeRoute();
  return context;
}

void LinkTest::expectFailure(SluResult actual, SluResult expected, SluContext context, const std::string& part) {
  const std::string sentence = sluGetErrorMessage(context);
  EXPECT_EQ(actual, expected) << sentence;
  EXPECT_NE(sentence.find(part), std::string::npos) << "not named: " << part << "; " << sentence;
}

}  // namespace slu::test
