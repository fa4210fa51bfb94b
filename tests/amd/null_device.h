// A device of a driver that compiles and has no hardware, as RADV is under RADV_FORCE_FAMILY. Memory, buffers and
// descriptor sets are made up here. Pipelines are collected when the library creates them, and compiled later.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "vulkan_host.h"

namespace slu::test {

// A pipeline that the library asked for. It borrows the NullDevice's module, and the layout of the library's context.
struct PipelineOrder {
  std::string name;
  VkPipelineCreateFlags flags = 0;
  VkShaderModule module = VK_NULL_HANDLE;
  std::size_t code = 0;  // a hash of the module's words
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::string plan;  // the first that asked for it

  // Orders that are equal in it are for the same machine code.
  auto key() const { return std::tuple(flags, code); }
};

// What the driver tells of a compiled pipeline, by the driver's own names.
struct PipelineStatistics {
  std::vector<std::pair<std::string, std::uint64_t>> values;
  double milliseconds = 0;  // of a processor, to create it

  // Throws std::runtime_error if the driver tells no such number.
  std::uint64_t get(const std::string& name) const;
};

// Stands between the library and one device. One lives at a time, on one thread.
class NullDevice {
 public:
  explicit NullDevice(const VulkanDevice& device);
  ~NullDevice();
  NullDevice(const NullDevice&) = delete;
  NullDevice& operator=(const NullDevice&) = delete;

  PFN_vkGetInstanceProcAddr entry() const;
  const std::vector<PipelineOrder>& orders() const { return orders_; }

  // What is ordered from now on is for this plan.
  void setPlan(std::string description) { plan_ = std::move(description); }

  // Compiles it, reads its statistics and destroys it. By any number of threads.
  PipelineStatistics compile(const PipelineOrder& order) const;

  // Called by the functions that the library gets.
  void addModule(VkShaderModule module, const VkShaderModuleCreateInfo& info);
  VkPipeline add(const VkComputePipelineCreateInfo& info);
  void setName(const VkDebugUtilsObjectNameInfoEXT& info);

 private:
  const VulkanDevice& device_;
  std::map<VkShaderModule, std::size_t> codes_;
  std::string plan_;
  std::vector<PipelineOrder> orders_;  // handles are their numbers, from 1
};

}  // namespace slu::test
