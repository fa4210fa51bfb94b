#include "interop/external_semaphore.h"

#include "base/error.h"

namespace slu {
CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC timelineDescriptor(int fd) {
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC descriptor{};
  descriptor.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  descriptor.handle.fd = fd;
  return descriptor;
}

CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC timelineDescriptor(void* ntHandle) {
  require(ntHandle != nullptr, "external semaphore: the NT handle is null");
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC descriptor{};
  descriptor.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32;
  descriptor.handle.win32.handle = ntHandle;
  return descriptor;
}

CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC fenceDescriptor(FenceHandle fence) {
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC descriptor = timelineDescriptor(fence.ntHandle);
  descriptor.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE;
  return descriptor;
}

namespace {

void import(OwnedExternalSemaphore& semaphore, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& descriptor) {
  const CudaContext& context = semaphore.context();
  const CudaScope scope(context);
  semaphore.take(context.functions().cuImportExternalSemaphore(semaphore.put(), &descriptor),
                 "cuImportExternalSemaphore");
}

// A failed import leaves the handle to the caller.
void importTimeline(OwnedExternalSemaphore& semaphore, UniqueHandle& handle) {
  import(semaphore, timelineDescriptor(handle.get()));
  handle.finishImport();
}

}  // namespace

ExportableTimeline::ExportableTimeline(const VulkanExternal& external, const char* name) : external_(external) {
  external.requireTimelineExport();
  VkExportSemaphoreCreateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO;
  exported.handleTypes = kSemaphoreHandleType;
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

GraphicsToCuda::GraphicsToCuda(const CudaContext& context, UniqueHandle& handle) : semaphore_(context) {
  importTimeline(semaphore_, handle);
}

GraphicsToCuda::GraphicsToCuda(const CudaContext& context, FenceHandle fence) : semaphore_(context) {
  import(semaphore_, fenceDescriptor(fence));
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

CudaToGraphics::CudaToGraphics(const CudaContext& context, UniqueHandle& handle) : semaphore_(context) {
  importTimeline(semaphore_, handle);
}

CudaToGraphics::CudaToGraphics(const CudaContext& context, FenceHandle fence) : semaphore_(context) {
  import(semaphore_, fenceDescriptor(fence));
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

// Imports what external exports; the handle of a failed import is closed here.
template <typename Timeline>
Timeline importExported(const VulkanExternal& external, const CudaContext& context, VkSemaphore semaphore) {
  UniqueHandle handle = external.exportSemaphore(semaphore);
  return Timeline(context, handle);
}

}  // namespace

TimelineSemaphores::TimelineSemaphores(const VulkanExternal& external)
    : graphicsSemaphore(external, "sluice graphics to CUDA"), cudaSemaphore(external, "sluice CUDA to graphics") {}

Timelines::Timelines(const VulkanExternal& external, const CudaContext& context)
    : TimelineSemaphores(external),
      TimelineEnds{importExported<GraphicsToCuda>(external, context, graphicsSemaphore.get()),
                   importExported<CudaToGraphics>(external, context, cudaSemaphore.get())} {}

}  // namespace slu
