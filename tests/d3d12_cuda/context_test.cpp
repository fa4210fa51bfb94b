// What a context says about the CUDA route of a Direct3D 12 host, and what is left when making one fails.
#include <cstdlib>

#include "api/objects.h"
#include "base/cuda_functions.h"
#include "fixture.h"
#include "routes/cuda/cuda_route.h"
#include "sentence.h"

namespace slu::test {
namespace {

class D3D12CudaContext : public D3D12CudaTest {
 protected:
  void TearDown() override {
    if (!IsSkipped()) watch().failCall({});
    D3D12CudaTest::TearDown();
  }

  // Of the library's own search for CUDA, which finds none here.
  Context contextOf(SluFlags hostFlags, const void* more = nullptr) {
    SluD3D12DeviceInfo device = host().info();
    device.pNext = more;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &device;
    info.hostFlags = hostFlags;
    Context context;
    SluMessage message{};
    EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
    return context;
  }

  std::string reasonOf(SluContext context) {
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_CUDA, &route), SLU_SUCCESS);
    EXPECT_EQ(route.available, 0u);
    EXPECT_EQ(context->state->refusals[SLU_ROUTE_CUDA], SLU_ERROR_ROUTE_UNAVAILABLE);
    return route.reason;
  }

  SluRoute autoOf(SluContext context) {
    auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_AUTO, &route), SLU_SUCCESS);
    return route.route;
  }

  bool hasD3D12(SluContext context) { return context->state->routes[SLU_ROUTE_D3D12] != nullptr; }
};

TEST_F(D3D12CudaContext, LooksForCudaOnlyIfTheHostUsesIt) {
  if (findInCudaDriver("cuInit") != nullptr) GTEST_SKIP() << "this machine has a CUDA driver";
  constexpr char kNotAsked[] = "set SLU_HOST_ENQUEUES_BIT in context.hostFlags";
  constexpr char kNone[] = "there is no CUDA driver on this machine";
  const auto device = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  EXPECT_SENTENCE(reasonOf(contextOf(0)), kNotAsked);
  EXPECT_SENTENCE(reasonOf(contextOf(SLU_HOST_RECORDS_D3D12_BIT)), kNotAsked);
  EXPECT_EQ(reasonOf(contextOf(SLU_HOST_ENQUEUES_BIT)), kNone);
  EXPECT_EQ(reasonOf(contextOf(SLU_HOST_ENQUEUES_BIT | SLU_HOST_RECORDS_D3D12_BIT)), kNone);
  EXPECT_EQ(reasonOf(contextOf(0, &device)), kNone);
}

TEST_F(D3D12CudaContext, AutoPrefersTheRouteWithoutAHandoff) {
  const Context any = makeContext(0);
  if (!hasD3D12(any)) GTEST_SKIP() << any.get()->state->reasons[SLU_ROUTE_D3D12];
  EXPECT_EQ(autoOf(any), SLU_ROUTE_D3D12);
  EXPECT_EQ(autoOf(makeContext(SLU_HOST_RECORDS_D3D12_BIT | SLU_HOST_ENQUEUES_BIT)), SLU_ROUTE_D3D12);
  EXPECT_EQ(autoOf(makeContext(SLU_HOST_ENQUEUES_BIT)), SLU_ROUTE_CUDA);
}

// A buffer is then one of both routes.
TEST_F(D3D12CudaContext, HasBothRoutesOnOneBuffer) {
  const Context context = makeContext(0);
  if (!hasD3D12(context)) GTEST_SKIP() << context.get()->state->reasons[SLU_ROUTE_D3D12];
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  const Buffer buffer = make(context, infoOf(resource.get()));
  EXPECT_NE(buffer.get()->attachments[SLU_ROUTE_D3D12], nullptr);
  EXPECT_NE(sluGetCudaPointer(buffer), nullptr);
}

// The memory is the d3d12 route's alone if there is no CUDA.
TEST_F(D3D12CudaContext, IgnoresMemoryWithoutCuda) {
  const Context context = contextOf(0);
  if (!hasD3D12(context)) GTEST_SKIP() << context.get()->state->reasons[SLU_ROUTE_D3D12];
  const Com<ID3D12Resource> resource = makeCommitted(4096, D3D12_HEAP_FLAG_NONE);
  const Buffer buffer = make(context, infoOf(resource.get()));
  EXPECT_EQ(sluGetCudaPointer(buffer), nullptr);
}

TEST_F(D3D12CudaContext, FindsTheDeviceByItsLuidAndNode) {
  const auto ordinal = [&](int number) {
    auto device = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
    device.device = number;
    return device;
  };
  const SluCudaDeviceInfo right = ordinal(1);
  EXPECT_NE(makeRoute(), nullptr);
  EXPECT_NE(makeRoute(&right), nullptr);
  const SluCudaDeviceInfo wrong = ordinal(0);
  EXPECT_EQ(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { makeRoute(&wrong); }),
            "cudaDevice.device: is 0, and d3d12Device.device is CUDA's device 1");
  cuda.devices[1].nodeMask = 2;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { makeRoute(); }),
                  "no CUDA device is the Direct3D 12 device of the host (LUID ");
}

