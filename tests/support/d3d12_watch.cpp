#include "d3d12_watch.h"

#include <cstring>
#include <string_view>
#include <utility>

namespace slu::test {
namespace {

// What objects are called (WKPDID_D3DDebugObjectNameW).
constexpr GUID kNameOfObjects = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

std::string nameOf(ID3D12Object* object) {
  wchar_t name[64]{};
  UINT size = sizeof(name) - sizeof(wchar_t);
  if (FAILED(object->GetPrivateData(kNameOfObjects, &size, name))) return "a resource";
  std::string text;
  for (const wchar_t letter : std::wstring(name)) text += static_cast<char>(letter);
  return text;
}

D3D12_RESOURCE_DESC descOf(ID3D12Resource* resource) { return resource->GetDesc(); }

// Whether a state, or a combination of read states, has what is needed.
bool has(D3D12_RESOURCE_STATES state, D3D12_RESOURCE_STATES needed) { return (state & needed) == needed; }

D3D12Watch& watchOf(void* context) { return *static_cast<D3D12Watch*>(context); }

const char* kindOf(D3D12_ROOT_PARAMETER_TYPE type) {
  return type == D3D12_ROOT_PARAMETER_TYPE_UAV ? "UAV" : type == D3D12_ROOT_PARAMETER_TYPE_SRV ? "SRV" : "CBV";
}

}  // namespace

void D3D12Watch::add(ID3D12Resource* resource, D3D12_RESOURCE_STATES state) {
  const D3D12_GPU_VIRTUAL_ADDRESS address = resource->GetGPUVirtualAddress();
  const std::uint64_t size = descOf(resource).Width;
  // What lay there, or had this pointer, is gone.
  std::erase_if(resources_, [&](const auto& entry) {
    const Watched& other = entry.second;
    return other.address < address + size && address < other.address + other.size;
  });
  resources_[resource] = {address, size, state};
}

void D3D12Watch::begin() {
  states_.clear();
  unfinishedWrites_.clear();
}

void D3D12Watch::setState(ID3D12Resource* resource, D3D12_RESOURCE_STATES state) {
  states_[resource] = state;
  unfinishedWrites_.erase(resource);
}

ID3D12Resource* D3D12Watch::find(D3D12_GPU_VIRTUAL_ADDRESS address) const {
  for (const auto& [resource, watched] : resources_) {
    if (address >= watched.address && address - watched.address < watched.size) return resource;
  }
  return nullptr;
}

void D3D12Watch::use(ID3D12Resource* resource, D3D12_RESOURCE_STATES state, const char* how) {
  const auto [place, isNew] = states_.try_emplace(resource, resources_.at(resource).outside);
  if (place->second == D3D12_RESOURCE_STATE_COMMON) place->second = state;
  if (has(place->second, state)) return;
  report(nameOf(resource) + ": is used as " + how + " in state " + std::to_string(place->second));
}

bool D3D12Watch::onBarrier(const D3D12_RESOURCE_BARRIER& barrier) {
  if (dropped_ == barriers_++) return false;
  if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
    if (barrier.UAV.pResource == nullptr) {
      unfinishedWrites_.clear();
    } else {
      unfinishedWrites_.erase(barrier.UAV.pResource);
    }
    return true;
  }
  const D3D12_RESOURCE_TRANSITION_BARRIER& transition = barrier.Transition;
  transitions_.push_back(transition);
  if (!resources_.contains(transition.pResource)) {
    report("a barrier for a resource that nobody made");
    return true;
  }
  const auto [place, isNew] = states_.try_emplace(transition.pResource, resources_.at(transition.pResource).outside);
  if (place->second != transition.StateBefore) {
    report(nameOf(transition.pResource) + ": a barrier from state " + std::to_string(transition.StateBefore) +
           ", and it is in " + std::to_string(place->second));
  }
  setState(transition.pResource, transition.StateAfter);
  return true;
}

