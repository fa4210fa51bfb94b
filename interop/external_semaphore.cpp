#include "interop/external_semaphore.h"

#include "base/error.h"

namespace slu {
namespace {

// Empties fd when CUDA took it: a failed import leaves it to the caller.
void importTimeline(OwnedExternalSemaphore& semaphore, UniqueFd& fd) {
  const CudaContext& context = semaphore.context();
  const CudaScope scope(context);
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC descriptor{};
  descriptor.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  descriptor.handle.fd = fd.get();
  semaphore.take(context.functions().cuImportExternalSemaphore(semaphore.put(), &descriptor),
                 "cuImportExternalSemaphore");
  fd.release();
}

}  // namespace

ExportableTimeline::ExportableTimeline(const VulkanExternal& external, const char* name) : external_(external) {
  constexpr auto kHandleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  external.requireTimelineExport(kHandleType);
  VkExportSemaphoreCreateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO;
  exported.handleTypes = kHandleType;
  VkSemaphoreTypeCreateInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  timeline.pNext = &exported;
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &timeline;
  const Device& device = external.device();
  check(external.functions().vkCreateSemaphore(device.handle, &info, device.callbacks(), &handle_),
        "vkCreateSemaphore");
  device.setName(handle_, VK_OBJECT_TYPE_SEMAPHORE, name);
}

ExportableTimeline::~ExportableTimeline() {
  const Device& device = external_.device();
  external_.functions().vkDestroySemaphore(device.handle, handle_, device.callbacks());
}

GraphicsToCuda::GraphicsToCuda(const CudaContext& context, UniqueFd& fd) : semaphore_(context) {
  importTimeline(semaphore_, fd);
}

void GraphicsToCuda::enqueueWait(CUstream stream, std::uint64_t value) {
  require(value != 0 && value >= waited_, "timeline from graphics to CUDA: a wait for ", value, " after one for ",
          waited_, "; values start at 1 and only grow");
  const CudaContext& context = semaphore_.context();
  const CudaScope scope(context);
  const CUexternalSemaphore semaphore = semaphore_.get();
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
  parameters.params.fence.value = value;
  check(context.functions().cuWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream),
        "cuWaitExternalSemaphoresAsync");
  waited_ = value;
}

CudaToGraphics::CudaToGraphics(const CudaContext& context, UniqueFd& fd) : semaphore_(context) {
  importTimeline(semaphore_, fd);
}

void CudaToGraphics::enqueueSignal(CUstream stream, std::uint64_t value) {
  require(value > signalled_, "timeline from CUDA to graphics: a signal of ", value, " after one of ", signalled_,
          "; values only grow");
  const CudaContext& context = semaphore_.context();
  const CudaScope scope(context);
  const CUexternalSemaphore semaphore = semaphore_.get();
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
  parameters.params.fence.value = value;
  check(context.functions().cuSignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream),
        "cuSignalExternalSemaphoresAsync");
  signalled_ = value;
}

namespace {

// Imports what external exports; the fd of a failed import is closed here.
template <typename Timeline>
Timeline importExported(const VulkanExternal& external, const CudaContext& context, VkSemaphore semaphore) {
  UniqueFd fd = external.exportSemaphore(semaphore);
  return Timeline(context, fd);
}

}  // namespace

Timelines::Timelines(const VulkanExternal& external, const CudaContext& context)
    : graphicsSemaphore(external, "sluice graphics to CUDA"),
      cudaSemaphore(external, "sluice CUDA to graphics"),
      graphicsToCuda(importExported<GraphicsToCuda>(external, context, graphicsSemaphore.get())),
      cudaToGraphics(importExported<CudaToGraphics>(external, context, cudaSemaphore.get())) {}

}  // namespace slu
