#include "routes/d3d12/d3d12_pyramid.h"

#include <optional>

#include "base/structs.h"
#include "routes/d3d12/d3d12_buffer.h"
#include "routes/d3d12/recording.h"
#include "shaders/shared/pyramid_block.h"

namespace slu {
namespace {

// Parameters of the root signature.
enum PyramidParameter : UINT {
  kPyramidBuild,   // root constants: a PyramidBlock
  kPyramidBuilt,   // UAV: the pyramid
  kPyramidDepths,  // an SRV, or a table with one
  kPyramidParameterCount
};

constexpr UINT kBuildWords = sizeof(PyramidBlock) / 4;

bool isLayered(const SluD3D12PyramidInfo& info) {
  return info.viewDimension == D3D12_SRV_DIMENSION_TEXTURE2DARRAY ||
         info.viewDimension == D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY;
}

bool isSampled(const SluD3D12PyramidInfo& info) {
  return info.viewDimension == D3D12_SRV_DIMENSION_TEXTURE2DMS ||
         info.viewDimension == D3D12_SRV_DIMENSION_TEXTURE2DMSARRAY;
}

std::optional<SluD3D12PyramidInfo> readImageInfo(const void* chain, const PyramidLayout& layout) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_D3D12_PYRAMID_INFO;
  const auto* chained = findInChain<SluD3D12PyramidInfo>(chain, kType);
  if (chained == nullptr) return std::nullopt;
  const auto info = readStruct(chained, kType, sizeof(*chained), "d3d12Pyramid");
  require(info.viewDimension == D3D12_SRV_DIMENSION_TEXTURE2D || isLayered(info) || isSampled(info),
          "d3d12Pyramid.viewDimension: is ", info.viewDimension,
          ", must be D3D12_SRV_DIMENSION_TEXTURE2D, _TEXTURE2DARRAY, _TEXTURE2DMS or _TEXTURE2DMSARRAY");
  require(isLayered(info) || layout.layerCount == 1, "d3d12Pyramid.viewDimension: is ", info.viewDimension,
          ", must be D3D12_SRV_DIMENSION_TEXTURE2DARRAY or _TEXTURE2DMSARRAY for ", layout.layerCount, " layers");
  const std::uint32_t samples = info.samples;
  require(samples == 1 || (isSampled(info) && (samples == 2 || samples == 4 || samples == 8)),
          "d3d12Pyramid.samples: is ", samples, isSampled(info) ? ", must be 1, 2, 4 or 8" : ", must be 1",
          " for d3d12Pyramid.viewDimension ", info.viewDimension);
  return info;
}

HlslDepths depthsOf(const std::optional<SluD3D12PyramidInfo>& image) {
  if (!image) return HlslDepths::buffer;
  if (isSampled(*image)) return isLayered(*image) ? HlslDepths::sampledLayeredImage : HlslDepths::sampledImage;
  return isLayered(*image) ? HlslDepths::layeredImage : HlslDepths::image;
}

// The texture of a build. Throws unless what is folded lies within it.
SluD3D12DepthInfo readDepthInfo(const PyramidBuild& build) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO;
  const auto* chained = findInChain<SluD3D12DepthInfo>(build.chain, kType);
  require(chained != nullptr, "build.pNext: lacks an SluD3D12DepthInfo, and the pyramid reads textures; chain one");
  const auto info = readStruct(chained, kType, sizeof(*chained), "d3d12Depth");
  require(info.view != 0, "d3d12Depth.view: is 0, which is no descriptor");
  const auto checkAxis = [](std::uint32_t first, std::uint32_t size, std::uint32_t extent, const char* axis,
                            const char* side) {
    require(std::uint64_t{first} + size <= extent, "d3d12Depth.offset", axis, ": is ", first, ", and ", size,
            " pixels from there on must lie within the ", extent, " of d3d12Depth.", side);
  };
  checkAxis(info.offsetX, build.width, info.width, "X", "width");
  checkAxis(info.offsetY, build.height, info.height, "Y", "height");
  return info;
}

class D3D12Pyramid final : public RoutePyramid {
 public:
  D3D12Pyramid(const D3D12Device& device, ShaderStore& store, const PyramidLayout& layout, const void* chain);

  void build(const PyramidBuild& build, void* target) override;
  bool readsImages() const override { return image_.has_value(); }
  std::uint64_t scratchBytes() const override { return 0; }

 private:
  void makeRootSignature();
  void checkBuffers(const PyramidBuild& build) const;
  void record(ID3D12GraphicsCommandList* list, const PyramidBlock& block) const;

  const D3D12Device& device_;
  const PyramidLayout layout_;
  const std::optional<SluD3D12PyramidInfo> image_;  // none: depths come from a buffer
  ComPtr<ID3D12RootSignature> rootSignature_;
  ComPtr<ID3D12PipelineState> tiles_, rest_;
};

