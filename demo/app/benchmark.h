// Measures the frames of a camera path on every route and in both orders.
#pragma once

#include "base/failure.h"
#include "hosting/instance.h"
#include "options/options.h"

namespace demo {

// Writes what docs/guide/benchmark.md describes into the options' file. A route whose frames differ from the CPU
// reference gets no number.
ExitCode runBenchmark(const hosting::Instance& instance, const Options& options);

}  // namespace demo
