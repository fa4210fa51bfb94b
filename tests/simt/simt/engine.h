// What the CUDA builtins and shared memory ask of the block that is running on this OS thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace simt {

inline constexpr unsigned kWarpLanes = 32;

// Where a kernel calls a builtin. As the default of a builtin's last parameter it is the call's own line.
struct Site {
  const char* file;
  unsigned line;
  static constexpr Site here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

unsigned laneIndex();
unsigned blockThreads();

// Ends the launch: the text becomes its failure, and every thread's stack is unwound.
[[noreturn]] void fault(const std::string& text);

// Waits for every lane of mask to make the same call, then returns what each of the 32 deposited; an undefined pattern
// for lanes outside mask. The array is the caller's own until its next warp call.
const std::uint64_t* warpCall(const char* name, unsigned mask, std::uint64_t deposit, Site site,
                              bool ordersMemory = false);

// Waits for every thread of the block, orders memory, returns for how many the predicate holds.
unsigned blockCall(const char* name, bool predicate, Site site);

// A random non-empty part, often all, of the warp's lanes that reach this line while none of the others can move.
unsigned convergedLanes(const char* name, Site site);

// Of a barrier that is a word of shared memory; see pipe.h.
void initBarrier(const void* word, unsigned count);
void arriveAt(const void* word, unsigned bytes);
void awaitPhase(const void* word, unsigned phase, Site site);
void finishCopy(const void* word, unsigned bytes);

// Counts an atomic for the launch that asks for it; does nothing outside a kernel.
void noteAtomic();

// Lets the other threads of the block and the other blocks run.
void sleep();

}  // namespace simt
