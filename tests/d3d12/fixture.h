// A context of the d3d12 route, with a small plan and what its frames bind.
#pragma once

#include <gtest/gtest.h>
#include <sluice/sluice_hlsl.h>

#include <optional>
#include <string>
#include <vector>

#include "d3d12_host.h"
#include "machine.h"
#include "random.h"

namespace slu::test {

// A buffer of the host's, and how the library knows it.
struct HostBuffer {
  Com<ID3D12Resource> resource;
  Buffer registered;
  void* mapped = nullptr;
};

class D3D12Test : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  D3D12Host& host() { return *host_; }
  D3D12Watch& watch() { return host_->watch(); }

  // Fails the test unless the route is there. chained: null for the host's own.
  SluResult createContext(Context& context, const SluD3D12DeviceInfo* chained = nullptr);
  SluContext context();  // made when first asked for

  HostBuffer makeBuffer(SluContext context, std::uint64_t bytes, D3D12_HEAP_TYPE heap);

  // Words that are not 0 are kept, and their indices, in buckets of each key.
  SluPlanCreateInfo planInfo(SluOrder order, std::uint32_t keyCount = 1);
  Plan createPlan(const SluPlanCreateInfo& info);

  // The same, of the words that a predicate of the host's takes, with keys that it computes. predicate: outlives the info.
  SluPlanCreateInfo predicatePlanInfo(const SluHlslSourceInfo& predicate);
  static SluHlslSourceInfo predicateInfo(const char* source);
  static constexpr char kPredicate[] =
      "bool sluPredicate(SluRecord record, uint index) { return sluUint(record, 0u) % 3u == index % 3u; }\n"
      "uint sluPredicateKey(SluRecord record, uint index) { return sluUint(record, 0u) >> 5; }\n";

  std::vector<std::byte> saveShaders();  // of context()

  // A frame of that plan with buffers of its own.
  struct FrameBuffers {
    HostBuffer records, indices, statistics;
    SluFrameInfo info;
  };
  FrameBuffers makeFrame(SluContext context);

  // Records into a list of the host's, watched, with the states that the header asks for.
  SluResult record(SluPlan plan, const FrameBuffers& frame, const SluFrameInfo& info);

  std::string message() { return message_.text; }                   // of createContext
  std::string sentence() { return sluGetErrorMessage(context()); }  // of other calls

  static constexpr std::uint32_t kRecords = 1000;

 private:
  std::optional<D3D12Host> host_;
  unsigned long referencesOfHost_ = 0;
  Context context_;
  SluMessage message_{};
  std::vector<SluBucket> buckets_;
};

}  // namespace slu::test
