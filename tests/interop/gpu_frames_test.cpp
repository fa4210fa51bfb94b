// Frames that go from Vulkan to CUDA and back, ordered by the two timelines alone.
#include <array>
#include <cstring>
#include <optional>
#include <sluice/sluice.hpp>

#include "cuda_memory.h"
#include "gpu_host.h"
#include "interop/exportable_buffer.h"
#include "interop/external_memory.h"
#include "interop/external_semaphore.h"
#include "interop/queue_transfer.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kSlots = 3;
constexpr std::size_t kWords = 1024;
constexpr std::size_t kStampWords = 16;  // of each frame's result, written by CUDA
constexpr std::uint64_t kFrameBytes = kWords * 4;
constexpr std::uint64_t kSecond = 1'000'000'000;

std::vector<std::uint32_t> patternOf(std::uint64_t frame) {
  std::vector<std::uint32_t> words(kWords);
  for (std::size_t i = 0; i < kWords; ++i) words[i] = static_cast<std::uint32_t>(frame * 2654435761u + i * 40503u);
  return words;
}

std::uint8_t stampOf(std::uint64_t frame) { return static_cast<std::uint8_t>(frame % 251 + 1); }

// What graphics must find in CUDA's result.
std::vector<std::uint32_t> resultOf(std::uint64_t frame) {
  std::vector<std::uint32_t> words = patternOf(frame);
  std::fill_n(words.begin(), kStampWords, stampOf(frame) * 0x01010101u);
  return words;
}

struct Point {
  VkSemaphore semaphore;
  std::uint64_t value;
};

// A frame: graphics writes a pattern into `input`; CUDA logs what it finds there and writes it, stamped, into `result`;
// graphics logs what it finds in that.
class Frames {
 public:
  Frames(const ExternalHost& host, const CudaContext& context, std::size_t frameCount)
      : host_(host),
        context_(context),
        timelines_(host.external, context),
        done_(host.external, "frames done"),
        cache_(host.external, context),
        stream_(makeStream(context)),
        cudaLog_(makePinned(context, kWords * frameCount)),
        graphicsLog_(host.vulkan, kFrameBytes * frameCount, kTestUsage, VulkanBuffer::Kind::mapped) {
    std::memset(graphicsLog_.mapped, 0xee, kFrameBytes * frameCount);
    for (auto& slot : slots_) slot.emplace(host, cache_);
  }
  ~Frames() {
    EXPECT_EQ(wait(submitted_, 10 * kSecond), VK_SUCCESS);  // drained before anything is destroyed
    const CudaScope scope(context_);
    EXPECT_EQ(cudaStreamSynchronize(stream_.get()), cudaSuccess);
    for (auto& slot : slots_) freeCommands(*slot);
  }

  // Enqueues all of the next frame and waits for nothing. CUDA's signal can be left out, of the last frame.
  void run(bool signals = true) {
    const FrameRing::Frame frame = ring_.begin(completed()).value();
    Slot& slot = *slots_[frame.slot];
    freeCommands(slot);
    slot.commands = {recordWrite(slot, frame.value), recordRead(slot, frame.value)};
    submit(slot.commands[0], std::nullopt, {timelines_.graphicsSemaphore.get(), frame.value});
    enqueueCuda(slot, frame.value);
    if (signals) signal(frame.value);  // before the submission that waits for it
    submit(slot.commands[1], Point{timelines_.cudaSemaphore.get(), frame.value}, {done_.get(), frame.value});
    submitted_ = frame.value;
  }

  void signal(std::uint64_t value) { timelines_.cudaToGraphics.enqueueSignal(stream_.get(), value); }

  // Of the last submission of a frame, which Vulkan signals.
  VkResult wait(std::uint64_t value, std::uint64_t timeout) const {
    const VkSemaphore semaphore = done_.get();
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    return host_.vkWaitSemaphores(host_.vulkan.handle, &info, timeout);
  }

  std::uint64_t completed() const {
    std::uint64_t value = 0;
    check(host_.vkGetSemaphoreCounterValue(host_.vulkan.handle, done_.get(), &value), "vkGetSemaphoreCounterValue");
    return value;
  }

  std::vector<std::uint32_t> seenByCuda(std::uint64_t frame) const {
    const std::uint32_t* words = &cudaLog_[(frame - 1) * kWords];
    return {words, words + kWords};
  }
  std::vector<std::uint32_t> seenByGraphics(std::uint64_t frame) const {
    std::vector<std::uint32_t> words(kWords);
    std::memcpy(words.data(), graphicsLog_.mapped + (frame - 1) * kFrameBytes, kFrameBytes);
    return words;
  }

 private:
  struct Slot {
    Slot(const ExternalHost& host, ImportedMemoryCache& cache)
        : input(host.external, kFrameBytes, kTestUsage, "input"),
          result(host.external, kFrameBytes, kTestUsage, "result"),
          cudaInput(cache.import(input.memory.get(), input.allocation), 0, kFrameBytes),
          cudaResult(cache.import(result.memory.get(), result.allocation), 0, kFrameBytes) {}
    std::array<VkBuffer, 2> buffers() const { return {input.buffer.get(), result.buffer.get()}; }

    ExportableBuffer input, result;
    ImportedRange cudaInput, cudaResult;
    std::array<VkCommandBuffer, 2> commands{};
  };

