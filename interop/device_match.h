// Which CUDA device is a device of Vulkan or Direct3D 12.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/cuda_functions.h"
#include "base/vulkan_device.h"

namespace slu {

struct DeviceIdentity {
  std::string name;
  const char* api = "Vulkan";  // for sentences
  std::array<std::uint8_t, VK_UUID_SIZE> uuid{};
  bool hasLuid = false;  // as the graphics API tells; CUDA leaves luid undefined where Vulkan has none
  std::array<std::uint8_t, VK_LUID_SIZE> luid{};
  std::uint32_t nodeMask = 0;
};

DeviceIdentity vulkanIdentity(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// Direct3D 12 has no UUID. luid is what ID3D12Device::GetAdapterLuid returns. nodeMask has the bit of the node that the
// memory is on; 0 means the first one, as in Direct3D.
DeviceIdentity d3d12Identity(const std::array<std::uint8_t, VK_LUID_SIZE>& luid, std::uint32_t nodeMask);

// By CUDA's device number.
std::vector<DeviceIdentity> cudaIdentities(const CudaFunctions& functions);

// The number of the CUDA device with the graphics device's LUID and node mask, or where Vulkan has none (not on Windows)
// its UUID. Never by order or name: the APIs list devices differently. Throws with what CUDA sees when there is none.
int matchDevice(const DeviceIdentity& graphics, std::span<const DeviceIdentity> cuda);

// All of it. Throws also when the device cannot import timeline semaphores.
int findCudaDevice(const CudaFunctions& cuda, const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

}  // namespace slu
