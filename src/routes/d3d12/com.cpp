#include "routes/d3d12/com.h"

#include <ios>

namespace slu {
namespace {

// Of dxgi.h, which the route needs for nothing else.
constexpr HRESULT kDeviceRemoved = static_cast<HRESULT>(0x887a0005);
constexpr HRESULT kDeviceHung = static_cast<HRESULT>(0x887a0006);
constexpr HRESULT kDeviceReset = static_cast<HRESULT>(0x887a0007);

bool isLoss(HRESULT result) { return result == kDeviceRemoved || result == kDeviceHung || result == kDeviceReset; }

[[noreturn]] void failLost(const char* call, HRESULT reason) {
  fail(SLU_ERROR_DEVICE_LOST, call, ": the device was removed (GetDeviceRemovedReason is ", std::hex, std::showbase,
       static_cast<unsigned long>(reason), "); destroy all that was made for it");
}

}  // namespace

void check(HRESULT result, const char* call, ID3D12Device* device) {
  if (SUCCEEDED(result)) return;
  if (isLoss(result)) failLost(call, device->GetDeviceRemovedReason());
  if (result == E_OUTOFMEMORY) fail(SLU_ERROR_OUT_OF_DEVICE_MEMORY, call, ": out of memory");
  fail(SLU_ERROR_DRIVER, call, ": fails with ", std::hex, std::showbase, static_cast<unsigned long>(result));
}

void checkPresent(ID3D12Device* device) {
  if (const HRESULT reason = device->GetDeviceRemovedReason(); FAILED(reason)) failLost("commandList", reason);
}

}  // namespace slu
