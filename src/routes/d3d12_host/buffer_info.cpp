#include "routes/d3d12_host/buffer_info.h"

#include "base/structs.h"

namespace slu {

std::optional<D3D12Part> readD3D12Buffer(const SluBufferCreateInfo& info) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO;
  const auto* chained = findInChain<SluD3D12BufferInfo>(info.pNext, kType);
  if (chained == nullptr) return {};
  const auto given = readStruct(chained, kType, sizeof(SluD3D12BufferInfo), "d3d12Buffer");
  require(given.resource != nullptr, "d3d12Buffer.resource: is null");
  const D3D12_RESOURCE_DESC desc = getDesc(*given.resource);
  require(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER,
          "d3d12Buffer.resource: is a texture, must be a buffer (D3D12_RESOURCE_DIMENSION_BUFFER)");
  require(given.offset % 4 == 0, "d3d12Buffer.offset: is ", given.offset, ", must be a multiple of 4");
  require(given.offset <= desc.Width && info.size <= desc.Width - given.offset, "buffer.size: is ", info.size,
          " at d3d12Buffer.offset ", given.offset, ", and the resource has ", desc.Width, " bytes");
  return D3D12Part{given.resource, given.offset, desc};
}

}  // namespace slu
