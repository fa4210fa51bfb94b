#include "depth_texture.h"

#include <d3dcompiler.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace slu::test {
namespace {

// A triangle that covers everything. Each sample takes its own depth. FXC takes no SV_Depth that comes from a
// ByteAddressBuffer.
constexpr char kShaders[] =
    "cbuffer Slice : register(b0) { uint width; uint samples; uint first; };\n"
    "Buffer<float> depths : register(t0);\n"
    "float4 cover(uint vertex : SV_VertexID) : SV_Position {\n"
    "  return float4(vertex == 1u ? 3.0 : -1.0, vertex == 2u ? 3.0 : -1.0, 0.5, 1.0);\n"
    "}\n"
    "float take(float4 pixel : SV_Position, uint drawn : SV_SampleIndex) : SV_Depth {\n"
    "  return depths.Load(int(first + (uint(pixel.y) * width + uint(pixel.x)) * samples + drawn));\n"
    "}\n";
constexpr UINT kSliceWords = 3;

Com<ID3DBlob> compile(const char* entry, const char* profile) {
  static const auto function = [] {
    const HMODULE library = LoadLibraryA("d3dcompiler_47.dll");
    return reinterpret_cast<pD3DCompile>(reinterpret_cast<void*>(GetProcAddress(library, "D3DCompile")));
  }();
  Com<ID3DBlob> code, messages;
  const HRESULT result = function(kShaders, sizeof(kShaders) - 1, "depths", nullptr, nullptr, entry, profile, 0, 0,
                                  code.put(), messages.put());
  if (FAILED(result)) throw std::runtime_error(static_cast<const char*>(messages->GetBufferPointer()));
  return code;
}

Com<ID3D12RootSignature> makeSignature(ID3D12Device* device) {
  D3D12_ROOT_PARAMETER parameters[2]{};
  parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameters[0].Constants = {0, 0, kSliceWords};
  const D3D12_DESCRIPTOR_RANGE depths{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, 0, 0, 0};
  parameters[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameters[1].DescriptorTable = {1, &depths};
  D3D12_ROOT_SIGNATURE_DESC desc{};
  desc.NumParameters = 2;
  desc.pParameters = parameters;
  Com<ID3DBlob> bytes, reason;
  check(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, bytes.put(), reason.put()),
        "D3D12SerializeRootSignature");
  Com<ID3D12RootSignature> signature;
  check(
      device->CreateRootSignature(0, bytes->GetBufferPointer(), bytes->GetBufferSize(), IID_PPV_ARGS(signature.put())),
      "CreateRootSignature");
  return signature;
}

Com<ID3D12PipelineState> makePipeline(ID3D12Device* device, ID3D12RootSignature* signature, DXGI_FORMAT format,
                                      UINT samples) {
  const Com<ID3DBlob> vertices = compile("cover", "vs_5_0"), pixels = compile("take", "ps_5_0");
  D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
  desc.pRootSignature = signature;
  desc.VS = {vertices->GetBufferPointer(), vertices->GetBufferSize()};
  desc.PS = {pixels->GetBufferPointer(), pixels->GetBufferSize()};
  desc.SampleMask = ~0u;
  desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
  desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
  desc.RasterizerState.DepthClipEnable = TRUE;
  desc.DepthStencilState.DepthEnable = TRUE;
  desc.DepthStencilState.DepthWriteMask = D3D12_DEPTH_WRITE_MASK_ALL;
  desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_ALWAYS;
  desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
  desc.DSVFormat = format;
  desc.SampleDesc.Count = samples;
  Com<ID3D12PipelineState> pipeline;
  check(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(pipeline.put())), "CreateGraphicsPipelineState");
  return pipeline;
}

DXGI_FORMAT targetFormat(const DepthTextureInfo& info) {
  return info.hasStencil ? DXGI_FORMAT_D32_FLOAT_S8X24_UINT : DXGI_FORMAT_D32_FLOAT;
}

Com<ID3D12Resource> makeTexture(ID3D12Device* device, const DepthTextureInfo& info) {
  D3D12_HEAP_PROPERTIES heap{};
  heap.Type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  desc.Width = info.width;
  desc.Height = info.height;
  desc.DepthOrArraySize = static_cast<UINT16>(info.layerCount);
  desc.MipLevels = 1;
  desc.Format = info.hasStencil ? DXGI_FORMAT_R32G8X24_TYPELESS : DXGI_FORMAT_R32_TYPELESS;
  desc.SampleDesc.Count = info.samples;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
  D3D12_CLEAR_VALUE clear{};
  clear.Format = targetFormat(info);
  Com<ID3D12Resource> texture;
  check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_DEPTH_WRITE, &clear,
                                        IID_PPV_ARGS(texture.put())),
        "CreateCommittedResource");
  return texture;
}

Com<ID3D12DescriptorHeap> makeHeap(ID3D12Device* device, D3D12_DESCRIPTOR_HEAP_TYPE type, UINT count,
                                   D3D12_DESCRIPTOR_HEAP_FLAGS flags) {
  D3D12_DESCRIPTOR_HEAP_DESC desc{};
  desc.Type = type;
  desc.NumDescriptors = count;
  desc.Flags = flags;
  Com<ID3D12DescriptorHeap> heap;
  check(device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(heap.put())), "CreateDescriptorHeap");
  return heap;
}

D3D12_CPU_DESCRIPTOR_HANDLE placeIn(const Com<ID3D12DescriptorHeap>& heap, SIZE_T step) {
  D3D12_CPU_DESCRIPTOR_HANDLE place = heap->GetCPUDescriptorHandleForHeapStart();
  place.ptr += step;
  return place;
}

