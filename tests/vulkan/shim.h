// Stands between the library and Vulkan: counts calls and live objects, and makes a chosen call fail.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vulkan_functions.h"

namespace slu::test {

// A host may hand over any vkGetInstanceProcAddr; this one's functions forward to the loader's. One shim lives at a
// time.
class Shim {
 public:
  Shim();
  ~Shim();
  Shim(const Shim&) = delete;
  Shim& operator=(const Shim&) = delete;

  PFN_vkGetInstanceProcAddr entry() const;

  // The nth call of the function from now on, counted from 0, fails, and so do those after it until the driver recovers.
  // Handles that they should have created are left undefined, as Vulkan allows.
  void failCall(const std::string& function, std::uint32_t nth, VkResult result);
  void recover() { failure_ = VK_SUCCESS; }
  bool hasFailed() const { return hasFailed_; }

  std::uint32_t calls(const std::string& function) const;
  std::uint32_t callsThatStartWith(const std::string& prefix) const;  // "vkCmd", "vkCreate"
  std::int64_t aliveCount() const { return alive_; }                  // created and not destroyed

  // What was recorded, in order: "vkCmdDispatch" and so on, and barriers as in "compute (shader write) to compute
  // (shader read, shader write)".
  const std::vector<std::string>& commands() const { return commands_; }

  // What should never happen: functions looked up that create or record and are not counted, handles destroyed that
  // were never created.
  const std::vector<std::string>& complaints() const { return complaints_; }

  // What every call that creates or destroys must pass as allocation callbacks, by pUserData, and what pipelines must be
  // created with; none of both at first. Other ones are complaints.
  void expectCallbacks(const void* userData) { userData_ = userData; }
  void expectPipelineCache(VkPipelineCache cache) { pipelineCache_ = cache; }
  const std::string& running() const { return running_; }  // the function that the driver is in

  // Called by the wrapped functions.
  VkResult beforeCall(const char* function);  // VK_SUCCESS to go on
  void checkCallbacks(const char* function, const VkAllocationCallbacks* callbacks);
  void checkPipelineCache(VkPipelineCache cache);
  void setRunning(const char* function) { running_ = function; }
  void addCommand(const std::string& text) { commands_.push_back(text); }
  void addAlive(std::int64_t count) { alive_ += count; }
  void complain(const std::string& text) { complaints_.push_back(text); }

 private:
  std::map<std::string, std::uint32_t> calls_;
  std::string failing_;
  std::uint32_t callsUntilFailure_ = 0;
  VkResult failure_ = VK_SUCCESS;
  bool hasFailed_ = false;
  std::int64_t alive_ = 0;
  const void* userData_ = nullptr;
  VkPipelineCache pipelineCache_ = VK_NULL_HANDLE;
  std::string running_;
  std::vector<std::string> commands_;
  std::vector<std::string> complaints_;
};

// The functions that a fault can hit, and all others that create, destroy or record.
#define SLU_SHIM_FUNCTIONS(X)     \
  X(vkAllocateDescriptorSets)     \
  X(vkAllocateMemory)             \
  X(vkBindBufferMemory)           \
  X(vkCmdBeginDebugUtilsLabelEXT) \
  X(vkCmdBindDescriptorSets)      \
  X(vkCmdBindPipeline)            \
  X(vkCmdCopyBuffer)              \
  X(vkCmdDispatch)                \
  X(vkCmdDispatchBase)            \
  X(vkCmdEndDebugUtilsLabelEXT)   \
  X(vkCmdFillBuffer)              \
  X(vkCmdPipelineBarrier)         \
  X(vkCmdPushConstants)           \
  X(vkCmdPushDescriptorSetKHR)    \
  X(vkCmdUpdateBuffer)            \
  X(vkCreateBuffer)               \
  X(vkCreateComputePipelines)     \
  X(vkCreateDescriptorPool)       \
  X(vkCreateDescriptorSetLayout)  \
  X(vkCreatePipelineLayout)       \
  X(vkCreateSemaphore)            \
  X(vkCreateShaderModule)         \
  X(vkDestroyBuffer)              \
  X(vkDestroyDescriptorPool)      \
  X(vkDestroyDescriptorSetLayout) \
  X(vkDestroyPipeline)            \
  X(vkDestroyPipelineLayout)      \
  X(vkDestroySemaphore)           \
  X(vkDestroyShaderModule)        \
  X(vkFreeDescriptorSets)         \
  X(vkFreeMemory)                 \
  X(vkGetMemoryFdKHR)             \
  X(vkMapMemory)                  \
  X(vkUpdateDescriptorSets)

}  // namespace slu::test
