// Draws what a compaction left, by ExecuteIndirect with a draw count from a buffer. The light of all points adds up.
#pragma once

#include <d3dcompiler.h>

#include "d3d12/compaction.h"
#include "shaders.hlsl.h"

namespace demo {

class Renderer {
 public:
  Renderer(Gpu& gpu, uint32_t width, uint32_t height) : width_(width), height_(height) {
    createRootSignature(gpu);
    createTarget(gpu);
    createPipeline(gpu);
  }

  // Returns the bytes of a row of the picture's copy. A pixel has four halfs, and Direct3D asks for rows at multiples of
  // 256 bytes.
  uint32_t rowBytes() const {
    constexpr uint32_t kAlignment = D3D12_TEXTURE_DATA_PITCH_ALIGNMENT;
    return (8 * width_ + kAlignment - 1) / kAlignment * kAlignment;
  }
  uint64_t pictureBytes() const { return uint64_t{rowBytes()} * height_; }

  // Records the draws of a frame, after Compaction::record.
  void draw(ID3D12GraphicsCommandList* list, const FrameConstants& constants, const Compaction& compaction) const {
    const D3D12_VIEWPORT viewport = {0.0f, 0.0f, static_cast<float>(width_), static_cast<float>(height_), 0.0f, 1.0f};
    const D3D12_RECT scissor = {0, 0, static_cast<LONG>(width_), static_cast<LONG>(height_)};
    const D3D12_CPU_DESCRIPTOR_HANDLE target = targetView_->GetCPUDescriptorHandleForHeapStart();
    const D3D12_VERTEX_BUFFER_VIEW visible = {compaction.visible()->GetGPUVirtualAddress(), compaction.visibleBytes(),
                                              sizeof(uint32_t)};
    const float black[4] = {};
    list->RSSetViewports(1, &viewport);
    list->RSSetScissorRects(1, &scissor);
    list->OMSetRenderTargets(1, &target, FALSE, nullptr);
    list->ClearRenderTargetView(target, black, 0, nullptr);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    // The compaction has set a pipeline state of its own. Graphics root arguments are as the host left them.
    list->SetPipelineState(pipeline_.Get());
    list->SetGraphicsRootSignature(rootSignature_.Get());
    list->SetGraphicsRoot32BitConstants(kFrame, kFrameWords, &constants, 0);
    list->SetGraphicsRootShaderResourceView(kPoints, compaction.points()->GetGPUVirtualAddress());
    list->IASetVertexBuffers(0, 1, &visible);
    list->ExecuteIndirect(commandSignature_.Get(), kKindCount, compaction.draws(), offsetof(Draws, commands),
                          compaction.draws(), offsetof(Draws, count));
  }

  // Records the copy of the picture to the beginning of a buffer. Textures keep their state from list to list, so the
  // target is made one again for the next frame.
  void copyPicture(ID3D12GraphicsCommandList* list, ID3D12Resource* buffer) const {
    D3D12_TEXTURE_COPY_LOCATION source = {}, destination = {};
    source.pResource = target_.Get();
    source.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
    destination.pResource = buffer;
    destination.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    destination.PlacedFootprint.Footprint = {kFormat, width_, height_, 1, rowBytes()};
    transition(list, target_.Get(), D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyTextureRegion(&destination, 0, 0, 0, &source, nullptr);
    transition(list, target_.Get(), D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_RENDER_TARGET);
  }

 private:
  enum : UINT { kFrame, kPoints, kRootCount };  // b0, t0
  static constexpr UINT kFrameWords = offsetof(FrameConstants, cascades) / 4;
  static_assert(kFrameWords == 40 && sizeof(Point) == 24, "as shaders.hlsl declares them");
  static constexpr DXGI_FORMAT kFormat = DXGI_FORMAT_R16G16B16A16_FLOAT;

  void createRootSignature(Gpu& gpu) {
    D3D12_ROOT_PARAMETER parameters[kRootCount] = {};
    parameters[kFrame].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;  // each list has its own
    parameters[kFrame].Constants = {0, 0, kFrameWords};
    parameters[kPoints].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;
    const D3D12_ROOT_SIGNATURE_DESC root = {kRootCount, parameters, 0, nullptr,
                                            D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT};
    ComPtr<ID3DBlob> blob;
    check(D3D12SerializeRootSignature(&root, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, nullptr), "Serialization");
    check(gpu->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&rootSignature_)),
          "CreateRootSignature");

