// A context of the CPU route with a plan and a frame that use every field: what a negative test starts from and spoils.
#pragma once

#include <gtest/gtest.h>
#include <sluice/sluice.h>

#include <array>
#include <cstdint>
#include <sluice/sluice.hpp>
#include <string>
#include <vector>

namespace slu::test {

struct LogLine {
  SluLogSeverity severity;
  std::string text;
};

// A context whose log lines are kept.
class LoggedContext {
 public:
  LoggedContext();
  LoggedContext(const LoggedContext&) = delete;
  LoggedContext& operator=(const LoggedContext&) = delete;

  operator SluContext() const { return context_; }
  void destroy() { context_.reset(); }
  std::string message() const { return sluGetErrorMessage(context_); }
  const std::vector<LogLine>& log() const { return log_; }
  void mute() { muted_ = true; }

 private:
  bool muted_ = false;
  std::vector<LogLine> log_;
  Context context_;
};

struct Specimen {
  Specimen();
  Specimen(const Specimen&) = delete;
  Specimen& operator=(const Specimen&) = delete;

  // planInfo with the buckets.
  SluResult createPlan();
  // A binding of bytes that nothing else uses.
  SluBinding place(std::uint64_t bytes);
  static SluBuffer makeBuffer(SluContext owner, void* pointer, std::uint64_t bytes);

  LoggedContext context;
  std::vector<std::uint32_t> memory;
  std::uint64_t placedBytes = 0;
  std::vector<Buffer> buffers;  // [0] is all of memory
  std::vector<SluBucket> buckets;
  SluPlanCreateInfo planInfo;
  std::array<SluView, 2> views;
  SluFrameInfo frame;
  Plan plan;  // null until createPlan
};

// The sentence begins with the field, and what follows is not more of its name.
testing::AssertionResult beginsWith(const std::string& sentence, const std::string& field);

// A call of sluCompact with the specimen's frame: it fails, is about the field, and leaves every byte of every output; or
// it succeeds.
void expectRefused(Specimen& specimen, const std::string& field);
void expectAccepted(Specimen& specimen);

}  // namespace slu::test