void D3D12Watch::onDispatch() {
  if (rootSignature_ == nullptr || pipeline_ == nullptr) report("a dispatch without root signature or pipeline state");
  if (rootArguments_.size() != parameterCounts_[rootSignature_]) report("a dispatch without all root arguments");
  std::vector<ID3D12Resource*> written;
  for (const auto& [parameter, argument] : rootArguments_) {
    if (argument.type == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) continue;
    if (argument.type == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) continue;  // of a heap of the host's
    ID3D12Resource* const resource = find(argument.address);
    if (resource == nullptr) {
      report("root argument " + std::to_string(parameter) + ": lies in no resource");
      continue;
    }
    switch (argument.type) {
      case D3D12_ROOT_PARAMETER_TYPE_UAV:
        if ((descOf(resource).Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0) {
          report(nameOf(resource) + ": allows no UAV");
        }
        use(resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, kindOf(argument.type));
        written.push_back(resource);
        break;
      case D3D12_ROOT_PARAMETER_TYPE_SRV:
        use(resource, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE, kindOf(argument.type));
        break;
      default:
        if (argument.address % 256 != 0) report(nameOf(resource) + ": a CBV at no multiple of 256");
        use(resource, D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER, kindOf(argument.type));
        break;
    }
  }
  // Dispatches of one kernel are for different views.
  for (ID3D12Resource* resource : written) {
    const auto [place, isNew] = unfinishedWrites_.try_emplace(resource, pipeline_);
    if (place->second == pipeline_) continue;
    report(nameOf(resource) + ": no UAV barrier between two kernels");
    place->second = pipeline_;
  }
}

void D3D12Watch::onCopy(ID3D12Resource* to, ID3D12Resource* from) {
  use(to, D3D12_RESOURCE_STATE_COPY_DEST, "destination of a copy");
  use(from, D3D12_RESOURCE_STATE_COPY_SOURCE, "source of a copy");
}

void D3D12Watch::onRootSignature(ID3D12RootSignature* signature, const void* bytes, std::size_t size) {
  ID3D12RootSignatureDeserializer* deserializer = nullptr;
  if (FAILED(D3D12CreateRootSignatureDeserializer(bytes, size, __uuidof(ID3D12RootSignatureDeserializer),
                                                  reinterpret_cast<void**>(&deserializer)))) {
    report("a root signature that cannot be read");
    return;
  }
  const D3D12_ROOT_SIGNATURE_DESC& desc = *deserializer->GetRootSignatureDesc();
  parameterCounts_[signature] = desc.NumParameters;
  rootWords_ = 0;
  std::uint32_t uavs = 0;
  for (UINT i = 0; i < desc.NumParameters; ++i) {
    const D3D12_ROOT_PARAMETER& parameter = desc.pParameters[i];
    const bool isConstants = parameter.ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    rootWords_ += isConstants ? parameter.Constants.Num32BitValues
                  : parameter.ParameterType == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE ? 1
                                                                                          : 2;
    if (parameter.ParameterType == D3D12_ROOT_PARAMETER_TYPE_UAV) ++uavs;
  }
  deserializer->Release();
  constexpr std::uint32_t kMostWords = 64;
  constexpr std::uint32_t kMostUavs = 8;  // at feature level 11_0
  if (rootWords_ > kMostWords) report("the root signature has " + std::to_string(rootWords_) + " words");
  if (uavs > kMostUavs) report("the root signature has " + std::to_string(uavs) + " UAVs");
}

void D3D12Watch::onShader(D3D12_SHADER_BYTECODE& shader) {
  const std::string_view container(static_cast<const char*>(shader.pShaderBytecode), shader.BytecodeLength);
  if (container.find("DXIL") == std::string_view::npos) {
    const auto* const bytes = static_cast<const std::byte*>(shader.pShaderBytecode);
    plainShader_.assign(bytes, bytes + shader.BytecodeLength);
  } else {
    ++waveShaders_;
    shader = {plainShader_.data(), plainShader_.size()};
  }
}

bool D3D12Watch::onFeature(D3D12_FEATURE feature, void* data) const {
  if (!waves_) return false;
  if (feature == D3D12_FEATURE_SHADER_MODEL) {
    static_cast<D3D12_FEATURE_DATA_SHADER_MODEL*>(data)->HighestShaderModel = waves_->highest;
    return true;
  }
  if (feature != D3D12_FEATURE_D3D12_OPTIONS1) return false;
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 options{};
  options.WaveOps = waves_->hasOperations ? TRUE : FALSE;
  options.WaveLaneCountMin = waves_->fewestLanes;
  std::memcpy(data, &options, sizeof(options));
  return true;
}

HRESULT D3D12Watch::onCall(const std::string&) { return failed_ == calls_++ ? failure_ : S_OK; }

ListHooks D3D12Watch::listHooks() {
  ListHooks hooks{};
  hooks.context = this;
  hooks.barrier = [](void* context, const D3D12_RESOURCE_BARRIER* barrier) {
    return watchOf(context).onBarrier(*barrier) ? 1 : 0;
  };
  hooks.rootSignature = [](void* context, ID3D12RootSignature* signature) {
    watchOf(context).rootSignature_ = signature;
    watchOf(context).rootArguments_.clear();
  };
  hooks.constants = [](void* context, UINT parameter, UINT, UINT) {
    watchOf(context).rootArguments_[parameter] = {true, D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS, 0};
  };
  hooks.descriptor = [](void* context, UINT parameter, D3D12_ROOT_PARAMETER_TYPE type,
                        D3D12_GPU_VIRTUAL_ADDRESS address) {
    watchOf(context).rootArguments_[parameter] = {true, type, address};
  };
  hooks.table = [](void* context, UINT parameter) {
    watchOf(context).rootArguments_[parameter] = {true, D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, 0};
  };
  hooks.pipeline = [](void* context, ID3D12PipelineState* pipeline) { watchOf(context).pipeline_ = pipeline; };
  hooks.dispatch = [](void* context, UINT, UINT, UINT) { watchOf(context).onDispatch(); };
  hooks.copy = [](void* context, ID3D12Resource* to, ID3D12Resource* from) { watchOf(context).onCopy(to, from); };
  return hooks;
}

DeviceHooks D3D12Watch::deviceHooks() {
  DeviceHooks hooks{};
  hooks.context = this;
  hooks.before = [](void* context, const char* call) { return watchOf(context).onCall(call); };
  hooks.resource = [](void* context, ID3D12Resource* resource, D3D12_RESOURCE_STATES state) {
    watchOf(context).add(resource, state);
    if (state == D3D12_RESOURCE_STATE_COMMON) watchOf(context).onNew_(resource);
  };
  hooks.rootSignature = [](void* context, ID3D12RootSignature* signature, const void* bytes, SIZE_T size) {
    watchOf(context).onRootSignature(signature, bytes, size);
  };
  hooks.shader = [](void* context, D3D12_SHADER_BYTECODE* shader) { watchOf(context).onShader(*shader); };
  hooks.feature = [](void* context, D3D12_FEATURE feature, void* data) {
    return watchOf(context).onFeature(feature, data) ? 1 : 0;
  };
  hooks.refusesMap = [](void* context) {
    D3D12Watch& watch = watchOf(context);
    return watch.failedMap_ == watch.maps_++ ? 1 : 0;
  };
  if (!makeHandle_) return hooks;
  hooks.sharedHandle = [](void* context, HANDLE* handle) {
    *handle = watchOf(context).makeHandle_();
    return S_OK;
  };
  return hooks;
}

D3D12Watch::Scope::Scope(D3D12Watch& watch, ID3D12GraphicsCommandList* list) : watch_(watch), list_(list) {
  if (watch.scopes_++ == 0) {
    const DeviceHooks device = watch.deviceHooks();
    hookDevice(watch.device_, &device);
  }
  if (list == nullptr) return;
  const ListHooks hooks = watch.listHooks();
  hookList(list, &hooks);
  watch.rootSignature_ = nullptr;
  watch.pipeline_ = nullptr;
  watch.rootArguments_.clear();
  before_ = watch.states_;
}

D3D12Watch::Scope::~Scope() {
  if (--watch_.scopes_ == 0) unhookDevice(watch_.device_);
  if (list_ == nullptr) return;
  unhookList(list_);
  for (const auto& [resource, state] : before_) {
    if (state != D3D12_RESOURCE_STATE_COMMON && watch_.states_.at(resource) != state) {
      watch_.report(nameOf(resource) + ": is left in state " + std::to_string(watch_.states_.at(resource)) +
                    ", and was in " + std::to_string(state));
    }
  }
}

D3D12Watch::ObjectScope::ObjectScope(D3D12Watch& watch, ID3D12Resource* resource, ID3D12Heap* heap)
    : resource_(resource), heap_(heap) {
  ObjectHooks hooks{};
  hooks.context = &watch;
  hooks.before = [](void* context, const char* call) { return watchOf(context).onCall(call); };
  hookResource(resource_, &hooks);
  if (heap_ != nullptr) hookHeap(heap_, &hooks);
}

D3D12Watch::ObjectScope::~ObjectScope() {
  unhookResource(resource_);
  if (heap_ != nullptr) unhookHeap(heap_);
}

std::vector<std::string> D3D12Watch::takeMessages() { return std::exchange(messages_, {}); }

}  // namespace slu::test
