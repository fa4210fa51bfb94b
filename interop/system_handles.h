// The kinds of handles by which Vulkan and CUDA share memory and semaphores on this system.
#pragma once

#include <vulkan/vulkan_core.h>

#include <array>

namespace slu {

#ifdef _WIN32
inline constexpr auto kMemoryHandleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT;
inline constexpr auto kSemaphoreHandleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
inline constexpr const char* kMemoryExtension = "VK_KHR_external_memory_win32";
inline constexpr const char* kSemaphoreExtension = "VK_KHR_external_semaphore_win32";
#else
inline constexpr auto kMemoryHandleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
inline constexpr auto kSemaphoreHandleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
inline constexpr const char* kMemoryExtension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
inline constexpr const char* kSemaphoreExtension = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
#endif

// To enable on the device, besides the feature timelineSemaphore. The queries are core since Vulkan 1.1.
inline constexpr std::array<const char*, 2> kExternalExtensions = {kMemoryExtension, kSemaphoreExtension};

}  // namespace slu
