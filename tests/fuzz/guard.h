// The memory of the host's that a call of the API works on: what the call may touch of it, and what it held before.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "world.h"

namespace slu::fuzz {

// A buffer of the host's.
struct HostBuffer {
  std::unique_ptr<Block> block;
  Buffer handle;
};

// Registers a block of the world's memory, of World::kMaxBlockBytes at most, which holds whatever it held before.
HostBuffer makeHostBuffer(World& world, const LoggedContext& context, std::uint64_t bytes);

// Where the bytes lie that are bound; null where nothing is bound, or what is of another context, or they do not lie in
// their buffer.
std::uint8_t* findBytes(const std::vector<HostBuffer>& buffers, const SluBinding& binding, std::uint64_t bytes);

std::vector<std::vector<std::uint8_t>> copyOf(const std::vector<HostBuffer>& buffers);

// Bytes that a call reads, or writes.
struct Part {
  std::uint8_t* bytes;
  std::uint64_t size;
  bool isOutput;
};

// Watches buffers while a call runs.
class Guard {
 public:
  // parts: all that the call may touch; none if it must be refused.
  Guard(const std::vector<HostBuffer>& buffers, std::vector<Part> parts);

  // Ends the watch. Call it before anything looks at the memory.
  void lift();
  // That nothing changed, but for the outputs of a call that succeeded.
  void expectUntouched(bool succeeded) const;
  // The byte's value before.
  const std::uint8_t* before(const std::uint8_t* byte) const;
  void restore() const;

 private:
  const std::vector<HostBuffer>& buffers_;
  std::vector<Part> parts_;
  std::vector<std::vector<std::uint8_t>> before_;
};

}  // namespace slu::fuzz
