// Which CUDA device is a Vulkan device.
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
  std::array<std::uint8_t, VK_UUID_SIZE> uuid{};
  bool hasLuid = false;  // as Vulkan tells; CUDA leaves luid undefined where Vulkan has none
  std::array<std::uint8_t, VK_LUID_SIZE> luid{};
  std::uint32_t nodeMask = 0;
};

DeviceIdentity vulkanIdentity(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// By CUDA's device number.
std::vector<DeviceIdentity> cudaIdentities(const CudaFunctions& functions);

// The number of the CUDA device with the Vulkan device's LUID and node mask, or where Vulkan has none (not on Windows)
// its UUID. Never by order or name: the two APIs list devices differently. Throws with what CUDA sees when there is
// none.
int matchDevice(const DeviceIdentity& vulkan, std::span<const DeviceIdentity> cuda);

// All of it. Throws also when the device cannot import timeline semaphores.
int findCudaDevice(const CudaFunctions& cuda, const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

}  // namespace slu
