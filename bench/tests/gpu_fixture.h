// Tests that need a GPU, and skip without one.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "cuda/cuda_objects.h"
#include "cuda/gpu.h"
#include "random.h"

namespace bench::test {

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      gpu_ = openGpu(0);
    } catch (const Failure& failure) {
      if (failure.cause() != Cause::NoDevice) throw;
      GTEST_SKIP() << failure.what();
    }
    stream_.emplace();
  }

  const Stream& stream() const { return *stream_; }
  const GpuDescription& gpu() const { return gpu_; }

  slu::test::Random random_;

 private:
  testing::ScopedTrace trace_{__FILE__, __LINE__, slu::test::describeSeed()};
  GpuDescription gpu_;
  std::optional<Stream> stream_;
};

}  // namespace bench::test
