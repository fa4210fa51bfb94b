#include "interop/device_match.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/cuda_error.h"

namespace slu {
namespace {

template <typename From, std::size_t size>
void copyBytes(std::array<std::uint8_t, size>& to, const From (&from)[size]) {
  static_assert(sizeof(From) == 1);
  std::memcpy(to.data(), from, size);
}

constexpr char kDigits[] = "0123456789abcdef";

// "GPU-01234567-89ab-cdef-0123-456789abcdef", as nvidia-smi and CUDA_VISIBLE_DEVICES have it.
std::string uuidText(const std::array<std::uint8_t, VK_UUID_SIZE>& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid[i] >> 4];
    text += kDigits[uuid[i] & 15];
  }
  return text;
}

// "LUID 00000000-0000abcd", the high part first, as Windows' tools have it.
std::string luidText(const std::array<std::uint8_t, VK_LUID_SIZE>& luid) {
  std::string text = "LUID ";
  for (std::size_t i = luid.size(); i-- > 0;) {
    text += kDigits[luid[i] >> 4];
    text += kDigits[luid[i] & 15];
    if (i == 4) text += '-';
  }
  return text;
}

bool isSameDevice(const DeviceIdentity& graphics, const DeviceIdentity& cuda) {
  if (graphics.hasLuid) return graphics.luid == cuda.luid && graphics.nodeMask == cuda.nodeMask;
  return graphics.uuid == cuda.uuid;
}

// By the number that the graphics device was looked for.
std::string identityText(const DeviceIdentity& device, bool byLuid) {
  return device.name + " (" + (byLuid ? luidText(device.luid) : uuidText(device.uuid)) + ")";
}

}  // namespace

DeviceIdentity vulkanIdentity(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  VkPhysicalDeviceIDProperties id{};
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  const VkPhysicalDeviceProperties properties = physicalDeviceProperties(functions, physicalDevice, &id);

  DeviceIdentity identity;
  identity.name = properties.deviceName;
  copyBytes(identity.uuid, id.deviceUUID);
  identity.hasLuid = id.deviceLUIDValid == VK_TRUE;
  copyBytes(identity.luid, id.deviceLUID);
  identity.nodeMask = id.deviceNodeMask;
  return identity;
}

DeviceIdentity d3d12Identity(const std::array<std::uint8_t, VK_LUID_SIZE>& luid, std::uint32_t nodeMask) {
  DeviceIdentity identity;
  identity.name = "of the host";
  identity.api = "Direct3D 12";
  identity.hasLuid = true;
  identity.luid = luid;
  identity.nodeMask = nodeMask == 0 ? 1 : nodeMask;
  return identity;
}

std::vector<DeviceIdentity> cudaIdentities(const CudaFunctions& functions) {
  int count = 0;
  check(functions.cuDeviceGetCount(&count), "cuDeviceGetCount");
  std::vector<DeviceIdentity> identities(static_cast<std::size_t>(count));
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    char name[256] = {};
    CUuuid uuid{};
    char luid[VK_LUID_SIZE] = {};
    DeviceIdentity& identity = identities[static_cast<std::size_t>(ordinal)];
    check(functions.cuDeviceGet(&device, ordinal), "cuDeviceGet");
    check(functions.cuDeviceGetName(name, sizeof(name), device), "cuDeviceGetName");
    check(functions.cuDeviceGetUuid(&uuid, device), "cuDeviceGetUuid");
    functions.cuDeviceGetLuid(luid, &identity.nodeMask, device);  // fails where Vulkan has none, too
    identity.name = name;
    copyBytes(identity.uuid, uuid.bytes);
    copyBytes(identity.luid, luid);
  }
  return identities;
}

int matchDevice(const DeviceIdentity& graphics, std::span<const DeviceIdentity> cuda) {
  const auto found =
      std::find_if(cuda.begin(), cuda.end(), [&](const auto& device) { return isSameDevice(graphics, device); });
  if (found != cuda.end()) return static_cast<int>(std::distance(cuda.begin(), found));

  std::ostringstream seen;
  for (const DeviceIdentity& device : cuda) seen << ", " << identityText(device, graphics.hasLuid);
  // A MIG instance has a UUID of its own, so it never matches the whole GPU that Vulkan sees.
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, "no CUDA device is the ", graphics.api, " device ",
       identityText(graphics, graphics.hasLuid), "; CUDA_VISIBLE_DEVICES or MIG may hide it; CUDA sees ", cuda.size(),
       cuda.size() == 1 ? " device" : " devices", seen.str());
}

int findCudaDevice(const CudaFunctions& cuda, const InstanceFunctions& functions, VkPhysicalDevice physicalDevice) {
  const DeviceIdentity vulkan = vulkanIdentity(functions, physicalDevice);
  const int ordinal = matchDevice(vulkan, cudaIdentities(cuda));
  CUdevice device = 0;
  int importsTimelines = 0;
  check(cuda.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  check(cuda.cuDeviceGetAttribute(&importsTimelines, CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, device),
        "cuDeviceGetAttribute");
  if (importsTimelines == 0) {
    fail(SLU_ERROR_MISSING_FEATURE, "CUDA cannot import timeline semaphores on ", vulkan.name);
  }
  return ordinal;
}

}  // namespace slu
