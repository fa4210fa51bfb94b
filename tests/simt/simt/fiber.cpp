#include "fiber.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define SIMT_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIMT_ASAN
#endif
#endif
#ifdef SIMT_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace simt {
namespace {

constexpr std::size_t kGuardBytes = 64 << 10;   // a multiple of every page size in use
constexpr std::size_t kStackBytes = 256 << 10;  // reserved; memory is taken as it is touched

thread_local Fiber* entering = nullptr;

#if defined(__x86_64__)

// ucontext saves the signal mask with a system call at every switch, which would take most of a kernel's time.
struct Registers {
  void* stackPointer;

  void prepare(const void* stackBottom, std::size_t bytes, void (*start)()) {
    auto* top = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(stackBottom) + bytes);
    top[-1] = 0;  // start's return address, which puts the stack pointer where the ABI wants it at a function's start
    top[-2] = reinterpret_cast<std::uintptr_t>(start);
    for (int i = 3; i <= 8; ++i) top[-i] = 0;
    stackPointer = top - 8;
  }
};

extern "C" void simtSwitch(void** from, void* to);

asm(R"(
  .pushsection .text
  .type simtSwitch, @function
simtSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size simtSwitch, .-simtSwitch
  .popsection
)");

#define SIMT_SWITCH(from, to) simtSwitch(&(from).stackPointer, (to).stackPointer)

#else

struct Registers {
  ucontext_t context;

  void prepare(const void* stackBottom, std::size_t bytes, void (*start)()) {
    getcontext(&context);
    context.uc_stack.ss_sp = const_cast<void*>(stackBottom);
    context.uc_stack.ss_size = bytes;
    makecontext(&context, start, 0);
  }
};

// Not swapcontext: AddressSanitizer replaces it by a version that forgets the stack's red zones.
#define SIMT_SWITCH(from, to)      \
  do {                             \
    volatile bool resumed = false; \
    getcontext(&(from).context);   \
    if (!resumed) {                \
      resumed = true;              \
      setcontext(&(to).context);   \
    }                              \
  } while (false)

#endif

}  // namespace

struct Fiber::Stack {
  Registers registers;
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* asanState = nullptr;  // what AddressSanitizer keeps of a stack that is not running
};

Fiber::Fiber(std::function<void()> body)
    : body_(std::move(body)), own_(std::make_unique<Stack>()), caller_(std::make_unique<Stack>()) {
  mapping_ = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  mprotect(mapping_, kGuardBytes, PROT_NONE);
  own_->bottom = static_cast<char*>(mapping_) + kGuardBytes;
  own_->bytes = kStackBytes;
  own_->registers.prepare(own_->bottom, own_->bytes, enter);
}

Fiber::~Fiber() { munmap(mapping_, kGuardBytes + kStackBytes); }

void Fiber::resume() {
  entering = this;
  switchStacks(*caller_, *own_, false);
}

void Fiber::suspend() { switchStacks(*own_, *caller_, false); }

void Fiber::enter() {
  Fiber& self = *entering;
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self.caller_->bottom, &self.caller_->bytes);
#endif
  self.body_();
  switchStacks(*self.own_, *self.caller_, true);
}

void Fiber::switchStacks(Stack& from, Stack& to, [[maybe_unused]] bool final) {
#ifdef SIMT_ASAN
  __sanitizer_start_switch_fiber(final ? nullptr : &from.asanState, to.bottom, to.bytes);
#endif
  SIMT_SWITCH(from.registers, to.registers);
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(from.asanState, nullptr, nullptr);
#endif
}

}  // namespace simt
