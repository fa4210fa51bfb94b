// The two timelines between graphics and CUDA. Each has one signaller, which its type lets alone signal.
#pragma once

#include "base/cuda_owned.h"
#include "interop/vulkan_external.h"

namespace slu {

// An NT handle of a shared ID3D12Fence. It stays the caller's, who may close it once it is imported.
struct FenceHandle {
  void* ntHandle = nullptr;
};

// The only places where CUDA's descriptor is filled: for a timeline semaphore of Vulkan, and for a fence.
CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC timelineDescriptor(int fd);
CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC timelineDescriptor(void* ntHandle);
CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC fenceDescriptor(FenceHandle fence);

// A timeline semaphore of ours, exportable, at 0.
class ExportableTimeline {
 public:
  ExportableTimeline(const VulkanExternal& external, const char* name);
  ~ExportableTimeline();
  ExportableTimeline(const ExportableTimeline&) = delete;
  ExportableTimeline& operator=(const ExportableTimeline&) = delete;

  VkSemaphore get() const { return handle_; }

 private:
  const VulkanExternal& external_;
  VkSemaphore handle_ = VK_NULL_HANDLE;
};

// Graphics signals, CUDA waits.
class GraphicsToCuda {
 public:
  // handle is of the exported timeline semaphore, and is emptied when the import has succeeded.
  GraphicsToCuda(const CudaContext& context, UniqueHandle& handle);
  GraphicsToCuda(const CudaContext& context, FenceHandle fence);

  // Work enqueued later runs once graphics has signalled value or more. value is not 0 and never falls. The stream is
  // of the device's primary context.
  void enqueueWait(CUstream stream, std::uint64_t value);

  std::uint64_t enqueuedWait() const { return waited_; }  // the highest value

 private:
  OwnedExternalSemaphore semaphore_;
  std::uint64_t waited_ = 0;
};

// CUDA signals, graphics waits.
class CudaToGraphics {
 public:
  CudaToGraphics(const CudaContext& context, UniqueHandle& handle);
  CudaToGraphics(const CudaContext& context, FenceHandle fence);

  // Signals value, above all earlier ones, once all earlier work of the stream is done.
  void enqueueSignal(CUstream stream, std::uint64_t value);

  // The highest value enqueued. The submission that waits for a value comes after its signal was enqueued: a wait
  // for more than this is one that nothing is going to end.
  std::uint64_t enqueuedSignal() const { return signalled_; }

 private:
  OwnedExternalSemaphore semaphore_;
  std::uint64_t signalled_ = 0;
};

// CUDA's ends of both.
struct TimelineEnds {
  // Before and after a frame's work. 0: nothing is to be waited for, or signalled.
  void beginFrame(CUstream stream, std::uint64_t waitValue) {
    if (waitValue != 0) graphicsToCuda.enqueueWait(stream, waitValue);
  }
  void endFrame(CUstream stream, std::uint64_t signalValue) {
    if (signalValue != 0) cudaToGraphics.enqueueSignal(stream, signalValue);
  }

  GraphicsToCuda graphicsToCuda;
  CudaToGraphics cudaToGraphics;
};

struct TimelineSemaphores {
  explicit TimelineSemaphores(const VulkanExternal& external);

  ExportableTimeline graphicsSemaphore;  // for the submissions that CUDA waits for to signal
  ExportableTimeline cudaSemaphore;      // for the submissions that use CUDA's results to wait for
};

// Both, with Vulkan semaphores of ours. CUDA's ends are destroyed before them; both APIs must be drained then.
struct Timelines : TimelineSemaphores, TimelineEnds {
  Timelines(const VulkanExternal& external, const CudaContext& context);
};

}  // namespace slu
