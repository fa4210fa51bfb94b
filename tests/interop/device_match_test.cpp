#include "interop/device_match.h"

#include <gtest/gtest.h>

#include "external_host.h"
#include "sentence.h"

namespace slu::test {
namespace {

DeviceIdentity device(const char* name, std::uint8_t lastOfUuid) {
  DeviceIdentity identity;
  identity.name = name;
  identity.uuid[15] = lastOfUuid;
  return identity;
}

TEST(DeviceMatch, GoesByUuidAndNotByOrderOrName) {
  const std::vector<DeviceIdentity> cuda = {device("A", 1), device("A", 2), device("B", 3)};
  EXPECT_EQ(matchDevice(device("A", 2), cuda), 1);
  EXPECT_EQ(matchDevice(device("A", 3), cuda), 2);
}

TEST(DeviceMatch, GoesByLuidAndNodeWhereVulkanHasThem) {
  std::vector<DeviceIdentity> cuda = {device("A", 1), device("A", 2)};
  cuda[0].luid[0] = cuda[1].luid[0] = 9;  // two nodes of one adapter
  cuda[0].nodeMask = 1;
  cuda[1].nodeMask = 2;
  DeviceIdentity vulkan = cuda[1];
  vulkan.uuid = {};
  vulkan.hasLuid = true;
  EXPECT_EQ(matchDevice(vulkan, cuda), 1);
  vulkan.nodeMask = 4;
  sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { matchDevice(vulkan, cuda); });
}

// What CUDA leaves in luid elsewhere means nothing.
TEST(DeviceMatch, IgnoresLuidsThatVulkanDoesNotHave) {
  std::vector<DeviceIdentity> cuda = {device("A", 1), device("A", 2)};
  cuda[1].luid[0] = 7;
  EXPECT_EQ(matchDevice(device("A", 2), cuda), 1);
}

TEST(DeviceMatch, TheSentenceListsWhatCudaSees) {
  const std::vector<DeviceIdentity> cuda = {device("A", 0xab), device("B MIG 1g.10gb", 3)};
  const std::string sentence =
      sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { matchDevice(device("lavapipe", 9), cuda); });
  EXPECT_EQ(sentence,
            "no CUDA device is the Vulkan device lavapipe (GPU-00000000-0000-0000-0000-000000000009); "
            "CUDA_VISIBLE_DEVICES or MIG may hide it; CUDA sees 2 devices, A "
            "(GPU-00000000-0000-0000-0000-0000000000ab), B MIG 1g.10gb (GPU-00000000-0000-0000-0000-000000000003)");
}

TEST(DeviceMatch, FindsDirect3DsDeviceByItsLuidAndNode) {
  std::vector<DeviceIdentity> cuda = {device("A", 1), device("A", 2)};
  cuda[0].luid = {0xcd, 0xab};
  cuda[1].luid = {0xce, 0xab};
  cuda[0].nodeMask = cuda[1].nodeMask = 1;
  EXPECT_EQ(matchDevice(d3d12Identity({0xce, 0xab}, 1), cuda), 1);
  EXPECT_EQ(matchDevice(d3d12Identity({0xcd, 0xab}, 0), cuda), 0) << "0 is the first node";
  const std::string sentence = sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] {
    matchDevice(d3d12Identity({0xcd, 0xab}, 2), cuda);
  });
  EXPECT_SENTENCE(sentence, "no CUDA device is the Direct3D 12 device of the host (LUID 00000000-0000abcd)");
  EXPECT_SENTENCE(sentence, "CUDA sees 2 devices, A (LUID 00000000-0000abcd), A (LUID 00000000-0000abce)");
}

class DeviceMatchVulkan : public ExternalTest {};

TEST_F(DeviceMatchVulkan, ReadsTheIdentity) {
  const InstanceFunctions functions(loadVulkan(), host->instance.handle);
  const DeviceIdentity identity = vulkanIdentity(functions, host->instance.physicalDevice);
  EXPECT_EQ(identity.name, host->instance.properties.deviceName);
  EXPECT_NE(identity.uuid, DeviceIdentity{}.uuid);
}

}  // namespace
}  // namespace slu::test