// Views in the heap: the depths that are drawn, and the texture.
constexpr UINT kDepthsNumber = 0;
constexpr UINT kTextureNumber = 3;
constexpr UINT kViewCount = 4;

}  // namespace

bool readsDescriptorTables() {
  const bool isWine = GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version") != nullptr;
  return !isWine || std::getenv("SLUICE_TEST_DESCRIPTOR_TABLES") != nullptr;
}

DepthTexture::DepthTexture(D3D12Host& host, const DepthTextureInfo& info, const SampleAt& sampleAt)
    : texture_(makeTexture(host.device(), info)) {
  makeViews(host, info);
  draw(host, info, sampleAt);
}

void DepthTexture::makeViews(D3D12Host& host, const DepthTextureInfo& info) {
  ID3D12Device* const device = host.device();
  targets_ = makeHeap(device, D3D12_DESCRIPTOR_HEAP_TYPE_DSV, info.layerCount, D3D12_DESCRIPTOR_HEAP_FLAG_NONE);
  const UINT step = device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
  for (UINT layer = 0; layer < info.layerCount; ++layer) {
    D3D12_DEPTH_STENCIL_VIEW_DESC desc{};
    desc.Format = targetFormat(info);
    if (info.samples > 1) {
      desc.ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2DMSARRAY;
      desc.Texture2DMSArray = {layer, 1};
    } else {
      desc.ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2DARRAY;
      desc.Texture2DArray = {0, layer, 1};
    }
    device->CreateDepthStencilView(texture_.get(), &desc, placeIn(targets_, layer * step));
  }
  views_ =
      makeHeap(device, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, kViewCount, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE);
  D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
  desc.Format = info.hasStencil ? DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS : DXGI_FORMAT_R32_FLOAT;
  desc.ViewDimension = info.view;
  desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
  if (info.view == D3D12_SRV_DIMENSION_TEXTURE2D) desc.Texture2D.MipLevels = 1;
  if (info.view == D3D12_SRV_DIMENSION_TEXTURE2DARRAY) {
    desc.Texture2DArray.MipLevels = 1;
    desc.Texture2DArray.ArraySize = info.layerCount;
  }
  if (info.view == D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY) desc.Texture2DMSArray.ArraySize = info.layerCount;
  const UINT viewStep = device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  device->CreateShaderResourceView(texture_.get(), &desc, placeIn(views_, kTextureNumber * viewStep));
  view_.ptr = views_->GetGPUDescriptorHandleForHeapStart().ptr + UINT64{kTextureNumber} * viewStep;
}

void DepthTexture::draw(D3D12Host& host, const DepthTextureInfo& info, const SampleAt& sampleAt) {
  const UINT layerDepths = info.width * info.height * info.samples;
  const UINT count = layerDepths * info.layerCount;
  const Com<ID3D12Resource> depths = host.makeBuffer(count * sizeof(float), D3D12_HEAP_TYPE_UPLOAD);
  void* mapped = nullptr;
  check(depths->Map(0, nullptr, &mapped), "Map");
  auto* next = static_cast<float*>(mapped);
  for (UINT layer = 0; layer < info.layerCount; ++layer) {
    for (UINT y = 0; y < info.height; ++y) {
      for (UINT x = 0; x < info.width; ++x) {
        for (UINT sample = 0; sample < info.samples; ++sample) *next++ = sampleAt(layer, x, y, sample);
      }
    }
  }
  D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
  desc.Format = DXGI_FORMAT_R32_FLOAT;
  desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
  desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
  desc.Buffer.NumElements = count;
  const UINT viewStep = host.device()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  host.device()->CreateShaderResourceView(depths.get(), &desc, placeIn(views_, kDepthsNumber * viewStep));
  const Com<ID3D12RootSignature> signature = makeSignature(host.device());
  const Com<ID3D12PipelineState> pipeline =
      makePipeline(host.device(), signature.get(), targetFormat(info), info.samples);
  const D3D12Host::List list = host.beginList();
  ID3D12DescriptorHeap* const heaps[] = {views_.get()};
  list.get()->SetDescriptorHeaps(1, heaps);
  list.get()->SetGraphicsRootSignature(signature.get());
  D3D12_GPU_DESCRIPTOR_HANDLE table = views_->GetGPUDescriptorHandleForHeapStart();
  table.ptr += UINT64{kDepthsNumber} * viewStep;
  list.get()->SetGraphicsRootDescriptorTable(1, table);
  list.get()->SetPipelineState(pipeline.get());
  list.get()->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  const D3D12_VIEWPORT viewport{0, 0, static_cast<float>(info.width), static_cast<float>(info.height), 0, 1};
  const D3D12_RECT scissor{0, 0, static_cast<LONG>(info.width), static_cast<LONG>(info.height)};
  list.get()->RSSetViewports(1, &viewport);
  list.get()->RSSetScissorRects(1, &scissor);
  const UINT step = host.device()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
  for (UINT layer = 0; layer < info.layerCount; ++layer) {
    const D3D12_CPU_DESCRIPTOR_HANDLE target = placeIn(targets_, layer * step);
    list.get()->OMSetRenderTargets(0, nullptr, FALSE, &target);
    const UINT slice[kSliceWords] = {info.width, info.samples, layer * layerDepths};
    list.get()->SetGraphicsRoot32BitConstants(0, kSliceWords, slice, 0);
    list.get()->DrawInstanced(3, 1, 0, 0);
  }
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {texture_.get(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, D3D12_RESOURCE_STATE_DEPTH_WRITE,
                        D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_DEPTH_READ};
  list.get()->ResourceBarrier(1, &barrier);
  check(list.get()->Close(), "Close");
  host.execute(list);
}

}  // namespace slu::test
