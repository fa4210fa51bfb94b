#include "d3d12_host.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "machine.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kZeroBytes = 1 << 20;

Com<ID3D12Device> makeDevice() {
  Com<ID3D12Device> device;
  const HRESULT result = D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(device.put()));
  if (FAILED(result)) throw Unavailable("D3D12CreateDevice finds no device here");
  return device;
}

}  // namespace

void check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  std::ostringstream text;
  text << call << ": " << std::hex << static_cast<unsigned long>(result);
  throw std::runtime_error(text.str());
}

unsigned long referencesTo(IUnknown* object) {
  object->AddRef();
  return object->Release();
}

D3D12Host::D3D12Host(D3D12_COMMAND_LIST_TYPE type)
    : type_(type), device_(makeDevice()), watch_(device_.get(), [this](ID3D12Resource* resource) { clear(resource); }) {
  D3D12_COMMAND_QUEUE_DESC desc{};
  desc.Type = type;
  check(device_->CreateCommandQueue(&desc, IID_PPV_ARGS(queue_.put())), "CreateCommandQueue");
  check(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(fence_.put())), "CreateFence");
  zeros_ = makeBuffer(kZeroBytes, D3D12_HEAP_TYPE_UPLOAD);
  void* mapped = nullptr;
  check(zeros_->Map(0, nullptr, &mapped), "Map");
  std::memset(mapped, 0, kZeroBytes);
  zeros_->Unmap(0, nullptr);
}

SluD3D12DeviceInfo D3D12Host::info() const {
  auto info = SLU_INIT(D3D12_DEVICE_INFO, SluD3D12DeviceInfo);
  info.device = device_.get();
  info.commandListType = static_cast<std::uint32_t>(type_);
  return info;
}

Com<ID3D12Resource> D3D12Host::makeBuffer(std::uint64_t size, D3D12_HEAP_TYPE heap) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = heap;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = size;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (heap == D3D12_HEAP_TYPE_DEFAULT) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const auto state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                     : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                        : D3D12_RESOURCE_STATE_COMMON;
  Com<ID3D12Resource> buffer;
  check(device_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                         IID_PPV_ARGS(buffer.put())),
        "CreateCommittedResource");
  buffer->SetName(heap == D3D12_HEAP_TYPE_DEFAULT ? L"a buffer of the host" : L"a mapped buffer of the host");
  watch_.add(buffer.get(), state);
  return buffer;
}

D3D12Host::List D3D12Host::makeList(D3D12_COMMAND_LIST_TYPE type) {
  List list;
  check(device_->CreateCommandAllocator(type, IID_PPV_ARGS(list.allocator.put())), "CreateCommandAllocator");
  check(device_->CreateCommandList(0, type, list.allocator.get(), nullptr, IID_PPV_ARGS(list.list.put())),
        "CreateCommandList");
  return list;
}

D3D12Host::List D3D12Host::beginList(D3D12_COMMAND_LIST_TYPE type) {
  watch_.begin();
  return makeList(type);
}

void D3D12Host::clear(ID3D12Resource* resource) {
  const List list = makeList(type_);
  const std::uint64_t size = resource->GetDesc().Width;
  for (std::uint64_t offset = 0; offset < size; offset += kZeroBytes) {
    list.get()->CopyBufferRegion(resource, offset, zeros_.get(), 0, std::min(kZeroBytes, size - offset));
  }
  check(list.get()->Close(), "Close");
  execute(list);
}

void D3D12Host::execute(const List& list) {
  ID3D12CommandList* const lists[] = {list.get()};
  queue_->ExecuteCommandLists(1, lists);
  check(queue_->Signal(fence_.get(), ++fenceValue_), "Signal");
  const HANDLE event = CreateEventA(nullptr, FALSE, FALSE, nullptr);
  check(fence_->SetEventOnCompletion(fenceValue_, event), "SetEventOnCompletion");
  constexpr DWORD kPatience = 600'000;  // ms
  const DWORD waited = WaitForSingleObject(event, kPatience);
  CloseHandle(event);
  if (waited != WAIT_OBJECT_0) throw std::runtime_error("a list did not complete");
}

void recordTransition(ID3D12GraphicsCommandList* list, D3D12Watch& watch, ID3D12Resource* resource,
                      D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to) {
  if (from == to) return;
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, from, to};
  list->ResourceBarrier(1, &barrier);
  watch.setState(resource, to);
}

}  // namespace slu::test
