#include "depth_image.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "depth_frag.h"
#include "depth_vert.h"

namespace slu::test {
namespace {

VkImageAspectFlags aspectsOf(VkFormat format) {
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
  return hasStencil(format) ? kDepth | VK_IMAGE_ASPECT_STENCIL_BIT : kDepth;
}

constexpr VkImageUsageFlags kUsage =
    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;

VkImageCreateInfo imageInfo(const DepthImageInfo& info) {
  VkImageCreateInfo image{};
  image.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = info.format;
  image.extent = {info.width, info.height, 1};
  image.mipLevels = 1;
  image.arrayLayers = info.layerCount;
  image.samples = info.samples;
  image.tiling = VK_IMAGE_TILING_OPTIMAL;
  image.usage = kUsage;
  return image;
}

template <typename Function>
Function instanceFunction(const VulkanInstance& instance, const char* name) {
  return reinterpret_cast<Function>(loadVulkan()(instance.handle, name));
}

}  // namespace

bool hasStencil(VkFormat format) { return format >= VK_FORMAT_D16_UNORM_S8_UINT; }

bool offers(const VulkanInstance& instance, const DepthImageInfo& info) {
  const auto get = instanceFunction<PFN_vkGetPhysicalDeviceImageFormatProperties>(
      instance, "vkGetPhysicalDeviceImageFormatProperties");
  VkImageFormatProperties properties{};
  const VkResult result =
      get(instance.physicalDevice, info.format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, kUsage, 0, &properties);
  return result == VK_SUCCESS && (properties.sampleCounts & info.samples) != 0 &&
         (instance.properties.limits.sampledImageDepthSampleCounts & info.samples) != 0 &&
         properties.maxArrayLayers >= info.layerCount && properties.maxExtent.width >= info.width &&
         properties.maxExtent.height >= info.height;
}

ImageFunctions::ImageFunctions(const VulkanDevice& device) {
#define SLU_TEST_LOOK_UP(name) \
  name = reinterpret_cast<PFN_##name>(device.instance.functions.vkGetDeviceProcAddr(device.handle, #name));
  SLU_TEST_IMAGE_FUNCTIONS(SLU_TEST_LOOK_UP)
#undef SLU_TEST_LOOK_UP
}

DepthImage::DepthImage(const VulkanDevice& device, const DepthImageInfo& imageOf)
    : info(imageOf), device_(device), functions_(device) {
  const VkImageCreateInfo create = imageInfo(info);
  check(functions_.vkCreateImage(device.handle, &create, nullptr, &handle), "vkCreateImage");
  VkMemoryRequirements needs{};
  functions_.vkGetImageMemoryRequirements(device.handle, handle, &needs);
  std::uint32_t type = 0;
  while ((needs.memoryTypeBits >> type & 1u) == 0) ++type;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = type;
  check(device.functions.vkAllocateMemory(device.handle, &allocate, nullptr, &memory_), "vkAllocateMemory");
  check(functions_.vkBindImageMemory(device.handle, handle, memory_, 0), "vkBindImageMemory");
  view = makeView(info.viewType, 0, info.layerCount);
}

DepthImage::~DepthImage() {
  functions_.vkDestroyImageView(device_.handle, view, nullptr);
  functions_.vkDestroyImage(device_.handle, handle, nullptr);
  device_.functions.vkFreeMemory(device_.handle, memory_, nullptr);
}

VkImageView DepthImage::makeView(VkImageViewType type, std::uint32_t firstLayer, std::uint32_t layerCount) const {
  VkImageViewCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  create.image = handle;
  create.viewType = type;
  create.format = info.format;
  create.subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, firstLayer, layerCount};
  VkImageView made = VK_NULL_HANDLE;
  check(functions_.vkCreateImageView(device_.handle, &create, nullptr, &made), "vkCreateImageView");
  return made;
}

