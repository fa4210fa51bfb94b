// One block at a time: its threads as fibers, what each waits for, and its shared memory.
#pragma once

#include <array>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "fiber.h"
#include "launch.h"
#include "random.h"
#include "shared.h"

namespace simt {

class Block {
 public:
  explicit Block(Grid& grid);
  ~Block();

  void run(unsigned number);

  // Called by the running thread; see engine.h.
  const std::uint64_t* warpCall(const char* name, unsigned mask, std::uint64_t deposit, Site site, bool ordersMemory);
  unsigned blockCall(const char* name, bool predicate, Site site);
  unsigned convergedLanes(const char* name, Site site);
  void initBarrier(const void* word, unsigned count);
  void arriveAt(const void* word, unsigned bytes);
  void awaitPhase(const void* word, unsigned phase, Site site);
  void finishCopy(const void* word, unsigned bytes);
  void noteAtomic();
  void sleep();
  [[noreturn]] void fault(const std::string& text);
  SharedArray& sharedArray(const void* key, const char* name, std::size_t elementBytes, std::size_t count);

  unsigned laneIndex() const { return running_ % kWarpLanes; }
  unsigned threadCount() const { return threadCount_; }

  // For shared memory: the running thread's next access, and whether an earlier one comes before it on every schedule.
  Access access() const { return {running_, epoch_, threads_[running_].known[running_]}; }
  bool happenedBefore(const Access& earlier) const;

 private:
  enum class State { kReady, kAsleep, kWaiting, kDone };
  enum class Scope { kWarp, kBlock, kConverged, kPhase };

  // Of each thread, up to which of its releases somebody comes after it.
  using Clocks = std::vector<unsigned>;

  struct Wait {
    Scope scope = Scope::kBlock;
    const char* name = "its start";
    unsigned mask = 0;
    Site site{"", 0};
    bool ordersMemory = false;
    const void* barrier = nullptr;  // of the phase
    bool operator==(const Wait& other) const;
  };

  struct Thread {
    std::unique_ptr<Fiber> fiber;
    State state = State::kDone;
    Wait wait;  // what it waits for or waited for last
    std::uint64_t deposit = 0;
    std::array<std::uint64_t, kWarpLanes> gathered{};
    Clocks known;  // its own is its clock
  };

  // A barrier that is a word of shared memory.
  struct Barrier {
    unsigned count;                 // arrivals that complete a phase, with the bytes they expect
    unsigned missing;               // of the phase
    std::int64_t missingBytes = 0;  // below 0: copied before they are expected
    unsigned phase = 0;
    Clocks gathered, passed;  // by those who have arrived, and by those of the phase before
  };

  struct Abandoned {};  // unwinds a thread after a fault

  void threadMain(Thread& thread);
  void finish(Thread& thread);
  bool runRound();
  void resume(unsigned number);
  void suspend();
  void completeWarp(unsigned number);
  void completeBlock();
  void meet(const std::vector<unsigned>& threads);
  void release(Clocks& to);
  static void join(Clocks& to, const Clocks& from);
  Barrier& barrierAt(const void* word);
  void completePhase(const void* word);
  void checkWarp(unsigned first);
  bool releaseConverged(unsigned first, unsigned end);
  void stuck(const std::string& how, unsigned first, unsigned end);
  static std::string describe(const Wait& wait);
  static bool canRun(const Thread& thread) { return thread.state == State::kReady || thread.state == State::kAsleep; }

  Grid& grid_;
  const unsigned threadCount_;
  std::vector<Thread> threads_;
  std::list<SharedArray> shared_;
  std::shared_ptr<SharedBytes> dynamic_;  // of the launch; none before its first use
  std::map<const void*, Barrier> barriers_;
  slu::test::Random random_;
  unsigned running_ = 0;
  unsigned epoch_ = 0;
  unsigned arrived_ = 0;  // at a block's barrier
  unsigned done_ = 0;
  bool closing_ = false;
};

}  // namespace simt
