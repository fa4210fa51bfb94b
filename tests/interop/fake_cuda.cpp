#include "fake_cuda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "open_handles.h"

namespace slu::test {
namespace {

FakeCuda* fake = nullptr;

template <typename Handle>
Handle makeHandle() {
  static std::uintptr_t last = 0x1000;
  return reinterpret_cast<Handle>(last += 0x10);
}

// Takes over the fd of an import, or returns -1: an NT handle stays the caller's. Handles of this system are open ones.
// Those of the other are numbers that tests made up.
template <typename Descriptor>
int takeFd(const Descriptor& descriptor, bool isFd) {
#ifdef _WIN32
  EXPECT_FALSE(isFd);
  EXPECT_TRUE(isOpen(descriptor.handle.win32.handle));
#else
  EXPECT_TRUE(!isFd || isOpen(descriptor.handle.fd));
#endif
  return isFd ? descriptor.handle.fd : -1;
}

void closeFd([[maybe_unused]] int fd) {
#ifndef _WIN32
  EXPECT_TRUE(fd < 0 || closeHandle(fd)) << "an fd that is CUDA's was closed";
#endif
}

CUresult importMemory(CUexternalMemory* memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* descriptor) {
  const int fd = takeFd(*descriptor, descriptor->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD);
  if (!fake->enter("import memory")) return CUDA_ERROR_INVALID_VALUE;
  fake->imports.push_back(*descriptor);
  *memory = makeHandle<CUexternalMemory>();
  fake->memories[*memory] = {fd, descriptor->size};
  return CUDA_SUCCESS;
}

CUresult map(CUdeviceptr* pointer, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* descriptor) {
  if (!fake->enter("map")) return CUDA_ERROR_OUT_OF_MEMORY;
  EXPECT_EQ(fake->memories.count(memory), 1u);
  EXPECT_LE(descriptor->offset + descriptor->size, fake->memories[memory].bytes);
  fake->maps.push_back(*descriptor);
  FakeCuda::Mapping mapping{memory, std::vector<char>(descriptor->size)};
  *pointer = reinterpret_cast<CUdeviceptr>(mapping.bytes.data());
  fake->mappings[*pointer] = std::move(mapping);
  return CUDA_SUCCESS;
}

CUresult freeMapping(CUdeviceptr pointer) {
  fake->enter("free");
  EXPECT_EQ(fake->mappings.erase(pointer), 1u);
  return CUDA_SUCCESS;
}

CUresult destroyMemory(CUexternalMemory memory) {
  fake->enter("destroy memory");
  EXPECT_TRUE(std::none_of(fake->mappings.begin(), fake->mappings.end(), [&](const auto& mapping) {
    return mapping.second.memory == memory;
  })) << "destroyed before its mapping";
  closeFd(fake->memories[memory].fd);
  EXPECT_EQ(fake->memories.erase(memory), 1u);
  return CUDA_SUCCESS;
}

CUresult importSemaphore(CUexternalSemaphore* semaphore, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* descriptor) {
  const int fd = takeFd(*descriptor, descriptor->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
  if (!fake->enter("import semaphore")) return CUDA_ERROR_OPERATING_SYSTEM;
  *semaphore = makeHandle<CUexternalSemaphore>();
  fake->semaphoreImports.push_back(*descriptor);
  fake->semaphores[*semaphore] = fd;
  return CUDA_SUCCESS;
}

CUresult signal(const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* parameters,
                unsigned count, CUstream) {
  if (!fake->enter("signal")) return CUDA_ERROR_INVALID_HANDLE;
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(fake->semaphores.count(*semaphores), 1u);
  fake->signals.push_back(parameters->params.fence.value);
  return CUDA_SUCCESS;
}

CUresult wait(const CUexternalSemaphore* semaphores, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* parameters,
              unsigned count, CUstream) {
  if (!fake->enter("wait")) return CUDA_ERROR_INVALID_HANDLE;
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(fake->semaphores.count(*semaphores), 1u);
  fake->waits.push_back(parameters->params.fence.value);
  return CUDA_SUCCESS;
}

CUresult destroySemaphore(CUexternalSemaphore semaphore) {
  fake->enter("destroy semaphore");
  closeFd(fake->semaphores[semaphore]);
  EXPECT_EQ(fake->semaphores.erase(semaphore), 1u);
  return CUDA_SUCCESS;
}

CUresult streamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  if (!fake->enter("is capturing")) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  *status = fake->isCapturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

// The allocation that holds the address, or the end.
auto findAllocation(CUdeviceptr address) {
  auto found = fake->allocations.upper_bound(address);
  if (found == fake->allocations.begin()) return fake->allocations.end();
  --found;
  return address - found->first < found->second.bytes ? found : fake->allocations.end();
}

template <typename T>
CUresult answer(void* data, T value) {
  std::memcpy(data, &value, sizeof(value));
  return CUDA_SUCCESS;
}

CUresult pointerAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  EXPECT_TRUE(fake->isCurrent()) << "cuPointerGetAttribute without the context";
  const auto found = findAllocation(address);
  if (found == fake->allocations.end() || fake->unanswered.count(attribute) != 0) return CUDA_ERROR_INVALID_VALUE;
  const FakeCuda::Allocation& allocation = found->second;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return answer(data, allocation.context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer(data, allocation.type);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer(data, unsigned{allocation.isManaged});
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer(data, allocation.device);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return answer(data, allocation.hasDevicePointer ? address + allocation.deviceOffset : CUdeviceptr{0});
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer(data, found->first);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer(data, std::size_t{allocation.bytes});
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return answer(data, allocation.isMapped);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return answer(data, allocation.access);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return answer(data, allocation.pool);
    default:
      ADD_FAILURE() << "attribute " << attribute << " is not played";
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// What is not known stays 0.
CUresult pointerAttributes(unsigned count, CUpointer_attribute* attributes, void** data, CUdeviceptr address) {
  if (!fake->enter("pointer attributes")) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    if (findAllocation(address) != fake->allocations.end()) pointerAttribute(data[i], attributes[i], address);
  }
  return CUDA_SUCCESS;
}

CUresult addressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  EXPECT_TRUE(fake->isCurrent()) << "cuMemGetAddressRange without the context";
  const auto found = findAllocation(address);
  if (found == fake->allocations.end() || !fake->knowsAddressRanges) return CUDA_ERROR_NOT_FOUND;
  *base = found->first;
  *bytes = found->second.bytes;
  return CUDA_SUCCESS;
}

// 7.0 is the compute capability of no GPU that the kernels are compiled for.
CUresult deviceAttribute(int* value, CUdevice_attribute name, CUdevice) {
  static const std::map<CUdevice_attribute, int> kValues = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 7},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 96 << 10},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 96 << 10}};
  const auto found = kValues.find(name);
  *value = found == kValues.end() ? 0 : found->second;
  return CUDA_SUCCESS;
}

