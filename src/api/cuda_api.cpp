// The C ABI of sluice_cuda.h. It is part of every build. Without a CUDA route it says that there is no plan to run.
#include <sluice/sluice_cuda.h>

#include "api/objects.h"

void* sluGetCudaPointer(SluBuffer buffer) {
  if (buffer == nullptr || !buffer->attachments[SLU_ROUTE_CUDA]) return nullptr;
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(buffer->attachments[SLU_ROUTE_CUDA]->address));
}

SluResult sluEnqueueCompact(SluPlan plan, CUstream_st* stream, const SluFrameInfo* frame) {
  return slu::runPlan(plan, frame, stream, "sluEnqueueCompact");
}
