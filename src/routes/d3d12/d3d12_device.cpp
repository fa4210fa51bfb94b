#include "routes/d3d12/d3d12_device.h"

#include <array>

#include "base/library.h"
#include "shaders/shared/frame.h"

namespace slu {
namespace {

constexpr UINT kDispatchWords = 2;

// Limits of root signatures, and of UAVs at feature level 11_0.
constexpr UINT kMostRootWords = 64;
constexpr UINT kMostUavs = 8;

static_assert(SLU_REGISTER_UAV_COUNT <= kMostUavs);
static_assert(kDispatchWords + 2 * (kRootCount - 1) <= kMostRootWords, "a root descriptor takes two words");

std::array<D3D12_ROOT_PARAMETER, kRootCount> rootParameters() {
  std::array<D3D12_ROOT_PARAMETER, kRootCount> parameters{};
  parameters[kRootDispatch].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameters[kRootDispatch].Constants = {SLU_REGISTER_DISPATCH, 0, kDispatchWords};
  parameters[kRootPlan] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_CBV, SLU_REGISTER_PLAN);
  parameters[kRootFrame] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_CBV, SLU_REGISTER_FRAME);
  parameters[kRootView] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_CBV, SLU_REGISTER_VIEW);
  for (UINT number = 0; number < SLU_REGISTER_SRV_COUNT; ++number) {
    parameters[kRootSrvs + number] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_SRV, number);
  }
  for (UINT number = 0; number < SLU_REGISTER_UAV_COUNT; ++number) {
    parameters[kRootUavs + number] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_UAV, number);
  }
  return parameters;
}

D3D12_COMMAND_LIST_TYPE checkListType(std::uint32_t type) {
  require(type == D3D12_COMMAND_LIST_TYPE_DIRECT || type == D3D12_COMMAND_LIST_TYPE_COMPUTE,
          "d3d12Device.commandListType: is ", type,
          ", must be D3D12_COMMAND_LIST_TYPE_DIRECT or D3D12_COMMAND_LIST_TYPE_COMPUTE, which can dispatch");
  return static_cast<D3D12_COMMAND_LIST_TYPE>(type);
}

ID3D12Device* checkDevice(ID3D12Device* device) {
  require(device != nullptr, "d3d12Device.device: is null");
  return device;
}

void checkWaves(ID3D12Device* device) {
  D3D12_FEATURE_DATA_SHADER_MODEL highest{D3D_SHADER_MODEL_6_0};
  const bool knowsModel = SUCCEEDED(device->CheckFeatureSupport(D3D12_FEATURE_SHADER_MODEL, &highest, sizeof(highest)));
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 waves{};
  const bool knowsWaves = SUCCEEDED(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS1, &waves, sizeof(waves)));
  if (!knowsModel || highest.HighestShaderModel < D3D_SHADER_MODEL_6_0 || !knowsWaves || waves.WaveOps == FALSE) {
    fail(SLU_ERROR_MISSING_FEATURE,
         "d3d12Device.shaderModel: is 6, and the device has no shader model 6.0 with wave operations "
         "(D3D12_FEATURE_SHADER_MODEL, D3D12_FEATURE_D3D12_OPTIONS1); let it be 0");
  }
  // Direct3D has no waves of more than 128 lanes, and tells applications not to use WaveLaneCountMax.
  if (waves.WaveLaneCountMin < SLU_MIN_SUBGROUP_SIZE || waves.WaveLaneCountMin > SLU_MAX_SUBGROUP_SIZE) {
    fail(SLU_ERROR_MISSING_FEATURE, "d3d12Device.shaderModel: is 6, and waves of the device have ",
         waves.WaveLaneCountMin, " lanes at least, must have ", SLU_MIN_SUBGROUP_SIZE, " to ", SLU_MAX_SUBGROUP_SIZE,
         "; let it be 0");
  }
}

std::uint32_t checkShaderModel(const SluD3D12DeviceInfo& info) {
  require(info.shaderModel == 0 || info.shaderModel == 5 || info.shaderModel == 6, "d3d12Device.shaderModel: is ",
          info.shaderModel, ", must be 5 or 6, or 0 for the library's choice");
  require(info.shaderModel == 6 || info.dxcCreateInstance == nullptr,
          "d3d12Device.dxcCreateInstance: is not null, and shaderModel is not 6, which alone needs it");
  if (info.shaderModel != 6) return 5;
  checkWaves(info.device);
  return 6;
}

}  // namespace

