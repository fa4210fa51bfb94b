#include <sluice/sluice.h>

#include <array>
#include <cstdint>

const char* sluGetResultName(SluResult result) {
  switch (result) {
    case SLU_SUCCESS:
      return "SLU_SUCCESS";
    case SLU_ERROR_INVALID_ARGUMENT:
      return "SLU_ERROR_INVALID_ARGUMENT";
    case SLU_ERROR_OUT_OF_HOST_MEMORY:
      return "SLU_ERROR_OUT_OF_HOST_MEMORY";
    case SLU_ERROR_OUT_OF_DEVICE_MEMORY:
      return "SLU_ERROR_OUT_OF_DEVICE_MEMORY";
    case SLU_ERROR_MISSING_FEATURE:
      return "SLU_ERROR_MISSING_FEATURE";
    case SLU_ERROR_ROUTE_UNAVAILABLE:
      return "SLU_ERROR_ROUTE_UNAVAILABLE";
    case SLU_ERROR_DEVICE_LOST:
      return "SLU_ERROR_DEVICE_LOST";
    case SLU_ERROR_DRIVER:
      return "SLU_ERROR_DRIVER";
    case SLU_ERROR_INTERNAL:
      return "SLU_ERROR_INTERNAL";
    case SLU_RESULT_MAX_ENUM:
      break;
  }
  return "unknown result";
}

const char* sluGetRouteName(SluRoute route) {
  static constexpr std::array<const char*, SLU_ROUTE_COUNT> kNames = {"auto", "cpu", "vulkan", "cuda", "inline"};
  const auto index = static_cast<std::uint32_t>(route);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::uint32_t sluGetVersion() {
  return (std::uint32_t{SLU_VERSION_MAJOR} << 22) | (std::uint32_t{SLU_VERSION_MINOR} << 12) | SLU_VERSION_PATCH;
}
