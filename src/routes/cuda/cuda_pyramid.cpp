#include "routes/cuda/cuda_pyramid.h"

#include "base/cuda_owned.h"
#include "kernels/device/platform/pyramid_arguments.h"

namespace slu {
namespace {

class CudaPyramid final : public RoutePyramid {
 public:
  CudaPyramid(const SharedKernels& shared, const PyramidLayout& layout);

  void build(const PyramidBuild& build, void* target) override;
  bool readsImages() const override { return false; }
  std::uint64_t scratchBytes() const override { return arrivalsBytes_; }

 private:
  const CudaContext& context_;
  const PyramidLayout layout_;
  const std::uint64_t arrivalsBytes_;
  OwnedDeviceMemory arrivals_;  // zero; each build leaves it so
  CUfunction kernel_ = nullptr;
};

// Zeroes in a stream of its own: the default stream would wait for streams that are being captured, which breaks the
// captures.
CudaPyramid::CudaPyramid(const SharedKernels& shared, const PyramidLayout& layout)
    : context_(shared.context),
      layout_(layout),
      arrivalsBytes_((layout.layerCount + 1) * sizeof(std::uint32_t)),
      arrivals_(context_) {
  const CudaScope scope(context_);
  const CudaFunctions& cuda = context_.functions();
  kernel_ = shared.pyramidKernel();
  arrivals_.take(cuda.cuMemAlloc(arrivals_.put(), arrivalsBytes_), "cuMemAlloc");
  OwnedStream stream(context_);
  stream.take(cuda.cuStreamCreate(stream.put(), CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(cuda.cuMemsetD8Async(arrivals_.get(), 0, arrivalsBytes_, stream.get()), "cuMemsetD8Async");
  check(cuda.cuStreamSynchronize(stream.get()), "cuStreamSynchronize");  // builds may run on any stream
}

void CudaPyramid::build(const PyramidBuild& build, void* target) {
  constexpr std::uint32_t kTilePixels = 2 * SLU_PYRAMID_EDGE;
  cuda::PyramidArguments arguments{};
  arguments.pyramid = build.pyramid.address;
  arguments.depths = build.depth.address;
  arguments.arrivals = arrivals_.get();
  arguments.block.width = build.width;
  arguments.block.height = build.height;
  arguments.block.layerCount = layout_.layerCount;
  arguments.block.frameNumber = build.frameNumber;
  arguments.block.rowWords = static_cast<std::uint32_t>(build.rowPitch / 4);
  arguments.layerWords = layout_.layerCount == 1 ? 0 : build.layerPitch / 4;
  arguments.direction = layout_.direction;
  const std::uint32_t tiles =
      ((build.width + kTilePixels - 1) / kTilePixels) * ((build.height + kTilePixels - 1) / kTilePixels);
  void* parameters[] = {&arguments};
  const CudaScope scope(context_);
  check(context_.functions().cuLaunchKernel(kernel_, tiles, layout_.layerCount, 1, SLU_PYRAMID_WORKGROUP, 1, 1, 0,
                                            static_cast<CUstream>(target), parameters, nullptr),
        "cuLaunchKernel");
}

}  // namespace

std::unique_ptr<RoutePyramid> makeCudaPyramid(const SharedKernels& shared, const PyramidLayout& layout) {
  return std::make_unique<CudaPyramid>(shared, layout);
}

}  // namespace slu
