#include "frame/context.h"

#include <cstdio>

#include "base/failure.h"

namespace demo {

void checkSluice(SluContext context, SluResult result, const char* what) {
  if (result != SLU_SUCCESS)
    failRuntime(what, " failed: ", sluGetErrorMessage(context), " (", sluGetResultName(result), ")");
}

slu::Context createContext(const Device& device) {
  const SluVulkanDeviceInfo vulkan = device.info();
  SluContextCreateInfo info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = &vulkan;
  // The demo calls both sluCmdCompact and sluEnqueueCompact, so that auto may pick any route.
  info.hostFlags = SLU_HOST_RECORDS_BIT | SLU_HOST_ENQUEUES_BIT;
  slu::Context context;
  SluMessage message = {};
  const SluResult result = sluCreateContext(&info, context.put(), &message);
  if (result != SLU_SUCCESS) failRuntime("sluCreateContext failed: ", message.text);
  return context;
}

SluRoute resolveRoute(SluContext context, SluRoute route) {
  SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  checkSluice(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
  if (!info.available) failRuntime("--route ", sluGetRouteName(route), " is not available: ", info.reason);
  return info.route;
}

std::vector<SluRouteInfo> listRoutes(const Device& device, SluContext context) {
  std::vector<SluRouteInfo> routes;
  for (const SluRoute route : {SLU_ROUTE_CPU, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}) {
    SluRouteInfo info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    checkSluice(context, sluGetRouteInfo(context, route, &info), "sluGetRouteInfo");
    // The context knows that the device lacks extensions. The device knows why it was created without them.
    if (!info.available && *device.refusal(route))
      std::snprintf(info.reason, sizeof(info.reason), "%s", device.refusal(route));
    routes.push_back(info);
  }
  return routes;
}

}  // namespace demo