TEST_F(D3D12CudaContext, HasTwoFences) {
  const Context context = makeContext();
  auto fences = SLU_INIT(D3D12_FENCES, SluD3D12Fences);
  ASSERT_EQ(sluGetD3D12Fences(context, &fences), SLU_SUCCESS) << sluGetErrorMessage(context);
  ASSERT_NE(fences.released, nullptr);
  ASSERT_NE(fences.compacted, nullptr);
  EXPECT_NE(fences.released, fences.compacted);
  for (ID3D12Fence* fence : {fences.released, fences.compacted}) {
    EXPECT_EQ(fence->GetCompletedValue(), 0u);
    EXPECT_EQ(referencesTo(fence), 1u) << "the library's";
  }
  ASSERT_EQ(cuda.semaphoreImports.size(), 2u);
  for (const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& descriptor : cuda.semaphoreImports) {
    EXPECT_EQ(descriptor.type, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE);
  }
  expectFailure(sluGetD3D12Fences(context, nullptr), SLU_ERROR_INVALID_ARGUMENT, context, "fences: is null");
  fences.sType = SLU_STRUCTURE_TYPE_VULKAN_TIMELINES;
  expectFailure(sluGetD3D12Fences(context, &fences), SLU_ERROR_INVALID_ARGUMENT, context, "fences.sType");
}

TEST_F(D3D12CudaContext, VerbsSayWhyThereIsNoHandoff) {
  EXPECT_EQ(sluGetD3D12Fences(nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCmdReleaseD3D12(nullptr, nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sluCmdAcquireD3D12(nullptr, nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT);
  const Context context = contextOf(0);
  const auto expectRefused = [&](const std::string& part) {
    auto fences = SLU_INIT(D3D12_FENCES, SluD3D12Fences);
    expectFailure(sluGetD3D12Fences(context, &fences), SLU_ERROR_ROUTE_UNAVAILABLE, context, part);
    EXPECT_EQ(fences.released, nullptr);
    const D3D12Host::List list = host().beginList();
    const auto transfer = SLU_INIT(D3D12_TRANSFER_INFO, SluD3D12TransferInfo);
    expectFailure(sluCmdReleaseD3D12(context, list.get(), &transfer), SLU_ERROR_ROUTE_UNAVAILABLE, context, part);
    expectFailure(sluCmdAcquireD3D12(context, list.get(), &transfer), SLU_ERROR_ROUTE_UNAVAILABLE, context, part);
  };
  expectRefused("context: the cuda route is not available: the host of an SluD3D12DeviceInfo");
  const auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  expectFailure(sluEnqueueHandoff(context, nullptr, &handoff), SLU_ERROR_ROUTE_UNAVAILABLE, context,
                "SLU_HOST_ENQUEUES_BIT");
  context.get()->state->routes[SLU_ROUTE_CUDA] =
      makeCudaRoute(std::make_unique<const CudaContext>(0, cuda.functions()), nullptr);
  expectRefused("context: CUDA takes no turns with Direct3D 12");
}

// CreateFence and CreateSharedHandle, twice each.
TEST_F(D3D12CudaContext, AFailureOfDirect3DLeavesNothing) {
  const auto before = referencesTo(host().device());
  std::uint32_t call = 0;
  for (;; ++call) {
    watch().failCall(call);
    std::string sentence = sentenceOf(SLU_ERROR_OUT_OF_DEVICE_MEMORY, [&] { makeRoute(); });
    if (watch().callCount() <= call) break;  // all have had their turn
    EXPECT_SENTENCE(sentence, call < 2 ? "ID3D12Device::CreateFence: out of memory"
                                       : "ID3D12Device::CreateSharedHandle: out of memory");
    EXPECT_EQ(referencesTo(host().device()), before);
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_EQ(cuda.retained, 0);
  }
  EXPECT_EQ(call, 4u);
}

TEST_F(D3D12CudaContext, AFailureOfCudaLeavesNothing) {
  struct Failure {
    const char* call;
    int after;
    SluResult result;
  };
  const auto before = referencesTo(host().device());
  for (const Failure& failure : {Failure{"count devices", 0, SLU_ERROR_DRIVER},
                                 {"get name", 0, SLU_ERROR_DRIVER},
                                 {"get uuid", 0, SLU_ERROR_DRIVER},
                                 {"get device", 0, SLU_ERROR_DRIVER},
                                 {"retain", 0, SLU_ERROR_ROUTE_UNAVAILABLE},
                                 {"push", 0, SLU_ERROR_DRIVER},
                                 {"load", 0, SLU_ERROR_MISSING_FEATURE},
                                 {"get kernel", 0, SLU_ERROR_MISSING_FEATURE},
                                 {"load kernel", 0, SLU_ERROR_MISSING_FEATURE},
                                 {"import semaphore", 0, SLU_ERROR_DRIVER},
                                 {"import semaphore", 1, SLU_ERROR_DRIVER}}) {
    cuda.failing = failure.call;
    cuda.failAfter = failure.after;
    EXPECT_NE(sentenceOf(failure.result, [&] { makeRoute(); }), "") << failure.call;
    EXPECT_EQ(referencesTo(host().device()), before) << failure.call;
    EXPECT_TRUE(cuda.isEmpty()) << failure.call;
    EXPECT_EQ(cuda.retained, 0) << failure.call;
  }
  cuda.failing.clear();
  EXPECT_NE(makeRoute(), nullptr);
}

}  // namespace
}  // namespace slu::test
