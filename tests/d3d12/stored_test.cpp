// Compiled shaders that the host stores between runs.
#include <string>
#include <vector>

#include "fixture.h"

namespace slu::test {
namespace {

class D3D12Stored : public D3D12Test {
 protected:
  SluResult createWith(Context& created, const std::vector<std::byte>& shaders) {
    SluD3D12DeviceInfo info = host().info();
    info.shaders = shaders.data();
    info.shadersSize = shaders.size();
    return createContext(created, &info);
  }

  // The bytes of the shaders that a context has after it created the plan.
  std::size_t sizeWith(SluContext created, const SluPlanCreateInfo& info) {
    Plan plan;
    EXPECT_EQ(sluCreatePlan(created, &info, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(created);
    std::size_t size = 0;
    EXPECT_EQ(sluGetD3D12Shaders(created, nullptr, &size), SLU_SUCCESS);
    return size;
  }
};

TEST_F(D3D12Stored, PlansAreMadeOfThem) {
  const SluPlanCreateInfo info = planInfo(SLU_ORDER_STABLE, 3);
  const Plan plan = createPlan(info);
  const std::vector<std::byte> shaders = saveShaders();
  Context other;
  ASSERT_EQ(createWith(other, shaders), SLU_SUCCESS) << message();
  EXPECT_EQ(sizeWith(other, info), shaders.size()) << "shaders were compiled that were stored";
}

// They are found by the whole source, and by whether it computes keys.
TEST_F(D3D12Stored, PredicatesAreFoundByTheirSource) {
  SluHlslSourceInfo predicate = predicateInfo(kPredicate);
  SluPlanCreateInfo info = predicatePlanInfo(predicate);
  const Plan plan = createPlan(info);
  const std::vector<std::byte> shaders = saveShaders();
  Context other;
  ASSERT_EQ(createWith(other, shaders), SLU_SUCCESS) << message();
  EXPECT_EQ(sizeWith(other, info), shaders.size()) << "shaders were compiled that were stored";

  std::string another = kPredicate;
  another[another.find("3u")] = '5';
  predicate.source = another.c_str();
  const std::size_t withAnother = sizeWith(other, info);
  EXPECT_GT(withAnother, shaders.size());
  predicate.source = kPredicate;
  info.flags = 0;
  EXPECT_GT(sizeWith(other, info), withAnother);
}

// Cut anywhere, with more behind, or of another version: refused, and nothing is left.
TEST_F(D3D12Stored, WhatIsNotWholeIsRefused) {
  const SluHlslSourceInfo predicate = predicateInfo(kPredicate);
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const Plan withPredicate = createPlan(predicatePlanInfo(predicate));
  const std::vector<std::byte> shaders = saveShaders();
  const auto isRefused = [&](const std::vector<std::byte>& bytes) {
    Context created;
    return createWith(created, bytes) == SLU_ERROR_INVALID_ARGUMENT &&
           message().find("d3d12Device.shaders") != std::string::npos;
  };
  Random random;
  for (int i = 0; i < 50; ++i) {
    std::vector<std::byte> cut = shaders;
    cut.resize(1 + random.below(static_cast<std::uint32_t>(shaders.size()) - 1));
    EXPECT_TRUE(isRefused(cut)) << cut.size() << " of " << shaders.size();
  }
  std::vector<std::byte> longer = shaders;
  longer.push_back(std::byte{});
  EXPECT_TRUE(isRefused(longer));
  for (const std::size_t place : {0u, 8u, 15u}) {  // the magic number and the version
    std::vector<std::byte> other = shaders;
    other[place] ^= std::byte{1};
    EXPECT_TRUE(isRefused(other)) << place;
  }
}

TEST_F(D3D12Stored, Capacity) {
  std::size_t size = 1;
  EXPECT_EQ(sluGetD3D12Shaders(context(), &size, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluGetD3D12Shaders(nullptr, nullptr, &size), SLU_ERROR_INVALID_ARGUMENT);
  std::byte one{};
  EXPECT_EQ(sluGetD3D12Shaders(context(), &one, &size), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(sentence().find("size"), std::string::npos) << sentence();
}

}  // namespace
}  // namespace slu::test
