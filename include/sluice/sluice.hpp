// RAII over the C ABI: handles that destroy themselves, and the frames in flight. Everything else is the C API, which
// reads well from C++:
//
//   slu::Context context;
//   SluContextCreateInfo info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
//   SluResult result = sluCreateContext(&info, context.put(), nullptr);
#pragma once

#include <sluice/sluice_pyramid.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace slu {

// Owns one handle of the C API. It can be moved and not copied. Threads follow the rule of the handle's own functions.
template <typename Handle, void (*destroy)(Handle)>
class Unique {
 public:
  Unique() = default;  // owns none
  // Takes over a handle.
  // handle may be null.
  explicit Unique(Handle handle) : handle_(handle) {}
  // Takes over the handle of another.
  // other owns none afterwards.
  Unique(Unique&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  // Destroys the handle, and takes over that of another.
  // other owns none afterwards.
  // Returns this.
  Unique& operator=(Unique&& other) noexcept {
    if (this != &other) reset(std::exchange(other.handle_, nullptr));
    return *this;
  }
  ~Unique() { reset(); }  // destroys the handle

  // Converts to the handle wherever the C API takes one.
  // Returns the handle, or null.
  operator Handle() const { return handle_; }
  // Looks at the handle.
  // Returns the handle, or null.
  Handle get() const { return handle_; }
  // Destroys the handle, and takes over another.
  // handle may be null.
  void reset(Handle handle = nullptr) { destroy(std::exchange(handle_, handle)); }
  // Gives the handle away.
  // Returns the handle, which the caller destroys.
  Handle release() { return std::exchange(handle_, nullptr); }

  // Destroys the handle, and makes room for another.
  // Returns where a create function writes the new handle.
  Handle* put() {
    reset();
    return &handle_;
  }

 private:
  Handle handle_ = nullptr;
};

using Context = Unique<SluContext, sluDestroyContext>;  // a context
using Buffer = Unique<SluBuffer, sluDestroyBuffer>;     // a buffer
using Plan = Unique<SluPlan, sluDestroyPlan>;           // a plan
using Pyramid = Unique<SluPyramid, sluDestroyPyramid>;  // what builds depth pyramids

// Counts the frames in flight. Frames are numbered from 1. Each timeline semaphore of the host's is signaled with the
// number of the frame. A ring is for one thread at a time.
class FrameRing {
 public:
  // A frame that may begin.
  struct Frame {
    std::uint32_t slot;   // picks what a frame must not share with the next, like command buffers; below slotCount
    std::uint64_t value;  // the number of the frame, which its submissions signal
  };

  // Begins with no frame in flight.
  // slotCount is how many frames may be in flight; at least 1.
  explicit FrameRing(std::uint32_t slotCount) : slotCount_(slotCount) {}

  // Begins the next frame.
  // completed is the last frame that the host knows to have finished, as vkGetSemaphoreCounterValue tells.
  // Returns the frame; or none, and begins nothing, if its slot is still in flight or `completed` never began.
  std::optional<Frame> begin(std::uint64_t completed) {
    if (completed > begun_ || begun_ - completed >= slotCount_) return std::nullopt;
    return Frame{static_cast<std::uint32_t>(begun_ % slotCount_), ++begun_};
  }

 private:
  std::uint64_t slotCount_;
  std::uint64_t begun_ = 0;
};

}  // namespace slu
