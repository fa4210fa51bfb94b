#include "base/structs.h"

#include <algorithm>
#include <string>

namespace slu {
namespace {

struct StructName {
  SluStructureType type;
  const char* constant;  // behind SLU_STRUCTURE_TYPE_
  const char* name;
};

#define SLU_STRUCT(CONSTANT, Name) \
  StructName { SLU_STRUCTURE_TYPE_##CONSTANT, #CONSTANT, #Name }
constexpr StructName kStructs[] = {SLU_STRUCT(CONTEXT_CREATE_INFO, SluContextCreateInfo),
                                   SLU_STRUCT(BUFFER_CREATE_INFO, SluBufferCreateInfo),
                                   SLU_STRUCT(PLAN_CREATE_INFO, SluPlanCreateInfo),
                                   SLU_STRUCT(FRAME_INFO, SluFrameInfo),
                                   SLU_STRUCT(ROUTE_INFO, SluRouteInfo),
                                   SLU_STRUCT(PLAN_PROPERTIES, SluPlanProperties),
                                   SLU_STRUCT(HOST_PREDICATE_INFO, SluHostPredicateInfo),
                                   SLU_STRUCT(PREDICATE_STATE, SluPredicateState),
                                   SLU_STRUCT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo),
                                   SLU_STRUCT(PYRAMID_PROPERTIES, SluPyramidProperties),
                                   SLU_STRUCT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo),
                                   SLU_STRUCT(OCCLUSION_INFO, SluOcclusionInfo),
                                   SLU_STRUCT(VULKAN_REQUIREMENTS, SluVulkanRequirements),
                                   SLU_STRUCT(VULKAN_DEVICE_INFO, SluVulkanDeviceInfo),
                                   SLU_STRUCT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo),
                                   SLU_STRUCT(VULKAN_ALLOCATE_INFO, SluVulkanAllocateInfo),
                                   SLU_STRUCT(VULKAN_MERGE_INFO, SluVulkanMergeInfo),
                                   SLU_STRUCT(VULKAN_PYRAMID_INFO, SluVulkanPyramidInfo),
                                   SLU_STRUCT(VULKAN_DEPTH_INFO, SluVulkanDepthInfo),
                                   SLU_STRUCT(GLSL_SOURCE_INFO, SluGlslSourceInfo),
                                   SLU_STRUCT(SPIRV_PREDICATE_INFO, SluSpirvPredicateInfo),
                                   SLU_STRUCT(HLSL_SOURCE_INFO, SluHlslSourceInfo),
                                   SLU_STRUCT(CUDA_DEVICE_INFO, SluCudaDeviceInfo),
                                   SLU_STRUCT(CUDA_BUFFER_INFO, SluCudaBufferInfo),
                                   SLU_STRUCT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo),
                                   SLU_STRUCT(CUDA_SOURCE_INFO, SluCudaSourceInfo),
                                   SLU_STRUCT(VULKAN_MEMORY_INFO, SluVulkanMemoryInfo),
                                   SLU_STRUCT(MEMORY_FD_INFO, SluMemoryFdInfo),
                                   SLU_STRUCT(VULKAN_TIMELINES, SluVulkanTimelines),
                                   SLU_STRUCT(HANDOFF_INFO, SluHandoffInfo),
                                   SLU_STRUCT(TRANSFER_INFO, SluTransferInfo),
                                   SLU_STRUCT(D3D12_DEVICE_INFO, SluD3D12DeviceInfo),
                                   SLU_STRUCT(D3D12_BUFFER_INFO, SluD3D12BufferInfo),
                                   SLU_STRUCT(D3D12_PYRAMID_INFO, SluD3D12PyramidInfo),
                                   SLU_STRUCT(D3D12_DEPTH_INFO, SluD3D12DepthInfo),
                                   SLU_STRUCT(D3D12_MEMORY_INFO, SluD3D12MemoryInfo),
                                   SLU_STRUCT(D3D12_FENCES, SluD3D12Fences),
                                   SLU_STRUCT(D3D12_TRANSFER_INFO, SluD3D12TransferInfo)};
#undef SLU_STRUCT

const StructName* findName(std::uint32_t type) {
  const auto* found = std::find_if(std::begin(kStructs), std::end(kStructs), [&](const StructName& candidate) {
    return static_cast<std::uint32_t>(candidate.type) == type;
  });
  return found == std::end(kStructs) ? nullptr : found;
}