    D3D12_INDIRECT_ARGUMENT_DESC draw = {};
    draw.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW;
    const D3D12_COMMAND_SIGNATURE_DESC signature = {sizeof(D3D12_DRAW_ARGUMENTS), 1, &draw, 0};
    check(gpu->CreateCommandSignature(&signature, nullptr, IID_PPV_ARGS(&commandSignature_)), "CreateCommandSignature");
  }

  void createTarget(Gpu& gpu) {
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
    desc.Width = width_;
    desc.Height = height_;
    desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.Format = kFormat;
    desc.SampleDesc.Count = 1;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    const D3D12_CLEAR_VALUE black = {kFormat, {}};
    target_ = gpu.makeResource(D3D12_HEAP_TYPE_DEFAULT, desc, D3D12_RESOURCE_STATE_RENDER_TARGET, &black, L"picture");
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    check(gpu->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&targetView_)), "CreateDescriptorHeap");
    gpu->CreateRenderTargetView(target_.Get(), nullptr, targetView_->GetCPUDescriptorHandleForHeapStart());
  }

  static ComPtr<ID3DBlob> compile(const char* entry, const char* profile) {
    ComPtr<ID3DBlob> code, messages;
    if (FAILED(D3DCompile(kShaders, sizeof(kShaders) - 1, "shaders.hlsl", nullptr, nullptr, entry, profile, 0, 0, &code,
                          &messages)))
      failRuntime(messages.Get() ? static_cast<const char*>(messages->GetBufferPointer()) : "D3DCompile failed");
    return code;
  }

  void createPipeline(Gpu& gpu) {
    const ComPtr<ID3DBlob> vertex = compile("vertexMain", "vs_5_0"), pixel = compile("pixelMain", "ps_5_0");
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {};
    desc.pRootSignature = rootSignature_.Get();
    desc.VS = {vertex->GetBufferPointer(), vertex->GetBufferSize()};
    desc.PS = {pixel->GetBufferPointer(), pixel->GetBufferSize()};
    D3D12_RENDER_TARGET_BLEND_DESC& blend = desc.BlendState.RenderTarget[0];
    blend.BlendEnable = TRUE;
    blend.SrcBlend = blend.DestBlend = blend.SrcBlendAlpha = blend.DestBlendAlpha = D3D12_BLEND_ONE;
    blend.BlendOp = blend.BlendOpAlpha = D3D12_BLEND_OP_ADD;
    blend.RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
    // The index of a visible point is an attribute of its instance. So it is read from StartInstanceLocation on, which
    // SV_InstanceID does not include.
    const D3D12_INPUT_ELEMENT_DESC visible = {
        "VISIBLE", 0, DXGI_FORMAT_R32_UINT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA, 1};
    desc.InputLayout = {&visible, 1};
    desc.SampleMask = UINT_MAX;
    desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
    desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
    desc.RasterizerState.DepthClipEnable = TRUE;
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = kFormat;
    desc.SampleDesc.Count = 1;
    check(gpu->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&pipeline_)), "CreateGraphicsPipelineState");
  }

  uint32_t width_, height_;
  ComPtr<ID3D12RootSignature> rootSignature_;
  ComPtr<ID3D12CommandSignature> commandSignature_;
  ComPtr<ID3D12PipelineState> pipeline_;
  ComPtr<ID3D12Resource> target_;
  ComPtr<ID3D12DescriptorHeap> targetView_;
};

}  // namespace demo
