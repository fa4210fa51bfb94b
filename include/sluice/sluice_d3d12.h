/* Sluice for Direct3D 12 hosts: a frame is recorded into the host's own command list.
 *
 * See sluice.h for the conventions.
 *   1. Call sluCreateContext with an SluD3D12DeviceInfo in pNext.
 *   2. Call sluCreateBuffer with an SluD3D12BufferInfo in pNext, per part of an ID3D12Resource.
 *   3. Call sluCmdCompactD3D12, each frame, with the host's command list.
 *   4. Call sluCmdBuildPyramidD3D12 for depth pyramids (sluice_pyramid.h).
 *
 * This header includes none of Direct3D, so that it goes with that of the Windows SDK, of DirectX-Headers and of
 * mingw-w64. Interfaces that it names are their base versions; later ones derive from them.
 *
 * The device needs D3D_FEATURE_LEVEL_11_0, shader model 5.0 and root signatures of version
 * 1.0, which every Direct3D 12 device has. Eight UAVs are used, the most of that feature level, as root descriptors.
 * The library compiles its shaders with d3dcompiler_47.dll, which is part of Windows; at the host's choice with
 * dxcompiler.dll, for devices with shader model 6.0 and wave operations. Draws need no feature: ExecuteIndirect takes
 * draw counts, and commands whose StartInstanceLocation is not 0. A vertex shader's SV_InstanceID does not include
 * StartInstanceLocation; docs/guide/d3d12.md says how it gets the instance.
 *
 * Never tried: Microsoft's runtime with its debug layer, drivers for Windows, and frames of shader model 6, whose
 * kernels are tested on Vulkan. The route is tested under Wine, whose Direct3D 12 runs on a Vulkan driver.
 *
 * Denormals: shader model 5 takes them for 0, and with shader model 6 the driver decides. So what a denormal decides
 * may differ from other routes.
 *
 * A library that was built without Direct3D 12 (SLUICE_D3D12=OFF, or not for Windows) has none of these functions.
 */
#ifndef SLUICE_SLUICE_D3D12_H
#define SLUICE_SLUICE_D3D12_H

#include <sluice/sluice_pyramid.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ID3D12Device;
struct ID3D12GraphicsCommandList;
struct ID3D12Resource;

/* The host's device, chained to SluContextCreateInfo. The library holds a reference to it until the context and all
 * that was created from it are destroyed.
 *
 * sluCreatePlan compiles every shader that frames of the plan can need, several at a time on threads of its own, and
 * sluCmdCompactD3D12 compiles none. A shader takes seconds. The context keeps them for plans to come. To have them
 * ahead of time, create the plans and destroy them at once; to have them when the program starts again, do so, save
 * what sluGetD3D12Shaders gets, and hand it over here. */
typedef struct SluD3D12DeviceInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_DEVICE_INFO */
  uint32_t structSize;
  const void* pNext;
  struct ID3D12Device* device; /* of one GPU */
  uint32_t commandListType; /* D3D12_COMMAND_LIST_TYPE_DIRECT or _COMPUTE: of the lists that frames are recorded into */
  uint32_t shaderModel;     /* 5; 6 for wave operations, by dxcompiler.dll; or 0 for the library's choice, which is 5 */
  const void* shaders;      /* what sluGetD3D12Shaders got with this version of the library, read during the call; or
                                  NULL */
  size_t shadersSize;       /* bytes of it */
  void* dxcCreateInstance;  /* with shader model 6 the address of DxcCreateInstance in the host's dxcompiler.dll, which
                               stays loaded as long as the context; or NULL: the library loads dxcompiler.dll as the
                               system finds it. Its dxil.dll is beside it, if it signs shaders by that */
} SluD3D12DeviceInfo;