CUresult countDevices(int* count) {
  if (fake->failing == "count devices") return CUDA_ERROR_UNKNOWN;
  *count = static_cast<int>(fake->devices.size());
  return CUDA_SUCCESS;
}

CUresult deviceName(char* name, int size, CUdevice device) {
  if (fake->failing == "get name") return CUDA_ERROR_UNKNOWN;
  const std::string& found = fake->devices.at(static_cast<std::size_t>(device)).name;
  name[found.copy(name, static_cast<std::size_t>(size) - 1)] = 0;
  return CUDA_SUCCESS;
}

CUresult deviceUuid(CUuuid* uuid, CUdevice) {
  *uuid = {};
  return fake->failing == "get uuid" ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

CUresult deviceLuid(char* luid, unsigned* nodeMask, CUdevice device) {
  const FakeCuda::Device& found = fake->devices.at(static_cast<std::size_t>(device));
  std::memcpy(luid, found.luid.data(), found.luid.size());
  *nodeMask = found.nodeMask;
  return CUDA_SUCCESS;
}

// What plans do. No kernel runs.

CUresult allocate(CUdeviceptr* pointer, std::size_t bytes) {
  if (!fake->enter("allocate")) return CUDA_ERROR_OUT_OF_MEMORY;
  FakeCuda::Mapping mapping{nullptr, std::vector<char>(bytes)};
  *pointer = reinterpret_cast<CUdeviceptr>(mapping.bytes.data());
  fake->mappings[*pointer] = std::move(mapping);
  return CUDA_SUCCESS;
}

CUresult clear(CUdeviceptr, unsigned char, std::size_t, CUstream) {
  return fake->enter("clear") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult copyFromHost(CUdeviceptr, const void*, std::size_t, CUstream) {
  return fake->enter("copy from host") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult copy(CUdeviceptr, CUdeviceptr, std::size_t, CUstream) {
  return fake->enter("copy") ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult createStream(CUstream* stream, unsigned) {
  if (!fake->enter("create stream")) return CUDA_ERROR_OUT_OF_MEMORY;
  *stream = makeHandle<CUstream>();
  return CUDA_SUCCESS;
}

CUresult destroyStream(CUstream) {
  fake->enter("destroy stream");
  return CUDA_SUCCESS;
}

CUresult synchronizeStream(CUstream) { return fake->enter("synchronize") ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED; }

CUresult functionAttribute(int* value, CUfunction_attribute, CUfunction) {
  *value = 0;
  return CUDA_SUCCESS;
}

CUresult setFunctionAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }

CUresult countResidentBlocks(int* blocks, CUfunction, int, std::size_t) {
  *blocks = 2;
  return CUDA_SUCCESS;
}

CUresult launch(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**,
                void**) {
  return fake->enter("launch") ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

CUresult loadLibrary(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,
                     unsigned) {
  if (!fake->enter("load")) return fake->libraryError;
  fake->image = image;
  *library = makeHandle<CUlibrary>();
  fake->libraries.insert(*library);
  return CUDA_SUCCESS;
}

CUresult unloadLibrary(CUlibrary library) {
  fake->enter("unload");
  EXPECT_EQ(fake->libraries.erase(library), 1u);
  return CUDA_SUCCESS;
}

CUresult getKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  EXPECT_EQ(fake->libraries.count(library), 1u);
  if (!fake->enter("get kernel")) return fake->libraryError;
  fake->kernelNames.emplace_back(name);
  *kernel = makeHandle<CUkernel>();
  return CUDA_SUCCESS;
}

CUresult loadKernel(CUfunction* function, CUkernel kernel) {
  EXPECT_NE(kernel, nullptr);
  if (!fake->enter("load kernel")) return fake->libraryError;
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

CUresult deviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return fake->failing == "get device" ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult retain(CUcontext* context, CUdevice) {
  if (fake->failing == "retain") return CUDA_ERROR_DEVICE_UNAVAILABLE;
  *context = FakeCuda::primary();
  ++fake->retained;
  return CUDA_SUCCESS;
}

CUresult release(CUdevice) {
  --fake->retained;
  return CUDA_SUCCESS;
}

CUresult push(CUcontext context) {
  if (fake->failing == "push") return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  fake->stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult pop(CUcontext* context) {
  if (fake->stack.empty()) {
    ADD_FAILURE() << "a pop without a push";
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  *context = fake->stack.back();
  fake->stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult exchangeCaptureMode(CUstreamCaptureMode* mode) {
  std::swap(fake->captureMode, *mode);
  return CUDA_SUCCESS;
}

}  // namespace

FakeCuda::FakeCuda() { fake = this; }

FakeCuda::~FakeCuda() { fake = nullptr; }

CUcontext FakeCuda::primary() {
  static int context = 0;
  return reinterpret_cast<CUcontext>(&context);
}

CudaFunctions FakeCuda::functions() const {
  CudaFunctions functions;
  functions.cuCtxPopCurrent = pop;
  functions.cuCtxPushCurrent = push;
  functions.cuDestroyExternalMemory = destroyMemory;
  functions.cuDestroyExternalSemaphore = destroySemaphore;
  functions.cuDeviceGet = deviceGet;
  functions.cuDeviceGetAttribute = deviceAttribute;
  functions.cuDeviceGetCount = countDevices;
  functions.cuDeviceGetLuid = deviceLuid;
  functions.cuDeviceGetName = deviceName;
  functions.cuDeviceGetUuid = deviceUuid;
  functions.cuDevicePrimaryCtxRelease = release;
  functions.cuDevicePrimaryCtxRetain = retain;
  functions.cuExternalMemoryGetMappedBuffer = map;
  functions.cuFuncGetAttribute = functionAttribute;
  functions.cuFuncSetAttribute = setFunctionAttribute;
  functions.cuImportExternalMemory = importMemory;
  functions.cuImportExternalSemaphore = importSemaphore;
  functions.cuKernelGetFunction = loadKernel;
  functions.cuLaunchKernel = launch;
  functions.cuLibraryGetKernel = getKernel;
  functions.cuLibraryLoadData = loadLibrary;
  functions.cuLibraryUnload = unloadLibrary;
  functions.cuMemAlloc = allocate;
  functions.cuMemFree = freeMapping;
  functions.cuMemGetAddressRange = addressRange;
  functions.cuMemcpyAsync = copy;
  functions.cuMemcpyHtoDAsync = copyFromHost;
  functions.cuMemsetD8Async = clear;
  functions.cuOccupancyMaxActiveBlocksPerMultiprocessor = countResidentBlocks;
  functions.cuPointerGetAttribute = pointerAttribute;
  functions.cuPointerGetAttributes = pointerAttributes;
  functions.cuSignalExternalSemaphoresAsync = signal;
  functions.cuStreamCreate = createStream;
  functions.cuStreamDestroy = destroyStream;
  functions.cuStreamIsCapturing = streamIsCapturing;
  functions.cuStreamSynchronize = synchronizeStream;
  functions.cuThreadExchangeStreamCaptureMode = exchangeCaptureMode;
  functions.cuWaitExternalSemaphoresAsync = wait;
  return functions;
}

bool FakeCuda::isCurrent() const { return !stack.empty() && stack.back() == primary(); }

bool FakeCuda::enter(const char* call) {
  EXPECT_TRUE(isCurrent()) << call << " without the context";
  EXPECT_EQ(captureMode, CU_STREAM_CAPTURE_MODE_RELAXED) << call << " breaks captures";
  calls.emplace_back(call);
  return failing != call || failAfter-- > 0;
}

}  // namespace slu::test
