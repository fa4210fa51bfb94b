#include <sluice/sluice.h>

#include <algorithm>
#include <cstdint>

#include "api/route_table.h"

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
  const auto rows = slu::routeRows();
  const auto row = std::ranges::find(rows, route, &slu::RouteRow::route);
  return row != rows.end() ? row->name : route == SLU_ROUTE_AUTO ? "auto" : "unknown";
}

std::uint32_t sluGetVersion() {
  return (std::uint32_t{SLU_VERSION_MAJOR} << 22) | (std::uint32_t{SLU_VERSION_MINOR} << 12) | SLU_VERSION_PATCH;
}
