#include "guard.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstdlib>

#include "expect.h"

namespace slu::fuzz {

HostBuffer makeHostBuffer(World& world, const LoggedContext& context, std::uint64_t bytes) {
  HostBuffer buffer;
  buffer.block = world.makeBlock(std::clamp<std::uint64_t>(bytes, 4, World::kMaxBlockBytes));
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = buffer.block->chain();
  info.size = buffer.block->size();
  info.hostPointer = buffer.block->bytes();
  expect(sluCreateBuffer(context.handle, &info, buffer.handle.put()) == SLU_SUCCESS,
         "no buffer: ", sluGetErrorMessage(context.handle));
  return buffer;
}

std::uint8_t* findBytes(const std::vector<HostBuffer>& buffers, const SluBinding& binding, std::uint64_t bytes) {
  for (const HostBuffer& buffer : buffers) {
    if (binding.buffer == nullptr || buffer.handle.get() != binding.buffer) continue;
    const std::uint64_t size = buffer.block->size();
    const bool fits = binding.offset <= size && bytes <= size - binding.offset;
    return fits ? buffer.block->bytes() + binding.offset : nullptr;
  }
  return nullptr;
}

std::vector<std::vector<std::uint8_t>> copyOf(const std::vector<HostBuffer>& buffers) {
  std::vector<std::vector<std::uint8_t>> copies;
  for (const HostBuffer& buffer : buffers) {
    copies.emplace_back(buffer.block->bytes(), buffer.block->bytes() + buffer.block->size());
  }
  return copies;
}

Guard::Guard(const std::vector<HostBuffer>& buffers, std::vector<Part> parts)
    : buffers_(buffers), parts_(std::move(parts)), before_(copyOf(buffers)) {
  for (const HostBuffer& buffer : buffers_) {
    ASAN_POISON_MEMORY_REGION(buffer.block->bytes(), buffer.block->size());
  }
  for ([[maybe_unused]] const Part& part : parts_) ASAN_UNPOISON_MEMORY_REGION(part.bytes, part.size);
}

void Guard::lift() {
  for (const HostBuffer& buffer : buffers_) {
    ASAN_UNPOISON_MEMORY_REGION(buffer.block->bytes(), buffer.block->size());
  }
}

void Guard::expectUntouched(bool succeeded) const {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const Block& block = *buffers_[i].block;
    const auto* const end = block.bytes() + block.size();
    std::vector<std::uint8_t> expected = before_[i];
    for (const Part& part : parts_) {
      if (!succeeded || !part.isOutput || part.bytes < block.bytes() || part.bytes >= end) continue;
      std::copy_n(part.bytes, part.size, expected.begin() + (part.bytes - block.bytes()));
    }
    const auto* const first = std::mismatch(block.bytes(), block.bytes() + block.size(), expected.begin()).first;
    expect(first == end, "byte ", first - block.bytes(), " of buffer ", i, " was written");
  }
}

const std::uint8_t* Guard::before(const std::uint8_t* byte) const {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const Block& block = *buffers_[i].block;
    if (byte >= block.bytes() && byte < block.bytes() + block.size()) return before_[i].data() + (byte - block.bytes());
  }
  std::abort();
}

void Guard::restore() const {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    std::copy(before_[i].begin(), before_[i].end(), buffers_[i].block->bytes());
  }
}

}  // namespace slu::fuzz
