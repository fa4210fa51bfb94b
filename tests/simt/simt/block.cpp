#include "block.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <iomanip>
#include <map>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

namespace simt {
namespace {

constexpr std::uint64_t kUndefined = 0xabababababababab;
constexpr std::uint64_t kSeedStep = 0x9e3779b97f4a7c15;

thread_local Block* current = nullptr;

std::string text(const uint3& index) {
  std::ostringstream out;
  out << '(' << index.x << ',' << index.y << ',' << index.z << ')';
  return out.str();
}

uint3 unflatten(unsigned number, const dim3& extent) {
  return {number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y};
}

// Equal literals may lie at several addresses.
bool same(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

// 0-3,7 for {0, 1, 2, 3, 7}.
std::string ranges(const std::vector<unsigned>& ascending) {
  std::ostringstream out;
  for (std::size_t first = 0, last; first < ascending.size(); first = last + 1) {
    last = first;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    out << (first > 0 ? "," : "") << ascending[first];
    if (last > first) out << '-' << ascending[last];
  }
  return out.str();
}

}  // namespace

unsigned laneIndex() { return current->laneIndex(); }
unsigned blockThreads() { return current->threadCount(); }
void fault(const std::string& text) { current->fault(text); }
const std::uint64_t* warpCall(const char* name, unsigned mask, std::uint64_t deposit, Site site, bool ordersMemory) {
  return current->warpCall(name, mask, deposit, site, ordersMemory);
}
unsigned blockCall(const char* name, bool predicate, Site site) { return current->blockCall(name, predicate, site); }
unsigned convergedLanes(const char* name, Site site) { return current->convergedLanes(name, site); }
void initBarrier(const void* word, unsigned count) { current->initBarrier(word, count); }
void arriveAt(const void* word, unsigned bytes) { current->arriveAt(word, bytes); }
void awaitPhase(const void* word, unsigned phase, Site site) { current->awaitPhase(word, phase, site); }
void finishCopy(const void* word, unsigned bytes) { current->finishCopy(word, bytes); }
void noteAtomic() {
  if (current != nullptr) current->noteAtomic();
}
void sleep() { current->sleep(); }
SharedArray& sharedArray(const void* key, const char* name, std::size_t elementBytes, std::size_t count) {
  return current->sharedArray(key, name, elementBytes, count);
}

bool Block::Wait::operator==(const Wait& other) const {
  return scope == other.scope && mask == other.mask && site.line == other.site.line && same(name, other.name) &&
         same(site.file, other.site.file);
}

Block::Block(Grid& grid) : grid_(grid), threadCount_(grid.launch.block.x * grid.launch.block.y * grid.launch.block.z) {
  threads_.resize(threadCount_);
  for (Thread& thread : threads_) thread.fiber = std::make_unique<Fiber>([this, &thread] { threadMain(thread); });
}

Block::~Block() {
  closing_ = true;
  for (unsigned i = 0; i < threadCount_; ++i) resume(i);
}

void Block::run(unsigned number) {
  current = this;
  blockIdx = unflatten(number, grid_.launch.grid);
  blockDim = grid_.launch.block;
  gridDim = grid_.launch.grid;
  random_ = slu::test::Random(grid_.launch.seed + number * kSeedStep);
  shared_.clear();
  dynamic_.reset();
  barriers_.clear();
  epoch_ = arrived_ = done_ = 0;
  for (unsigned i = 0; i < threadCount_; ++i) {
    Thread& thread = threads_[i];
    thread.state = State::kReady;
    thread.wait = {};
    thread.known.assign(threadCount_, 0);
    thread.known[i] = 1;
  }
  while (done_ < threadCount_) {
    if (grid_.failed) {
      for (unsigned i = 0; i < threadCount_; ++i) {
        if (threads_[i].state != State::kDone) resume(i);
      }
    } else if (!runRound()) {
      stuck("is stuck", 0, threadCount_);
    } else {
      for (unsigned first = 0; first < threadCount_; first += kWarpLanes) checkWarp(first);
    }
  }
  grid_.lastEnd = Grid::Clock::now();
}

// Gives threads that can move a turn, in random order. A random half of the warps rests, so that they drift apart.
bool Block::runRound() {
  const std::uint64_t resting = random_.next();
  std::vector<unsigned> turns, rests;
  for (unsigned i = 0; i < threadCount_; ++i) {
    if (canRun(threads_[i])) ((resting >> (i / kWarpLanes) & 1) != 0 ? rests : turns).push_back(i);
  }
  if (turns.empty()) turns.swap(rests);
  if (turns.empty()) return false;
  bool asleep = false;
  for (std::size_t left = turns.size(); left > 0; --left) {
    const std::size_t turn = random_.below(static_cast<std::uint32_t>(left));
    resume(turns[turn]);
    asleep |= threads_[turns[turn]].state == State::kAsleep;
    turns[turn] = turns[left - 1];
  }
  if (asleep) std::this_thread::yield();
  if (asleep &&
      Grid::Clock::now() - grid_.lastEnd.load() > std::chrono::duration<double>(grid_.launch.patienceSeconds)) {
    stuck("spins, and no block has ended for a long time", 0, threadCount_);
  }
  return true;
}

void Block::resume(unsigned number) {
  running_ = number;
  threadIdx = unflatten(number, grid_.launch.block);
  threads_[number].fiber->resume();
}

void Block::threadMain(Thread& thread) {
  while (!closing_) {
    try {
      if (!grid_.failed) grid_.kernel();
    } catch (const Abandoned&) {
    } catch (const std::exception& error) {
      grid_.fail("a thread threw: " + std::string(error.what()));
    }
    finish(thread);
    thread.fiber->suspend();
  }
}

void Block::finish(Thread& thread) {
  thread.state = State::kDone;
  ++done_;
  if (!grid_.launch.exitedThreadsArrive) return;
  completeBlock();
  const unsigned first = running_ - running_ % kWarpLanes;
  for (unsigned i = first; i < std::min(first + kWarpLanes, threadCount_); ++i) {
    const Thread& other = threads_[i];
    if (other.state == State::kWaiting && other.wait.scope == Scope::kWarp) completeWarp(i);
  }
}

// Until the running thread is ready again, which it is already if its arrival ended the call.
void Block::suspend() {
  Thread& thread = threads_[running_];
  if (thread.state != State::kReady && !grid_.failed) thread.fiber->suspend();
  if (grid_.failed) throw Abandoned();
  thread.state = State::kReady;
}

void Block::noteAtomic() {
  if (grid_.launch.atomicCount != nullptr) ++*grid_.launch.atomicCount;
}

void Block::sleep() {
  threads_[running_].state = State::kAsleep;
  suspend();
}

void Block::fault(const std::string& text) {
  grid_.fail("block " + simt::text(blockIdx) + ", thread " + simt::text(threadIdx) + ": " + text + "\n  since " +
             describe(threads_[running_].wait));
  throw Abandoned();
}

const std::uint64_t* Block::warpCall(const char* name, unsigned mask, std::uint64_t deposit, Site site,
                                     bool ordersMemory) {
  const Wait wait{Scope::kWarp, name, mask, site, ordersMemory, nullptr};
  if ((mask >> laneIndex() & 1) == 0) fault(describe(wait) + ": the mask lacks the caller's own lane");
  Thread& thread = threads_[running_];
  thread.wait = wait;
  thread.deposit = deposit;
  thread.state = State::kWaiting;
  completeWarp(running_);
  suspend();
  return thread.gathered.data();
}

// Ends the warp call that this thread waits at, if every lane of its mask waits at it.
void Block::completeWarp(unsigned number) {
  const Wait wait = threads_[number].wait;
  const unsigned first = number - number % kWarpLanes;
  std::vector<unsigned> callers;
  std::array<std::uint64_t, kWarpLanes> gathered;
  gathered.fill(kUndefined);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((wait.mask >> lane & 1) == 0) continue;
    const Thread* thread = first + lane < threadCount_ ? &threads_[first + lane] : nullptr;
    if (thread == nullptr || thread->state == State::kDone) {
      if (grid_.launch.exitedThreadsArrive) continue;
      return;
    }
    if (thread->state != State::kWaiting || thread->wait != wait) return;
    callers.push_back(first + lane);
    gathered[lane] = thread->deposit;
  }
  for (const unsigned i : callers) {
    threads_[i].state = State::kReady;
    threads_[i].gathered = gathered;
  }
  if (wait.ordersMemory) meet(callers);
}

unsigned Block::blockCall(const char* name, bool predicate, Site site) {
  Thread& thread = threads_[running_];
  thread.wait = {Scope::kBlock, name, 0, site, true, nullptr};
  thread.deposit = predicate ? 1 : 0;
  thread.state = State::kWaiting;
  ++arrived_;
  completeBlock();
  suspend();
  return static_cast<unsigned>(thread.gathered[0]);
}

void Block::completeBlock() {
  if (arrived_ == 0 || arrived_ + (grid_.launch.exitedThreadsArrive ? done_ : 0) < threadCount_) return;
  const Wait* wait = nullptr;
  std::uint64_t sum = 0;
  for (const Thread& thread : threads_) {
    if (thread.state == State::kDone) continue;
    if (wait != nullptr && thread.wait != *wait) return;
    wait = &thread.wait;
    sum += thread.deposit;
  }
  for (Thread& thread : threads_) {
    if (thread.state == State::kDone) continue;
    thread.state = State::kReady;
    thread.gathered[0] = sum;
  }
  arrived_ = 0;
  ++epoch_;
}

void Block::join(Clocks& to, const Clocks& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

// Each of the threads comes after what all of them did.
void Block::meet(const std::vector<unsigned>& threads) {
  Clocks known;
  for (const unsigned i : threads) join(known, threads_[i].known);
  for (const unsigned i : threads) {
    threads_[i].known = known;
    ++threads_[i].known[i];
  }
}

// What the running thread did up to now comes before what is done by those who take the clocks.
void Block::release(Clocks& to) {
  join(to, threads_[running_].known);
  ++threads_[running_].known[running_];
}

void Block::initBarrier(const void* word, unsigned count) {
  barriers_[word] = {.count = count, .missing = count, .gathered = {}, .passed = {}};
}

Block::Barrier& Block::barrierAt(const void* word) {
  const auto found = barriers_.find(word);
  if (found == barriers_.end()) fault("the word is no barrier");
  return found->second;
}

void Block::arriveAt(const void* word, unsigned bytes) {
  Barrier& barrier = barrierAt(word);
  if (barrier.missing == 0) fault("arrives at a barrier where all have arrived");
  release(barrier.gathered);
  barrier.missingBytes += bytes;
  --barrier.missing;
  completePhase(word);
}

void Block::finishCopy(const void* word, unsigned bytes) {
  Barrier& barrier = barrierAt(word);
  release(barrier.gathered);
  barrier.missingBytes -= bytes;
  completePhase(word);
}

void Block::completePhase(const void* word) {
  Barrier& barrier = barrierAt(word);
  if (barrier.missing != 0 || barrier.missingBytes != 0) return;
  barrier.missing = barrier.count;
  barrier.passed = std::exchange(barrier.gathered, {});
  ++barrier.phase;
  for (Thread& thread : threads_) {
    if (thread.state != State::kWaiting || thread.wait.barrier != word) continue;
    join(thread.known, barrier.passed);
    thread.state = State::kReady;
  }
}

// Hardware knows whether the number of a phase is even, and no more: who is two phases late waits forever.
void Block::awaitPhase(const void* word, unsigned phase, Site site) {
  Barrier& barrier = barrierAt(word);
  Thread& thread = threads_[running_];
  thread.wait = {Scope::kPhase, "awaitPhase", 0, site, true, word};
  if (barrier.phase - phase > 1) {
    fault("awaits phase " + std::to_string(phase) + " of a barrier that is in phase " + std::to_string(barrier.phase));
  }
  if (barrier.phase != phase) return join(thread.known, barrier.passed);
  thread.state = State::kWaiting;
  suspend();
}

unsigned Block::convergedLanes(const char* name, Site site) {
  Thread& thread = threads_[running_];
  thread.wait = {Scope::kConverged, name, 0, site, false, nullptr};
  thread.state = State::kWaiting;
  suspend();
  return static_cast<unsigned>(thread.gathered[0]);
}

// A warp of which no lane can move goes on by a convergence, or it never will: only its own lanes could end its calls.
// Lanes that spin may be waiting for those that converge, and those that await a phase are freed by others.
void Block::checkWarp(unsigned first) {
  const unsigned end = std::min(first + kWarpLanes, threadCount_);
  bool spins = false, inWarpCall = false;
  for (unsigned i = first; i < end; ++i) {
    const Thread& thread = threads_[i];
    if (thread.state == State::kReady) return;
    const bool awaitsPhase = thread.state == State::kWaiting && thread.wait.scope == Scope::kPhase;
    spins |= thread.state == State::kAsleep || awaitsPhase;
    inWarpCall |= thread.state == State::kWaiting && thread.wait.scope == Scope::kWarp;
  }
  if (releaseConverged(first, end) || spins) return;
  if (inWarpCall) stuck("is stuck in warp " + std::to_string(first / kWarpLanes), first, end);
}

bool Block::releaseConverged(unsigned first, unsigned end) {
  const Wait* place = nullptr;
  unsigned lanes = 0;
  for (unsigned i = first; i < end; ++i) {
    const Thread& thread = threads_[i];
    if (thread.state != State::kWaiting || thread.wait.scope != Scope::kConverged) continue;
    if (place == nullptr) place = &thread.wait;
    if (thread.wait == *place) lanes |= 1u << (i - first);
  }
  const unsigned part = random_.chance(0.5) ? lanes : lanes & random_.word();
  if (part != 0) lanes = part;
  for (unsigned i = first; i < end; ++i) {
    if ((lanes >> (i - first) & 1) == 0) continue;
    threads_[i].gathered[0] = lanes;
    threads_[i].state = State::kReady;
  }
  return lanes != 0;
}

void Block::stuck(const std::string& how, unsigned first, unsigned end) {
  std::map<std::string, std::vector<unsigned>> threadsByState;
  for (unsigned i = first; i < end; ++i) {
    const Thread& thread = threads_[i];
    const std::string verb = thread.state == State::kDone      ? "exited after "
                             : thread.state == State::kWaiting ? "waiting at "
                                                               : "running since ";
    threadsByState[verb + describe(thread.wait)].push_back(i);
  }
  std::string message = "block " + text(blockIdx) + " " + how + ":";
  for (const auto& [state, threads] : threadsByState) message += "\n  threads " + ranges(threads) + " " + state;
  grid_.fail(message);
}

std::string Block::describe(const Wait& wait) {
  if (wait.site.line == 0) return wait.name;
  std::ostringstream out;
  out << wait.name;
  if (wait.scope == Scope::kWarp) out << ", mask 0x" << std::hex << std::setw(8) << std::setfill('0') << wait.mask;
  const std::string_view file = wait.site.file;
  out << ", " << file.substr(file.rfind('/') + 1) << ":" << std::dec << wait.site.line;
  return out.str();
}

SharedArray& Block::sharedArray(const void* key, const char* name, std::size_t elementBytes, std::size_t count) {
  for (SharedArray& array : shared_) {
    if (array.key() == key) return array;
  }
  if (count != 0) {
    auto bytes = std::make_shared<SharedBytes>(elementBytes * count, elementBytes);
    return shared_.emplace_back(*this, key, name, elementBytes, std::move(bytes));
  }
  constexpr std::size_t kSmallest = 2;  // of the elements that kernels have in dynamic memory
  if (!dynamic_) dynamic_ = std::make_shared<SharedBytes>(grid_.launch.sharedBytes, kSmallest);
  return shared_.emplace_back(*this, key, name, elementBytes, dynamic_);
}

bool Block::happenedBefore(const Access& earlier) const {
  return earlier.thread == running_ || earlier.epoch < epoch_ ||
         earlier.clock <= threads_[running_].known[earlier.thread];
}

}  // namespace simt
