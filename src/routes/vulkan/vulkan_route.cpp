#include "routes/vulkan/vulkan_route.h"

#include "routes/vulkan/frame_data.h"
#include "routes/vulkan/vulkan_plan.h"
#include "routes/vulkan_host/recorded_route.h"
#include "routes/vulkan_host/requirements.h"
#include "routes/vulkan_pyramid/vulkan_pyramid.h"

namespace slu {

namespace {

class VulkanRoute final : public RecordedRoute {
 public:
  VulkanRoute(const SluVulkanDeviceInfo& info, const std::string& whyBound)
      : RecordedRoute(info, whyBound.empty() ? Reach::addresses : Reach::bindings),
        remark_(whyBound.empty() ? "" : ", by bound buffers, since " + whyBound),
        pipelines_(device(), bindsBuffers(), routeLimits()) {}

  std::string remark() const override { return remark_; }

  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override {
    const std::unique_ptr<RouteBuffer> plain = RecordedRoute::attachBuffer(info);
    if (plain == nullptr) return nullptr;
    auto buffer = std::make_unique<UniformBuffer>(watch_);
    static_cast<VulkanBuffer&>(*buffer) = static_cast<const VulkanBuffer&>(*plain);
    const bool isUniform = (buffer->usage & VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) != 0 && info.size >= SLU_FRAME_BYTES;
    if (info.hostPointer == nullptr || !isUniform) return buffer;
    buffer->mapped = static_cast<std::byte*>(info.hostPointer);
    buffer->frameSets = makeFrameSets(device(), pipelines_.frameSetLayout(), buffer->handle, info.size);
    return buffer;
  }

  void checkUse(const RouteBuffer& buffer, Use use, const char* field) const override {
    RecordedRoute::checkUse(buffer, use, field);
    if (use != Use::transient) return;
    const auto& uniform = static_cast<const UniformBuffer&>(buffer);
    require((uniform.usage & VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) != 0, field,
            ": the buffer's usage lacks VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, with which the frame's data is bound");
    require(uniform.mapped != nullptr, field,
            ": the buffer was created without a hostPointer, where the frame's data is written; map its memory first");
  }

  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    return makeVulkanPlan(device(), pipelines_, layout, watch_);
  }

  std::unique_ptr<RoutePyramid> createPyramid(const PyramidLayout& layout, const void* chain) override {
    return makeVulkanPyramid(device(), layout, chain);
  }

 private:
  const std::string remark_;
  Pipelines pipelines_;
  BufferWatch watch_;
};

}  // namespace

std::unique_ptr<Route> makeVulkanRoute(const SluVulkanDeviceInfo& info) {
  const InstanceFunctions functions(info.getInstanceProcAddr, info.instance);
  checkQueueFamily(functions, info);
  checkPhysicalDevice(functions, info.physicalDevice, info.emulatedSubgroupSize == 0);
  return std::make_unique<VulkanRoute>(info, whyNoAddresses(functions, info));
}

}  // namespace slu
