// Where a fuzz target's frames run: contexts, memory that their buffers lie in, and the verb of their route.
#pragma once

#include <sluice/sluice_pyramid.h>

#include <cstdint>
#include <memory>
#include <sluice/sluice.hpp>
#include <string>
#include <vector>

namespace slu::fuzz {

// Memory for one SluBuffer, which the CPU route finds as well.
class Block {
 public:
  Block(std::uint8_t* bytes, std::uint64_t size) : bytes_(bytes), size_(size) {}
  virtual ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::uint8_t* bytes() const { return bytes_; }
  std::uint64_t size() const { return size_; }
  virtual const void* chain() const { return nullptr; }  // for SluBufferCreateInfo::pNext

 private:
  std::uint8_t* bytes_;
  std::uint64_t size_;
};

// The latest sentence that a context logged as an error.
struct ErrorLog {
  std::string latest;
  static void note(void* userData, SluLogSeverity severity, const char* message) {
    if (severity == SLU_LOG_ERROR) static_cast<ErrorLog*>(userData)->latest = message;
  }
};

struct LoggedContext {
  std::unique_ptr<ErrorLog> log = std::make_unique<ErrorLog>();
  Context handle;
};

class World {
 public:
  virtual ~World() = default;

  virtual SluRoute route() const = 0;            // of most plans
  virtual std::uint32_t mostTests() const = 0;   // records times views of a frame
  virtual std::uint32_t mostFrames() const = 0;  // of an input
  virtual std::uint32_t mostBuilds() const = 0;  // the same
  // They live as long as this.
  virtual const std::vector<LoggedContext>& contexts() const = 0;

  static constexpr std::uint64_t kMaxBlockBytes = 1u << 18;
  virtual std::unique_ptr<Block> makeBlock(std::uint64_t bytes) = 0;  // of kMaxBlockBytes at most

  // Records and executes a frame of a plan of the route. A frame that fails must have recorded nothing.
  virtual SluResult run(SluPlan plan, const SluFrameInfo* frame) = 0;
  // The same for a build of a pyramid of the route.
  virtual SluResult build(SluPyramid pyramid, const SluPyramidBuildInfo* build) = 0;
};

// The program's only one.
World& theWorld();

}  // namespace slu::fuzz