// "SLU_INIT(FRAME_INFO, SluFrameInfo) sets it", the remedy for a header that is wrong.
std::string initOf(SluStructureType type) {
  const StructName* found = findName(static_cast<std::uint32_t>(type));
  if (found == nullptr) return "SLU_INIT sets it";
  return std::string("SLU_INIT(") + found->constant + ", " + found->name + ") sets it";
}

std::string constantOf(SluStructureType type) {
  const StructName* found = findName(static_cast<std::uint32_t>(type));
  return found == nullptr ? "another one" : std::string("SLU_STRUCTURE_TYPE_") + found->constant;
}

// "SluHandoffInfo", or for structs that only another API has "a struct with sType 12". The API's lowest numbers are those
// of Vulkan's structs, too.
std::string describe(std::uint32_t type) {
  const StructName* found = findName(type);
  const std::string number = "a struct with sType " + std::to_string(type);
  if (found == nullptr) return number;
  return type < SLU_STRUCTURE_TYPE_VULKAN_REQUIREMENTS ? found->name + (", or another API's " + number.substr(2)) + ","
                                                       : found->name;
}

}  // namespace

const char* structName(SluStructureType type) {
  const StructName* found = findName(static_cast<std::uint32_t>(type));
  return found == nullptr ? "an unknown struct" : found->name;
}

namespace {

// "chain only SluHandoffInfo, SluPredicateState".
std::string describeAllowed(std::span<const SluStructureType> allowed) {
  if (allowed.size() == 0) return "set pNext to null";
  std::string text = "chain only";
  for (const SluStructureType type : allowed) {
    text += (type == *allowed.begin() ? " " : ", ") + std::string(structName(type));
  }
  return text;
}

}  // namespace

StructHeader checkFields(const void* in, SluStructureType type, StructSizes sizes, const char* name) {
  const StructHeader header = readHeader(in);
  if (header.sType != static_cast<std::uint32_t>(type)) {
    fail(SLU_ERROR_INVALID_ARGUMENT, name, ".sType: is ", header.sType, ", must be ", constantOf(type), " (",
         static_cast<std::uint32_t>(type), "); ", initOf(type));
  }
  if (header.structSize < sizes.first) {
    fail(SLU_ERROR_INVALID_ARGUMENT, name, ".structSize: is ", header.structSize, ", must be at least ", sizes.first,
         "; ", initOf(type));
  }
  // A struct has no other size, and half of a pointer must not be copied.
  if (header.structSize % alignof(StructHeader) != 0) {
    fail(SLU_ERROR_INVALID_ARGUMENT, name, ".structSize: is ", header.structSize, ", must be a multiple of ",
         alignof(StructHeader), "; ", initOf(type));
  }
  const std::uint32_t most = sizes.known + kMostUnknownBytes;
  if (header.structSize > most) {
    fail(SLU_ERROR_INVALID_ARGUMENT, name, ".structSize: is ", header.structSize, ", must be at most ", most, "; ",
         initOf(type));
  }
  return header;
}

void checkUnknownBytes(const void* in, std::uint32_t structSize, std::uint32_t known, const char* name) {
  const auto* bytes = static_cast<const unsigned char*>(in);
  for (std::uint32_t i = known; i < structSize; ++i) {
    require(bytes[i] == 0, name, ".structSize: is ", structSize, ", and byte ", i,
            " is set, which belongs to a version newer than this library (", known,
            " bytes); leave it 0, or take a newer library");
  }
}

void checkChain(const void* pNext, std::span<const SluStructureType> allowed, const char* name,
                std::span<const void*> found) {
  std::uint32_t seen = 0;
  while (pNext != nullptr) {
    const StructHeader header = readHeader(pNext);
    std::uint32_t bit = 0;
    for (std::uint32_t i = 0; i < allowed.size(); ++i) {
      if (header.sType != static_cast<std::uint32_t>(allowed[i])) continue;
      bit = 1u << i;
      if (!found.empty()) found[i] = pNext;
    }
    if (bit == 0) {
      fail(SLU_ERROR_INVALID_ARGUMENT, name, ".pNext: ", describe(header.sType), " does not belong here; ",
           describeAllowed(allowed));
    }
    if ((seen & bit) != 0) {
      fail(SLU_ERROR_INVALID_ARGUMENT, name, ".pNext: has two ", describe(header.sType),
           ", or is a circle; chain each struct once and end with null");
    }
    seen |= bit;
    pNext = header.pNext;
  }
}

}  // namespace slu