void DepthImage::transition(VkCommandBuffer commands, VkImageLayout from, VkPipelineStageFlags fromStage,
                            VkAccessFlags fromAccess, VkImageLayout to, VkPipelineStageFlags toStage,
                            VkAccessFlags toAccess) const {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = fromAccess;
  barrier.dstAccessMask = toAccess;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = handle;
  barrier.subresourceRange = {aspectsOf(info.format), 0, 1, 0, info.layerCount};
  device_.functions.vkCmdPipelineBarrier(commands, fromStage, toStage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

void DepthImage::copy(const std::vector<std::uint8_t>& texels) {
  const VulkanBuffer staging(device_, texels.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, VulkanBuffer::Kind::mapped);
  std::ranges::copy(texels, staging.mapped);
  device_.runOnce([&](VkCommandBuffer commands) {
    transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, info.layerCount};
    region.imageExtent = {info.width, info.height, 1};
    functions_.vkCmdCopyBufferToImage(commands, staging.handle, handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                                      &region);
    transition(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
               VK_ACCESS_TRANSFER_WRITE_BIT, info.layout, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
               VK_ACCESS_SHADER_READ_BIT);
  });
}

namespace {

// What draws the layers of an image.
class Painter {
 public:
  Painter(const VulkanDevice& device, const ImageFunctions& functions, const DepthImageInfo& info,
          const VulkanBuffer& depths)
      : device_(device), functions_(functions), info_(info) {
    makeSet(depths);
    makeRenderPass();
    makePipeline();
  }
  ~Painter() {
    const VkDevice handle = device_.handle;
    for (const VkFramebuffer framebuffer : framebuffers_) {
      functions_.vkDestroyFramebuffer(handle, framebuffer, nullptr);
    }
    for (const VkImageView view : views_) functions_.vkDestroyImageView(handle, view, nullptr);
    functions_.vkDestroyPipeline(handle, pipeline_, nullptr);
    functions_.vkDestroyRenderPass(handle, renderPass_, nullptr);
    functions_.vkDestroyPipelineLayout(handle, layout_, nullptr);
    functions_.vkDestroyDescriptorPool(handle, pool_, nullptr);
    functions_.vkDestroyDescriptorSetLayout(handle, setLayout_, nullptr);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // view: of the layer, which the painter destroys.
  void draw(VkCommandBuffer commands, VkImageView view, std::uint32_t layer) {
    views_.push_back(view);
    VkFramebufferCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
    create.renderPass = renderPass_;
    create.attachmentCount = 1;
    create.pAttachments = &view;
    create.width = info_.width;
    create.height = info_.height;
    create.layers = 1;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    check(functions_.vkCreateFramebuffer(device_.handle, &create, nullptr, &framebuffer), "vkCreateFramebuffer");
    framebuffers_.push_back(framebuffer);
    VkRenderPassBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
    begin.renderPass = renderPass_;
    begin.framebuffer = framebuffer;
    begin.renderArea.extent = {info_.width, info_.height};
    const auto samples = static_cast<std::uint32_t>(info_.samples);
    const std::uint32_t constants[] = {info_.width, samples, layer * info_.width * info_.height * samples};
    constexpr VkPipelineBindPoint kPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    functions_.vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    functions_.vkCmdBindPipeline(commands, kPoint, pipeline_);
    functions_.vkCmdBindDescriptorSets(commands, kPoint, layout_, 0, 1, &set_, 0, nullptr);
    functions_.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(constants), constants);
    functions_.vkCmdDraw(commands, 3, 1, 0, 0);
    functions_.vkCmdEndRenderPass(commands);
  }

 private:
  void makeSet(const VulkanBuffer& depths) {
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT,
                                               nullptr};
    VkDescriptorSetLayoutCreateInfo setInfo{};
    setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    setInfo.bindingCount = 1;
    setInfo.pBindings = &binding;
    check(functions_.vkCreateDescriptorSetLayout(device_.handle, &setInfo, nullptr, &setLayout_),
          "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo poolInfo{};
    poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    poolInfo.maxSets = 1;
    poolInfo.poolSizeCount = 1;
    poolInfo.pPoolSizes = &size;
    check(functions_.vkCreateDescriptorPool(device_.handle, &poolInfo, nullptr, &pool_), "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &setLayout_;
    check(functions_.vkAllocateDescriptorSets(device_.handle, &allocate, &set_), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo range{depths.handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &range;
    functions_.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    const VkPushConstantRange constants{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 12};
    VkPipelineLayoutCreateInfo layoutInfo{};
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.setLayoutCount = 1;
    layoutInfo.pSetLayouts = &setLayout_;
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &constants;
    check(functions_.vkCreatePipelineLayout(device_.handle, &layoutInfo, nullptr, &layout_), "vkCreatePipelineLayout");
  }

  void makeRenderPass() {
    VkAttachmentDescription attachment{};
    attachment.format = info_.format;
    attachment.samples = info_.samples;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.pDepthStencilAttachment = &reference;
    VkRenderPassCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
    create.attachmentCount = 1;
    create.pAttachments = &attachment;
    create.subpassCount = 1;
    create.pSubpasses = &subpass;
    check(functions_.vkCreateRenderPass(device_.handle, &create, nullptr, &renderPass_), "vkCreateRenderPass");
  }

  template <std::size_t count>
  VkShaderModule makeModule(const std::uint32_t (&code)[count]) const {
    VkShaderModuleCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    create.codeSize = sizeof(code);
    create.pCode = code;
    VkShaderModule module = VK_NULL_HANDLE;
    check(functions_.vkCreateShaderModule(device_.handle, &create, nullptr, &module), "vkCreateShaderModule");
    return module;
  }

  void makePipeline() {
    std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
    stages[0].sType = stages[1].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stages[0].pName = stages[1].pName = "main";
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = makeModule(depth_vert);
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = makeModule(depth_frag);
    VkPipelineVertexInputStateCreateInfo vertices{};
    vertices.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    const VkViewport viewport{0.0f, 0.0f, static_cast<float>(info_.width), static_cast<float>(info_.height),
                              0.0f, 1.0f};
    const VkRect2D scissor{{0, 0}, {info_.width, info_.height}};
    VkPipelineViewportStateCreateInfo viewports{};
    viewports.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewports.viewportCount = viewports.scissorCount = 1;
    viewports.pViewports = &viewport;
    viewports.pScissors = &scissor;
    VkPipelineRasterizationStateCreateInfo raster{};
    raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    raster.lineWidth = 1.0f;
    VkPipelineMultisampleStateCreateInfo multisample{};
    multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    multisample.rasterizationSamples = info_.samples;
    multisample.sampleShadingEnable = VK_TRUE;
    multisample.minSampleShading = 1.0f;
    VkPipelineDepthStencilStateCreateInfo depth{};
    depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
    depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    VkGraphicsPipelineCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    create.stageCount = 2;
    create.pStages = stages.data();
    create.pVertexInputState = &vertices;
    create.pInputAssemblyState = &assembly;
    create.pViewportState = &viewports;
    create.pRasterizationState = &raster;
    create.pMultisampleState = &multisample;
    create.pDepthStencilState = &depth;
    create.layout = layout_;
    create.renderPass = renderPass_;
    check(functions_.vkCreateGraphicsPipelines(device_.handle, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline_),
          "vkCreateGraphicsPipelines");
    for (const auto& stage : stages) functions_.vkDestroyShaderModule(device_.handle, stage.module, nullptr);
  }

  const VulkanDevice& device_;
  const ImageFunctions& functions_;
  const DepthImageInfo& info_;
  VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkRenderPass renderPass_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  std::vector<VkImageView> views_;
  std::vector<VkFramebuffer> framebuffers_;
};

}  // namespace

void DepthImage::draw(const std::vector<float>& depths) {
  const VulkanBuffer source(device_, depths.size() * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                            VulkanBuffer::Kind::mapped);
  std::memcpy(source.mapped, depths.data(), source.size);
  Painter painter(device_, functions_, info, source);
  constexpr VkImageLayout kAttachment = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  constexpr VkAccessFlags kWrite = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
  constexpr VkPipelineStageFlags kTests =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  device_.runOnce([&](VkCommandBuffer commands) {
    transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, kAttachment, kTests,
               kWrite | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT);
    for (std::uint32_t layer = 0; layer < info.layerCount; ++layer) {
      painter.draw(commands, makeView(VK_IMAGE_VIEW_TYPE_2D, layer, 1), layer);
    }
    transition(commands, kAttachment, VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, kWrite, info.layout,
               VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
  });
}

}  // namespace slu::test
