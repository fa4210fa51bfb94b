/* A Vulkan layer that claims VK_EXT_descriptor_indexing without any of its features. The Direct3D 12 of Wine 8 ignores all
 * descriptor tables on devices without that extension, which it does not need for them. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static const char kExtension[] = VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME;

/* Of the next layer, or the driver. A process of the tests has one instance at a time. */
static PFN_vkGetInstanceProcAddr getNextInstance;
static PFN_vkGetDeviceProcAddr getNextDevice;
static PFN_vkEnumerateDeviceExtensionProperties enumerateNext;

static VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info,
                                                     const VkAllocationCallbacks* callbacks, VkInstance* instance) {
  VkLayerInstanceCreateInfo* link = (VkLayerInstanceCreateInfo*)info->pNext;
  while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO) {
    link = (VkLayerInstanceCreateInfo*)link->pNext;
  }
  getNextInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const PFN_vkCreateInstance next = (PFN_vkCreateInstance)getNextInstance(NULL, "vkCreateInstance");
  const VkResult result = next(info, callbacks, instance);
  if (result != VK_SUCCESS) return result;
  /* Later the loader returns the function of this layer. */
  enumerateNext =
      (PFN_vkEnumerateDeviceExtensionProperties)getNextInstance(*instance, "vkEnumerateDeviceExtensionProperties");
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo* info,
                                                   const VkAllocationCallbacks* callbacks, VkDevice* device) {
  VkLayerDeviceCreateInfo* link = (VkLayerDeviceCreateInfo*)info->pNext;
  while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || link->function != VK_LAYER_LINK_INFO) {
    link = (VkLayerDeviceCreateInfo*)link->pNext;
  }
  const PFN_vkCreateDevice next =
      (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(NULL, "vkCreateDevice");
  getNextDevice = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const char** names = malloc((info->enabledExtensionCount + 1) * sizeof(*names));
  VkDeviceCreateInfo without = *info;
  without.enabledExtensionCount = 0;
  without.ppEnabledExtensionNames = names;
  for (uint32_t i = 0; i < info->enabledExtensionCount; ++i) {
    const char* name = info->ppEnabledExtensionNames[i];
    if (strcmp(name, kExtension) != 0) names[without.enabledExtensionCount++] = name;
  }
  const VkResult result = next(physicalDevice, &without, callbacks, device);
  free(names);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerateExtensions(VkPhysicalDevice physicalDevice, const char* layer,
                                                          uint32_t* count, VkExtensionProperties* properties) {
  uint32_t all = 0;
  VkResult result = enumerateNext(physicalDevice, layer, &all, NULL);
  if (result != VK_SUCCESS) return result;
  VkExtensionProperties* list = calloc(all + 1, sizeof(*list));
  result = enumerateNext(physicalDevice, layer, &all, list);
  strcpy(list[all].extensionName, kExtension);
  list[all++].specVersion = VK_EXT_DESCRIPTOR_INDEXING_SPEC_VERSION;
  if (properties == NULL) {
    *count = all;
  } else {
    if (*count < all) result = VK_INCOMPLETE;
    if (*count > all) *count = all;
    memcpy(properties, list, *count * sizeof(*list));
  }
  free(list);
  return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char* name) {
  return getNextDevice(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (strcmp(name, "vkCreateInstance") == 0) return (PFN_vkVoidFunction)createInstance;
  if (strcmp(name, "vkCreateDevice") == 0) return (PFN_vkVoidFunction)createDevice;
  if (strcmp(name, "vkEnumerateDeviceExtensionProperties") == 0) return (PFN_vkVoidFunction)enumerateExtensions;
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)vkGetInstanceProcAddr;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)vkGetDeviceProcAddr;
  return getNextInstance == NULL ? NULL : getNextInstance(instance, name);
}