/* A part of a buffer of the host's, chained to SluBufferCreateInfo. SluBufferCreateInfo::size is its size. The library
 * holds a reference to the resource until the SluBuffer is destroyed.
 *  - What a frame binds as an SluBinding has less than 4 GiB.
 *  - A resource that a frame writes has D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, which those in upload heaps cannot
 *    have.
 *  - With SluBufferCreateInfo::hostPointer, where the host has mapped these bytes, the buffer can be
 *    SluFrameInfo::transient. It is in an upload heap then, at a multiple of 256 bytes.
 *  - The CUDA route also needs to know the resource's memory: chain an SluD3D12MemoryInfo (sluice_d3d12_cuda.h). */
typedef struct SluD3D12BufferInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_BUFFER_INFO */
  uint32_t structSize;
  const void* pNext;
  struct ID3D12Resource* resource; /* a buffer (D3D12_RESOURCE_DIMENSION_BUFFER) of any heap */
  uint64_t offset;                 /* of the first byte in the resource, a multiple of 4 */
} SluD3D12BufferInfo;

/* Records a frame of a plan of the Direct3D 12 route. This call only records.
 *  - On entry resources that the frame reads are in D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE, or a combination of
 *    read states that has it, and those that it writes in D3D12_RESOURCE_STATE_UNORDERED_ACCESS. States that buffers
 *    are promoted to from D3D12_RESOURCE_STATE_COMMON will do. On exit they are in the same states, and the host's
 *    transitions follow: to INDIRECT_ARGUMENT for draws and drawCounts, to NON_PIXEL_SHADER_RESOURCE or
 *    VERTEX_AND_CONSTANT_BUFFER for what vertex shaders and the input assembler read.
 *  - With enhanced barriers: inputs are visible to D3D12_BARRIER_SYNC_COMPUTE_SHADING with
 *    D3D12_BARRIER_ACCESS_SHADER_RESOURCE, outputs with D3D12_BARRIER_ACCESS_UNORDERED_ACCESS, on entry and on exit.
 *  - A resource has one state at a time, so no resource may hold both an input and an output of a frame. Records of an
 *    in-place plan are in UNORDERED_ACCESS if their resource is also an output, else in exactly
 *    NON_PIXEL_SHADER_RESOURCE, by a transition of the host's; the call has them copied in between. In an upload
 *    heap they stay in GENERIC_READ.
 *  - SluFrameInfo::transient is in D3D12_RESOURCE_STATE_GENERIC_READ, as all of an upload heap is.
 *  - Calls in the same list need no UAV barrier between them: each waits for what was written by UAVs before it. One
 *    plan may read what another wrote, after the host's transition.
 *  - The call sets a compute root signature and its arguments, and a pipeline state. The host sets its own again,
 *    graphics pipeline state included, since lists have one pipeline state for both. Descriptor heaps, graphics root
 *    arguments and the rest stay as they are. No descriptor heap is needed.
 *  - The list may be executed again and again: if the frame has SluFrameInfo::transient, or while the plan has recorded
 *    fewer than SluPlanCreateInfo::framesInFlight frames since.
 *  - A plan's frames execute one after the other: executions on different queues need a fence between them.
 *  - Scratch is the plan's own. It is zero when it is created, as Direct3D promises of committed resources, and each
 *    frame leaves it so; tables of plans with several buckets are copied there by each frame.
 *
 * A frame takes two dispatches for an unordered plan, and four for a stable one and if buckets are packed or draws have
 * groups, with UAV barriers between them. A frame that reads a pyramid takes one more. A dispatch that reads one view
 * at a time is recorded once per view. Each further stream takes one more. A plan with several buckets takes one
 * CopyBufferRegion, and so does an in-place plan.
 *
 * plan must not be NULL.
 * commandList is being recorded, has SluD3D12DeviceInfo::commandListType, and is no bundle.
 * frame binds buffers that the route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a plan of another route, SLU_ERROR_INVALID_ARGUMENT if a field is wrong, and
 * SLU_ERROR_DEVICE_LOST if the device was removed. */
SLU_API SluResult sluCmdCompactD3D12(SluPlan plan, struct ID3D12GraphicsCommandList* commandList,
                                     const SluFrameInfo* frame);

