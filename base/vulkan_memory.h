// Buffers of the library's own. Many share an allocation, since drivers may grant no more than 4,096 to a whole process
// (VkPhysicalDeviceLimits::maxMemoryAllocationCount).
#pragma once

#include <vector>

#include "base/vulkan_device.h"

namespace slu {

enum class MemoryKind { device, mapped };  // mapped: the host reads and writes it, and nothing has to be flushed

class MemoryPool {
 public:
  // device outlives the pool, and the pool what is taken from it.
  explicit MemoryPool(const Device& device) : device_(device) {}

 private:
  // One allocation. It is freed with the last range of it.
  struct Block {
    struct Extent {
      std::uint64_t begin, end;
    };
    OwnedMemory memory;
    std::uint32_t type;
    MemoryKind kind;
    std::uint64_t size;
    void* mapped;               // null unless kind is mapped
    std::vector<Extent> taken;  // in order
  };

 public:
  // Owns a part of a block, or nothing.
  class Range {
   public:
    Range() = default;
    Range(MemoryPool& pool, Block& block, std::uint64_t offset) : pool_(&pool), block_(&block), offset_(offset) {}
    Range(Range&& other) noexcept { *this = std::move(other); }
    Range& operator=(Range&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(block_, other.block_);
      std::swap(offset_, other.offset_);
      return *this;
    }
    ~Range() {
      if (block_ != nullptr) pool_->giveBack(*block_, offset_);
    }

    VkDeviceMemory memory() const { return block_->memory.get(); }
    std::uint64_t offset() const { return offset_; }
    void* mapped() const;  // null unless the memory is mapped

   private:
    MemoryPool* pool_ = nullptr;
    Block* block_ = nullptr;
    std::uint64_t offset_ = 0;
  };

  // Throws SLU_ERROR_OUT_OF_DEVICE_MEMORY when no memory type has room. By one thread at a time, as is giving back.
  Range take(const VkMemoryRequirements& requirements, MemoryKind kind);

 private:
  bool takeFrom(std::uint32_t type, const VkMemoryRequirements& requirements, MemoryKind kind, Range& range);
  std::uint64_t nextBlockBytes(std::uint32_t type, MemoryKind kind) const;
  VkResult addBlock(std::uint32_t type, std::uint64_t bytes, MemoryKind kind, const char*& call);
  VkResult addBlock(std::uint32_t type, const VkMemoryRequirements& requirements, MemoryKind kind, const char*& call);
  void giveBack(Block& block, std::uint64_t offset) noexcept;

  const Device& device_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

// A buffer with its memory, and its device address if the device has addresses.
struct DeviceBuffer {
  DeviceBuffer() = default;
  DeviceBuffer(const Device& device, std::uint64_t size, VkBufferUsageFlags usage, MemoryKind kind, const char* name);

  MemoryPool::Range memory;
  OwnedBuffer buffer;  // destroyed before its memory
  std::uint64_t size = 0;
  std::uint64_t address = 0;  // 0: the device has none
  void* mapped = nullptr;     // MemoryKind::mapped only
};

}  // namespace slu