D3D12_ROOT_PARAMETER rootDescriptor(D3D12_ROOT_PARAMETER_TYPE type, UINT number) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = type;
  parameter.Descriptor.ShaderRegister = number;
  return parameter;
}

D3D12Device::D3D12Device(const SluD3D12DeviceInfo& info)
    : device_(ComPtr<ID3D12Device>::share(checkDevice(info.device))),
      listType_(checkListType(info.commandListType)),
      shaderModel_(checkShaderModel(info)) {
  rootSignature_ = makeRootSignature(rootParameters(), L"sluice");
}

void D3D12Device::checkList(ID3D12GraphicsCommandList* list) const {
  const D3D12_COMMAND_LIST_TYPE type = list->GetType();
  require(type == listType(), "commandList: has the type ", static_cast<std::uint32_t>(type),
          ", and d3d12Device.commandListType is ", static_cast<std::uint32_t>(listType()));
  checkPresent(get());
}

ComPtr<ID3D12RootSignature> D3D12Device::makeRootSignature(std::span<const D3D12_ROOT_PARAMETER> parameters,
                                                           const wchar_t* name) const {
  const std::string names[] = {"d3d12.dll"};
  const Library runtime(names, "d3d12Device.device: there is no d3d12.dll to serialize root signatures");
  decltype(&D3D12SerializeRootSignature) serialize = nullptr;
  runtime.find(serialize, "D3D12SerializeRootSignature");

  D3D12_ROOT_SIGNATURE_DESC desc{};
  desc.NumParameters = static_cast<UINT>(parameters.size());
  desc.pParameters = parameters.data();
  ComPtr<ID3DBlob> bytes;
  ComPtr<ID3DBlob> reason;
  check(serialize(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, bytes.put(), reason.put()), "D3D12SerializeRootSignature",
        get());
  ComPtr<ID3D12RootSignature> signature;
  check(
      device_->CreateRootSignature(0, bytes->GetBufferPointer(), bytes->GetBufferSize(), IID_PPV_ARGS(signature.put())),
      "ID3D12Device::CreateRootSignature", get());
  signature->SetName(name);
  return signature;
}

GpuBuffer D3D12Device::makeBuffer(std::uint64_t size, GpuBuffer::Kind kind, const wchar_t* name) const {
  const bool isUpload = kind == GpuBuffer::Kind::upload;
  D3D12_HEAP_PROPERTIES heap{};
  heap.Type = isUpload ? D3D12_HEAP_TYPE_UPLOAD : D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = size;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (!isUpload) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  // Buffers are promoted from the common state by their first use in a list.
  const auto state = isUpload ? D3D12_RESOURCE_STATE_GENERIC_READ : D3D12_RESOURCE_STATE_COMMON;
  GpuBuffer buffer;
  check(device_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                         IID_PPV_ARGS(buffer.resource.put())),
        "ID3D12Device::CreateCommittedResource", get());
  buffer.resource->SetName(name);
  buffer.address = buffer.resource->GetGPUVirtualAddress();
  buffer.size = size;
  if (!isUpload) return buffer;
  const D3D12_RANGE none{0, 0};  // is read by the CPU
  void* mapped = nullptr;
  check(buffer.resource->Map(0, &none, &mapped), "ID3D12Resource::Map", get());
  buffer.mapped = static_cast<std::byte*>(mapped);
  return buffer;
}

ComPtr<ID3D12PipelineState> D3D12Device::makePipeline(ID3D12RootSignature* signature, std::span<const std::byte> shader,
                                                      const wchar_t* name) const {
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.pRootSignature = signature;
  desc.CS = {shader.data(), shader.size()};
  ComPtr<ID3D12PipelineState> pipeline;
  check(device_->CreateComputePipelineState(&desc, IID_PPV_ARGS(pipeline.put())),
        "ID3D12Device::CreateComputePipelineState", get());
  pipeline->SetName(name);
  return pipeline;
}

}  // namespace slu
