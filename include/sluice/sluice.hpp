// RAII over the C ABI: handles that destroy themselves, and the frames in flight. Everything else is the C API, which
// reads well from C++:
//
//   slu::Context context;
//   SluContextCreateInfo info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
//   SluResult result = sluCreateContext(&info, context.put(), nullptr);
#pragma once

#include <sluice/sluice.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace slu {

// Owns one handle. Move-only; converts to the handle wherever the C API wants one.
template <typename Handle, void (*destroy)(Handle)>
class Unique {
 public:
  Unique() = default;
  explicit Unique(Handle handle) : handle_(handle) {}
  Unique(Unique&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Unique& operator=(Unique&& other) noexcept {
    if (this != &other) reset(std::exchange(other.handle_, nullptr));
    return *this;
  }
  ~Unique() { reset(); }

  operator Handle() const { return handle_; }
  Handle get() const { return handle_; }
  void reset(Handle handle = nullptr) { destroy(std::exchange(handle_, handle)); }
  Handle release() { return std::exchange(handle_, nullptr); }

  // For a create function to fill; destroys what was there.
  Handle* put() {
    reset();
    return &handle_;
  }

 private:
  Handle handle_ = nullptr;
};

using Context = Unique<SluContext, sluDestroyContext>;
using Buffer = Unique<SluBuffer, sluDestroyBuffer>;
using Plan = Unique<SluPlan, sluDestroyPlan>;

// The frames in flight. Frames are numbered from 1, and every timeline semaphore of the host's reaches a frame's number
// in that frame. A frame's slot picks its command buffers and whatever else one frame must not share with the next.
class FrameRing {
 public:
  struct Frame {
    std::uint32_t slot;
    std::uint64_t value;  // to signal on the timelines
  };

  explicit FrameRing(std::uint32_t slotCount) : slotCount_(slotCount) {}

  // The next frame; none, and nothing begins, while its slot's last frame is in flight. completed: the last frame that
  // the host knows to have finished, as vkGetSemaphoreCounterValue tells; one that never began begins nothing either.
  std::optional<Frame> begin(std::uint64_t completed) {
    if (completed > begun_ || begun_ - completed >= slotCount_) return std::nullopt;
    return Frame{static_cast<std::uint32_t>(begun_ % slotCount_), ++begun_};
  }

 private:
  std::uint64_t slotCount_;
  std::uint64_t begun_ = 0;
};

}  // namespace slu
