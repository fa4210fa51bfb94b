#include "counting_allocator.h"

#include <algorithm>
#include <cstring>

namespace slu::test {
namespace {

CountingAllocator& allocatorOf(void* userData) { return *static_cast<CountingAllocator*>(userData); }

}  // namespace

CountingAllocator::CountingAllocator() {
  callbacks_.pUserData = this;
  callbacks_.pfnAllocation = [](void* self, std::size_t size, std::size_t alignment, VkSystemAllocationScope) {
    return allocatorOf(self).allocate(size, alignment);
  };
  callbacks_.pfnReallocation = [](void* self, void* original, std::size_t size, std::size_t alignment,
                                  VkSystemAllocationScope) {
    return allocatorOf(self).reallocate(original, size, alignment);
  };
  callbacks_.pfnFree = [](void* self, void* block) { allocatorOf(self).release(block); };
  callbacks_.pfnInternalAllocation = [](void*, std::size_t, VkInternalAllocationType, VkSystemAllocationScope) {};
  callbacks_.pfnInternalFree = [](void*, std::size_t, VkInternalAllocationType, VkSystemAllocationScope) {};
}

CountingAllocator::~CountingAllocator() {
  for (const auto& [memory, block] : blocks_) ::operator delete(memory, block.alignment);
}

void CountingAllocator::failAllocation(std::uint32_t nth) {
  untilFailure_ = nth;
  hasFailed_ = false;
}

void* CountingAllocator::allocate(std::size_t size, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  const bool isCounted = !mayFail || mayFail();
  if (isCounted && untilFailure_ == 0) {
    hasFailed_ = true;
    return nullptr;
  }
  if (isCounted && untilFailure_ != kNever) --untilFailure_;
  ++allocationCount_;
  if (onAllocation) onAllocation();
  const std::align_val_t aligned{std::max(alignment, sizeof(void*))};
  void* const memory = ::operator new(size, aligned, std::nothrow);
  if (memory != nullptr) blocks_.emplace(memory, Block{size, aligned});
  return memory;
}

void* CountingAllocator::reallocate(void* original, std::size_t size, std::size_t alignment) {
  if (original == nullptr) return allocate(size, alignment);
  void* block = size == 0 ? nullptr : allocate(size, alignment);
  if (block == nullptr && size != 0) return nullptr;  // the original stays
  const auto bytesOf = [&](void* found) {
    const std::lock_guard lock(mutex_);
    const auto at = blocks_.find(found);
    return at == blocks_.end() ? std::size_t{0} : at->second.size;
  };
  if (block != nullptr) std::memcpy(block, original, std::min(size, bytesOf(original)));
  release(original);
  return block;
}

void CountingAllocator::release(void* block) {
  if (block == nullptr) return;
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(block);
  if (found == blocks_.end()) {
    complaints_.push_back("what others allocated is freed");
    return;
  }
  ::operator delete(block, found->second.alignment);
  blocks_.erase(found);
}

}  // namespace slu::test
