#include "base/vulkan_memory.h"

#include <algorithm>

namespace slu {
namespace {

// A block is as large as all earlier blocks of its type together, within these limits: a host with few plans loses little
// memory, and one with thousands has few allocations. A buffer that needs more gets a block of its own.
constexpr std::uint64_t kLeastBlockBytes = 256u << 10;
constexpr std::uint64_t kMostBlockBytes = 32u << 20;

constexpr std::uint64_t alignUp(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// The memory types that may hold a buffer, to be tried in this order: those of the device come first. Of those that the
// host can map, devices may have few bytes; then memory of the host does. Other memory of the host is no substitute.
// Left out are types for special purposes, some of which the device would have to be created for, and those that could
// never have so many bytes.
std::vector<std::uint32_t> memoryTypes(const Device& device, const VkMemoryRequirements& requirements,
                                       MemoryKind kind) {
  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags kSpecial =
      VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT | VK_MEMORY_PROPERTY_PROTECTED_BIT |
      VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;
  const bool mapped = kind == MemoryKind::mapped;
  std::vector<std::uint32_t> local, others;
  bool hasLocal = false;
  for (std::uint32_t type = 0; type < device.memory.memoryTypeCount; ++type) {
    const auto [properties, heap] = device.memory.memoryTypes[type];
    if ((requirements.memoryTypeBits >> type & 1u) == 0 || (properties & kSpecial) != 0) continue;
    if (mapped && (properties & kMapped) != kMapped) continue;
    const bool isLocal = (properties & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    hasLocal |= isLocal;
    if (device.memory.memoryHeaps[heap].size >= requirements.size) (isLocal ? local : others).push_back(type);
  }
  if (mapped || !hasLocal) local.insert(local.end(), others.begin(), others.end());
  if (local.empty()) fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, "no memory of the device has ", requirements.size, " bytes");
  return local;
}

}  // namespace

void* MemoryPool::Range::mapped() const {
  return block_->mapped == nullptr ? nullptr : static_cast<std::uint8_t*>(block_->mapped) + offset_;
}

MemoryPool::Range MemoryPool::take(const VkMemoryRequirements& requirements, MemoryKind kind) {
  const std::vector<std::uint32_t> types = memoryTypes(device_, requirements, kind);
  for (std::size_t i = 0; i < types.size(); ++i) {
    Range range;
    if (takeFrom(types[i], requirements, kind, range)) return range;
    const char* call = "";
    const VkResult added = addBlock(types[i], requirements, kind, call);
    const bool isFull = added == VK_ERROR_OUT_OF_DEVICE_MEMORY || added == VK_ERROR_MEMORY_MAP_FAILED;
    if (!isFull || i + 1 == types.size()) check(added, call);
    if (takeFrom(types[i], requirements, kind, range)) return range;
  }
  fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, "no memory of the device has ", requirements.size, " bytes left");
}

// The first gap of a block that is large enough.
bool MemoryPool::takeFrom(std::uint32_t type, const VkMemoryRequirements& requirements, MemoryKind kind, Range& range) {
  for (const std::unique_ptr<Block>& block : blocks_) {
    if (block->type != type || block->kind != kind) continue;
    std::uint64_t begin = 0;
    auto next = block->taken.begin();
    const auto fits = [&] {
      const std::uint64_t end = next == block->taken.end() ? block->size : next->begin;
      return begin <= end && requirements.size <= end - begin;
    };
    while (!fits() && next != block->taken.end()) begin = alignUp((next++)->end, requirements.alignment);
    if (!fits()) continue;
    block->taken.insert(next, {begin, begin + requirements.size});
    range = Range(*this, *block, begin);
    return true;
  }
  return false;
}

std::uint64_t MemoryPool::nextBlockBytes(std::uint32_t type, MemoryKind kind) const {
  std::uint64_t bytes = 0;
  for (const std::unique_ptr<Block>& block : blocks_) {
    if (block->type == type && block->kind == kind) bytes += block->size;
  }
  return std::clamp(bytes, kLeastBlockBytes, kMostBlockBytes);
}

// Adds a block with room for other buffers, too. If the device refuses that, adds one for this buffer alone.
VkResult MemoryPool::addBlock(std::uint32_t type, const VkMemoryRequirements& requirements, MemoryKind kind,
                              const char*& call) {
  const std::uint64_t bytes = nextBlockBytes(type, kind);
  if (requirements.size < bytes) {
    const VkResult added = addBlock(type, bytes, kind, call);
    if (added != VK_ERROR_OUT_OF_DEVICE_MEMORY) return added;
  }
  return addBlock(type, requirements.size, kind, call);
}

VkResult MemoryPool::addBlock(std::uint32_t type, std::uint64_t bytes, MemoryKind kind, const char*& call) {
  auto block = std::make_unique<Block>(Block{OwnedMemory(device_), type, kind, bytes, nullptr, {}});
  blocks_.reserve(blocks_.size() + 1);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  if (device_.hasAddresses) info.pNext = &flags;
  info.allocationSize = bytes;
  info.memoryTypeIndex = type;
  call = "vkAllocateMemory";
  const VkResult allocated =
      device_.functions.vkAllocateMemory(device_.handle, &info, device_.callbacks(), block->memory.put());
  if (allocated != VK_SUCCESS) return allocated;
  block->memory.take(allocated, call);
  if (kind == MemoryKind::mapped) {
    call = "vkMapMemory";
    const VkResult mapped =
        device_.functions.vkMapMemory(device_.handle, block->memory.get(), 0, VK_WHOLE_SIZE, 0, &block->mapped);
    if (mapped != VK_SUCCESS) return mapped;
  }
  blocks_.push_back(std::move(block));
  return VK_SUCCESS;
}

void MemoryPool::giveBack(Block& block, std::uint64_t offset) noexcept {
  block.taken.erase(std::ranges::find(block.taken, offset, &Block::Extent::begin));
  if (!block.taken.empty()) return;
  blocks_.erase(std::ranges::find_if(blocks_, [&](const auto& candidate) { return candidate.get() == &block; }));
}

DeviceBuffer::DeviceBuffer(const Device& device, std::uint64_t bytes, VkBufferUsageFlags usage, MemoryKind kind,
                           const char* name)
    : buffer(device), size(bytes) {
  VkBufferCreateInfo bufferInfo{};
  bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  bufferInfo.size = bytes;
  bufferInfo.usage = usage;
  if (device.hasAddresses) bufferInfo.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  buffer.create(device.functions.vkCreateBuffer, bufferInfo, "vkCreateBuffer");
  device.setName(buffer.get(), VK_OBJECT_TYPE_BUFFER, name);

  VkMemoryRequirements requirements{};
  device.functions.vkGetBufferMemoryRequirements(device.handle, buffer.get(), &requirements);
  memory = device.pool->take(requirements, kind);
  mapped = memory.mapped();
  check(device.functions.vkBindBufferMemory(device.handle, buffer.get(), memory.memory(), memory.offset()),
        "vkBindBufferMemory");

  if (!device.hasAddresses) return;
  VkBufferDeviceAddressInfo addressInfo{};
  addressInfo.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  addressInfo.buffer = buffer.get();
  address = device.functions.vkGetBufferDeviceAddress(device.handle, &addressInfo);
}

}  // namespace slu
