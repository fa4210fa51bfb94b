// RAII over the C ABI: handles that destroy themselves. Everything else is the C API, which reads well from C++:
//
//   slu::Context context;
//   SluContextCreateInfo info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
//   SluResult result = sluCreateContext(&info, context.put(), nullptr);
#pragma once

#include <sluice/sluice.h>

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

}  // namespace slu