D3D12Pyramid::D3D12Pyramid(const D3D12Device& device, ShaderStore& store, const PyramidLayout& layout,
                           const void* chain)
    : device_(device), layout_(layout), image_(readImageInfo(chain, layout)) {
  const std::uint64_t bytes = pyramidBytes(layout.width, layout.height, layout.layerCount);
  if (bytes > kMostBindingBytes) {
    fail(SLU_ERROR_MISSING_FEATURE, "pyramid.width: the pyramid has ", bytes,
         " bytes for such a width, height and layerCount, and the d3d12 route binds less than 4 GiB");
  }
  const std::uint32_t samples = image_ ? image_->samples : 1;
  const PyramidKey keys[] = {
      {depthsOf(image_), {layout.direction, SLU_PYRAMID_TILES, samples}, device.shaderModel()},
      {HlslDepths::buffer, {layout.direction, SLU_PYRAMID_REST, 1}, device.shaderModel()}};  // which reads no depths
  store.prepare(keys);
  makeRootSignature();
  tiles_ = device.makePipeline(rootSignature_.get(), store.get(keys[0]), L"sluice pyramid, tiles");
  rest_ = device.makePipeline(rootSignature_.get(), store.get(keys[1]), L"sluice pyramid, rest");
}

void D3D12Pyramid::makeRootSignature() {
  D3D12_ROOT_PARAMETER parameters[kPyramidParameterCount]{};
  parameters[kPyramidBuild].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameters[kPyramidBuild].Constants = {SLU_REGISTER_BUILD, 0, kBuildWords};
  parameters[kPyramidBuilt] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_UAV, SLU_REGISTER_BUILT);
  parameters[kPyramidDepths] = rootDescriptor(D3D12_ROOT_PARAMETER_TYPE_SRV, SLU_REGISTER_DEPTHS);
  const D3D12_DESCRIPTOR_RANGE view{D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 1, SLU_REGISTER_DEPTHS, 0, 0};
  if (image_) {
    parameters[kPyramidDepths] = {};
    parameters[kPyramidDepths].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    parameters[kPyramidDepths].DescriptorTable = {1, &view};
  }
  rootSignature_ = device_.makeRootSignature(parameters, L"sluice pyramid");
}

void D3D12Pyramid::checkBuffers(const PyramidBuild& build) const {
  require(build.depth.bytes <= kMostBindingBytes, "build.depth: has ", build.depth.bytes,
          " bytes, and the d3d12 route binds less than 4 GiB; fold less");
  const auto resourceOf = [](const Binding& binding) {
    return static_cast<const D3D12Buffer&>(*binding.buffer).resource.get();
  };
  require(resourceOf(build.depth) != resourceOf(build.pyramid),
          "build.depth: its ID3D12Resource also holds the pyramid, and a resource has one state at a time; put them "
          "into different resources");
}

void D3D12Pyramid::build(const PyramidBuild& build, void* target) {
  auto* const list = static_cast<ID3D12GraphicsCommandList*>(target);
  PyramidBlock block{};
  block.width = build.width;
  block.height = build.height;
  block.layerCount = layout_.layerCount;
  block.frameNumber = build.frameNumber;
  D3D12_GPU_DESCRIPTOR_HANDLE view{};
  if (image_) {
    const SluD3D12DepthInfo info = readDepthInfo(build);
    view.ptr = info.view;
    block.firstX = info.offsetX;
    block.firstY = info.offsetY;
  } else {
    require(findInChain<void>(build.chain, SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO) == nullptr,
            "build.pNext: SluD3D12DepthInfo is for pyramids that were created with an SluD3D12PyramidInfo");
    checkBuffers(build);
    block.rowWords = static_cast<std::uint32_t>(build.rowPitch / 4);
    block.layerWords = layout_.layerCount == 1 ? 0 : static_cast<std::uint32_t>(build.layerPitch / 4);
  }
  device_.checkList(list);

  const ListEvent event(list, L"sluice pyramid");
  recordUavBarrier(list);
  list->SetComputeRootSignature(rootSignature_.get());
  list->SetComputeRootUnorderedAccessView(kPyramidBuilt, build.pyramid.address);
  if (image_) {
    list->SetComputeRootDescriptorTable(kPyramidDepths, view);
  } else {
    list->SetComputeRootShaderResourceView(kPyramidDepths, build.depth.address);
  }
  record(list, block);
}

void D3D12Pyramid::record(ID3D12GraphicsCommandList* list, const PyramidBlock& block) const {
  constexpr std::uint32_t kTilePixels = 2 * SLU_PYRAMID_EDGE;
  list->SetComputeRoot32BitConstants(kPyramidBuild, kBuildWords, &block, 0);
  list->SetPipelineState(tiles_.get());
  list->Dispatch((block.width + kTilePixels - 1) / kTilePixels, (block.height + kTilePixels - 1) / kTilePixels,
                 block.layerCount);
  recordUavBarrier(list);
  list->SetPipelineState(rest_.get());
  list->Dispatch(1, 1, 1);
}

}  // namespace

std::unique_ptr<RoutePyramid> makeD3D12Pyramid(const D3D12Device& device, ShaderStore& store,
                                               const PyramidLayout& layout, const void* chain) {
  return std::make_unique<D3D12Pyramid>(device, store, layout, chain);
}

}  // namespace slu