  void freeCommands(Slot& slot) const {
    for (VkCommandBuffer& commands : slot.commands) {
      if (commands != VK_NULL_HANDLE) host_.vulkan.freeCommands(commands);
      commands = VK_NULL_HANDLE;
    }
  }

  QueueTransfer transfer(VkAccessFlags access) const {
    return {host_.vulkan.queueFamily, VK_PIPELINE_STAGE_TRANSFER_BIT, access};
  }

  VkCommandBuffer recordWrite(const Slot& slot, std::uint64_t frame) const {
    const DeviceTable& functions = host_.vulkan.functions;
    const VkCommandBuffer commands = host_.vulkan.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    // After the copy from the slot's last result, and the acquire before it.
    host_.vulkan.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    const std::vector<std::uint32_t> pattern = patternOf(frame);
    functions.vkCmdUpdateBuffer(commands, slot.input.buffer.get(), 0, kFrameBytes, pattern.data());
    functions.vkCmdFillBuffer(commands, slot.result.buffer.get(), 0, kFrameBytes, 0xdddddddd);
    recordRelease(host_.device, commands, slot.buffers(), transfer(VK_ACCESS_TRANSFER_WRITE_BIT));
    check(functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
  }

  VkCommandBuffer recordRead(const Slot& slot, std::uint64_t frame) const {
    const DeviceTable& functions = host_.vulkan.functions;
    const VkCommandBuffer commands = host_.vulkan.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    recordAcquire(host_.device, commands, slot.buffers(),
                  transfer(VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT));
    const VkBufferCopy copy{0, (frame - 1) * kFrameBytes, kFrameBytes};
    functions.vkCmdCopyBuffer(commands, slot.result.buffer.get(), graphicsLog_.handle, 1, &copy);
    host_.vulkan.barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    check(functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
  }

  void enqueueCuda(const Slot& slot, std::uint64_t frame) {
    timelines_.graphicsToCuda.enqueueWait(stream_.get(), frame);
    const CudaScope scope(context_);
    check(cudaMemcpyAsync(&cudaLog_[(frame - 1) * kWords], slot.cudaInput.pointer, kFrameBytes, cudaMemcpyDeviceToHost,
                          stream_.get()),
          "cudaMemcpyAsync");
    check(cudaMemcpyAsync(slot.cudaResult.pointer, slot.cudaInput.pointer, kFrameBytes, cudaMemcpyDeviceToDevice,
                          stream_.get()),
          "cudaMemcpyAsync");
    check(cudaMemsetAsync(slot.cudaResult.pointer, stampOf(frame), kStampWords * 4, stream_.get()), "cudaMemsetAsync");
  }

  void submit(VkCommandBuffer commands, std::optional<Point> wait, Point signal) const {
    const VkPipelineStageFlags waitStages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkTimelineSemaphoreSubmitInfo values{};
    values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &signal.value;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.pNext = &values;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &signal.semaphore;
    if (wait) {
      values.waitSemaphoreValueCount = 1;
      values.pWaitSemaphoreValues = &wait->value;
      info.waitSemaphoreCount = 1;
      info.pWaitSemaphores = &wait->semaphore;
      info.pWaitDstStageMask = &waitStages;
    }
    check(host_.vulkan.functions.vkQueueSubmit(host_.vulkan.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  }

  const ExternalHost& host_;
  const CudaContext& context_;
  Timelines timelines_;
  ExportableTimeline done_;
  ImportedMemoryCache cache_;
  Stream stream_;
  Pinned cudaLog_;
  VulkanBuffer graphicsLog_;
  FrameRing ring_{kSlots};
  std::uint64_t submitted_ = 0;
  std::array<std::optional<Slot>, kSlots> slots_;
};

class GpuFrames : public GpuTest {};

TEST_F(GpuFrames, AThousandFramesThreeInFlightAreExact) {
  constexpr std::uint64_t kFrames = 1000;
  Frames frames(*host, *context, kFrames);
  for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
    if (frame > kSlots) {
      ASSERT_EQ(frames.wait(frame - kSlots, 10 * kSecond), VK_SUCCESS) << "frame " << frame;
    }
    frames.run();
  }
  ASSERT_EQ(frames.wait(kFrames, 10 * kSecond), VK_SUCCESS);
  for (std::uint64_t frame = 1; frame <= kFrames; ++frame) {
    ASSERT_EQ(frames.seenByCuda(frame), patternOf(frame)) << "frame " << frame;
    ASSERT_EQ(frames.seenByGraphics(frame), resultOf(frame)) << "frame " << frame;
  }
}

TEST_F(GpuFrames, AFrameWithoutCudasSignalTimesOutUntilItComes) {
  Frames frames(*host, *context, 2);
  frames.run();
  ASSERT_EQ(frames.wait(1, 10 * kSecond), VK_SUCCESS);

  frames.run(false);
  EXPECT_EQ(frames.wait(2, kSecond / 2), VK_TIMEOUT);
  EXPECT_EQ(frames.completed(), 1u);
  EXPECT_EQ(frames.seenByGraphics(2), std::vector<std::uint32_t>(kWords, 0xeeeeeeee));

  frames.signal(2);
  ASSERT_EQ(frames.wait(2, 10 * kSecond), VK_SUCCESS);
  EXPECT_EQ(frames.seenByGraphics(2), resultOf(2));
}

}  // namespace
}  // namespace slu::test