/* Chained to SluPyramidCreateInfo: builds read depths from textures. */
typedef struct SluD3D12PyramidInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_PYRAMID_INFO */
  uint32_t structSize;
  const void* pNext;
  uint32_t viewDimension; /* D3D12_SRV_DIMENSION_TEXTURE2DARRAY or _TEXTURE2DMSARRAY; or with one layer _TEXTURE2D or
                             _TEXTURE2DMS */
  uint32_t samples;       /* 1; with _TEXTURE2DMS and _TEXTURE2DMSARRAY 1, 2, 4 or 8: the farthest sample counts */
} SluD3D12PyramidInfo;

/* The texture that a build reads, chained to SluPyramidBuildInfo. The host makes a shader resource view of it in a heap
 * of its own, whose first component is the depth: DXGI_FORMAT_R32_FLOAT, R16_UNORM, R24_UNORM_X8_TYPELESS or
 * R32_FLOAT_X8X24_TYPELESS for resources of the typeless formats beside them. */
typedef struct SluD3D12DepthInfo {
  SluStructureType sType; /* SLU_STRUCTURE_TYPE_D3D12_DEPTH_INFO */
  uint32_t structSize;
  const void* pNext;
  /* D3D12_GPU_DESCRIPTOR_HANDLE::ptr of the view, of SluD3D12PyramidInfo::viewDimension, with at least
   * SluPyramidCreateInfo::layerCount slices. Its first mip level is read. */
  uint64_t view;
  uint32_t width;   /* pixels of that mip level */
  uint32_t height;  /* the same along y */
  uint32_t offsetX; /* the first pixel that is folded. What is folded lies within the width */
  uint32_t offsetY; /* the same along y */
} SluD3D12DepthInfo;

/* Records the build of a pyramid of the Direct3D 12 route. This call only records.
 *  - On entry the pyramid is in D3D12_RESOURCE_STATE_UNORDERED_ACCESS, and a buffer of depths, or the depths of a
 *    texture, in D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE or a combination of read states that has it, such as
 *    with DEPTH_READ. On exit they are in the same states. The host transitions the pyramid to
 *    NON_PIXEL_SHADER_RESOURCE before a frame reads it, and back before the next build.
 *  - No resource holds both the pyramid and its depths.
 *  - With a texture the list has the shader-visible heap of SluD3D12DepthInfo::view, which the host has set by
 *    SetDescriptorHeaps. It is set afterwards, too. The descriptor stays as it is until the build has completed.
 *  - Builds and sluCmdCompactD3D12 in the same list need no UAV barrier between them.
 *  - The call sets a compute root signature and its arguments, and a pipeline state. The host sets its own again, as
 *    after sluCmdCompactD3D12.
 *  - The list may be executed again and again.
 *
 * A build takes two dispatches with a UAV barrier between them.
 *
 * pyramid must not be NULL.
 * commandList is being recorded, has SluD3D12DeviceInfo::commandListType, and is no bundle.
 * build binds buffers that the route can use.
 * Returns SLU_ERROR_ROUTE_UNAVAILABLE for a pyramid of another route, SLU_ERROR_INVALID_ARGUMENT if a field is wrong,
 * and SLU_ERROR_DEVICE_LOST if the device was removed. */
SLU_API SluResult sluCmdBuildPyramidD3D12(SluPyramid pyramid, struct ID3D12GraphicsCommandList* commandList,
                                          const SluPyramidBuildInfo* build);

/* Gets the compiled shaders of all plans and pyramids that a context has created, for SluD3D12DeviceInfo::shaders of a
 * later run. They depend on the library's version, not on the device or its driver. For one thread at a time, as
 * sluCreatePlan is.
 * context must not be NULL.
 * data receives the bytes, or is NULL to ask for their number.
 * size has the capacity of data, and receives the number of bytes.
 * Returns SLU_ERROR_INVALID_ARGUMENT if the capacity is too small, and SLU_ERROR_ROUTE_UNAVAILABLE if the context has
 * no Direct3D 12 route. */
SLU_API SluResult sluGetD3D12Shaders(SluContext context, void* data, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
