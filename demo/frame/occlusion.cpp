#include "frame/occlusion.h"

#include <sluice/sluice_vulkan.h>

#include <algorithm>
#include <glm/gtc/type_ptr.hpp>

#include "frame/context.h"
#include "frame/presenter.h"

namespace demo {
namespace {

SluOcclusionView occlusionView(const glm::mat4& matrix) {
  SluOcclusionView view = {};
  std::copy_n(glm::value_ptr(matrix), std::size(view.viewProjection), view.viewProjection);
  return view;
}

// The pyramid is not that of the views of shadows. By this matrix nothing can be projected, so nothing is hidden.
SluOcclusionView seesAll() {
  glm::mat4 matrix(0.0f);
  matrix[3][3] = 1e20f;
  return occlusionView(matrix);
}

}  // namespace

Occlusion::Occlusion(const Device& device, SluContext context, Compaction& compaction, const Renderer& renderer)
    : context_(context),
      compaction_(compaction),
      renderer_(renderer),
      viewCount_(compaction.viewCount()),
      readers_(device.drawStages() | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
               VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT) {
  SluVulkanPyramidInfo images = SLU_INIT(VULKAN_PYRAMID_INFO, SluVulkanPyramidInfo);
  images.format = renderer.depthFormat();
  images.samples = renderer.samples();
  images.viewType = VK_IMAGE_VIEW_TYPE_2D;
  SluPyramidCreateInfo info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
  info.pNext = &images;
  info.route = SLU_ROUTE_VULKAN;
  info.width = renderer.extent().width;
  info.height = renderer.extent().height;
  info.layerCount = 1;
  info.direction = SLU_DEPTH_REVERSED;
  info.framesInFlight = kFramesInFlight;
  checkSluice(context, sluCreatePyramid(context, &info, builder_.put()), "sluCreatePyramid");
  SluPyramidProperties properties = SLU_INIT(PYRAMID_PROPERTIES, SluPyramidProperties);
  checkSluice(context, sluGetPyramidProperties(builder_, &properties), "sluGetPyramidProperties");

  const auto create = [&](RegisteredBuffer& created, uint64_t bytes, const char* name) {
    created.buffer = Buffer(device, bytes, 0, inputMemory(compaction.route()), name);
    created.registered = registerBuffer(context, created.buffer);
    compaction.handOver(created.registered);
  };
  for (RegisteredBuffer& pyramid : pyramids_) create(pyramid, properties.bytes, "depth pyramid");
  for (RegisteredBuffer& bits : bits_) create(bits, compaction.visibilityBytes(), "visible records");
  create(singleBits_, compaction.visibilityBytes(), "visible records");
  // No pyramid is valid, and the camera has seen nothing. The views of shadows see everything in the first phase, since
  // shadows are drawn before what they fall on; no second phase has these views, so their bits stay.
  submitAndWait(device, [&](VkCommandBuffer commands) {
    const uint64_t perView = compaction.visibilityBytes() / viewCount_;
    for (const RegisteredBuffer& pyramid : pyramids_)
      vkCmdFillBuffer(commands, pyramid.buffer.get(), 0, VK_WHOLE_SIZE, 0);
    for (const RegisteredBuffer& bits : bits_) {
      vkCmdFillBuffer(commands, bits.buffer.get(), 0, perView, 0);
      if (viewCount_ > 1) vkCmdFillBuffer(commands, bits.buffer.get(), perView, (viewCount_ - 1) * perView, ~0u);
    }
    memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                  VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
  });
}

Occlusion::~Occlusion() {
  for (const RegisteredBuffer* each : {&pyramids_[0], &pyramids_[1], &bits_[0], &bits_[1], &singleBits_})
    compaction_.keepBack(each->registered);
}

// Tests the camera's view alone.
CompactionStep Occlusion::against(SluOcclusionPhase phase, const RegisteredBuffer& pyramid,
                                  const SluOcclusionView& camera, uint32_t viewCount) const {
  CompactionStep step = {.viewCount = viewCount, .phase = phase};
  step.occlusionViews.assign(viewCount, seesAll());
  step.occlusionViews.front() = camera;
  step.pyramidSize = renderer_.extent();
  step.pyramid = &pyramid;
  return step;
}

std::vector<CompactionStep> Occlusion::twoPhases(const RegisteredBuffer& lastVisible, const RegisteredBuffer& visible,
                                                 const SluOcclusionView& camera) const {
  CompactionStep first = {.viewCount = viewCount_, .phase = SLU_OCCLUSION_FIRST};
  first.lastVisible = &lastVisible;
  CompactionStep second = against(SLU_OCCLUSION_SECOND, pyramids_[lastPyramid_], camera, 1);
  second.outputs = 1;
  second.lastVisible = &lastVisible;
  second.visible = &visible;
  return {first, second};
}

std::vector<CompactionStep> Occlusion::repeatWithAll(OcclusionMode mode) {
  buildsPyramid_ = false;
  if (mode != OcclusionMode::Two) return {{.viewCount = viewCount_}};
  return twoPhases(bits_[lastBits_ ^ 1u], singleBits_, seesAll());
}

std::vector<CompactionStep> Occlusion::begin(OcclusionMode mode, const glm::mat4& matrix, bool isFrozen) {
  buildsPyramid_ = mode != OcclusionMode::Off && !isFrozen;
  const bool isSingle = isFrozen ? pyramidMatrix_ == matrix : pyramidMatrix_.has_value();
  const RegisteredBuffer& lastPyramid = pyramids_[lastPyramid_];
  const std::optional<glm::mat4> lastMatrix = pyramidMatrix_;
  if (buildsPyramid_) {
    lastPyramid_ ^= 1u;
    pyramidMatrix_ = matrix;
  }
  if (mode == OcclusionMode::Two && !isFrozen) {
    const RegisteredBuffer &lastVisible = bits_[lastBits_], &visible = bits_[lastBits_ ^ 1u];
    lastBits_ ^= 1u;
    return twoPhases(lastVisible, visible, occlusionView(matrix));
  }
  if (mode == OcclusionMode::Off || !isSingle) return {{.viewCount = viewCount_}};
  CompactionStep single = against(SLU_OCCLUSION_SINGLE, lastPyramid, occlusionView(*lastMatrix), viewCount_);
  if (!isFrozen) single.occlusionViews.front().flags = SLU_OCCLUSION_EARLIER_BIT;
  single.visible = &singleBits_;
  return {single};
}

void Occlusion::recordPyramid(VkCommandBuffer commands) {
  // Earlier frames have read the pyramid before the last one.
  memoryBarrier(commands, readers_, 0, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  SluVulkanDepthInfo depth = SLU_INIT(VULKAN_DEPTH_INFO, SluVulkanDepthInfo);
  depth.view = renderer_.depthView();
  depth.layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL;
  depth.extent = renderer_.extent();
  SluPyramidBuildInfo build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
  build.pNext = &depth;
  build.pyramid.buffer = pyramids_[lastPyramid_].registered;
  build.frameNumber = buildCount_++;
  checkSluice(context_, sluCmdBuildPyramid(builder_, commands, &build), "sluCmdBuildPyramid");
  memoryBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, readers_,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

}  // namespace demo
