#include "base/com.h"

#include <ios>

#include "base/d3d12_error.h"

namespace slu {
namespace {

[[noreturn]] void failLost(const char* call, HRESULT reason) {
  fail(SLU_ERROR_DEVICE_LOST, call, ": the device was removed (GetDeviceRemovedReason is ", std::hex, std::showbase,
       static_cast<unsigned long>(reason), "); destroy all that was made for it");
}

}  // namespace

void check(HRESULT result, const char* call, ID3D12Device* device) {
  if (SUCCEEDED(result)) return;
  const SluResult meaning = resultOf(result);
  if (meaning == SLU_ERROR_DEVICE_LOST) failLost(call, device->GetDeviceRemovedReason());
  fail(meaning, call, meaning == SLU_ERROR_OUT_OF_DEVICE_MEMORY ? ": out of memory," : ":", " fails with ", std::hex,
       std::showbase, static_cast<unsigned long>(result));
}

std::string_view messageOf(ID3DBlob* messages) {
  if (messages == nullptr) return "no reason is given";
  const std::string_view text(static_cast<const char*>(messages->GetBufferPointer()), messages->GetBufferSize());
  return text.substr(0, text.find('\0'));
}

std::vector<std::byte> bytesOf(ID3DBlob* code) {
  const auto* const bytes = static_cast<const std::byte*>(code->GetBufferPointer());
  return {bytes, bytes + code->GetBufferSize()};
}

void checkPresent(ID3D12Device* device) {
  if (const HRESULT reason = device->GetDeviceRemovedReason(); FAILED(reason)) failLost("commandList", reason);
}

}  // namespace slu
