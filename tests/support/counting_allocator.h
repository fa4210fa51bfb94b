// Allocation callbacks as a host may have them: they count, fail when they are told to, and see what is freed wrongly.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace slu::test {

class CountingAllocator {
 public:
  CountingAllocator();
  ~CountingAllocator();
  CountingAllocator(const CountingAllocator&) = delete;
  CountingAllocator& operator=(const CountingAllocator&) = delete;

  const VkAllocationCallbacks& callbacks() const { return callbacks_; }

  // The nth allocation from now on, counted from 0, fails, and so do those after it until the host recovers.
  void failAllocation(std::uint32_t nth);
  void recover() { failAllocation(kNever); }
  bool hasFailed() const { return hasFailed_; }

  std::uint32_t allocationCount() const { return allocationCount_; }
  std::size_t aliveCount() const { return blocks_.size(); }
  const std::vector<std::string>& complaints() const { return complaints_; }  // what should never happen

  std::function<void()> onAllocation;  // called for each; may be empty
  std::function<bool()> mayFail;       // whether the allocation counts among those that fail; if empty, each does

 private:
  static constexpr std::uint32_t kNever = ~0u;
  struct Block {
    std::size_t size;
    std::align_val_t alignment;
  };

  void* allocate(std::size_t size, std::size_t alignment);
  void* reallocate(void* original, std::size_t size, std::size_t alignment);
  void release(void* block);

  VkAllocationCallbacks callbacks_{};
  std::mutex mutex_;  // drivers may allocate in threads of their own
  std::map<void*, Block> blocks_;
  std::vector<std::string> complaints_;
  std::uint32_t allocationCount_ = 0;
  std::uint32_t untilFailure_ = kNever;
  bool hasFailed_ = false;
};

}  // namespace slu::test
