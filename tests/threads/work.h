// What a thread of these tests works on.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <sluice/sluice.hpp>
#include <string>
#include <thread>
#include <vector>

#include "machine.h"
#include "plans.h"
#include "random.h"
#include "scene_builder.h"

namespace slu::test {

constexpr std::uint32_t kThreads = 4;

// Lets threads begin something at the same time. It orders nothing between them, so that ThreadSanitizer sees what the
// library orders.
class Lockstep {
 public:
  explicit Lockstep(std::uint32_t threadCount) : threadCount_(threadCount) {}

  // Blocks until each thread has called it as often.
  void wait() {
    const std::uint32_t all = (arrived_.fetch_add(1, std::memory_order_relaxed) / threadCount_ + 1) * threadCount_;
    while (arrived_.load(std::memory_order_relaxed) < all) std::this_thread::yield();
  }

 private:
  const std::uint32_t threadCount_;
  std::atomic<std::uint32_t> arrived_{0};
};

// Runs body(0, lockstep) to body(kThreads - 1, lockstep) at once.
template <typename Body>
void runAtOnce(const Body& body) {
  Lockstep lockstep(kThreads);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) threads.emplace_back([&body, &lockstep, i] { body(i, lockstep); });
  for (std::thread& thread : threads) thread.join();
}

// A frame of a plan, with the memory of both, and how often a thread repeats it.
struct Work {
  static constexpr std::uint32_t kRounds = 40;
  static constexpr std::uint32_t kMostRecords = 3'000;

  explicit Work(Random& random) {
    PlanSpec spec = makeRandomPlan(kMostRecords, random);
    // A frame that is executed again finds the records as they were.
    spec.info.flags &= ~SluFlags{SLU_PLAN_IN_PLACE_BIT};
    const std::uint32_t count = random.below(spec.info.maxRecordCount + 1);
    scene = makeScene(spec, makeInput(spec, count, Pattern::half, random), 1, random);
  }

  // Creating is for one thread of a context at a time.
  Plan createPlan(SluContext context, SluRoute route) const {
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(scene.plans[0], route).get(), plan.put()), "sluCreatePlan");
    return plan;
  }

  // Runs the frame by verb(frame), between calls that fail, whose sentences are this thread's. Calls of all threads begin
  // together: a thread that runs while others wait for a lock is ordered before them, and its races are not seen.
  template <typename Verb>
  static void repeat(SluContext context, const SluFrameInfo& frame, std::uint32_t thread, Lockstep& lockstep,
                     const Verb& verb) {
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      SluFrameInfo wrong = frame;
      wrong.viewCount = 100 + thread;
      lockstep.wait();
      EXPECT_EQ(verb(&wrong), SLU_ERROR_INVALID_ARGUMENT);
      EXPECT_NE(std::string(sluGetErrorMessage(context)).find("is " + std::to_string(100 + thread)), std::string::npos);
      lockstep.wait();
      EXPECT_EQ(verb(&frame), SLU_SUCCESS) << sluGetErrorMessage(context);
    }
  }

  Scene scene;
};

inline std::vector<Work> makeWorks(Random& random) {
  std::vector<Work> works;
  for (std::uint32_t i = 0; i < kThreads; ++i) works.emplace_back(random);
  return works;
}

// Names a test by whether the plans of its threads are of one context, or of contexts that the threads create at once.
inline std::string contextsOf(const testing::TestParamInfo<bool>& info) {
  return info.param ? "oneContext" : "contextsOfTheirOwn";
}

}  // namespace slu::test
