// The transitions of sluCmdReleaseD3D12 and sluCmdAcquireD3D12, as the host's list gets them.
#include "fixture.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kCommon = D3D12_RESOURCE_STATE_COMMON;
constexpr std::uint32_t kWritten = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
constexpr std::uint32_t kRead = D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
constexpr std::uint32_t kDrawn = D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT;

struct Transition {
  ID3D12Resource* resource;
  std::uint32_t before, after;
  bool operator==(const Transition&) const = default;
};
using Transitions = std::vector<Transition>;

class D3D12CudaTransfer : public D3D12CudaTest {
 protected:
  void SetUp() override {
    D3D12CudaTest::SetUp();
    if (!IsSkipped()) context = makeContext();
  }
  void TearDown() override {
    context.reset();
    D3D12CudaTest::TearDown();
  }

  SluD3D12TransferInfo transferOf(const std::vector<SluBuffer>& buffers, const std::vector<std::uint32_t>& states) {
    auto transfer = SLU_INIT(D3D12_TRANSFER_INFO, SluD3D12TransferInfo);
    transfer.bufferCount = static_cast<std::uint32_t>(buffers.size());
    transfer.buffers = buffers.data();
    transfer.states = states.data();
    return transfer;
  }

  Transitions taken() {
    Transitions transitions;
    for (const D3D12_RESOURCE_TRANSITION_BARRIER& each : watch().takeTransitions()) {
      EXPECT_EQ(each.Subresource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES);
      transitions.push_back(
          {each.pResource, static_cast<std::uint32_t>(each.StateBefore), static_cast<std::uint32_t>(each.StateAfter)});
    }
    return transitions;
  }

  SluResult release(const D3D12Host::List& list, const SluD3D12TransferInfo* transfer) {
    const D3D12Watch::Scope scope(watch(), list.get());
    return sluCmdReleaseD3D12(context, list.get(), transfer);
  }
  SluResult acquire(const D3D12Host::List& list, const SluD3D12TransferInfo* transfer) {
    const D3D12Watch::Scope scope(watch(), list.get());
    return sluCmdAcquireD3D12(context, list.get(), transfer);
  }

  // Both refuse it, and record nothing.
  void expectRefused(const SluD3D12TransferInfo* transfer, const std::string& part) {
    const D3D12Host::List list = host().beginList();
    expectFailure(release(list, transfer), SLU_ERROR_INVALID_ARGUMENT, context, part);
    expectFailure(acquire(list, transfer), SLU_ERROR_INVALID_ARGUMENT, context, part);
    EXPECT_EQ(taken(), Transitions{}) << part;
  }

  Context context;
};

// From the states that a frame of the d3d12 route leaves, and to those that draws need. The watch follows the states.
TEST_F(D3D12CudaTransfer, GoesToTheCommonStateAndBack) {
  const Com<ID3D12Resource> records = makeCommitted(4096);
  const Com<ID3D12Resource> outputs = makeCommitted(4096);
  const Buffer input = make(context, infoOf(records.get()));
  const Buffer output = make(context, infoOf(outputs.get()));
  const std::vector<SluBuffer> buffers = {input, output};

  const D3D12Host::List before = host().beginList();
  recordTransition(before.get(), watch(), records.get(), D3D12_RESOURCE_STATE_COMMON,
                   static_cast<D3D12_RESOURCE_STATES>(kRead));
  recordTransition(before.get(), watch(), outputs.get(), D3D12_RESOURCE_STATE_COMMON,
                   static_cast<D3D12_RESOURCE_STATES>(kWritten));
  const std::vector<std::uint32_t> left = {kRead, kWritten};
  SluD3D12TransferInfo transfer = transferOf(buffers, left);
  {
    // Not the watch's own scope, which expects states to stay.
    EXPECT_EQ(sluCmdReleaseD3D12(context, before.get(), &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
  check(before.get()->Close(), "Close");
  host().execute(before);

  const D3D12Host::List after = host().beginList();
  const std::vector<std::uint32_t> next = {kRead, kDrawn};
  transfer = transferOf(buffers, next);
  EXPECT_EQ(acquire(after, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(taken(), (Transitions{{records.get(), kCommon, kRead}, {outputs.get(), kCommon, kDrawn}}));
  check(after.get()->Close(), "Close");
  host().execute(after);
}

TEST_F(D3D12CudaTransfer, ReleasesToTheCommonState) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  const Buffer buffer = make(context, infoOf(resource.get()));
  const std::vector<SluBuffer> buffers = {buffer};
  const std::vector<std::uint32_t> states = {kWritten};
  const SluD3D12TransferInfo transfer = transferOf(buffers, states);
  const D3D12Host::List list = host().beginList();
  EXPECT_EQ(release(list, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(taken(), (Transitions{{resource.get(), kWritten, kCommon}}));
  // The list did not have it in that state, as the watch says.
  EXPECT_EQ(watch().takeMessages().size(), 1u);
}

TEST_F(D3D12CudaTransfer, OneTransitionPerResource) {
  const Com<ID3D12Heap> heap = makeHeap(2 * 65536);
  const Com<ID3D12Resource> low = makePlaced(heap.get(), 0, 65536);
  const Com<ID3D12Resource> high = makePlaced(heap.get(), 65536, 65536);
  BufferInfo info = infoOf(low.get(), heap.get());
  const Buffer first = make(context, info);
  info.part.offset = 1024;
  const Buffer second = make(context, info);
  const Buffer third = make(context, infoOf(high.get(), heap.get(), 65536));
  const std::vector<SluBuffer> buffers = {first, third, second, first};
  const std::vector<std::uint32_t> states = {kRead, kDrawn, kRead, kRead};
  SluD3D12TransferInfo transfer = transferOf(buffers, states);
  const D3D12Host::List list = host().beginList();
  EXPECT_EQ(acquire(list, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(taken(), (Transitions{{low.get(), kCommon, kRead}, {high.get(), kCommon, kDrawn}}));

  const std::vector<std::uint32_t> differing = {kRead, kDrawn, kWritten, kRead};
  transfer = transferOf(buffers, differing);
  expectRefused(&transfer, "transfer.states[2]: is 8, and transfer.buffers[0] in the same resource has 64");
}

TEST_F(D3D12CudaTransfer, RecordsNothingForTheCommonStateOrNoBuffers) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  const Buffer buffer = make(context, infoOf(resource.get()));
  const std::vector<SluBuffer> buffers = {buffer};
  const std::vector<std::uint32_t> states = {kCommon};
  const SluD3D12TransferInfo common = transferOf(buffers, states);
  const auto none = SLU_INIT(D3D12_TRANSFER_INFO, SluD3D12TransferInfo);
  const D3D12Host::List list = host().beginList();
  for (const SluD3D12TransferInfo* transfer : {&common, &none}) {
    EXPECT_EQ(release(list, transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(acquire(list, transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
  EXPECT_EQ(taken(), Transitions{});
}

TEST_F(D3D12CudaTransfer, TakesAnyNumberOfBuffers) {
  constexpr std::uint32_t kCount = 37;  // which are not recorded at once
  std::vector<Com<ID3D12Resource>> resources;
  std::vector<Buffer> owned;
  std::vector<SluBuffer> buffers;
  const std::vector<std::uint32_t> states(kCount, kRead);
  Transitions expected;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    resources.push_back(makeCommitted(4096));
    owned.push_back(make(context, infoOf(resources.back().get())));
    buffers.push_back(owned.back());
    expected.push_back({resources.back().get(), kCommon, kRead});
  }
  const SluD3D12TransferInfo transfer = transferOf(buffers, states);
  const D3D12Host::List list = host().beginList();
  EXPECT_EQ(acquire(list, &transfer), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(taken(), expected);
}

TEST_F(D3D12CudaTransfer, RefusesWrongFields) {
  const Com<ID3D12Resource> resource = makeCommitted(4096);
  const Buffer buffer = make(context, infoOf(resource.get()));
  std::uint32_t word = 0;
  auto hostInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  hostInfo.size = 4;
  hostInfo.hostPointer = &word;
  Buffer ofHost;
  ASSERT_EQ(sluCreateBuffer(context, &hostInfo, ofHost.put()), SLU_SUCCESS);
  const Context other = makeContext();
  const Buffer foreign = make(other, infoOf(resource.get()));
  const std::vector<std::uint32_t> states = {kRead};
  const auto expectBuffer = [&](SluBuffer wrong, const std::string& part) {
    const std::vector<SluBuffer> buffers = {wrong};
    const SluD3D12TransferInfo transfer = transferOf(buffers, states);
    expectRefused(&transfer, part);
  };
  expectBuffer(nullptr, "transfer.buffers[0]: is null");
  expectBuffer(foreign, "transfer.buffers[0]: belongs to another context");
  expectBuffer(ofHost, "transfer.buffers[0]: is in no memory that CUDA shares with Direct3D 12");

  const std::vector<SluBuffer> buffers = {buffer};
  const SluD3D12TransferInfo good = transferOf(buffers, states);
  SluD3D12TransferInfo wrong = good;
  wrong.buffers = nullptr;
  expectRefused(&wrong, "transfer.buffers: is null");
  wrong = good;
  wrong.states = nullptr;
  expectRefused(&wrong, "transfer.states: is null");
  wrong = good;
  wrong.sType = SLU_STRUCTURE_TYPE_TRANSFER_INFO;
  expectRefused(&wrong, "transfer.sType");
  wrong = good;
  wrong.pNext = &good;
  expectRefused(&wrong, "transfer.pNext");
  expectRefused(nullptr, "transfer: is null");
  expectFailure(sluCmdReleaseD3D12(context, nullptr, &good), SLU_ERROR_INVALID_ARGUMENT, context,
                "commandList: is null");
  expectFailure(sluCmdAcquireD3D12(context, nullptr, &good), SLU_ERROR_INVALID_ARGUMENT, context,
                "commandList: is null");
}

}  // namespace
}  // namespace slu::test
